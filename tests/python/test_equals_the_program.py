"""Every function against the program's own output, bit for bit."""

import json
from pathlib import Path

import armdyn
import numpy as np
import pytest
from conftest import columns, write_motion

ROBOTS = ["puma560", "kuka-iiwa14", "stanford", "craig-rp", "franka-panda"]


def states(robot, random, rows=300):
    return (random.uniform(-1.2, 1.2, (rows, robot.dof)) for _ in range(3))


def equal(a, b):
    """Bits, but for the signs of zeros, which tables leave out."""
    np.testing.assert_array_equal(np.asarray(a) + 0.0, np.asarray(b) + 0.0)


def test_no_rows(random):
    robot = armdyn.Robot("puma560")
    q, qd, qdd = states(robot, random, 0)
    found = robot.torque(q, qd, qdd, reactions=True)
    assert found.tau.shape == (0, 6) and found.reactions.shape == (0, 6, 6)


def test_run_gives_the_rows_of_vary_as_its_method_does(shell, random):
    robot = armdyn.Robot("puma560")
    q, qd, qdd = states(robot, random, 20)
    write_motion(shell.folder / "motion.csv", q, qd, qdd)
    found = armdyn.run("vary", "puma560", shell.folder / "motion.csv", uncertainty="mass=5%", samples=3)
    assert "3 rows" in repr(found) and len(found.arms["sample"]) == 3


@pytest.mark.parametrize("name", ROBOTS)
def test_torque(name, shell, random):
    robot = armdyn.Robot(name)
    q, qd, qdd = states(robot, random)
    write_motion(shell.folder / "motion.csv", q, qd, qdd)
    tau, = columns(shell("torque", name, "motion.csv", "--quiet"), "tau")
    equal(robot.torque(q, qd, qdd), tau)
    for k in (0, 17, 299):
        equal(robot.torque(q[k], qd[k], qdd[k]), tau[k])
    for method in ("modified-newton-euler", "lagrange"):
        tau, = columns(shell("torque", name, "motion.csv", "--quiet", "--method", method), "tau")
        equal(robot.torque(q, qd, qdd, method=method), tau)


@pytest.mark.parametrize("name", ["puma560", "craig-rp"])
def test_torque_with_bounds_and_reactions(name, shell, random):
    robot = armdyn.Robot(name)
    q, qd, qdd = states(robot, random, 20)
    write_motion(shell.folder / "motion.csv", q, qd, qdd)
    csv = shell("torque", name, "motion.csv", "--bounds", "--reactions", "--payload", "1", "--quiet")
    found = robot.torque(q, qd, qdd, bounds=True, reactions=True, payload=1)
    assert type(found) is armdyn.Torques and found.options["bounds"] is True
    for prefix in ("tau", "tau_error"):
        equal(found[prefix], columns(csv, prefix)[0])
    assert (found.tau_error > 0).all() and found.reactions.shape == (20, robot.dof, 6)
    last = f"{robot.dof}"
    for k, (of, axis) in enumerate((of, axis) for of in "fn" for axis in "xyz"):
        equal(found.reactions[:, -1, k], columns(csv, of + last + axis)[0])
    one = robot.torque(q[3], qd[3], qdd[3], bounds=True, payload=1)
    equal(one.tau, found.tau[3:4])
    with pytest.raises(armdyn.InputError, match="missing column t; .* log_rate HZ is for rows"):
        robot.torque(q, bounds=True, derive=True)


@pytest.mark.parametrize("name", ROBOTS)
def test_matrices_and_vectors(name, shell, random):
    robot = armdyn.Robot(name)
    q, qd, qdd = states(robot, random, 20)
    write_motion(shell.folder / "motion.csv", q, qd, qdd)
    n = robot.dof
    csv = shell("inspect", name, "motion.csv", "--what", "T,J,M,V,G", "--quiet")
    V, G, M, J, R = columns(csv, "V", "G", "M1_", "J1_", "R1_")
    equal(robot.velocity_torque(q, qd), V)
    equal(robot.gravity_torque(q), G)
    equal(robot.velocity_torque(q[4], qd[4]), V[4])
    equal(robot.gravity_torque(q[4]), G[4])
    equal(robot.mass_matrix(q)[:, 0, :], M)
    equal(robot.jacobian(q)[:, 0, :], J)
    equal(robot.tcp_pose(q)[:, 0, :3], R)
    equal(robot.tcp_pose(q)[:, 0, 3], columns(csv, "x")[0])
    assert robot.mass_matrix(q).shape == (20, n, n)
    assert robot.jacobian(q[3]).shape == (6, n)


def test_terms_sum_to_the_torque(random):
    robot = armdyn.Robot("ur10e")
    q, qd, qdd = states(robot, random)
    wrench = random.uniform(-20, 20, (300, 6))
    parts = robot.torque(q, qd, qdd, wrench=wrench, terms=True)
    names = ["tau_" + part for part in ("inertia", "velocity", "gravity", "friction", "rotor", "wrench")]
    tau = robot.torque(q, qd, qdd, wrench=wrench)
    equal(parts.tau, tau)
    np.testing.assert_allclose(sum(parts[name] for name in names), tau, atol=1e-12 * np.abs(tau).max())
    one = robot.torque(q[5], qd[5], qdd[5], wrench=wrench[5], terms=True)
    for name in names:
        equal(one[name], parts[name][5:6])


def test_torques_are_an_array_unless_an_option_adds_to_them(random):
    robot = armdyn.Robot("puma560")
    q, qd, qdd = states(robot, random, 5)
    tau = robot.with_(payload=1).torque(q, qd, qdd)
    equal(robot.torque(q, qd, qdd, payload=1, terms=False), tau)
    equal(robot.torque(q[2], qd[2], qdd[2], payload=1), tau[2])
    assert robot.torque(q[2], qd[2], qdd[2], payload=1).shape == (6,)
    motion = robot.trajectory(from_="qz", to="qr", duration=0.1, rate=100)
    equal(robot.torque(motion, derive=True), robot.torque(motion))
    equal(robot.torque(motion, to_time=0.0), robot.torque(motion)[:1])
    with pytest.raises(armdyn.UsageError, match="no option 'term'"):
        robot.torque(q, qd, qdd, term=0)
    added = robot.torque(motion, terms=True, keep_motion=True, wrench=np.ones((len(motion.t), 6)))
    assert added.wrench.shape == (len(motion.t), 6) and added.tau_wrench.shape == motion.q.shape


@pytest.mark.parametrize("name", ROBOTS)
def test_acceleration_inverts_torque(name, random):
    robot = armdyn.Robot(name)
    q, qd, qdd = states(robot, random)
    wrench = random.uniform(-20, 20, (300, 6))
    tau = robot.torque(q, qd, qdd, wrench=wrench)
    found = robot.acceleration(q, qd, tau, wrench=wrench)
    np.testing.assert_allclose(found, qdd, atol=1e-8)
    for k in (0, 4, 299):
        one = robot.acceleration(q[k], qd[k], tau[k], wrench=wrench[k])
        assert one.shape == (robot.dof,)
        equal(one, found[k])


def test_edited_robots(shell, random):
    robot = armdyn.Robot("puma560")
    q, qd, qdd = states(robot, random)
    write_motion(shell.folder / "motion.csv", q, qd, qdd)
    edits = ["--gravity=0,0,-1.62", "--payload=2.5,0,0,0.05", "--without", "friction,rotors"]
    tau, = columns(shell("torque", "puma560", "motion.csv", "--quiet", *edits), "tau")
    moon = robot.with_(gravity=(0, 0, -1.62), payload=[2.5, 0, 0, 0.05],
                       without=["friction", "rotors"])
    equal(moon.torque(q, qd, qdd), tau)
    assert moon.gravity == (0.0, 0.0, -1.62)
    equal(moon.with_(gravity=(0, 0, -9.81)).gravity_torque(q),
          robot.with_(payload=[2.5, 0, 0, 0.05]).gravity_torque(q))


def test_set(shell):
    rr = armdyn.Robot("craig-rr").with_(set={"m2": 3}).with_(set={"l1": 0.6})
    np.testing.assert_allclose(rr.gravity_torque([0, 0]),
                               9.81 * np.array([7.6 * 0.6 + 3 * 0.5, 3 * 0.5]), rtol=1e-14)


def test_trajectory(shell):
    robot = armdyn.Robot("kuka-iiwa14")
    ends = [0.1, -0.2, 0.3, 0.4, 1 / 3, 0.6, 0.7]
    motion = robot.trajectory(np.zeros(7), ends, duration=1.5, profile="septic", rate=250)
    csv = shell("trajectory", "kuka-iiwa14", "--from", ",".join("0" * 7), "--to",
                ",".join(map(repr, ends)), "--duration", 1.5, "--profile", "septic", "--rate", 250,
                "--quiet")
    for found, expected in zip((motion.t, motion.q, motion.qd, motion.qdd),
                               columns(csv, "t", "q", "qd", "qdd")):
        equal(found, expected)


def test_slow_down():
    robot = armdyn.Robot("puma560").with_(payload=[20, 0, 0, 0.2])
    motion = robot.trajectory("qz", "qr", duration=0.5, rate=100)
    answer = robot.slow_down(motion.t, motion.q, motion.qd, motion.qdd)
    assert 0 < answer["factor"] < 1 and answer["binding"]["quantity"] == "torque"
    assert answer["duration"] == pytest.approx(0.5 / answer["factor"], rel=1e-12)
    slower = robot.trajectory("qz", "qr", duration=answer["duration"], rate=1000)
    limits = [97.6, 186.4, 89.4, 24.2, 20.1, 21.3]
    share = np.abs(robot.torque(slower.q, slower.qd, slower.qdd)) / limits
    assert 0.999 < share.max() < 1.0001
    with pytest.raises(ValueError, match="as many rows of each, found t .50,., q .51, 6."):
        robot.slow_down(motion.t[1:], motion.q, motion.qd, motion.qdd)


def test_optimized_excitation(shell):
    robot = armdyn.Robot("craig-rr")
    motion = robot.trajectory(excite=True, optimize=True, limits="2,6", rate=50)
    csv = shell("trajectory", "craig-rr", "--excite", "--optimize", "--limits", "2,6", "--rate", 50,
                "--quiet")
    for found, expected in zip((motion.t, motion.q, motion.qdd), columns(csv, "t", "q", "qdd")):
        equal(found, expected)
    assert motion.excitation["condition"] < motion.excitation["condition_random"]


def test_simulate(shell):
    robot = armdyn.Robot("craig-rr")
    run = robot.simulate([0.3, -0.1], [0.0, 1.0], duration=0.5, step=0.002)
    csv = shell("simulate", "craig-rr", "--q0", "0.3,-0.1", "--qd0", "0,1", "--duration", 0.5,
                "--step", 0.002, "--quiet")
    for found, expected in zip((run.t, run.q, run.qd, run.qdd, run.tau),
                               columns(csv, "t", "q", "qd", "qdd", "tau")):
        equal(found, expected)
    assert run.end == "complete"
    assert abs(run.energy["imbalance"]) < 1e-6


def test_simulate_under_torques_over_time(shell):
    robot = armdyn.Robot("puma560")
    motion = robot.trajectory(robot.poses["qz"], robot.poses["qr"], duration=1.0)
    tau = robot.torque(motion.q, motion.qd, motion.qdd)
    run = robot.simulate(motion.q[0], motion.qd[0], tau=(motion.t, tau))
    np.testing.assert_allclose(run.q[-1], motion.q[-1], atol=1e-4)
    table = np.column_stack([motion.t, tau])
    np.savetxt(shell.folder / "tau.csv", table, delimiter=",", comments="", fmt="%.17g",
               header="t," + ",".join(f"tau{k + 1}" for k in range(6)))
    start = ",".join(map(repr, motion.q[0].tolist()))
    csv = shell("simulate", "puma560", "tau.csv", "--q0", start, "--quiet")
    equal(run.q, columns(csv, "q")[0])


def test_simulate_batch(random):
    robot = armdyn.Robot("two-link-spong")
    q0, qd0 = random.uniform(-1, 1, (9, 2)), random.uniform(-1, 1, (9, 2))
    tau = random.uniform(-5, 5, (9, 2))
    batch = robot.simulate_batch(q0, qd0, tau=tau, duration=0.1)
    for k in range(9):
        run = robot.simulate(q0[k], qd0[k], tau=tau[k], duration=0.1)
        equal(batch.q[k], run.q[-1])
        equal(batch.qd[k], run.qd[-1])
        assert batch.end[k] == run.end


def without(answer, *keys):
    return {key: value for key, value in answer.items() if key not in keys}


def same(found, expected, where=""):
    """An answer against JSON; lists of numbers have become arrays."""
    if isinstance(expected, dict):
        assert set(found) == set(expected), where
        for key in expected:
            same(found[key], expected[key], f"{where}.{key}")
    elif isinstance(found, np.ndarray):
        equal(found, np.array(expected, float))
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for a, b in zip(found, expected):
            same(a, b, where + "[]")
    else:
        assert found == expected, where


def test_check(shell):
    expected = json.loads(shell("check", "ur5e", "--json", "--without", "rotors"))
    same(armdyn.Robot("ur5e").check(without="rotors"), expected)


def test_check_in_a_frame_and_about_a_line(shell):
    frame, line = [0.1, 0, 0.2, 0.3, 0, 0.4], [0, 0, 0.1, 1, 0, 0]
    asked = ["--frame", ",".join(map(str, frame)), "--line", ",".join(map(str, line))]
    expected = json.loads(shell("check", "ur3e", "--json", *asked))
    assert "inertia_in_frame" in expected["joints"][0]
    same(armdyn.Robot("ur3e").check(frame=frame, line=line), expected)


def test_inspect(shell):
    q, qd = [0.1, 0.2, -0.3, 0.4, 0.5, 0.6], [1, 2, 3, -1, -2, -3]
    state = ["--q", ",".join(map(str, q)), "--qd", ",".join(map(str, qd))]
    expected = json.loads(shell("inspect", "puma560", *state, "--linearize", "--json"))
    same(armdyn.Robot("puma560").inspect(q, qd, linearize=True), expected)


def test_size(shell):
    robot = armdyn.Robot("puma560")
    motion = robot.trajectory("qz", "qr", duration=2)
    shell("trajectory", "puma560", "--from", "qz", "--to", "qr", "--duration", "2", "-o", "m.csv",
          "--quiet")
    expected = json.loads(shell("size", "puma560", "m.csv", "--hold", "0.5", "--uncertainty", "mass=5%",
                              "--json"))
    found = robot.size(motion.t, motion.q, motion.qd, motion.qdd, hold=0.5,
                       uncertainty="mass=5%")
    assert found["cycle"] == 2.5
    del expected["options"]["motion"], found["options"]["motion"]
    same(found, expected)
    with pytest.raises(ValueError):
        robot.size(motion.t[1:], motion.q, motion.qd, motion.qdd)


def test_datasheet(shell):
    options = {"payload": 2, "boxes": 50, "what": "payload,accelerations,contact"}
    expected = json.loads(shell("datasheet", "ur5e", "--payload", "2", "--boxes", "50", "--what",
                                options["what"], "--json"))
    found = armdyn.Robot("ur5e").datasheet(**options)
    assert isinstance(found, armdyn.DataSheet)
    assert 0 < found.payloads[3]["guaranteed"] <= found.payloads[3]["found"]
    warning = expected.pop("warnings")[0]  # which names an option as each has it
    assert found["warnings"] == [warning.replace("--speed-share", "speed_share").replace("--boxes", "boxes")]
    same({key: value for key, value in found.items() if key != "warnings"}, expected)


def test_inspect_along_a_motion(shell, random):
    robot = armdyn.Robot("stanford")
    q, qd, qdd = states(robot, random, 7)
    write_motion(shell.folder / "motion.csv", q, qd, qdd)
    csv = shell("inspect", "stanford", "motion.csv", "--what", "T,M,G,condition", "--quiet")
    motion = armdyn.Motion(t=np.arange(7.0), q=q, qd=qd, qdd=qdd)
    found = robot.inspect(motion, what=["T", "M", "G", "condition"])
    assert found.M.shape == (7, 6, 6) and found.R.shape == (7, 3, 3) and found.x.shape == (7,)
    M, R, G, condition = columns(csv, "M6_", "R2_", "G", "condition")
    equal(found.M[:, 5], M)
    equal(found.R[:, 1], R)
    equal(found.G, G)
    equal(found.condition, condition)


def test_rows_that_a_torque_keeps(shell, random):
    robot = armdyn.Robot("craig-rr")
    q, qd, qdd = states(robot, random, 5)
    write_motion(shell.folder / "motion.csv", q, qd, qdd)
    csv = shell("torque", "craig-rr", "motion.csv", "--keep-motion", "--quiet")
    wrench = random.uniform(-1, 1, (5, 6))
    found = robot.torque(q, qd, qdd, keep_motion=True)
    for name in ("q", "qd", "qdd", "tau"):
        equal(found[name], columns(csv, name)[0])
    equal(robot.torque(q, qd, qdd, wrench=wrench, keep_motion=True).wrench, wrench)


def test_verbs_on_files(shell):
    path = Path(__file__).parent.parent / "data" / "bags" / "two.mcap"
    expected = json.loads(shell("check", path, "--json"))
    same(armdyn.run("check", path), expected)
    assert armdyn.run("new", "scara", types="RRPR").text == shell("new", "scara", "--types", "RRPR")
    motion = "puma560-pick-and-place"
    tau, = columns(shell("torque", "puma560", motion, "--payload", 1, "--quiet"), "tau")
    equal(armdyn.run("torque", "puma560", motion, payload=1).tau, tau)
    for call, wrong in ((lambda: armdyn.run("walk"), "there is no verb 'walk'"),
                        (lambda: armdyn.run("torque", "puma560"), "MOTION is missing; give a table")):
        with pytest.raises(armdyn.UsageError, match=wrong):
            call()


def test_several_logs_are_identified(shell):
    robot = armdyn.Robot("two-link-rods")
    logs = []
    for k, rates in enumerate(([1.3, 2.1], [1.1, 1.7], [0.9, 2.3])):
        t = np.arange(0, 6, 0.01)
        q = np.sin(np.outer(t, rates))
        qd, qdd = np.cos(np.outer(t, rates)) * rates, -q * np.square(rates)
        tau = robot.torque(q, qd, qdd) + 0.7 * qd
        logs.append(armdyn.Log(t=t, q=q, tau=tau))
        np.savetxt(shell.folder / f"{k}.csv", np.column_stack([t, q, tau]), delimiter=",",
                   header="t,q1,q2,tau1,tau2", comments="", fmt="%.17g")
    expected = json.loads(shell("identify", "two-link-rods", "0.csv", "1.csv", "--held-out", "2.csv",
                                "--json"))
    found = robot.identify(logs[:2], held_out=logs[2:])
    assert found.rows == expected["rows"] and found.held_out_rows == expected["held_out_rows"] > 0
    same(found.base_parameters, expected["base_parameters"])
    assert robot.identify(logs[:2], held_out=logs[2]).base_parameters == found.base_parameters


def test_equations(shell):
    robot = armdyn.Robot("craig-rr")
    found = robot.equations()
    assert str(found) == repr(found) == found.text == shell("equations", "craig-rr")
    assert found._repr_latex_() == found.latex == shell("equations", "craig-rr", "--format", "latex")
    assert str(robot.equations(format="latex")) == found.latex
    assert "friction" in armdyn.Robot("puma560").equations(what="torque").warnings[0]
    assert str(robot.equations(what="M", symbols="l1,m2")) == shell(
        "equations", "craig-rr", "--what", "M", "--symbols", "l1,m2")
    code = robot.equations(format="c", symbols="l1")
    assert code.latex is None
    assert code.text == shell("equations", "craig-rr", "--format", "c", "--symbols", "l1")
    assert str(robot.equations(prove=True)) == shell("equations", "craig-rr", "--prove")
    with pytest.raises(armdyn.Error, match="no number l9"):
        robot.equations(symbols="l9")


def test_warnings_of_a_sheet(tmp_path):
    sheet = tmp_path / "sheet.tex"
    sheet.write_text("Here $K = 3$ stands within a line.\n\\[ G_1 = 0 \\]\n")
    found = armdyn.Robot("craig-rr").equations(verify=sheet)
    assert "formulas in lines of text are not read: 1" in found.warnings[0]
    assert "G1  different, proved" in str(found)


def test_compare(shell):
    expected = json.loads(shell("compare", "stanford", "--samples", 50, "--seed", 3, "--json"))
    found = armdyn.Robot("stanford").compare(samples=50, seed=3)
    times = [key for key in expected if "second" in key or key in ("methods", "costs", "times")]
    same(without(found, *times), without(expected, *times))


def test_compare_along_a_motion(shell):
    shell("trajectory", "stanford", "--from", "0,0,0.4,0,0,0", "--to", "1,1,0.6,1,1,1", "--duration",
          "1", "--rate", "50", "--quiet", "-o", "m.csv")
    expected = json.loads(shell("compare", "stanford", "m.csv", "--json"))
    motion = armdyn.Robot("stanford").trajectory([0, 0, 0.4, 0, 0, 0], [1, 1, 0.6, 1, 1, 1],
                                                 duration=1, rate=50)
    found = armdyn.Robot("stanford").compare(motion)
    assert found.rows == expected["rows"] == 51
    same(without(found, "options", "costs"), without(expected, "options", "costs"))


def test_read_log_of_a_bag():
    robot = armdyn.Robot("ur5e")
    folder = Path(__file__).parent.parent / "data" / "bags"
    bag = armdyn.read_log(str(folder / "two.mcap"), robot, topic="/joint_states,/wrench")
    csv = armdyn.read_log(str(folder / "content.csv"), robot)
    for found, expected in zip((bag.q, bag.qd, bag.tau), (csv.q, csv.qd, csv.tau)):
        equal(found, expected[2:])  # the first wrench comes with the third row
    equal(bag.wrench[0], [2, 2.1, 2.2, 2.3, 2.4, 2.5])


def test_read_log(shell, random):
    robot = armdyn.Robot("craig-rr")
    t = np.arange(400) * 0.01
    q = np.column_stack([np.sin(t), 0.3 * np.cos(2 * t)])
    path = shell.folder / "log.csv"
    np.savetxt(path, np.column_stack([t, q]), delimiter=",", header="t,q1,q2", comments="",
               fmt="%.17g")
    log = armdyn.read_log(str(path), robot, derive=True)
    csv = shell("torque", "craig-rr", "log.csv", "--derive", "--keep-motion", "--quiet")
    t_of, q_of, qd_of, qdd_of = columns(csv, "t", "q", "qd", "qdd")
    for found, expected in ((log.t, t_of), (log.q, q_of), (log.qdd, qdd_of)):
        equal(found, expected)
    at_rest = qd_of == 0  # torque takes what the log cannot tell from rest for rest
    equal(log.qd[~at_rest], qd_of[~at_rest])
    assert np.all(np.abs(log.qd[at_rest]) < 1e-6)
    assert log.tau is None
    np.testing.assert_allclose(log.qd[:, 0], np.cos(t), atol=1e-4)
