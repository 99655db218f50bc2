from os import PathLike
from typing import Any, Iterator, Literal, Mapping, Protocol, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Path = str | PathLike[str]
Method = Literal["newton-euler", "modified-newton-euler", "lagrange", "newton-euler-in-base"]

class Frame(Protocol):
    """Columns by name, as frames of pandas and polars have them."""
    @property
    def columns(self) -> Any: ...
    def __getitem__(self, name: Any, /) -> Any: ...

Table = Frame | Result
Words = Path | float | Sequence[float] | Sequence[str] | Mapping[str, Any] | Table

__version__: str

class Error(Exception): ...
class UsageError(Error, ValueError): ...
class InputError(Error, ValueError):
    findings: list[Finding]
class FileError(Error, OSError): ...
class NumericsError(Error, ArithmeticError):
    run: Simulation | Tracking

class Finding:
    @property
    def severity(self) -> Literal["error", "warning"]: ...
    @property
    def path(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...

class Result(Mapping[str, Any]):
    """Fields are attributes and keys, which cannot be changed."""
    def __getitem__(self, name: str, /) -> Any: ...
    def __getattr__(self, name: str, /) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def to_frame(self) -> Any: ...

class _States(Result):
    @property
    def t(self) -> Array: ...
    @property
    def q(self) -> Array: ...
    @property
    def qd(self) -> Array: ...

class _Rows(_States):
    @property
    def qdd(self) -> Array: ...

class Motion(_Rows): ...
class Log(Result):
    @property
    def t(self) -> Array | None: ...
    @property
    def q(self) -> Array: ...
    @property
    def qd(self) -> Array | None: ...
    @property
    def qdd(self) -> Array | None: ...
    @property
    def tau(self) -> Array | None: ...
    @property
    def wrench(self) -> Array | None: ...
    @property
    def recognized(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
class Simulation(_Rows):
    @property
    def tau(self) -> Array: ...
    @property
    def wrench(self) -> Array: ...
    @property
    def energy(self) -> dict[str, float]: ...
    @property
    def end(self) -> str: ...
    @property
    def joints(self) -> list[dict[str, Any]]: ...
    @property
    def warnings(self) -> list[str]: ...
class SimulationBatch(_Rows):
    @property
    def imbalance(self) -> Array: ...
    @property
    def end(self) -> list[str]: ...
    @property
    def failure(self) -> list[str]: ...
class Torques(Result):
    @property
    def tau(self) -> Array: ...
class Tracking(_States):
    @property
    def tau(self) -> Array: ...
    @property
    def e(self) -> Array: ...
class Variation(Result):
    @property
    def arms(self) -> dict[str, Array]: ...
class Identification(Result):
    @property
    def robot(self) -> Robot | None: ...
class Check(Result): ...
class Comparison(Result): ...
class DataSheet(Result): ...
class Inspection(Result): ...
class Observation(Result): ...
class Sizing(Result): ...
class SlowDown(Result): ...

class Equations:
    @property
    def text(self) -> str: ...
    @property
    def latex(self) -> str | None: ...
    @property
    def warnings(self) -> list[str]: ...
    def _repr_latex_(self) -> str | None: ...

class Joint:
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> Literal["revolute", "prismatic", "helical"]: ...
    @property
    def a(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def d(self) -> float: ...
    @property
    def theta(self) -> float: ...
    @property
    def mass(self) -> float: ...
    @property
    def com(self) -> tuple[float, float, float]: ...
    @property
    def inertia(self) -> Array: ...
    @property
    def friction(self) -> dict[str, float]: ...
    @property
    def motor(self) -> dict[str, float]: ...
    @property
    def gear(self) -> dict[str, float]: ...
    @property
    def limits(self) -> dict[str, float]: ...

def shipped_robots() -> list[str]: ...

class Robot:
    def __init__(self, robot: Path, **edits: Any) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def dof(self) -> int: ...
    @property
    def joints(self) -> list[Joint]: ...
    @property
    def followers(self) -> list[Joint]: ...
    @property
    def poses(self) -> dict[str, Array]: ...
    @property
    def gravity(self) -> tuple[float, float, float]: ...
    @property
    def convention(self) -> Literal["standard", "modified"]: ...
    @property
    def warnings(self) -> list[Finding]: ...
    def with_(self, *, gravity: Sequence[float] = ..., payload: float | Sequence[float] = ...,
              set: Mapping[str, float] = ..., without: str | Sequence[str] = ...,
              base: str = ..., tip: str = ...) -> Robot: ...
    def acceleration(self, q: ArrayLike | Table, qd: ArrayLike | None = ...,
                     tau: ArrayLike | None = ..., *,
                     wrench: ArrayLike | None = ..., threads: int = ...) -> Array: ...
    def mass_matrix(self, q: ArrayLike | Table) -> Array: ...
    def velocity_torque(self, q: ArrayLike | Table, qd: ArrayLike | None = ..., *,
                        threads: int = ...) -> Array: ...
    def gravity_torque(self, q: ArrayLike | Table, *, threads: int = ...) -> Array: ...
    def jacobian(self, q: ArrayLike | Table) -> Array: ...
    @property
    def dynamic_parameters(self) -> dict[str, float]: ...
    def regressor(self, q: ArrayLike | Table, qd: ArrayLike | None = ...,
                  qdd: ArrayLike | None = ...) -> Array: ...
    def tcp_pose(self, q: ArrayLike | Table) -> Array: ...
    def simulate_batch(self, q0s: ArrayLike, qd0s: ArrayLike | None = ..., *,
                       tau: ArrayLike | None = ..., threads: int = ...,
                       **options: Any) -> SimulationBatch: ...
    def _repr_html_(self) -> str: ...
    @overload
    def torque(self, q: ArrayLike | Table, qd: ArrayLike | None = ...,
               qdd: ArrayLike | None = ..., *, wrench: ArrayLike | None = ...,
               terms: Literal[False] = ..., bounds: Literal[False] = ...,
               reactions: Literal[False] = ..., keep_motion: Literal[False] = ...,
               derive_errors: Literal[False] = ..., slow_down: Literal[False] = ...,
               method: Method = ..., threads: int = ..., **options: Any) -> Array: ...
    # Verbs, written by tests/python/stubs.py
    @overload
    def torque(self, q: ArrayLike | Table, qd: ArrayLike | None = ..., qdd: ArrayLike | None = ...,
               *, wrench: ArrayLike | None = ..., set: Words = ..., base: Words = ...,
               tip: Words = ..., gravity: Words = ..., payload: Words = ..., without: Words = ...,
               method: Literal['newton-euler', 'modified-newton-euler', 'lagrange', 'newton-euler-in-base'] = ...,
               bounds: bool = ..., input_error: Literal['none', 'file', 'decimal'] = ...,
               terms: bool = ..., reactions: bool = ..., keep_motion: bool = ...,
               columns: Words = ..., no_header: bool = ..., topic: Words = ...,
               ignore_extra: bool = ..., log_rate: float = ..., motor_side: bool = ...,
               derive: bool = ..., window: float = ...,
               gaps: Literal['refuse', 'skip', 'bridge'] = ..., from_time: float = ...,
               to_time: float = ..., resample: float = ..., max_rows: float = ...,
               derive_errors: bool = ..., dead_zone: float = ..., as_given: bool = ...,
               strict: bool = ..., slow_down: bool = ..., threads: int = ...) -> Torques: ...
    def compare(self, t: ArrayLike | Table | None = ..., q: ArrayLike | None = ...,
                qd: ArrayLike | None = ..., qdd: ArrayLike | None = ..., *,
                wrench: ArrayLike | None = ..., set: Words = ..., base: Words = ...,
                tip: Words = ..., gravity: Words = ..., payload: Words = ..., without: Words = ...,
                samples: int = ..., seed: int = ..., method: Words = ..., max_error: float = ...,
                input_error: Literal['none', 'file', 'decimal'] = ..., costs: bool = ...,
                processors: int = ..., columns: Words = ..., no_header: bool = ...,
                topic: Words = ..., ignore_extra: bool = ..., log_rate: float = ...,
                motor_side: bool = ..., derive: bool = ..., window: float = ...,
                gaps: Literal['refuse', 'skip', 'bridge'] = ..., from_time: float = ...,
                to_time: float = ..., resample: float = ..., max_rows: float = ...,
                threads: int = ...) -> Comparison: ...
    def track(self, t: ArrayLike | Table, q: ArrayLike | None = ..., qd: ArrayLike | None = ...,
              qdd: ArrayLike | None = ..., *, set: Words = ..., base: Words = ..., tip: Words = ...,
              gravity: Words = ..., payload: Words = ..., without: Words = ...,
              controller: Literal['computed-torque', 'pd', 'pd-gravity', 'feedforward'] = ...,
              friction_by: Literal['desired', 'measured'] = ..., kp: Words = ..., kv: Words = ...,
              ki: Words = ..., sample_time: float = ..., delay: int = ...,
              method: Literal['newton-euler', 'modified-newton-euler', 'lagrange', 'newton-euler-in-base'] = ...,
              model: Words = ..., model_without: Words = ..., encoder: Words = ...,
              saturate: bool = ..., q0: Words = ..., qd0: Words = ..., hold: float = ...,
              desired: bool = ..., step: float = ..., every: int = ..., max_rows: float = ...,
              integrator: Literal['rk4', 'euler', 'dopri5', 'rkf78'] = ..., tolerance: float = ...,
              at_limit: Literal['stop', 'ignore'] = ..., max_error: Words = ...,
              columns: Words = ..., topic: Words = ..., ignore_extra: bool = ...,
              threads: int = ...) -> Tracking: ...
    def vary(self, t: ArrayLike | Table, q: ArrayLike | None = ..., qd: ArrayLike | None = ...,
             qdd: ArrayLike | None = ..., *, wrench: ArrayLike | None = ..., set: Words = ...,
             base: Words = ..., tip: Words = ..., gravity: Words = ..., payload: Words = ...,
             without: Words = ..., uncertainty: Words = ...,
             distribution: Literal['uniform', 'normal'] = ..., samples: int = ..., seed: int = ...,
             worst: Words = ..., force: bool = ..., strict: bool = ..., columns: Words = ...,
             no_header: bool = ..., topic: Words = ..., ignore_extra: bool = ...,
             log_rate: float = ..., motor_side: bool = ..., derive: bool = ..., window: float = ...,
             gaps: Literal['refuse', 'skip', 'bridge'] = ..., from_time: float = ...,
             to_time: float = ..., resample: float = ..., max_rows: float = ...,
             threads: int = ...) -> Variation: ...
    def size(self, t: ArrayLike | Table, q: ArrayLike | None = ..., qd: ArrayLike | None = ...,
             qdd: ArrayLike | None = ..., *, wrench: ArrayLike | None = ..., set: Words = ...,
             base: Words = ..., tip: Words = ..., gravity: Words = ..., payload: Words = ...,
             without: Words = ..., hold: float = ..., safety: float = ..., uncertainty: Words = ...,
             catalog: Words = ..., columns: Words = ..., no_header: bool = ..., topic: Words = ...,
             ignore_extra: bool = ..., log_rate: float = ..., motor_side: bool = ...,
             derive: bool = ..., window: float = ...,
             gaps: Literal['refuse', 'skip', 'bridge'] = ..., from_time: float = ...,
             to_time: float = ..., resample: float = ..., max_rows: float = ...,
             threads: int = ...) -> Sizing: ...
    def slow_down(self, t: ArrayLike | Table, q: ArrayLike | None = ..., qd: ArrayLike | None = ...,
                  qdd: ArrayLike | None = ..., *, wrench: ArrayLike | None = ...) -> SlowDown: ...
    def identify(self, t: ArrayLike | Table | Sequence[Table], q: ArrayLike | None = ...,
                 tau: ArrayLike | None = ..., *, wrench: ArrayLike | None = ..., set: Words = ...,
                 base: Words = ..., tip: Words = ..., gravity: Words = ..., payload: Words = ...,
                 without: Words = ..., held_out: Words = ...,
                 friction: Literal['viscous', 'coulomb', 'sigmoid', 'file'] = ...,
                 free: Words = ..., fix: Words = ..., prior: float = ..., min_speed: float = ...,
                 columns: Words = ..., no_header: bool = ..., topic: Words = ...,
                 ignore_extra: bool = ..., log_rate: float = ..., motor_side: bool = ...,
                 window: float = ..., gaps: Literal['refuse', 'skip', 'bridge'] = ...,
                 from_time: float = ..., to_time: float = ..., resample: float = ...,
                 max_rows: float = ..., as_given: bool = ..., force: bool = ...,
                 threads: int = ...) -> Identification: ...
    def observe(self, t: ArrayLike | Table, q: ArrayLike | None = ..., tau: ArrayLike | None = ...,
                *, set: Words = ..., base: Words = ..., tip: Words = ..., gravity: Words = ...,
                payload: Words = ..., without: Words = ..., model: Words = ...,
                unloaded: Words = ..., at: Words = ..., false_alarms: float = ...,
                min_speed: float = ..., residual: Literal['direct', 'momentum'] = ...,
                columns: Words = ..., no_header: bool = ..., topic: Words = ...,
                ignore_extra: bool = ..., log_rate: float = ..., motor_side: bool = ...,
                window: float = ..., gaps: Literal['refuse', 'skip', 'bridge'] = ...,
                from_time: float = ..., to_time: float = ..., resample: float = ...,
                max_rows: float = ..., as_given: bool = ..., threads: int = ...) -> Observation: ...
    def simulate(self, q0: ArrayLike | str | None = ..., qd0: ArrayLike | str | None = ..., *,
                 tau: ArrayLike | tuple[ArrayLike, ArrayLike] | Table | None = ...,
                 set: Words = ..., base: Words = ..., tip: Words = ..., gravity: Words = ...,
                 payload: Words = ..., without: Words = ..., duration: float = ...,
                 step: float = ..., every: int = ..., max_rows: float = ...,
                 integrator: Literal['rk4', 'euler', 'dopri5', 'rkf78'] = ...,
                 tolerance: float = ..., interpolation: Literal['linear', 'hold'] = ...,
                 method: Literal['composite', 'articulated', 'strobe'] = ...,
                 at_limit: Literal['stop', 'ignore'] = ..., estimate_error: bool = ...,
                 columns: Words = ..., topic: Words = ..., ignore_extra: bool = ...,
                 threads: int = ...) -> Simulation: ...
    def trajectory(self, from_: ArrayLike | str | None = ..., to: ArrayLike | str | None = ..., *,
                   set: Words = ..., base: Words = ..., tip: Words = ..., gravity: Words = ...,
                   payload: Words = ..., without: Words = ..., to_tcp: Words = ...,
                   via: Words = ..., along: Words = ..., time_optimal: bool = ...,
                   torque_share: float = ..., straight: bool = ...,
                   orientation: Literal['interpolated', 'constant', 'free'] = ...,
                   excite: bool = ..., optimize: bool = ..., harmonics: int = ..., seed: int = ...,
                   duration: float = ..., limits: Words = ...,
                   profile: Literal['trapezoid', 'cubic', 'quintic', 'septic', 'lspb', 'monotone'] = ...,
                   rate: float = ..., max_rows: float = ..., stop: bool = ..., columns: Words = ...,
                   no_header: bool = ..., topic: Words = ..., ignore_extra: bool = ...,
                   threads: int = ...) -> Motion: ...
    def inspect(self, q: ArrayLike | str | Table | None = ..., qd: ArrayLike | str | None = ...,
                qdd: ArrayLike | str | None = ..., *, set: Words = ..., base: Words = ...,
                tip: Words = ..., gravity: Words = ..., payload: Words = ..., without: Words = ...,
                what: Words = ..., task_rows: Words = ..., links: bool = ...,
                axes: Literal['base', 'link', 'tool'] = ..., point: Literal['com', 'origin'] = ...,
                linearize: bool = ..., sample_time: float = ..., equilibrium: bool = ...,
                stable: bool = ..., columns: Words = ..., no_header: bool = ..., topic: Words = ...,
                ignore_extra: bool = ..., log_rate: float = ..., motor_side: bool = ...,
                derive: bool = ..., window: float = ...,
                gaps: Literal['refuse', 'skip', 'bridge'] = ..., from_time: float = ...,
                to_time: float = ..., resample: float = ..., max_rows: float = ...,
                threads: int = ...) -> Inspection: ...
    def check(self, *, set: Words = ..., base: Words = ..., tip: Words = ..., gravity: Words = ...,
              payload: Words = ..., without: Words = ..., strict: bool = ..., frame: Words = ...,
              line: Words = ..., against: Words = ..., threads: int = ...) -> Check: ...
    def datasheet(self, *, set: Words = ..., base: Words = ..., tip: Words = ...,
                  gravity: Words = ..., payload: Words = ..., without: Words = ...,
                  what: Words = ..., ratio: Words = ..., accelerations: Words = ...,
                  speed_share: float = ..., max_gap: float = ..., boxes: int = ...,
                  brakes: Words = ..., brakes_up_to: Words = ..., brake_delay: float = ...,
                  stops_along: Words = ..., published: Words = ..., regions: Words = ...,
                  force: bool = ..., threads: int = ...) -> DataSheet: ...
    def equations(self, *, set: Words = ..., base: Words = ..., tip: Words = ...,
                  gravity: Words = ..., payload: Words = ..., without: Words = ...,
                  what: Literal['torque', 'M', 'V', 'G', 'C', 'craig', 'cartesian', 'jacobian', 'forward', 'regressor', 'kinetic', 'potential', 'recursion', 'frames', 'forward-kinematics', 'lagrangian', 'link-jacobian', 'base-parameters'] = ...,
                  format: Literal['text', 'latex', 'listing', 'c', 'cpp', 'python', 'matlab', 'javascript'] = ...,
                  as_: Literal['paper-004'] = ..., axes: Literal['base', 'link', 'tool'] = ...,
                  point: Literal['com', 'origin'] = ..., symbols: Words = ..., q: Words = ...,
                  qd: Words = ..., qdd: Words = ..., terms_limit: int = ..., standalone: bool = ...,
                  prove: bool = ..., verify: Words = ..., names: Words = ..., entry: Words = ...,
                  precision: Literal['double', 'float'] = ..., force: bool = ...) -> Equations: ...
    def convert(self, format: Literal['yaml', 'urdf', 'mjcf'], *, set: Words = ...,
                base: Words = ..., tip: Words = ..., snap: Words = ...,
                convention: Literal['standard', 'modified'] = ..., force: bool = ...) -> str: ...

def read_log(path: Path | Frame, robot: Robot, *, set: Words = ..., base: Words = ...,
             tip: Words = ..., gravity: Words = ..., payload: Words = ..., without: Words = ...,
             columns: Words = ..., no_header: bool = ..., topic: Words = ...,
             ignore_extra: bool = ..., log_rate: float = ..., motor_side: bool = ...,
             derive: bool = ..., window: float = ...,
             gaps: Literal['refuse', 'skip', 'bridge'] = ..., from_time: float = ...,
             to_time: float = ..., resample: float = ..., max_rows: float = ...) -> Log: ...
def run(verb: str, *words: Path, **options: Any) -> Result: ...
