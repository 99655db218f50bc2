"""Values of Python as the program reads them: keywords as texts, tables as columns with names."""

import os

from ._result import named_columns


def _number(name, value, expected):
    """A number as a text that reads back as the same double.

    Raises TypeError for others, also for complex numbers: NumPy would take their real part.
    """
    if isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c":
        raise TypeError(f"{name} is complex; expected real numbers")
    if isinstance(value, int):
        return str(value)
    try:
        return repr(float(value))
    except TypeError:
        raise TypeError(f"{name} {expected.format(type(value))}") from None


def _text(name, value):
    """A number, text, path, list of numbers and texts, or mapping as the text of an option."""
    if isinstance(value, str) or hasattr(value, "__fspath__"):
        return os.fspath(value)
    if isinstance(value, dict):
        return ",".join(f"{key}={entry}" for key, entry in value.items())
    if name in ("kp", "kv", "ki") and is_matrix(value):
        return ";".join(_text(name, row) for row in value)
    shape = getattr(value, "shape", None)
    if shape is not None and len(shape) > 1:
        raise ValueError(f"{name} has shape {shape}; expected (n,)")
    is_list = hasattr(value, "__getitem__") and not hasattr(value, "keys")
    if is_list and shape != ():
        return ",".join(entry if isinstance(entry, str) else
                        _number(name, entry, "has {} as an entry; expected a number")
                        for entry in value)
    return _number(name, value, "is {}; expected a number, a text or a list")


def texts(options):
    """Keywords as pairs of an option's name and its text; those that are None or False are none."""
    return [(name[:-1] if name in ("as_", "from_") else name, "true" if value is True else _text(name, value))
            for name, value in options.items()
            if not (value is None or value is False or isinstance(value, dict) and not value)]


def is_matrix(value):
    """Whether an object is an array (N, n), or rows of numbers."""
    is_array = isinstance(value, (list, tuple)) or hasattr(value, "ndim") and not is_frame(value)
    return is_array and len(getattr(value, "shape", (1, 1))) == 2 and len(value) > 0 and all(
        hasattr(row, "__len__") and not isinstance(row, str) for row in value)


def is_frame(table):
    """Whether an object has columns by their names, as frames of pandas and polars have."""
    return hasattr(table, "columns") and hasattr(table, "__getitem__")


def of_columns(columns):
    """A structured array of columns (N,) by their names."""
    import numpy as np

    if not columns:
        raise ValueError("expected columns of numbers, found none")
    return np.rec.fromarrays([np.asarray(c, float) for c in columns.values()], names=[*columns])


def of_arrays(dof, **quantities):
    """Columns t, q1, q2, ... of t (N,), arrays (N, dof) and `wrench` (N, 6)."""
    import numpy as np

    columns, shapes = {}, {}
    for name, values in quantities.items():
        if np.ma.is_masked(values):
            raise TypeError("found masked entries; leave their rows out")
        values = np.asarray(values)
        if values.dtype.kind in "cmM":
            raise TypeError(f"{name} is {values.dtype}; expected real numbers")
        row = {"t": (), "wrench": (6,)}.get(name, (dof,))
        if values.ndim == 0 or values.shape[1:] != row:
            expected = ", ".join(["N", *map(str, row)]) if row else "N,"
            raise ValueError(f"{name} has shape {values.shape}; expected ({expected})")
        shapes[name] = values.shape
        columns.update(named_columns(name, values))
    if len({shape[0] for shape in shapes.values()}) > 1:
        found = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(f"expected as many rows of each, found {found}")
    return of_columns(columns)


def _seconds(times):
    """Moments, in s since the first, or durations, in s; None for other objects."""
    from datetime import datetime, timedelta, timezone

    if all(isinstance(time, datetime) for time in times):
        moments = [time.astimezone(timezone.utc) if time.tzinfo else time for time in times]
        times = [moment - moments[0] for moment in moments]
    if all(isinstance(time, timedelta) for time in times):
        return [time.total_seconds() for time in times]
    return None


def _numbers(name, column):
    """A frame's column as numbers, times in s, moments since the first; None for texts.

    Throws TypeError, or ValueError, with its name, for objects that are no numbers.
    """
    import numpy as np

    column = np.asarray(column)
    if column.dtype.kind == "c":
        raise TypeError(f"column {name} is complex; expected real numbers")
    if column.ndim != 1:
        raise ValueError(f"column {name} has shape {column.shape}; expected (N,)")
    if column.dtype.kind == "M":
        column = column - column[:1]
    if column.dtype.kind == "m":
        return column / np.timedelta64(1, "s")
    is_objects = column.dtype.kind == "O"
    if column.dtype.kind not in "biufO" or is_objects and any(isinstance(c, str) for c in column):
        return None
    try:
        seconds = _seconds(column) if is_objects else None
        return column.astype(float) if seconds is None else np.array(seconds, float)
    except (TypeError, ValueError) as error:
        raise type(error)(f"column {name}: {error}") from None


def _stamps(frame, names):
    """The index of a frame of pandas, where it is of times and no column is; else None."""
    index = getattr(frame, "index", None)
    is_of_times = getattr(index, "name", None) in ("t", "time", "timestamp") or (
        getattr(getattr(index, "dtype", None), "kind", "") in ("m", "M"))
    has_column = any(name.split("[")[0].strip() == "t" or word in name.lower()
                     for name in names for word in ("time", "stamp", "clock", "elapsed"))
    return index if is_of_times and not has_column else None


def of_frame(frame):
    """Columns of numbers of a frame, by their names; t may be its index."""
    names = [str(name) for name in frame.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"the frame has two columns {twice}")
    columns = {name: _numbers(name, frame[key]) for name, key in zip(names, frame.columns)}
    stamps = _stamps(frame, names)
    if stamps is not None:
        columns = {"t": _numbers("t", stamps), **columns}
    return of_columns({name: column for name, column in columns.items() if column is not None})
