"""Nothing is kept of scenes that are gone."""
import gc
import json
import resource

import palp


def resident_bytes():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def test_ten_thousand_loads(ball):
    ball["bodies"]["ball"]["mesh"]["subdivisions"] = 1

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
    # A leak of one body's triangles alone would be 10⁴ × 960 bytes.
    assert resident_bytes() - before < 4 << 20


def test_memory_of_a_sweep_is_flat(ball, tmp_path):
    ball["bodies"]["ball"]["mesh"]["subdivisions"] = 2
    (tmp_path / "ball.yaml").write_text(json.dumps(ball))

    def run(designs, seed):
        study = palp.load_study({"scene": "ball.yaml", "seconds": 0.05, "plan": "random", "designs": designs, "seed": seed,
                                 "parameters": {"mu": {"key": "contact.mu", "from": 0, "to": 1}}, "keep": ["kinetic_J.max"]},
                                folder=tmp_path)
        assert study.run(str(tmp_path / f"out{seed}"), 2)["ran"] == designs

    run(200, 1)
    before = resident_bytes()
    run(1000, 2)
    assert resident_bytes() - before < 8 << 20
