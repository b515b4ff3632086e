"""What is installed is what was tested: pip without a network, and the .deb packages."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
SOURCE = pathlib.Path(os.environ.get("PALP_SOURCE_DIR", HERE.parents[1]))
BUILD = pathlib.Path(os.environ.get("PALP_BUILD_DIR", SOURCE / "build" / "release"))
QUICK = [str(HERE / f"test_{name}.py") for name in ("scene", "simulation", "solve", "data", "study", "names", "keys", "live",
                                                      "threads")]


def run(command, **more):
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    env.update(more.pop("env", {}))
    out = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=env, **more)
    assert out.returncode == 0, out.stdout[-4000:] + out.stderr[-4000:]
    return out.stdout


def test_pip_install_offline(tmp_path):
    run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env"])
    python = tmp_path / "env" / "bin" / "python"
    run([python, "-m", "pip", "install", "--no-index", SOURCE], env={"PALP_BUILD_DIR": str(BUILD)})
    where = run([python, "-c", "import palp; print(palp.__file__, palp.program())"], cwd=tmp_path)
    assert where.count(str(tmp_path / "env")) == 2, where  # the package, and the program that it brings
    assert "simulates" in run([tmp_path / "env" / "bin" / "palp", "--help"]).lower()
    run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *QUICK], cwd=tmp_path)


def test_ten_lines_to_a_map(tmp_path):
    """From `pip install .` to a force map, exactly as the tutorial of the design study says it."""
    pytest.importorskip("matplotlib")
    cells = json.loads((SOURCE / "docs/tutorials/5-clip-study.ipynb").read_text())["cells"]
    shell = "".join(cells[0]["source"]).split("```sh\n")[1].split("```")[0]
    python = "".join(cells[1]["source"])
    assert len(shell.strip().split("\n")) + len(python.split("\n")) <= 10
    env = {"HOME": str(tmp_path), "PALP_BUILD_DIR": str(BUILD), "MPLBACKEND": "Agg",
           "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}  # python3 is the one that runs this
    run(["sh", "-e", "-c", shell.replace("pip install", "pip install --no-index")], cwd=SOURCE, env=env)
    (tmp_path / "map.py").write_text(python + "\nassert palp.__file__.startswith(%r)\n" % str(tmp_path)
                                     + "x, y, z = table.map('opening', 'thickness', 'push')\n"
                                     + "assert z.shape == (3, 3) and (z[1:] > z[:-1]).all(), z\n")  # thicker is stiffer
    run([tmp_path / "palp-env/bin/python", "map.py"], cwd=tmp_path, env=env)
    assert (tmp_path / "push.png").stat().st_size > 1000
    assert {"results.csv", "results.h5", "report.html"} <= set(os.listdir(tmp_path / "clip-push"))


def test_debian_packages(tmp_path):
    if not all(map(os.path.exists, ("/usr/bin/dpkg-shlibdeps", "/usr/bin/file"))):
        pytest.skip("needs dpkg-dev and file")
    run(["cpack", "-G", "DEB", "-B", tmp_path / "packages"], cwd=BUILD)
    packages = sorted((tmp_path / "packages").glob("*.deb"))
    assert any(p.name.startswith("python3-palp_") for p in packages), packages
    for package in packages:
        run(["dpkg-deb", "-x", package, tmp_path / "root"])
    (libraries,) = {p.parent for p in (tmp_path / "root" / "usr" / "lib").rglob("libpalp-core.so*")}
    env = {"PYTHONPATH": str(tmp_path / "root/usr/lib/python3/dist-packages"), "LD_LIBRARY_PATH": str(libraries),
           "PATH": f"{tmp_path / 'root/usr/bin'}:{os.environ['PATH']}"}
    where = run([sys.executable, "-c", "import palp; print(palp.__file__, palp.program())"], cwd=tmp_path, env=env)
    assert where.count(str(tmp_path / "root")) == 2, where
    run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *QUICK], cwd=tmp_path, env=env)
    control = run(["dpkg-deb", "-f", next(p for p in packages if p.name.startswith("python3-palp_")), "Depends"])
    assert "libpalp" in control and "python3-numpy" in control
