"""Verbs for arrays: their tables and rows are in memory, as .npy files have them."""

import io

from ._core import NumericsError, Robot, UsageError, with_keywords
from ._core import FileError, InputError
from ._result import Comparison, Identification, Torques, Tracking, Variation
from ._table import is_frame, of_arrays, of_frame, rows

_OF_LOGS = ("columns", "no_header", "topic", "ignore_extra", "rate", "motor_side", "derive", "window",
            "gaps", "from_time", "to_time", "resample", "max_rows")
_ERRORS = {2: UsageError, 3: InputError, 4: FileError, 5: NumericsError}


def _table(robot, table, **given):
    """The table that the program reads: arrays by their names, of which `table` is t, or else a frame
    or a result that has the arrays that are not given."""
    is_given = {name: values is not None for name, values in given.items()}
    if is_frame(table) and not any(is_given.values()):
        return of_frame(table)
    found = rows(table, robot)
    if found is None:
        found = {"t": table}
    arrays = {name: given[name] if is_given.get(name) else found.get(name) for name in ("t", *given)}
    return of_arrays(robot.dof, **{name: values for name, values in arrays.items()
                                   if values is not None})


def _rows(table):
    """Arrays (N,) and (N, n) of a verb's rows, the bytes of a .npy file, by quantity."""
    import numpy as np

    table = np.load(io.BytesIO(table))
    if table.dtype.names is None:  # one group alone
        return {"tau": table}
    groups = {}
    for name in table.dtype.names:
        groups.setdefault(name.rstrip("0123456789"), []).append(table[name])
    return {name: columns[0] if name in table.dtype.names else np.column_stack(columns)
            for name, columns in groups.items()}


def _bytes(table):
    """The bytes of a .npy file of a structured array."""
    import numpy as np

    file = io.BytesIO()
    np.save(file, table)
    return file.getvalue()


def _run(verb, robot, arguments, options):
    """A verb's answer with arrays for lists of numbers, the texts that it writes by their options, and
    its rows by quantity, or None.

    Arguments are arrays or words.
    """
    tables = {f"table{k}.npy": _bytes(argument) for k, argument in enumerate(arguments)
              if hasattr(argument, "dtype")}
    words = [f"table{k}.npy" if hasattr(argument, "dtype") else str(argument)
             for k, argument in enumerate(arguments)]
    ending, answer, message, texts, table = robot._call(verb, words, tables, **options)
    found = None if table is None else _rows(table)
    for key in ("message", "warnings"):
        if key in answer:
            said = answer[key]
            answer[key] = (with_keywords(said) if isinstance(said, str)
                           else [with_keywords(one) for one in said])
    if ending > 1:
        error = _ERRORS.get(ending, KeyboardInterrupt)(with_keywords(message))
        if found is not None:
            error.run = Tracking(**{**answer, **found})
        raise error
    return answer, texts, found


def _refuse(options, names):
    """Raises UsageError for options that are of files."""
    for name in options:
        if name in names:
            raise UsageError(f"there is no option '{name}'")


def _reactions(columns, dof):
    """Takes joint wrenches out of the columns: (N, dof, 6), f and n of each joint, or None."""
    import numpy as np

    if "f1x" not in columns:
        return None
    return np.stack([np.column_stack([columns.pop(f"{of}{joint + 1}{axis}")
                                      for of in "fn" for axis in "xyz"]) for joint in range(dof)], 1)


def torque_and_more(self, q, qd=None, qdd=None, hand=None, **options):
    """The rows that `armdyn torque` writes with these options, and the keys of its JSON."""
    import numpy as np

    _refuse(options, _OF_LOGS)
    if options.get("threads") == 0:
        del options["threads"]
    self = self._edited(options)
    if hasattr(q, "keys") or is_frame(q):
        table = _table(self, q, q=None, qd=qd, qdd=qdd, hand=hand)
    else:
        rows_of = {"q": q, "qd": qd, "qdd": qdd, "hand": hand}
        table = of_arrays(self.dof, **{name: np.atleast_2d(values) for name, values in
                                       rows_of.items() if values is not None})
    answer, _, found = _run("torque", self, [table], options)
    reactions = _reactions(found, self.dof)
    if reactions is not None:
        found["reactions"] = reactions
    return Torques(**{**answer, **found})


def compare(self, t=None, q=None, qd=None, qdd=None, hand=None, **options):
    """Whether the formulations agree at random states, or along the motion t (N,), s, q, qd, qdd (N, n).

    hand: (N, 6), the wrench on the environment. Instead of arrays, t may be a table: a frame with
    columns by name, or a result with t, q, qd, qdd and hand; what is not given is taken from it.

    Keywords are the options of `armdyn compare`: random, seed, methods, tolerance, ... Attributes of
    the result: the keys of its JSON.
    """
    _refuse(options, _OF_LOGS)
    self = self._edited(options)
    if t is None and any(values is not None for values in (q, qd, qdd, hand)):
        raise ValueError("compare: t is missing; without a motion, states are random")
    tables = [] if t is None else [_table(self, t, q=q, qd=qd, qdd=qdd, hand=hand)]
    answer, _, _ = _run("compare", self, tables, options)
    return Comparison(**answer)


def track(self, t, q=None, qd=None, qdd=None, **options):
    """Whether the arm follows the motion t (N,), s, q, qd, qdd (N, n) under a controller.

    Instead of arrays, t may be a table: a frame with columns by name, or a result with t, q, qd, qdd;
    what is not given is taken from it.

    Keywords are the options of `armdyn track`: controller, kp, kv, sample_time, delay, encoder,
    model, ... Attributes of the result: t, q, qd, tau, e row by row; the keys of its JSON.
    """
    self = self._edited(options)
    table = _table(self, t, q=q, qd=qd, qdd=qdd)
    answer, _, found = _run("track", self, [table], options)
    return Tracking(**{**answer, **found})


def vary(self, t, q=None, qd=None, qdd=None, hand=None, **options):
    """The torques of the motion t (N,), s, q, qd, qdd (N, n) for arms within tolerances.

    hand: (N, 6), the wrench on the environment. Instead of arrays, t may be a table: a frame with
    columns by name, or a result with t, q, qd, qdd and hand; what is not given is taken from it.

    Keywords are the options of `armdyn vary`: uncertainty="mass=5%,com=5mm", samples, seed, ...
    Attributes of the result: the keys of its JSON; `arms`, a mapping of the columns of its table.
    """
    self = self._edited(options)
    table = _table(self, t, q=q, qd=qd, qdd=qdd, hand=hand)
    answer, _, found = _run("vary", self, [table], options)
    return Variation(**answer, arms=found)


def identify(self, t, q=None, tau=None, hand=None, **options):
    """The arm's parameters from measured torques tau (N, n) at t (N,), s, and q (N, n).

    hand: (N, 6), the wrench on the environment. Instead of arrays, t may be a table: a frame with
    columns by name, or a result with t, q, tau and hand; what is not given is taken from it.

    Keywords are the options of `armdyn identify`: friction, free, fix, prior, window, ... Attributes
    of the result: `robot`, the arm that was found, or None where it is no better, or where no
    parameters make the torques (`unexplained`) and not force=True; the keys of the JSON.
    """
    self = self._edited(options)
    table = _table(self, t, q=q, tau=tau, hand=hand)
    answer, texts, _ = _run("identify", self, [table], options)
    return Identification(**{**answer, "robot": Robot(texts["-o"]) if texts else None})


def convert(self, form, **options):
    """The robot as a text: form "yaml", "urdf" or "mjcf"; keywords are the options of `armdyn convert`.

    The proof that it is the same arm has been made; NumericsError where it fails.
    """
    if form not in ("yaml", "urdf", "mjcf"):
        raise UsageError(f"form: found {form!r}, expected yaml, urdf or mjcf")
    self = self._edited(options)
    self._source()  # FileError where its file has changed
    answer, texts, _ = _run("convert", self, ["-o", f"robot.{form}"], {**options, "force": True})
    if not texts:
        raise NumericsError(f"{form}: not the same arm at {answer['states']} random states; another "
                            "snap may help where axes are nearly parallel")
    return texts["-o"]


for _verb in (compare, track, vary, identify, convert):
    setattr(Robot, _verb.__name__, _verb)
