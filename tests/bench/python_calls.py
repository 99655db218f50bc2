"""What a call from Python takes beside the C++ call: PUMA 560.

Usage: PYTHONPATH=build/test/lib/python3.11/dist-packages python3 python_calls.py BENCH_DYNAMICS
"""

import subprocess
import sys
import time

import armdyn
import numpy as np


def best_seconds(call, calls):
    best = float("inf")
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


table = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout


def cpp_nanoseconds(task):
    """Of a single call, and per row of a block."""
    lines = table.splitlines()
    names = next(line for line in lines if line.startswith("arm ")).split()[5:]
    row = next(line for line in lines if line.startswith("PUMA 560") and f" {task} " in line)
    figures = dict(zip(names, map(float, row.split()[4:])))
    return figures["armdyn"], min(figures[name] for name in ("sse2", "avx2", "avx512")
                                  if name in figures)


robot = armdyn.Robot("puma560")
rows = np.random.default_rng(1).uniform(-1, 1, (1000, 6))
columns, one = np.asfortranarray(rows), rows[0].copy()
for name, call, task in (("torque", lambda: robot.torque(one, one, one), "inverse"),
                         ("acceleration", lambda: robot.acceleration(one, one, one), "forward"),
                         ("gravity_torque", lambda: robot.gravity_torque(one), "inverse")):
    of_one, single = best_seconds(call, 1000) * 1e6, cpp_nanoseconds(task)[0] * 1e-3
    print(f"{name}, one row: {of_one:.2f} us, {of_one - single:.2f} us above the C++ call ({task})")
block = cpp_nanoseconds("inverse")[1]
for name, values in (("columns", columns), ("rows", rows)):
    seconds = best_seconds(lambda: robot.torque(values, values, values), 20)
    print(f"1000 rows, {name} one after the other: {seconds * 1e6:.1f} us, "
          f"{seconds * 1e9 / 1000 / block:.2f} of the C++ call")
