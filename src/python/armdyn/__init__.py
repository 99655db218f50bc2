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

_TABLE = ("a, m", "alpha, rad", "d, m", "theta, rad")


def _line(robot):
    text = f"<armdyn.Robot {robot.name}: {robot.dof} joint{'s' * (robot.dof != 1)}"
    if not robot._is_mechanism:
        return f"{text}, {robot.convention} table>"
    count = len(robot.followers)
    follow = f", {count} more follow{'s' * (count == 1)} them" if count else ""
    return f"{text} of a mechanism{follow}>"


def _rows(robot):
    """Names and numbers of all joints; a row of the table does not place that of a mechanism."""
    table = () if robot._is_mechanism else _TABLE
    yield "joint", "type", *table, "mass, kg"
    for joint in [*robot.joints, *robot.followers]:
        numbers = [getattr(joint, head.split(",")[0]) for head in table]
        yield joint.name, joint.type, *(f"{x:.6g}" for x in [*numbers, joint.mass])


def _text(robot):
    rows = list(_rows(robot))
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(cell.ljust(w) if k < 2 else cell.rjust(w)
                       for k, (cell, w) in enumerate(zip(row, widths))) for row in rows]
    return "\n".join([_line(robot), *lines])


def _html(robot):
    from html import escape

    def row(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

    head, *rows = _rows(robot)
    return (f"<p>{escape(_line(robot)[1:-1])}</p>"
            f"<table>{row('th', head)}{''.join(row('td', cells) for cells in rows)}</table>")


def _from_text(text, edits):
    return Robot(text.decode(), **edits)


Robot.__reduce__ = lambda robot: (_from_text, robot._source())
Robot.__copy__ = lambda robot: robot.with_()
Robot.__deepcopy__ = lambda robot, memo: robot.with_()
Robot.__repr__ = _line  # short: it stands in messages of wrong arguments
Robot.__str__ = _text
Robot._repr_html_ = _html
