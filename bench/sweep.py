#!/usr/bin/python3
"""What a study costs over the bare runs of its designs, and how it uses the cores: 1 000 clips (opening × thickness × μ).

    PYTHONPATH=build/release/python bench/sweep.py [--quick] [--designs N] [--jobs N]

Blocks of designs are run bare and as a study in turn, the same designs and as many at a time, so that a busy machine slows
both: the ratio is of one run. Memory is that of this process, which runs both."""
import argparse
import concurrent.futures
import os
import resource
import statistics
import sys
import tempfile
import time

import palp

BLOCK = 10
SET = {"bodies.clip.mesh.cellsAround": 12, "bodies.clip.mesh.cellsWide": 2,
       "devices.hand.path.1.position.1": 0.025, "devices.hand.path.2.position.1": 0.025}
KEYS = {"opening": "bodies.clip.mesh.openingAngle", "thickness": "bodies.clip.mesh.outerRadius", "mu": "contact.mu"}
SECONDS = 3


def study(designs, seed):
    spans = {"opening": (1.6, 2.0), "thickness": (0.0168, 0.018), "mu": (0.1, 0.3)}
    return palp.load_study({
        "scene": palp.example("snap-in"), "seconds": SECONDS, "set": SET, "plan": "latinHypercube", "designs": designs, "seed": seed,
        "parameters": {name: {"key": KEYS[name], "from": a, "to": b} for name, (a, b) in spans.items()},
        "keep": [{"name": "push", "of": "hand_fy_N", "statistic": "max"}]})


def bare(row):
    sim = palp.simulate(palp.example("snap-in"), {**SET, **{key: row[name] for name, key in KEYS.items()}})
    sim.step(round(SECONDS / sim.h_s))


def on_the_clock(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def resident_MB():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize() / 1e6


def against_bare(designs, jobs, out):
    ratios, both, memory, failed = [], [0.0, 0.0], [], 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
        for block in range(designs // BLOCK):
            some = study(BLOCK, block)
            rows = [some.row(i) for i in range(BLOCK)]
            works = [lambda: list(threads.map(bare, rows)), lambda: some.run(out, jobs)]
            times = [0.0, 0.0]
            for k in ((0, 1), (1, 0))[block % 2]:  # neither is always the first, with cold caches
                times[k] = on_the_clock(works[k])
            ratios.append(times[1] / times[0])
            both = [sum(pair) for pair in zip(both, times)]
            failed += some.table(out)["status"].count("failed")
            memory.append(resident_MB())
            if (block + 1) % 10 == 0:
                print(f"{(block + 1) * BLOCK} of {designs}, {both[1] / both[0]:.3f} so far, {memory[-1]:.0f} MB", file=sys.stderr)
    n = len(ratios) * BLOCK
    ordered = sorted(ratios)
    print(f"{n} designs of the clip, {jobs} at a time: bare {1e3 * both[0] / n:.0f} ms, in a study {1e3 * both[1] / n:.0f} ms "
          f"each; {failed} failed")
    print(f"a design over its bare run       {both[1] / both[0]:.3f} as a whole; blocks of {BLOCK}: p50 {statistics.median(ratios):.3f}, "
          f"p90 {ordered[int(0.9 * len(ordered))]:.3f}   (aim: below 1.1)")
    tenth = max(1, len(memory) // 10)
    print(f"memory                           {memory[tenth - 1]:.0f} MB after a tenth, {max(memory):.0f} MB at most, "
          f"{memory[-1]:.0f} MB at the end   (aim: flat)")


def against_cores(designs):
    jobs, one = 1, None
    while jobs <= os.cpu_count():
        with tempfile.TemporaryDirectory() as out:
            some = study(designs, 1)
            each = on_the_clock(lambda: some.run(out, jobs)) / designs
        one = one or each
        print(f"sweep, {jobs:2d} at a time              {1 / each:.1f} designs/s, {one / each:.2f} times one at a time")
        jobs *= 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--designs", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        against_bare(options.designs or (50 if options.quick else 1000), options.jobs, folder)
    against_cores(8 if options.quick else 40)
