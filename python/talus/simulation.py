"""What moves a world."""
import json
import math
import os
import re
import sys
import tempfile
import time as clock
import warnings
import weakref
from functools import partial
from typing import Any, Callable, List, Optional, Set, Union

import numpy as np

from . import _core
from ._base import Quantity, Settings, text
from ._errors import InputError
from ._settings import ContactDynamics, Penalty
from .picture import Picture, draw
from .problem import Problem
from .scene import Scene
from .view import View, Watch
from .world import Body, World

Path = Union[str, "os.PathLike[str]"]


def seconds(time: Quantity) -> float:
    """Seconds of a number or a text: 0.3, "20 ms", "2 h"."""
    return float(_core.parse_quantity(time, "time")) if isinstance(time, str) else float(time)


class _Every:
    """A function that is called every so many steps or seconds."""

    def __init__(self, call: Callable[[Any], Any], steps: Optional[int], period: Optional[float], world: World) -> None:
        if (steps is None) == (period is None):
            raise InputError("every: give steps or time, and not both")
        if (steps is not None and steps < 1) or (period is not None and not period > 0):
            raise InputError("every: steps must be at least 1, a time above 0 s")
        self.call = call
        self.steps, self.period = steps, period
        self.start, self.count = world.time, 0
        self.next_step = world.step_count + (steps or 0)

    @property
    def next_time(self) -> float:
        return math.inf if self.period is None else self.start + (self.count + 1) * self.period

    def is_due(self, sim: "Simulation") -> bool:
        if self.steps is not None:
            return sim.world.step_count >= self.next_step
        return sim.world.time > self.next_time - 1e-6 * sim.step_length

    def answer(self, sim: "Simulation") -> None:
        if self.steps is not None:
            self.next_step = sim.world.step_count + self.steps
        while self.period is not None and sim.world.time > self.next_time - 1e-6 * sim.step_length:
            self.count += 1
        self.call(sim)


class _OwnForce:
    """A force of the user's own as the stepper asks for it. An error in it ends the step without acting."""

    def __init__(self, sim: "Simulation", function: Callable[..., Any], body: Optional[Body]) -> None:
        self.sim = weakref.ref(sim)
        self.function = function
        self.body = body

    def __call__(self, force: Any, torque: Any) -> bool:
        sim = self.sim()
        if sim is None or sim._failure is not None:
            return True
        lender = sim.world._lender
        lender.ask()
        try:
            self.add(sim.world, force, torque)
        except BaseException as error:  # told when the step is whole
            sim._failure = error
            return True
        finally:
            lender.asked()
        return False

    def add(self, world: World, force: Any, torque: Any) -> None:
        given = self.function(world)
        forces, torques = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
        rows = slice(None) if self.body is None else world._core.row_of(self.body.id)
        for sums, values in ((force, forces), (torque, torques)):
            if values is None:
                continue
            values = np.asarray(values, dtype=np.float64)
            if self.body is None and values.shape != sums.shape:
                raise InputError(f"add_force: a force on all bodies is an array of shape {sums.shape}, got {values.shape}")
            if not np.isfinite(values).all():
                raise InputError("add_force: a force must be finite")
            sums[rows] += values


class Simulation:
    """A world and what moves it.

    >>> sim = talus.Simulation(world, method=talus.ContactDynamics(step="1 ms"))
    >>> sim.run(0.3)                    # progress bar; Ctrl-C stops between steps
    >>> report = sim.step()

    method: Penalty, ContactDynamics or QuasiStatic; a step that is not given is chosen, with a reason (step_reason). Or a
    Scene in place of the world: then its world and its method. A Simulation holds no state of the world: another one goes
    on with the same bits.
    """

    def __init__(self, world: Union[World, Scene], method: Optional[Settings] = None, *, horizon: Quantity = 1.0,
                 max_overlap: float = 0.25, energy_ledger: bool = True, track_spheres: bool = False) -> None:
        settings = text({"horizon": horizon, "max_overlap": max_overlap, "energy_ledger": energy_ledger,
                         "track_spheres": track_spheres})
        self.duration: float = 0.0  # s, that a scene lasts
        if isinstance(world, Scene):
            made, chosen, settings, self.duration = world._parts()
        else:
            made, chosen = world, text((Penalty() if method is None else method).to_dict())
        self.world: World = made
        self.method = chosen if method is None else text(method.to_dict())
        self._settings = settings
        self._stepper = _core.Stepper(self.method, settings)
        self._every: List[_Every] = []
        self._forces: List[_OwnForce] = []
        self._told: Set[str] = set()
        self._failure: Optional[BaseException] = None
        self._view: Optional[View] = None
        self._watch: Optional[Watch] = None
        self.unconverged_steps = 0

    # --- moving

    def step(self, n: int = 1) -> Any:
        """Takes n steps; the report of the last one."""
        if n < 1:
            raise InputError(f"step: must be >= 1, got {n}")
        return self._advance(n, math.inf, None)

    def run(self, time: Optional[Quantity] = None, *, progress: Optional[bool] = None) -> Any:
        """Goes on for this long (s); what is left of its scene if no time is given. The report of the last step.

        progress: whether to show how far it is; in terminals and notebooks if not given.
        """
        left = self.duration - self.world.time if time is None else seconds(time)
        if not left > 0:
            raise InputError(f"run: a time above 0 s is wanted, got {left:g} s" +
                             ("; only scenes say how long they last" if time is None else ""))
        show = _Progress(self.world.time, left) if _shows(progress) else None
        try:
            return self._advance(2**62, self.world.time + left, show)
        finally:
            if show is not None:
                show.close()

    def _advance(self, steps: int, end: float, show: Any) -> Any:
        world, core, lender = self.world, self.world._core, self.world._lender
        stepper, every = self._stepper, self._every
        while True:
            chunk, until = steps, end
            for call in every:
                if call.steps is not None:
                    chunk = min(chunk, max(1, call.next_step - core.step_count))
                until = min(until, call.next_time)
            with lender:
                done = stepper.advance(core, chunk, until)
            steps -= done.steps
            self.unconverged_steps += done.unconverged
            if done.warnings:
                self._warn(done.warnings)
            if self._failure is not None:
                failure, self._failure = self._failure, None
                raise failure
            for call in every:
                if call.is_due(self):
                    call.answer(self)
            if show is not None:
                show.update(world.time)
            halts = steps <= 0 or core.time > end - 1e-6 * stepper.step_length
            if self._watch is not None and self._view is not None and not self._view.closed:
                self._watch.look(core, halts)
            if halts:
                return done.report

    def _warn(self, lines: List[str]) -> None:
        """Each kind of warning once; how many steps did not converge stays in unconverged_steps."""
        for line in lines:
            kind = re.sub(r"[\d.e+-]+", "", line)
            if kind not in self._told and "*" not in self._told:
                self._told.add(kind)
                warnings.warn(line + "; further ones like it are not told", stacklevel=4)

    def to_scene(self, *, time: Optional[Quantity] = None, name: str = "", **keys: Any) -> Scene:
        """The Scene that begins and goes on as this simulation does, before its first step (World.to_scene)."""
        if self._forces:
            raise InputError("to_scene: no scene says forces of add_force; force= of a body is one that scenes know")
        given = json.loads(self._settings)
        run = {"max_overlap": given["max_overlap"], "energy_ledger": given["energy_ledger"],
               "orientation": given["track_spheres"], **keys.pop("run", {})}
        scene: Scene = self.world.to_scene(json.loads(self.method), time=given["horizon"] if time is None else time,
                                           name=name, run=run, **keys)
        return scene

    # --- asking

    @property
    def time(self) -> float:
        """s"""
        return self.world.time

    @property
    def step_length(self) -> float:
        """s, of the last step"""
        return float(self._stepper.step_length)

    @property
    def step_reason(self) -> str:
        """How the length of the step was chosen."""
        return str(self._stepper.step_reason)

    def problem(self) -> Problem:
        """The contact problem of the last step, with the reactions it found (`problem.reactions`, N s)."""
        found = self._stepper.problem()
        if found is None:
            raise InputError("problem: there is none: take a step of contact dynamics with contacts first")
        return Problem._of(*found)

    # --- what happens besides

    def add_force(self, function: Callable[[World], Any], body: Optional[Body] = None) -> None:
        """A force of one's own: a function of the world that returns N for all bodies, (n, 3), or for the body, (3,).

        Rows are those of world.position. A tuple (force, torque) adds torques (N m) too. The penalty method asks at the start
        and at the end of each step, the others once. Its work enters the energy ledger.
        """
        force = _OwnForce(self, function, body)
        self._forces.append(force)
        self._stepper.add_force(force)

    def every(self, call: Callable[["Simulation"], Any], *, steps: Optional[int] = None,
              time: Optional[Quantity] = None) -> None:
        """Calls a function, with this simulation, every so many steps or so long."""
        self._every.append(_Every(call, steps, None if time is None else seconds(time), self.world))

    def output(self, folder: Path, *, frames: Optional[Quantity] = None, series: Optional[Quantity] = None) -> None:
        """Writes frames (frames.pvd, frames/*.vtp) and rows of series.csv so often (s), in the formats of `talus run`."""
        writer = _core.ResultWriter(os.fspath(folder))
        for period, write in ((frames, writer.write_frame), (series, writer.write_row)):
            if period is not None:
                self._ready()
                write(self.world._core)
                self.every(partial(_write, write), time=period)

    def _ready(self) -> None:
        self.world._lender.require_idle()

    def snapshot(self) -> Any:
        return self.world.snapshot()

    def restore(self, snapshot: Any) -> None:
        """Goes back, bit for bit."""
        self.world.restore(snapshot)

    def picture(self, *, width: int = 1200, height: int = 900, azimuth: float = -60, elevation: float = 20) -> Picture:
        """A picture of the world as it is, as `talus plot` draws it; angles of the eye in degrees."""
        self._ready()
        return draw(self.world._core, width, height, azimuth, elevation)

    def view(self) -> View:
        """The page of `talus view` with this simulation: in the browser, or below the cell of a notebook.

        It follows: a state is shown whenever step() or run() returns, and now and then within them, with all those before.
        Looking takes a tenth of the time at most and changes no bits. The same page until it is closed.
        """
        if self._view is None or self._view.closed:
            self._ready()
            folder = tempfile.TemporaryDirectory(prefix="talus-view-")
            self._watch = Watch(_core.ResultWriter(folder.name))
            self._watch.look(self.world._core, True)
            self._view = View(folder.name, folder.cleanup)
        return self._view.open()

    def __repr__(self) -> str:
        return f"<simulation of {self.world!r} by {self.method}>"


def _write(write: Callable[[Any], Any], sim: Simulation) -> None:
    write(sim.world._core)


def _shows(progress: Optional[bool]) -> bool:
    return (sys.stderr.isatty() or "ipykernel" in sys.modules) if progress is None else progress


class _Progress:
    """One line that says how far a run is."""

    def __init__(self, start: float, duration: float) -> None:
        self.start, self.duration = start, duration
        self.began = self.shown = clock.monotonic()

    def update(self, time: float) -> None:
        now = clock.monotonic()
        if now - self.shown < 0.1:
            return
        self.shown = now
        share = min(1.0, (time - self.start) / self.duration)
        left = (now - self.began) * (1 - share) / max(share, 1e-9)
        bar = "#" * int(30 * share)
        sys.stderr.write(f"\r{100 * share:3.0f} % [{bar:30}] t = {time:.4g} s, {left:.0f} s left ")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r" + " " * 78 + "\r")
        sys.stderr.flush()
