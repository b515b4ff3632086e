"""The tables of keys: what `palp keys` and the pages say is what the reader does."""
import json
import math
import re
import shutil
import subprocess

import palp
import pytest


@pytest.fixture(scope="module")
def tables():
    out = subprocess.run([palp.program(), "keys", "--json"], check=True, capture_output=True, text=True).stdout
    return {section["section"]: section["keys"] for section in json.loads(out)}


BAR = {"generator": "bar", "cellsAlong": 4, "cellsWide": 1, "cellsHigh": 1}
MODELS = {
    "linear": {"mesh": BAR, "youngModulus": 1e5},
    "corotational": {"mesh": BAR, "youngModulus": 1e5},
    "globalCorotational": {"mesh": BAR, "youngModulus": 1e5},
    "rigid": {"mesh": {"generator": "ball"}},
    "obstacle": {"mesh": {"generator": "ball"}},
    "beam": {"mesh": {"generator": "straight"}, "youngModulus": 1e5, "section": {"radius": 0.001}},
    "point": {},
}
CURVES = ("straight", "arc", "clipCurve")


def bodies(**named):
    return {"seconds": 0.01, "gravity": [0, 0, 0], "bodies": named}


def ball(**more):
    return {"model": "rigid", "mesh": {"generator": "icosphere", "radius": 0.01, "subdivisions": 1}, "position": [10, 0, 0], **more}


def hand(**more):
    path = [{"time": 0, "position": [10, 0, 0]}]
    return {"type": "hand", "path": path, **more}


def of(key, everything):
    """The words of the column `of`."""
    if key["of"].startswith("all but "):
        return [name for name in everything if name != key["of"][8:]]
    return list(everything) if key["of"] == "all" else key["of"].split(", ")


def places(tables):
    """Every key with scenes that can hold it: section, key, a function from a value (or nothing) to a scene."""
    def put(make):
        return lambda value=None, name=None: make({} if value is None else {name: value})

    for key in tables["scene"]:
        yield "scene", key, put(lambda v: {**bodies(a=ball()), **v})
    for name in ("contact", "solver"):
        for key in tables[name]:
            needs = {"staticMu": 1} if key["name"] == "stickSpeed" else {}
            yield name, key, put(lambda v, name=name, needs=needs: {**bodies(a=ball()), name: {**needs, **v}})
    for key in tables["haptics"]:
        glc = {"contact": "glc"} if key["name"] in ("range", "depth", "tickShare", "lowShare") else {}
        yield "haptics", key, put(lambda v, glc=glc: {
            **bodies(a={"model": "point", "rate": "high", "position": [1, 0, 0]}, b=ball()), "haptics": {**glc, **v},
            "devices": {"hand": {**hand(), "path": [{"time": 0, "position": [1, 0, 0]}], "holds": {"body": "a"}}}})
    for key in tables["bodies"]:
        for model in of(key, MODELS):
            yield f"bodies, {model}", key, put(lambda v, m=model: bodies(b=ball(), a={"model": m, **MODELS[m], **v}))
    for key in tables["generators"]:
        g = key["of"]
        model = "beam" if g in CURVES else "obstacle"
        yield f"generator {g}", key, put(lambda v, g=g, model=model: bodies(
            b=ball(), a={"model": model, **MODELS[model], "mesh": {"generator": g, **v}}))
    for key in tables["section"]:
        other = {"width": "height", "height": "width"}.get(key["name"])
        yield "section", key, put(lambda v, o=other: bodies(
            a={**MODELS["beam"], "model": "beam", "section": {**({o: 0.002} if o and v else {}), **v}}))
    spring = {"bodies": ["a"], "at": [[10, 0, 0], [10, 1, 0]]}
    for key in tables["springs"]:
        one = {"damping" if key["name"] == "stiffness" else "stiffness": 1}  # it has one of them
        yield "springs", key, put(lambda v, one=one: {**bodies(a=ball()), "springs": [{**spring, **one, **v}]})
    joint = {"bodies": ["a"], "at": [10, 0, 0], "type": "ball"}
    for key in tables["joints"]:
        yield "joints", key, put(lambda v: {**bodies(a=ball()), "joints": [{**joint, **v}]})
    for key in tables["devices"]:
        for kind in of(key, ("script", "hand")):
            if kind != "replay":
                yield f"devices, {kind}", key, put(lambda v, k=kind: {**bodies(a=ball()), "devices": {"d": hand(**{"type": k, **v})}})
    for name, first in (("path", {"time": 0, "position": [0, 0, 0]}), ("sines", {"amplitude": [0, 0, 1], "frequency": 1})):
        for key in tables[name]:
            yield name, key, put(lambda v, n=name, f=first: {**bodies(a=ball()), "devices": {"d": hand(**{n: [{**f, **v}]})}})
    for key in tables["holds"]:
        yield "holds", key, put(lambda v: {**bodies(a=ball()), "devices": {"d": hand(holds={"body": "a", **v})}})
    for key in tables["profile"]:
        yield "profile", key, put(lambda v: {**bodies(a=ball()), "devices": {"d": hand(profile=v)}})


def wrong_values(key):
    """Values that its table forbids."""
    bad = {"flag": ["yes", 3], "word": [["a"]] + (["noSuchWord"] if "choices" in key else []),
           "map": [["a"]], "list": [7], "nodes": ["some", 3]}.get(key["type"], [])
    if "least" not in key:
        return bad
    below, above = math.nextafter(key["least"], -math.inf), math.nextafter(key["most"], math.inf)
    if key["type"] == "integer":
        below, above = key["least"] - 1, key["most"] + 1
        bad = [key["least"] + 0.5]
    numbers = [below, above] + [end for end, open_ in zip((key["least"], key["most"]), key["open"]) if open_]
    if key["type"] in ("vector", "integers", "vector course"):
        return bad + [[1, 1, x] for x in numbers] + [[1, 1]] + ([1] if key["type"] != "vector course" else [])
    if key["type"] in ("number", "integer", "course"):
        return bad + numbers + ["many"]
    return bad


def test_what_the_tables_forbid_is_refused_by_name(tables):
    checked = 0
    for section, key, scene in places(tables):
        for value in wrong_values(key):
            if key["name"] in ("profile", "holds") and section.startswith("devices") or key["name"] == "cells" and value == 1:
                continue  # a word, or a list of holds; one number of cells for all
            with pytest.raises(palp.Error) as refused:
                palp.load(scene(value, key["name"]))
            assert any(re.search(rf"\b{key['name']}\b", e.message + " " + e.remedy) for e in refused.value.errors), (section, key["name"], value)
            checked += 1
    assert checked > 400


def run(scene):
    """What the scene comes to, to the bit."""
    sim = palp.simulate(scene)
    start = [b.vertices.tobytes() for b in sim.bodies.values()]
    sim.step(3)
    return start + [b.x.tobytes() for b in sim.bodies.values()] + [sim.h_s]


@pytest.mark.filterwarnings("ignore::palp.SceneWarning")
def test_a_key_that_says_its_default_changes_nothing(tables):
    """The default of the pages is the default of the reader."""
    checked = 0
    for section, key, scene in places(tables):
        # A profile that is given is one, whatever it holds; a point is told why it has no spin.
        if "value" in key and section != "profile" and (section, key["name"]) != ("bodies, point", "spin"):
            assert run(scene(key["value"], key["name"])) == run(scene()), (section, key["name"])
            checked += 1
    assert checked > 100


def test_needed_keys_are_missed(tables):
    for section, key, scene in places(tables):
        if not key["needed"] or section in ("springs", "joints", "path", "sines", "holds") or "bodies, " in section \
                or section.startswith("devices"):
            continue
        broken = scene()
        broken.pop(key["name"], None)
        with pytest.raises(palp.Error, match=key["name"]):
            palp.load(broken)
    for name, model in MODELS.items():
        for missing in set(model) - {"section"}:
            with pytest.raises(palp.Error, match=f"'{missing}' is missing"):
                palp.load(bodies(a={"model": name, **{k: v for k, v in model.items() if k != missing}}))


def test_unknown_keys_are_told_with_the_nearest_of_the_table(tables):
    for section, key, scene in places(tables):
        typo = key["name"] + "q"
        with pytest.raises(palp.Error) as refused:
            palp.load(scene(1, typo))
        assert any(f"unknown key '{typo}'" in e.message and f"'{key['name']}'" in e.remedy for e in refused.value.errors), \
            (section, key["name"], str(refused.value))


def test_the_pages_are_up_to_date(tables, scenes, tmp_path):
    """`palp keys --markdown docs` writes what is there, and every table is on some page."""
    docs, named = scenes.parent / "docs", []
    for page in docs.glob("*.md"):
        shutil.copy(page, tmp_path)
        named += re.findall(r"<!-- keys: (\S+) -->", page.read_text())
    subprocess.run([palp.program(), "keys", "--markdown", str(tmp_path)], check=True, capture_output=True)
    stale = [page.name for page in docs.glob("*.md") if page.read_text() != (tmp_path / page.name).read_text()]
    assert not stale, f"palp keys --markdown docs rewrites {stale}"
    assert sorted(named) == sorted(tables)


def test_every_key_says_what_it_is_for(tables):
    for section, keys in tables.items():
        for key in keys:
            assert key["help"] or key["name"].startswith("cells") or key["name"] == "segments", (section, key["name"])
