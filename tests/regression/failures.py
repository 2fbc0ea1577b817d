"""What goes wrong stops the run with a message that helps, and loses nothing that was good."""
import os
import subprocess
import unittest

from talus_program import HELD_BACK, SETTLE, ProgramTest

BALL = "materials: {rubber: {density: 1000, youngs_modulus: %s, restitution: 0.9}}\ngravity: [0, 0, 0]\n"

LOST = BALL % "1 MPa" + """
domain: {low: [-10 mm, -10 mm, -10 mm], high: [10 mm, 10 mm, 10 mm]}
bodies: [{shape: sphere, radius: 1 mm, position: [0, 0, 0], velocity: [1, 0, 0], group: runaway}]
run: {time: 1}
output: {checkpoint: 2 ms, frames: 0}
"""

CRUSHED = BALL % "100 kPa" + """
bodies:
  - {shape: sphere, radius: 1 mm, position: [-10 mm, 0, 0], velocity: [5, 0, 0]}
  - {shape: sphere, radius: 1 mm, position: [10 mm, 0, 0], velocity: [-5, 0, 0]}
run: {time: 10 ms}
output: {checkpoint: 0.5 ms, frames: 0}
"""

# The ball goes into the centre of the other in one step: no direction is normal to them.
UNSTABLE = BALL % "1 MPa" + """
bodies:
  - {shape: sphere, radius: 1 mm, position: [0, 0, 0], fixed: true}
  - {shape: sphere, radius: 1 mm, position: [-10 mm, 0, 0], velocity: [1e4, 0, 0]}
run: {time: 10 ms, step: 1 us}
output: {series: 10, frames: 0}
"""

# Impacts last for 0.14 ms: each bounce would multiply the speed.
TOO_LONG_STEP = BALL % "1 MPa" + """
bodies:
  - {shape: container, centre: [0, 0, 0], size: [10 mm, 10 mm, 10 mm]}
  - {shape: sphere, radius: 1 mm, position: [0, 0, 0], velocity: [50, 0, 0]}
run: {time: 10, step: 1 ms}
"""

# It goes more than half of its radius in each step, and could jump over another grain.
LEAPING = BALL % "1 MPa" + """
bodies:
  - {shape: container, centre: [0, 0, 0], size: [10 mm, 10 mm, 10 mm]}
  - {shape: sphere, radius: 1 mm, position: [0, 0, 0], velocity: [600, 0, 0]}
run: {time: 10 ms, step: 1 us}
output: {series: 10, frames: 0}
"""


class BadPhysics(ProgramTest):
    def check_failure(self, scene, *words):
        out = self.folder / "out"
        done = self.run_scene(scene, out)
        self.assertEqual(done.returncode, 1, done.stderr)
        summary = self.summary(out)
        self.assertEqual(summary["status"], "failed")
        for word in ("t = ", "position (", *words):
            self.assertIn(word, done.stderr)
            self.assertIn(word, summary["message"])
        return out, summary

    # The message comes again from the checkpoint: it was good, and the trouble lies ahead of it.
    def check_kept_checkpoint(self, out, summary):
        done = self.talus("resume", out)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("resuming", done.stderr)
        self.assertEqual(self.summary(out)["message"], summary["message"])
        self.assertEqual(self.summary(out)["state_hash"], summary["state_hash"])

    def test_a_lost_grain_stops_the_run_and_is_named(self):
        out, summary = self.check_failure(LOST, "body 0", "runaway", "left the domain", "enlarge the domain")
        self.assertLess(summary["time"], 0.5)
        self.check_kept_checkpoint(out, summary)

    def test_too_deep_an_overlap_stops_the_run_and_says_what_to_change(self):
        out, summary = self.check_failure(CRUSHED, "body 0", "body 1", "overlaps", "reduce run.step", "stiffer")
        self.assertGreater(summary["max_overlap"], 0)
        self.check_kept_checkpoint(out, summary)

    def test_numbers_that_are_none_stop_the_run_and_are_named(self):
        self.check_failure(UNSTABLE, "body 0", "not finite", "reduce run.step")

    def test_a_grain_too_fast_for_its_contacts_to_be_seen_stops_the_run_and_is_named(self):
        out, summary = self.check_failure(LEAPING, "body 1", "half width", "set run.step to")
        self.assertLess(summary["steps"], 10)
        self.check_kept_checkpoint(out, summary)

    def test_steps_with_which_no_contact_can_come_out_right_are_bad_input(self):
        done = self.run_scene(TOO_LONG_STEP, self.folder / "out")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("scene.yaml:", done.stderr)
        self.assertIn("run.step: a step of", done.stderr)
        self.assertIn("set run.step to auto", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_bodies_that_overlap_at_the_start_are_bad_input(self):
        scene = CRUSHED.replace("-10 mm, 0, 0", "-0.8 mm, 0, 0").replace("10 mm, 0, 0", "0.8 mm, 0, 0")
        done = self.run_scene(scene, self.folder / "out")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("scene.yaml:6: bodies[1]", done.stderr)
        self.assertFalse((self.folder / "out").exists())


class HeldBack(ProgramTest):
    """Dashpots that are stronger than a step bears."""

    def results(self, *settings):
        return self.finish_scene(HELD_BACK, self.folder / "out", [*settings, "output.frames=0", "output.plots=false"],
                                 )["results"]

    def held_warnings(self, results):
        return [warning for warning in results["warnings"] if "were held back" in warning]

    def test_dashpots_that_are_held_back_are_told(self):
        results = self.results()
        held = results["dashpots"]
        self.assertEqual((held["most_bodies"], held["most_contacts"]), (64, 192))
        # Each of six contacts has what it bears alone: together they are six times too strong.
        self.assertAlmostEqual(held["least_share"], 1 / 6, places=9)
        self.assertAlmostEqual(held["mean_share"], 1 / 6, places=2)
        (warning,) = self.held_warnings(results)
        self.assertIn(f"in {held['held_steps']} of", warning)
        self.assertIn("run.step", warning)

    def test_a_step_that_bears_all_dashpots_has_nothing_to_tell(self):
        results = self.results("run.step_fraction=0.01", "run.time=1 ms")
        self.assertEqual(self.held_warnings(results), [])
        self.assertNotIn("dashpots", results)


class BadDisk(ProgramTest):
    """On a small file system in memory; skipped where mounting is not allowed."""

    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        if os.geteuid() != 0 or not self.mount("-t", "tmpfs", "-o", "size=1m", "tmpfs"):
            self.skipTest("mounting a file system is not allowed here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.disk)], check=False)

    def mount(self, *arguments):
        return subprocess.run(["mount", *arguments, str(self.disk)], capture_output=True, check=False).returncode == 0

    def test_a_full_disk_stops_the_run_and_a_resume_with_room_goes_on_as_if_nothing_happened(self):
        settings = ["output.frames=0.2 ms", "output.checkpoint=1 ms", "output.contacts=true", "output.plots=false"]
        whole = self.finish_scene(SETTLE, self.folder / "whole", settings)
        out = self.disk / "out"
        done = self.run_scene(SETTLE, out, settings)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("No space left on device", done.stderr)
        self.assertIn(str(out), done.stderr)
        self.assertEqual([str(f) for f in out.rglob("*tmp*")], [], "half-written files stay behind")
        self.assertTrue(self.mount("-o", "remount,size=50m"))
        done = self.talus("resume", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.summary(out)["state_hash"], whole["state_hash"])
        for file in ("series.csv", "frames.pvd"):
            self.assertEqual((out / file).read_bytes(), (self.folder / "whole" / file).read_bytes(), file)

    def test_a_read_only_folder_is_refused_with_its_name(self):
        self.assertTrue(self.mount("-o", "remount,ro"))
        for out in (self.disk, self.disk / "out"):
            done = self.run_scene(SETTLE, out, ["run.time=1 ms"])
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(str(out), done.stderr)
            self.assertIn("Read-only file system", done.stderr)

    def test_a_run_whose_folder_turned_read_only_cannot_be_resumed_and_says_why(self):
        out = self.disk / "out"
        self.finish_scene(SETTLE, out, ["run.time=1 ms", "output.frames=0", "output.plots=false"])
        self.assertTrue(self.mount("-o", "remount,ro"))
        done = self.talus("resume", out)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Read-only file system", done.stderr)


if __name__ == "__main__":
    unittest.main()
