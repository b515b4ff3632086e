#!/usr/bin/python3
"""What a study costs over the bare runs of its designs, and how it uses the cores: 1 000 clips (opening × thickness × μ).

    PYTHONPATH=build/release/python bench/sweep.py [--quick] [--designs N] [--jobs N]

Blocks of designs are run bare and as a study in turn, the same designs and as many at a time, so that a busy machine slows
both: ratios are of one run, on the clock and of the processor's time, which others disturb less. Memory is that of this
process, which runs both."""
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


def measured(work):
    """Seconds on the clock and of the processor."""
    begin = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begin[0], time.process_time() - begin[1]


def resident_MB():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize() / 1e6


def ratio(seconds):
    return sum(b for _, b in seconds) / sum(a for a, _ in seconds)


def against_bare(designs, jobs, out):
    clock, cpu, memory, failed = [], [], [], 0  # of every block: seconds bare and in the study
    with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
        for block in range(designs // BLOCK):
            some = study(BLOCK, block)
            rows = [some.row(i) for i in range(BLOCK)]
            works = [lambda: list(threads.map(bare, rows)), lambda: some.run(out, jobs)]
            times = [None, None]
            for k in ((0, 1), (1, 0))[block % 2]:  # neither is always the first, with cold caches
                times[k] = measured(works[k])
            clock.append([t[0] for t in times])
            cpu.append([t[1] for t in times])
            failed += some.table(out)["status"].count("failed")
            memory.append(resident_MB())
            if (block + 1) % 10 == 0:
                print(f"{(block + 1) * BLOCK} of {designs}, {ratio(cpu):.3f} of processor time so far, {memory[-1]:.0f} MB", file=sys.stderr)
    n = len(cpu) * BLOCK
    print(f"{n} designs of the clip, {jobs} at a time: bare {1e3 * sum(c[0] for c in cpu) / n:.0f} ms of processor time, "
          f"in a study {1e3 * sum(c[1] for c in cpu) / n:.0f} ms each; {failed} failed")
    for what, seconds in (("processor", cpu), ("clock", clock)):
        ratios = sorted(b / a for a, b in seconds)
        print(f"a design over its bare run, {what + ':':10s} {ratio(seconds):.3f} as a whole; blocks of {BLOCK}: "
              f"p50 {statistics.median(ratios):.3f}, p90 {ratios[int(0.9 * len(ratios))]:.3f}   (aim: below 1.1)")
    tenth = max(1, len(memory) // 10)
    print(f"memory                           {memory[tenth - 1]:.0f} MB after a tenth, {max(memory):.0f} MB at most, "
          f"{memory[-1]:.0f} MB at the end   (aim: flat)")


def against_cores(designs):
    jobs, one = 1, None
    while jobs <= os.cpu_count():
        with tempfile.TemporaryDirectory() as out:
            some = study(designs, 1)
            each = measured(lambda: some.run(out, jobs))[0] / designs
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
