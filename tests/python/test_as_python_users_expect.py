"""Paths, copies, results as tables, the model's numbers, and verbs that need files elsewhere."""

import copy
import os
import pickle
import re
import resource
import subprocess
import sys
from pathlib import Path

import armdyn
import numpy as np
import pytest

ROBOTS = Path(__file__).parents[2] / "robots"
STATE = [0.1, 0.2, -0.3, 0.4, 0.5, 0.6], [1, 2, 3, -1, -2, -3], [1, 0, 0, 2, 0, 0]


def test_a_path_names_a_robot_and_a_log():
    robot = armdyn.Robot(ROBOTS / "puma560.yaml")
    np.testing.assert_array_equal(robot.torque(*STATE), armdyn.Robot("puma560").torque(*STATE))
    motion = ROBOTS / "motions" / "puma560-pick-and-place.csv"
    assert len(armdyn.read_log(motion, robot).t) == 2801


def test_the_version_is_the_programs():
    program = subprocess.run([os.environ["ARMDYN_PROGRAM"], "version"], capture_output=True,
                             text=True, check=True).stdout
    assert program == f"armdyn {armdyn.__version__}\n"


def test_the_module_is_the_program(tmp_path):
    for arguments in (["torque", "puma560", "puma560-pick-and-place"], ["check", "nothing.yaml"]):
        runs = [subprocess.run([*command, *arguments], capture_output=True, cwd=tmp_path, check=False)
                for command in ([os.environ["ARMDYN_PROGRAM"]], [sys.executable, "-m", "armdyn"])]
        assert runs[0].returncode == runs[1].returncode
        assert runs[0].stdout == runs[1].stdout
        assert runs[0].stderr == runs[1].stderr


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy,
                                   lambda robot: pickle.loads(pickle.dumps(robot))],
                         ids=["copy", "deepcopy", "pickle"])
def test_a_robot_is_copied_with_its_edits(again, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_bytes((ROBOTS / "craig-rr.yaml").read_bytes())
    robot = armdyn.Robot(path, gravity=[0, 0, -1]).with_(set={"m2": 3}, without="friction")
    found = again(robot)
    for torque in ("gravity_torque", "mass_matrix"):
        np.testing.assert_array_equal(getattr(found, torque)([0.3, 0.4]),
                                      getattr(robot, torque)([0.3, 0.4]))
    assert found.gravity == (0, 0, -1)


def test_a_robot_whose_file_has_changed_is_not_pickled(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_bytes((ROBOTS / "craig-rr.yaml").read_bytes())
    robot = armdyn.Robot(path)
    path.write_bytes((ROBOTS / "craig-rp.yaml").read_bytes())
    with pytest.raises(armdyn.FileError, match="has changed since"):
        pickle.dumps(robot)


def test_masked_entries_are_refused():
    robot = armdyn.Robot("puma560")
    q = np.ma.zeros((3, 6))
    assert robot.torque(q, q, q).shape == (3, 6)
    q[1, 2] = np.ma.masked
    with pytest.raises(TypeError, match="masked entries"):
        robot.torque(q, np.zeros((3, 6)), np.zeros((3, 6)))


def test_complex_numbers_are_refused():
    robot = armdyn.Robot("puma560")
    q = np.zeros(6, complex)
    with pytest.raises(TypeError, match="complex"):
        robot.gravity_torque(q)
    with pytest.raises(TypeError, match="complex"):
        robot.simulate(tau=(np.array([0, 1j]), np.zeros((2, 6))))
    for call in (lambda: robot.inspect(q), lambda: robot.trajectory(q, np.zeros(6), duration=1),
                 lambda: robot.inspect(list(q)), lambda: robot.with_(payload=np.complex64(1)),
                 lambda: robot.simulate(duration=1j), lambda: robot.with_(gravity=[0, 0, 1j])):
        with pytest.raises(TypeError, match="is complex; expected real numbers"):
            call()


def test_moments_and_durations_are_refused():
    robot = armdyn.Robot("craig-rr")
    motion = robot.trajectory([0, 0], [1, 1], duration=1)
    t = (motion.t * 1e3).astype("m8[ms]")
    for verb in (robot.size, robot.slow_down, robot.track):
        with pytest.raises(TypeError, match="expected real numbers"):
            verb(t, motion.q, motion.qd, motion.qdd)


def test_a_robot_in_one_line_is_a_text():
    line = ("{armdyn: 1, name: rod, convention: modified, joints: [{type: revolute, dh: {}, mass: 2, "
            "com: [0.5, 0, 0]}]}")
    robot = armdyn.Robot(line)
    assert robot.name == pickle.loads(pickle.dumps(robot)).name == "rod"
    assert armdyn.Robot(robot.convert("urdf").replace("\n", " ")).name == "rod"


@pytest.mark.parametrize("threads", [-1, 1025])
def test_threads_are_refused_for_one_row(threads):
    robot = armdyn.Robot("puma560")
    q = np.zeros(6)
    for call in (lambda: robot.torque(q, q, q, threads=threads),
                 lambda: robot.acceleration(q, q, q, threads=threads),
                 lambda: robot.velocity_torque(q, q, threads=threads),
                 lambda: robot.gravity_torque(q, threads=threads)):
        with pytest.raises(ValueError, match=f'found "{threads}"'):
            call()


def test_a_result_shows_its_rows():
    motion = armdyn.Robot("craig-rr").trajectory([0, 0], [1, 1], duration=1, rate=100)
    head, names, *rows = repr(motion).split("\n")
    assert "101 rows" in head
    assert names.split() == ["t", "q1", "q2", "qd1", "qd2", "qdd1", "qdd2"]
    assert len(rows) == 9 and rows[-1].split()[:3] == ["1", "1", "1"]


def test_a_result_is_a_frame():
    pandas = pytest.importorskip("pandas")
    motion = armdyn.Robot("craig-rr").trajectory([0, 0], [1, 1], duration=1, rate=100)
    frame = motion.to_frame()
    assert isinstance(frame, pandas.DataFrame) and frame.shape == (101, 7)
    np.testing.assert_array_equal(frame["q2"], motion.q[:, 1])


def test_help_has_no_words_of_the_command_line():
    for name in ("trajectory", "simulate", "compare", "check", "inspect", "size", "equations"):
        assert not re.search(r"--[a-z]", getattr(armdyn.Robot, name).__doc__), name


def test_joints_have_the_numbers_of_the_file():
    joint = armdyn.Robot("puma560").joints[1]
    np.testing.assert_array_equal(joint.inertia, joint.inertia.T)
    assert joint.inertia.shape == (3, 3) and joint.inertia[2, 2] > 0
    assert joint.motor["gear_ratio"] and joint.friction and joint.limits


def test_the_regressor_gives_the_torque(random):
    robot = armdyn.Robot("kuka-iiwa14")
    q, qd, qdd = random.uniform(-1, 1, (3, 20, robot.dof))
    Y, pi = robot.regressor(q, qd, qdd), np.array([*robot.dynamic_parameters.values()])
    assert Y.shape == (20, robot.dof, len(pi))
    tau = robot.torque(q, qd, qdd)
    np.testing.assert_allclose(Y @ pi, tau, atol=1e-12 * np.abs(tau).max())
    np.testing.assert_array_equal(robot.regressor(q[3], qd[3], qdd[3]), Y[3])


@pytest.fixture(scope="module")
def puma():
    robot = armdyn.Robot("puma560")
    motion = robot.trajectory("qz", "qr", duration=1, rate=100)
    return robot, (motion.t, motion.q, motion.qd, motion.qdd)


def test_track(puma):
    robot, motion = puma
    found = robot.track(*motion, controller="pd-gravity", kp=500, kv=50)
    assert found.e.shape == found.tau.shape == found.q.shape
    np.testing.assert_allclose(found.e[-1], motion[1][-1] - found.q[-1], atol=1e-12)
    exact = robot.track(*motion, sample_time=0)
    assert np.abs(exact.e).max() < 1e-4 < np.abs(found.e).max()
    heavy = robot.with_(payload=2.5).track(*motion, model_without="payload", sample_time=0)
    assert np.abs(heavy.e).max() > np.abs(exact.e).max()
    with pytest.raises(armdyn.UsageError, match="controller"):
        robot.track(*motion, controller="magic")


def test_gain_matrices_and_waypoints_are_arrays(tmp_path):
    robot = armdyn.Robot("craig-rr")
    waypoints = np.array([[0, 0], [0.3, -0.2], [1, 0.5]])
    motion = robot.trajectory(via=waypoints, duration=1, rate=100)
    assert all(np.abs(motion.q - q).sum(axis=1).min() < 1e-9 for q in waypoints)
    np.testing.assert_array_equal(robot.trajectory(via=waypoints.tolist(), duration=1, rate=100).q, motion.q)
    # e'' + Kv e' + Kp e = 0, a matrix exponential
    kp, kv, e0 = np.array([[100, 30], [30, 80]]), [[20, 3], [3, 18]], np.array([0.1, -0.2])
    found = robot.track(motion, kp=kp, kv=kv, q0=motion.q[0] - e0, sample_time=0, integrator="rkf78")
    values, vectors = np.linalg.eig(np.block([[np.zeros((2, 2)), np.eye(2)], [-kp, -np.array(kv)]]))
    start = np.linalg.solve(vectors, [*e0, 0, 0])
    expected = [(vectors @ (np.exp(values * t) * start)).real[:2] for t in found.t]
    np.testing.assert_allclose(found.e, expected, atol=1e-4)
    with pytest.raises(armdyn.UsageError, match="2×2 matrix"):
        robot.track(motion, kp=np.eye(3))


def test_vary(puma, tmp_path):
    robot, motion = puma
    found = robot.vary(*motion, uncertainty="mass=5%", samples=50, seed=2)
    assert found.samples == 50 and len(found.arms["sample"]) == 50
    again = robot.vary(*motion, uncertainty="mass=5%", samples=50, seed=2, threads=1)
    np.testing.assert_array_equal(found.arms["sample"], again.arms["sample"])
    written = {"uncertainty": "mass=5%", "samples": 5, "worst": tmp_path / "worst.yaml"}
    robot.vary(*motion, **written)
    with pytest.raises(armdyn.FileError, match="name another one, or replace it with force"):
        robot.vary(*motion, **written)
    assert robot.vary(*motion, **written, force=True).samples == 5


def test_convert(puma, monkeypatch):
    robot, (_, q, qd, qdd) = puma
    again = armdyn.Robot(robot.convert("yaml", convention="modified"))
    tau = robot.torque(q, qd, qdd)
    np.testing.assert_allclose(again.torque(q, qd, qdd), tau, atol=1e-12 * np.abs(tau).max())
    assert "<robot" in robot.convert("urdf")
    with pytest.raises(armdyn.UsageError, match="expected yaml, urdf or mjcf"):
        robot.convert("sdf")
    monkeypatch.setattr(armdyn._verbs, "_run", lambda *_: ({"states": 200}, None, {}))  # a failed proof
    with pytest.raises(armdyn.NumericsError, match="urdf: not the same arm at 200 random states"):
        robot.convert("urdf")


def test_identify_finds_the_friction():
    truth = armdyn.Robot("two-link-rods")
    t = np.arange(0, 8, 0.01)
    phase = np.outer(t, [1.3, 2.1])
    q = np.sin(phase)
    qd, qdd = np.cos(phase) * [1.3, 2.1], -q * np.square([1.3, 2.1])
    tau = truth.torque(q, qd, qdd) + 0.7 * qd + 0.3 * np.sign(qd)
    found = truth.identify(t, q, tau, friction="coulomb")
    assert found.robot.joints[0].friction["viscous"] == pytest.approx(0.7, rel=0.02)
    assert found.unexplained == []
    with pytest.raises(ValueError, match="as many rows"):
        truth.identify(t[1:], q, tau)


def test_identify_gives_no_robot_where_no_parameters_make_the_torques():
    robot = armdyn.Robot("two-link-rods")
    t = np.arange(0, 8, 0.01)
    phase = np.outer(t, [1.3, 2.1])
    q = np.sin(phase)
    exchanged = robot.torque(q, np.cos(phase) * [1.3, 2.1], -q * np.square([1.3, 2.1]))
    tau = exchanged[:, ::-1].copy()
    found = robot.identify(t, q, tau, as_given=True)
    assert found.robot is None
    assert found.unexplained == [joint.name for joint in robot.joints]
    assert any("No parameters" in text or "no parameters" in text for text in found.warnings)
    assert robot.identify(t, q, tau, as_given=True, force=True).robot is not None


def test_robots_of_texts_leave_no_files_open():
    text = (ROBOTS / "craig-rr.yaml").read_text()
    robot = armdyn.Robot(text)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        armdyn.Robot(text).with_(set={"m2": 3})
        pickle.loads(pickle.dumps(robot))
        with pytest.raises(armdyn.InputError, match="robot text"):
            armdyn.Robot(text + "\nnonsense: 1\n")
    assert len(os.listdir("/proc/self/fd")) == before
    copied = armdyn.Robot(text).with_(gravity=[0, 0, -1])  # whose first robot is gone
    assert copied.with_(set={"m2": 3}).mass_matrix([0, 0])[1, 1] == pytest.approx(
        armdyn.Robot("craig-rr", set={"m2": 3}).mass_matrix([0, 0])[1, 1])


def test_tolerances_of_parameters_are_sized():
    for robot in (armdyn.Robot("craig-rr"), armdyn.Robot((ROBOTS / "craig-rr.yaml").read_text())):
        robot = robot.with_(set={"m1": 2})
        motion = robot.trajectory([0, 0], [1, 1], duration=1, rate=100)
        found = robot.size(motion, uncertainty="m2=5%").tolerances
        heavy = robot.with_(set={"m2": 1.05 * 2.3})  # than which no arm needs more
        np.testing.assert_allclose([drive["found_peak"] for drive in found],
                                   np.abs(heavy.torque(motion)).max(axis=0), rtol=1e-9)


def test_a_robot_whose_file_has_changed_is_not_read_again(tmp_path):
    path = tmp_path / "mine.yaml"
    text = (ROBOTS / "craig-rr.yaml").read_text()
    path.write_text(text)
    robot = armdyn.Robot(path)
    assert robot.check() == robot.check()
    path.write_text(text.replace("4.6", "5.6"))
    for call in (lambda: robot.with_(set={"m2": 3}), robot.check):
        with pytest.raises(armdyn.FileError, match="has changed since"):
            call()
    np.testing.assert_array_equal(robot.with_(gravity=[0, 0, -1]).mass_matrix([0, 0]),
                                  armdyn.Robot("craig-rr").mass_matrix([0, 0]))


def test_parameters_may_be_set_anew():
    robot = armdyn.Robot("craig-rr", set={"m1": 2, "m2": 5}).with_(set={"m2": 3})
    np.testing.assert_array_equal(
        robot.mass_matrix([0.1, 0.2]),
        armdyn.Robot("craig-rr", set={"m1": 2, "m2": 3}).mass_matrix([0.1, 0.2]))
    with pytest.raises(armdyn.UsageError, match="set: m2 is given twice"):
        robot.with_(set="m2=3,m2=4")
    assert robot.with_(set=" m2 = 4").with_(set="m2=3").mass_matrix([0, 1]).tolist() == (
        robot.mass_matrix([0, 1]).tolist())


def test_positions_that_are_no_numbers_are_named():
    robot = armdyn.Robot("craig-rr")
    for entry in ([1, 2], None):
        with pytest.raises(TypeError, match="q has <class '.*'> as an entry; expected a number"):
            robot.inspect(q=[entry, 1])
    with pytest.raises(armdyn.UsageError, match="q needs a value"):
        robot.inspect(q=[])


def test_keywords_are_options():
    robot = armdyn.Robot("craig-rr")
    assert robot.with_(set={}).gravity == robot.gravity
    listing = armdyn.Robot("puma560").equations(format="listing", as_="paper-004")
    assert "AR" in str(listing)
    with pytest.raises(armdyn.UsageError, match="no option 'payload_'"):
        robot.with_(payload_=3)


def edited_answers(robot, motion, **edits):
    """Answers of all verbs, but for what names their options and differs from run to run."""
    t, q, qd, qdd = motion
    state = q[3], qd[3], qdd[3]
    yield robot.simulate(q[0], tau=(t, qdd), **edits)
    yield robot.simulate_batch(q[:3], duration=0.01, **edits)
    yield robot.inspect(*state, what=["M", "G", "tau"], **edits)
    yield robot.compare(samples=3, **edits)["reference"]
    yield robot.check(**edits)["joints"]
    yield robot.size(t, q, qd, qdd, **edits)["joints"]
    yield str(robot.equations(what="torque", format="python", **edits))
    yield robot.track(t, q, qd, qdd, **edits).tau
    yield robot.vary(t, q, qd, qdd, uncertainty="mass=5%", samples=3, **edits)["arms"]


@pytest.mark.parametrize("edits", [{"payload": (2, 0, 0, 0.1)}, {"gravity": [0, -1.6, 0]},
                                   {"without": "gravity"}, {"set": {"m2": 3}}])
def test_edits_among_the_keywords_of_a_verb_are_those_of_the_robot(edits):
    robot = armdyn.Robot("craig-rr", payload=1)
    motion = tuple(robot.trajectory([0, 0], [1, 2], duration=0.1, rate=100).values())[:4]
    same = armdyn._result._is_same
    for was, given, edited in zip(edited_answers(robot, motion),
                                  edited_answers(robot, motion, **edits),
                                  edited_answers(robot.with_(**edits), motion)):
        assert same(*({k: v for k, v in a.items() if k not in ("options", "robot")}
                      if hasattr(a, "items") else a for a in (given, edited)))
        assert not same(given, was)


def test_rows_have_the_joints_of_the_chain_that_a_keyword_chooses(tmp_path):
    path = tmp_path / "rr.urdf"
    path.write_text(armdyn.Robot("craig-rr").convert("urdf"))
    robot = armdyn.Robot(str(path))
    first = robot.joints[0].name
    tip = re.search(rf'<joint name="{first}".*?<child link="([^"]*)"', path.read_text(), re.S)[1]
    one = robot.with_(tip=tip)
    motion = tuple(one.trajectory([0], [1], duration=0.1, rate=100).values())[:4]
    assert one.dof == 1
    assert np.array_equal(robot.track(*motion, tip=tip).tau, one.track(*motion).tau)
    arms = [it.vary(*motion, samples=3, uncertainty="mass=5%", **edit)["arms"]
            for it, edit in ((robot, {"tip": tip}), (one, {}))]
    assert armdyn._result._is_same(*arms)


def test_none_and_false_are_no_options(puma):
    robot, motion = puma
    assert robot.size(*motion, derive=False, window=None)["joints"]


def test_numbers_of_other_libraries_are_numbers(puma):
    class Scalar:
        dtype = object()

        def __float__(self):
            return 0.1

    robot, _ = puma
    assert robot.trajectory("qz", "qr", duration=Scalar()).t[-1] == 0.1


def test_true_is_of_flags_alone(puma):
    robot, motion = puma
    assert robot.check(strict=True).options["strict"] and not robot.check(strict=False).options["strict"]
    for call, name in ((lambda: robot.trajectory("qz", "qr", duration=True), "duration"),
                       (lambda: robot.inspect("qz", what=True), "what"),
                       (lambda: robot.with_(without=True), "without"),
                       (lambda: robot.track(*motion, kp=True), "kp"),
                       (lambda: robot.vary(*motion, uncertainty=True), "uncertainty")):
        with pytest.raises(armdyn.UsageError, match=f'^{name}: found "true"'):
            call()


OF_ONE_RUN = {"q0": [0] * 6, "qd0": [0] * 6, "every": 2, "estimate_error": True,
              "interpolation": "hold"}


def test_options_of_logs_are_keywords_where_a_table_is_read(puma):
    robot, motion = puma
    t, q, _, _ = motion
    found = robot.size(t, q, derive=True, window=0.1, from_time=0.2)
    assert found.options["derive"] and found.input["outside"] == 20
    tau = robot.torque(armdyn.Motion(t=t, q=q), derive=True, keep_motion=True, resample=50)
    assert len(tau.t) == 51 and np.abs(tau.qd[1:-1] - motion[2][2:-2:2]).max() < 0.05
    for call in (lambda: robot.inspect(q[0], derive=True), lambda: robot.compare(samples=2, log_rate=9)):
        with pytest.raises(armdyn.UsageError, match="without MOTION there is no log to read"):
            call()


def test_a_verb_without_words_of_its_own_is_a_method(puma):
    robot, motion = puma
    verbs = armdyn._verbs
    method = verbs._of_robot(verbs._of_motion("size", "Purpose"))
    assert method(robot, *motion, hold=1, payload=1) == robot.size(*motion, hold=1, payload=1)
    assert method.__doc__.startswith("Purpose\n\nKeywords:\n") and "    hold: " in method.__doc__


def test_options_of_files_are_no_keywords(puma):
    robot, motion = puma
    for call, options in (
            (lambda **more: robot.simulate(duration=0.01, **more), {"stepwise": True, "part": "1/2"}),
            (lambda **more: robot.vary(*motion, uncertainty="mass=5%", **more), {"part": "1/2"}),
            (lambda **more: robot.simulate_batch(motion[1], duration=0.01, **more), OF_ONE_RUN),
            (robot.equations, {"check": True})):
        for name, value in options.items():
            with pytest.raises(armdyn.UsageError, match=f"there is no option '{name}'"):
                call(**{name: value})


def test_a_text_that_no_file_can_hold_is_an_error():
    text = (ROBOTS / "craig-rr.yaml").read_text()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        with pytest.raises(armdyn.FileError, match="text of a robot: Too many open files"):
            armdyn.Robot(text)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert armdyn.Robot(text).dof == 2


def test_the_sizes_of_caches_that_eigen_goes_by_are_not_shared_with_other_modules():
    names = subprocess.run(["nm", "-D", "-C", "--defined-only", armdyn._core.__file__], check=True,
                           capture_output=True, text=True).stdout
    assert "PyInit__core" in names
    assert "Eigen" not in names


def test_warnings_come_with_the_result():
    robot = armdyn.Robot("craig-rr")
    coarse, held = robot.simulate([0, 0], tau=([0, 0.5], np.zeros((2, 2))), duration=1,
                                  step=0.2).warnings
    assert coarse.endswith(", or integrator dopri5")
    assert held == "the last torque, of t = 0.5 s, is held to t = 1 s"
    assert robot.simulate([0, 0], duration=0.1).warnings == []
    motion = robot.trajectory([0, 0], [1, 0.5], duration=1, rate=100)
    assert ", max_error allows 1e-09 rad" in robot.track(motion, max_error=1e-9).warnings[0]
    puma = armdyn.Robot("puma560")
    motion = puma.trajectory([0] * 6, [90, 0, 0, 0, 0, 0], duration=1, rate=50)
    assert "waist" in motion.warnings[0] and "outside its limits" in "".join(motion.warnings)


def test_messages_have_keywords_in_place_of_options(tmp_path):
    robot = armdyn.Robot("craig-rr")
    log = tmp_path / "--my--log.csv"
    log.write_text("t,q1,q2\n0,0,0\n1,0,0\n")
    for wrong, message in (({"window": -5}, "^window: found"), ({"log_rate": 5}, "/--my--log.csv: has t; log_rate is"),
                           ({"columns": "x=q1"}, "/--my--log.csv:1: columns: \"x\" is none of")):
        with pytest.raises(ValueError, match=message):
            armdyn.read_log(log, robot, **wrong)
    with pytest.raises(armdyn.UsageError, match="^gravity: found"):
        armdyn.Robot("craig-rr", gravity="x")
    with pytest.raises(armdyn.UsageError, match='^gravity: found "--5"'):
        armdyn.Robot("craig-rr", gravity="--5")
    with pytest.raises(armdyn.FileError, match="a_--b.yaml"):
        armdyn.Robot("a_--b.yaml")
    still = [[0.0, 0.0]] * 3
    with pytest.raises(armdyn.UsageError, match="^controller: found"):
        robot.track([0.0, 0.1, 0.2], still, still, still, controller="x")
    with pytest.raises(armdyn.UsageError, match="^there is no option 'help'"):
        robot.track([0.0, 0.1, 0.2], still, still, still, help=True)
    with pytest.raises(ValueError, match="armdyn torque --derive --keep-motion computes qd and qdd"):
        robot.track([0.0, 0.1, 0.2], still)
    with pytest.raises(armdyn.UsageError, match="^there is no option 'x_y'"):
        robot.track([0.0, 0.1, 0.2], still, still, still, x_y=1)
    with pytest.raises(ValueError, match="needs from_ and to.*; armdyn trajectory --help shows"):
        robot.trajectory()
    outside = armdyn.Robot("puma560").simulate(q0=[10] * 6, duration=0.1)
    assert "--" not in outside.message
    with pytest.raises(ValueError, match="max_rows"):
        robot.simulate(duration=1e300)
