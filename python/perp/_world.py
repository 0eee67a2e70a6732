# SPDX-License-Identifier: Apache-2.0
"""A world that is stepped, and the problem of its next step."""

from __future__ import annotations

import ctypes
import math
import weakref
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _structs_dynamics as d
from ._errors import ArgumentError, Error, Interrupted, NotSolvedError, OptionError
from ._library import allocate, lib, sequential_impulses, text
from ._memory import address, view
from ._scene import Scene, read_scene
from ._solve import Options, as_text, option_name, whole
from ._wait import Call

_CONTACT: Any = np.dtype(d.perp_contact)


def _metrics() -> Dict[str, Any]:
    count = ctypes.c_size_t()
    found = lib.perp_metrics(ctypes.byref(count))
    return {text(m.name): m.value for m in (found[k].contents for k in range(count.value))}


_METRICS = _metrics()


@dataclass(frozen=True)
class Step:
    """One step: its number from 1, the time at its end [s], how its problem ended, and all metrics
    of ``perp info metrics`` by name."""

    step: int
    t: float
    outcome: str
    reason: str
    metrics: Dict[str, float] = field(repr=False)


@dataclass(frozen=True)
class Trajectory:
    """A run. Frames are the start and every `every`-th step; metrics and outcomes are of all steps.

    bodies      their names
    step, t     number and time [s] of each frame
    poses       frames x bodies x 7: position [m], orientation (w, x, y, z)
    velocities  frames x bodies x 6: velocity [m/s], angular velocity in world axes [rad/s]
    metrics     one array of steps for each metric of ``perp info metrics``
    outcomes    how the problem of each step ended
    """

    bodies: List[str]
    step: np.ndarray
    t: np.ndarray
    poses: np.ndarray = field(repr=False)
    velocities: np.ndarray = field(repr=False)
    metrics: Dict[str, np.ndarray] = field(repr=False)
    outcomes: List[str] = field(repr=False)


@dataclass(frozen=True)
class SavedState:
    """The state of a world after a step, as numbers that only :meth:`World.load` reads."""

    step: int
    values: np.ndarray = field(repr=False)


class _Recorder:
    """Collects a trajectory."""

    def __init__(self, world: "World", every: int) -> None:
        self.world, self.every = world, every
        self.frames: List[Any] = []
        self.steps: List[Step] = []
        self.frame()

    def frame(self) -> None:
        w = self.world
        self.frames.append((w.step_count, w.t, w.poses.copy(), w.velocities.copy()))

    def add(self, step: Step) -> None:
        self.steps.append(step)
        if len(self.steps) % self.every == 0:
            self.frame()

    def finish(self) -> Trajectory:
        step, t, poses, velocities = (np.array(column) for column in zip(*self.frames))
        return Trajectory(
            bodies=self.world.bodies,
            step=step,
            t=t,
            poses=poses,
            velocities=velocities,
            metrics={m: np.array([s.metrics[m] for s in self.steps]) for m in _METRICS},
            outcomes=[s.outcome for s in self.steps],
        )


def _solver(name: str) -> Options:
    if name == text(sequential_impulses.name):
        return Options.sequential_impulses()
    return Options(name, {"history": False})


class World:
    """A scene, its state, and what steps it.

    scene        name of a scene that comes with perp (:func:`scenes`), a file, or a dict with the
                 members of a scene file
    parameters   values of the parameters of the scene
    solver       name with settings, as of :func:`perp.solve` [that of the scene]
    coordinates  "maximal" or "reduced" [those of the scene]
    warm         start each solve at the impulses of the step before
    threads      that search contacts
    settings     members of the scheme (dt, model, stabilize, …: the options of ``perp simulate``)
                 and options of the solver, with underscores

    The state is in arrays of the library, which may be changed between steps; then call
    :meth:`refresh`.
    """

    def __init__(
        self,
        scene: Scene,
        parameters: Optional[Mapping[str, Any]] = None,
        solver: Optional[str] = None,
        coordinates: Optional[str] = None,
        warm: bool = True,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        self._scene = read_scene(scene, parameters)
        self._held: List[Any] = []  # the stepper
        self._finalizer = weakref.finalize(self, _free, self._scene, self._held)
        s = self._scene.contents
        self._options = _solver(solver or text(s.solver))
        self._set(settings)
        s.scheme.threads = whole("threads", threads, 1)
        lib.perp_scheme_check(ctypes.byref(s.scheme))
        self._reduce(coordinates)
        self._flag = ctypes.c_int(0)
        self._options.c.interrupt = ctypes.pointer(self._flag)
        stepper = ctypes.c_void_p()
        options = d.perp_stepper_options(
            solver=self._options.type, options=ctypes.pointer(self._options.c), cold=not warm
        )
        lib.perp_stepper_new(
            ctypes.byref(stepper), s.world, ctypes.byref(s.scheme), ctypes.byref(options)
        )
        self._held.append(stepper)
        self._stepper = stepper
        self._step_count = 0

    def _set(self, settings: Dict[str, Any]) -> None:
        """Each setting goes to the scheme if it has such a member, else to the solver."""
        scheme = ctypes.byref(self._scene.contents.scheme)
        for key, value in settings.items():
            name = option_name(key)
            out = ctypes.create_string_buffer(64)
            lib.perp_scheme_print(scheme, name.encode(), out, len(out))
            if out.value:
                lib.perp_scheme_set_quantity(scheme, name.encode(), as_text(value).encode())
            else:
                self._options.set(name, value)

    def _reduce(self, coordinates: Optional[str]) -> None:
        s = self._scene.contents
        names = {"maximal": d.PERP_COORDINATES_MAXIMAL, "reduced": d.PERP_COORDINATES_REDUCED}
        if coordinates is not None and coordinates not in names:
            raise OptionError(f'coordinates is "{coordinates}", expected one of: maximal, reduced')
        if names.get(coordinates or "", s.coordinates) == d.PERP_COORDINATES_REDUCED:
            lib.perp_world_reduce(s.world, ctypes.byref(s.reduction))

    # What it is.

    def _text(self, member: str) -> str:
        return text(getattr(self._scene.contents, member))

    @property
    def name(self) -> str:
        """Name of the scene."""
        return self._text("name")

    @property
    def title(self) -> str:
        """One line about it."""
        return self._text("title")

    @property
    def description(self) -> str:
        """Its purpose."""
        return self._text("description")

    @property
    def answer(self) -> str:
        """The known result, with its source."""
        return self._text("answer")

    @property
    def notes(self) -> List[str]:
        """Remarks of the reader."""
        s = self._scene.contents
        return [text(s.notes[k]) for k in range(s.note_count)]

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters of the scene with the values in use, in SI units."""
        s = self._scene.contents
        return {
            text(p.name): p.value for p in (s.parameters[k] for k in range(s.parameter_count))
        }

    @property
    def solver(self) -> str:
        """The full name of the solver."""
        return self._options.name

    @property
    def dt(self) -> float:
        """Length of a step [s]."""
        return self._scene.contents.scheme.dt

    @property
    def duration(self) -> float:
        """Usual duration of a run [s]."""
        return self._scene.contents.time

    @property
    def bodies(self) -> List[str]:
        """Names of the bodies."""
        w = self._scene.contents.world.contents
        return [text(w.name[k]) for k in range(w.body_count)]

    def body(self, name: str) -> int:
        """The number of a body."""
        names = self.bodies
        if name not in names:
            raise ArgumentError(f'no body "{name}" in {self.name}')
        return names.index(name)

    @property
    def masses(self) -> np.ndarray:
        """Of the bodies [kg]; 0 unless dynamic."""
        w = self._scene.contents.world.contents
        return view(self, w.mass, (w.body_count,))

    # Its state.

    @property
    def _state(self) -> Any:
        return lib.perp_stepper_state(self._stepper)

    def _array(self, member: str, columns: int) -> np.ndarray:
        s = self._state.contents
        return view(self, getattr(s, member), (s.body_count, columns), writeable=True)

    @property
    def t(self) -> float:
        """Time [s]."""
        return self._state.contents.t

    @property
    def step_count(self) -> int:
        """Number of steps so far."""
        return self._step_count

    @property
    def poses(self) -> np.ndarray:
        """bodies x 7: position of the centre of mass [m], orientation (w, x, y, z)."""
        return self._array("s", 7)

    @property
    def velocities(self) -> np.ndarray:
        """bodies x 6: velocity [m/s], angular velocity in world axes [rad/s]."""
        return self._array("u", 6)

    @property
    def loads(self) -> np.ndarray:
        """bodies x 6: force [N] and torque [N m] applied in every step."""
        return self._array("load", 6)

    def refresh(self) -> None:
        """Call it after poses or velocities were changed: updates inertias in world axes and the
        coordinates of trees."""
        world = self._scene.contents.world
        lib.perp_world_refresh(world, self._state)
        lib.perp_world_fit_coordinates(world, self._state)

    def save(self) -> "SavedState":
        """All data that the next step depends on: a run that is resumed has the same bits."""
        values = np.empty(lib.perp_stepper_state_size(self._stepper))
        lib.perp_stepper_save(self._stepper, address(values), values.size)
        return SavedState(self._step_count, values)

    def load(self, state: "SavedState") -> None:
        """Go back to a saved state of a world with the same scene and settings."""
        values = np.ascontiguousarray(state.values, dtype=float)
        lib.perp_stepper_load(self._stepper, address(values), values.size)
        self._step_count = state.step

    # Its steps.

    def step(self) -> Step:
        """Make one step. The state is unchanged if it fails."""
        report = allocate(d.perp_report)
        lib.perp_stepper_step(self._stepper, ctypes.byref(report))
        self._step_count = report.step
        return Step(
            step=report.step,
            t=report.t,
            outcome=text(lib.perp_outcome_text(report.outcome)),
            reason=text(report.reason),
            metrics={name: value(ctypes.pointer(report)) for name, value in _METRICS.items()},
        )

    def _lengths(self, steps: Optional[int], time: Union[float, str, None]) -> Tuple[int, float]:
        """The number of steps, and the length of the last one."""
        if steps is not None and time is not None:
            raise ArgumentError("steps and time are given: expected one of them")
        if steps is not None:
            return whole("steps", steps, 0), self.dt
        if time is None:
            time = self.duration
        elif isinstance(time, str):
            seconds = ctypes.c_double()
            lib.perp_quantity_read(time.encode(), b"s", ctypes.byref(seconds))
            time = seconds.value
        if not 0.0 <= time < math.inf:
            raise ArgumentError(f"time is {time}, expected a number >= 0 [s]")
        n = time / self.dt
        if abs(n - round(n)) <= 1e-9 * n:
            return round(n), self.dt
        return math.ceil(n), time - (math.ceil(n) - 1) * self.dt

    def run(
        self,
        steps: Optional[int] = None,
        time: Union[float, str, None] = None,
        every: int = 1,
        progress: Optional[Callable[[Step], Optional[bool]]] = None,
    ) -> Trajectory:
        """Make a number of steps, or those of a time [s], or (without both) of the usual duration.
        Where dt does not divide the time, the last step is shortened.

        `every` steps make a frame. `progress` is called with each :class:`Step`; where it returns
        False, the run ends. Ctrl-C ends the run: :class:`perp.Interrupted`, whose `result` is the
        trajectory so far. An error has it as its attribute `trajectory`.
        """
        count, last = self._lengths(steps, time)
        recorder = _Recorder(self, whole("every", every, 1))
        call = Call(progress, self._flag)

        def march(_: Call) -> None:
            for number in range(count):
                if number + 1 == count:
                    lib.perp_stepper_set_dt(self._stepper, last)
                try:
                    step = self.step()
                except NotSolvedError:  # the solve was interrupted: the step was not made
                    if not self._flag.value:
                        raise
                    return
                recorder.add(step)
                if not call.report(step):
                    return

        try:
            call.run(march)
        except Error as error:
            setattr(error, "trajectory", recorder.finish())
            raise
        finally:
            self._flag.value = 0
            lib.perp_stepper_set_dt(self._stepper, self.dt)
        if call.interrupted:
            raise Interrupted(recorder.finish())
        return recorder.finish()

    @property
    def contacts(self) -> np.ndarray:
        """The contacts of the last step: an array with the members i, j (bodies), point, normal
        (from i to j), gap, mu, restitution, …, key (constant while the same features touch)."""
        found = lib.perp_stepper_contacts(self._stepper).contents
        return np.array(view(self, found.at, (found.count,), _CONTACT))

    @property
    def contact_forces(self) -> np.ndarray:
        """contacts x 6: mean force [N] and torque [N m] on body j in the last step."""
        count = lib.perp_stepper_contacts(self._stepper).contents.count
        forces = np.zeros((count, 6))
        for k in range(count):
            lib.perp_stepper_contact_force(self._stepper, k, address(forces[k]))
        return forces

    def joint_force(self, name: str) -> np.ndarray:
        """Mean force [N] and torque [N m] of a joint on its second body in the last step."""
        joint = lib.perp_world_find_joint(self._scene.contents.world, name.encode())
        if joint < 0:
            raise ArgumentError(f'no joint "{name}" in {self.name}')
        force = np.zeros(6)
        lib.perp_stepper_joint_force(self._stepper, joint, address(force))
        return force

    def __repr__(self) -> str:
        return f"<perp.World {self.name}: {len(self.bodies)} bodies, t = {self.t:g} s>"


def _free(scene: Any, held: List[Any]) -> None:
    """Free the stepper, then the world that it borrows."""
    for stepper in held:
        lib.perp_stepper_free(stepper)
    lib.perp_scene_free(scene)


def simulate(
    scene: Scene,
    steps: Optional[int] = None,
    time: Union[float, str, None] = None,
    every: int = 1,
    progress: Optional[Callable[[Step], Optional[bool]]] = None,
    **settings: Any,
) -> Trajectory:
    """Run a scene: :class:`World` with these settings, then :meth:`World.run`."""
    return World(scene, **settings).run(steps, time, every, progress)
