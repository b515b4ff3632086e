#!/usr/bin/python3
"""What Python costs: a step called from Python over the same step in C++, devices in Python, the import, and how a sweep
uses the cores.   PYTHONPATH=build/release/python bench/python.py [--quick]"""
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
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


def per_step_us(step, steps):
    begin = time.perf_counter()
    step()
    return 1e6 * (time.perf_counter() - begin) / steps


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
    def one(code):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - begin

    rounds = 5 if QUICK else 15
    bare, numpy, ours = ([one(code) for _ in range(rounds)] for code in ("pass", "import numpy", "import palp"))
    low = min(bare)
    print("import palp                      %.3f s (p50; least %.3f s), of it NumPy %.3f s   (aim: below 0.2)"
          % (statistics.median(ours) - low, min(ours) - low, min(numpy) - low))


def sweeps():
    """The clip of the snap-in, coarse: bare runs one after the other, and sweeps with 1, 2, … jobs."""
    scenes = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenes")
    changes = {"bodies.clip.mesh.cellsAround": 12, "bodies.clip.mesh.cellsWide": 2}
    n = 8 if QUICK else 40
    study = {"scene": os.path.join(scenes, "snap-in.yaml"), "seconds": 3, "set": changes, "plan": "random", "designs": n,
             "parameters": {"mu": {"key": "contact.mu", "from": 0.1, "to": 0.4}}, "keep": ["hand.peakForce"]}
    loaded = palp.load_study(study)
    bare, row = [], []
    for i in range(n):  # in turn, so that a busy machine slows both
        begin = time.perf_counter()
        sim = palp.simulate(study["scene"], {**changes, "contact.mu": loaded.row(i)["mu"]})
        sim.step(round(3 / sim.h_s))
        bare.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        loaded.run_row(i)
        row.append(time.perf_counter() - begin)
    ratios = quantiles([a / b for a, b in zip(row, bare)])
    bare = statistics.median(bare)
    print("a bare run of the clip           %.0f ms; as a row of a study p50 %.2f, p90 %.2f times as long   (aim: below 1.1)"
          % (1e3 * bare, ratios[0], ratios[1]))
    jobs = 1
    while jobs <= os.cpu_count():
        with tempfile.TemporaryDirectory() as out:
            begin = time.perf_counter()
            loaded.run(out, jobs)
            each = (time.perf_counter() - begin) / n
        print("sweep, %2d at a time              %.1f designs/s, %.2f times one after the other" % (jobs, 1 / each, bare / each))
        jobs *= 2


gc.disable()
overhead()
imports()
sweeps()
