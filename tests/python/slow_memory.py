"""Nothing is kept of scenes that are gone."""
import gc
import os
import resource

import palp


def resident_bytes():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def test_slow_ten_thousand_loads(ball):
    def load(n):
        for k in range(n):
            sim = palp.simulate(ball, {"contact.mu": 0.1 + 1e-6 * k})
            sim.step()
            x, triangles = sim.bodies["ball"].x, sim.bodies["ball"].triangles
            try:
                palp.load(ball, {"dt": -1})
            except palp.Error:
                pass
            del sim, x, triangles
        gc.collect()

    load(1000)
    before = resident_bytes()
    load(10000)
    # A leak of one body's triangles alone would be 10⁴ × 15 kB.
    assert resident_bytes() - before < 8 << 20
