#!/usr/bin/env python3
"""Instructions that armdyn executes, held against tests/bench/instruction_counts.txt.

Fails where a count is more than 2 % above the file's; only prints where compiler, libc or valgrind
are not those of the file, or the processor lacks AVX2 or FMA, by which libm chooses. Each count is
the difference of 2N and N repetitions under valgrind's callgrind, in one thread. valgrind has no
AVX-512: there the instructions, loads and stores of the kernel's code are counted. At the end, in
times, the ratios to other libraries, which see latency and caches.

  tests/bench/instruction_counts.py [--update] [BUILD_FOLDER, by default build/test]
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent
COUNTS = TESTS / "instruction_counts.txt"
ALLOWED = 1.02

SINGLE = ["inverse", "mass-matrix", "forward", "rk4", "derivatives", "linearize", "regressor", "pose",
          "jacobian"]
BLOCKS = ["block-inverse", "block-mass-matrix", "block-forward"]
JOINTS = {"puma560": 6, "franka-panda": 7, "chain-48": 48}


def output(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}")
    return done.stdout


def executed(command, simd):
    """Instructions of one run, in an environment that holds nothing else."""
    found = output(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
        env={"PATH": os.environ["PATH"], "LC_ALL": "C", "LD_BIND_NOW": "1", "ARMDYN_SIMD": simd},
    )
    return int(re.search(r"Collected : (\d+)", found).group(1))


def write_chain(path):
    """The arm of general_arm.hpp with 48 joints, as a robot file."""
    joint = (
        "  - {type: revolute, dh: {a: 0.21, alpha: 0.7, d: 0.13, theta: 0.4}, mass: 2.3,\n"
        "     com: [0.05, -0.07, 0.11],\n"
        "     inertia: {xx: 0.31, yy: 0.43, zz: 0.57, xy: 0.011, yz: -0.023, xz: 0.037}}\n"
    )
    head = "armdyn: 1\nname: chain-48\nconvention: modified\nangle_unit: rad\ngravity: [0, 0, -9.81]\njoints:\n"
    path.write_text(head + 48 * joint)


def write_motion(path, joints, rows):
    """q, qd, qdd in full precision, by arithmetic that is the same everywhere."""
    names = [f"{quantity}{j + 1}" for quantity in ("q", "qd", "qdd") for j in range(joints)]
    lines = [",".join(names)]
    for row in range(rows):
        numbers = ((row * 7919 + k * 104729 + 17) % 200003 / 100003 - 1 for k in range(len(names)))
        lines.append(",".join(map(repr, numbers)))
    path.write_text("\n".join(lines) + "\n")


def measurements(folder, binaries):
    """(row, arm, N, simd, command of a number of repetitions) of each count."""
    program = binaries / "armdyn"
    for arm, joints in JOINTS.items():
        for task in SINGLE:
            yield task, arm, 64, "avx2", lambda n, task=task, arm=arm: [
                binaries / "bench_instructions", task, arm, n]
        for task in BLOCKS:
            for simd in ("sse2", "avx2"):
                yield f"{task}-{simd}", arm, 1, simd, lambda n, task=task, arm=arm: [
                    binaries / "bench_instructions", task, arm, n]

        robot = arm
        if arm == "chain-48":
            robot = folder / "chain-48.yaml"
            write_chain(robot)
        rows = 512
        for times in (1, 2):
            write_motion(folder / f"{arm}-{times * rows}.csv", joints, times * rows)
        poses = folder / f"{arm}-poses.csv"
        write_motion(poses, joints, 64)
        quiet = ["--quiet", "--threads", "1", "-o", "/dev/null"]
        yield "row-of-text", arm, rows, "avx2", lambda n, robot=robot, arm=arm, quiet=quiet: [
            program, "torque", robot, folder / f"{arm}-{n}.csv", *quiet]
        yield "simulated-step", arm, 50, "avx2", lambda n, robot=robot, quiet=quiet: [
            program, "simulate", robot, "--duration", n / 1000, "--at-limit", "ignore", *quiet]
        yield "arm-of-vary", arm, 256, "avx2", lambda n, robot=robot, poses=poses, quiet=quiet: [
            program, "vary", robot, poses, "--uncertainty", "mass=5%", "--samples", n, *quiet]


def kernel_counts(library):
    """Instructions, loads and stores of the block kernel for AVX-512, as compiled."""
    text = output(["objdump", "-d", "--no-show-raw-insn", str(library)])
    start = text.find("run_avx512.cpp.o:")
    if start < 0:
        sys.exit(f"{library}: no run_avx512.cpp.o in it")
    end = text.find(".o:     file format", start + len("run_avx512.cpp.o:     file format"))
    instructions = loads = stores = 0
    for line in text[start:end].splitlines():
        found = re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*([^#<]*)", line)
        if not found or found.group(1).startswith(("nop", "cs", "data16", "xchg")):
            continue
        name, operands = found.groups()
        instructions += 1
        if "(" not in operands or name.startswith("lea"):
            continue
        if operands.rstrip().endswith((")", "}")) and re.search(r"\)(\{[^}]*\})*\s*$", operands):
            stores += "," in re.sub(r"\([^)]*\)", "", operands)
            loads += "," not in re.sub(r"\([^)]*\)", "", operands)
        else:
            loads += 1
    return {"kernel-avx512-instructions": instructions, "kernel-avx512-loads": loads,
            "kernel-avx512-stores": stores}


def counted(build):
    binaries = build / "bin"
    rows = {}
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(
            os.cpu_count()) as pool:
        cases = list(measurements(Path(name), binaries))
        runs = [[pool.submit(executed, command(k * n), simd) for k in (1, 2)]
                for _, _, n, simd, command in cases]
        for (task, arm, n, _, _), (once, twice) in zip(cases, runs):
            rows[f"{task} {arm}"] = round((twice.result() - once.result()) / n)
    for name, count in kernel_counts(build / "src/libarmdyn_core.a").items():
        rows[f"{name} any"] = count
    return rows


def versions(build):
    found = output([build / "bin/bench_instructions", "versions"]).splitlines()
    found.append("valgrind: " + output(["valgrind", "--version"]).strip())
    return dict(line.split(": ", 1) for line in found)


def read_file():
    facts, rows = {}, {}
    for line in COUNTS.read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        if ": " in line:
            facts.update([line.split(": ", 1)])
        else:
            task, arm, count = line.split()
            rows[f"{task} {arm}"] = int(count)
    if not facts or not rows:
        sys.exit(f"{COUNTS}: no versions or no counts in it; write it anew by --update")
    return facts, rows


def write_file(facts, rows):
    lines = ["# Instructions per call, block of 512 rows, row, step or arm; written by",
             "# tests/bench/instruction_counts.py --update"]
    lines += [f"{name}: {value}" for name, value in facts.items()]
    lines += ["{:<26} {:<13} {:>10}".format(*row.split(), count) for row, count in rows.items()]
    COUNTS.write_text("\n".join(lines) + "\n")


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    build = Path(next((a for a in arguments if a != "--update"), TESTS.parents[1] / "build/test")).resolve()
    facts, rows = versions(build), counted(build)
    expected_facts, expected = ({}, {}) if update else read_file()
    flags = set(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M).group(1).split())
    lacks = not {"avx2", "fma"} <= flags
    if update and lacks:
        sys.exit("--update needs a processor with AVX2 and FMA")

    print("{:<26} {:<13} {:>10} {:>10} {:>8}".format("task", "arm", "now", "file", "ratio"))
    grown = []
    for row in [*rows, *(row for row in expected if row not in rows)]:
        now, before = rows.get(row), expected.get(row)
        known = now is not None and before is not None
        print("{:<26} {:<13} {:>10} {:>10} {:>8}".format(
            *row.split(), now if now is not None else "-", before if before is not None else "-",
            f"{now / before:.3f}" if known else ""))
        if not known or now > ALLOWED * before:
            grown.append(row)

    print("\nTimes, in one run:", flush=True)
    subprocess.run([build / "bin/bench_dynamics", "--quick"], check=True)
    if update:
        write_file(facts, rows)
        return 0
    reasons = [f"{name} is {facts[name]}, in the file {expected_facts.get(name)}"
               for name in facts if facts[name] != expected_facts.get(name)]
    if lacks:
        reasons.append("the processor lacks AVX2 or FMA")
    if reasons:
        print("\nNot held against the file: " + "; ".join(reasons))
        return 0
    if grown:
        print("\nMore than 2 % above the file, or not in both: " + "; ".join(grown) +
              "\nWhere that is meant: tests/bench/instruction_counts.py --update")
        return 1
    print("\nInstruction counts: none grew.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
