"""What calls have made of a world, as a scene would say it (World.to_scene)."""
from typing import Any, Dict, List, Optional

import numpy as np

from . import _core
from ._base import plain
from ._errors import InputError


class Entry:
    """A call that made bodies: what was given, and their ids."""

    def __init__(self, call: str, given: Dict[str, Any], material: int, ids: Any) -> None:
        self.call = call
        self.given = {key: plain(value) for key, value in given.items() if value is not None}
        self.material = material
        self.ids = ids


class Record:
    """Calls in the order in which they came. A scene says beginnings: what else was done is kept as a list of reasons."""

    def __init__(self, world: Any, given: Dict[str, Any], scene: Optional[Dict[str, Any]] = None) -> None:
        self.world = world
        self.given = {key: plain(value) for key, value in given.items() if value is not None}
        self.scene = scene  # that the world began as
        self.materials: Dict[str, Dict[str, Any]] = dict((scene or {}).get("materials", {}))
        self.pairs: List[Dict[str, Any]] = []
        self.entries: List[Entry] = []
        self.joints: List[Dict[str, Any]] = []
        self.sources: List[Dict[str, Any]] = []
        self.sinks: List[Dict[str, Any]] = []
        self.unsaid: List[str] = []

    # --- calls

    def add(self, call: str, given: Dict[str, Any], material: int, ids: Any) -> None:
        self.entries.append(Entry(call, given, material, ids))

    def joint_name(self) -> str:
        """For a joint without one: scenes, and messages, want names."""
        known = {joint["name"] for joint in [*(self.scene or {}).get("joints", []), *self.joints]}
        return next(name for k in range(len(known) + 1) if (name := f"joint-{k + 1}") not in known)

    def change(self, body: int, **keys: Any) -> None:
        """A setting of a body that was made alone; None takes it away."""
        for entry in self.entries:
            if len(entry.ids) == 1 and entry.ids[0] == body and entry.call in ("add_body", "add_wall"):
                for key, value in keys.items():
                    entry.given.pop(key, None)
                    if value is not None:
                        entry.given[key] = plain(value)
                return
        self.unsaid.append(f"{next(iter(keys))} of {self.world._core.group_of(body)!r}, body {body}, was changed by itself")

    # --- the scene

    def as_dict(self) -> Dict[str, Any]:
        values = dict(self.scene or {})
        for key in ("gravity", "planar", "domain", "seed", "contact_law"):
            if key in self.given:
                values[key] = self.given[key]
        values["run"] = dict(values.get("run", {}))
        if self.given.get("skin"):
            values["run"]["skin"] = self.given["skin"]
        values["materials"] = dict(self.materials)
        names = self._names()
        added = [made for entry in self.entries for made in self._bodies_of(entry, names)]
        joints = [{**joint, "between": [names.get(body, "world") for body in joint["between"]]} for joint in self.joints]
        for key, more in (("pairs", self.pairs), ("bodies", added), ("joints", joints), ("sources", self.sources),
                          ("sinks", self.sinks)):
            if values.get(key) or more:
                values[key] = [*values.get(key, []), *more]
        return values

    def _material(self, number: int) -> str:
        return str(self.world._core.material_names[number])

    def _names(self) -> Dict[int, str]:
        """Of the bodies that joints hold on to; those without a name get one."""
        named: Dict[int, str] = {}
        joined = {body for joint in self.joints for body in joint["between"]}
        for entry in self.entries:
            for body in map(int, entry.ids):
                if len(entry.ids) == 1 and (body in joined or "name" in entry.given):
                    named[body] = entry.given.get("name", f"body-{body}")
                elif body in joined:
                    raise InputError(f"to_scene: joints: body {body} was made by {entry.call} together with others; scenes "
                                     "join bodies that have names: add it by add_body")
        return named

    def _bodies_of(self, entry: Entry, names: Dict[int, str]) -> List[Dict[str, Any]]:
        material = self._material(entry.material)
        if entry.call == "add_spheres":
            return [{**self._sphere(body), "group": entry.given["group"], "material": material} for body in entry.ids]
        made = {**entry.given, "material": material}
        if len(entry.ids) == 1 and int(entry.ids[0]) in names:
            made["name"] = names[int(entry.ids[0])]
        if entry.call == "add_body" and not (made.get("fixed") or "motion" in made):
            body = int(entry.ids[0])
            if made.get("shape") == "sphere":
                made.update(self._sphere(body))
            made.update(velocity=plain(self.world._core.velocity_of(body)), spin=plain(self.world._core.spin_of(body)))
        return [made]

    def _sphere(self, body: Any) -> Dict[str, Any]:
        core, number = self.world._core, int(body)
        return {"shape": "sphere", "position": plain(core.position_of(number)),
                "radius": float(self.world.radius[core.row_of(number)]), "velocity": plain(core.velocity_of(number)),
                "spin": plain(core.spin_of(number))}

    # --- whether it says all

    def check_start(self) -> None:
        """Refuses a world of which no scene can tell."""
        world = self.world
        if world.step_count > 0 or world.time > 0:
            raise InputError(f"to_scene: the world has moved on to t = {world.time:.6g} s, and its contacts remember the way; "
                             "a scene says how things begin: make it before the first step. World.save() keeps a moment")
        gone = [body for entry in self.entries for body in map(int, entry.ids) if not world._core.contains(body)]
        if gone:
            raise InputError(f"to_scene: bodies: {len(gone)} were removed, the first is body {gone[0]}; the ids of a scene have "
                             "no gaps: leave out the calls that added them")
        if self.unsaid:
            raise InputError(f"to_scene: no scene says that {self.unsaid[0]}")

    def check_end(self, made: Any) -> None:
        """Compares with the world that the scene makes: every array, then all that calls can set."""
        world = self.world
        for what, name in (("ids", "id"), ("position", "position"), ("orientation", "orientation"), ("velocity", "velocity"),
                           ("spin", "spin"), ("radius", "radius"), ("inverse_mass", "inverse_mass")):
            ours, theirs = np.asarray(getattr(world, name)), np.asarray(getattr(made, name))
            if len(ours) != len(theirs):
                raise InputError(f"to_scene: bodies: the scene makes {len(theirs)}, the world has {len(ours)}")
            if np.array_equal(ours, theirs):
                continue
            first = int(np.flatnonzero((ours != theirs).reshape(len(ours), -1).any(axis=1))[0])
            group = world._core.group_of(int(world.id[first]))
            raise InputError(f"to_scene: bodies: body {world.id[first]}, of {group!r}, has another {what} than the scene gives "
                             "it. Scenes make walls first and then bodies in the order of calls, and say where solids begin; "
                             "grains made many at once cannot be moved one by one")
        if not _core.are_made_alike(world._core, made._core):
            raise InputError("to_scene: materials, motions, loads or joints are not those that the scene makes: scenes have "
                             "materials in the order of their names")
        if made.state_hash != world.state_hash:
            raise InputError("to_scene: the world has a state that no scene begins with")
