"""A sweep does what single runs would do, goes on after it was stopped, and tells which variant failed."""
import json
import signal
import unittest

from talus_program import QUIET, SETTLE, ProgramTest

FRICTION = "materials.glass.friction"
SHORT = [*QUIET, "run.time=3 ms"]
RESULTS = ["output.frames=0", "output.plots=false", "output.series=0.1 ms", "output.checkpoint=1 ms"]


class Sweep(ProgramTest):
    def sweep(self, *arguments, settings=SHORT, values="0.1,0.4"):
        return [self.program, "sweep", "scene.yaml", "-o", "out", "--vary", f"{FRICTION}={values}",
                *(word for setting in settings for word in ("--set", setting)), *arguments]

    def call(self, *arguments, **options):
        return self.talus(*self.sweep(*arguments, **options)[1:])

    def variant(self, value):
        return self.folder / "out" / f"friction={value}"

    def test_every_variant_is_the_run_with_that_setting(self):
        self.write(SETTLE)
        done = self.call("--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("at a time with", done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual([v["values"][FRICTION] for v in found], ["0.1", "0.4"])
        for v in found:
            alone = self.folder / v["variant"]
            self.finish_scene(SETTLE, alone, [*SHORT, f"{FRICTION}={v['values'][FRICTION]}"])
            self.assertEqual(self.summary(self.folder / "out" / v["variant"])["state_hash"], self.summary(alone)["state_hash"])
            self.assertEqual(v["results"]["energy_kinetic"], self.summary(alone)["results"]["energy_kinetic"])
        self.assertNotEqual(found[0]["results"]["energy_kinetic"], found[1]["results"]["energy_kinetic"])
        self.assertEqual(json.loads((self.folder / "out/table.json").read_text()), found)
        self.assertEqual((self.folder / "out/table.csv").read_text().count("\n"), 3)

    def test_finished_variants_are_not_run_again(self):
        self.write(SETTLE)
        first = self.call()
        self.assertEqual(first.returncode, 0, first.stderr)
        before = {v: (self.variant(v) / "summary.json").stat().st_mtime_ns for v in ("0.1", "0.4")}
        again = self.call("--show", "energy_kinetic", "contacts")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("2 of them finished before", again.stderr)
        self.assertEqual({v: (self.variant(v) / "summary.json").stat().st_mtime_ns for v in before}, before)
        self.assertIn("energy_kinetic", again.stdout)
        self.assertNotIn("max_speed", again.stdout)
        self.assertEqual((self.folder / "out/plots/energy_kinetic.png").read_bytes()[:4], b"\x89PNG")

    # One run at a time: the first is under way, the second has not begun.
    def stop_and_go_on(self, number):
        self.write(SETTLE)
        for value in ("0.1", "0.4"):
            self.finish_scene(SETTLE, self.folder / value, [*RESULTS, f"{FRICTION}={value}"])
        command = self.sweep("--jobs", "1", settings=RESULTS)
        process = self.start(command)
        self.wait_for(lambda: self.rows(self.variant("0.1")) >= 30, process, "30 rows were written")
        process.send_signal(number)
        process.communicate(timeout=60)
        self.assertFalse(self.variant("0.4").exists())
        return process.returncode, command

    def check_results(self):
        for value in ("0.1", "0.4"):
            alone, part = self.folder / value, self.variant(value)
            self.assertEqual(self.summary(part)["state_hash"], self.summary(alone)["state_hash"])
            self.assertEqual((part / "series.csv").read_bytes(), (alone / "series.csv").read_bytes())

    def test_an_interrupted_sweep_stops_its_runs_with_checkpoints_and_goes_on(self):
        status, command = self.stop_and_go_on(signal.SIGINT)
        self.assertEqual(status, 128 + signal.SIGINT)
        self.assertEqual(self.summary(self.variant("0.1"))["status"], "interrupted")
        states = [v["status"] for v in json.loads((self.folder / "out/table.json").read_text())]
        self.assertEqual(states, ["interrupted", "not run"])
        done = self.talus(*command[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("resuming", (self.variant("0.1") / "run.log").read_text())
        self.check_results()

    def test_a_sweep_whose_terminal_is_closed_stops_its_runs_with_checkpoints(self):
        status, _ = self.stop_and_go_on(signal.SIGHUP)
        self.assertEqual(status, 128 + signal.SIGHUP)
        self.assertEqual(self.summary(self.variant("0.1"))["status"], "interrupted")
        states = [v["status"] for v in json.loads((self.folder / "out/table.json").read_text())]
        self.assertEqual(states, ["interrupted", "not run"])

    def test_a_killed_sweep_takes_its_runs_along_and_goes_on(self):
        status, command = self.stop_and_go_on(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        # Its run ends by itself; until then the folder is in use.
        self.wait_until(lambda: (self.variant("0.1") / "summary.json").exists())
        self.assertEqual(self.summary(self.variant("0.1"))["status"], "interrupted")
        self.wait_until(lambda: self.talus(*command[1:]).returncode == 0)
        self.check_results()

    def test_a_variant_that_fails_is_told_and_leaves_the_others_their_results(self):
        self.write(SETTLE)
        done = self.talus("sweep", "scene.yaml", "-o", "out", "--vary", "run.step=auto,0.5 ms", "--set", "run.time=5 ms",
                          *(word for setting in QUIET for word in ("--set", setting)))
        self.assertEqual(done.returncode, 1, done.stderr)
        states = {v["variant"]: v for v in json.loads((self.folder / "out/table.json").read_text())}
        self.assertEqual(states["step=auto"]["status"], "finished")
        self.assertEqual(states["step=0.5ms"]["status"], "failed")
        self.assertNotEqual(states["step=0.5ms"]["message"], "")
        self.assertIn(states["step=0.5ms"]["message"].splitlines()[0], done.stdout)

    def test_wrong_keys_values_and_folders_are_told_before_anything_runs(self):
        self.write(SETTLE)
        for vary, reason in ((f"{FRICTION[:-1]}=0.1,0.2", "did you mean"), (f"{FRICTION}=", "has no values"),
                             (f"{FRICTION}=0.1,wet", "wet"), ("run.time", "must look like")):
            done = self.talus("sweep", "scene.yaml", "-o", "out", "--vary", vary)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(reason, done.stderr)
            self.assertFalse((self.folder / "out").exists())
        self.assertEqual(self.call().returncode, 0)
        done = self.call(values="0.1,0.5")
        self.assertEqual(done.returncode, 2)
        self.assertIn("other values of --vary", done.stderr)

    def test_a_result_that_nobody_has_is_told_with_the_likely_one(self):
        self.write(SETTLE)
        done = self.call("--show", "energy_kinetc")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'energy_kinetic'", done.stderr)


if __name__ == "__main__":
    unittest.main()
