"""Scenes on the real clock, and in the browser."""

import atexit
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import weakref

from . import _palp
from ._errors import Error
from ._scene import as_scene

_running = weakref.WeakSet()


@atexit.register
def _end_all():
    for one in list(_running):
        try:
            one.stop()
        except Exception:  # the interpreter is going: nobody is left to be told
            pass


def live(source, *, seconds=math.inf, devices=None, each=None, record=None):
    """Starts a scene on the real clock and returns at once: a palp.Live.

    devices: {name: palp.Device}; each(moment): called after low-rate steps, in a thread of its own;
    record: a recording (HDF5). Use it in a `with`, or call stop().
    """
    scene = as_scene(source)
    unknown = [name for name in (devices or {}) if name not in scene.devices]
    if unknown:
        raise KeyError(f"the scene has no device '{unknown[0]}'; it has {', '.join(scene.devices) or 'none'}")
    one = _palp.Live(scene, devices or {}, min(seconds, 1e8), each, os.fspath(record) if record else "")
    _running.add(one)
    return one


def program():
    """The program `palp`: the one that came with the package, of the build, or in PATH."""
    here = os.path.dirname(os.path.abspath(__file__))
    for path in (os.path.join(here, "bin", "palp"), os.path.join(here, "..", "..", "palp")):
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return os.path.normpath(path)
    found = shutil.which("palp")
    # The package's own command of that name only calls this function.
    if found and open(found, "rb").read(2) != b"#!":
        return found
    raise Error("the program palp was not found", remedy="install the package palp, or build palp_cli")


class View:
    """A page in the browser that shows a scene; `address` is where. stop() ends it."""

    def __init__(self, process, address, folder):
        self._process, self.address, self._folder = process, address, folder

    def stop(self):
        self._process.terminate()
        self._process.wait()
        if self._folder:
            self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def view(source, *, port=0, browser=True, speed=1.0):
    """Opens a scene in the browser, to watch and to touch, and returns at once: `view.address`, `view.stop()`.

    source: a scene file, a palp.Scene, a dict, a text, or a recording (.h5).
    """
    folder = None
    if isinstance(source, (str, os.PathLike)) and os.path.isfile(source):
        file = os.fspath(source)
    else:
        scene = as_scene(source)
        folder = tempfile.TemporaryDirectory()
        file = os.path.join(folder.name, "scene.yaml")
        with open(file, "w", encoding="utf-8") as out:
            out.write(scene.whole_text())
    command = [program(), "view", file, "--json", "--port", str(port), "--speed", str(speed)]
    process = subprocess.Popen(command + ([] if browser else ["--no-browser"]), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    if not line:
        raise Error(process.communicate()[1].strip() or "palp view did not start")
    page = View(process, json.loads(line)["address"], folder)
    atexit.register(process.terminate)
    return page


def main():
    """The command `palp` of the Python package: the program itself."""
    path = program()
    os.execv(path, ["palp"] + sys.argv[1:])
