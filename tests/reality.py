#!/usr/bin/env python3
"""How far shipped and identified arms are from the torques of real ones: the table of docs/reality.md.

    tests/reality.py ARMDYN LOGS

ARMDYN is the program, LOGS the folder of the public logs, which are no part of armdyn. Of each log
the residual over the torque about its mean, in %, joint 1 to n: on the rows where the joint moves,
and on all rows, where static friction takes up what it can of a joint at rest.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

UR10E = ["--no-header", "--columns", "t=1,q={2..7},tau={26..31}"]
PANDA = "q=position_fer_joint{1..7},tau=effort_fer_joint{1..7}"


def logs_of(folder):
    """Arm, name, log, options, and whether the arm is fitted to it."""
    panda = {k: f"{folder}/panda/exciting_traj_{name}.txt"
             for k, name in (("t", "time"), ("q", "positions"), ("tau", "torques"))}
    panda = ",".join(f"{k}={path}" for k, path in panda.items())
    panda_options = ["--gaps", "bridge", "--window", "0.24"]
    tx40 = f"q={folder}/tx40/pos_read_data.csv,tau={folder}/tx40/curr_data.csv"
    tx40_options = ["--log-rate", "5000", "--motor-side", "--window", "0.1"]
    bags = f"{folder}/rosbag2"
    ur10 = f"{bags}/ur10_exciting_trajectory.db3"
    yield "franka-panda", "Trajectory_1, first half", panda, panda_options + ["--to-time", "10.5"], True
    yield "franka-panda", "Trajectory_1, second half", panda, panda_options + ["--from-time", "10.5"], False
    yield ("franka-panda", "panda_exciting_trajectory.db3", f"{bags}/panda_exciting_trajectory.db3",
           ["--columns", PANDA], False)
    yield "ur10", "ur10_exciting_trajectory.db3, first half", ur10, ["--to-time", "13.8"], True
    yield "ur10", "ur10_exciting_trajectory.db3, second half", ur10, ["--from-time", "13.8"], False
    for name, fitted, window in (("20_02_10-30sec_12harm", True, []), ("20_01_31-unload", False, []),
                                 ("20_01_31-load", False, []),
                                 ("20_01_22-joint_6", False, ["--window", "0.3"])):
        yield "ur10e", f"ur-{name}", f"{folder}/ur10e/ur-{name}.csv", UR10E + window, fitted
    yield "staubli-tx40", "first half", tx40, tx40_options + ["--to-time", "4.5"], True
    yield "staubli-tx40", "second half", tx40, tx40_options + ["--from-time", "4.5"], False


def identify(program, robot, log, options):
    """The answer, or why there is none."""
    command = [program, "identify", robot, log, "--json", "--as-given", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode in (0, 1):
        return json.loads(done.stdout), ""
    return None, (done.stdout + done.stderr).strip().splitlines()[-1]


def residuals(program, robot, log, options):
    answer, why = identify(program, robot, log, [*options, "--held-out", log])
    if answer is None:
        return None, why
    def percent(key):
        return " ".join("–" if joint[key] is None else
                        f"{100 * joint[key]:{'.2g' if joint[key] < 0.995 else '.0f'}}"
                        for joint in answer["joints"])
    return [percent("held_out_moving_before"), percent("held_out_all_before")], ""


def main():
    program, folder = sys.argv[1], sys.argv[2]
    print("| arm | log | shipped: moving | all rows | identified: moving | all rows |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        for arm, name, log, options, is_fitted in logs_of(folder):
            found = Path(scratch) / f"{arm}.yaml"
            if is_fitted:
                identify(program, arm, log, [*options, "--held-out", log, "-o", str(found)])
            cells = []
            for robot in (arm, str(found)):
                values, why = residuals(program, robot, log, options)
                cells += values or ["", why.split(": ")[-1]]
            fitted = ", fitted" if is_fitted else ""
            print(f"| {arm} | {name}{fitted} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
