"""Arrays and frames as the program reads them from .npy: columns with names."""

import tempfile
from pathlib import Path

from ._core import read_log
from ._result import Result


def is_frame(table):
    """Whether it has columns by their names, as frames of pandas and polars have."""
    return hasattr(table, "columns") and hasattr(table, "__getitem__")


def rows(table, robot):
    """The rows of a frame, by the rules of logs, or of a result; None for what is neither."""
    if isinstance(table, Result):
        return table
    return read_log(table, robot) if is_frame(table) else None


def of_columns(columns):
    """A structured array of columns (N,) by their names."""
    import numpy as np

    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"expected as many rows of each, found {lengths}")
    return np.rec.fromarrays([np.asarray(c, float) for c in columns.values()], names=[*columns])


def of_arrays(**quantities):
    """Columns t, q1, q2, ... of arrays (N,) and (N, n)."""
    import numpy as np

    columns = {}
    for name, values in quantities.items():
        values = np.asarray(values)
        if values.dtype.kind == "c":
            raise TypeError(f"{name} is complex; expected real numbers")
        if values.ndim == 1:
            columns[name] = values
        else:
            columns.update((f"{name}{k + 1}", column) for k, column in enumerate(values.T))
    return of_columns(columns)


def _numbers(name, column):
    """A frame's column as numbers, moments as s since the first; None for what is no number."""
    import numpy as np

    column = np.asarray(column)
    if column.dtype.kind == "c":
        raise TypeError(f"column {name} is complex; expected real numbers")
    if column.dtype.kind == "M":
        return (column - column[:1]) / np.timedelta64(1, "s")
    try:
        return column.astype(float) if column.dtype.kind in "biufO" else None
    except (TypeError, ValueError):
        return None


def of_frame(frame):
    """The columns of numbers of a frame, by their names; what is no number is left out."""
    columns = {str(name): _numbers(name, frame[name]) for name in frame.columns}
    return of_columns({name: column for name, column in columns.items() if column is not None})


def saved(frame):
    """A folder that lasts as long as the object returned, with the frame's numbers in frame.npy."""
    import numpy as np

    folder = tempfile.TemporaryDirectory(prefix="armdyn-")
    np.save(Path(folder.name) / "frame.npy", of_frame(frame))
    return folder
