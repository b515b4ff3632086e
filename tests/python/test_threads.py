"""The interpreter lock is free while the engine computes."""
import threading
import time

import palp
import pytest

STEPS = 400  # of one call


def scene(poke):
    return palp.simulate(poke, {"bodies.block.mesh.cells": [6, 6, 3]})


def test_two_simulations_step_at_the_same_time(poke):
    """Both are seen in the middle of one single call each. A call that kept the lock could not be seen at all."""
    one, two = scene(poke), scene(poke)
    threads = [threading.Thread(target=s.step, args=(STEPS,)) for s in (one, two)]
    both_inside = 0
    for t in threads:
        t.start()
    while any(t.is_alive() for t in threads):
        both_inside += 0 < one.steps < STEPS and 0 < two.steps < STEPS
        time.sleep(0)
    assert one.steps == two.steps == STEPS
    assert both_inside > 0


def test_one_simulation_is_stepped_by_one_thread_at_a_time(poke):
    sim = scene(poke)
    thread = threading.Thread(target=sim.step, args=(STEPS,))
    thread.start()
    while sim.steps == 0:
        time.sleep(0)
    refused = False
    while thread.is_alive() and not refused:
        try:
            sim.step()
        except RuntimeError:
            refused = True
    thread.join()
    assert refused


def test_python_devices_of_two_threads(poke):
    """Both wait for each other inside their steps."""
    barrier = threading.Barrier(2)

    def hand(time_s):
        if time_s > 0:
            barrier.wait(60)
        return [0.003, 0.002, 0.027]

    sims = [palp.simulate(poke, devices={"hand": hand}) for _ in range(2)]
    threads = [threading.Thread(target=s.step, args=(20,)) for s in sims]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert [s.steps for s in sims] == [20, 20]
