"""Views of the state: numpy arrays that lie in the world's own memory.

A view shows what is there now, step after step. The memory that numpy sees always outlives the arrays made of it: before a
world moves or frees the memory of an array that somebody still holds, it goes on in a copy of it (`Lease.take`), and comes
back into the old memory afterwards (`Lease.give`), so that the array shows the new values. After bodies came or went it
does not come back: views are stale then, and say so; plain arrays made of them keep the last values.
"""
import weakref
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from . import _core
from ._errors import StaleViewError

SETTABLE = ("position", "orientation", "velocity", "spin")


# What a row of each array is. Their names are those of the properties of World.
_ROWS = {"position": (3,), "orientation": (4,), "velocity": (3,), "spin": (3,), "force": (3,), "torque": (3,), "radius": (),
         "inverse_mass": (), "id": ()}
_ARRAYS = {name: (number, _ROWS[name], np.dtype(np.uint32 if name == "id" else np.float64))
           for name, number in _core.state_arrays.items()}
_new_array = np.ndarray.__new__


def _plain(value: Any) -> Any:
    return value.__array__() if isinstance(value, StateView) else value


class StateView(np.ndarray):
    """A numpy array of the state itself, one row per body, in the order of memory (`world.id` says who is where).

    Reading needs no copies. `view[i] = ...` sets; a body or several can stand for their rows: `world.velocity[ball]`.
    Operations give plain arrays. After bodies came or went, a view raises StaleViewError.
    """

    _lease: Any = None  # of the memory in which it lies
    _name = ""

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, StateView):
            self._lease, self._name = source._lease, source._name

    def _shares(self) -> bool:
        lease = self._lease
        return lease is not None and lease.address <= np.ndarray.__getattribute__(
            self, "__array_interface__")["data"][0] <= lease.address + lease.bytes and not np.ndarray.__getattribute__(
            self, "flags").owndata

    def _is_stale(self) -> bool:
        lease = self._lease
        return lease is not None and lease.stale and self._shares()

    def _check(self) -> None:
        if self._is_stale():
            raise StaleViewError(f"this view of {self._name} is from before bodies came or went; read world."
                                 f"{self._name} again")

    def _owner(self) -> Any:
        return None if self._lease is None else self._lease.owner()

    def _key(self, key: Any) -> Any:
        owner = self._owner()
        return owner.rows_of(key) if owner is not None else key

    def __getattribute__(self, name: str) -> Any:
        if name[:1] != "_" and name not in ("flags", "base", "nbytes"):
            StateView._check(self)
        return np.ndarray.__getattribute__(self, name)

    def __getitem__(self, key: Any) -> Any:
        self._check()
        return np.ndarray.__getitem__(self, self._key(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check()
        owner = self._owner() if self._shares() else None
        if owner is None:
            return np.ndarray.__setitem__(self, key, _plain(value))
        whole = owner.copy_of(self._name)
        part = np.ndarray(self.shape, self.dtype, whole, self.__array_interface__["data"][0] - self._lease.address,
                          np.ndarray.__getattribute__(self, "strides"))
        part[self._key(key)] = _plain(value)
        owner.assign(self._name, whole)
        return None

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self._check()
        plain = np.ndarray.view(self, np.ndarray)
        if dtype is not None and plain.dtype != np.dtype(dtype):
            return plain.astype(dtype)
        return plain.copy() if copy else plain

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **others: Any) -> Any:
        inputs = tuple(_plain(x) for x in inputs)
        others = {key: _plain(value) for key, value in others.items()}
        if out is None:
            return getattr(ufunc, method)(*inputs, **others)
        results = tuple(np.array(x) if isinstance(x, StateView) else x for x in out)
        result = getattr(ufunc, method)(*inputs, out=results, **others)
        for view, computed in zip(out, results):
            if isinstance(view, StateView):
                view[...] = computed
        return out[0] if len(out) == 1 else result

    def __array_function__(self, function: Any, types: Any, arguments: Any, named: Any) -> Any:
        def plain(value: Any) -> Any:
            if isinstance(value, (list, tuple)):
                return type(value)(plain(item) for item in value) if type(value) in (list, tuple) else value
            return _plain(value)

        return function(*plain(arguments), **{key: plain(value) for key, value in named.items()})

    def __iter__(self) -> Any:
        self._check()
        return iter(self.__array__())

    def __len__(self) -> int:
        self._check()
        return np.ndarray.__len__(self)

    def __repr__(self) -> str:
        if self._is_stale():
            return f"<stale view of {self._name}>"
        return np.ndarray.__repr__(np.ndarray.view(self, np.ndarray))

    def __str__(self) -> str:
        if self._is_stale():
            return repr(self)
        return np.ndarray.__str__(np.ndarray.view(self, np.ndarray))

    def __reduce__(self) -> Any:
        return self.__array__(copy=True).__reduce__()

    def __copy__(self) -> Any:
        return self.__array__(copy=True)

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__array__(copy=True)

    def copy(self, order: Any = "C") -> Any:
        """A plain array with the present values."""
        return self.__array__().copy(order)


IDLE, STEPPING, ASKING = range(3)  # ASKING: in a function of the user's own, within a step


class Lender:
    """Lends the arrays of one world, and sees to it that nobody reads what is gone."""

    def __init__(self, core: Any, rows_of: Callable[[Any], Any]) -> None:
        self.core = core
        self.rows_of = rows_of
        self.views: Dict[str, Any] = {}  # the latest, so that reading again costs nothing
        self.lent: Dict[str, "weakref.ref[Any]"] = {}  # leases that somebody may still hold
        self.doing = IDLE
        self.held: List[Tuple[str, Any]] = []  # leases with their names, while the world goes on elsewhere
        self.bodies: Tuple[int, int] = (0, 0)
        self.itself = weakref.ref(self)

    def view(self, name: str) -> Any:
        """The view of an array; made anew if there is none."""
        if self.doing == STEPPING:
            raise RuntimeError("this world is being stepped by another thread; wait for it, or give each thread its own")
        number, row, kind = _ARRAYS[name]
        known = self.lent.get(name)
        lease = None if known is None else known()
        if lease is None:
            lease = self.core.lend(number, self.itself)
            self.lent[name] = weakref.ref(lease)
        view = _new_array(StateView, (lease.count, *row), kind, lease)
        view._lease, view._name = lease, name
        self.views[name] = view
        return view

    def copy_of(self, name: str) -> Any:
        number, row, kind = _ARRAYS[name]
        lease = self.core.lend(number, self.itself)
        return np.ndarray((lease.count, *row), kind, lease).copy()

    def assign(self, name: str, values: Any) -> None:
        """New values for all bodies, in the order of memory; what differs is set."""
        if name not in SETTABLE:
            raise AttributeError(f"{name} cannot be set: it follows from what happens; "
                                 f"{', '.join(SETTABLE[:-1])} and {SETTABLE[-1]} can")
        self.require_idle()
        self.core.assign(_ARRAYS[name][0], np.ascontiguousarray(values, dtype=np.float64))

    def require_idle(self) -> None:
        if self.doing != IDLE:
            raise RuntimeError("this world is being stepped; change it between steps")

    # --- around everything that can move or free memory

    def release(self) -> None:
        """What others still hold lies in memory of its own from now on."""
        self.views.clear()
        self.held = []
        if not self.lent:
            return
        for name, reference in list(self.lent.items()):
            lease = reference()
            if lease is None:
                del self.lent[name]
            else:
                lease.take()
                self.held.append((name, lease))
        self.bodies = (self.core.bodies_made, self.core.body_count)

    def resume(self) -> None:
        """What others hold shows the present state again; not if bodies came or went meanwhile."""
        if not self.held:
            return
        same = self.bodies == (self.core.bodies_made, self.core.body_count)
        for name, lease in self.held:
            if not (same and lease.give()):
                lease.stale = True
                del self.lent[name]
        self.held = []

    def __enter__(self) -> Any:
        """A change of the world, as a context: views are safe before it and right after it."""
        self.require_idle()
        self.release()
        self.doing = STEPPING
        return self.core

    def __exit__(self, *_: Any) -> None:
        self.doing = IDLE
        self.resume()

    def ask(self) -> None:
        """Before a function of the user's own that is called within a step."""
        self.resume()
        self.doing = ASKING

    def asked(self) -> None:
        self.doing = STEPPING
        self.release()
