"""What goes wrong."""
import re


class InputError(ValueError):
    """What was given is wrong. `path` names the setting, `message` says what is wrong and what to do."""

    def __init__(self, text: str = "") -> None:
        super().__init__(_in_python(text))
        found = re.match(r"(?:[^\s:]+:\d+: )?([A-Za-z_][\w.\[\]-]*): (.*)", str(self), re.DOTALL)
        self.path: str = found.group(1) if found else ""
        self.message: str = found.group(2) if found else str(self)


class RunError(RuntimeError):
    """The simulation cannot go on: numbers went bad, a body got lost, the disk is full. The text says what to try."""

    def __init__(self, text: str = "") -> None:
        super().__init__(_in_python(text))


class StaleViewError(RuntimeError):
    """A view of the state from before bodies came or went; take a new one from the world."""


_CALLS = re.compile(
    r"\b(?:(?:add|set|remove|bodies|step|max|group)(?:[A-Z][a-z]+)+|contactLaw|theWorldItself)\b(?=\(|:|\.| |$)")


def _in_python(text: str) -> str:
    """Names of calls and settings as they are called here."""
    text = re.sub(r"^(?::\d+|scene:\d+): (?=[\w.\[\]]+: )", "", text, flags=re.MULTILINE)
    return _CALLS.sub(lambda name: re.sub(r"[A-Z]", lambda c: "_" + c.group().lower(), name.group()), text)
