"""A message that nobody can read never ends a run; results that nobody can read are an error."""
import os
import resource
import signal
import stat
import subprocess
import time
import unittest

from talus_program import SETTLE, ProgramTest

BRIEF = ["run.time=3 ms", "output.frames=0", "output.plots=false"]
LONG = ["run.time=1000 s", "output.series=0.1 ms", "output.frames=0", "output.plots=false"]


class Messages(ProgramTest):
    def run_with(self, stderr, prepare=None):
        """Runs a scene whose messages go there; returns (status, summary)."""
        out = self.folder / "out"
        command = self.command(SETTLE, out, BRIEF, more=["--overwrite"])
        status = subprocess.run(command, stderr=stderr, stdout=stderr, preexec_fn=prepare, timeout=100,
                                cwd=self.folder, check=False).returncode
        return status, self.summary(out)

    def check_finished(self, *arguments):
        status, summary = self.run_with(*arguments)
        self.assertEqual((status, summary["status"]), (0, "finished"))
        return summary

    def test_a_full_disk_under_the_log_does_not_end_a_run(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.check_finished(full)

    def test_a_pipe_that_nobody_reads_does_not_end_a_run(self):
        reading, writing = os.pipe()
        os.close(reading)
        self.addCleanup(os.close, writing)
        self.check_finished(writing)

    # Without care the first file that is opened gets the number of the stream, and with it the messages.
    def test_closed_streams_do_not_end_a_run_and_no_file_gets_what_is_said(self):
        whole = self.check_finished(subprocess.DEVNULL)
        series = (self.folder / "out" / "series.csv").read_bytes()

        def close_all():
            for stream in (0, 1, 2):
                os.close(stream)

        self.assertEqual(self.check_finished(None, close_all)["state_hash"], whole["state_hash"])
        self.assertEqual((self.folder / "out" / "series.csv").read_bytes(), series)

    def test_a_limit_on_the_size_of_files_is_an_error_that_leaves_a_summary(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        out = self.folder / "out"
        done = self.run_scene(SETTLE, out, ["output.frames=0", "output.plots=false", "output.series=0.01 ms"],
                              preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(self.summary(out)["status"], "failed")


class Results(ProgramTest):
    def commands(self):
        scene = str(self.write(SETTLE))
        return [["validate", scene], ["--help"], ["run", "--help"], ["--version"], ["schema"], ["reference"], ["examples"],
                ["examples", "settle"], ["grains", "--generate", "2", "--json"], ["reproduce", "--list"]]

    def status(self, command, stdout, prepare=None):
        done = subprocess.run([self.program, *command], stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=100,
                              cwd=self.folder, preexec_fn=prepare, check=False)
        return done.returncode, done.stderr

    def test_that_do_not_arrive_are_an_error(self):
        for command in self.commands():
            with open("/dev/full", "w", encoding="utf-8") as full:
                status, errors = self.status(command, full)
            self.assertEqual(status, 1, command)
            self.assertIn("standard output: No space left on device", errors)
            reading, writing = os.pipe()
            os.close(reading)
            status, errors = self.status(command, writing)
            os.close(writing)
            self.assertEqual(status, 1, command)
            self.assertIn("standard output: Broken pipe", errors)
            self.assertEqual(self.status(command, None, lambda: os.close(1))[0], 1, command)

    def test_that_arrive_are_not(self):
        for command in self.commands():
            self.assertEqual(self.status(command, subprocess.DEVNULL)[0], 0, command)


class Limits(ProgramTest):
    def test_a_hangup_ends_a_run_like_a_termination_however_often_it_comes(self):
        out = self.folder / "out"
        process = self.start(self.command(SETTLE, out, LONG))
        self.wait_for(lambda: self.rows(out) >= 20, process, "20 rows were written")
        for number in (signal.SIGSTOP, signal.SIGHUP, signal.SIGTERM, signal.SIGCONT):
            process.send_signal(number)
        process.send_signal(signal.SIGHUP)
        _, errors = process.communicate(timeout=60)
        self.assertIn(process.returncode, (128 + signal.SIGHUP, 128 + signal.SIGTERM), errors)
        self.assertEqual(self.summary(out)["status"], "interrupted")
        self.assertTrue((out / "checkpoint.h5").exists())

    def test_nohup_keeps_a_hangup_away(self):
        out = self.folder / "out"
        command = self.command(SETTLE, out, LONG)
        process = self.start(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command])
        self.wait_for(lambda: self.rows(out) >= 20, process, "20 rows were written")
        process.send_signal(signal.SIGHUP)
        rows = self.rows(out)
        self.wait_for(lambda: self.rows(out) >= rows + 20, process, "20 more rows were written")

    def test_the_limit_of_wall_clock_time_interrupts_a_run_and_a_resumed_one(self):
        out = self.folder / "out"
        steps = 0
        for command in (self.command(SETTLE, out, LONG, more=["--max-time", "0.5 s"]),
                        [self.program, "resume", str(out), "--max-time", "500ms"]):
            done = self.talus(*command[1:])
            self.assertEqual(done.returncode, 128 + signal.SIGTERM, done.stderr)
            summary = self.summary(out)
            self.assertEqual(summary["status"], "interrupted")
            self.assertIn("interrupted by the limit of its wall-clock time", summary["message"])
            self.assertIn("talus resume", done.stderr)
            self.assertGreater(summary["steps"], steps)
            steps = summary["steps"]

    def test_the_limit_reaches_a_step_that_does_not_end(self):
        out = self.folder / "out"
        settings = [*LONG, "method=contact-dynamics", "contact_dynamics.fixed_iterations=1000000000"]
        done = self.run_scene(SETTLE, out, settings, more=["--max-time", "1"])
        self.assertEqual(done.returncode, 128 + signal.SIGTERM, done.stderr)
        self.assertEqual((self.summary(out)["status"], self.summary(out)["steps"]), ("interrupted", 0))

    def test_a_limit_that_is_not_reached_changes_nothing(self):
        free = self.finish_scene(SETTLE, self.folder / "free", BRIEF)
        done = self.run_scene(SETTLE, self.folder / "bound", BRIEF, more=["--max-time", "2h"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.summary(self.folder / "bound")["state_hash"], free["state_hash"])

    def test_limits_that_are_no_times_are_refused(self):
        for text, word in (("2 m", "is a length"), ("soon", "not a number"), ("0", "more than 0"), ("-1 h", "more than 0")):
            done = self.run_scene(SETTLE, self.folder / "out", BRIEF, more=[f"--max-time={text}"])
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("--max-time", done.stderr)
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "out").exists())


class Plots(ProgramTest):
    PLOTTED = ["run.time=1 ms", "output.frames=0"]

    def check_plots_missing(self, done, reason):
        out = self.folder / "out"
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: plots are missing", done.stderr)
        self.assertIn(reason, done.stderr)
        self.assertEqual(self.summary(out)["status"], "finished")
        self.assertTrue(any("plots are missing" in w for w in self.summary(out)["results"]["warnings"]))

    def test_a_run_without_gnuplot_finishes_and_says_that_plots_are_missing(self):
        bare = {**os.environ, "PATH": str(self.folder)}
        self.check_plots_missing(self.run_scene(SETTLE, self.folder / "out", self.PLOTTED, env=bare), "gnuplot-nox")

    def slow_gnuplot(self):
        program = self.write("#!/bin/sh\ntouch begun\nexec sleep 30\n", "gnuplot")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}

    def test_a_signal_during_plotting_ends_the_drawing_and_the_run_has_finished(self):
        out = self.folder / "out"
        process = subprocess.Popen(self.command(SETTLE, out, self.PLOTTED), stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder, env=self.slow_gnuplot())
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.wait_for(lambda: (out / "begun").exists(), process, "gnuplot was started")
        sent = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        self.assertLess(time.monotonic() - sent, 10)  # a tenth of a second, on a machine that has time
        self.check_plots_missing(subprocess.CompletedProcess([], process.returncode, "", process.stderr.read()),
                                 "asked to stop")


if __name__ == "__main__":
    unittest.main()
