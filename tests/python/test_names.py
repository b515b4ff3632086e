"""What the package offers is documented and typed."""
import ast
import inspect
import pathlib
import re

import palp


def stub():
    path = pathlib.Path(palp.__file__).with_suffix(".pyi")
    return ast.parse(path.read_text())


def members(cls):
    return {name for name in vars(cls) if not name.startswith("_")}


def test_every_public_name_has_a_type_and_a_text():
    types = {node.name: node for node in stub().body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name in palp.__all__:
        if name in ("__version__", "build"):
            continue
        thing = getattr(palp, name)
        assert inspect.getdoc(thing), name
        assert name in types, f"{name} has no type"
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            typed = {n.name for n in types[name].body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")}
            typed |= {n.target.id for n in types[name].body if isinstance(n, ast.AnnAssign)}
            assert members(thing) == typed, name


def test_every_member_says_what_it_is():
    """Beyond the line that the binding writes, its arguments."""
    for name in palp.__all__:
        thing = getattr(palp, name)
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            if not member.startswith("_") and not issubclass(thing, Exception):
                lines = (inspect.getdoc(value) or "").split("\n")
                text = lines[1:] if "->" in lines[0] else lines
                assert "".join(text).strip(), f"{name}.{member}"


def test_help_names_the_package_that_users_import():
    assert palp.Simulation.__module__ == "palp" and "palp._palp" not in palp.Simulation.step.__doc__


def test_functions_have_the_arguments_of_their_types():
    for node in stub().body:
        if not isinstance(node, ast.FunctionDef) or not inspect.isfunction(getattr(palp, node.name)):
            continue
        args = [a.arg for a in node.args.args + node.args.kwonlyargs]
        assert list(inspect.signature(getattr(palp, node.name)).parameters) == args, node.name


def test_numbers_say_their_unit():
    """In their name (time_s), or in their text."""
    unit = re.compile(r"_(s|us|J|m|kg)$|\b(N|m|s|J|m/s|kg|m/N|N·m|µs)\b")
    for cls in (palp.Body, palp.Hand, palp.Simulation):
        for name, thing in vars(cls).items():
            if isinstance(thing, property) and name in ("x", "v", "force", "torque", "position", "velocity", "vertices", "time_s",
                                                        "h_s", "kinetic_J", "mass_kg", "contacts", "support_force"):
                assert unit.search(name) or unit.search(inspect.getdoc(thing) or ""), f"{cls.__name__}.{name}"
