"""Sweeps: the same thing for many values."""
import itertools
import json
import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union, cast

from ._base import plain
from ._errors import InputError
from .scene import Scene, load, run


class SweepTable(List[Dict[str, Any]]):
    """One dict per variant: what was varied, the results, and `error` where one failed."""

    def column(self, name: str) -> List[Any]:
        return [row.get(name) for row in self]

    def to_pandas(self) -> Any:
        import pandas
        return pandas.DataFrame(list(self))


def _run_scene(values: Dict[str, Any], source: str, variant: Dict[str, Any], target: Optional[str]) -> Dict[str, Any]:
    made = Scene(values, folder=source)
    for path, value in variant.items():
        *parts, last = path.split(".")
        place: Any = made
        for part in parts:
            place = place[part]
        place[last] = value
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        done = run(made, target or folder, overwrite=True, threads=1)
        return dict(done.results)


def _call(function: Callable[..., Any], variant: Dict[str, Any]) -> Dict[str, Any]:
    from . import use_threads
    use_threads(1)
    found = function(**variant)
    return dict(found) if isinstance(found, Mapping) else {"result": found}


def sweep(what: Union[Scene, str, "os.PathLike[str]", Callable[..., Any]], vary: Mapping[str, Sequence[Any]], *,
          jobs: int = 0, folder: Optional[Union[str, "os.PathLike[str]"]] = None) -> SweepTable:
    """Runs a scene, or calls a function, for all combinations of values; `jobs` at a time (0: one per core).

    vary: for a scene, keys as for `talus run --set` ("materials.glass.friction"); for a function, its arguments; it returns a
    number or a dict of numbers, and must be importable (a function of a module). folder: keeps what is done (table.json);
    called again with the same folder, only what is missing is run.
    """
    keys = list(vary)
    variants = [dict(zip(keys, values)) for values in itertools.product(*(vary[key] for key in keys))]
    if not variants:
        raise InputError("sweep: vary has no values")
    kept = Path(folder) / "table.json" if folder is not None else None
    known: Dict[str, Dict[str, Any]] = {}
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        if kept.exists():
            known = {_name(row["variant"]): row for row in json.loads(kept.read_text()) if "error" not in row}
    scene = what if isinstance(what, Scene) else None if callable(what) else load(what)
    missing = [variant for variant in variants if _name(variant) not in known]
    # Processes of their own start anew: threads of this one are not theirs.
    with ProcessPoolExecutor(jobs or os.cpu_count(), mp_context=get_context("spawn")) as pool:
        started = {}
        for variant in missing:
            if scene is None:
                task = pool.submit(_call, cast(Callable[..., Any], what), variant)
            else:
                target = os.fspath(kept.parent / _name(variant)) if kept is not None else None
                task = pool.submit(_run_scene, scene.to_dict(), scene._folder, plain(variant), target)
            started[task] = variant
        for task in as_completed(started):
            row: Dict[str, Any] = {"variant": plain(started[task])}
            try:
                row["results"] = plain(task.result())
            except Exception as error:  # a variant that fails does not stop the others
                row["error"] = str(error)
            known[_name(started[task])] = row
            if kept is not None:
                kept.write_text(json.dumps(list(known.values()), indent=1))
    rows = (known[_name(variant)] for variant in variants)
    return SweepTable({**row["variant"], **row.get("results", {}),
                       **({"error": row["error"]} if "error" in row else {})} for row in rows)


def _name(variant: Mapping[str, Any]) -> str:
    return ",".join(f"{key.rsplit('.', 1)[-1]}={value}" for key, value in variant.items())
