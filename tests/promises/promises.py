#!/usr/bin/python3
"""What armdyn promises from 1.0.0 on (docs/stability.md), held against record.txt, a line each.

    promises.py PROGRAM             fails where a line of the record is no longer true
    promises.py PROGRAM --record    writes what is true now

The Python module is the one that is found; names of the library need python3-clang-14.
"""

import inspect
import itertools
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORD = HERE / "record.txt"
DETAILS = {"options", "costs"}  # keys whose objects are not promised: options by name; counts of the papers
INNER = {"Chain", "Incident", "JointRow", "Link", "RowDrive"}  # of Arm and LogReport, for the library itself

# Command lines in one folder, one after the other.
RUNS = [
    "trajectory puma560 --from qz --to qr --duration 1 --rate 100 -o m.csv",
    "trajectory puma560 --via via.csv --limits 2,4 -o via-motion.csv",
    "trajectory craig-rr --excite --optimize --limits 2,6 --rate 100 -o excite.csv",
    "trajectory puma560 --along m.csv --time-optimal --torque-share 200 -o fast.csv",
    "torque puma560 m.csv -o t.csv",
    "torque puma560 m.csv --terms -o terms.csv",
    "torque puma560 m.csv --reactions --keep-motion -o all.csv",
    "torque craig-rr positions.csv --derive --derive-errors --keep-motion -o derived.csv",
    "torque puma560 m.csv --bounds -o bounds.csv",
    "torque puma560 all.csv --slow-down -o slow.csv",
    "simulate craig-rr --duration 0.1 -o s.csv",
    "simulate craig-rr --batch batch.csv --duration 0.1 -o runs.csv",
    "track puma560 m.csv --desired -o followed.csv",
    "vary puma560 m.csv --uncertainty mass=5% --samples 3 -o arms.csv",
    "size puma560 m.csv --hold 1",
    "size puma560 m.csv --uncertainty mass=5%",
    "torque friction.yaml excite.csv --keep-motion -o log.csv",
    "identify craig-rr log.csv -o found.yaml",
    "torque ur5e pushed.csv --derive --keep-motion --payload 2 -o loaded.csv",
    "observe ur5e loaded.csv -o external.csv --json",
    "datasheet ur5e --payload 2 --boxes 20 --json",
    "inspect puma560 --q qr --linearize --json",
    "inspect puma560 m.csv -o terms-over-time.csv --what T,J,Jdot,M,M_links,C,V,G,momentum",
    "check puma560 --json",
    "check ur5e --against ur3e --json",
    "compare puma560 --samples 5 --costs --json",
    "compare puma560 m.csv --differences differences.csv --json",
    "equations craig-rr --json",
    "convert puma560 -o puma.urdf",
    "robots --json",
    "track puma560 m.csv --max-error 1e-9 -o exact.csv",
    "torque puma560 --nosuch",
    "torque puma560 m.csv -o m.csv",
    "torque puma560 s.csv -o none.csv",
    "torque puma560 nothing.csv -o none.csv",
    "simulate craig-rr --q0 0,0 --step 10 --duration 1e5 --qd0 1e6,1e6 -o none.csv",
]


def prepare(folder):
    robots = ROOT / "robots"
    text = (robots / "craig-rr.yaml").read_text()
    (folder / "friction.yaml").write_text(
        re.sub(r"^( +)mass: .*", r"\g<0>\n\1friction: {viscous: 0.5}", text, flags=re.M))
    (folder / "positions.csv").write_text("t,q1,q2\n" + "".join(
        f"{k / 100},{math.sin(k / 50)},{math.cos(k / 30)}\n" for k in range(300)))
    (folder / "batch.csv").write_text("q1,q2,qd1,qd2\n0,0,0,0\n0.1,0,0,0\n")
    pushes = [(k / 125, math.sin(min(max(2 * (k / 125 - 6), 0), 1) * math.pi) ** 2) for k in range(1500)]
    (folder / "pushed.csv").write_text("t,q1,q2,q3,q4,q5,q6,fx,fy,fz,nx,ny,nz\n" + "".join(
        ",".join(map(str, [t, *(math.sin((0.5 + 0.13 * j) * t + j) - (j == 1) for j in range(6)),
                           40 * push, 0, 0, 0, 0, 15 * push])) + "\n" for t, push in pushes))
    (folder / "via.csv").write_text("q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n0.1,0.2,0,0,0.5,0\n1,0,0,0,0,0\n")


def keys(value, path=""):
    """Keys of an answer and of the objects in it, with the kind of what is there; what is deeper is a detail."""
    for entry in value if isinstance(value, list) else [value]:
        for key, held in entry.items():
            name = f"{path}.{key}" if path else key
            first = held[0] if isinstance(held, list) and held else held
            if isinstance(first, dict) and not path and key not in DETAILS:
                yield from keys(held, name + ("[]" if isinstance(held, list) else ""))
            elif held is not None:
                kind = {bool: "truth", str: "text", dict: "object", list: "list"}.get(type(held), "number")
                yield f"{name} {kind}"


def of_runs(program):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for line in RUNS:
            words = line.split()
            verb = words[0]
            done = subprocess.run([program, *words, *([] if "--json" in words else ["--json"])],
                                  cwd=folder, capture_output=True, text=True, check=False)
            yield f"exit {done.returncode}", line
            answer = done.stdout if done.stdout.startswith("{") else done.stderr
            try:
                answer = json.loads(answer)
            except json.JSONDecodeError:
                raise SystemExit(f"{line}: no JSON\n{done.stderr}") from None
            yield from ((f"json {key}", verb) for key in keys(answer))
            if "-o" in words and words[words.index("-o") + 1].endswith(".csv") and not done.returncode:
                with open(folder / words[words.index("-o") + 1], encoding="utf-8") as table:
                    head = table.readline().strip().split(",")
                yield from ((f"column {re.sub(r'[0-9]+', 'N', column)}", verb) for column in head)


def of_help(program):
    def text(*words):
        return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout

    for verb in re.findall(r"^  ([a-z]+) ", text("--help").split("\nUse:\n")[1], re.M):
        yield f"verb {verb}", ""
        for options, value, words in re.findall(r"^  (-\S+)( [^ ]+)?  +(.*)", text(verb, "--help"), re.M):
            for option in options.split(","):
                yield f"option {option}{' VALUE' if value else ''}", verb
            words = re.sub(r"^.*: ", "", re.sub(r" *\([^)]*\)", "", words))
            if " | " in words:
                yield from ((f"value {options} {word}", verb) for word in words.split(" | ")
                            if re.fullmatch("[a-z0-9-]+", word))


def of_schema():
    schema = json.loads((ROOT / "docs" / "robot-file.schema.json").read_text())

    def walk(node, path, known):
        if not isinstance(node, dict):
            return
        if "$ref" in node:
            name = node["$ref"]
            if name in known:
                return
            target = schema
            for part in name.removeprefix("#/").split("/"):
                target = target[part]
            yield from walk(target, path, known | {name})
        for key, entry in node.get("properties", {}).items():
            yield f"key {path}{key}"
            yield from walk(entry, f"{path}{key}.", known)
        yield from walk(node.get("items"), path.removesuffix(".") + "[].", known)
        for kind in ("anyOf", "oneOf", "allOf"):
            for entry in node.get(kind, []):
                yield from walk(entry, path, known)

    yield from walk(schema, "", frozenset())


def of_python():
    import armdyn

    def parameters(call):
        try:
            return list(inspect.signature(call).parameters)
        except (TypeError, ValueError):  # of C++: the first line says them
            return re.findall(r"[(,] (?:\*\*?)?(\w+)|\((\w+)", (call.__doc__ or "").split("\n")[0])

    for name in armdyn.__all__:
        thing = getattr(armdyn, name)
        is_type = isinstance(thing, type)
        base = thing.__base__.__name__ if is_type else ""
        yield f"python armdyn.{name}" + (f"({base})" if base in armdyn.__all__ else "")
        members = {name: thing} if not is_type else {
            f"{name}.{member}": getattr(thing, member) for member in vars(thing) if member[0] != "_"}
        for member, value in members.items():
            yield f"python armdyn.{member}"
            if callable(value) and not isinstance(value, type):
                for found in parameters(value):
                    word = found if isinstance(found, str) else next(filter(None, found))
                    if word not in ("self", "kwargs", "options", "edits"):
                        yield f"python armdyn.{member} {word}"


def of_library():
    """Names of the namespace, functions of its classes, and members that an example uses."""
    from clang.cindex import AccessSpecifier, CursorKind, Index

    folder = ROOT / "include" / "armdyn"
    headers = sorted(folder.glob("*.hpp"))
    yield from (f"header armdyn/{header.name}" for header in headers)
    calls = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE}
    types = {CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.CLASS_TEMPLATE, CursorKind.ENUM_DECL}
    aliases = {CursorKind.TYPE_ALIAS_DECL, CursorKind.TYPE_ALIAS_TEMPLATE_DECL, CursorKind.VAR_DECL}

    def unit(text):
        parsed = Index.create().parse("all.cpp", ["-std=c++20", f"-I{ROOT / 'include'}", "-DROBOTS=\"\"",
                                                  "-isystem", "/usr/include/eigen3"],
                                      unsaved_files=[("all.cpp", text)])
        errors = [str(found) for found in parsed.diagnostics if found.severity >= 3]
        if errors:
            raise SystemExit("\n".join(errors))
        return parsed.cursor

    def is_ours(cursor):
        return cursor.location.file and Path(cursor.location.file.name).parent == folder

    def names(cursor, kinds):
        for child in cursor.get_children():
            if child.kind in kinds and is_ours(child) and child.spelling.isidentifier() and \
                    not child.spelling.endswith("Of") and child.spelling not in INNER and \
                    (child.kind not in types or child.is_definition()) and \
                    child.access_specifier not in (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED):
                yield child, child.spelling + ("()" if child.kind in calls else "")

    def path(scope):
        within = path(scope.semantic_parent) if scope.kind is not CursorKind.NAMESPACE else ""
        return f"{within}{scope.spelling.removesuffix('Of')}::"

    for space, _ in names(unit("".join(f"#include <armdyn/{header.name}>\n" for header in headers)),
                          {CursorKind.NAMESPACE}):
        for thing, name in names(space, types | aliases | calls):
            yield f"c++ armdyn::{name}"
            if thing.kind is CursorKind.CLASS_DECL:
                yield from (f"c++ armdyn::{name}::{function}" for call, function in names(thing, calls)
                            if all(part.kind != CursorKind.CXX_OVERRIDE_ATTR for part in call.get_children()))
    for example in sorted((ROOT / "examples").glob("*.cpp")):
        for used in unit(example.read_text()).walk_preorder():
            member = used.referenced
            if used.location.file and used.location.file.name == "all.cpp" and member and is_ours(member) and \
                    member.kind in calls | {CursorKind.FIELD_DECL} and member.semantic_parent.kind in types:
                yield f"c++ {path(member.semantic_parent)}{member.spelling}{'()' if member.kind in calls else ''}"


def promises(program):
    """Names with the verbs or runs that have them, and the kinds of names that could be read."""
    parts = [of_runs(program), of_help(program), ((name, "") for name in of_schema())]
    known = {"exit", "json", "column", "verb", "option", "value", "key"}
    for kinds, of_part in (({"python"}, of_python), ({"header", "c++"}, of_library)):
        try:
            parts.append([(name, "") for name in of_part()])
            known |= kinds
        except ImportError as missing:
            print(f"skipped: {', '.join(kinds)}: {missing}")
    found = {}
    for name, place in itertools.chain(*parts):
        found.setdefault(name, set()).add(place)
    return found, known


def main():
    found, known = promises(str(Path(sys.argv[1]).resolve()))
    if sys.argv[2:] == ["--record"]:
        RECORD.write_text("".join(f"{name}: {'; '.join(sorted(places))}".removesuffix(": ") + "\n"
                                  for name, places in sorted(found.items())))
        return 0
    recorded = [line.partition(": ") for line in RECORD.read_text().splitlines()]
    broken = [f"{name}: {place}" for name, _, places in recorded for place in places.split("; ")
              if name.split()[0] in known and place not in found.get(name, ())]
    for line in broken:
        print(f"no longer true: {line}")
    print(f"{len(recorded)} promises, {len(broken)} broken; "
          f"{len(found.keys() - {name for name, *_ in recorded})} more are kept")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
