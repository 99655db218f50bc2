"""The verbs of the command line for arrays: tables and rows are in memory, as .npy files have them."""

from __future__ import annotations

import functools
import io
import json
import re
import warnings

from . import _core
from ._core import FileError, InputError, NumericsError, Robot, UsageError, with_keywords
from ._result import (Check, Comparison, DataSheet, Equations, Identification, Inspection, Log, Motion, Result,
                      Observation, Simulation, Sizing, SlowDown, Torques, Tracking, Variation)
from ._table import is_frame, is_matrix, of_arrays, of_frame

_ERRORS = {2: UsageError, 3: InputError, 4: FileError, 5: NumericsError}
_RESULTS = {"torque": Torques, "simulate": Simulation, "compare": Comparison, "inspect": Inspection,
            "trajectory": Motion, "track": Tracking, "vary": Variation, "size": Sizing, "check": Check,
            "identify": Identification, "observe": Observation, "datasheet": DataSheet, "read_log": Log}
_ADDITIONS = ("terms", "bounds", "reactions", "keep_motion", "derive_errors", "slow_down")  # to torques


# --- The one way to a verb's answer

def _warn(answer):
    """Passes on the warnings of an answer whose result does not carry them."""
    for warning in answer.get("warnings") or []:
        warnings.warn(warning, stacklevel=3)


def _bytes(table):
    """The bytes of a .npy file of a structured array."""
    import numpy as np

    file = io.BytesIO()
    np.save(file, table)
    return file.getvalue()


def _arrays(value, key=""):
    """An answer's data with arrays for lists of numbers, and keywords in its messages."""
    if isinstance(value, str) and key in ("message", "warnings", "remarks"):
        return with_keywords(value)
    if isinstance(value, dict):
        return {key: _arrays(entry, key) for key, entry in value.items()}
    if not isinstance(value, list):
        return value
    entries = [_arrays(entry, key) for entry in value]
    shapes = {getattr(entry, "shape", None if type(entry) not in (int, float) else ())
              for entry in entries}
    if len(shapes) != 1 or None in shapes:
        return entries
    import numpy as np

    return np.array(entries, float)


def _quantity(column):
    """The quantity of a column: q of q2, M of M1_2, `wrench` of fx, reactions of f1x."""
    if re.fullmatch(r"[fn]\d*[xyz]", column):
        return "wrench" if len(column) == 2 else "reactions"
    return re.fullmatch(r"(.*?)(\d+(_\d+)?)?", column)[1]


def _groups(table):
    """The rows in the bytes of a .npy file by quantity: (N,), (N, n), of matrices (N, m, n)."""
    import numpy as np

    table = np.load(io.BytesIO(table))
    groups = {}
    for column in table.dtype.names:
        groups.setdefault(_quantity(column), []).append(column)
    found = {}
    for quantity, columns in groups.items():
        rows = np.column_stack([table[column] for column in columns])
        if columns == [quantity]:
            rows = rows[:, 0]
        elif quantity == "reactions":
            rows = rows.reshape(len(rows), rows.shape[1] // 6, 6)
        elif re.search(r"\d_\d+$", columns[-1]):
            width = int(columns[-1].rpartition("_")[2])
            rows = rows.reshape(len(rows), rows.shape[1] // width, width)
        found[quantity] = rows
    return found


def _run(verb, robot, words, options):
    """A verb's answer with arrays for lists of numbers, its text, and its rows by quantity, or None.

    Words are texts, or tables, which options may be as well; the robot's edits among the options
    leave them.
    """
    tables = {}

    def named(name, value):
        if _are_tables(value):
            return "\n".join(named(f"{k}{name}", one) for k, one in enumerate(value))
        if isinstance(value, Result):
            dof = robot.dof if robot else value["q"].shape[1]
            value = of_arrays(dof, **{key: value[key] for key in
                                            ("t", "q", "qd", "qdd", "tau", "wrench")
                                            if getattr(value.get(key), "ndim", 0)})
        elif is_frame(value):
            value = of_frame(value)
        if getattr(getattr(value, "dtype", None), "names", None) is None:
            return value
        tables[name] = _bytes(value)
        return name

    options = {name: named(f"{name}.npy", value) for name, value in options.items()}
    if options.get("threads") == 0:
        del options["threads"]
    name = "frame.npy" if verb == "read_log" else "table{}.npy"
    words = [str(named(name.format(k), word)) for k, word in enumerate(words)]
    ending, answer, message, text, rows = _core.call(robot, verb, words, tables, options)
    answer = _arrays(json.loads(answer))
    rows = {} if rows is None else _groups(rows)
    if ending > 1:
        error = _ERRORS.get(ending, KeyboardInterrupt)(with_keywords(message))
        if rows:
            error.run = _RESULTS[verb](**{**rows, **answer, **rows})
        raise error
    return answer, text, rows


def _result(verb, robot, words, options):
    """The rows of a verb, then the keys of its JSON, and its text."""
    answer, text, rows = _run(verb, robot, words, options)
    text = {} if text is None else {"text": text}
    kind = _RESULTS.get(verb, Result)
    if kind._rows:
        rows = {kind._rows: rows}
    return kind(**{**rows, **answer, **text, **rows})


# --- Arguments

def _are_tables(value):
    """Whether an argument is a list of frames and results."""
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(
        isinstance(one, Result) or is_frame(one) for one in value)


def _table(robot, table, **given):
    """The table that the program reads: arrays by their names. `table` is t, or a frame or a result
    with the arrays that are not given."""
    if isinstance(table, str) or hasattr(table, "__fspath__"):
        raise TypeError(f"t is a name, {str(table)!r}; armdyn.read_log(path, robot) reads a file")
    is_given = {name: values is not None for name, values in given.items()}
    if is_frame(table) and not any(is_given.values()):
        return of_frame(table)
    found = rows(table, robot)
    if found is None:
        found = {"t": table}
    arrays = {name: given[name] if is_given.get(name) else found.get(name) for name in ("t", *given)}
    return of_arrays(robot.dof, **{name: values for name, values in arrays.items()
                                   if values is not None})


def _torques(robot, torque, duration):
    """Rows t, tau of torques: a table, a pair (t, tau), or a number for each joint for all times."""
    if isinstance(torque, Result):
        for name in ("t", "tau"):
            if torque.get(name) is None:
                raise ValueError(f"the table has no {name}")
        return _table(robot, torque, tau=None, q=None, qd=None, wrench=None)
    if is_frame(torque):
        return of_frame(torque)
    if isinstance(torque, tuple) and len(torque) == 2 and hasattr(torque[0], "__len__"):
        return of_arrays(robot.dof, t=torque[0], tau=torque[1])
    if callable(torque):
        raise TypeError("tau is a function; expected a torque per joint, or (t, tau)")
    if duration is None:
        raise UsageError("simulate: duration is missing; only torques (t, tau) have an end")
    if len(getattr(torque, "shape", (1,))) != 1:
        raise ValueError("tau: expected one torque per joint, or (t, tau)")
    times = [0, float(duration)] if float(duration) > 0 else [0]
    return of_arrays(robot.dof, t=times, tau=[torque] * len(times))


def rows(table, robot):
    """The rows of a frame, by the rules of logs, or of a result; None for what is neither."""
    if isinstance(table, Result):
        return table
    if not is_frame(table):
        return None
    log = read_log(table, robot)
    _warn(log)
    return log


# --- Verbs

_KEYWORDS = {name: (purpose, keywords) for name, purpose, keywords in _core.verbs()}


def _of_robot(function, verb=None):
    """The function of a robot that its keywords have edited, with those of its verb in its help."""
    @functools.wraps(function)
    def method(self, *given, **options):
        return function(self._edited(options), *given, **options)

    _, keywords = _KEYWORDS.get(verb or function.__name__, ("", ()))
    lines = [f"    {name}: {what}\n" for name, _, what in keywords]
    method.__doc__ = "".join([function.__doc__, "\n\nKeywords:\n" if lines else "", *lines])
    return method


def _verb(function):
    """Makes a function of a robot one of its methods."""
    setattr(Robot, function.__name__, _of_robot(function))
    return getattr(Robot, function.__name__)


@_of_robot
def torque(self, q: ArrayLike | Table, qd: ArrayLike | None = None, qdd: ArrayLike | None = None,
           *, wrench: ArrayLike | None = None, **options) -> Torques:
    """The torques as an array, or with options that add to them a Torques: the rows that `armdyn
    torque` writes, and the keys of its JSON."""
    import numpy as np

    fast = {name: options.pop(name) for name in ("method", "threads") if name in options}
    if not options:
        return self.torque(q, qd, qdd, wrench=wrench, **fast)
    options.update(fast)
    is_table = isinstance(q, Result) or is_frame(q)
    if is_table:
        table = _table(self, q, q=None, qd=qd, qdd=qdd, wrench=wrench)
    else:
        given = {"q": q, "qd": qd, "qdd": qdd, "wrench": wrench}
        table = of_arrays(self.dof, **{name: np.atleast_2d(values) for name, values in
                                       given.items() if values is not None})
    found = _result("torque", self, [table], options)
    if any(options.get(name) for name in _ADDITIONS):
        return found
    _warn(found)
    return found.tau if is_table or np.ndim(q) == 2 else found.tau[0]


@_verb
def compare(self, t: ArrayLike | Table | None = None, q: ArrayLike | None = None,
            qd: ArrayLike | None = None, qdd: ArrayLike | None = None,
            *, wrench: ArrayLike | None = None, **options) -> Comparison:
    """Compares the formulations at random states, or along the motion t (N,), s, q, qd, qdd (N, n).

    `wrench`: (N, 6), the contact wrench at the TCP, which the end effector exerts on the environment.
    Instead of arrays, t may be a table: a frame with columns by name, or a result with t, q, qd, qdd,
    `wrench`. Arrays that are not given are taken from it.
    Attributes of the result: the keys of the JSON of `armdyn compare`.
    """
    if t is None and any(values is not None for values in (q, qd, qdd, wrench)):
        raise ValueError("compare: t is missing; without a motion, states are random")
    words = [] if t is None else [_table(self, t, q=q, qd=qd, qdd=qdd, wrench=wrench)]
    return _result("compare", self, words, options)


@_verb
def track(self, t: ArrayLike | Table, q: ArrayLike | None = None, qd: ArrayLike | None = None,
          qdd: ArrayLike | None = None, **options) -> Tracking:
    """Closed loop: simulates the arm on the motion t (N,), s, q, qd, qdd (N, n) under a controller.

    Instead of arrays, t may be a table: a frame with columns by name, or a result with t, q, qd, qdd.
    Arrays that are not given are taken from it. Attributes of the result: t, q, qd, tau, e row by row; the keys
    of the JSON of `armdyn track`.
    """
    return _result("track", self, [_table(self, t, q=q, qd=qd, qdd=qdd)], options)


@_verb
def vary(self, t: ArrayLike | Table, q: ArrayLike | None = None, qd: ArrayLike | None = None,
         qdd: ArrayLike | None = None, *, wrench: ArrayLike | None = None, **options) -> Variation:
    """Monte Carlo: torques of the motion t (N,), s, q, qd, qdd (N, n) for arms within tolerances.

    `wrench`: (N, 6), the contact wrench at the TCP, which the end effector exerts on the environment.
    Instead of arrays, t may be a table: a frame with columns by name, or a result with t, q, qd, qdd,
    `wrench`. Arrays that are not given are taken from it.
    Attributes of the result: the keys of the JSON of `armdyn vary`; `arms`, a mapping of the columns
    of its table.
    """
    return _result("vary", self, [_table(self, t, q=q, qd=qd, qdd=qdd, wrench=wrench)], options)


@_verb
def size(self, t: ArrayLike | Table, q: ArrayLike | None = None, qd: ArrayLike | None = None,
         qdd: ArrayLike | None = None, *, wrench: ArrayLike | None = None, **options) -> Sizing:
    """Drive sizing: loads of drives and supply in a cycle of t (N,), s, and q, qd, qdd (N, n),
    compared with their ratings.

    `wrench`: (N, 6), the contact wrench at the TCP. Instead of arrays, t may be a table, as of vary.
    Attributes of the result: the keys of the JSON of `armdyn size`.
    """
    return _result("size", self, [_table(self, t, q=q, qd=qd, qdd=qdd, wrench=wrench)], options)


@_verb
def slow_down(self, t: ArrayLike | Table, q: ArrayLike | None = None, qd: ArrayLike | None = None,
              qdd: ArrayLike | None = None, *, wrench: ArrayLike | None = None) -> SlowDown:
    """The fastest uniform time scaling of a motion t (N,), s, q, qd, qdd (N, n) within all limits.

    Attributes of the result: factor, duration, binding, feasible, numeric. Where no speed keeps
    the limits, obstacle alone. `wrench`: (N, 6), the contact wrench at the TCP.
    """
    table = _table(self, t, q=q, qd=qd, qdd=qdd, wrench=wrench)
    answer, _, _ = _run("torque", self, [table], {"slow_down": True})
    _warn(answer)
    return SlowDown(**answer["slow_down"])


@_verb
def identify(self, t: ArrayLike | Table | Sequence[Table], q: ArrayLike | None = None, tau: ArrayLike | None = None,
             *, wrench: ArrayLike | None = None, **options) -> Identification:
    """The arm's parameters from measured torques tau (N, n) at t (N,), s, and q (N, n).

    `wrench`: (N, 6), the contact wrench at the TCP, which the end effector exerts on the environment.
    Instead of arrays, t may be a table: a frame with columns by name, or a result with t, q, tau,
    `wrench`. Arrays that are not given are taken from it. Several logs are a list of tables, as
    held_out may be.

    Attributes of the result: `robot`, the identified arm, and the keys of the JSON. `robot` is None
    where it is no better, or, without force=True, where no parameters explain the torques
    (`unexplained`).
    """
    words = [_table(self, log, q=q, tau=tau, wrench=wrench) for log in (t if _are_tables(t) else [t])]
    answer, text, _ = _run("identify", self, words, options)
    return Identification(**{**answer, "robot": None if text is None else Robot(text)})


@_verb
def observe(self, t: ArrayLike | Table, q: ArrayLike | None = None, tau: ArrayLike | None = None,
            **options) -> Observation:
    """External torques, contacts and loads from measured torques tau (N, n) at t (N,), s, and q (N, n).

    Instead of arrays, t may be a table, as of identify; `unloaded` may be one, too. Attributes of the
    result: t, tau_ext, tau_ext_low, tau_ext_high (N, n), N·m or N, contact (N,), and the keys of the
    JSON of `armdyn observe`.
    """
    return _result("observe", self, [_table(self, t, q=q, tau=tau)], options)


@_verb
def simulate(self, q0: ArrayLike | str | None = None, qd0: ArrayLike | str | None = None, *,
             tau: ArrayLike | tuple[ArrayLike, ArrayLike] | Table | None = None,
             **options) -> Simulation:
    """Forward dynamics from q0, qd0 (n,), rad or m, per s (default: those of the first row of a
    table, else zeros).

    tau: n numbers for all times, or (t, tau) with shapes (N,), (N, n), or a table of these, N·m
    or N. A table may also have a contact wrench. Attributes of the result, row by row: t, q, qd, qdd,
    tau, and `wrench` where there is one. Also energy, end, joints and the other keys of the JSON of
    `armdyn simulate`.
    """
    words = [] if tau is None else [_torques(self, tau, options.get("duration"))]
    return _result("simulate", self, words, {"q0": q0, "qd0": qd0, **options})


@_verb
def trajectory(self, from_: ArrayLike | str | None = None, to: ArrayLike | str | None = None,
               **options) -> Motion:
    """A motion between two joint positions (n,), rad or m; also through waypoints, as via=(N, n), on
    a straight-line TCP path, or for identification.

    Attributes of the result: t (N,), s; q, qd, qdd (N, n); the keys of the JSON of `armdyn
    trajectory`.
    """
    if is_matrix(options.get("via")):
        options["via"] = of_arrays(self.dof, q=options["via"])
    return _result("trajectory", self, [], {"from_": from_, "to": to, **options})


@_verb
def inspect(self, q: ArrayLike | str | Table | None = None, qd: ArrayLike | str | None = None,
            qdd: ArrayLike | str | None = None, **options) -> Inspection:
    """The terms of the equations of motion at q, qd, qdd (n,): the keys of the JSON of `armdyn
    inspect`, lists of numbers as arrays.

    With what=, q may be a table, of whose rows it gives these terms: M (N, n, n), condition (N,), ...
    """
    if isinstance(q, Result) or is_frame(q):
        return _result("inspect", self, [_table(self, q, q=None, qd=qd, qdd=qdd)], options)
    return _result("inspect", self, [], {"q": q, "qd": qd, "qdd": qdd, **options})


@_verb
def check(self, **options) -> Check:
    """Validates the model: the keys of the JSON of `armdyn check`, lists of numbers as arrays."""
    return _result("check", self, [], options)


@_verb
def datasheet(self, **options) -> DataSheet:
    """Data sheet: payload, accelerations and base loads that always hold, stops, contact speeds: the
    keys of the JSON of `armdyn datasheet`, lists of numbers as arrays.
    """
    return _result("datasheet", self, [], options)


@_verb
def equations(self, **options) -> Equations:
    """The equations of motion, written down: str() of it is what `armdyn equations` prints; latex, of
    closed forms, which notebooks show; warnings.
    """
    answer, text, _ = _run("equations", self, [], options)
    is_closed = options.get("format") in (None, "text", "latex") and not (
        options.get("prove") or options.get("verify"))
    as_latex = {**options, "format": "latex", "standalone": False}
    return Equations(text, answer["warnings"],
                     lambda: _run("equations", self, [], as_latex)[1] if is_closed else None)


@_verb
def convert(self, format: Literal["yaml", "urdf", "mjcf"], **options) -> str:
    """The robot as a text. The proof that it is the same arm has been made; NumericsError where it
    fails.
    """
    if format not in ("yaml", "urdf", "mjcf"):
        raise UsageError(f"format: found {format!r}, expected yaml, urdf or mjcf")
    answer, text, _ = _run("convert", self, ["-o", f"robot.{format}"], {**options, "force": True})
    if text is None:
        raise NumericsError(f"{format}: not the same arm at {answer['states']} random states")
    return text


def read_log(path: Path | Frame, robot: Robot, **options) -> Log:
    """A log as the command line reads it: a file, or a frame with columns by name.

    Attributes of the result: t (N,), s; q, qd, qdd, tau (N, n), `wrench` (N, 6) in SI units. They are
    None where the log has none. Also `recognized`, warnings, input.
    """
    robot = robot._edited(options)
    word = of_frame(path) if is_frame(path) else path
    answer, _, found = _run("read_log", robot, [word], options)
    quantities = ("t", "q", "qd", "qdd", "tau", "wrench")
    return Log(**{name: found.get(name) for name in quantities}, **answer)


def run(verb: str, *words: Path, **options) -> Result:
    """Any verb of the command line, on files that words name: run("check", "drive.mcap").

    Attributes of the result: the rows that it writes, the keys of its JSON, and `text`: a robot file,
    equations.
    """
    return _result(verb, None, words, options)


def _of_motion(verb, purpose):
    """The method of a verb about the rows of a motion that has no method of its own here."""
    def method(self, t=None, q=None, qd=None, qdd=None, tau=None, wrench=None, **options):
        words = [] if t is None else [_table(self, t, q=q, qd=qd, qdd=qdd, tau=tau, wrench=wrench)]
        return _result(verb, self, words, options)

    method.__name__, method.__doc__ = verb, purpose
    return method


for _name, (_purpose, _keywords) in _KEYWORDS.items():
    if _name not in (*_RESULTS, *vars(Robot)) and any(name == "payload" for name, *_ in _keywords):
        _verb(_of_motion(_name, _purpose))
