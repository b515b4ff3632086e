"""Palp: touching deformable things. Contact mechanics and haptic rendering; SI units throughout.

    import palp
    sim = palp.simulate("scenes/snap-in.yaml", {"contact.mu": 0.3})
    series = sim.run()                        # to the end of the scene; arrays by name
    print(sim.quantities["hand.peakForce"])   # what it came to
    series["hand_fy_N"], sim.bodies["clip"].x # views on the engine's memory

example     the file of a scene that comes with Palp
load        a scene from a file, a text or a dict, with overrides       Scene
simulate    stepped on a virtual clock: the same bits every time        Simulation, Body, Hand, Series
live        on the real clock, in the background                        Live, Device
solve       a frictional contact problem given as arrays                certificate, solvers, read_problem
converge    how far a scene is from its own limit
sweep       a study of many designs                                     Study
view        the scene in the browser
read_mesh   meshes as arrays                                            Mesh
Recording   recordings as arrays
"""

from ._palp import (Body, Hand, Live, Mesh, Quantity, Recording, Scene, Series, Simulation, StepReport, Study, __version__,
                    build, certificate, read_mesh, read_problem, solvers)
from ._errors import Error, SceneWarning
from ._scene import Device, converge, example, load, simulate, solve
from ._live import live, program, view
from ._study import Table, load_study, sweep

__all__ = ["Body", "Device", "Error", "Hand", "Live", "Mesh", "Quantity", "Recording", "Scene", "SceneWarning", "Series",
           "Simulation", "StepReport", "Study", "Table", "__version__", "build", "certificate", "converge", "example", "live",
           "load", "load_study", "program", "read_mesh", "read_problem", "simulate", "solve", "solvers", "sweep", "view"]
