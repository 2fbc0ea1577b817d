"""Simulations, runs and scenes in the browser or in a notebook: the page of `talus view`, from this computer alone."""
import html
import os
import subprocess
import sys
import tempfile
import time as clock
import weakref
import webbrowser
from typing import Any, Callable, Union

from ._errors import RunError
from ._program import program

# Ends the program when the pipe to this process closes, however this process ends.
_KEEPER = '"$0" view "$1" --no-browser & exec >&-; trap "kill $! 2>/dev/null" EXIT; read line'


class View:
    """A page that shows something: `url`; notebooks show it in place. It ends with close(), or with Python.

    >>> view = sim.view()             # opens the browser; in a notebook the page stands below the cell
    >>> view.url
    'http://127.0.0.1:40123/?token=...'
    >>> view.close()
    """

    height = 600  # pixels, in notebooks

    def __init__(self, target: Union[str, "os.PathLike[str]"], clean: Callable[[], Any] = lambda: None) -> None:
        with tempfile.TemporaryFile() as messages:
            self._keeper = subprocess.Popen(["/bin/sh", "-c", _KEEPER, program(), target], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=messages, start_new_session=True)
            self._end = weakref.finalize(self, _end, self._keeper, clean)
            assert self._keeper.stdout is not None
            self.url: str = self._keeper.stdout.readline().decode().strip()
            if not self.url:
                self.close()
                messages.seek(0)
                raise RunError("view: " + (messages.read().decode(errors="replace").strip() or "the page did not start"))

    def open(self) -> "View":
        """In the browser, where there is a display; in a notebook nothing is needed."""
        if "ipykernel" not in sys.modules and (sys.platform == "darwin" or any(
                os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))):
            webbrowser.open(self.url)
        return self

    def wait(self) -> None:
        """For scripts, which would end with the page: until Ctrl-C."""
        try:
            while not self.closed and self._keeper.poll() is None:
                clock.sleep(0.2)
        except KeyboardInterrupt:
            pass
        self.close()

    def close(self) -> None:
        self._end()

    @property
    def closed(self) -> bool:
        return not self._end.alive

    def _repr_html_(self) -> str:
        if self.closed:
            return "<em>This view is closed.</em>"
        return (f'<iframe src="{html.escape(self.url)}&amp;bare" style="width:100%;height:{self.height}px;border:0" '
                'allow="fullscreen"></iframe>')

    def __repr__(self) -> str:
        return "<view, closed>" if self.closed else f"<view at {self.url}>"


def _end(keeper: "subprocess.Popen[bytes]", clean: Callable[[], Any]) -> None:
    for stream in (keeper.stdin, keeper.stdout):
        if stream is not None:
            stream.close()
    try:
        keeper.wait(5)
    except subprocess.TimeoutExpired:
        keeper.kill()
        keeper.wait()
    clean()


class Watch:
    """Frames of a simulation for its page: now and then while it moves, and whenever it comes to a halt."""

    share, least = 0.1, 0.2  # of the time at most for frames; s between them

    def __init__(self, writer: Any) -> None:
        self.writer = writer
        self.next = self.written = -1.0

    def look(self, core: Any, halts: bool) -> None:
        """Writes a frame if it is time for one; always if the simulation halts where there is none yet."""
        if core.time == self.written or (clock.monotonic() < self.next and not halts):
            return
        start = clock.monotonic()
        self.writer.write_frame(core)
        self.written = core.time
        end = clock.monotonic()
        self.next = end + max(self.least, (end - start) / self.share)


def of_scene(text: str, folder: str) -> View:
    """Of a scene as it is now; what it names is looked for in its folder."""
    handle, name = tempfile.mkstemp(suffix=".yaml", prefix=".view-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        return View(name)  # has been read when the address is there
    finally:
        os.unlink(name)
