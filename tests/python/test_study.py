"""Studies from Python."""
import json
import os

import numpy as np
import palp
import pytest


@pytest.fixture
def study(poke, tmp_path):
    (tmp_path / "poke.yaml").write_text(json.dumps(poke))
    return {"scene": "poke.yaml", "seconds": 0.1, "plan": "grid",
            "parameters": {"E": {"key": "bodies.block.youngModulus", "values": [5e4, 1e5, 2e5]},
                           "mu": {"key": "contact.mu", "from": 0, "to": 0.4, "steps": 2}},
            "keep": ["hand.peakForce", "certificate.max"]}


def test_a_table_is_what_single_runs_say_to_the_bit(study, poke, tmp_path):
    told = []
    table = palp.sweep(study, folder=tmp_path, progress=lambda *p: told.append(p))
    assert table["status"] == ["ok"] * 6 and told[-1][:3] == (6, 6, 0)
    for E, mu, force in zip(table["E"], table["mu"], table["hand.peakForce"]):
        sim = palp.simulate(poke, {"bodies.block.youngModulus": E, "contact.mu": mu})
        sim.run(0.1)
        assert sim.quantities["hand.peakForce"].value == force
    assert table.best("hand.peakForce")["E"] == 2e5  # the stiffest
    assert table.best("hand.peakForce", least=True)["E"] == 5e4
    assert {"results.csv", "results.h5", "report.html"} <= set(os.listdir(table.folder))
    again = palp.sweep(study, folder=tmp_path, progress=lambda *p: pytest.fail("nothing is missing"))
    assert np.array_equal(again["hand.peakForce"], table["hand.peakForce"])


def test_a_map_is_the_mean_over_what_it_does_not_show():
    table = palp.Table(a=np.array([1.0, 1, 2, 2, 2]), b=np.array([5.0, 6, 5, 6, 6]), z=np.array([10.0, 20, 30, 40, 60]),
                       status=["ok", "failed", "ok", "ok", "ok"])
    x, y, z = table.map("a", "b", "z")
    assert x.tolist() == [1, 2] and y.tolist() == [5, 6]
    assert z[0].tolist() == [10, 30] and np.isnan(z[1, 0]) and z[1, 1] == 50


def test_failed_designs_are_rows(study, tmp_path):
    study["parameters"]["E"]["values"] = [1e5, -1]
    table = palp.sweep(study, folder=tmp_path)
    assert table["status"] == ["ok", "ok", "failed", "failed"] and "youngModulus" in table["reason"][2]
    assert np.isnan(table["hand.peakForce"][2])


def test_rows_one_by_one(study, tmp_path):
    s = palp.load_study(study, folder=tmp_path)
    out = str(tmp_path / "out")
    assert len(s) == 6 and s.parameters == ["E", "mu"] and s.missing(out) == list(range(6))
    assert s.row(3) == {"design": 3, "repeat": 0, "E": 1e5, "mu": 0.4}
    s.store(3, out, s.run_row(3))
    assert s.missing(out) == [0, 1, 2, 4, 5]
    assert [status == "ok" for status in s.table(out)["status"]] == [i == 3 for i in range(6)]


def test_mistakes_and_interruptions_are_raised(study, tmp_path):
    with pytest.raises(palp.Error, match="grid"):
        palp.load_study({**study, "plan": "gird"}, folder=tmp_path)

    def stop(*progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        palp.sweep(study, folder=tmp_path, progress=stop, jobs=1)
    assert palp.load_study(study, folder=tmp_path).missing(str(tmp_path / "study.results")) == [1, 2, 3, 4, 5]


def test_the_study_in_the_docs_is_one(scenes):
    text = (scenes.parent / "docs" / "studies.md").read_text()
    example = text.split("```yaml\n", 1)[1].split("```", 1)[0]
    study = palp.load_study(example, folder=scenes)
    assert len(study) == 75 and study.keep == ["push", "pull", "certificate.max"]
