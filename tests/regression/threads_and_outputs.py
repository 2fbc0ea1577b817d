"""The bits of a run depend neither on the threads, nor on what is written, nor on the inner loop the machine takes."""
import json
import os
import unittest

from talus_program import QUIET, SCENES, ProgramTest

LOUD = ["output.frames=1 ms", "output.series=0.2 ms", "output.checkpoint=1.5 ms", "output.contacts=true"]


class SameBits(ProgramTest):
    def hash_of(self, scene, name, settings=(), threads=1, **options):
        summary = self.finish_scene(SCENES[scene], self.folder / name, settings, threads, **options)
        self.assertGreater(summary["contacts"], 20, "a run without contacts shows nothing")
        self.assertGreater(summary["results"]["list_rebuilds"], 1)
        return summary["state_hash"]

    def check_threads_and_outputs(self, scene):
        quiet = self.hash_of(scene, "quiet", QUIET)
        for threads in (2, 3, 4):
            self.assertEqual(self.hash_of(scene, f"on{threads}", QUIET, threads), quiet, f"{threads} threads")
        self.assertEqual(self.hash_of(scene, "loud", LOUD, 2), quiet, "with frames, rows and checkpoints")
        self.assertTrue((self.folder / "loud/checkpoint.h5").exists())
        self.assertFalse((self.folder / "quiet/checkpoint.h5").exists())

    def check_variants(self, scene):
        hashes = {}
        for wanted in ("x86-64", "avx2", "avx512"):
            out = self.folder / wanted
            value = self.hash_of(scene, wanted, QUIET, env={**os.environ, "TALUS_KERNEL": wanted})
            text = (out / "run.json").read_text()
            hashes[json.loads(text)["inner_loop"]] = value
        self.assertIn("x86-64", hashes)
        self.assertEqual(len(set(hashes.values())), 1, hashes)

    def test_settling_has_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("settle")

    def test_drum_has_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("drum")

    def test_chute_has_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("chute")

    def test_pouring_has_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("pour")

    def test_sizes_of_20_to_1_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("two sizes")

    def test_sticky_rolling_grains_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("sticky")

    def test_grains_of_many_shapes_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("shapes")

    def test_rigid_grains_of_many_shapes_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("rigid shapes")

    def test_rigid_grains_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("rigid settle")

    def test_rigid_grains_in_a_drum_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("rigid drum")

    def test_rigid_grains_on_a_chute_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("rigid chute")

    def test_elastic_grains_by_the_theta_method_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("elastic settle")

    def test_glued_grains_that_break_and_yield_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("glued settle")

    def test_squeezed_grains_in_equilibrium_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("squeeze")

    def test_a_run_in_stages_has_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("staged")

    def test_confined_grains_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("confined")

    def test_rigid_grains_in_a_sleeve_have_the_same_hash_for_all_threads_and_outputs(self):
        self.check_threads_and_outputs("rigid confined")

    def test_settling_has_the_same_hash_in_every_inner_loop(self):
        self.check_variants("settle")

    def test_chute_has_the_same_hash_in_every_inner_loop(self):
        self.check_variants("chute")

    def test_sticky_rolling_grains_have_the_same_hash_in_every_inner_loop(self):
        self.check_variants("sticky")

    def test_another_seed_gives_another_hash(self):
        one = self.hash_of("settle", "one", [*QUIET, "run.time=8 ms"])
        self.assertNotEqual(self.hash_of("settle", "two", [*QUIET, "run.time=8 ms", "seed=2"]), one)


if __name__ == "__main__":
    unittest.main()
