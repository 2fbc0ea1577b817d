"""Started by mpirun or srun, several copies of a run do not fight for one folder."""
import os
import shutil
import subprocess
import unittest

from talus_program import QUIET, SETTLE, ProgramTest

SHORT = [*QUIET, "run.time=1 ms"]
STARTED = {"OMPI_COMM_WORLD": ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), "PMI": ("PMI_SIZE", "PMI_RANK"),
           "SLURM": ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID")}
ALL = {variable for pair in STARTED.values() for variable in pair}


class StartedAsRanks(ProgramTest):
    def environment(self, **variables):
        return {**{name: value for name, value in os.environ.items() if name not in ALL}, **variables}

    def start_as(self, environment, *more):
        return self.run_scene(SETTLE, self.folder / "out", SHORT, more=more, env=environment)

    def test_a_run_in_several_ranks_is_refused_by_the_first_of_them_before_anything_is_written(self):
        for size, rank in STARTED.values():
            for number in (0, 2):
                done = self.start_as(self.environment(**{size: "4", rank: str(number)}))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertFalse((self.folder / "out").exists())
                if number > 0:
                    self.assertEqual(done.stderr, "")
                    continue
                for text in (size, "started 4 times", "--threads", "talus sweep --slurm", "--alone"):
                    self.assertIn(text, done.stderr)

    def test_one_rank_and_the_script_of_a_job_run_as_ever(self):
        for variables in ({"OMPI_COMM_WORLD_SIZE": "1", "SLURM_STEP_NUM_TASKS": "4"}, {"SLURM_STEP_NUM_TASKS": "1"},
                          {"SLURM_NTASKS": "4", "SLURM_PROCID": "0"}):
            done = self.start_as(self.environment(**variables), "--overwrite")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_resume_and_sweep_are_refused_too_and_runs_of_their_own_are_not(self):
        ranks = self.environment(PMI_SIZE="2", PMI_RANK="0")
        self.assertEqual(self.start_as(ranks, "--alone").returncode, 0)
        for command in (["resume", "out"], ["sweep", "scene.yaml", "-o", "swept", "--vary", "seed=1,2"]):
            done = self.talus(*command, env=ranks)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("started 2 times", done.stderr)
        self.assertFalse((self.folder / "swept").exists())

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun here")
    def test_mpirun_says_it_once_and_ends_with_a_status(self):
        words = ["mpirun", "--oversubscribe", "-np", "3", *self.command(SETTLE, self.folder / "out", SHORT)]
        environment = self.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        done = subprocess.run(words, capture_output=True, text=True, timeout=100, env=environment)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("started 3 times at once"), 1, done.stderr)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
