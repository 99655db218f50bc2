#!/usr/bin/env python3
"""Measures all tables of docs/performance.md anew and prints them, or with --update writes them.

What stands in the page between <!-- NAME --> and <!-- end --> is what that benchmark prints, all
of one run of this command, one after the other. Nothing is written where one of them fails.

  tests/bench/tables.py [--update] [BUILD_FOLDER, by default build/test]
  tests/bench/tables.py --places     only looks whether the page has a place for each
"""

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
    for part, name in PEERS.items():
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


def machine(build, loads):
    cpu = Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", cpu, re.M).group(1).split())
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
    rows = [
        ("date", time.strftime("%Y-%m-%d, %H:%M UTC", time.gmtime())),
        ("machine", f"{re.search('model name.*: (.*)', cpu).group(1)}, {os.cpu_count()} processors, "
                    f"{', '.join(sets)}"),
        ("other work", f"load average {loads[0]:.1f} at the beginning, {loads[1]:.1f} at the end"),
        ("system", f"{system['PRETTY_NAME'].strip(chr(34))}, Linux {os.uname().release}, libc {compiler['libc']}"),
        ("armdyn", f"{output(['git', '-C', ROOT, 'describe', '--always', '--dirty']).strip()}, "
                   f"{compiler['compiler']}, `{compiled}`"),
    ]
    return table(["", ""], rows + list(peers(build / "bin/bench_dynamics")))


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
    before = os.getloadavg()[0]
    for name, (arguments, environment) in BENCHMARKS.items():
        yield name, output([build / "bin" / name, *arguments], env={**os.environ, **environment})
    yield "starting", starting(build)
    yield "python_calls", python_calls(build)
    yield "machine", machine(build, (before, os.getloadavg()[0]))


def replaced(page, name, text):
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->\n)", re.S)
    return pattern.sub(lambda found: f"{found.group(1)}\n{text.strip()}\n\n{found.group(2)}", page)


def main():
    arguments = sys.argv[1:]
    build = Path(next((a for a in arguments if not a.startswith("--")), ROOT / "build/test")).resolve()
    page = PAGE.read_text()
    places = re.findall(r"<!-- (\w+) -->\n(?:(?!<!-- ).)*?<!-- end -->\n", page, re.S)
    expected = [*BENCHMARKS, "starting", "python_calls", "machine"]
    if sorted(places) != sorted(expected):
        sys.exit(f"{PAGE}: found places for {sorted(places)}, expected {sorted(expected)}")
    if "--places" in arguments:
        return
    missing = [name for name in [*BENCHMARKS, "bench_instructions"] if not (build / "bin" / name).exists()]
    if missing:
        sys.exit(f"{build}/bin has no {', '.join(missing)}; cmake --build --preset test builds them")
    for name, text in measured(build):
        print(f"\n### {name}\n\n{text.strip()}", flush=True)
        page = replaced(page, name, text)
    if "--update" in arguments:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
