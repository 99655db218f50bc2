"""What a call from Python takes beside the C++ call: PUMA 560, inverse dynamics.

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


def cpp_nanoseconds(bench):
    """Of a single call, and per row of a block."""
    table = subprocess.run([bench], capture_output=True, text=True, check=True).stdout
    row = next(line for line in table.splitlines() if line.startswith("PUMA 560") and "inverse" in line)
    figures = [float(word) for word in row.split()[4:] if word.replace(".", "").isdigit()]
    return figures[0], min(figures[1:])


robot = armdyn.Robot("puma560")
rows = np.random.default_rng(1).uniform(-1, 1, (1000, 6))
columns, one = np.asfortranarray(rows), rows[0].copy()
single, block = cpp_nanoseconds(sys.argv[1])
of_one = best_seconds(lambda: robot.torque(one, one, one), 1000)
print(f"one row: {of_one * 1e6:.2f} us, {of_one * 1e6 - single * 1e-3:.2f} us above the C++ call")
for name, values in (("columns", columns), ("rows", rows)):
    seconds = best_seconds(lambda: robot.torque(values, values, values), 20)
    print(f"1000 rows, {name} one after the other: {seconds * 1e6:.1f} us, "
          f"{seconds * 1e9 / 1000 / block:.2f} of the C++ call")
