"""Verbs that the program runs on files, for arrays, which pass through a temporary folder."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from ._core import (FileError, InputError, NumericsError, Robot, UsageError, with_keywords,
                    words)
from ._result import Identification, Tracking, Variation
from ._table import is_frame, of_arrays, of_frame, rows

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


def _rows(path):
    """Arrays (N,) and (N, n) of the program's table, by quantity."""
    import numpy as np

    table = np.load(path)
    groups = {}
    for name in table.dtype.names:
        groups.setdefault(name.rstrip("0123456789"), []).append(table[name])
    return {name: columns[0] if name in table.dtype.names else np.column_stack(columns)
            for name, columns in groups.items()}


def _run(verb, robot, arguments, options, ending):
    """The program's answer, and its output: the rows of ".npy", else a text, or None without one.

    Arguments are arrays, which it gets as files, or words. Texts name these files without folder.
    """
    with tempfile.TemporaryDirectory(prefix="armdyn-") as folder:
        text, edits = robot._source()
        named = Path(folder) / "robot"
        named.write_bytes(text)
        command = [sys.executable, "-m", "armdyn", verb, str(named)]
        for k, argument in enumerate(arguments):
            path = Path(folder) / f"table{k}.npy"
            if hasattr(argument, "dtype"):
                import numpy as np

                np.save(path, argument)
                argument = path
            command.append(str(argument))
        place = Path(folder) / f"output{ending}"
        command += [*words(**edits), *words(**options), "--json", "-o", str(place)]
        here = str(Path(__file__).parents[1])
        path = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": path})
        answer = json.loads((done.stdout or done.stderr).replace(folder + "/", ""))
        if "message" in answer:
            answer["message"] = with_keywords(answer["message"])
        if "warnings" in answer:
            answer["warnings"] = [with_keywords(warning) for warning in answer["warnings"]]
        if "error" in answer:
            error = _ERRORS[answer["error"]["exit"]]
            raise error(with_keywords(answer["error"]["message"]))
        if done.returncode > 1:
            raised = _ERRORS.get(done.returncode, KeyboardInterrupt)
            error = raised(answer.get("message", done.stderr))
            if place.exists():
                error.run = Tracking(**{**answer, **_rows(place)})
            raise error
        if not place.exists():
            return answer, None
        if ending == ".npy":
            return answer, _rows(place)
        return answer, place.read_text().replace(folder + "/", "")


def track(self, t, q=None, qd=None, qdd=None, **options):
    """Whether the arm follows the motion t (N,), s, q, qd, qdd (N, n) under a controller.

    Instead of arrays, t may be a table: a frame with columns by name, or a result with t, q, qd, qdd;
    what is not given is taken from it.

    Keywords are the options of `armdyn track`: controller, kp, kv, sample_time, delay, encoder,
    model, ... Attributes of the result: t, q, qd, tau, e row by row; the keys of its JSON.
    """
    self = self._edited(options)
    answer, rows = _run("track", self, [_table(self, t, q=q, qd=qd, qdd=qdd)], options, ".npy")
    return Tracking(**{**answer, **rows})


def vary(self, t, q=None, qd=None, qdd=None, hand=None, **options):
    """The torques of the motion t (N,), s, q, qd, qdd (N, n) for arms within tolerances.

    hand: (N, 6), the wrench on the environment. Instead of arrays, t may be a table: a frame with
    columns by name, or a result with t, q, qd, qdd and hand; what is not given is taken from it.

    Keywords are the options of `armdyn vary`: uncertainty="mass=5%,com=5mm", samples, seed, ...
    Attributes of the result: the keys of its JSON; `arms`, a mapping of the columns of its table.
    """
    self = self._edited(options)
    table = _table(self, t, q=q, qd=qd, qdd=qdd, hand=hand)
    answer, rows = _run("vary", self, [table], options, ".npy")
    return Variation(**answer, arms=rows)


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
    answer, text = _run("identify", self, [table], options, ".yaml")
    return Identification(**{**answer, "robot": Robot(text) if text else None})


def convert(self, form, **options):
    """The robot as a text: form "yaml", "urdf" or "mjcf"; keywords are the options of `armdyn convert`.

    The proof that it is the same arm has been made; NumericsError where it fails.
    """
    ending = {"yaml": ".yaml", "urdf": ".urdf", "mjcf": ".mjcf"}
    if form not in ending:
        raise UsageError(f"form: found {form!r}, expected yaml, urdf or mjcf")
    self = self._edited(options)
    answer, text = _run("convert", self, [], options, ending[form])
    if text is None:
        raise NumericsError(f"{form}: not the same arm at {answer['states']} random states; another "
                            "snap may help where axes are nearly parallel")
    return text


for _verb in (track, vary, identify, convert):
    setattr(Robot, _verb.__name__, _verb)
