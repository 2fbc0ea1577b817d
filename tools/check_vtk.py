#!/usr/bin/python3
"""Opens every frame of a run with VTK's own readers: tools/check_vtk.py RUN_FOLDER

Checks frames.pvd, the number of points and cells, and the names, sizes and numbers of the arrays of each file. Any
error or warning of VTK, a missing file or a wrong array makes the exit status 1. Needs python3-vtk9.
"""

import json
import math
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

BODIES = {"id": 1, "radius": 1, "velocity": 3, "spin": 3, "mass": 1, "force": 3, "group": 1, "material": 1,
          "stress": 9, "coordination": 1}
CONTACTS = {"force": 3, "normal": 3, "overlap": 1, "normal_force": 1, "owner": 1, "partner": 1}
WALLS = {"id": 1, "group": 1, "face": 1}
SHAPES = {"id": 1, "group": 1, "material": 1, "velocity": 3, "spin": 3}
# What bodies have besides where some are no spheres.
OF_SHAPES = {"shape": 1, "orientation": 4, "held": 1}
KINDS = {"0": ("bodies", BODIES), "1": ("contacts", CONTACTS), "2": ("walls", WALLS), "3": ("shapes", SHAPES)}


class Faults:
    def __init__(self):
        self.count = 0

    def add(self, text):
        self.count += 1
        print(f"check_vtk: {text}", file=sys.stderr)

    def require(self, condition, text):
        if not condition:
            self.add(text)


def read_poly_data(path, faults):
    """The file as VTK reads it; what VTK complains about is a fault."""
    reader = vtkXMLPolyDataReader()

    def complain(_caller, event, message=""):
        faults.add(f"{path}: {event}: {message.strip()}")

    complain.CallDataType = "string0"
    reader.AddObserver(vtkCommand.ErrorEvent, complain)
    reader.AddObserver(vtkCommand.WarningEvent, complain)
    reader.SetFileName(str(path))
    faults.require(reader.CanReadFile(str(path)), f"{path}: VTK cannot read this file")
    reader.Update()
    return reader.GetOutput()


def check_arrays(path, data, wanted, size, faults):
    names = [data.GetArrayName(k) for k in range(data.GetNumberOfArrays())]
    faults.require(sorted(names) == sorted(wanted), f"{path}: arrays {sorted(names)}, expected {sorted(wanted)}")
    for name, components in wanted.items():
        array = data.GetArray(name)
        if array is None:
            continue
        faults.require(array.GetNumberOfTuples() == size, f"{path}: {name} has {array.GetNumberOfTuples()} of {size}")
        faults.require(array.GetNumberOfComponents() == components, f"{path}: {name} has wrong components")
        for component in range(components if size else 0):
            faults.require(all(map(math.isfinite, array.GetRange(component))), f"{path}: {name} is not finite")


def check_file(path, kind, wanted, faults):
    poly = read_poly_data(path, faults)
    points = poly.GetNumberOfPoints()
    if kind in ("walls", "shapes"):
        check_arrays(path, poly.GetCellData(), wanted, poly.GetNumberOfPolys(), faults)
        faults.require(poly.GetNumberOfPolys() > 0, f"{path}: no polygons")
        return points
    if kind == "bodies" and poly.GetPointData().GetArray("shape") is not None:
        wanted = {**wanted, **OF_SHAPES}
    faults.require(poly.GetNumberOfVerts() == points, f"{path}: {poly.GetNumberOfVerts()} vertices, {points} points")
    check_arrays(path, poly.GetPointData(), wanted, points, faults)
    if kind == "bodies" and points:
        faults.require(poly.GetPointData().GetArray("radius").GetRange()[0] > 0, f"{path}: a radius is not positive")
    return points


def wants_frames(folder):
    """False if the scene of the run asked for none."""
    run = folder / "run.json"
    return not run.is_file() or json.loads(run.read_text())["scene"]["output"]["frames"] != 0


def check_run(folder, faults):
    if not wants_frames(folder):
        print(f"{folder}: no frames asked for")
        faults.require(not (folder / "frames.pvd").exists(), f"{folder}/frames.pvd: there all the same")
        return
    entries = ElementTree.parse(folder / "frames.pvd").getroot().findall("./Collection/DataSet")
    faults.require(entries, f"{folder}/frames.pvd: no frames")
    times = []
    for entry in entries:
        kind, wanted = KINDS[entry.get("part")]
        path = folder / entry.get("file")
        if not path.is_file():
            faults.add(f"{path}: in frames.pvd but not there")
            continue
        points = check_file(path, kind, wanted, faults)
        if kind == "bodies":
            times.append(float(entry.get("timestep")))
            print(f"{path.name}: {points} bodies at {times[-1]:g} s")
    faults.require(all(a < b for a, b in zip(times, times[1:])), f"{folder}/frames.pvd: times do not increase")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    faults = Faults()
    check_run(Path(sys.argv[1]), faults)
    print(f"check_vtk: {faults.count} faults")
    return 1 if faults.count else 0


if __name__ == "__main__":
    sys.exit(main())
