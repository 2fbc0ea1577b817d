"""Scenes: the YAML files of `talus run`, as values; and runs of them."""
import json
import os
from typing import Any, Callable, Dict, Iterator, Optional, Union

from . import _core
from ._base import plain
from .view import View, of_scene

Path = Union[str, "os.PathLike[str]"]


class Part:
    """A mapping of a scene whose keys are attributes too: scene.run.time, scene.materials.glass.friction."""

    def __init__(self, values: Dict[str, Any]) -> None:
        self.__dict__["_values"] = values

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return _shown(self.__dict__["_values"][name])
        except KeyError:
            raise AttributeError(f"there is no '{name}'; there are {', '.join(self._values)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self._values[name] = plain(value._values if isinstance(value, Part) else value)

    def __getitem__(self, name: str) -> Any:
        return _shown(self._values[name])

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def __delattr__(self, name: str) -> None:
        del self._values[name]

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self._values]

    def to_dict(self) -> Dict[str, Any]:
        """The same in dicts and lists, as a copy."""
        copied: Dict[str, Any] = json.loads(json.dumps(self._values))
        return copied

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._values!r})"


class PartList(list):  # type: ignore[type-arg]
    """A list of a scene; its mappings are Parts."""

    def __getitem__(self, key: Any) -> Any:
        return _shown(super().__getitem__(key))

    def __iter__(self) -> Iterator[Any]:
        return (_shown(item) for item in super().__iter__())


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return Part(value)
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        shown = PartList()
        list.extend(shown, value)
        return shown
    return value


class Scene(Part):
    """A scene: everything that a run does, with all defaults. Its keys are attributes; change them and run it.

    >>> scene = talus.load("hopper.yaml")
    >>> scene.materials.glass.friction = 0.3
    >>> sim = talus.Simulation(scene)         # its world, step by step
    >>> talus.run(scene, "out/hopper")        # the whole run, as `talus run` does it
    """

    def __init__(self, values: Any = None, *, folder: Path = ".", **keys: Any) -> None:
        self.__dict__["_values"] = {}
        given = values.to_dict() if isinstance(values, Part) else dict(values or {})
        self._read(json.dumps(plain({**given, **keys})), "scene", os.fspath(folder), [])

    def _read(self, text: str, name: str, folder: str, overrides: Any) -> None:
        self._keep(_core.parse_scene(text, name, folder, overrides), name, folder)

    def _keep(self, core: Any, name: str, folder: str) -> None:
        effective = _core.scene_as_json(core)
        self.__dict__.update(_folder=folder, _file=name, _core=core, _values=json.loads(effective))
        self.__dict__["_kept"] = json.dumps(self._values)

    @property
    def core(self) -> Any:
        """The scene for the library, checked: as it was given if nothing has changed since."""
        text = json.dumps(self._values)
        return self._core if text == self._kept else _core.parse_scene(text, self._file, self._folder, [])

    def check(self) -> str:
        """What a run would do; InputError, with paths, if it cannot be."""
        return str(_core.describe_scene(self.core))

    def to_yaml(self) -> str:
        return str(_core.write_scene(self.core))

    def save(self, file: Path) -> None:
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(self.to_yaml())

    def view(self) -> View:
        """The page of `talus view` with this scene before it runs: in the browser, or below the cell of a notebook."""
        return of_scene(_core.write_scene(self.core), self._folder).open()

    def _parts(self) -> Any:
        from .world import World
        world, method, settings, time = _core.world_of(self.core)
        return World._of(world, self.to_dict(), self._folder), method, settings, time

    def world(self) -> Any:
        """The World of the scene at time 0."""
        return self._parts()[0]

    def __repr__(self) -> str:
        bodies = len(self._values.get("bodies", []))
        return f"<scene {self._values.get('name', '')!r}, {self._values.get('method')}, {bodies} entries of bodies>"


def load(file: Path, *overrides: str, **settings: Any) -> Scene:
    """The scene of a file. Overrides are as for `talus run --set`: "run.time=2 s"."""
    scene = Scene.__new__(Scene)
    name = os.fspath(file)
    scene._keep(_core.load_scene(name, list(overrides)), name, os.path.dirname(name) or ".")
    for name, value in settings.items():
        scene[name] = value
    return scene


def run(scene: Union[Scene, Path], folder: Optional[Path] = None, *, overwrite: bool = False, threads: int = 0,
        max_time: float = float("inf"), say: Optional[Callable[[str], Any]] = None) -> Any:
    """Runs a scene to its end as `talus run` does: stages, outputs, checkpoints. Returns its results (talus.open)."""
    from .results import open as open_results
    made = scene if isinstance(scene, Scene) else load(scene)
    target = "" if folder is None else os.fspath(folder)
    outcome = _core.run_scene(made.core, target, overwrite, threads, max_time, say)
    return _told(outcome, open_results)


def resume(folder: Path, *, threads: int = 0, max_time: float = float("inf"),
           say: Optional[Callable[[str], Any]] = None) -> Any:
    """Goes on from the latest checkpoint of a folder, bit for bit."""
    from .results import open as open_results
    return _told(_core.resume_run(os.fspath(folder), threads, max_time, say), open_results)


def _told(outcome: Dict[str, Any], open_results: Callable[[str], Any]) -> Any:
    from ._errors import RunError
    if outcome["status"] == "failed":
        raise RunError(outcome["message"])
    if outcome["signal"] == 2:
        raise KeyboardInterrupt(outcome["message"])
    return open_results(outcome["folder"])
