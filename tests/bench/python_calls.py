"""Processor time of a call from Python beside that of the C++ call, PUMA 560, as a table in Markdown.

Usage: PYTHONPATH=build/test/lib/python3.11/dist-packages python3 python_calls.py BENCH_DYNAMICS
"""

import subprocess
import sys
import time

import armdyn
import numpy as np


def best_microseconds(call, calls):
    best = float("inf")
    for _ in range(40):
        start = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, (time.process_time() - start) / calls)
    return best * 1e6


lines = subprocess.run([sys.argv[1], "PUMA 560"], capture_output=True, text=True, check=True).stdout
table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines.splitlines() if line[:1] == "|"]


def cpp_microseconds(task, of_blocks):
    """Of a single call, or per row of the fastest blocks."""
    row = next(row for row in table if row[1] == task)
    return min(float(cell.replace(" ", "")) for name, cell in zip(table[0], row)
               if (name.endswith(" blocks") if of_blocks else name == "single call")) * 1e-3


robot = armdyn.Robot("puma560", without=["friction", "rotors"])  # as in bench_dynamics
rows = np.random.default_rng(1).uniform(-1, 1, (1000, 6))
columns, one = np.asfortranarray(rows), rows[0].copy()
cases = [(f"`{name}`, one row", call, 1000, cpp_microseconds(task, False))
         for name, call, task in (("torque", lambda: robot.torque(one, one, one), "inverse"),
                                  ("acceleration", lambda: robot.acceleration(one, one, one), "forward"),
                                  ("gravity_torque", lambda: robot.gravity_torque(one), "inverse"))]
cases += [(f"`torque`, 1000 rows, {name} one after the other",
           lambda values=values: robot.torque(values, values, values, threads=1), 20,
           1000 * cpp_microseconds("inverse", True))
          for name, values in (("columns (Fortran order)", columns), ("rows", rows))]
print("| call | Python, µs | C++, µs | difference | ratio |\n| --- | --- | --- | --- | --- |")
for name, call, calls, cpp in cases:
    python = best_microseconds(call, calls)
    print(f"| {name} | {python:.2f} | {cpp:.2f} | {python - cpp:.2f} | {python / cpp:.2f} |")
