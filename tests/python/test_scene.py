"""Scenes from files, texts and dicts; what is wrong with them."""
import json
import warnings

import numpy as np
import palp
import pytest


def end_of(scene):
    sim = palp.simulate(scene)
    sim.run()
    return sim.bodies["ball"].x.copy()


def test_file_text_and_dict_are_the_same_scene(ball, tmp_path):
    text = json.dumps(ball, indent=1)
    (tmp_path / "ball.yaml").write_text(text)
    from_dict, from_text, from_file = (end_of(s) for s in (ball, text, tmp_path / "ball.yaml"))
    assert np.array_equal(from_dict, from_text) and np.array_equal(from_dict, from_file)


def test_an_override_is_as_if_it_stood_in_the_scene(ball):
    changed = json.loads(json.dumps(ball))
    changed["bodies"]["ball"]["position"] = [0.01, 0, 0.1]
    changed["contact"]["mu"] = 0.1
    by_override = palp.load(ball, {"bodies.ball.position": np.array([0.01, 0, 0.1]), "contact.mu": np.float64(0.1)})
    assert np.array_equal(end_of(by_override), end_of(changed))


def test_an_override_reaches_into_lists_by_number(poke):
    moved = palp.simulate(poke, {"devices.hand.path.1.position.2": 0.025})
    moved.run()
    assert moved.hands["hand"].position[2] == 0.025
    with pytest.raises(palp.Error, match="path.7.time: '7' is no entry of a list of 2"):
        palp.load(poke, {"devices.hand.path.7.time": 1})
    with pytest.raises(palp.Error, match="is neither a map nor a list"):
        palp.load(poke, {"dt.x": 1})


def test_a_mistake_has_file_line_column_and_remedy(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("dt: 0.01\nbodies:\n  ball:\n    model: rigid\n    mesh: {generator: spere}\n    densty: 3\n")
    with pytest.raises(palp.Error) as caught:
        palp.load(file)
    lines = sorted(e.line for e in caught.value.errors)
    assert lines == [5, 6] and caught.value.file == str(file) and caught.value.column > 0
    assert "sphere" in str(caught.value) and "density" in str(caught.value)
    with pytest.raises(palp.Error) as gone:
        palp.load(tmp_path / "none.yaml")
    assert gone.value.file.endswith("none.yaml")


def test_suspicions_are_warnings(ball):
    ball["bodies"]["ball"]["position"] = [0, 0, 0.0295]
    with pytest.warns(palp.SceneWarning, match="overlap"):
        palp.load(ball)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ball["bodies"]["ball"]["position"] = [0, 0, 0.1]
        palp.load(ball)


def test_a_scene_tells_what_is_in_it(poke, two_rates):
    scene = palp.load(two_rates)
    assert scene.bodies == ["block", "tool"] and scene.devices == ["hand"] and scene.two_rates
    assert scene.h_s == 0.001 and scene.seconds == 0.2
    assert "hand.peakForce" in scene.quantities and "block.reaction" in scene.quantities


def test_finer_steps_and_converge(ball):
    assert palp.load(ball, time=2).h_s == 0.0025
    bar = {
        "dt": 0.1, "seconds": 0.2, "gravity": [0, 0, 0],
        "bodies": {"bar": {"model": "linear", "youngModulus": 1e6, "poissonRatio": 0, "quasiStatic": True,
                           "mesh": {"generator": "bar", "length": 0.1, "width": 0.02, "height": 0.02, "cellsAlong": 4,
                                    "cellsWide": 2, "cellsHigh": 2},
                           "fixed": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}, "grasp": {"box": [[0.0999, -1, -1], [1, 1, 1]]}}},
        "devices": {"arm": {"type": "script", "holds": {"body": "bar"},
                            "path": [{"time": 0, "position": [0.1, 0, 0]}, {"time": 0.1, "position": [0.1001, 0, 0]}]}},
    }
    study = palp.converge(bar, "bar.reaction", levels=3)
    assert study["limit"] == pytest.approx(1e6 * 4e-4 * 1e-4 / 0.1, rel=1e-6)  # E A d / L on every mesh
    assert study["converged"] and len(study["mesh"]["levels"]) == 3
    with pytest.raises(palp.Error, match="bar.reaction"):
        palp.converge(bar, "arm.push", levels=3)


def test_a_whole_text_reads_the_same_elsewhere(ball, tmp_path):
    palp.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).write(
        tmp_path / "part.stl")
    ball["bodies"]["ball"]["mesh"] = {"file": "part.stl"}
    scene = palp.load(ball, {"bodies.ball.scale": 0.0123456789012345678, "dt": 0.001}, folder=tmp_path)
    (tmp_path / "elsewhere").mkdir()
    file = tmp_path / "elsewhere" / "scene.yaml"
    file.write_text(scene.whole_text())
    one, other = palp.simulate(scene), palp.simulate(file)
    for sim in (one, other):
        sim.step(5)
    assert one.h_s == other.h_s == 0.001
    for name in one.bodies:
        assert one.bodies[name].x.tobytes() == other.bodies[name].x.tobytes()
        assert one.bodies[name].vertices.tobytes() == other.bodies[name].vertices.tobytes()


def test_examples_come_with_the_package():
    assert palp.load(palp.example("snap-in")).bodies == ["clip", "pipe"]
    with pytest.raises(palp.Error, match="snap-in"):
        palp.example("snap-out")
