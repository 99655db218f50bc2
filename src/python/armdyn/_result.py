"""Results of calls: records whose fields are attributes, and keys as of a mapping."""

from collections.abc import Mapping
from dataclasses import make_dataclass


def _is_same(one, other):
    if hasattr(one, "dtype") or hasattr(other, "dtype"):
        import numpy as np

        return np.array_equal(one, other, equal_nan=True)
    if hasattr(one, "_source"):
        return type(one) is type(other) and one._source() == other._source()
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one == other


def column_name(name, k):
    """The k-th column's name in the program's tables: q1 of q, fx of `wrench`."""
    return ("fx", "fy", "fz", "nx", "ny", "nz")[k] if name == "wrench" else f"{name}{k + 1}"


def named_columns(name, values):
    """Columns by the names that the program's tables have: t of t (N,), q1, q2, ... of q (N, n)."""
    if values.ndim == 1:
        return {name: values}
    return {column_name(name, k): column for k, column in enumerate(values.T)}


def _word(value):
    """A field in a line of a table."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if hasattr(value, "shape"):
        return f"array {value.shape}"
    if isinstance(value, Mapping):
        return ", ".join(map(str, value))
    if isinstance(value, (list, tuple)):
        return f"{len(value)} of {type(value[0]).__name__}" if value else "none"
    return str(value)


class Result(Mapping):
    """Result of a call, which cannot be changed: `result.q` is `result["q"]`; for `dataclasses`
    (fields, asdict) it is one.

    repr() shows the rows as a table, or the fields where there are none; to_frame() gives the rows.
    """

    _rows = None  # the field that holds the rows, if it is another than the result itself

    def __init__(self, **fields):
        vars(self).update(fields)

    def __setattr__(self, name, value):
        raise AttributeError(f"armdyn.{type(self).__name__} cannot be changed: {name}")

    def __delattr__(self, name):
        raise AttributeError(f"armdyn.{type(self).__name__} cannot be changed: {name}")

    def __getitem__(self, name):
        return vars(self)[name]

    def __iter__(self):
        return iter(vars(self))

    def __len__(self):
        return len(vars(self))

    def __eq__(self, other):
        return type(self) is type(other) and _is_same(vars(self), vars(other))

    __hash__ = None

    @property
    def __dataclass_fields__(self):
        named = make_dataclass(type(self).__name__, [(name, object) for name in self])
        return named.__dataclass_fields__

    def _columns(self):
        """The rows by the names that the program's tables have: t, q1, q2, ..."""
        fields = self[self._rows] if self._rows else self
        rows = fields.get("q", fields.get("tau"))
        first = next(iter(fields.values()), None) if self._rows else rows
        if getattr(first, "ndim", 0) != (1 if self._rows else 2):
            return {}
        rows = len(first)
        columns = {}
        for name, values in fields.items():
            if getattr(values, "ndim", 0) not in (1, 2) or len(values) != rows:
                continue
            columns.update(named_columns(name, values))
        return columns

    def to_frame(self):
        """The rows as a pandas DataFrame. ImportError without pandas, ValueError without rows."""
        import pandas

        columns = self._columns()
        if not columns:
            raise ValueError(f"armdyn.{type(self).__name__} has no rows, only {', '.join(self)}")
        return pandas.DataFrame(columns)

    def __repr__(self):
        columns = self._columns()
        head = f"<armdyn.{type(self).__name__}"
        if not columns:
            width = max(map(len, self), default=0)
            lines = (f"{name:{width}}  {_word(value)}"[:100] for name, value in self.items())
            return "\n".join([f"{head}>", *lines])
        rows = len(next(iter(columns.values())))
        shown = range(rows) if rows <= 10 else [*range(5), *range(rows - 3, rows)]
        names = list(columns)
        cells = [names, *([f"{columns[name][row]:.6g}" for name in names] for row in shown)]
        if rows > 10:
            cells.insert(6, ["..."] * len(names))
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in cells]
        other = [name for name in self if name not in (self._rows, *columns)
                 and column_name(name, 0) not in columns]
        return "\n".join([f"{head}: {rows} rows; also {', '.join(other) or 'nothing'}>", *lines])


class Log(Result):
    """Rows of a log: t, q, qd, qdd, tau, `wrench`, None where the log has none."""


class Torques(Result):
    """Rows of torques: tau, and tau_error, reactions (N, n, 6) and others; the keys of the JSON."""


class Motion(Result):
    """Rows of a planned motion: t, q, qd, qdd; the keys of its JSON."""


class Simulation(Result):
    """Rows of a simulation: t, q, qd, qdd, tau; energy, end, joints and the rest of its JSON."""


class SimulationBatch(Result):
    """A row per simulation: t, q, qd, qdd at its end, imbalance; end and failure."""


class Tracking(Result):
    """Rows of an arm under a controller: t, q, qd, tau, e; the keys of its JSON."""


class Variation(Result):
    """Torques of arms within tolerances: the keys of the JSON; arms, a row per arm."""

    _rows = "arms"


class Identification(Result):
    """Parameters of an arm: robot, or None; the keys of the JSON."""


class Check(Result):
    """Verdict on a model: the keys of the JSON."""


class Comparison(Result):
    """Agreement of the formulations: the keys of the JSON."""


class DataSheet(Result):
    """Data sheet of an arm: the keys of the JSON."""


class Inspection(Result):
    """Terms of the equations of motion at a state: the keys of the JSON."""


class Observation(Result):
    """External torques of a log: t, tau_ext, tau_ext_low, tau_ext_high, contact; the keys of the JSON."""


class Sizing(Result):
    """Loads of drives and supply over a cycle: the keys of the JSON."""


class SlowDown(Result):
    """Time scaling of a motion to all limits: the keys of the JSON."""


class Equations:
    """Equations of motion, written down."""

    def __init__(self, text, warnings, make_latex):
        self._text, self._warnings, self._make_latex = text, warnings, make_latex

    text = property(lambda self: self._text)
    warnings = property(lambda self: self._warnings)
    latex = property(lambda self: self._make_latex(),
                     doc="None where the equations are no closed form.")

    def __str__(self):
        return self.text

    __repr__ = __str__

    def _repr_latex_(self):
        return self.latex
