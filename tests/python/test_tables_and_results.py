"""Frames and results in place of arrays; results as records."""

import copy
import dataclasses
import datetime
import functools
import pickle
import tempfile
import warnings

import armdyn
import numpy as np
import pytest


class Frame:
    """What frames of pandas and polars have in common."""

    def __init__(self, columns):
        self._columns = dict(columns)

    @property
    def columns(self):
        return list(self._columns)

    def __getitem__(self, name):
        return self._columns[name]


def of_library(name):
    return lambda columns: pytest.importorskip(name).DataFrame(dict(columns))


FRAMES = pytest.mark.parametrize("frame", [Frame, of_library("pandas"), of_library("polars")],
                                 ids=["fake", "pandas", "polars"])


@pytest.fixture(scope="module")
def robot():
    return armdyn.Robot("puma560")


@pytest.fixture(scope="module")
def motion(robot):
    return robot.trajectory("qz", "qr", duration=1, rate=100)


def columns_of(motion, *names):
    columns = {"t": motion.t} if "t" in names else {}
    for name in names:
        if name != "t":
            columns.update((f"{name}{k + 1}", column) for k, column in enumerate(motion[name].T))
    return columns


@FRAMES
def test_columns_are_known_by_their_names(robot, motion, frame):
    columns = columns_of(motion, "qdd", "t", "q", "qd")
    backwards = frame(reversed(columns.items()))
    expected = robot.torque(motion.q, motion.qd, motion.qdd)
    np.testing.assert_array_equal(robot.torque(backwards), expected)
    np.testing.assert_array_equal(robot.mass_matrix(backwards), robot.mass_matrix(motion.q))
    np.testing.assert_array_equal(robot.torque(backwards, np.zeros_like(motion.q)),
                                  robot.torque(motion.q, 0 * motion.q, motion.qdd))


def test_columns_have_the_units_and_names_of_logs(robot, motion):
    columns = {f"q_{joint.name} [deg]": np.degrees(motion.q[:, k])
               for k, joint in enumerate(robot.joints)}
    columns["mode"] = np.array(["auto"] * len(motion.t), object)  # no number
    columns["t"] = np.datetime64("2026-01-02T03:04:05") + (motion.t * 1e9).round().astype("m8[ns]")
    np.testing.assert_allclose(robot.gravity_torque(Frame(columns)),
                               robot.gravity_torque(motion.q), atol=1e-13)
    np.testing.assert_allclose(armdyn.read_log(Frame(columns), robot).t, motion.t, atol=1e-12)
    ur5e = armdyn.Robot("ur5e")
    named = {f"actual_q_{k}": column for k, column in enumerate(motion.q.T)}
    log = armdyn.read_log(Frame({"timestamp": motion.t, **named}), ur5e)
    assert "actual_q_0" in log.recognized
    np.testing.assert_array_equal(log.q, motion.q)


def test_what_a_frame_lacks_or_has_too_much_is_said(robot, motion):
    columns = columns_of(motion, "t", "q")
    with pytest.raises(TypeError, match="qd is missing; read_log"):
        robot.torque(motion.q)
    with pytest.raises(ValueError, match="the table has no qd; read_log"):
        robot.torque(Frame(columns))
    derived = armdyn.read_log(Frame(columns), robot, derive=True)
    assert robot.torque(derived).shape == motion.q.shape
    with pytest.raises(armdyn.InputError, match=r"^frame\.npy.*temperature"):
        robot.gravity_torque(Frame({**columns, "temperature": motion.t}))
    columns["q3"] = np.where(motion.t == 0.5, np.nan, columns["q3"])
    with pytest.raises(armdyn.InputError, match=r'^frame\.npy:51: column "q3": found nan'):
        robot.gravity_torque(Frame(columns))
    with pytest.raises(TypeError, match="column q1 is complex"):
        robot.gravity_torque(Frame({**columns, "q1": motion.t + 1j}))


def test_an_index_of_times_is_t(robot, motion):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(columns_of(motion, "q"))
    moments = pandas.Timestamp("2024-05-31T13:05") + pandas.to_timedelta(motion.t, unit="s")
    for index in (moments, moments.tz_localize("Europe/Berlin"), pandas.Index(motion.t, name="t"),
                  pandas.to_timedelta(motion.t, unit="s")):
        log = armdyn.read_log(frame.set_index(index), robot, derive=True)
        np.testing.assert_allclose(log.t, motion.t, atol=1e-8)
    assert armdyn.read_log(frame, robot).t is None
    both = frame.assign(t=2 * motion.t).set_index(moments)
    np.testing.assert_array_equal(armdyn.read_log(both, robot).t, 2 * motion.t)
    both = both.rename(columns={"t": "Time"})
    np.testing.assert_array_equal(armdyn.read_log(both, robot, columns="t=Time").t, 2 * motion.t)
    frame["q3"] = np.where(motion.t == 0.5, np.nan, frame["q3"])
    log = armdyn.read_log(frame.set_index(moments), robot, derive=True, gaps="skip")
    assert any("the first: frame.npy:51" in warning for warning in log.warnings)


@FRAMES
def test_every_verb_takes_a_frame_or_a_result(robot, motion, frame):
    arrays = motion.t, motion.q, motion.qd, motion.qdd
    table = frame(columns_of(motion, "t", "q", "qd", "qdd"))
    calls = [lambda *a: robot.size(*a), lambda *a: robot.slow_down(*a),
             lambda *a: robot.track(*a, sample_time=0).e,
             lambda *a: robot.vary(*a, uncertainty="mass=5%", samples=3).arms["peak"]]
    for call in calls:
        expected = call(*arrays)
        for given in (table, motion):
            found = call(given)
            if isinstance(found, armdyn.Result):
                assert found == expected
            else:
                np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(robot.torque(motion), robot.torque(*arrays[1:]))


@FRAMES
def test_torques_of_a_frame_drive_the_arm(robot, motion, frame):
    tau = robot.torque(motion)
    expected = robot.simulate(motion.q[0], tau=(motion.t, tau), at_limit="ignore")
    driven = robot.simulate(motion.q[0], at_limit="ignore", tau=frame(
        {"t": motion.t, **{f"tau{k + 1}": column for k, column in enumerate(tau.T)}}))
    np.testing.assert_array_equal(driven.q, expected.q)
    again = robot.simulate(motion.q[0], tau=driven, at_limit="ignore")
    np.testing.assert_allclose(again.q[-1], driven.q[-1], atol=1e-3)


@FRAMES
def test_a_table_may_have_a_hand_wrench_and_a_start(robot, motion, frame):
    robot = robot.with_(without="friction")
    wrench = np.outer(np.cos(motion.t), [30, 20, -10, 3, -2, 1])
    states = motion.q, motion.qd, motion.qdd
    tau = robot.torque(*states, wrench=wrench)
    table = frame({**columns_of(motion, "t", "q", "qd", "qdd"),
                   **{f"tau{k + 1}": column for k, column in enumerate(tau.T)},
                   **dict(zip(("fx", "fy", "fz", "nx", "ny", "nz"), wrench.T))})
    log = armdyn.read_log(table, robot)
    varied = robot.vary(motion.t, *states, wrench=wrench, uncertainty="mass=5%", samples=3)
    assert [peak["nominal"] for peak in varied.peak] == list(np.abs(tau).max(axis=0))
    for given in table, log:
        again = robot.vary(given, uncertainty="mass=5%", samples=3)
        np.testing.assert_array_equal(again.arms["peak"], varied.arms["peak"])
        run = robot.simulate(tau=given, at_limit="ignore")
        np.testing.assert_array_equal(run.q[0], motion.q[0])
        np.testing.assert_allclose(run.q[-1], motion.q[-1], atol=5e-3)
        np.testing.assert_array_equal(run.wrench[::10], wrench)
        np.testing.assert_allclose(robot.torque(run), run.tau, rtol=0, atol=1e-11)
        begun = robot.simulate(motion.q[50], motion.qd[50], tau=given, duration=0.01)
        np.testing.assert_array_equal([begun.q[0], begun.qd[0]], [motion.q[50], motion.qd[50]])


def test_the_columns_of_a_wrench_are_named_by_its_axes(robot, motion):
    pytest.importorskip("pandas")
    wrench = np.outer(np.cos(motion.t), [30, 20, -10, 3, -2, 1])
    log = armdyn.Log(t=motion.t, q=motion.q, wrench=wrench)
    assert list(log.to_frame())[-6:] == ["fx", "fy", "fz", "nx", "ny", "nz"]
    assert "also nothing" in repr(log)


@FRAMES
def test_a_frame_is_identified(frame):
    truth = armdyn.Robot("two-link-rods")
    t = np.arange(0, 8, 0.01)
    q = np.sin(np.outer(t, [1.3, 2.1]))
    qd, qdd = np.cos(np.outer(t, [1.3, 2.1])) * [1.3, 2.1], -q * np.square([1.3, 2.1])
    tau = truth.torque(q, qd, qdd) + 0.7 * qd
    expected = truth.identify(t, q, tau)
    found = truth.identify(frame({"t": t, "q1": q[:, 0], "q2": q[:, 1], "tau1": tau[:, 0],
                                  "tau2": tau[:, 1]}))
    assert found.base_parameters == expected.base_parameters
    wrench = np.sin(np.outer(t, range(1, 7)))
    held = truth.identify(t, q, truth.torque(q, qd, qdd, wrench=wrench) + 0.7 * qd, wrench=wrench)
    for own, other in zip(held.base_parameters, expected.base_parameters):
        assert abs(own["value"] - other["value"]) < 1e-6
    assert isinstance(found, armdyn.Identification)
    assert pickle.loads(pickle.dumps(found)) == found


def test_results_are_records(robot, motion):
    kinds = {armdyn.Motion: motion, armdyn.SlowDown: robot.slow_down(motion),
             armdyn.Sizing: robot.size(motion), armdyn.Check: robot.check(),
             armdyn.Comparison: robot.compare(samples=5), armdyn.Inspection: robot.inspect("qr"),
             armdyn.Simulation: robot.simulate(duration=0.01),
             armdyn.SimulationBatch: robot.simulate_batch(np.zeros((2, 6)), duration=0.01),
             armdyn.Tracking: robot.track(motion),
             armdyn.Variation: robot.vary(motion, uncertainty="mass=1%", samples=3)}
    for kind, result in kinds.items():
        assert type(result) is kind
        name = next(iter(result))
        assert result[name] is getattr(result, name)
        for again in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
            assert type(again) is kind and again == result
        assert dataclasses.is_dataclass(result)
        assert [field.name for field in dataclasses.fields(result)] == list(result)
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(result, name, 1)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(result, name)
        head, *lines = repr(result).split("\n")
        assert head.startswith(f"<armdyn.{kind.__name__}") and head.endswith(">") and lines
    assert motion != robot.trajectory("qz", "qr", duration=2, rate=100)
    assert motion != kinds[armdyn.Simulation]


def test_rows_are_shown_and_framed(robot, motion):
    assert repr(robot.vary(motion, uncertainty="mass=1%", samples=3)).split("\n")[1].split()[:2] == [
        "sample", "clipped"]
    untimed = armdyn.read_log(Frame(columns_of(motion, "q")), robot)
    assert untimed.t is None and repr(untimed).split("\n")[1].split()[0] == "q1"
    assert "condition" in repr(robot.inspect("qr"))
    assert "rows;" not in repr(robot.size(motion)).split("\n")[0]  # t is its begin and end
    pandas = pytest.importorskip("pandas")
    assert isinstance(motion.to_frame(), pandas.DataFrame)
    np.testing.assert_array_equal(robot.torque(motion.to_frame()), robot.torque(motion))
    with pytest.raises(ValueError, match="has no rows"):
        robot.check().to_frame()


def test_what_is_given_beside_a_table_replaces_it(robot, motion):
    other = 0.5 * motion.qdd
    vary = functools.partial(robot.vary, uncertainty="mass=5%", samples=3)
    expected = vary(motion.t, motion.q, motion.qd, other)
    table = Frame(columns_of(motion, "t", "q", "qd", "qdd"))
    for given in (motion, table):
        np.testing.assert_array_equal(vary(given, qdd=other).arms["peak"], expected.arms["peak"])
        found = robot.track(given, qd=0 * motion.qd, sample_time=0)
        np.testing.assert_array_equal(
            found.e, robot.track(motion.t, motion.q, 0 * motion.qd, motion.qdd, sample_time=0).e)
    assert np.any(expected.arms["peak"] != vary(motion).arms["peak"])


def test_torques_beside_a_table_are_identified():
    truth = armdyn.Robot("two-link-rods")
    t = np.arange(0, 8, 0.01)
    q = np.sin(np.outer(t, [1.3, 2.1]))
    qd, qdd = np.cos(np.outer(t, [1.3, 2.1])) * [1.3, 2.1], -q * np.square([1.3, 2.1])
    tau = truth.torque(q, qd, qdd) + 0.7 * qd
    expected = truth.identify(t, q, tau).base_parameters
    frame = {"t": t, "q1": q[:, 0], "q2": q[:, 1]}
    with_torques = {**frame, "tau1": 2 * tau[:, 0], "tau2": 2 * tau[:, 1]}
    for table in (Frame(frame), Frame(with_torques), armdyn.Motion(t=t, q=q),
                  armdyn.Simulation(t=t, q=q, tau=2 * tau)):
        assert truth.identify(table, tau=tau).base_parameters == expected


def test_results_repeat_and_name_no_folder(robot, motion):
    arm = armdyn.Robot("two-link-rods")
    t = np.arange(0, 4, 0.01)
    q = np.sin(np.outer(t, [1.3, 2.1]))
    qd, qdd = np.cos(np.outer(t, [1.3, 2.1])) * [1.3, 2.1], -q * np.square([1.3, 2.1])
    tau = arm.torque(q, qd, qdd) + 0.7 * qd
    for call in (lambda: robot.track(motion), lambda: arm.identify(t, q, tau),
                 lambda: robot.vary(motion, uncertainty="mass=1%", samples=3),
                 lambda: robot.convert("yaml")):
        found = call()
        assert found == call()
        assert "armdyn-" not in str(dict(found) if isinstance(found, armdyn.Result) else found)
    assert robot.track(motion).options["motion"] == "table0.npy"


def test_times_of_a_frame_are_seconds(robot, motion):
    columns = columns_of(motion, "q")
    microseconds = (motion.t * 1e6).round().astype("m8[us]")
    zone = datetime.timezone(datetime.timedelta(hours=2))
    start = datetime.datetime(2026, 3, 29, 0, 30, tzinfo=zone)
    moments = [start + step for step in microseconds.tolist()]
    moments[1] = moments[1].astimezone(datetime.timezone.utc)
    for times in (microseconds, np.array(microseconds.tolist(), object), np.array(moments, object)):
        found = armdyn.read_log(Frame({"t": times, **columns}), robot)
        np.testing.assert_allclose(found.t, motion.t, atol=1e-12)
    summer = [datetime.datetime(2026, 3, 29, 1, 59, 59, tzinfo=Berlin()),
              datetime.datetime(2026, 3, 29, 3, 0, 0, tzinfo=Berlin())]
    two = {name: column[:2] for name, column in columns.items()}
    found = armdyn.read_log(Frame({"t": np.array(summer, object), **two}), robot)
    np.testing.assert_array_equal(found.t, [0, 1])


class Berlin(datetime.tzinfo):
    """Of 2026-03-29, when 2 o'clock is 3 o'clock."""

    def utcoffset(self, moment):
        return datetime.timedelta(hours=1 if moment.hour < 2 else 2)

    def dst(self, moment):
        return self.utcoffset(moment) - datetime.timedelta(hours=1)


def test_columns_of_objects_are_numbers_or_texts(robot, motion):
    columns = columns_of(motion, "t", "q")
    objects = {**columns, "q2": columns["q2"].astype(object), "mode": np.array(["1"] * 101, object)}
    np.testing.assert_array_equal(robot.gravity_torque(Frame(objects)),
                                  robot.gravity_torque(motion.q))
    objects["q2"][3] = {}
    with pytest.raises(TypeError, match="^column q2: "):
        robot.gravity_torque(Frame(objects))


class Twice(Frame):
    columns = property(lambda self: ["t", "q1", "q1"])


def test_warnings_of_a_call_without_a_result_are_passed_on():
    robot = armdyn.Robot("puma560")
    motion = robot.trajectory("qz", [1, 0.5, 0.5, 0.5, 0.5, 0.5], duration=2, rate=100)
    frame = Frame({**{f"q{k + 1}": np.degrees(motion.q[:, k]) for k in range(6)}, "t": motion.t,
                         **{f"qd{k + 1}": motion.qd[:, k] for k in range(6)},
                         **{f"qdd{k + 1}": motion.qdd[:, k] for k in range(6)}})
    with pytest.warns(UserWarning, match="the slope of q is about 57.3 times qd"):
        robot.torque(frame)


def test_what_is_no_table_is_said(robot, motion):
    columns = columns_of(motion, "t", "q", "qd", "qdd")
    calls = [robot.gravity_torque, robot.track, lambda frame: robot.simulate(tau=frame)]
    for call in calls:
        with pytest.raises(ValueError, match="columns of numbers, found none"):
            call(Frame({}))
        with pytest.raises(ValueError, match="two columns q1"):
            call(Twice(columns))
        with pytest.raises(ValueError, match=r"column q1 has shape \(101, 2\); expected \(N,\)"):
            call(Frame({**columns, "q1": np.zeros((101, 2))}))
    with pytest.raises(ValueError, match="missing columns qd1"):
        robot.track(motion.t, motion.q)
    with pytest.raises(ValueError, match=r"t has shape \(\); expected \(N,\)"):
        robot.track(0.5, motion.q)


def test_a_frame_whose_attributes_are_its_columns_is_a_frame():
    arm = armdyn.Robot("two-link-rods")
    t, tau = np.array([0, 0.1]), np.ones(2)
    frame = Frame({"t": t, "tau1": tau, "tau2": tau})
    frame.t, frame.tau = t, tau  # as a column named tau of pandas is one
    found = arm.simulate(tau=frame)
    np.testing.assert_array_equal(found.q, arm.simulate(tau=(t, np.ones((2, 2)))).q)
    with pytest.raises(ValueError, match="the table has no tau$"):
        arm.simulate(tau=armdyn.Motion(t=t))


def test_no_folder_is_left_behind(robot, motion, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    columns = columns_of(motion, "t", "q", "qd", "qdd")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        robot.torque(Frame(columns))
        with pytest.raises(armdyn.InputError):
            robot.torque(Frame({**columns, "temperature": motion.t}))
        with pytest.raises(armdyn.InputError):
            robot.simulate(tau=Frame({"t": motion.t}))
        with pytest.raises(ValueError):
            robot.torque(Frame({}))
    assert not [str(warning.message) for warning in found]
    assert not list(tmp_path.iterdir())


def test_times_of_cycles_are_read_as_those_of_logs(robot, motion):
    for k, wrong in ((7, np.nan), (100, np.inf)):
        t = motion.t.copy()
        t[k] = wrong
        with pytest.raises(armdyn.InputError, match=f'^table0.npy:{k + 1}: column "t": found'):
            robot.size(t, motion.q, motion.qd, motion.qdd)
    t = motion.t.copy()
    t[5] = 0.5
    found = robot.size(t, motion.q, motion.qd, motion.qdd)
    assert found.input["falling_stamps"] == 1
    assert found.warnings[0] == "1 row with a t before that of the row before: line 7"
