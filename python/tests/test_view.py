"""Pages of `talus view` with what Python has; without a browser: what the page asks for is asked for here."""
import _thread
import gc
import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import pytest

import talus
from conftest import settling

try:
    talus.Simulation(settling(1)).view().close()
except talus.RunError as error:
    if "node" in str(error):
        pytest.skip(str(error), allow_module_level=True)
    raise


def asked(view, path):
    """What the server answers, and the page itself with the token of its address."""
    url, token = view.url.split("/?token=")
    request = urllib.request.Request(f"{url}{path}", headers={"X-Talus-Token": token})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read()


def times(view):
    return json.loads(asked(view, "/api/state?frames=0&lines=0"))["times"]


def test_a_simulation_is_shown_and_followed():
    sim = talus.Simulation(settling(), talus.Penalty(step=1e-5))
    view = sim.view()
    assert b"<html" in asked(view, "/") and times(view) == [0.0]
    sim.step(100)
    sim.run("2 ms", progress=False)
    shown = times(view)
    assert shown[-1] == sim.time and pytest.approx(1e-3) in shown
    about = json.loads(asked(view, "/api/info"))
    assert about["groups"] and about["materials"] == ["glass"]
    assert asked(view, f"/api/frame?k={len(shown) - 1}")[:4] == b"TLF1"
    assert sim.view() is view
    other = settling()
    talus.Simulation(other, talus.Penalty(step=1e-5)).step(sim.world.step_count)
    assert other.state_hash == sim.world.state_hash  # looking changes nothing


def test_notebooks_show_the_page_in_place():
    view = talus.Simulation(settling(3)).view()
    address = view.url.replace("&", "&amp;")
    assert f'<iframe src="{address}&amp;bare"' in view._repr_html_()
    view.close()
    assert "closed" in view._repr_html_() and "closed" in repr(view)


def test_a_closed_page_is_gone_with_its_files_and_the_simulation_goes_on():
    sim = talus.Simulation(settling(5), talus.Penalty(step=1e-5))
    view = sim.view()
    folder = json.loads(asked(view, "/api/info"))["name"]
    view.close()
    with pytest.raises(urllib.error.URLError):
        asked(view, "/")
    assert not any(folder in name for name in os.listdir(os.environ.get("TMPDIR", "/tmp")))
    sim.step(10)
    assert sim.view() is not view


def test_pages_end_with_their_simulation():
    sim = talus.Simulation(settling(3))
    url = sim.view().url
    del sim
    gc.collect()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url, timeout=5)


def test_pages_end_with_python_however_it_ends():
    script = ("import talus, os, sys; sys.path.insert(0, sys.argv[1]); from conftest import settling; "
              "print(talus.Simulation(settling(3)).view().url, flush=True); os.kill(os.getpid(), 9)")
    done = subprocess.run([sys.executable, "-c", script, os.path.dirname(__file__)], capture_output=True, text=True)
    url = done.stdout.strip()
    assert url.startswith("http://127.0.0.1:"), done.stderr
    for _ in range(50):
        try:
            urllib.request.urlopen(url, timeout=5)
            time.sleep(0.1)
        except urllib.error.URLError:
            return
    raise AssertionError("the server outlived its process")


def test_scripts_wait_until_ctrl_c():
    view = talus.Simulation(settling(3)).view()
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    view.wait()
    assert view.closed


def test_scenes_and_runs_are_shown(examples, tmp_path):
    scene = talus.load(examples / "settle.yaml", "run.time=1 ms")
    scene.name = "changed"
    view = scene.view()
    assert json.loads(asked(view, "/api/info"))["name"] == "changed"
    view.close()
    assert not [name for name in os.listdir(examples) if name.startswith(".view-")]
    run = talus.run(scene, tmp_path / "run")
    assert times(run.view()) == [frame.time for frame in run.frames]


def test_a_page_that_cannot_start_says_why(tmp_path):
    from talus.view import View
    with pytest.raises(talus.RunError, match="run"):
        View(tmp_path)
