"""The tutorials run as they are written: the code of every notebook, cell by cell. `./run-tests --docs` runs them in Jupyter."""
import json
import os
import pathlib

import pytest

SOURCE = pathlib.Path(os.environ.get("PALP_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
NOTEBOOKS = sorted((SOURCE / "docs" / "tutorials").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_tutorial(notebook, monkeypatch, tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    if "sklearn" in notebook.read_text():
        pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    names = {}
    for number, cell in enumerate(json.loads(notebook.read_text())["cells"]):
        if cell["cell_type"] == "code":
            assert not cell["outputs"], f"{notebook.name}: notebooks are kept without output"
            exec(compile("".join(cell["source"]), f"{notebook.name}[{number}]", "exec"), names)


def test_there_are_tutorials():
    assert len(NOTEBOOKS) == 6
