# The compiled part: its types are those of the package around it.
from typing import Any

version: str

def __getattr__(name: str) -> Any: ...
