"""Stepping: the same bits as the program, views that see steps, devices and loads of one's own."""
import gc
import json
import subprocess

import numpy as np
import palp
import pytest


def by_the_program(scene, tmp_path):
    """What `palp run` says: columns of the series, quantities."""
    file, csv = tmp_path / "scene.yaml", tmp_path / "series.csv"
    file.write_text(json.dumps(scene))
    out = subprocess.run([palp.program(), "run", file, "--csv", csv, "--json"], capture_output=True, text=True, check=True)
    names = csv.read_text().split("\n", 1)[0].split(",")
    table = np.loadtxt(csv, delimiter=",", skiprows=1)
    return {name: table[1:, k] for k, name in enumerate(names)}, json.loads(out.stdout)["quantities"]


@pytest.mark.parametrize("which", ["poke", "two_rates"])
def test_equal_to_the_program_to_the_bit(which, request, tmp_path):
    scene = request.getfixturevalue(which)
    columns, quantities = by_the_program(scene, tmp_path)
    sim = palp.simulate(scene)
    series = sim.run()
    assert series.columns == list(columns)
    for name in columns:
        if name.startswith("hand_"):  # written in full
            assert np.array_equal(series[name], columns[name]), name
    assert np.abs(series["hand_fz_N"]).max() > 0.1
    for name, q in quantities.items():
        assert sim.quantities[name].value == q["value"] and sim.quantities[name].unit == q["unit"]


def test_views_see_what_a_step_writes(ball):
    sim = palp.simulate(ball)
    body = sim.bodies["ball"]
    x, v = body.x, body.v
    address = x.ctypes.data
    for k in range(1, 8):
        before = x[2]
        sim.step()
        assert x[2] < before and x.ctypes.data == address
        assert np.shares_memory(x, sim.bodies["ball"].x) and not x.flags.owndata
        # Free fall by implicit Euler: v = −g k h.
        assert v[2] == pytest.approx(-9.81 * 0.005 * k, rel=1e-12)


def test_the_model_is_seen_where_it_lies(poke):
    sim = palp.simulate(poke)
    block, tool = sim.bodies["block"], sim.bodies["tool"]
    nodes, elements = block.mesh_nodes, block.elements
    assert nodes.shape == (5 * 5 * 3, 3) and elements.shape == (4 * 4 * 2, 8)
    assert np.array_equal(nodes.ravel(), block.x)  # at the start
    assert not nodes.flags.owndata and not nodes.flags.writeable and np.shares_memory(nodes, block.mesh_nodes)
    corners = nodes[elements]
    assert np.ptp(corners, axis=1) == pytest.approx(np.tile([0.015] * 3, (len(elements), 1)))
    assert tool.mesh_nodes.shape == (0, 3) and tool.elements.shape[0] == 0
    del sim, block, tool
    gc.collect()
    assert nodes.min() == pytest.approx(-0.03)


def test_a_state_may_be_written_between_steps(ball):
    sim = palp.simulate(ball)
    sim.bodies["ball"].x[:3] = [0.01, 0.02, 0.3]
    sim.bodies["ball"].v[:3] = [1, 0, 0]
    sim.step()
    assert sim.bodies["ball"].x[:3] == pytest.approx([0.015, 0.02, 0.3 - 9.81 * 0.005**2], rel=1e-12)


def test_what_must_not_be_written_cannot_be(poke, two_rates):
    sim = palp.simulate(two_rates)
    series = sim.run(0.01)
    for array in (sim.bodies["block"].x, sim.bodies["block"].triangles, sim.hands["hand"].force, series["time_s"]):
        assert not array.flags.writeable
        with pytest.raises(ValueError):
            array[...] = 0


def test_views_outlive_their_simulation(ball):
    sim = palp.simulate(ball)
    series = sim.run(0.1)
    x, triangles, time = sim.bodies["ball"].x, sim.bodies["ball"].triangles, series["time_s"]
    kept = x.copy(), triangles.copy(), time.copy()
    del sim, series
    gc.collect()
    others = [palp.simulate(ball) for _ in range(20)]  # whoever reuses freed memory would write over it
    for other in others:
        other.run(0.05)
    assert all(np.array_equal(a, b) for a, b in zip(kept, (x, triangles, time)))


def test_a_function_is_a_device(poke):
    by_scene, by_python = palp.simulate(poke), None

    class Hand:
        """The same way as the script: straight down in 0.1 s."""
        felt = []

        def read(self, time_s):
            share = min(time_s / 0.1, 1)
            return {"position": [0.003, 0.002, 0.027 + share * (0.021 - 0.027)],
                    "velocity": [0, 0, (0.021 - 0.027) / 0.1 if time_s < 0.1 else 0]}

        def write(self, force, torque, h_s):
            self.felt.append(force)

    by_python = palp.simulate(poke, devices={"hand": Hand()})
    a, b = by_scene.run(), by_python.run()
    assert b["hand_fz_N"] == pytest.approx(a["hand_fz_N"], rel=1e-6, abs=1e-6)
    assert np.array_equal(np.array(Hand.felt)[:, 2], b["hand_fz_N"])
    by_function = palp.simulate(poke, devices={"hand": lambda t: Hand().read(t)["position"]})
    c = by_function.run()
    # The differences of a straight way are its velocity.
    assert c["hand_vz_m_per_s"][1:18] == pytest.approx(np.full(17, -0.06), rel=1e-9)
    assert c["hand_fz_N"][-1] == pytest.approx(a["hand_fz_N"][-1], rel=1e-3)


def test_what_a_device_raises_comes_out_of_the_step(poke):
    def broken(time_s):
        if time_s > 0.05:
            raise ZeroDivisionError("the device is broken")
        return [0.003, 0.002, 0.027]

    sim = palp.simulate(poke, devices={"hand": broken})
    with pytest.raises(ZeroDivisionError, match="broken"):
        sim.run()
    assert 0.045 < sim.time_s < 0.065
    for wrong in ([1, 2], {"positon": [0, 0, 0]}, {"position": [0, 0, 0], "orientation": [1, 1, 1, 1]}):
        with pytest.raises((ValueError, KeyError)):
            palp.simulate(poke, devices={"hand": lambda t: wrong})
    with pytest.raises(KeyError, match="it has hand"):
        palp.simulate(poke, devices={"foot": lambda t: [0, 0, 0]})


def test_a_load_carries_a_body(ball):
    sim = palp.simulate(ball)
    body = sim.bodies["ball"]
    body.force[2] = 9.81 * body.mass_kg
    start = body.x.copy()
    sim.step(50)
    assert np.abs(body.x - start).max() < 1e-12  # weightless
    body.force[2] = 0
    sim.step()
    assert body.v[2] == pytest.approx(-9.81 * 0.005, rel=1e-9)


def test_compliance_of_a_rigid_body_and_of_springs(ball):
    """A free rigid body gives way by h²/m in translation; forces in opposite directions at one point cancel."""
    sim = palp.simulate(ball)
    body = sim.bodies["ball"]
    n = len(body.vertices)
    far = int(np.argmax(body.vertices[:, 2]))
    low = int(np.argmin(body.vertices[:, 2]))
    G = body.compliance([far, low])
    assert G.shape == (6, 6) and np.allclose(G, G.T, rtol=1e-12, atol=0)
    # A force along z through the centre moves both poles by h²/m.
    assert G[2, 2] == pytest.approx(0.005**2 / body.mass_kg, rel=1e-6)
    assert G[2, 5] == pytest.approx(0.005**2 / body.mass_kg, rel=1e-6)
    assert np.linalg.eigvalsh(G).min() > -1e-15
    with pytest.raises(IndexError):
        body.compliance([n])


def test_problems_contacts_and_reports_of_a_step(poke):
    sim = palp.simulate(poke)
    sim.run()
    (problem,) = sim.problems()
    m = len(problem["mu"])
    assert sim.report.contacts == m > 0 and problem["W"].shape == (3 * m, 3 * m)
    assert palp.certificate(problem["W"], problem["delta_free"], problem["mu"], problem["f"]) <= 1e-6
    assert palp.certificate(problem["W"], problem["delta_free"], problem["mu"], 2 * problem["f"]) > 1e-3
    again = palp.solve(problem["W"], problem["delta_free"], problem["mu"])
    assert again["converged"] and again["certificate"] <= 1e-6
    contacts = sim.contacts
    assert contacts["force"].shape == (m, 3) and set(contacts["body1"] + contacts["body2"]) == {"block", "tool"}
    # The hand is pushed up by what the contacts push the tool up with: it hardly moves any more.
    sign = np.where(np.array(contacts["body1"]) == "tool", 1.0, -1.0)
    assert (sign @ contacts["force"])[2] == pytest.approx(sim.hands["hand"].force[2], rel=0.05)


def test_a_failed_step_is_an_error(ball):
    ball["gravity"] = [0, 0, -1e5]
    ball["bodies"]["ball"]["position"] = [0, 0, 1000]
    sim = palp.simulate(ball, {"dt": 10, "seconds": 1000})
    sim.bodies["ball"].v[0] = np.nan
    with pytest.raises(palp.Error, match="ball"):
        sim.step()
    assert sim.time_s == 0


def test_each_is_called_after_every_step(ball):
    sim, times = palp.simulate(ball), []
    sim.run(0.05, each=lambda: times.append(sim.time_s))
    assert times == pytest.approx(0.005 * np.arange(1, 11))
