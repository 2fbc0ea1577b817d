"""A folder belongs to one run at a time, nothing in it is replaced unasked, and what is taken from it is noticed."""
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from talus_program import GLASS, SETTLE, ProgramTest

BRIEF = ["run.time=1 ms", "output.frames=0", "output.plots=false"]
RESULTS = ["output.series=0.1 ms", "output.frames=2 ms", "output.plots=false", "output.checkpoint=1 ms"]
# Goes on until it is stopped.
ENDLESS = [*RESULTS, "run.time=1000 s"]


class InUse(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.live = self.start(self.command(SETTLE, self.out, ENDLESS))
        self.wait_for(lambda: self.rows(self.out) >= 15, self.live, "15 rows were written")

    def check_refused(self, done, holder):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"is in use by process {holder} on ", done.stderr)
        self.assertIn(", since 2", done.stderr)

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)

    def test_a_live_run_is_neither_resumed_nor_replaced(self):
        self.check_refused(self.talus("resume", self.out), self.live.pid)
        for more in ([], ["--overwrite"]):
            self.check_refused(self.run_scene(SETTLE, self.out, BRIEF, more=more), self.live.pid)
        self.stop(self.live)
        self.assertEqual(list(self.out.glob(".talus*")), [])

    def test_of_two_resumes_one_goes_on(self):
        self.stop(self.live)
        first = self.start([self.program, "resume", str(self.out), "--threads", "1"])
        self.wait_for(lambda: (self.out / ".talus.lock").exists(), first, "the folder was taken")
        self.check_refused(self.talus("resume", self.out), first.pid)
        rows = self.rows(self.out)
        self.wait_for(lambda: self.rows(self.out) > rows, first, "a row was written")
        self.stop(first)

    def test_a_killed_run_leaves_its_folder_free_wherever_it_is_moved(self):
        self.live.kill()
        self.live.communicate()
        (self.out / f".talus-{self.live.pid}-0badcafe.tmp").write_text("what it was writing")
        moved = self.folder / "moved"
        self.out.rename(moved)
        resumed = self.start([self.program, "resume", str(moved), "--threads", "1"])
        rows = self.rows(moved)
        self.wait_for(lambda: self.rows(moved) > rows + 5, resumed, "more rows were written")
        self.stop(resumed)
        self.assertEqual(list(moved.glob(".talus*")), [])

    def test_a_run_whose_folder_another_one_got_leaves_it_alone(self):
        self.live.send_signal(signal.SIGSTOP)
        shutil.rmtree(self.out)
        brief = self.finish_scene(SETTLE, self.out, BRIEF)
        self.live.send_signal(signal.SIGCONT)
        _, errors = self.live.communicate(timeout=60)
        self.assertEqual(self.live.returncode, 1, errors)
        self.assertIn("moved or removed", errors)
        self.assertEqual(self.summary(self.out), brief)

    def test_without_a_folder_two_runs_of_a_scene_get_one_each(self):
        scene = self.write(SETTLE, "beads.yaml")
        sets = [word for setting in ENDLESS for word in ("--set", setting)]
        runs = [self.start([self.program, "run", str(scene), "--threads", "1", *sets]) for _ in range(3)]
        folders = [self.folder / "out" / name for name in ("beads", "beads-2", "beads-3")]
        for folder in folders:
            self.wait_for(lambda: self.rows(folder) >= 2, runs[0], "two rows were written")
        for run in runs:
            self.stop(run)
        self.assertEqual([self.summary(folder)["status"] for folder in folders], ["interrupted"] * 3)


class Taken(ProgramTest):
    """Files of others, and names that lead elsewhere."""

    def test_files_without_a_run_are_replaced_only_on_demand(self):
        for name in ("series.csv", "checkpoint.h5"):
            out = self.folder / name.replace(".", "-")
            out.mkdir()
            (out / name).write_text("measured in the laboratory")
            done = self.run_scene(SETTLE, out, BRIEF)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(name, done.stderr)
            self.assertIn("--overwrite", done.stderr)
            self.assertEqual((out / name).read_text(), "measured in the laboratory")
            self.assertEqual(self.run_scene(SETTLE, out, BRIEF, more=["--overwrite"]).returncode, 0)

    def test_the_name_of_a_scene_does_not_lead_out_of_the_folder(self):
        inside = self.folder / "a" / "b"
        inside.mkdir(parents=True)
        for name in ("../../escaped", str(self.folder / "escaped"), "..", "a/b", '"a\\nb"', "n" * 300):
            scene = self.write(f"name: {name}\n" + SETTLE)
            done = self.talus("run", scene, *[w for s in BRIEF for w in ("--set", s)], cwd=inside)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("scene.yaml:1: name", done.stderr)
        self.assertEqual(list(inside.iterdir()), [])
        self.assertFalse((self.folder / "escaped").exists())

    def test_paths_that_are_no_text_do_not_cost_the_run(self):
        strange = pathlib.Path(os.fsdecode(os.fsencode(self.folder) + b"/K\xf6rner\xff"))
        strange.mkdir()
        (strange / "grains.csv").write_text("x,y,z,radius\n0,0,2e-3,1e-3\n")
        scene = strange / "scene.yaml"
        scene.write_text(GLASS + "bodies: [{shape: plane}, {generate: csv, file: grains.csv}]\nrun: {time: 1000 s}\n")
        out = strange / "out"
        # What such a name looks like in messages does not matter here: bytes are read, not text.
        process = subprocess.Popen(self.command(scene, out, [*RESULTS, "run.step=10 us"]), stderr=subprocess.PIPE,
                                   cwd=self.folder)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.wait_for(lambda: self.rows(out) >= 30, process, "30 rows were written")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 128 + signal.SIGTERM, process.stderr.read())
        steps = self.summary(out)["steps"]
        done = self.talus("resume", out, "--max-time", "1", errors="replace")
        self.assertEqual(done.returncode, 128 + signal.SIGTERM, done.stderr)
        self.assertGreater(self.summary(out)["steps"], steps)
        swept = self.talus("sweep", scene, "-o", strange / "sweep", "--vary", "seed=1,2", errors="replace",
                           *[w for s in BRIEF for w in ("--set", s)])
        self.assertEqual(swept.returncode, 0, swept.stderr)


class TakenAway(ProgramTest):
    """Files that somebody removes, or changes, while the run goes on or after it was interrupted."""

    def test_a_series_and_a_run_json_removed_during_a_run_are_made_anew(self):
        whole, out = self.folder / "whole", self.folder / "out"
        self.finish_scene(SETTLE, whole, RESULTS)
        process = self.start(self.command(SETTLE, out, RESULTS))
        self.wait_for(lambda: self.rows(out) >= 15, process, "15 rows were written")
        process.send_signal(signal.SIGSTOP)
        (out / "series.csv").unlink()
        (out / "run.json").unlink()
        process.send_signal(signal.SIGCONT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        for name in ("series.csv", "run.json"):
            self.assertIn(f"warning: {name} was removed", errors)
            self.assertTrue(any(name in w for w in self.summary(out)["results"]["warnings"]), name)
        self.assertEqual((out / "series.csv").read_bytes(), (whole / "series.csv").read_bytes())
        self.assertTrue((out / "run.json").exists())

    def interrupted(self):
        out = self.folder / "out"
        self.interrupt(self.command(SETTLE, out, RESULTS), out, rows=30)
        return out

    def test_a_series_out_of_order_is_refused_with_its_line_and_stays(self):
        out = self.interrupted()
        series, summary = out / "series.csv", (out / "summary.json").read_bytes()
        lines = series.read_text().splitlines(keepends=True)
        lines[5], lines[9] = lines[9], lines[5]
        series.write_text("".join(lines))
        done = self.talus("resume", out)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("series.csv:7: times must increase", done.stderr)
        self.assertEqual(series.read_text(), "".join(lines))
        self.assertEqual((out / "summary.json").read_bytes(), summary)
        series.rename(out / "mine.csv")
        done = self.talus("resume", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("series.csv is gone", done.stderr)

    def test_a_flow_over_a_series_that_others_changed_is_no_reason_to_break_off(self):
        out = self.folder / "out"
        scene = SETTLE + "measure: {planes: [{name: middle, point: [0, 0, 12 mm], normal: [0, 0, -1]}]}\n"
        process = self.start(self.command(scene, out, RESULTS))
        self.wait_for(lambda: self.rows(out) >= 30, process, "30 rows were written")
        process.send_signal(signal.SIGSTOP)
        series = out / "series.csv"
        text = series.read_text()
        lines = text.splitlines(keepends=True)
        lines[5], lines[9] = lines[9], lines[5]
        with series.open("r+") as file:  # the same file, in place
            file.write("".join(lines))
        process.send_signal(signal.SIGCONT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn("do not increase", self.summary(out)["results"]["flow"]["middle"]["message"])


if __name__ == "__main__":
    unittest.main()
