#!/usr/bin/python3
"""Plants typical mistakes in a copy of the tree, one at a time, and tells which the suite catches.

    /usr/bin/python3 tests/mutants/mutants.py [--number 300] [--seed 1] [--longest SECONDS]

It goes on where it was stopped. All mistakes are built at once: each site reads
`(::mutants::is(17) ? (MISTAKE) : (ORIGINAL))`, and the environment variable ARMDYN_MUTANT says which
one holds. A mistake is caught by a test that fails twice with it, or takes five times as long and
20 s more. Only tests that reach it are run, the quickest first. Results: build/mutants/result.csv.
Needs python3-clang-14 and what the preset "test" needs; half an hour for 200.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

try:
    from clang import cindex
    from clang.cindex import CursorKind as Kind
except ImportError:
    sys.exit("mutants.py: the Debian package python3-clang-14 is missing; run it by /usr/bin/python3")

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build/mutants"
TREE = WORK / "tree"  # or as --tree says
BUILD = TREE / "build/test"
SITES, REACHED, TRIED = WORK / "sites.json", WORK / "reached.jsonl", WORK / "tried.csv"

# Without regard to what is planted: packaging, the layout of the sources, timings.
LEFT_OUT = re.compile(r"^(package_|bench_|fuzz_|include_direction|instruction_sets)")
CLUSTER, WIDEST = 3, 12  # sites of a small file; how many files may include a header with sites
DEFINES = ["-D", "ARMDYN_UNITY=OFF"]  # one compilation a file, to know each by its commands
TARGETS = ("unit_tests", "physics_tests", "cli_tests", "urdf_tests", "schema_tests", "armdyn_python")
# Hints for speed alone, and tolerances: mistakes there are no typical ones.
HINT = re.compile(r"\breserve\(|advise|__builtin|static_assert|\bassert\(|//|#|\bconstexpr\b|\bnoexcept\b")

OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
             "||": "&&", "+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "*=": "/=",
             "/=": "*="}
OPERATOR_KIND = {"&": "logic", "|": "logic", "<": "comparison", ">": "comparison", "=": "comparison",
                 "!": "comparison", "+": "sign", "-": "sign", "*": "factor", "/": "factor"}
NAMES = ("xx yy|xy xz|yz xy|xz xy|x y|y z|z x|positive negative|lower upper|q qd|qd qdd|qdd qd|min max|"
         "sin cos|floor ceil|lower_bound upper_bound|front back|first second|value slope|rows cols|"
         "low high|before after|earlier later|mass com|force moment|omega omega_dot|"
         "velocity position|viscous coulomb|left right|all_of any_of|head tail|prefix suffix")
SWAPS = {}
for pair in NAMES.split("|"):
    one, other = pair.split()
    SWAPS.setdefault(one, other)
    SWAPS.setdefault(other, one)
WEIGHTS = {"comparison": 2, "sign": 2, "index": 2, "dropped check": 2}
STATEMENTS = {Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR,
              Kind.UNARY_OPERATOR, Kind.UNEXPOSED_EXPR, Kind.RETURN_STMT}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR,
             Kind.FUNCTION_TEMPLATE, Kind.CONVERSION_FUNCTION, Kind.LAMBDA_EXPR}
NO_PLACE = {Kind.STATIC_ASSERT, Kind.ENUM_CONSTANT_DECL, Kind.TYPE_REF, Kind.TEMPLATE_REF,
            Kind.PARM_DECL, Kind.TEMPLATE_NON_TYPE_PARAMETER}

HEADER = """#pragma once
#pragma GCC system_header
#include <atomic>
#include <cstdlib>
#include <type_traits>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
namespace mutants {
inline int planted = 0;  // the mistake that holds; -1: none, and what is reached is noted
__attribute__((constructor(101))) static void choose() {
  if (const char* text = std::getenv("ARMDYN_MUTANT")) planted = std::atoi(text);
}
inline std::atomic<char> seen[8192];
inline void note(int number) {  // by bare system calls, which no test counts or makes fail
  if (seen[number].exchange(1)) return;
  const char* file = std::getenv("ARMDYN_MUTANT_SEEN");
  if (!file) return;
  char text[8];
  int size = 0;
  for (int rest = number; rest > 0; rest /= 10) text[7 - ++size] = char('0' + rest % 10);
  text[7] = '\\n';
  const long output = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (output < 0) return;
  syscall(SYS_write, output, text + 7 - size, size + 1);
  syscall(SYS_close, output);
}
constexpr bool is(int number) {
  if (std::is_constant_evaluated()) return false;
  if (planted < 0) note(number);
  return planted == number;
}
}
"""


def say(*words):
    print(time.strftime("%H:%M:%S"), *words, flush=True)


def other_literal(text):
    """2 -> 3, 0.5 -> 1.0, 1e9 -> 1e6; None for tolerances."""
    if re.fullmatch(r"\d+[uUlLzZ]*", text):
        number = int(re.match(r"\d+", text)[0])
        return {0: "1", 1: "0"}.get(number, str(number + 1)) + text[len(str(number)):]
    if unit := re.fullmatch(r"(\d+(?:\.\d*)?)e([369])", text):
        return f"{unit[1]}e{int(unit[2]) - 3 or 1}"
    if re.fullmatch(r"\d+\.\d*|1e-3", text):
        number = float(text)
        return {0.0: "1.0", 0.5: "1.0", 1.0: "2.0", 1e-3: "1.0"}.get(number, repr(number + 1.0))
    return None


class Sites:
    """Where typical mistakes fit in one file: dicts with the bytes replaced and the statement about."""

    def __init__(self, name, text):
        self.name, self.text, self.found = name, text, {}

    def of(self, node):
        return self.text[node.extent.start.offset:node.extent.end.offset]

    def add(self, kind, node, mistake, statement, whole=False):
        begin, end = node.extent.start.offset, node.extent.end.offset
        original = self.of(node)
        if mistake == original or HINT.search(original) or len(original) > 300 or not original:
            return
        self.found[(begin, end, kind, mistake)] = dict(
            kind=kind, begin=begin, end=end, original=original, mistake=mistake,
            statement=statement, whole=whole)

    def walk(self, node, statement):
        kind, text = node.kind, self.of(node)
        if text.startswith("co_await"):  # g++ 12 awaits nothing in a choice between two
            return
        children = list(node.get_children())
        if kind == Kind.VAR_DECL and "constexpr" in self.text[max(0, node.extent.start.offset - 20):
                                                              node.extent.start.offset] + text.split("=")[0]:
            return
        if kind == Kind.IF_STMT and text.startswith("if constexpr"):
            children = children[1:]
        if kind == Kind.CASE_STMT:
            children = children[1:]
        if statement is not None:
            self.expression(node, kind, text, children, statement)
        for place, child in enumerate(children):
            if child.kind in NO_PLACE and child.kind != Kind.PARM_DECL:
                continue
            about = statement
            is_body = kind in (Kind.IF_STMT, Kind.FOR_STMT, Kind.WHILE_STMT, Kind.CXX_FOR_RANGE_STMT) and place
            if child.kind in STATEMENTS and (kind == Kind.COMPOUND_STMT or is_body):
                if kind in (Kind.COMPOUND_STMT, Kind.IF_STMT) or place == len(children) - 1:
                    about = self.statement(child)
            elif child.kind in (Kind.COMPOUND_STMT, Kind.DECL_STMT):
                about = ()
            elif child.kind in FUNCTIONS:
                about = () if statement is not None else None
            self.walk(child, about)

    def statement(self, node):
        begin, end = node.extent.start.offset, node.extent.end.offset
        after = re.match(r"\s*;", self.text[end:end + 100])
        if not after:
            return ()
        if node.kind != Kind.RETURN_STMT and re.match(r"[\w:.>\[\]()*-]+\s*(\(|[-+*/]?= )", self.of(node)):
            self.add("dropped statement", node, "", (begin, end + after.end()), whole=True)
        return (begin, end + after.end())

    def expression(self, node, kind, text, children, statement):
        if kind == Kind.IF_STMT:
            if children and len(children) == 2 and children[0].kind.is_expression():
                self.add("dropped check", children[0], "false", ())
            return
        if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.CALL_EXPR) and len(children) > 1:
            left, right = children[0].extent.end.offset, children[-1].extent.start.offset
            operator = self.text[left:right].strip()
            if operator in OPERATORS:
                between = self.text[left:right].replace(operator, OPERATORS[operator])
                self.add(OPERATOR_KIND[operator[0]], node, self.text[node.extent.start.offset:left] + between +
                         self.text[right:node.extent.end.offset], statement)
        if kind in (Kind.UNARY_OPERATOR, Kind.CALL_EXPR) and text.startswith(("-", "!")) and text[:2] != "--":
            # Twice "!": a bool, as the original is; the choice between it and an optional would be one.
            self.add(*(("sign", node, text[1:]) if text[0] == "-" else ("logic", node, "!" + text)), statement)
        if (kind == Kind.ARRAY_SUBSCRIPT_EXPR or node.spelling == "operator[]") and len(children) > 1:
            index = children[-1]
            if re.search(r"int|long|dependent|size", index.type.get_canonical().spelling):
                number = self.of(index)
                wrong = "0" if not number.isdigit() else {"0": "1"}.get(number, str(int(number or 1) - 1))
                self.add("index", index, wrong, statement)
        if kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL) and (other := other_literal(text)):
            self.add("number", node, other, statement)
        if kind in (Kind.MEMBER_REF_EXPR, Kind.DECL_REF_EXPR):
            name = re.search(r"\w+$", text)
            if name and name[0] in SWAPS:
                self.add("name", node, text[:name.start()] + SWAPS[name[0]], statement)
        if kind == Kind.CALL_EXPR and children:
            called = self.of(children[0])
            name = re.search(r"\w+$", called)
            if name and name[0] in SWAPS and text.startswith(called):
                self.add("name", node, called[:name.start()] + SWAPS[name[0]] + text[len(called):], statement)
        if kind == Kind.CALL_EXPR and not re.search(r"\b(min|max|swap|dot|hypot|begin|end)\b", text[:40]):
            arguments = [a for a in node.get_arguments() if a and self.of(a)]
            types = [re.sub(r"const | ?&", "", a.type.get_canonical().spelling) for a in arguments]
            for (a, type_a), (b, type_b) in zip(zip(arguments, types), zip(arguments[1:], types[1:])):
                low, high = a.extent.end.offset, b.extent.start.offset
                if type_a == type_b and "dependent" not in type_a and self.text[low:high].strip() == ",":
                    self.add("arguments", node, self.text[node.extent.start.offset:a.extent.start.offset] +
                             self.of(b) + ", " + self.of(a) + self.text[b.extent.end.offset:node.extent.end.offset],
                             statement)


def planted(text, sites):
    """The text with all sites in it; lines keep their numbers."""
    for site in sorted(sites, key=lambda s: -s["begin"]):
        number, begin, end = site["id"], site["begin"], site["end"]
        wrong = " ".join(site["mistake"].split())
        if site["whole"] or site["form"] == "statement":
            first, last = site["statement"]
            rest = text[first:begin] + wrong + text[end:last] if not site["whole"] else ""
            new = (f"{{ if (::mutants::is({number})) {{ {' '.join(rest.split())} }} else {{ "
                   f"{text[first:last]} }} }}")
            text = text[:first] + new + text[last:]
        else:
            text = text[:begin] + f"(::mutants::is({number}) ? ({wrong}) : ({text[begin:end]}))" + text[end:]
    return f'#include "{TREE}/mutants.hpp"\n#line 1\n' + text


def extent(site):
    return site["statement"] or (site["begin"], site["end"])


def drawn(found, count, draw):
    """Sites that do not overlap: first a kind, then one of it."""
    kinds = {}
    for key in sorted(found):
        kinds.setdefault(found[key]["kind"], []).append(found[key])
    chosen = []
    while kinds and len(chosen) < count:
        kind = draw.choices(sorted(kinds), [WEIGHTS.get(k, 1) for k in sorted(kinds)])[0]
        site = kinds[kind].pop(draw.randrange(len(kinds[kind])))
        if not kinds[kind]:
            del kinds[kind]
        first, last = extent(site)
        if all(last <= extent(o)[0] or extent(o)[1] <= first for o in chosen):
            chosen.append(site)
    return chosen


def unit_sites(job):
    """Sites of a source file and of its headers that compile."""
    arguments, source, wanted, seed = job
    index = cindex.Index.create()
    unit = index.parse(source, arguments)
    texts, chosen = {}, {}
    for name, count in wanted.items():
        raw = Path(name).read_bytes()
        # Offsets count bytes: as Latin-1 a character is a byte.
        texts[name] = raw.decode("latin-1")
        sites = Sites(name, texts[name])
        for cursor in unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == name:
                sites.walk(cursor, None)
        draw = random.Random(f"{seed}:{Path(name).relative_to(TREE)}")
        chosen[name] = drawn(sites.found, count + 3, draw)
        for number, site in enumerate(chosen[name], 1):
            site.update(id=number, file=str(Path(name).relative_to(TREE)), form="expression",
                        line=texts[name][:site["begin"]].count("\n") + 1)
    for _ in range(8):
        unsaved = [(name, planted(texts[name], chosen[name]).encode("latin-1").decode())
                   for name in wanted]
        unit = index.parse(source, arguments, unsaved)
        places = {(d.location.file.name, d.location.line - 2)  # two lines were put before the first
                  for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error and d.location.file}
        if not places:
            break
        for name in wanted:
            chosen[name] = [s for s in chosen[name] if kept(s, texts[name], {l for n, l in places if n == name})]
    else:
        return source, []
    return source, [s for name in wanted for s in chosen[name]]


def kept(site, text, lines):
    """False where a site does not compile in either form."""
    first, last = extent(site)
    if not lines & set(range(text[:first].count("\n") + 1, text[:last].count("\n") + 2)):
        return True
    if site["form"] == "expression" and site["statement"] and not site["whole"]:
        site["form"] = "statement"
        return True
    return False


def compile_arguments():
    """Of each source file of src, for libclang."""
    units = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = entry["file"]
        if not source.startswith(str(TREE / "src")) or "/python/" in source:
            continue
        words = entry["command"].split()[1:]
        units[source] = [w for i, w in enumerate(words) if w not in ("-c", "-o", source, "-Winvalid-pch")
                         and (i == 0 or words[i - 1] not in ("-c", "-o")) and not w.startswith("-f")
                         and w != "-w"] + ["-w", "-ferror-limit=0"]
    return units


def header_before(arguments):
    """What is included before all else, a precompiled header of gcc's; "" for none."""
    return next((b for a, b in zip(arguments, arguments[1:]) if a == "-include"), "")


def precompiled(job):
    """That header, precompiled for libclang."""
    header, arguments = job
    if not header:
        return header, header
    first = arguments.index(header)
    unit = cindex.Index.create().parse(header, arguments[:first - 1] + arguments[first + 1:] + ["-xc++-header"])
    unit.save(header + ".clang")
    return header, header + ".clang"


def headers_of(source, folders, known):
    """The project's headers that a file includes, at any depth."""
    if source not in known:
        known[source] = set()
        for name in re.findall(r'^#include ["<]([\w/.]+)[">]', Path(source).read_text(), re.M):
            for folder in folders:
                if (folder / name).is_file():
                    header = str(folder / name)
                    known[source] |= {header} | headers_of(header, folders, known)
    return known[source]


def plant(number, seed):
    """The sites, chosen, checked and written into the tree."""
    units, known = compile_arguments(), {}
    home = {source: source for source in units}  # the file that a header is parsed with
    for source in sorted(units, key=lambda s: len(headers_of(s, (TREE / "src", TREE / "include"), known))):
        for header in sorted(known[source]):
            if header not in home or Path(source).stem == Path(header).stem:
                home[header] = source
    for test in (TREE / "tests").rglob("*.cpp"):
        headers_of(str(test), (TREE / "src", TREE / "include", TREE / "tests"), known)
    lines = {name: Path(name).read_text().count("\n") for name in home if "/python/" not in name}
    planned = number * 1.04 / sum(lines.values())
    jobs = {}
    for name in sorted(lines, key=lambda n: (n not in units, n)):
        share = planned * lines[name] / CLUSTER
        count = CLUSTER * (int(share) + (random.Random(f"{seed}:{name[len(str(TREE)):]}").random() < share % 1))
        if count and sum(name in headers for headers in known.values()) <= WIDEST:
            others = [s for s in jobs if name in known[s]]
            jobs.setdefault(home[name] if home[name] in jobs or not others else others[0], {})[name] = count
    say(f"{len(lines)} files, {sum(lines.values())} lines: looking for sites")
    sites, spare = [], []
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        compiled = dict(pool.map(precompiled, {header_before(a): a for a in units.values()}.items()))
        compiled["-include"] = "-include-pch"
        work = [([compiled.get(w, w) for w in units[s]], s, wanted, seed) for s, wanted in jobs.items()]
        for done, (source, found) in enumerate(pool.map(unit_sites, work), 1):
            count = dict(jobs[source])
            for site in found:
                name = str(TREE / site["file"])
                (sites if count[name] > 0 else spare).append(site)
                count[name] -= 1
            if done % 20 == 0 or not found:
                say(f"{done}/{len(work)} {source[len(str(TREE)) + 1:]}: {len(found)} sites that compile")
    draw = random.Random(seed)
    draw.shuffle(sites)
    draw.shuffle(spare)
    sites = (sites + spare)[:int(number * 1.04)]
    for place, site in enumerate(sites, 1):
        site["id"] = place
    shutil.rmtree(WORK / "originals", ignore_errors=True)  # of other sites
    write(sites)


def write(sites):
    originals = WORK / "originals"
    for name in sorted({s["file"] for s in sites}):
        original = originals / name
        if not original.exists():
            original.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TREE / name, original)
        text = planted(original.read_bytes().decode("latin-1"), [s for s in sites if s["file"] == name and s["id"]])
        if name.endswith(".hpp"):  # no warnings where tests include it
            text = "#pragma GCC system_header\n" + text
        (TREE / name).write_bytes(text.encode("latin-1"))
    # Less to compile: only what is planted, and that less optimized.
    planted_files = "".join(f"  {TREE / name}\n" for name in sorted({s["file"] for s in sites}))
    (TREE / "src/planted.cmake").write_text(
        f"set_source_files_properties(\n{planted_files}  TARGET_DIRECTORY armdyn_core armdyn_io armdyn_log "
        "armdyn_report armdyn_verbs\n  PROPERTIES COMPILE_OPTIONS \"-O1;-w\")\n")
    os.utime(TREE / "src/CMakeLists.txt")  # so that CMake reads it
    SITES.write_text(json.dumps(sites, indent=1))


def copy_tree():
    """All but the sources, which are as they were when the mistakes were planted."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for name in names:
        source, target = ROOT / name, TREE / name
        if SITES.exists() and name.startswith(("src/", "include/")) or not source.exists():
            continue
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    header = TREE / "mutants.hpp"
    if not header.exists() or header.read_text() != HEADER:
        header.write_text(HEADER)
    if not SITES.exists():
        lists = TREE / "src/CMakeLists.txt"
        lists.write_text(lists.read_text() + "include(planted.cmake OPTIONAL)\n")
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "test", *DEFINES], cwd=TREE, check=True, stdout=subprocess.DEVNULL)


def build():
    """Builds the tests, leaving out what gcc alone refuses."""
    known = (BUILD / "build.ninja").read_text()
    targets = [t for t in TARGETS if f"build {t}:" in known]
    for _ in range(6):
        say("building")
        run = subprocess.run(["nice", "-n", "5", "cmake", "--build", "--preset", "test", "-j2", "--target", *targets,
                              "--", "-k", "0"],
                             cwd=TREE, capture_output=True, text=True)
        if run.returncode == 0:
            return
        sites = json.loads(SITES.read_text())
        places = re.findall(r"^(?:In file included from )?(/\S+?):(\d+):(?:\d+:)? +(?:error|required from)",
                            run.stdout, re.M)
        refused = []
        for site in sites:
            text = (WORK / "originals" / site["file"]).read_bytes().decode("latin-1")
            lines = {int(line) for name, line in places if name == str(TREE / site["file"])}
            if site["id"] and not kept(dict(site, form="statement"), text, lines):
                refused.append(site)
        if not refused:
            sys.exit(run.stdout[-5000:] + "\nmutants.py: the planted tree does not build")
        for site in refused:
            say(f"gcc refuses {site['id']} {site['file']}:{site['line']}")
            site["id"] = 0
        write(sites)
    sys.exit("mutants.py: the planted tree does not build")


def suite():
    """Tests as ctest knows them."""
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=BUILD, check=True, capture_output=True, text=True)
    tests = {}
    for test in json.loads(shown.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if not LEFT_OUT.search(test["name"]) and "command" in test and not properties.get("DISABLED"):
            tests[test["name"]] = (test["command"], dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", [])))
    return tests


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(test, variables, longest):
    """Whether a test passes, and in what time; in a folder of its own."""
    command, environment = test
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        begin = time.monotonic()
        run = subprocess.Popen(command, cwd=folder, preexec_fn=limit, start_new_session=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, "TMPDIR": folder, **environment, **variables})
        try:
            code = run.wait(longest)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        run.wait()
        return code == 0, code is None, time.monotonic() - begin


def reach(tests, longest, again):
    """What each test reaches, and how long it takes, without any mistake."""
    known = {}
    if REACHED.exists():
        known = {e["test"]: e for e in map(json.loads, REACHED.read_text().splitlines())}
    if again:
        known = {name: e for name, e in known.items() if not re.search(again, name)}
    known = {name: e for name, e in known.items() if e["good"] or (e["late"] and e["within"] >= longest)}
    REACHED.write_text("".join(json.dumps(e) + "\n" for e in known.values()))

    def one(name):
        with tempfile.NamedTemporaryFile(prefix="mutants-") as seen:
            good, late, took = passes(tests[name], {"ARMDYN_MUTANT": "-1", "ARMDYN_MUTANT_SEEN": seen.name},
                                      longest)
            return dict(test=name, good=good, late=late, within=longest, took=round(took, 3),
                        reached=sorted({int(l) for l in Path(seen.name).read_text().split()}))

    missing = [name for name in tests if name not in known]
    if missing:
        say(f"{len(missing)} tests run without any mistake")
    with concurrent.futures.ThreadPoolExecutor(2) as pool, REACHED.open("a") as output:
        for done, entry in enumerate(pool.map(one, missing), 1):
            known[entry["test"]] = entry
            output.write(json.dumps(entry) + "\n")
            output.flush()
            if not entry["good"]:
                say(f"left out, since it {'takes long' if entry['late'] else 'fails'} without any mistake:",
                    entry["test"])
            if done % 200 == 0:
                say(f"{done}/{len(missing)}")
    return {name: e for name, e in known.items() if name in tests and e["good"]}


def kill(tests, known, chosen, longest, again):
    """Runs the tests that reach each mistake until one fails."""
    tried, caught = {}, {}
    rows = [r for r in csv.reader(TRIED.open()) if not again or not re.search(again, r[1])] if TRIED.exists() else []
    for number, name, verdict in rows:
        (tried.setdefault(int(number), set()).add(name) if verdict == "passed"
         else caught.__setitem__(int(number), f"{name} ({verdict})" if verdict == "too long" else name))
    with TRIED.open("w") as output:
        csv.writer(output).writerows(rows)
    locks = {name: threading.Lock() for name in tests}
    output = TRIED.open("a")
    report = csv.writer(output)

    def one(site):
        number = site["id"]
        todo = sorted((e["took"], name) for name, e in known.items() if number in e["reached"]
                      and name not in tried.get(number, ()))
        for took, name in todo:
            with locks[name]:
                for _ in range(2):  # a test that fails by chance does not fail twice
                    good, late, _ = passes(tests[name], {"ARMDYN_MUTANT": str(number)}, 5 * took + 20)
                    if good or late:
                        break
            report.writerow([number, name, "passed" if good else "too long" if late else "failed"])
            output.flush()
            if not good:
                caught[number] = name
                return site
            tried.setdefault(number, set()).add(name)
        return site

    left = [s for s in chosen if s["id"] not in caught]
    say(f"{len(left)} of {len(chosen)} mistakes to try by tests of at most {longest} s")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done, site in enumerate(concurrent.futures.as_completed([pool.submit(one, s) for s in left]), 1):
            site = site.result()
            say(f"{done}/{len(left)} {site['id']} {site['file']}:{site['line']} {site['kind']}:",
                caught.get(site["id"], f"not caught by {len(tried.get(site['id'], ()))} tests"))
    reached = {n for e in known.values() for n in e["reached"]}
    with (WORK / "result.csv").open("w") as output:
        result = csv.writer(output)
        result.writerow(["id", "file", "line", "kind", "original", "mistake", "result"])
        for s in sorted(chosen, key=lambda s: (s["file"], s["line"])):
            verdict = caught.get(s["id"]) or ("survived" if s["id"] in reached else "reached by none")
            result.writerow([s["id"], s["file"], s["line"], s["kind"], " ".join(s["original"].split()),
                             " ".join(s["mistake"].split()), verdict])
    count = sum(s["id"] in caught for s in chosen)
    say(f"{len(chosen)} planted, {sum(s['id'] in reached for s in chosen)} reached, {count} caught, "
        f"{len(chosen) - count} left: {WORK / 'result.csv'}")


def main():
    global TREE, BUILD
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--number", type=int, default=300, help="how many mistakes")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--longest", type=float, default=300.0, help="leave out tests that take longer (s)")
    options.add_argument("--tree", type=Path, default=TREE, help="where the planted copy is made")
    options.add_argument("--again", metavar="REGEX", help="forget what is known of tests so named")
    given = options.parse_args()
    TREE, BUILD = given.tree, given.tree / "build/test"
    TREE.mkdir(parents=True, exist_ok=True)
    copy_tree()
    if not SITES.exists():
        plant(given.number, given.seed)
    build()
    sites = sorted((s for s in json.loads(SITES.read_text()) if s["id"]), key=lambda s: s["id"])[:given.number]
    tests = suite()
    kill(tests, reach(tests, given.longest, given.again), sites, given.longest, given.again)


if __name__ == "__main__":
    main()
