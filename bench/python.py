#!/usr/bin/python3
"""What Python costs: a step called from Python over the same step in C++, devices in Python, the import, and two
simulations in two threads against one after the other.   PYTHONPATH=build/release/python bench/python.py [--quick]"""
import gc
import resource
import statistics
import subprocess
import sys
import threading
import time

import palp

QUICK = "--quick" in sys.argv
BALL = {"dt": 0.001, "seconds": 1e5, "gravity": [0, 0, 0],
        "bodies": {"ball": {"model": "rigid", "mesh": {"generator": "icosphere", "radius": 0.03, "subdivisions": 1}}}}
HELD = {**BALL, "devices": {"hand": {"type": "script", "path": [{"time": 0, "position": [0, 0, 0]}],
                                     "holds": {"body": "ball", "stiffness": 1000}}}}


def quantiles(values):
    ordered = sorted(values)
    return [ordered[min(len(ordered) - 1, int(q * len(ordered)))] for q in (0.5, 0.9, 0.99)]


def per_step_us(step, steps, clock=time.thread_time):
    """Of the thread's processor time: what else runs on the machine disturbs it less than the clock."""
    begin = clock()
    step()
    return 1e6 * (clock() - begin) / steps


def overhead():
    """Rounds of both ways in turn: a loop in Python, the same number of steps in one call."""
    n, rounds = 1000, 30 if QUICK else 200
    sim = palp.simulate(BALL)
    loop, inside = [], []
    for _ in range(rounds):
        inside.append(per_step_us(lambda: sim.step(n), n))
        loop.append(per_step_us(lambda: [sim.step() for _ in range(n)], n))
    extra = [a - b for a, b in zip(loop, inside)]
    print("step, one free rigid body        C++ %.2f us, from Python %.2f us" % (quantiles(inside)[0], quantiles(loop)[0]))
    print("overhead of a Python step        p50 %.2f us, p90 %.2f us, p99 %.2f us   (aim: below 5)" % tuple(quantiles(extra)))

    by_scene, by_python = palp.simulate(HELD), palp.simulate(HELD, devices={"hand": lambda t: (0.0, 0.0, 0.0)})
    extra = []
    for _ in range(rounds):
        base = per_step_us(lambda: by_scene.step(n), n)
        extra.append(per_step_us(lambda: by_python.step(n), n) - base)
    print("a device in Python, per step     p50 %.2f us, p90 %.2f us, p99 %.2f us" % tuple(quantiles(extra)))
    x = sim.bodies["ball"]
    print("a view (sim.bodies[..].x)        %.2f us" % per_step_us(lambda: [x.x for _ in range(n)], n))


def imports():
    def one(code):  # processor time of the process, start to end
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        return end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime

    rounds = 5 if QUICK else 15
    bare, numpy, ours = ([one(code) for _ in range(rounds)] for code in ("pass", "import numpy", "import palp"))
    low = min(bare)
    print("import palp                      %.3f s (p50; least %.3f s), of it NumPy %.3f s   (aim: below 0.2)"
          % (statistics.median(ours) - low, min(ours) - low, min(numpy) - low))


def threads():
    """Two simulations of soft bodies, in two threads and one after the other, in turn."""
    scene = {"dt": 0.005, "seconds": 1e5, "gravity": [0, 0, 0], "bodies": {
        "bar": {"model": "corotational", "youngModulus": 1e5, "velocity": [0.1, 0, 0],
                "mesh": {"generator": "box", "size": [0.06, 0.06, 0.03], "cells": [6, 6, 3]}}}}
    sims, steps, ratios = [palp.simulate(scene) for _ in range(2)], 50, []
    for _ in range(5 if QUICK else 20):
        after = sum(per_step_us(lambda: sim.step(steps), 1, time.perf_counter) for sim in sims)
        pair = [threading.Thread(target=sim.step, args=(steps,)) for sim in sims]
        beside = per_step_us(lambda: [t.start() for t in pair] + [t.join() for t in pair], 1, time.perf_counter)
        ratios.append(after / beside)
    print("two simulations in two threads   p50 %.2f, p90 %.2f times as fast as one after the other   (two free cores: 2)"
          % tuple(quantiles(ratios)[:2]))


gc.disable()
overhead()
imports()
threads()
