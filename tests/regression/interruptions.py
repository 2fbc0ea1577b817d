"""A run that was interrupted or killed and then resumed leaves what an uninterrupted run leaves, bit for bit."""
import shutil
import signal
import time
import unittest

from talus_program import (CHUTE, CONFINED, ELASTIC_SETTLE, GLUED_SETTLE, HELD_BACK, POUR, RIGID_CONFINED, RIGID_POUR,
                           RIGID_SETTLE, RIGID_SHAPES, SETTLE, SHAPES, SQUEEZE, STAGED, STICKY, ProgramTest)

RESULTS = ["output.series=0.1 ms", "output.frames=2 ms", "output.plots=false"]
BY_TIME = [*RESULTS, "output.checkpoint=1 ms"]

# Steps that do not end by themselves.
ENDLESS_INCREMENTS = ["quasi_static.max_iterations=1000000000", "quasi_static.tolerance=1e-30"]
ENDLESS_SWEEPS = ["contact_dynamics.fixed_iterations=1000000000"]


class Interruptions(ProgramTest):
    def check_same_results(self, whole, parts):
        for file in ("series.csv", "frames.pvd"):
            self.assertEqual((parts / file).read_bytes(), (whole / file).read_bytes(), file)
        frames = sorted(f.name for f in (whole / "frames").iterdir())
        self.assertEqual(sorted(f.name for f in (parts / "frames").iterdir()), frames)
        for name in frames:
            self.assertEqual((parts / "frames" / name).read_bytes(), (whole / "frames" / name).read_bytes(), name)
        kept = ("status", "time", "steps", "state_hash", "bodies", "contacts", "max_overlap", "unconverged_steps")
        first, second = self.summary(whole), self.summary(parts)
        self.assertEqual({k: second[k] for k in kept}, {k: first[k] for k in kept})
        self.assertEqual(second["results"], first["results"])

    def check_terminated_run(self, scene):
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.finish_scene(scene, whole, RESULTS)
        status, errors = self.interrupt(self.command(scene, parts, RESULTS), parts, rows=30)
        self.assertEqual(status, 128 + signal.SIGTERM, errors)
        self.assertEqual(self.summary(parts)["status"], "interrupted")
        self.assertIn("talus resume", errors)
        self.assertLess(self.summary(parts)["steps"], self.summary(whole)["steps"])
        done = self.talus("resume", parts, "--threads", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same_results(whole, parts)

    # Killed twice: once in the first run, once in the resumed one.
    def check_killed_run(self, scene):
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.finish_scene(scene, whole, BY_TIME)
        status, _ = self.interrupt(self.command(scene, parts, BY_TIME), parts, rows=35, number=signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        resume = [self.program, "resume", str(parts), "--threads", "1"]
        status, _ = self.interrupt(resume, parts, rows=70, number=signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        self.assertFalse((parts / "summary.json").exists())
        done = self.talus("resume", parts)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same_results(whole, parts)

    def test_settling_terminated_and_resumed_is_as_if_never_interrupted(self):
        self.check_terminated_run(SETTLE)

    def test_pouring_terminated_and_resumed_is_as_if_never_interrupted(self):
        self.check_terminated_run(POUR)

    def test_settling_killed_twice_and_resumed_is_as_if_never_interrupted(self):
        self.check_killed_run(SETTLE)

    def test_pouring_killed_twice_and_resumed_is_as_if_never_interrupted(self):
        self.check_killed_run(POUR)

    def test_chute_killed_twice_and_resumed_is_as_if_never_interrupted(self):
        self.check_killed_run(CHUTE)

    def test_sticky_grains_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(STICKY)

    def test_grains_whose_dashpots_are_held_back_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(HELD_BACK)
        self.assertGreater(self.summary(self.folder / "parts")["results"]["dashpots"]["held_steps"], 0)

    def test_rigid_grains_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(RIGID_SETTLE)

    def test_elastic_grains_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(ELASTIC_SETTLE)

    def test_glued_grains_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(GLUED_SETTLE)

    def test_squeezed_grains_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(SQUEEZE)

    def test_a_run_in_stages_killed_twice_and_resumed_is_as_if_never_interrupted(self):
        self.check_killed_run(STAGED)

    def test_confined_grains_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(CONFINED)

    def test_rigid_grains_in_a_sleeve_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(RIGID_CONFINED)

    def test_grains_of_many_shapes_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(SHAPES)

    def test_rigid_grains_of_many_shapes_killed_twice_and_resumed_are_as_if_never_interrupted(self):
        self.check_killed_run(RIGID_SHAPES)

    def test_pouring_rigid_grains_terminated_and_resumed_is_as_if_never_interrupted(self):
        self.check_terminated_run(RIGID_POUR)

    def test_a_damaged_checkpoint_gives_way_to_the_one_before(self):
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.finish_scene(SETTLE, whole, BY_TIME)
        self.interrupt(self.command(SETTLE, parts, BY_TIME), parts, rows=35, number=signal.SIGKILL)
        latest = parts / "checkpoint.h5"
        latest.write_bytes(latest.read_bytes()[:-1000])
        done = self.talus("resume", parts)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning", done.stderr)
        self.check_same_results(whole, parts)

    def test_resuming_a_finished_run_changes_nothing(self):
        out = self.folder / "out"
        before = self.finish_scene(SETTLE, out, [*BY_TIME, "run.time=4 ms"])
        series = (out / "series.csv").read_bytes()
        done = self.talus("resume", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.summary(out)["state_hash"], before["state_hash"])
        self.assertEqual((out / "series.csv").read_bytes(), series)

    # So few sweeps that most steps do not converge.
    def test_the_summary_of_a_resumed_run_covers_the_whole_of_it(self):
        whole, parts = self.folder / "whole", self.folder / "parts"
        settings = [*RESULTS, "contact_dynamics.max_iterations=5"]
        self.finish_scene(RIGID_SETTLE, whole, settings)
        self.interrupt(self.command(RIGID_SETTLE, parts, settings), parts, rows=30)
        first = self.summary(parts)
        self.assertEqual(self.talus("resume", parts).returncode, 0)
        self.check_same_results(whole, parts)
        last = self.summary(parts)
        solver = last["results"]["solver"]
        self.assertGreater(last["unconverged_steps"], first["unconverged_steps"])
        self.assertEqual(solver["steps"], last["steps"])
        self.assertEqual(sum(solver["residual_histogram"]), last["steps"])
        self.assertGreater(last["wall_seconds"], first["wall_seconds"])
        for part, seconds in first["timings"].items():
            self.assertGreater(last["timings"][part], seconds, part)

    def test_resuming_a_finished_rigid_run_keeps_what_its_solver_did(self):
        out = self.folder / "out"
        before = self.finish_scene(RIGID_SETTLE, out, RESULTS)
        series = (out / "series.csv").read_bytes()
        self.assertEqual(self.talus("resume", out).returncode, 0)
        after = self.summary(out)
        self.assertGreater(after["results"]["solver_iterations"], 0)
        self.assertEqual((after["results"], after["timings"]), (before["results"], before["timings"]))
        self.assertEqual((out / "series.csv").read_bytes(), series)

    def test_an_interrupt_ends_the_run_with_130_and_a_checkpoint_of_its_last_step(self):
        out = self.folder / "out"
        status, errors = self.interrupt(self.command(SETTLE, out, RESULTS), out, rows=20, number=signal.SIGINT)
        self.assertEqual(status, 128 + signal.SIGINT, errors)
        steps = self.summary(out)["steps"]
        done = self.talus("resume", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(self.summary(out)["steps"], steps)

    def check_endless_step(self, scene, settings):
        out = self.folder / "out"
        process = self.start(self.command(scene, out, [*RESULTS, *settings]))
        self.wait_for(lambda: self.rows(out) >= 1, process, "the first row was written")
        time.sleep(0.5)
        sent = time.monotonic()
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - sent, 10)  # a tenth of a second, on a machine that has time
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        summary = self.summary(out)
        self.assertEqual((summary["status"], summary["steps"]), ("interrupted", 0), "the step was undone")
        self.assertTrue((out / "checkpoint.h5").exists())
        shutil.rmtree(out)

    def test_a_signal_ends_increments_that_would_not_end_whatever_the_solver(self):
        for solver in ("gauss-seidel", "apgd", "interior-point", "newton"):
            self.check_endless_step(SQUEEZE, [f"contact_dynamics.solver={solver}", *ENDLESS_INCREMENTS])

    def test_a_signal_ends_sweeps_and_gradient_steps_that_would_not_end(self):
        for solver in ("gauss-seidel", "jacobi", "apgd", "spg"):
            self.check_endless_step(RIGID_SETTLE, [f"contact_dynamics.solver={solver}", *ENDLESS_SWEEPS])

    # The signal comes in the middle of an increment, which is undone.
    def test_squeezed_grains_terminated_and_resumed_are_as_if_never_interrupted(self):
        self.check_terminated_run(SQUEEZE)

    # Both signals reach the stopped process together, so that the second one surely finds the first one unanswered.
    def test_a_second_signal_stops_at_once(self):
        out = self.folder / "out"
        process = self.start(self.command(SETTLE, out, RESULTS))
        self.wait_for(lambda: self.rows(out) >= 20, process, "20 rows were written")
        start = (out / "checkpoint.h5").read_bytes()
        for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
            process.send_signal(number)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (128 + signal.SIGINT, 128 + signal.SIGTERM))
        self.assertFalse((out / "summary.json").exists())
        self.assertEqual((out / "checkpoint.h5").read_bytes(), start, "only that of the start is there")


if __name__ == "__main__":
    unittest.main()
