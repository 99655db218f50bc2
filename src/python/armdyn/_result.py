"""What a call found."""

from types import SimpleNamespace


class Result(SimpleNamespace):
    """What a call found, as attributes; repr() shows its rows as a table, to_frame() gives them."""

    def _columns(self):
        """The rows by the names that the program's tables have: t, q1, q2, ..."""
        rows = len(vars(self).get("t", ()))
        columns = {}
        for name, values in vars(self).items():
            if getattr(values, "ndim", 0) not in (1, 2) or len(values) != rows:
                continue
            if values.ndim == 1:
                columns[name] = values
            else:
                columns.update((f"{name}{k + 1}", column) for k, column in enumerate(values.T))
        return columns

    def to_frame(self):
        """The rows as a pandas DataFrame. ImportError without pandas."""
        import pandas

        return pandas.DataFrame(self._columns())

    def __repr__(self):
        columns = self._columns()
        rows = len(next(iter(columns.values()), ()))
        shown = range(rows) if rows <= 10 else [*range(5), *range(rows - 3, rows)]
        names = list(columns)
        cells = [names, *([f"{columns[name][row]:.6g}" for name in names] for row in shown)]
        if rows > 10:
            cells.insert(6, ["..."] * len(names))
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in cells]
        other = [name for name in vars(self) if name not in columns and f"{name}1" not in columns]
        return "\n".join([f"<armdyn.Result: {rows} rows; also {', '.join(other) or 'nothing'}>",
                          *(lines if rows else ())])
