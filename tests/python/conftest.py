"""Small scenes that the tests share. `palp` is imported from wherever PYTHONPATH or the installation says."""
import os
import pathlib

import pytest

SOURCE = pathlib.Path(os.environ.get("PALP_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


@pytest.fixture
def scenes():
    return SOURCE / "scenes"


@pytest.fixture
def ball():
    """A rigid ball of 0.1 kg or so that falls on a floor."""
    return {
        "dt": 0.005, "seconds": 0.5, "contact": {"mu": 0.4, "alarmDistance": 0.01},
        "bodies": {
            "ball": {"model": "rigid", "mesh": {"generator": "icosphere", "radius": 0.03}, "position": [0, 0, 0.08]},
            "floor": {"model": "obstacle",
                      "mesh": {"generator": "box", "size": [0.4, 0.4, 0.02], "cells": [1, 1, 1], "centre": [0, 0, -0.01]}},
        },
    }


@pytest.fixture
def poke():
    """A soft block, fixed below, poked by a ball that a script holds."""
    return {
        "dt": 0.005, "seconds": 0.2, "gravity": [0, 0, 0], "contact": {"mu": 0.3, "alarmDistance": 0.004},
        "bodies": {
            "block": {"model": "corotational", "youngModulus": 1e5, "rayleighStiffness": 0.01,
                      "mesh": {"generator": "box", "size": [0.06, 0.06, 0.03], "cells": [4, 4, 2], "centre": [0, 0, 0]},
                      "fixed": {"box": [[-1, -1, -0.016], [1, 1, -0.0149]]}},
            "tool": {"model": "rigid", "mesh": {"generator": "icosphere", "radius": 0.01, "subdivisions": 2},
                     "position": [0.003, 0.002, 0.027]},
        },
        "devices": {"hand": {"type": "script", "smooth": False, "holds": {"body": "tool", "stiffness": 2000, "angularStiffness": 1},
                             "path": [{"time": 0, "position": [0.003, 0.002, 0.027]},
                                      {"time": 0.1, "position": [0.003, 0.002, 0.021]}]}},
    }


@pytest.fixture
def two_rates(poke):
    """The same at 1 kHz over 50 Hz."""
    poke["haptics"] = {"rate": 1000, "lowRate": 50}
    poke["bodies"]["tool"]["rate"] = "high"
    del poke["dt"]
    return poke
