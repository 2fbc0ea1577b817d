"""Sweeps on a cluster: arrays of jobs for a stand-in of Slurm's commands, which runs their tasks here."""
import json
import os
import re
import signal
import unittest
from unittest import mock

import stand_in_slurm
from talus_program import QUIET, SETTLE, ProgramTest

FRICTION = "materials.glass.friction"
SHORT = [*QUIET, "run.time=3 ms"]
RESULTS = ["output.frames=0", "output.plots=false", "output.series=0.1 ms", "output.checkpoint=1 ms"]


class OnSlurm(ProgramTest):
    def setUp(self):
        super().setUp()
        commands, self.slurm = self.folder / "bin", self.folder / "slurm's own"
        commands.mkdir()
        self.slurm.mkdir()
        for name in ("sbatch", "scontrol", "squeue"):
            (commands / name).symlink_to(stand_in_slurm.__file__)
        self.enter(mock.patch.dict(os.environ, {"PATH": f"{commands}:{os.environ['PATH']}",
                                                "SLURM_STAND_IN": str(self.slurm)}))
        self.write(SETTLE)

    def enter(self, context):
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def words(self, *arguments, settings=SHORT, values="0.1,0.2,0.4", out="out"):
        return ["sweep", "scene.yaml", "-o", out, "--vary", f"{FRICTION}={values}",
                *(word for setting in settings for word in ("--set", setting)), *arguments]

    def submit(self, *arguments, **options):
        done = self.talus(*self.words("--slurm", *arguments, **options))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def variant(self, value, out="out"):
        return self.folder / out / f"friction={value}"

    def arrays(self):
        return [job["options"]["array"] for job in stand_in_slurm.jobs() if "array" in job["options"]]

    def table(self, out="out"):
        rows = json.loads((self.folder / out / "table.json").read_text())
        return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]

    def test_arrays_of_tasks_find_what_a_sweep_here_finds(self):
        done = self.talus(*self.words(out="here"))
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.slurm / "settings.json").write_text('{"MaxArraySize": 2}')
        out = "a folder's"
        said = self.submit("--partition", "long", "--account", "sand", "--time", "90min", "--cpus", "2", "--jobs", "1",
                           "--sbatch=--mem=1G", out=out).stderr
        self.assertIn("3 variants", said)
        self.assertIn("jobs 100, 101; then job 102 makes", said)
        # What the file of the scene becomes does not matter any more.
        (self.folder / "scene.yaml").unlink()
        first, second, table = (job["options"] for job in stand_in_slurm.jobs())
        self.assertEqual((first["array"], second["array"]), ("0-1%1", "0%1"))
        self.assertEqual(table["dependency"], "afterany:100:101")
        for options in (first, second, table):
            self.assertEqual([options[name] for name in ("partition", "account", "time", "mem", "ntasks")],
                             ["long", "sand", "01:30:00", "1G", "1"])
        self.assertEqual((first["cpus-per-task"], first["signal"]), ("2", "B:USR1@120"))
        self.assertIn("requeue", first)
        self.assertEqual(stand_in_slurm.run_waiting(), [0, 0, 0, 0])
        self.assertEqual(self.table(out), self.table("here"))
        self.assertEqual(self.summary(self.variant("0.2", out))["threads"], 2)
        for value in ("0.1", "0.2", "0.4"):
            self.assertEqual(self.summary(self.variant(value, out))["state_hash"],
                             self.summary(self.variant(value, "here"))["state_hash"])

    def test_the_same_command_goes_on_with_what_is_missing(self):
        self.submit()
        stand_in_slurm.run_waiting(of_each=1)
        self.assertIn("0 submitted, 2 in the queue before, 1 finished before", self.submit().stderr)
        self.assertEqual(self.arrays(), ["0-2"])
        for job in stand_in_slurm.jobs():  # scancel
            stand_in_slurm.keep({**job, "waiting": []})
        self.assertIn("2 submitted, 0 in the queue before, 1 finished before", self.submit().stderr)
        self.assertEqual(self.arrays(), ["0-2", "1-2"])
        stand_in_slurm.run_waiting()
        said = self.submit("--show", "energy_kinetic")
        self.assertIn("3 finished before", said.stderr)
        self.assertIn("energy_kinetic", said.stdout)
        self.assertEqual(self.arrays(), ["0-2", "1-2"])

    def test_a_later_table_waits_for_earlier_arrays_that_still_run(self):
        (self.slurm / "settings.json").write_text('{"MaxArraySize": 2}')
        self.submit()
        first, second, _ = stand_in_slurm.jobs()
        stand_in_slurm.keep({**second, "waiting": []})
        self.submit()
        self.assertEqual(stand_in_slurm.jobs()[-1]["options"]["dependency"], f"afterany:{first['id']}:103")

    # Sends the signal when 30 rows have been written, the first time that this variant runs.
    def after_30_rows(self, send):
        def meanwhile(process, job, index):
            if index == 0 and not (self.variant("0.1") / "summary.json").exists():
                self.wait_for(lambda: self.rows(self.variant("0.1")) >= 30, process, "30 rows were written")
                send(process)
        return meanwhile

    def test_a_task_goes_back_into_the_queue_before_its_limit_and_on_with_the_same_bits(self):
        self.finish_scene(SETTLE, self.folder / "alone", [*RESULTS, f"{FRICTION}=0.1"])
        self.submit(settings=RESULTS, values="0.1")
        stand_in_slurm.run_waiting(meanwhile=self.after_30_rows(lambda process: process.send_signal(signal.SIGUSR1)))
        self.assertEqual(self.summary(self.variant("0.1"))["status"], "interrupted")
        self.assertEqual(self.table()[0]["status"], "interrupted")
        self.assertIn("0 submitted, 1 in the queue", self.submit(settings=RESULTS, values="0.1").stderr)
        self.assertEqual(stand_in_slurm.run_waiting(), [0])
        self.assertEqual(self.summary(self.variant("0.1"))["state_hash"],
                         self.summary(self.folder / "alone")["state_hash"])
        self.assertEqual((self.variant("0.1") / "series.csv").read_bytes(),
                         (self.folder / "alone/series.csv").read_bytes())

    def test_a_task_that_is_cancelled_writes_its_checkpoint_and_does_not_come_back(self):
        self.submit(settings=RESULTS, values="0.1")
        stop = self.after_30_rows(lambda process: os.killpg(process.pid, signal.SIGTERM))
        self.assertEqual(stand_in_slurm.run_waiting(meanwhile=stop), [128 + signal.SIGTERM, 1])
        self.assertEqual(self.summary(self.variant("0.1"))["status"], "interrupted")
        self.assertEqual([job["waiting"] for job in stand_in_slurm.jobs()], [[], []])
        self.assertIn("1 submitted", self.submit(settings=RESULTS, values="0.1").stderr)
        stand_in_slurm.run_waiting()
        self.assertIn("resuming", (self.variant("0.1") / "run.log").read_text())
        self.assertEqual(self.table()[0]["status"], "finished")

    def test_the_table_tells_what_failed_and_what_was_killed(self):
        self.submit(settings=RESULTS, values="0.1")
        stand_in_slurm.run_waiting(meanwhile=self.after_30_rows(lambda process: os.killpg(process.pid, signal.SIGKILL)))
        self.assertEqual(self.table()[0]["status"], "unfinished")
        self.talus("sweep", "scene.yaml", "-o", "steps", "--slurm", "--vary", "run.step=0.5 ms",
                   "--set", "run.time=5 ms", *(word for setting in QUIET for word in ("--set", setting)))
        self.assertEqual(stand_in_slurm.run_waiting(), [2, 1])
        self.assertEqual(self.table("steps")[0]["status"], "failed")
        self.assertIn("run.step", self.table("steps")[0]["message"])

    def test_a_dry_run_prints_the_scripts_and_leaves_nothing(self):
        for path in (os.environ["PATH"], str(self.slurm)):
            said = self.talus(*self.words("--slurm", "--dry-run", "--time", "1-12", out="it's"),
                              env={**os.environ, "PATH": path})
            self.assertEqual(said.returncode, 0, said.stderr)
            for text in ("#SBATCH --time=1-12:00:00", "#SBATCH --requeue", "scontrol requeue", "--array=0-2",
                         "--dependency=afterany:JOB1", "'\\''"):
                self.assertIn(text, said.stdout)
        self.assertEqual(stand_in_slurm.jobs(), [])
        self.assertFalse((self.folder / "it's").exists())

    def test_a_machine_without_slurm_is_told_before_anything_is_written(self):
        done = self.talus(*self.words("--slurm"), env={**os.environ, "PATH": str(self.slurm)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no scontrol here", done.stderr)
        self.assertIn("--dry-run", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_what_slurm_refuses_is_told_and_the_same_command_submits_the_rest(self):
        (self.slurm / "settings.json").write_text('{"MaxArraySize": 2, "refuse_after": 1}')
        done = self.talus(*self.words("--slurm"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("QOS policy", done.stderr)
        self.assertIn("submitted before that: 100", done.stderr)
        (self.slurm / "settings.json").write_text('{"MaxArraySize": 2}')
        self.assertIn("1 submitted, 2 in the queue", self.submit().stderr)
        self.assertEqual(stand_in_slurm.run_waiting(), [0, 0, 0, 0])
        self.assertEqual([row["status"] for row in self.table()], ["finished"] * 3)

    def test_arrays_that_are_switched_off_are_told(self):
        (self.slurm / "settings.json").write_text('{"MaxArraySize": 0}')
        done = self.talus(*self.words("--slurm"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("--prepare", done.stderr)

    def test_wrong_times_and_options_are_told_before_anything_is_submitted(self):
        for words, reason in ((["--slurm", "--time", "30"], "give a unit"), (["--slurm", "--time", "1:2:3:4"], "6:00:00"),
                              (["--slurm", "--time", "2 mm"], "--time 2 mm"), (["--partition", "long"], "--slurm"),
                              (["--slurm", "--sbatch=mem"], "--sbatch mem"),
                              (["--slurm", "--account", "a\nrm"], "one line")):
            done = self.talus(*self.words(*words))
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(reason, done.stderr)
            self.assertFalse((self.folder / "out").exists())

    def test_a_prepared_sweep_is_run_task_by_task_by_any_scheduler(self):
        done = self.talus(*self.words("--prepare"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(re.findall(r"--task NUMBER', (\d+) to (\d+)", done.stderr), [("0", "2")])
        for number in (2, 0):
            self.assertEqual(self.talus("sweep", "-o", "out", "--task", number).returncode, 0)
        done = self.talus("sweep", "-o", "out", "--table")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([row["status"] for row in self.table()], ["finished", "not run", "finished"])
        for words, reason in ((["-o", "out", "--task", 3], "from 0 to 2"), (["--task", 1], "-o DIR"),
                              (["-o", "nowhere", "--task", 1], "holds no sweep")):
            done = self.talus("sweep", *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    unittest.main()
