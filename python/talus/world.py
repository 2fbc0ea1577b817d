"""A world of bodies: built and changed by calls, read as numpy arrays."""
import os
import weakref
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._base import Quantity, Settings, Vector, plain, text
from ._errors import InputError
from ._record import Record
from ._settings import BoxRegion, ContactLaw, CylinderRegion, Domain, Free, MaterialCalls
from ._views import Lender

Floats = NDArray[np.float64]


class Material:
    """A material of a world."""

    __slots__ = ("id", "name")

    def __init__(self, number: int, name: str) -> None:
        self.id = number
        self.name = name

    def __repr__(self) -> str:
        return f"<material {self.name!r}>"


class Body:
    """One body of a world; it keeps its id for ever, wherever its row in the arrays is."""

    __slots__ = ("world", "id")

    def __init__(self, world: "World", number: int) -> None:
        self.world = world
        self.id = number

    def _read(self, name: str) -> Floats:
        self.world._core_free()
        return np.array(getattr(self.world._core, name + "_of")(self.id))

    @property
    def position(self) -> Floats:
        """m, of the centre of mass"""
        return self._read("position")

    @position.setter
    def position(self, value: Vector) -> None:
        self.world._change("set_position", self.id, _numbers(value, "length"))

    @property
    def orientation(self) -> Floats:
        """w, x, y, z of the unit quaternion from the body to the world"""
        return self._read("orientation")

    @orientation.setter
    def orientation(self, value: Vector) -> None:
        self.world._change("set_orientation", self.id, _numbers(value, "plain number", 4))

    @property
    def velocity(self) -> Floats:
        """m/s"""
        return self._read("velocity")

    @velocity.setter
    def velocity(self, value: Vector) -> None:
        self.world._change("set_velocity", self.id, _numbers(value, "velocity"))

    @property
    def spin(self) -> Floats:
        """rad/s"""
        return self._read("spin")

    @spin.setter
    def spin(self, value: Vector) -> None:
        self.world._change("set_spin", self.id, _numbers(value, "angular velocity"))

    @property
    def force(self) -> Floats:
        """N, by contacts"""
        return self._read("force")

    @property
    def torque(self) -> Floats:
        """N m, by contacts, about the centre of mass"""
        return self._read("torque")

    @property
    def mass(self) -> float:
        """kg; 0 if it is held, moves as prescribed or is a wall that stands"""
        return float(self.world._core.mass_of(self.id))

    @property
    def group(self) -> str:
        return str(self.world._core.group_of(self.id))

    @property
    def exists(self) -> bool:
        return bool(self.world._core.contains(self.id))

    def remove(self) -> None:
        self.world.remove(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and other.world is self.world and other.id == self.id

    def __hash__(self) -> int:
        return hash((id(self.world), self.id))

    def __repr__(self) -> str:
        if not self.exists:
            return f"<body {self.id}, gone>"
        x, y, z = self.position
        return f"<body {self.id} of {self.group!r} at ({x:.4g}, {y:.4g}, {z:.4g}) m>"


class Bodies(Sequence[Body]):
    """Several bodies of a world: a sequence, and arrays of their state in this order (copies)."""

    def __init__(self, world: "World", ids: Any) -> None:
        self.world = world
        self.id: NDArray[np.uint32] = np.asarray(ids, dtype=np.uint32)

    def __len__(self) -> int:
        return len(self.id)

    def __getitem__(self, key: Any) -> Any:
        picked = self.id[key]
        return Bodies(self.world, picked) if isinstance(picked, np.ndarray) else Body(self.world, int(picked))

    def __iter__(self) -> Iterator[Body]:
        return (Body(self.world, int(number)) for number in self.id)

    @property
    def row(self) -> NDArray[np.int64]:
        """Where they are in the arrays of the world now; steps change it."""
        rows: NDArray[np.int64] = self.world._core.rows_of(self.id)
        return rows

    def _read(self, name: str) -> Floats:
        return np.array(getattr(self.world, name)[self.row])

    @property
    def position(self) -> Floats:
        return self._read("position")

    @property
    def velocity(self) -> Floats:
        return self._read("velocity")

    @property
    def orientation(self) -> Floats:
        return self._read("orientation")

    @property
    def spin(self) -> Floats:
        return self._read("spin")

    @property
    def force(self) -> Floats:
        return self._read("force")

    @property
    def radius(self) -> Floats:
        return self._read("radius")

    @property
    def mass(self) -> Floats:
        return self._read("mass")

    def remove(self) -> None:
        for body in self:
            body.remove()

    def __repr__(self) -> str:
        return f"<{len(self)} bodies>"


class Joint:
    """A joint of a world: where it stands, what it bears, and what its drive goes for."""

    __slots__ = ("world", "id")

    def __init__(self, world: "World", number: int) -> None:
        self.world = world
        self.id = number

    def _state(self) -> Dict[str, Any]:
        state: Dict[str, Any] = self.world._core.joint(self.id)
        return state

    @property
    def slide(self) -> float:
        """m, from where it was at the start"""
        return float(self._state()["slide"])

    @property
    def turn(self) -> float:
        """rad, from where it was at the start"""
        return float(self._state()["turn"])

    @property
    def slide_speed(self) -> float:
        """m/s"""
        return float(self._state()["slide_speed"])

    @property
    def turn_speed(self) -> float:
        """rad/s"""
        return float(self._state()["turn_speed"])

    @property
    def force(self) -> Floats:
        """N, of all that acts on the first body through the joint"""
        return np.array(self._state()["force"])

    @property
    def torque(self) -> Floats:
        """N m, at the joint's point"""
        return np.array(self._state()["torque"])

    def set_target(self, target: float) -> None:
        """What its drive goes for: m/s, m, N, rad/s, rad or N m, by its kind."""
        self.world._change("set_motor_target", self.id, float(target))
        self.world._record.unsaid.append(f"joint {self.id} was given another target; say it in its drive")

    def __repr__(self) -> str:
        state = self._state()
        return f"<joint {self.id}, slide {state['slide']:.4g} m, turn {state['turn']:.4g} rad>"


BodyLike = Union[Body, int]


def _numbers(value: Any, quantity: str, count: int = 3) -> Any:
    """Numbers in SI of quantities that may be texts."""
    items = plain(value)
    if not isinstance(items, list) or len(items) != count:
        raise InputError(f"{count} numbers are wanted, got {value!r}")
    return [_core.parse_quantity(x, quantity) if isinstance(x, str) else float(x) for x in items]


def _number(body: Any) -> int:
    if isinstance(body, (Body, Material)):
        return body.id
    if isinstance(body, str) and body == "world":
        return int(_core.the_world)
    return int(body)


class World(MaterialCalls):
    """A world of bodies.

    >>> world = talus.World(gravity=(0, 0, -9.81))
    >>> glass = world.add_material(density=2500, friction=0.5)
    >>> world.add_wall(talus.Plane(), material=glass)
    >>> ball = world.add_body(talus.Sphere("5 mm"), position=(0, 0, "2 cm"), material=glass)

    Holds everything that decides what happens next; a Simulation moves it. Between steps all of it can be changed.
    Arrays (position, velocity, ...) are views of the state itself, a row per body in the order of memory: grains first,
    walls after them. Steps change the order: `world.id` says who is where, `world.position[ball]` finds one body.
    """

    def __init__(self, *, gravity: Optional[Vector] = None, planar: str = "none", domain: Optional[Domain] = None,
                 seed: int = 1, contact_law: Optional[ContactLaw] = None, skin: Quantity = 0.0,
                 folder: Union[str, "os.PathLike[str]"] = ".") -> None:
        given = {"gravity": gravity, "planar": planar, "domain": domain, "seed": seed, "contact_law": contact_law,
                 "skin": skin}
        self._adopt(_core.World(text(given), os.fspath(folder)), given, None, folder)

    def _adopt(self, core: Any, given: Dict[str, Any], scene: Optional[Dict[str, Any]], folder: Any) -> None:
        self._core = core
        self._lender = Lender(core, self._rows)
        self._views = self._lender.views
        self._record = Record(weakref.proxy(self), given, scene)
        self._folder = os.fspath(folder)

    @classmethod
    def _of(cls, core: Any, scene: Dict[str, Any], folder: str) -> "World":
        """The world that a scene has made."""
        world = cls.__new__(cls)
        world._adopt(core, {}, scene, folder)
        return world

    def _rows(self, key: Any) -> Any:
        """The key with rows in place of bodies."""
        if isinstance(key, Body):
            return self._core.row_of(key.id)
        if isinstance(key, Bodies):
            return key.row
        if isinstance(key, tuple):
            return tuple(self._rows(part) for part in key)
        if isinstance(key, list) and any(isinstance(part, Body) for part in key):
            return [self._rows(part) for part in key]
        return key

    def _change(self, call: str, *arguments: Any) -> Any:
        with self._lender as core:
            return getattr(core, call)(*arguments)

    # --- materials

    def _add_material(self, name: str, given: Dict[str, Any]) -> Material:
        number = self._change("add_material", text({"name": name or None, **given}))
        made = Material(number, self._core.material_names[number])
        self._record.materials[made.name] = _given(given)
        return made

    def _set_material(self, material: Any, given: Dict[str, Any]) -> None:
        number = self._material(material, "set_material")
        self._change("set_material", number, text(given))
        self._record.materials.setdefault(self._core.material_names[number], {}).update(_given(given))

    def _set_pair(self, a: Any, b: Any, given: Dict[str, Any]) -> None:
        first, second = self._material(a, "set_pair"), self._material(b, "set_pair")
        self._change("set_pair", first, second, text(given))
        names = self._core.material_names
        self._record.pairs.append({"between": [names[first], names[second]], **_given(given)})

    @property
    def materials(self) -> Dict[str, Material]:
        return {name: Material(k, name) for k, name in enumerate(self._core.material_names)}

    def _material(self, material: Any, call: str) -> int:
        if isinstance(material, Material):
            return material.id
        known = self.materials
        if material is None:
            return 0
        if isinstance(material, str):
            if material not in known:
                raise InputError(f"{call}.material: there is no material '{material}'; there are {', '.join(known)}")
            return known[material].id
        return int(material)

    # --- bodies

    def _add(self, call: str, material: Any, given: Dict[str, Any]) -> Bodies:
        number = self._material(material, call)
        made = Bodies(self, self._change("add", text(given), call, number))
        self._record.add(call, given, number, made.id)
        return made

    def add_body(self, form: Settings, *, position: Optional[Vector] = None, rotation: Optional[Vector] = None,
                 orientation: Optional[Vector] = None, velocity: Optional[Vector] = None, spin: Optional[Vector] = None,
                 material: Any = None, group: Optional[str] = None, fixed: Optional[bool] = None,
                 motion: Optional[Settings] = None, free: Optional[Free] = None, force: Any = None,
                 name: Optional[str] = None) -> Body:
        """Adds one body: a Sphere, Box, Hull, Compound, Outline, ... at a position.

        rotation: axis times angle (rad); or orientation: w, x, y, z. Velocities are those of the centre of mass.
        fixed holds it in place, motion prescribes where it goes, free guides it, force acts on it beside the rest.
        """
        given = {**form.to_dict(), "position": [0, 0, 0] if position is None else position, "rotation": rotation,
                 "orientation": orientation, "velocity": velocity, "spin": spin, "group": group, "fixed": fixed,
                 "motion": motion, "free": free, "force": force, "name": name}
        body: Body = self._add("add_body", material, given)[0]
        return body

    def add_spheres(self, position: Any, radius: Any, *, velocity: Any = None, material: Any = None,
                    group: str = "grains") -> Bodies:
        """Adds a sphere for each row of the positions (m), with one radius or one for each (m)."""
        places = np.ascontiguousarray(position, dtype=np.float64).reshape(-1, 3)
        radii = np.ascontiguousarray(np.broadcast_to(np.asarray(radius, dtype=np.float64), (len(places),)))
        speeds = np.ascontiguousarray(np.broadcast_to(0.0 if velocity is None else velocity, places.shape), dtype=np.float64)
        number = self._material(material, "add_spheres")
        made = Bodies(self, self._change("add_spheres", places, radii, speeds, group, number))
        self._record.add("add_spheres", {"group": group}, number, made.id)
        return made

    def add_wall(self, form: Settings, *, material: Any = None, group: Optional[str] = None,
                 motion: Optional[Settings] = None, free: Optional[Free] = None, force: Any = None,
                 name: Optional[str] = None) -> Body:
        """Adds a wall: a Plane, Container or Drum. It stands, moves by its motion, or by forces if it is free."""
        given = {**form.to_dict(), "group": group, "motion": motion, "free": free, "force": force, "name": name}
        wall: Body = self._add("add_wall", material, given)[0]
        return wall

    def add_sleeve(self, sleeve: Settings, *, material: Any = None, group: Optional[str] = None,
                   motion: Optional[Settings] = None) -> Bodies:
        """Adds a Sleeve: one wall per ring, from the low end of the axis to the high one."""
        return self._add("add_sleeve", material, {**sleeve.to_dict(), "group": group, "motion": motion})

    def fill(self, region: Settings, *, radius: Any = None, count: Optional[int] = None,
             volume_fraction: Optional[float] = None, grains: Optional[Sequence[Any]] = None,
             velocity: Optional[Vector] = None, random_velocity: Optional[Quantity] = None,
             max_attempts: Optional[int] = None, material: Any = None, group: Optional[str] = None,
             fixed: Optional[bool] = None, motion: Optional[Settings] = None, force: Any = None) -> Bodies:
        """Adds many grains at random places in a region, clear of all that is there.

        region: BoxRegion(low, high), Box(low=, high=) or CylinderRegion(...). radius: one, or a distribution
        (talus.uniform, normal, table). Give count or volume_fraction. grains: forms, or (form, share); else spheres.
        """
        given = {"generate": "random", "region": _region(region), "radius": radius, "count": count,
                 "volume_fraction": volume_fraction, "grains": _grains(grains), "velocity": velocity,
                 "random_velocity": random_velocity, "max_attempts": max_attempts, "group": group, "fixed": fixed,
                 "motion": motion, "force": force}
        return self._add("fill", material, given)

    def add_lattice(self, lattice: str = "fcc", *, radius: Optional[Quantity] = None, spacing: Optional[Quantity] = None,
                    origin: Optional[Vector] = None, count: Optional[Sequence[int]] = None,
                    region: Optional[Settings] = None, jitter: Optional[float] = None,
                    grains: Optional[Sequence[Any]] = None, velocity: Optional[Vector] = None,
                    random_velocity: Optional[Quantity] = None, material: Any = None, group: Optional[str] = None,
                    fixed: Optional[bool] = None, motion: Optional[Settings] = None, force: Any = None) -> Bodies:
        """Adds grains on a lattice: sc, bcc, fcc, hcp or triangular; `count` cells from the origin, or a region."""
        given = {"generate": "lattice", "lattice": lattice, "radius": radius, "spacing": spacing, "origin": origin,
                 "count": count, "region": None if region is None else _region(region), "jitter": jitter,
                 "grains": _grains(grains), "velocity": velocity, "random_velocity": random_velocity, "group": group,
                 "fixed": fixed, "motion": motion, "force": force}
        return self._add("add_lattice", material, given)

    def add_pyramid(self, base: int, radius: Quantity, *, origin: Optional[Vector] = None,
                    layer_gap: Optional[Quantity] = None, fixed_base: Optional[bool] = None, material: Any = None,
                    group: Optional[str] = None) -> Bodies:
        """Adds a cannonball pile with `base` spheres along each side of its lowest layer."""
        given = {"generate": "pyramid", "base": base, "radius": radius, "origin": origin, "layer_gap": layer_gap,
                 "fixed_base": fixed_base, "group": group}
        return self._add("add_pyramid", material, given)

    def add_joint(self, first: BodyLike, second: Union[BodyLike, str], type: str, *, point: Optional[Vector] = None,
                  point2: Optional[Vector] = None, axis: Optional[Vector] = None, limits: Optional[Settings] = None,
                  turn_limits: Optional[Settings] = None, spring: Optional[Settings] = None,
                  torsion_spring: Optional[Settings] = None, drive: Optional[Settings] = None, collide: bool = False,
                  name: str = "") -> Joint:
        """Joins two bodies, or a body and "world": fixed, spherical, revolute, prismatic, cylindrical, planar, distance.

        point, axis: where it is and about or along what. limits, spring, drive: what it does about the motion it lets.
        """
        given = {"name": name or self._record.joint_name(), "type": type, "between": ["a", "b"], "point": point, "point2": point2, "axis": axis,
                 "limits": limits, "turn_limits": turn_limits, "spring": spring, "torsion_spring": torsion_spring,
                 "drive": drive, "collide": collide}
        joined = [_number(first), _number(second)]
        made = Joint(self, self._change("add_joint", *joined, text(given)))
        self._record.joints.append({**_given(given), "between": joined})
        return made

    def add_source(self, region: Settings, rate: Quantity, *, radius: Any = None, grains: Optional[Sequence[Any]] = None,
                   velocity: Optional[Vector] = None, start: Optional[Quantity] = None, stop: Optional[Quantity] = None,
                   limit: Optional[int] = None, material: Any = None, group: Optional[str] = None) -> None:
        """Grains come into a box at a rate (1/s) while steps are taken."""
        given = {"region": _region(region), "rate": rate, "radius": radius, "grains": _grains(grains),
                 "velocity": velocity, "start": start, "stop": stop, "limit": limit, "group": group}
        number = self._material(material, "add_source")
        self._change("add_source", text(given), number)
        self._record.sources.append({**_given(given), "material": self._core.material_names[number]})

    def add_sink(self, region: Settings) -> None:
        """Grains whose centres enter the box are taken out."""
        given = {"region": _region(region)}
        self._change("add_sink", text(given))
        self._record.sinks.append(given)

    def remove(self, body: Union[BodyLike, Bodies]) -> None:
        if isinstance(body, Bodies):
            return body.remove()
        self._change("remove", _number(body))

    def remove_group(self, group: str) -> None:
        self._change("remove_group", group)

    # --- changes between steps

    def set_gravity(self, gravity: Vector) -> None:
        numbers = _numbers(gravity, "acceleration")
        self._change("set_gravity", numbers)
        self._record.given["gravity"] = numbers

    def set_motion(self, body: BodyLike, motion: Optional[Settings]) -> None:
        """From the present pose and time; without a motion the body is held where it is."""
        self._change("set_motion", _number(body), None if motion is None else text(motion.to_dict()))
        self._record.change(_number(body), motion=motion, fixed=True if motion is None else None)

    def set_load(self, body: BodyLike, force: Any) -> None:
        """A force (three numbers, ConstantForce or TableForce) on a body beside the rest; None takes it away."""
        if force is not None and not isinstance(force, Settings):
            force = {"type": "constant", "force": plain(force)}
        given = None if force is None else text(force.to_dict() if isinstance(force, Settings) else force)
        self._change("set_load", _number(body), given)
        self._record.change(_number(body), force=force)

    def release(self, body: BodyLike) -> None:
        """A held grain moves freely again."""
        self._change("release", _number(body))
        self._record.change(_number(body), fixed=None, motion=None)

    # --- reading

    def body(self, name: Union[str, int]) -> Body:
        """The body of this name or id."""
        if isinstance(name, int):
            return Body(self, name)
        found = self._core.find(name)
        if found is None:
            raise InputError(f"body: there is no body named '{name}'")
        return Body(self, found)

    def group(self, name: str) -> Bodies:
        """The bodies of a group, in order of id."""
        return Bodies(self, self._core.group(name))

    @property
    def bodies(self) -> Bodies:
        """All bodies, in the order of memory now."""
        return Bodies(self, np.array(self.id))

    @property
    def grains(self) -> Bodies:
        """All bodies but walls."""
        return Bodies(self, np.array(self.id[:self.grain_count]))

    @property
    def body_count(self) -> int:
        return int(self._core.body_count)

    @property
    def grain_count(self) -> int:
        """Bodies that are no walls: the first rows of the arrays."""
        return int(self._core.grain_count)

    def __len__(self) -> int:
        return self.body_count

    def __contains__(self, body: Any) -> bool:
        return bool(self._core.contains(_number(body)))

    @property
    def position(self) -> Any:
        """m, centres of mass; (n, 3)"""
        view = self._views.get("position")
        return self._lender.view("position") if view is None else view

    @position.setter
    def position(self, value: Any) -> None:
        self._set("position", value)

    @property
    def orientation(self) -> Any:
        """unit quaternions w, x, y, z from the body to the world; (n, 4)"""
        view = self._views.get("orientation")
        return self._lender.view("orientation") if view is None else view

    @orientation.setter
    def orientation(self, value: Any) -> None:
        self._set("orientation", value)

    @property
    def velocity(self) -> Any:
        """m/s; (n, 3)"""
        view = self._views.get("velocity")
        return self._lender.view("velocity") if view is None else view

    @velocity.setter
    def velocity(self, value: Any) -> None:
        self._set("velocity", value)

    @property
    def spin(self) -> Any:
        """rad/s; (n, 3)"""
        view = self._views.get("spin")
        return self._lender.view("spin") if view is None else view

    @spin.setter
    def spin(self, value: Any) -> None:
        self._set("spin", value)

    def _set(self, name: str, value: Any) -> None:
        view = getattr(self, name)
        if value is not view:  # world.velocity *= 2 has done it already
            view[...] = value

    @property
    def force(self) -> Any:
        """N, by contacts; (n, 3)"""
        view = self._views.get("force")
        return self._lender.view("force") if view is None else view

    @property
    def torque(self) -> Any:
        """N m, by contacts, about the centres of mass; (n, 3)"""
        view = self._views.get("torque")
        return self._lender.view("torque") if view is None else view

    @property
    def radius(self) -> Any:
        """m, of bounding spheres; 0 for walls; (n,)"""
        view = self._views.get("radius")
        return self._lender.view("radius") if view is None else view

    @property
    def inverse_mass(self) -> Any:
        """1/kg; 0: forces do not move it; (n,)"""
        view = self._views.get("inverse_mass")
        return self._lender.view("inverse_mass") if view is None else view

    @property
    def id(self) -> Any:
        """Who is in which row; (n,)"""
        view = self._views.get("id")
        return self._lender.view("id") if view is None else view

    @property
    def mass(self) -> Floats:
        """kg; 0 where forces do not move the body; (n,), a copy"""
        inverse = np.asarray(self.inverse_mass)
        mass: Floats = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0)
        return mass

    @property
    def group_name(self) -> NDArray[np.str_]:
        """The group of each body; (n,), a copy"""
        return np.array(self._core.groups(), dtype=np.str_)

    @property
    def contacts(self) -> Any:
        """The touching contacts, as a structured array: .bodies .point .normal .force .slip .gap

        bodies: ids (n, 2); point: m; normal: unit, from the second body to the first; force: N, on the first; slip: m/s, of
        the first over the second; gap: m, negative where they overlap. An array of its own, as things are now.
        """
        self._core_free()
        raw, offset, size = self._core.contacts()
        formats = {"bodies": ("u4", 2), "gap": "f8"}
        kind = np.dtype({"names": list(offset), "formats": [formats.get(name, ("f8", 3)) for name in offset],
                         "offsets": list(offset.values()), "itemsize": size})
        return raw.view(kind).view(np.recarray)

    @property
    def time(self) -> float:
        """s"""
        return float(self._core.time)

    @property
    def step_count(self) -> int:
        return int(self._core.step_count)

    @property
    def state_hash(self) -> str:
        """Of everything that decides what happens next: the same from scenes, C++ and Python, for any number of threads."""
        return f"{self._core.state_hash:016x}"

    # --- measuring

    @property
    def energy(self) -> Dict[str, float]:
        """J: kinetic, potential, elastic, dissipated, wall_work, inserted and parts of them"""
        energy: Dict[str, float] = self._core_free().energy_of(self._core)
        return energy

    def stress(self, low: Vector, high: Vector) -> Floats:
        """Pa, compression positive: the mean over a box, by its contacts; (3, 3)"""
        low, high = _numbers(low, "length"), _numbers(high, "length")
        return np.array(self._core_free().stress_in(self._core, low, high)).reshape(3, 3)

    @property
    def fabric(self) -> Tuple[Floats, float]:
        """The mean of n (x) n over the contacts, and its anisotropy (0: isotropic)"""
        tensor, _, anisotropy = self._core_free().fabric_of(self._core)
        return np.array(tensor).reshape(3, 3), float(anisotropy)

    def measure(self, column: str) -> float:
        """A column of the series of runs (docs/observables.md), as it is now: "coordination", "solid_fraction", ..."""
        return float(self._core_free().measure_column(self._core, column))

    def _core_free(self) -> Any:
        if self._lender.doing == 1:
            raise RuntimeError("this world is being stepped by another thread")
        return _core

    # --- keeping

    def snapshot(self) -> Any:
        """The state now, for restore()."""
        self._lender.require_idle()
        return self._core.snapshot()

    def restore(self, snapshot: Any) -> None:
        """Goes back to a snapshot, bit for bit."""
        self._change("restore", snapshot)
        self._record.unsaid.append("the world went back to a snapshot")

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """To disk, in the format of checkpoints."""
        self._lender.require_idle()
        self._core.save(os.fspath(file))

    def load(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """From disk, into a world made by the same calls."""
        self._change("load", os.fspath(file))
        self._record.unsaid.append("its state was loaded from a file")

    def to_scene(self, method: Optional[Settings] = None, *, time: Quantity = 1.0, name: str = "", **keys: Any) -> Any:
        """The Scene that begins as this world does, before its first step: to save, to run, to sweep.

        method: Penalty if not given; time: how long the scene lasts (s). Further keys are those of scenes: output={"frames":
        "10 ms"}. The scene is made and its world compared with this one, bit for bit; InputError tells what no scene can say.
        Simulation.to_scene() knows the method.
        """
        from .scene import Scene
        self._lender.require_idle()
        self._record.check_start()
        values = self._record.as_dict()
        values.update({"name": name} if name else {})
        run = {**values.pop("run"), "time": plain(time), **_method_keys(method, values), **keys.pop("run", {})}
        scene = Scene({**values, "run": run, **keys}, folder=self._folder)
        self._record.check_end(scene.world())
        return scene

    def __repr__(self) -> str:
        walls = self.body_count - self.grain_count
        return f"<world of {self.grain_count} grains and {walls} walls at t = {self.time:.6g} s>"


def _given(given: Dict[str, Any]) -> Dict[str, Any]:
    return {key: plain(value) for key, value in given.items() if value is not None}


def _method_keys(method: Any, values: Dict[str, Any]) -> Dict[str, Any]:
    """Puts a method where scenes have it; what they have among the keys of `run` is returned."""
    given = {"method": "penalty"} if method is None else method.to_dict() if isinstance(method, Settings) else dict(method)
    values["method"] = kind = given.pop("method")
    run = {key: given.pop(key) for key in ("step", "step_fraction") if key in given}
    if kind == "quasi-static":
        values["quasi_static"], values["contact_dynamics"] = given.get("equilibrium", {}), given.get("solving", {})
    elif kind == "contact-dynamics":
        values["contact_dynamics"] = given
    return run


def _region(region: Any) -> Any:
    return region.to_dict() if isinstance(region, Settings) else region


def _grains(grains: Optional[Sequence[Any]]) -> Optional[List[Any]]:
    """Forms with shares, as scenes list them."""
    if grains is None:
        return None
    listed = []
    for grain in grains:
        form, share = grain if isinstance(grain, tuple) else (grain, 1.0)
        listed.append({**plain(form), "share": share})
    return listed
