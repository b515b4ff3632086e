"""Scenes from files, texts and dicts."""

import json
import os
import warnings
from collections.abc import Mapping

from . import _palp
from ._errors import Error, SceneWarning


def yaml_of(value):
    """A value as YAML (JSON is YAML), with arrays as lists. Numbers keep their bits."""
    return json.dumps(value, default=lambda other: other.tolist(), ensure_ascii=False)


def overrides_of(changes):
    return [(key, yaml_of(value)) for key, value in (changes or {}).items()]


def load(source, set=None, *, folder=None, mesh=1.0, time=1.0):
    """Reads and checks a scene.

    source: a file name, a text in YAML, or a dict with the keys of docs/scene.md (SI units).
    set: {"contact.mu": 0.3, "devices.hand.path.1.time": 2}: changes to it, like --set of the program.
    folder: where a text or dict looks for its mesh files; default: the current folder.
    mesh, time: cells per length and steps per time, over what the scene says.

    Raises palp.Error with every mistake, its line and a remedy; suspicions are warnings (palp.SceneWarning).
    """
    if isinstance(source, Mapping):
        text, file = yaml_of(source), os.path.join(folder or "", "dict")
    elif isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        text, file = source, os.path.join(folder or "", "text")
    else:
        file = os.fspath(source)
        text = _palp._read_text(file)
    scene = _palp.Scene(text, file, overrides_of(set), mesh, time)
    for suspicion in scene.warnings:
        warnings.warn(suspicion, SceneWarning, stacklevel=2)
    return scene


def example(name):
    """The file of a scene that comes with Palp: palp.example("snap-in")."""
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [os.path.join(here, "share", "palp", "scenes"),  # of pip, of the .deb, of the tree
               *(os.path.normpath(os.path.join(here, *[".."] * 4, *end)) for end in (("share", "palp", "scenes"), ("scenes",)))]
    for folder in folders:
        file = os.path.join(folder, name + ".yaml")
        if os.path.isfile(file):
            return file
    known = sorted({entry[:-5] for folder in folders if os.path.isdir(folder) for entry in os.listdir(folder)
                    if entry.endswith(".yaml")})
    raise Error(f"there is no scene '{name}' here", remedy="there are " + ", ".join(known) if known
                else "install the package palp, which has them")


def as_scene(source):
    return source if isinstance(source, _palp.Scene) else load(source)


def simulate(source, set=None, *, devices=None, record=None):
    """A palp.Simulation of a scene, which may also be given as palp.load takes it."""
    scene = source if isinstance(source, _palp.Scene) and not set else load(source, set)
    return _palp.Simulation(scene, devices, record)


def converge(source, of="", *, levels=4, seconds=0.0):
    """How far is a scene from its own limit? It is run in finer meshes and steps (docs/accuracy.md).

    of: what to follow, by its name in `quantities`; default: the first. Returns a dict: as_written, limit, error,
    converged, and the levels of `mesh` and `time` with their observed order.
    """
    return _palp._converge(as_scene(source), of, levels, seconds)


def solve(W, delta_free, mu, *, solver="coulomb", tolerance=1e-6, max_sweeps=10000, budget_s=float("inf"), start=None,
          bilateral=None):
    """Solves the frictional contact problem  delta = W f + delta_free  (docs/solvers.md).

    W: (3m, 3m), m/N, an array or a sparse matrix of SciPy; delta_free: 3m, m, rows n, t1, t2 of each contact;
    mu: one number or m; bilateral: m bools, True where delta = 0 is held with any force; start: a first guess of f.

    Returns a dict: f (3m, N), delta (3m, m), certificate (0: the laws hold exactly), converged, status, sweeps, time_us.
    Raises palp.Error for a problem that is not one: W indefinite, numbers that are not finite.
    """
    return _palp._solve(W, delta_free, mu, solver, tolerance, max_sweeps, budget_s, start, bilateral)


class Device:
    """A device of one's own: derive from it, or give any object with these methods, or a function of time.

    On the virtual clock it is asked at every step. On the real clock a thread of its own asks it as often as Python
    keeps up, and the haptic thread takes the newest answer without ever waiting.
    """

    def read(self, time_s):
        """Where the hand is: 3 numbers (position, m), 7 (and unit quaternion x y z w), 13 (and velocity m/s, angular
        velocity rad/s), or a dict with position, orientation, velocity, angular_velocity, buttons, present."""
        raise NotImplementedError

    def write(self, force, torque, h_s):
        """What the hand feels from now on: N, N·m, two arrays of 3."""
