"""Results of runs in their folders: series, frames, summary. Works while a run goes on."""
import builtins
import json
import os
import re
import struct
import zlib
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError
from .scene import Part
from .view import View

Floats = NDArray[np.float64]


class Series(Mapping[str, Floats]):
    """The columns of series.csv by name; `units` has their units. series.time, series["energy_kinetic"]."""

    def __init__(self, file: Path) -> None:
        with builtins.open(file, encoding="utf-8") as stream:
            heads = stream.readline().strip().split(",")
            # A run may be writing the last line.
            lines = [line for line in stream if line.endswith("\n")]
        names = [re.fullmatch(r"(.*?)(?: \[(.*)\])?", head) for head in heads]
        self.units: Dict[str, str] = {m.group(1): m.group(2) or "" for m in names if m}
        values = np.array([[float(x) if x else np.nan for x in line.rstrip("\n").split(",")] for line in lines])
        values = values.reshape(len(lines), len(heads))
        self._columns: Dict[str, Floats] = dict(zip(self.units, values.T))

    def __getitem__(self, name: str) -> Floats:
        if name not in self._columns:
            import difflib
            near = difflib.get_close_matches(name, self._columns, 1)
            raise InputError(f"series: there is no column '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
        return self._columns[name]

    def __getattr__(self, name: str) -> Floats:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except InputError as error:
            raise AttributeError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self._columns]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the time as its index."""
        import pandas
        return pandas.DataFrame(self._columns).set_index("time")

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()), ()))
        return f"<series of {rows} rows: {', '.join(self._columns)}>"


class Table(Mapping[str, Any]):
    """Arrays by name, one item per body or contact; names are attributes too."""

    def __init__(self, arrays: Dict[str, Any]) -> None:
        self._arrays = arrays

    def __getitem__(self, name: str) -> Any:
        return self._arrays[name]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_arrays"][name]
        except KeyError:
            raise AttributeError(f"there is no '{name}'; there are {', '.join(self.__dict__.get('_arrays', ()))}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(next(iter(self._arrays.values()), ()))

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self._arrays]

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {', '.join(self._arrays)}>"


class Frame:
    """A moment of a run: `bodies` (grains), `contacts`, `walls` and `shapes` as tables of arrays."""

    def __init__(self, time: float, files: Dict[str, Path]) -> None:
        self.time = time
        self.files = files
        self._tables: Dict[str, Table] = {}

    def _table(self, part: str) -> Table:
        if part not in self._tables:
            self._tables[part] = Table(read_vtp(self.files[part]) if part in self.files else {})
        return self._tables[part]

    @property
    def bodies(self) -> Table:
        """Grains in order of id: position, id, radius, velocity, spin, mass, force, group, material, coordination, stress"""
        return self._table("bodies")

    @property
    def contacts(self) -> Table:
        """Touching contacts: position, force, normal, overlap, normal_force, owner, partner"""
        return self._table("contacts")

    @property
    def walls(self) -> Table:
        return self._table("walls")

    @property
    def shapes(self) -> Table:
        """Triangles of bodies that are no spheres"""
        return self._table("shapes")

    @property
    def position(self) -> Floats:
        """m, of grains in order of id"""
        position: Floats = self.bodies["position"]
        return position

    @property
    def velocity(self) -> Floats:
        """m/s, of grains in order of id"""
        velocity: Floats = self.bodies["velocity"]
        return velocity

    def __repr__(self) -> str:
        return f"<frame at t = {self.time:.6g} s>"


class Run:
    """The results of a run in its folder: `series`, `frames`, `summary`, `scene`, `plot()`. Each is read anew."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = Path(folder)
        if not (self.folder / "series.csv").exists() and not (self.folder / "run.json").exists():
            raise InputError(f"{self.folder}: has no results of a run: neither run.json nor series.csv")

    def _json(self, name: str) -> Dict[str, Any]:
        file = self.folder / name
        if not file.exists():
            raise InputError(f"{file}: is not there" + ("; the run goes on" if name == "summary.json" else ""))
        values: Dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return values

    @property
    def series(self) -> Series:
        return Series(self.folder / "series.csv")

    @property
    def frames(self) -> List[Frame]:
        file = self.folder / "frames.pvd"
        if not file.exists():
            return []
        moments: Dict[float, Dict[str, Path]] = {}
        for item in ElementTree.parse(file).getroot().iter("DataSet"):
            path = self.folder / item.attrib["file"]
            moments.setdefault(float(item.attrib["timestep"]), {})[path.name.rsplit("_", 1)[0]] = path
        return [Frame(time, files) for time, files in sorted(moments.items())]

    @property
    def summary(self) -> Part:
        """What summary.json says: status, time, steps, state_hash, results, ..."""
        return Part(self._json("summary.json"))

    @property
    def results(self) -> Dict[str, float]:
        """The numbers of the summary."""
        results: Dict[str, float] = self._json("summary.json")["results"]
        return results

    @property
    def finished(self) -> bool:
        return (self.folder / "summary.json").exists() and self._json("summary.json")["status"] == "finished"

    @property
    def scene(self) -> Part:
        """The whole scene that was run."""
        facts = self._json("run.json")
        if "scene" not in facts:
            raise InputError(f"{self.folder}: was written by a program that stepped a world of its own, not by a scene")
        return Part(facts["scene"])

    @property
    def groups(self) -> List[str]:
        """Names of the groups by the numbers that frames have"""
        return [str(name) for name in self._json("run.json").get("groups", [])]

    @property
    def materials(self) -> List[str]:
        """Names of the materials by the numbers that frames have"""
        return [str(name) for name in self._json("run.json").get("materials", [])]

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Draws columns of the series over time with matplotlib; energies if none is named. The axes."""
        import matplotlib.pyplot as plt
        series = self.series
        names: Sequence[str] = columns or [n for n in ("energy_kinetic", "energy_potential", "energy_elastic") if n in series]
        axes = plt.subplots()[1] if ax is None else ax
        for name in names:
            axes.plot(series.time, series[name], label=name)
        units = {series.units[name] for name in names}
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"[{units.pop()}]" if len(units) == 1 and units != {""} else ", ".join(names))
        axes.legend()
        return axes

    def view(self) -> View:
        """The page of `talus view` with this run: in the browser, or below the cell of a notebook."""
        return View(self.folder).open()

    def __repr__(self) -> str:
        status = self._json("summary.json")["status"] if (self.folder / "summary.json").exists() else "running"
        return f"<run in {str(self.folder)!r}, {status}>"


def open(folder: Union[str, "os.PathLike[str]"]) -> Run:
    """The results of a run in its folder."""
    return Run(folder)


# --- VTK files

_KINDS = {"Float64": "f8", "Float32": "f4", "UInt16": "u2", "UInt32": "u4", "Int64": "i8", "Int32": "i4", "UInt8": "u1"}


def read_vtp(file: Union[str, "os.PathLike[str]"]) -> Dict[str, Any]:
    """The named arrays of a PolyData file of Talus; its points as `position`; of polygons the indices of `corners`, one after
    the other, and where each one `ends` among them."""
    raw = Path(file).read_bytes()
    mark = raw.index(b"<AppendedData")
    start = raw.index(b"_", raw.index(b">", mark)) + 1
    root = ElementTree.fromstring(raw[:mark] + b"</VTKFile>")
    arrays: Dict[str, Any] = {}
    for part, key in (("Points", "position"), ("PointData", None), ("CellData", None)):
        for element in root.iterfind(f".//{part}/DataArray"):
            arrays[key or element.attrib["Name"]] = _read_array(raw, start, element)
    for name, key in (("connectivity", "corners"), ("offsets", "ends")):
        for element in root.iterfind(f".//Polys/DataArray[@Name='{name}']"):
            arrays[key] = _read_array(raw, start, element)
    return arrays


def _read_array(raw: bytes, start: int, element: Any) -> Any:
    at = start + int(element.attrib["offset"])
    blocks = struct.unpack_from("<Q", raw, at)[0]
    sizes = struct.unpack_from(f"<{blocks}Q", raw, at + 24)
    place, parts = at + 24 + 8 * blocks, []
    for size in sizes:
        parts.append(zlib.decompress(raw[place:place + size]))
        place += size
    values = np.frombuffer(b"".join(parts), dtype="<" + _KINDS[element.attrib["type"]])
    width = int(element.attrib.get("NumberOfComponents", "1"))
    return values if width == 1 else values.reshape(-1, width)
