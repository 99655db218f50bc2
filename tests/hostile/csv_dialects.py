#!/usr/bin/env python3
"""Tables in dialects of CSV drawn at random are read as Python's csv reads them, to the bit.

Python's csv writes each table and reads it again; armdyn reads it too and hands its motion on. Both
must have the same numbers, whatever separator, quotes, line ends, blanks and texts beside them.

  csv_dialects.py ARMDYN [--draws 200] [--seed 1]
"""

import argparse
import csv
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

NAMES = ["q1", "q2", "qd1", "qd2", "qdd1", "qdd2"]
NOTES = ["", "plain", "with, comma", "with; semicolon", 'a "quoted" word', "two  blanks", "tab\there", "1,5", "a|b"]


def number(draw):
    if draw.random() < 0.2:
        return draw.choice([0.0, -0.0, 1.0, -1e-300, 5e-324, 1e8, 0.1, 123456789.123])
    if draw.random() < 0.5:
        return draw.uniform(-10, 10)
    while True:
        found = struct.unpack("<d", struct.pack("<Q", draw.getrandbits(64)))[0]
        if abs(found) < 1e8:
            return found


def written(draw, value):
    texts = [repr(value), f"{value:.17g}", f"{value:.20e}", f"+{value!r}" if value >= 0 and str(value)[0] != "-" else repr(value)]
    return draw.choice(texts)


def drawn_table(draw):
    """A dialect, and the text of a table in it, as Python's csv writes it."""
    separator = draw.choice(",;\t|")
    options = {
        "delimiter": separator,
        "quoting": draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        "lineterminator": draw.choice(["\n", "\r\n"]),
    }
    names = NAMES + (["note"] if draw.random() < 0.5 else [])
    draw.shuffle(names)
    rows = [names]
    for _ in range(draw.randint(1, 20)):
        rows.append([draw.choice(NOTES) if name == "note" else written(draw, number(draw)) for name in names])
    path = Path("table.csv")
    with path.open("w", newline="", encoding="utf-8-sig" if draw.random() < 0.2 else "utf-8") as file:
        csv.writer(file, **options).writerows(rows)
    text = path.read_bytes()
    if draw.random() < 0.3:  # without the last line end
        text = text.rstrip(b"\r\n")
    if draw.random() < 0.3 and options["quoting"] == csv.QUOTE_MINIMAL and "note" not in names:
        text = text.replace(separator.encode(), separator.encode() + b" ")
        options["skipinitialspace"] = True
    path.write_bytes(text)
    return options, path


def read_by_python(options, path):
    with path.open(newline="", encoding="utf-8-sig") as file:
        header, *rows = csv.reader(file, **options)
    return np.array([[float(row[header.index(name)]) for name in NAMES] for row in rows])


def read_by_armdyn(armdyn, path):
    command = [armdyn, "torque", "craig-rr", path, "--keep-motion", "--ignore-extra", "--quiet", "-o", "out.npy"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        return done.stdout
    table = np.load("out.npy")
    return np.stack([table[name] for name in NAMES], axis=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("armdyn")
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    armdyn = Path(arguments.armdyn).resolve()
    draw = random.Random(arguments.seed)
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for k in range(arguments.draws):
            options, path = drawn_table(draw)
            expected, found = read_by_python(options, path), read_by_armdyn(armdyn, path)
            if isinstance(found, str) or expected.shape != found.shape or not np.array_equal(expected, found):
                differ += 1
                print(f"draw {k}, {options}:\n{path.read_text()}\n{found}")
        os.chdir("/")
    print(f"{arguments.draws} tables, {differ} read otherwise")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
