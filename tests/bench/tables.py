#!/usr/bin/env python3
"""Measures all tables of docs/performance.md anew and prints them, or with --update writes them.

What stands in the page between <!-- NAME --> and <!-- end --> is what that benchmark prints, all
of one run of this command, one after the other. Nothing is written where one of them fails.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/performance.md"
PEERS = {"orocos-kdl": "Orocos KDL", "mujoco": "MuJoCo", "pinocchio": "Pinocchio", "rbdl": "RBDL"}
IN_DOUBLES = {"ARMDYN_SIMD": "sse2"}
# name: arguments, environment
BENCHMARKS = {
    "bench_torque_file": ([], {}),
    "bench_bag": (["300000"], {}),
    "bench_dynamics": ([], {}),
    "bench_generated_code": ([], IN_DOUBLES),
    "bench_cost_against_joints": ([], IN_DOUBLES),
    "bench_forward_dynamics": ([], {}),
    "bench_batch_simulation": ([], {}),
}


def output(command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def peers(program):
    """Version and origin of each library that the program was linked with."""
    linked = dict(re.findall(r"(\S+) => (\S+)", output(["ldd", program])))
    compiled = dict(line.split(": ", 1) for line in output([program, "--peers"]).splitlines())
    for part, name in PEERS.items():
        if name in compiled:
            yield name, compiled[name]
            continue
        path = next((os.path.realpath(path) for library, path in linked.items()
                     if library.startswith(f"lib{part}")), None)
        if path is None:
            yield name, "not found when this was built: not measured"
            continue
        version = re.search(r"\.so\.(.*)$", path)
        # dpkg knows /usr/lib or /lib, where one leads to the other.
        owner = subprocess.run(["dpkg", "-S", Path(path).name], capture_output=True, text=True).stdout
        package = next((line.split(":")[0] for line in owner.splitlines() if line.endswith(path)), None)
        if package is None:
            origin = f"`{path}`, built by hand"
        else:
            origin = "as the distribution built it, " + output(
                ["dpkg-query", "-W", "-f", "${Package} ${Version}", package])
        yield name, f"{version.group(1) if version else 'unknown version'}: {origin}"


def machine(build):
    cpu = dict(re.findall(r"^(\w[\w ]*\w)\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M))
    flags = cpu.get("flags", "").split()
    sets = [name for flag, name in (("sse2", "SSE2"), ("avx2", "AVX2"), ("avx512dq", "AVX-512"))
            if flag in flags]
    system = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines()
                  if "=" in line)
    commands = {Path(entry["file"]).name: entry["command"]
                for entry in json.loads((build / "compile_commands.json").read_text())}
    compiled = " ".join(re.findall(r" (-O\w+|-(?:std|march|ffp-contract|finline-limit)=\S+)",
                                   commands["inverse_dynamics.cpp"]))
    compiler = dict(line.split(": ", 1) for line in
                    output([build / "bin/bench_instructions", "versions"]).splitlines())
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"],
                            capture_output=True, text=True).stdout.strip() or "unknown commit"
    rows = [
        ("date", time.strftime("%Y-%m-%d, %H:%M UTC", time.gmtime())),
        ("machine", ", ".join([cpu.get("model name", os.uname().machine), f"{os.cpu_count()} processors", *sets])),
        ("system", f"{system['PRETTY_NAME'].strip(chr(34))}, Linux {os.uname().release}, libc {compiler['libc']}"),
        ("armdyn", f"{commit}, {compiler['compiler']}, `{compiled}`"),
    ]
    return [*rows, *peers(build / "bin/bench_dynamics")]


def starting_time(program, runs=80):
    """The least processor time, ms."""
    def once():
        null = os.open(os.devnull, os.O_WRONLY)
        child = os.posix_spawn(program, [str(program), "version"], os.environ,
                               file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
        os.close(null)
        usage = os.wait4(child, 0)[2]
        return 1e3 * (usage.ru_utime + usage.ru_stime)
    return min(once() for _ in range(runs))


def starting(build):
    programs = {"linked dynamically": build / "bin/armdyn",
                "linked statically, as in the tarball": build / "static/armdyn"}
    return table(["program", "`armdyn version`, ms"],
                 [(name, f"{starting_time(path):.1f}") for name, path in programs.items() if path.exists()])


def python_calls(build):
    modules = next(build.glob("lib/python3*/*-packages"), None)
    if modules is None:
        sys.exit(f"{build}: no Python module in it")
    script = ROOT / "tests/bench/python_calls.py"
    return output(["/usr/bin/python3", "-B", script, build / "bin/bench_dynamics"],
                  env={**os.environ, "PYTHONPATH": str(modules)})


def measured(build):
    """Text of each place, one after the other."""
    rows, before = machine(build), os.getloadavg()[0]
    for name, (arguments, environment) in BENCHMARKS.items():
        yield name, output([build / "bin" / name, *arguments], env={**os.environ, **environment})
    yield "starting", starting(build)
    yield "python_calls", python_calls(build)
    rows.insert(2, ("other work", f"load average {before:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the end"))
    yield "machine", table(["", ""], rows)


def replaced(page, name, text):
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->\n)", re.S)
    return pattern.sub(lambda found: f"{found.group(1)}\n{text.strip()}\n\n{found.group(2)}", page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the page")
    parser.add_argument("--places", action="store_true", help="only look whether the page has a place for each")
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build/test")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    page = PAGE.read_text(encoding="utf-8")
    places = re.findall(r"<!-- (\w+) -->\n(?:(?!<!-- ).)*?<!-- end -->\n", page, re.S)
    expected = [*BENCHMARKS, "starting", "python_calls", "machine"]
    if sorted(places) != sorted(expected):
        sys.exit(f"{PAGE}: found places for {sorted(places)}, expected {sorted(expected)}")
    if arguments.places:
        return
    missing = [name for name in [*BENCHMARKS, "bench_instructions"] if not (build / "bin" / name).exists()]
    if missing:
        sys.exit(f"{build}/bin has no {', '.join(missing)}; cmake --build --preset test builds them")
    for name, text in measured(build):
        print(f"\n### {name}\n\n{text.strip()}", flush=True)
        page = replaced(page, name, text)
    if arguments.update:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
