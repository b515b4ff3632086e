"""Makes the wheel for `pip install .`: CMake builds, this packs. It needs nothing but Python and what CMakeLists.txt asks
for, so that pip works offline (PEP 517, `requires = []`).

The build folder is build/release when ./run-tests has made the package there, otherwise build/python-TAG; PALP_BUILD_DIR
names another.
"""

import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"


def project():
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def build_folder():
    if "PALP_BUILD_DIR" in os.environ:
        return pathlib.Path(os.environ["PALP_BUILD_DIR"])
    release = ROOT / "build" / "release"
    if (release / "python" / "palp" / ("_palp" + sysconfig.get_config_var("EXT_SUFFIX"))).exists():
        return release
    return ROOT / "build" / f"python-{TAG}"


def build_and_install(prefix):
    folder = build_folder()
    if not (folder / "build.ninja").exists():
        arch = []
        flags = pathlib.Path("/proc/cpuinfo")
        if os.uname().machine == "x86_64" and flags.exists() and " avx2 " not in flags.read_text():
            arch = ["-DPALP_ARCH=x86-64"]
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DCMAKE_UNITY_BUILD=ON", "-DPALP_BUILD_PYTHON=ON", "-DPALP_BUILD_TESTS=OFF",
                        "-DPALP_BUILD_BENCH=OFF", f"-DPython_EXECUTABLE={sys.executable}", *arch], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "palp_python", "palp_cli"], check=True)
    for component in ("library", "program", "python"):
        subprocess.run(["cmake", "--install", folder, "--prefix", prefix, "--component", component],
                       check=True, stdout=subprocess.DEVNULL)


def contents(prefix):
    """Path in the wheel and file of everything that was installed: all of it lies in the package's own folder."""
    package = next(prefix.glob("lib*/python3/dist-packages/palp"))
    for file in sorted(prefix.rglob("*")):
        if not file.is_file():
            continue
        if package in file.parents:
            yield f"palp/{file.relative_to(package)}", file
        elif ".so" not in file.name or file.is_symlink():  # of a library the name that is asked for, not the full version
            yield f"palp/{file.relative_to(prefix)}", file


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    about = project()
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    stem, info = f"palp-{about['version']}", f"palp-{about['version']}.dist-info"
    wheel = f"{stem}-{TAG}-{TAG}-{platform}.whl"
    metadata = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {about['version']}",
                f"Summary: {about['description']}", f"Requires-Python: {about['requires-python']}", "License: Apache-2.0",
                *(f"Requires-Dist: {need}" for need in about["dependencies"])]
    scripts = "".join(f"{name} = {call}\n" for name, call in about["scripts"].items())
    texts = {
        "METADATA": "\n".join(metadata) + "\n",
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: palp\nRoot-Is-Purelib: false\nTag: {TAG}-{TAG}-{platform}\n",
        "entry_points.txt": "[console_scripts]\n" + scripts,
    }
    record = []
    with tempfile.TemporaryDirectory() as prefix, \
            zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as out:
        def add(name, data, executable=False):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")

        build_and_install(prefix)
        for name, file in contents(pathlib.Path(prefix)):
            add(name, file.read_bytes(), os.access(file, os.X_OK))
        for name, text in texts.items():
            add(f"{info}/{name}", text.encode())
        record.append(f"{info}/RECORD,,")
        out.writestr(f"{info}/RECORD", "\n".join(record) + "\n")
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    stem = f"palp-{project()['version']}"
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    with tarfile.open(os.path.join(sdist_directory, stem + ".tar.gz"), "w:gz") as out:
        for name in filter(None, files):
            out.add(ROOT / name, f"{stem}/{name}")
    return stem + ".tar.gz"
