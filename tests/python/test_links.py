"""Links in the texts of the project lead somewhere: files that exist, headings that are there."""
import os
import pathlib
import re
import subprocess

SOURCE = pathlib.Path(os.environ.get("PALP_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def pages():
    out = [p for p in SOURCE.rglob("*.md")
           if not {"build", "out", "node_modules", ".git"} & set(p.relative_to(SOURCE).parts)]
    return out + list((SOURCE / "docs" / "tutorials").glob("*.ipynb"))


def anchors(page):
    """Headings as the usual programs name them."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in headings}


def test_every_link_leads_somewhere():
    found, wrong = 0, []
    for page in pages():
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            found += 1
            path, _, anchor = target.partition("#")
            file = (page.parent / path) if path else page
            if not file.exists():
                wrong.append(f"{page.relative_to(SOURCE)}: {target}")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                wrong.append(f"{page.relative_to(SOURCE)}: {target} has no such heading")
    assert not wrong, "\n".join(wrong)
    assert found > 50


def test_texts_name_commands_that_exist():
    """`palp sweep` and the like, as the program itself lists them."""
    import palp
    listed = subprocess.run([palp.program(), "--help"], capture_output=True, text=True, check=True).stdout
    commands = set(re.findall(r"^  ([a-z]+) ", listed, flags=re.M))
    assert "sweep" in commands
    for page in pages():
        for command in re.findall(r"`palp ([a-z]+)[ `]", page.read_text()):
            assert command in commands, f"{page.relative_to(SOURCE)}: palp {command}"
