"""Dynamics of robot arms: inverse and forward dynamics, identification, verified torques.

    robot = armdyn.Robot("puma560")
    tau = robot.torque(q, qd, qdd)

Numbers are those of the command line, to the last bit. SI units: rad or m, s, N·m or N.
"""

from pathlib import Path as _Path

from ._core import (Error, FileError, Finding, InputError, Joint, NumericsError, Robot, UsageError,
                    __version__, set_shared_folder as _set_shared_folder, shipped_robots)
from ._result import (Check, Comparison, DataSheet, Equations, Identification, Inspection, Log,
                      Motion, Observation, Result, Simulation, SimulationBatch, Sizing, SlowDown,
                      Torques, Tracking, Variation)
from ._verbs import read_log, run

__all__ = ["Check", "Comparison", "DataSheet", "Equations", "Error", "FileError", "Finding",
           "Identification", "InputError", "Inspection", "Joint", "Log", "Motion", "NumericsError", "Observation",
           "Result", "Robot", "Simulation", "SimulationBatch", "Sizing", "SlowDown", "Torques",
           "Tracking", "UsageError", "Variation", "__version__", "read_log", "run",
           "shipped_robots"]

_here = _Path(__file__).resolve()
_beside = _here.parent / "share" / "armdyn"  # in a wheel; else PREFIX/share/armdyn
_set_shared_folder(str(_beside if _beside.is_dir() else _here.parents[4] / "share" / "armdyn"))

_HEAD = ("joint", "type", "a, m", "alpha, rad", "d, m", "theta, rad", "mass, kg")


def _cells(robot):
    return [(j.name, j.type, *(f"{x:.6g}" for x in (j.a, j.alpha, j.d, j.theta, j.mass)))
            for j in robot.joints]


def _text(robot):
    rows = [_HEAD, *_cells(robot)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(w) if k < 2 else cell.rjust(w)
                       for k, (cell, w) in enumerate(zip(row, widths))) for row in rows]
    return "\n".join([f"<armdyn.Robot {robot.name}: {robot.dof} joints, {robot.convention} table>",
                      *lines])


def _html(robot):
    from html import escape

    def row(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

    return (f"<p><b>{escape(robot.name)}</b>: {robot.dof} joints, {robot.convention} table</p>"
            f"<table>{row('th', _HEAD)}{''.join(row('td', c) for c in _cells(robot))}</table>")


def _from_text(text, edits):
    return Robot(text.decode(), **edits)


Robot.__reduce__ = lambda robot: (_from_text, robot._source())
Robot.__copy__ = lambda robot: robot.with_()
Robot.__deepcopy__ = lambda robot, memo: robot.with_()
Robot.__repr__ = _text
Robot._repr_html_ = _html
