#!/usr/bin/env python3
"""Pages of the site that are made of other things than docs: the home page from README.md, other
pages beside it, the gallery from gallery.txt, the playground from the shipped arms, the Python interface
from its stubs.

usage: pages.py STAGE PROGRAM
"""
import ast
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIVE = '<iframe class="live" src="/gallery/torques.html" title="A report of armdyn: the arm moves, the torques follow"></iframe>'


def home():
    """README with the page that its picture shows in place of the picture."""
    text = (ROOT / "README.md").read_text()
    text = re.sub(r"\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)", LIVE, text, count=1)
    return "---\noutline: 2\n---\n" + as_page(text)


def as_page(text):
    """Links of a file at the top of the repository, as they are from the top of the site."""
    text = re.sub(r"\]\(docs/pictures/([^)]*)\)", r'](/pictures/\1){:target="_self"}', text)
    text = re.sub(r"\]\(docs/", "](", text)
    text = re.sub(r"\]\((CHANGELOG|CONTRIBUTING)\.md", lambda m: f"]({m[1].lower()}.md", text)
    return re.sub(r"\]\((robots|examples|LICENSE|CITATION\.cff)(/[^)]*)?\)",
                  lambda m: f'](/{m[1]}{m[2] or ""}){{:target="_self"}}' if m[2] or m[1].isupper() or "." in m[1] else "](gallery)", text)


PLAYGROUND = """# Playground

Choose an arm. *From and to* has sliders for both ends of its motion; the others change payload, speed,
friction, gravity and masses. Torques and the moving arm follow, by the program's own formulas.

<Playground :arms='{arms}' />

## Equations of the 2R arm

`armdyn equations craig-rr` writes them in closed form:

<iframe class="live" src="/gallery/equations.html" title="Closed forms of a 2R arm"></iframe>
"""


def playground(stage, program):
    """A report of each shipped serial arm: a motion between two poses."""
    folder = stage / "public" / "gallery"
    listed = json.loads(subprocess.run([program, "robots", "--json"], capture_output=True, check=True).stdout)
    arms = [robot for robot in listed["robots"] if "/mechanisms/" not in robot["file"]]
    for robot in arms:
        kinds = robot["types"]
        ends = [",".join(values[kind] for kind in kinds) for values in ({"R": "0", "P": "0.4"}, {"R": "0.8", "P": "0.6"})]
        subprocess.run([program, "trajectory", robot["name"], "--from", ends[0], "--to", ends[1], "--duration", "2",
                        "--rate", "100", "--quiet", "-o", os.devnull, "--report", f"play-{robot['name']}.html"],
                       cwd=folder, stderr=subprocess.DEVNULL)  # which may exceed limits
        assert (folder / f"play-{robot['name']}.html").exists(), robot["name"]
    return PLAYGROUND.replace("{arms}", json.dumps([robot["name"] for robot in arms]))


def gallery(stage, program):
    folder = stage / "public" / "gallery"
    environment = dict(os.environ, COLUMNS="100", PATH=f"{program.parent}:{os.environ['PATH']}")
    page = ["# Gallery", "",
            "Every picture and page below was made by the command that stands beside it, in this order.", ""]
    for line in (Path(__file__).parent / "gallery.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, title, command = line.split(" | ")
        subprocess.run(shlex.split(command), cwd=folder, env=environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if title == "-":
            page += ["```sh", command, "```", ""]
            continue
        page += [f"## {title}", "", "```sh", command, "```", ""]
        if name.endswith(".svg"):
            page += [f"![{title}](/gallery/{name})", ""]
        else:
            page += [f'<iframe class="live" src="/gallery/{name}" title="{title}" loading="lazy"></iframe>', "",
                     f'[Open {name} by itself](/gallery/{name}){{:target="_self"}}', ""]
    return "\n".join(page)


def python_interface():
    """Classes and functions of the stubs, each with its signature and docstring."""
    page = ["# Python interface", "",
            "Generated from the type stubs of the module. [python.md](python.md) explains its use.", ""]

    def describe(node, level):
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(ast.unparse(base) for base in node.bases)
            page.extend([f"{'#' * level} `{node.name}`", ""] + ([f"A class, of {bases}.", ""] if bases else []))
            doc(node)
            values = [f"{member.name}: {ast.unparse(member.returns)}" for member in node.body
                      if is_property(member)] + [ast.unparse(member) for member in node.body
                                                 if isinstance(member, ast.AnnAssign)]
            if values:
                page.extend(["```python", *values, "```", ""])
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not is_property(member) and not member.name.startswith("_"):
                    describe(member, level + 1)
        elif isinstance(node, ast.FunctionDef):
            page.extend([f"{'#' * level} `{node.name}()`", ""])
            result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            signature = f"def {node.name}({ast.unparse(node.args)}){result}"
            page.extend(["```python", signature.replace(", ", ",\n    ") if len(signature) > 100 else signature,
                         "```", ""])
            doc(node)

    def is_property(node):
        return isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == "property" for d in node.decorator_list)

    def doc(node):
        text = ast.get_docstring(node)
        if text:
            page.extend(["```text", text, "```", ""] if "\n" in text else [text.replace("<", "&lt;"), ""])

    for node in ast.parse((ROOT / "src/python/armdyn/__init__.pyi").read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            describe(node, 2)
    return "\n".join(page)


def main(stage, program):
    (stage / "index.md").write_text(home())
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        (stage / name.lower()).write_text(as_page((ROOT / name).read_text()))
    (stage / "gallery.md").write_text(gallery(stage, program))
    (stage / "playground.md").write_text(playground(stage, program))
    (stage / "python-api.md").write_text(python_interface())
    for page in stage.rglob("*.md"):  # pages stand beside README in the site
        text = page.read_text()
        text = text.replace("```console", "```text")  # a session, which no grammar colors well
        text = re.sub(r"\]\((\.\./)+README\.md(#[^)]*)?\)", lambda m: f"](/{m[2] or ''})", text)
        page.write_text(re.sub(r"\]\(robot-file\.schema\.json\)", '](/robot-file.schema.json){:target="_self"}', text))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
