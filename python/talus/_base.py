"""What all settings have in common: they are values that know their names, and become texts that the library reads."""
import json
from typing import Any, Dict, Iterable, Optional, Sequence, Tuple, Union

import numpy as np

Quantity = Union[float, int, str]
"""A number in SI, or a text with a unit: 0.0025, "2.5 mm"."""
Vector = Union[Sequence[Quantity], "np.ndarray[Any, Any]"]
"""Three quantities."""
Numbers = Union[Sequence[Quantity], "np.ndarray[Any, Any]"]
Points = Union[Sequence[Vector], "np.ndarray[Any, Any]"]


class Settings:
    """Settings of one thing, as values: the same names as in scenes."""

    _tag: Optional[Tuple[str, str]] = None
    _fields: Tuple[str, ...] = ()

    def to_dict(self) -> Dict[str, Any]:
        """As in a scene: what is given, with the key that tells what it is."""
        given = {name: plain(getattr(self, name)) for name in self._fields if getattr(self, name) is not None}
        if "centre" in self._fields:
            given.setdefault("centre", [0.0, 0.0, 0.0])
        for name in ("open", "axes", "turns", "periodic", "ends"):  # a single one needs no list
            if isinstance(given.get(name), str):
                given[name] = [given[name]]
        if self._tag is not None and not ("low" in given and self._tag == ("shape", "box")):
            return {self._tag[0]: self._tag[1], **given}
        return given if self._tag is None else {key: given[key] for key in ("low", "high") if key in given}

    def __repr__(self) -> str:
        given = (f"{name}={getattr(self, name)!r}" for name in self._fields if getattr(self, name) is not None)
        return f"{type(self).__name__}({', '.join(given)})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]


def plain(value: Any) -> Any:
    """The value in lists, dicts, numbers and texts."""
    if isinstance(value, Settings):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) or (isinstance(value, Iterable) and not isinstance(value, str)):
        return [plain(item) for item in value]
    return value


def text(given: Dict[str, Any]) -> str:
    """What is given, as a text for the library."""
    return json.dumps({key: plain(value) for key, value in given.items() if value is not None})
