#!/usr/bin/env python3
"""Writes the logs beside it: one motion of six joints, in the words of each kind of log.

q_i(t) = a_i + b_i sin(w_i t + p_i), with its exact derivatives, every 10 ms for 0.6 s; "measured"
torque c_i cos(w_i t). The joints are those of the shipped ur5e. All logs hold the same doubles.
"""
import math
from pathlib import Path

HERE = Path(__file__).parent
N = 6
JOINTS = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
A = [0.2, -1.3, 1.1, -0.7, 0.4, 0.0]
B = [0.5, 0.3, 0.4, 0.6, 0.2, 0.7]
W = [2.0, 3.0, 2.5, 4.0, 5.0, 3.5]
P = [0.0, 0.3, 0.6, 0.9, 1.2, 1.5]
ROWS = 61
EPOCH = 1_600_000_000_123_456_789  # ns


def row(k):
    t = k / 100
    a = [W[i] * t + P[i] for i in range(N)]
    return {
        "t": t, "k": k,
        "q": [A[i] + B[i] * math.sin(a[i]) for i in range(N)],
        "qd": [B[i] * W[i] * math.cos(a[i]) for i in range(N)],
        "qdd": [-B[i] * W[i] ** 2 * math.sin(a[i]) for i in range(N)],
        "tau": [(10 - i) * math.cos(W[i] * t) for i in range(N)],
    }


MOTION = [row(k) for k in range(ROWS)]


def write(name, header, line, separator=",", comma=False):
    def text(x):
        x = x if isinstance(x, str) else repr(x)
        return x.replace(".", ",") if comma else x
    with open(HERE / name, "w", encoding="utf-8") as out:
        if header:
            out.write(separator.join(header) + "\n")
        for r in MOTION:
            out.write(separator.join(text(x) for x in line(r)) + "\n")


def numbered(form, first=0):
    return [form.format(i + first) for i in range(N)]


def all_of(r, order=range(N)):
    return [r[name][i] for name in ("q", "qd", "qdd", "tau") for i in order]


def stamp(r):
    return r["t"]


plain = ["t"] + [x for g in ("q{}", "qd{}", "qdd{}", "tau{}") for x in numbered(g, 1)]
write("plain.csv", plain, lambda r: [stamp(r)] + all_of(r))
write("plain_from_zero.csv", ["time"] + [x for g in ("q{}", "qd{}", "qdd{}", "tau{}") for x in numbered(g)],
      lambda r: [stamp(r)] + all_of(r))
write("semicolons_decimal_commas.csv", plain, lambda r: [stamp(r)] + all_of(r), ";", True)
write("tabs_decimal_commas.csv", plain, lambda r: [stamp(r)] + all_of(r), "\t", True)
write("blanks.csv", plain, lambda r: [stamp(r)] + all_of(r), "  ")
write("no_header.csv", None, lambda r: [stamp(r)] + r["q"] + r["qd"] + r["qdd"])
write("pos_vel_acc.csv", ["time"] + [x for g in ("pos{}", "vel{}", "acc{}", "torque{}") for x in numbered(g, 1)] + ["mode"],
      lambda r: [stamp(r)] + all_of(r) + ["auto"])
by_name = [2, 0, 1, 3, 4, 5]  # alphabetic, as a publisher of joint states sends them
write("position_of_joints.csv",
      ["time"] + [f"{g}_{JOINTS[i]}" for g in ("position", "velocity", "acceleration", "effort") for i in by_name],
      lambda r: [stamp(r)] + all_of(r, by_name))
write("rostopic_echo.csv",
      ["%time", "field.header.seq", "field.header.stamp", "field.header.frame_id"] + numbered("field.name{}")
      + [x for g in ("position", "velocity", "effort") for x in numbered("field." + g + "{}")],
      lambda r: [str(EPOCH + r["k"] * 10_000_000), str(r["k"]), str(EPOCH + r["k"] * 10_000_000 - 999), ""]
      + [JOINTS[i] + "_joint" for i in by_name]
      + [r[g][i] for g in ("q", "qd", "tau") for i in by_name])
write("plotjuggler.csv",
      ["__time"] + [f"/joint_states/{JOINTS[i]}_joint/{g}" for i in by_name for g in ("effort", "position", "velocity")]
      + ["/joint_states/header/seq"],
      lambda r: [f"{(EPOCH + r['k'] * 10_000_000) // 10**9}.{(EPOCH + r['k'] * 10_000_000) % 10**9:09d}"]
      + [r[g][i] for i in by_name for g in ("tau", "q", "qd")] + [str(r["k"])])
write("ur_rtde.csv",
      ["timestamp"] + [x for g in ("target_q_{}", "target_qd_{}", "target_qdd_{}", "target_moment_{}", "actual_q_{}",
                                   "actual_qd_{}", "actual_current_{}") for x in numbered(g)],
      lambda r: [4711.25 + r["t"]] + [9.0] * 12 + r["qdd"] + r["tau"] + r["q"] + r["qd"] + [7.0] * 6, " ")
write("libfranka.csv",
      ["time", " success_rate"] + numbered("state.q[{}]") + numbered("state.q_d[{}]") + numbered("state.dq[{}]")
      + numbered("state.dq_d[{}]") + numbered("state.tau_J[{}]") + numbered("state.tau_ext_hat_filtered[{}]"),
      lambda r: [str(10 * r["k"]), "1"] + r["q"] + [9.0] * 6 + r["qd"] + [9.0] * 6 + r["tau"] + [0.0] * 6)
arm = "LBR_iiwa_7_R800_1"
write("kuka_sunrise.csv",
      ["ZeitInSec", "ZeitInNanoSec"] + numbered("axisQMsr_" + arm + "[{}]") + numbered("axisTauMsr_" + arm + "[{}]"),
      lambda r: [str((EPOCH + r["k"] * 10_000_000) // 10**9), str((EPOCH + r["k"] * 10_000_000) % 10**9)]
      + r["q"] + r["tau"], " ")
write("kuka_axes.csv", ["time"] + numbered("A{}", 1), lambda r: [stamp(r)] + [math.degrees(x) for x in r["q"]], ";")
write("own_words.csv", ["clock[ms]"] + [x for g in ("enc_{}", "rate_{}", "jerk_free_acc_{}") for x in numbered(g, 11)],
      lambda r: [10 * r["k"]] + r["q"] + r["qd"] + r["qdd"])
