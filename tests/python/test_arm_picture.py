"""check --plot: what gnuplot is given to draw. Another program of its name keeps it."""

import os
import re
import subprocess

import numpy as np
from conftest import PROGRAM

import armdyn


def drawn(folder, robot):
    """Points of each curve of each panel, NaN in gaps, and the texts."""
    (folder / "gnuplot").write_text(f"#!/bin/sh\ncat > {folder}/script\necho '</svg>'\n")
    (folder / "gnuplot").chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    subprocess.run([PROGRAM, "check", robot, "--plot", "arm.svg", "-o", "said"], cwd=folder,
                   env=environment, check=True, capture_output=True)
    script = (folder / "script").read_text()
    blocks = re.findall(r"^\$\w+ << END\n(.*?)^END$", script, re.M | re.S)
    points = [np.array([[float(x) for x in line.split()] if line else [np.nan] * 2
                        for line in block.split("\n")[:-1]]) for block in blocks]
    return points, script


def test_both_views_end_at_the_hand(tmp_path):
    for robot in ("puma560", "ur5e", "craig-rr", "stanford"):
        points, _ = drawn(tmp_path, robot)
        tcp = armdyn.Robot(robot).tcp_pose(np.zeros(armdyn.Robot(robot).dof))[:3, 3]
        views = len(points) // 2
        for links, seen in ((points[1], tcp[[0, 2]]), (points[views + 1], tcp[[0, 1]])):
            ends = links[~np.isnan(links[:, 0])]
            np.testing.assert_allclose(ends[-1], seen, atol=1e-12)
            np.testing.assert_allclose(ends[0], 0, atol=1e-12)


def test_lengths_are_those_of_the_table(tmp_path):
    _, script = drawn(tmp_path, "puma560")
    notes = re.findall(r"set label '([ad] [0-9.]+)'", script)
    assert sorted(set(notes)) == ["a 0.0203", "a 0.4318", "d 0.15005", "d 0.4318"]
    # Lengths along x are seen from both sides, one along y or z from one.
    assert len(notes) == 2 * 2 + 2
