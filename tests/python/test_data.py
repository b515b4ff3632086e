"""Meshes and recordings as arrays."""
import gc

import numpy as np
import palp
import pytest

NODES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)


def test_a_mesh_goes_out_and_comes_back(tmp_path):
    mesh = palp.Mesh(NODES, tets=[[0, 1, 2, 3]])
    mesh.write(tmp_path / "tet.msh")
    again = palp.read_mesh(tmp_path / "tet.msh")
    assert np.array_equal(again.nodes, NODES) and np.array_equal(again.tets, [[0, 1, 2, 3]])
    assert len(again.triangles) == 0
    nodes = again.nodes
    assert not nodes.flags.writeable and not nodes.flags.owndata
    del again
    gc.collect()
    assert np.array_equal(nodes, NODES)


def test_bad_meshes_are_refused(tmp_path):
    with pytest.raises(palp.Error):
        palp.Mesh(NODES, tets=[[0, 1, 2, 9]])
    with pytest.raises(ValueError):
        palp.Mesh(NODES, tets=[[0, 1, 2]])
    (tmp_path / "bad.obj").write_text("v 0 0 0\nf 1 2 3\n")
    with pytest.raises(palp.Error) as caught:
        palp.read_mesh(tmp_path / "bad.obj")
    assert caught.value.line == 2


@pytest.mark.parametrize("which", ["poke", "two_rates"])
def test_a_recording_is_the_run_to_the_bit(which, request, tmp_path):
    sim = palp.simulate(request.getfixturevalue(which), record=tmp_path / "run.h5")
    series = sim.run()
    sim.close()
    recording = palp.Recording(tmp_path / "run.h5")
    ticks, hands = recording.read()
    assert recording.finished and len(recording) == len(series) == len(ticks["time_s"])
    assert np.array_equal(ticks["time_s"], series["time_s"])
    assert np.array_equal(ticks["certificate"], series["certificate"])
    for k, axis in enumerate("xyz"):
        assert np.array_equal(hands["hand"]["force"][:, k], series[f"hand_f{axis}_N"])
    part, _ = recording.read(10, 5)
    assert np.array_equal(part["time_s"], series["time_s"][10:15])
    last = len(recording) - 1
    contacts = recording.contacts(last)
    assert len(contacts["lambda"]) == 3 * ticks["contacts"][last] > 0
    assert recording.vertices("block", len(recording.frame_times_s) - 1).shape[1] == 3
    time, kept = ticks["time_s"], ticks["time_s"].copy()
    del ticks, hands, recording, part, sim
    gc.collect()
    assert np.array_equal(time, kept)
    with pytest.raises(palp.Error):
        palp.Recording(tmp_path / "none.h5")
