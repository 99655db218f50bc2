import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

PROGRAM = os.environ["ARMDYN_PROGRAM"]


@pytest.fixture
def shell(tmp_path):
    """Runs the program in a folder of its own; its standard output."""

    def run(*arguments, **files):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=tmp_path, capture_output=True,
                              text=True, check=False)
        assert done.returncode in files.get("codes", (0,)), done.stderr
        return done.stdout

    run.folder = tmp_path
    return run


def columns(csv, *prefixes):
    """Columns of a table in CSV, (N, n) for each prefix; a prefix that is a name: (N,)."""
    head, *rows = csv.strip().split("\n")
    names = head.split(",")
    values = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    found = []
    for prefix in prefixes:
        if prefix in names:
            found.append(values[:, names.index(prefix)])
            continue
        wanted = []
        while f"{prefix}{len(wanted) + 1}" in names:
            wanted.append(names.index(f"{prefix}{len(wanted) + 1}"))
        found.append(values[:, wanted])
    return found


def write_motion(path: Path, q, qd, qdd):
    n = q.shape[1]
    head = ",".join(f"{name}{k + 1}" for name in ("q", "qd", "qdd") for k in range(n))
    np.savetxt(path, np.hstack([q, qd, qdd]), delimiter=",", header=head, comments="", fmt="%.17g")


@pytest.fixture
def random():
    return np.random.default_rng(7)
