"""Bad input is told with its place and changes nothing; the commands do what their help says."""
import json
import pathlib
import shutil
import unittest

from talus_program import GLASS, SETTLE, ProgramTest

PROBLEMS = pathlib.Path(__file__).resolve().parent.parent / "problems" / "data"
BRIEF = ["run.time=1 ms", "output.frames=0", "output.plots=false"]


class BadInput(ProgramTest):
    def check_refused(self, text, *words, settings=()):
        out = self.folder / "out"
        done = self.run_scene(text, out, settings)
        self.assertEqual(done.returncode, 2, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse(out.exists(), "a refused scene leaves nothing behind")

    def test_an_unknown_key_is_told_with_line_path_and_the_likely_word(self):
        text = GLASS + "bodies:\n  - shape: sphere\n    radiu: 1 mm\n    position: [0, 0, 0]\nrun: {time: 1}\n"
        self.check_refused(text, "scene.yaml:4", "bodies[0]", "radiu", "did you mean 'radius'")

    def test_a_wrong_dimension_is_told_with_line_path_and_value(self):
        text = SETTLE.replace("run: {time: 20 ms}", "run: {time: 20 mm}")
        self.check_refused(text, "scene.yaml:11", "run.time", "20 mm", "time")

    def test_a_number_that_is_none_is_refused(self):
        self.check_refused(SETTLE.replace("velocity: [0, 0, -0.5]", "velocity: [0, 0, .nan]"), "scene.yaml:9", "velocity")

    def test_a_negative_radius_is_refused(self):
        text = GLASS + "bodies: [{shape: sphere, radius: -1 mm, position: [0, 0, 0]}]\nrun: {time: 1}\n"
        self.check_refused(text, "scene.yaml:2", "bodies[0].radius", "-0.001 m")

    def test_an_unknown_material_is_refused_with_the_likely_one(self):
        text = GLASS + "bodies: [{shape: sphere, radius: 1 mm, position: [0, 0, 0], material: glas}]\nrun: {time: 1}\n"
        self.check_refused(text, "scene.yaml:2", "bodies[0].material", "did you mean 'glass'")

    def test_broken_yaml_is_told_with_its_line(self):
        self.check_refused("materials: {glass: {}}\nbodies: [\n", "scene.yaml:")

    def test_an_empty_file_is_refused(self):
        self.check_refused("", "scene.yaml")

    def test_a_bad_override_is_told_as_such(self):
        self.check_refused(SETTLE, "run.tine", "did you mean", settings=["run.tine=1 s"])
        self.check_refused(SETTLE, "run.time", "--set", settings=["run.time=1 m"])

    def test_a_scene_that_is_not_there_is_told_by_name(self):
        done = self.talus("run", self.folder / "nowhere.yaml", "-o", self.folder / "out")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("nowhere.yaml", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_folder_without_a_run_cannot_be_resumed(self):
        done = self.talus("resume", self.folder)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("checkpoint", done.stderr)


class Commands(ProgramTest):
    def test_results_are_replaced_only_on_demand(self):
        out = self.folder / "out"
        first = self.finish_scene(SETTLE, out, BRIEF)
        again = self.run_scene(SETTLE, out, [*BRIEF, "seed=2"])
        self.assertEqual(again.returncode, 2, again.stderr)
        self.assertIn("--overwrite", again.stderr)
        self.assertIn("talus resume", again.stderr)
        self.assertEqual(self.summary(out), first)
        forced = self.run_scene(SETTLE, out, [*BRIEF, "seed=2"], more=["--overwrite"])
        self.assertEqual(forced.returncode, 0, forced.stderr)
        self.assertNotEqual(self.summary(out)["state_hash"], first["state_hash"])

    def test_without_a_folder_results_go_to_one_that_is_free(self):
        scene = self.write(SETTLE, "beads.yaml")
        for folder in ("out/beads", "out/beads-2"):
            done = self.talus("run", scene, *[word for setting in BRIEF for word in ("--set", setting)])
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.summary(self.folder / folder)["status"], "finished")

    def test_overrides_change_the_run_and_are_written_down(self):
        out = self.folder / "out"
        settings = [*BRIEF, "bodies[1].count=50", "materials.glass.friction=0.1"]
        self.assertEqual(self.finish_scene(SETTLE, out, settings)["bodies"], 51)
        scene = json.loads((out / "run.json").read_text())["scene"]
        self.assertEqual(scene["materials"]["glass"]["friction"], 0.1)

    def test_the_effective_scene_is_valid_complete_and_gives_the_same_run(self):
        first = self.talus("validate", self.write(SETTLE))
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("max_overlap", first.stdout)
        second = self.talus("validate", self.write(first.stdout, "effective.yaml"))
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertEqual(second.stdout, first.stdout)
        written = self.finish_scene(first.stdout, self.folder / "effective", BRIEF)
        self.assertEqual(self.finish_scene(SETTLE, self.folder / "scene", BRIEF)["state_hash"], written["state_hash"])

    def test_keys_of_the_other_method_are_noted_and_the_scene_runs_both_ways(self):
        keys = ["contact_dynamics.solver=apgd", "output.problems=1 ms"]
        for method, notes in (("penalty", 2), ("contact-dynamics", 0)):
            settings = [*BRIEF, *keys, f"method={method}"]
            done = self.run_scene(SETTLE, self.folder / method, settings)
            self.assertEqual((done.returncode, done.stderr.count("note: ")), (0, notes), done.stderr)
            valid = self.talus("validate", self.write(SETTLE), *[w for s in settings for w in ("--set", s)])
            self.assertEqual((valid.returncode, valid.stderr.count("note: ")), (0, notes), valid.stderr)
            self.assertEqual((self.folder / method / "problems").exists(), method == "contact-dynamics")

    def test_validating_writes_nothing(self):
        scene = self.write(SETTLE)
        self.talus("validate", scene)
        self.assertEqual(list(self.folder.iterdir()), [scene])

    def test_every_file_of_a_run_is_there(self):
        out = self.folder / "out"
        self.finish_scene(SETTLE, out, ["run.time=2 ms", "output.frames=1 ms", "output.plots=false"])
        for name in ("run.json", "summary.json", "series.csv", "frames.pvd", "checkpoint.h5"):
            self.assertGreater((out / name).stat().st_size, 0, name)
        named = ("status", "time", "steps", "wall_seconds", "threads", "state_hash", "bodies", "contacts",
                 "max_overlap", "unconverged_steps")
        self.assertEqual([n for n in named if n not in self.summary(out)], [])

    def test_a_packing_that_few_sweeps_make_soft_is_told(self):
        chain = GLASS + """
method: contact-dynamics
planar: xz
contact_dynamics: {stabilisation: quasi-inelastic, tolerance: 1e-6}
bodies:
  - {shape: plane}
  - {generate: lattice, lattice: sc, radius: 5 mm, count: [1, 1, 20]}
run: {time: 0.3 s, step: 1 ms}
output: {frames: 0, plots: false}
"""
        for sweeps, soft in ((4, True), (0, False)):
            out = self.folder / str(sweeps)
            done = self.run_scene(chain, out, [f"contact_dynamics.fixed_iterations={sweeps}"])
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("this packing is soft" in done.stderr, soft, done.stderr)
            rigidity = self.summary(out)["results"]["rigidity"]
            self.assertEqual((rigidity["soft"], rigidity["relative_shrinkage"] > 1e-3, rigidity["advice"] != ""), (soft,) * 3)

    def test_steps_above_the_tolerance_are_a_warning_in_the_summary(self):
        for iterations, warned in ((3, True), (1000, False)):
            out = self.folder / str(iterations)
            settings = [f"contact_dynamics.max_iterations={iterations}", "contact_dynamics.forces=solver",
                        "contact_dynamics.tolerance=1e-6", "bodies[0].fixed_base=false", "output.frames=0", "output.plots=false"]
            warnings = self.finish_scene(PYRAMID + "gravity: [0, 0, -9.81]\n", out, settings)["results"]["warnings"]
            self.assertEqual(any("above the tolerance" in w for w in warnings), warned, warnings)

    def test_unknown_commands_and_options_are_refused(self):
        for words in (["rum"], ["run"], ["run", "--fast", "scene.yaml"], []):
            self.assertEqual(self.talus(*words).returncode, 2, words)

    def test_help_and_version_succeed(self):
        for words in (["--help"], ["run", "--help"], ["--version"]):
            self.assertEqual(self.talus(*words).returncode, 0, words)


PYRAMID = """
method: contact-dynamics
contact_dynamics: {forces: compatible}
contact_law: {normal: hertz, tangential: none}
materials: {glass: {density: 2500, youngs_modulus: 1 GPa, restitution: 0}}
bodies: [{generate: pyramid, base: 4, radius: 1 cm, fixed_base: true}]
run: {time: 3 ms, step: 1 ms}
"""


class CompatibleForces(ProgramTest):
    def setUp(self):
        super().setUp()
        settings = ["output.frames=0", "output.plots=false", "output.problems=1 ms"]
        self.run_summary = self.finish_scene(PYRAMID, self.folder / "run", settings)
        self.problem = sorted((self.folder / "run" / "problems").glob("*.hdf5"))[0]

    def solve(self, *words):
        return self.talus("solve", self.problem, "--forces", "compatible", "--json", *words)

    def test_a_scene_with_compatible_forces_tells_what_they_took(self):
        self.assertEqual(self.run_summary["unconverged_steps"], 0)
        self.assertGreater(self.run_summary["timings"]["compatible"], 0)
        self.assertLess(self.run_summary["results"]["solver"]["worst_residual"], 1e-10)

    def test_saved_problems_get_compatible_forces_of_any_stiffness(self):
        contacts = json.loads(self.solve().stdout)[0]["contacts"]
        stiffness = self.write("# k\n" + "".join(f"{1 + i % 3}\n" for i in range(contacts)), "k.txt")
        for words in ([], ["--power", "2.5"], ["--stiffness", stiffness, "--solver", "gauss-seidel", "--tol", "1e-3"]):
            done = self.solve(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            result = json.loads(done.stdout)[0]
            found = (result["forces"], result["form"], result["status"])
            self.assertEqual(found, ("compatible", "two-step", "converged"))
            self.assertLess(result["residual"], 1e-10)

    def test_stiffnesses_and_powers_that_cannot_be_are_refused(self):
        for text, word in (("1\n2\n", "2 stiffnesses for"), ("1\n-1\n", "k.txt:2"), ("1\nstiff\n", "k.txt:2")):
            done = self.solve("--stiffness", self.write(text, "k.txt"))
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(word, done.stderr)
        done = self.solve("--power", "1")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("power", done.stderr)
        self.assertIn("nowhere.txt", self.solve("--stiffness", self.folder / "nowhere.txt").stderr)


class Solving(ProgramTest):
    def problem(self, start):
        return next(PROBLEMS.glob(f"{start}*.hdf5"))

    def test_compatible_forces_with_friction_come_in_one_step_or_not_at_all(self):
        for start, forces in (("OneObject", "compatible"), ("Capsules", "solver")):
            done = self.talus("solve", self.problem(start), "--forces", "compatible", "--json")
            result = json.loads(done.stdout)[0]
            self.assertEqual((result["forces"], result["form"]), (forces, "one-step"))
            self.assertEqual(result["status"] == "converged", forces == "compatible")

    def test_a_problem_is_solved_by_every_solver_to_the_same_tolerance(self):
        done = self.talus("solve", self.problem("NESpheres"), "--solver", "all", "--tol", "1e-4", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads(done.stdout)
        self.assertGreaterEqual({r["solver"] for r in results}, {"gauss-seidel", "apgd"})
        for r in results:
            self.assertEqual((r["status"], r["friction_law"], r["contacts"]), ("converged", "coulomb", 44))
            self.assertLessEqual(r["residual"], 1e-4)
            self.assertGreater(r["iterations"], 0)
            self.assertGreater(r["seconds"], 0)
            self.assertEqual(r["file"], str(self.problem("NESpheres")))

    def test_a_folder_of_problems_is_solved_in_order(self):
        for name in ("OneObject", "BoxesStack1", "NESpheres"):
            shutil.copy(self.problem(name), self.folder)
        done = self.talus("solve", self.folder, "--tol", "1e-3")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [line.split()[0] for line in done.stdout.splitlines()[1:]]
        self.assertEqual(names, sorted(p.name for p in self.folder.glob("*.hdf5")))

    def test_both_friction_laws_are_known_by_name(self):
        for law in ("coulomb", "associated"):
            done = self.talus("solve", self.problem("NESpheres"), "--friction-law", law, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)[0]["friction_law"], law)
        self.assertEqual(self.talus("solve", self.problem("NESpheres"), "--friction-law", "none").returncode, 2)

    def test_a_solver_is_chosen_unless_one_is_named(self):
        for words, solver, used in (([], "auto", "apgd"), (["--solver", "gauss-seidel"], "gauss-seidel", "gauss-seidel")):
            done = self.talus("solve", self.problem("NESpheres"), "--tolerance", "1e-4", "--json", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual([(r["solver"], r["used"]) for r in json.loads(done.stdout)], [(solver, used)])

    def test_a_solution_is_written_into_a_copy_that_can_be_solved_again(self):
        original, out = self.problem("Capsules"), self.folder / "solved.hdf5"
        before = original.read_bytes()
        done = self.talus("solve", original, "--tol", "1e-2", "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(original.read_bytes(), before)
        self.assertEqual(list(self.folder.iterdir()), [out])
        again = self.talus("solve", out, "--tol", "1e-2", "-o", self.folder / "again.hdf5")
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_a_solution_replaces_neither_its_problem_nor_another_file_unless_told(self):
        original, other = self.problem("OneObject"), self.write("a text", "other.hdf5")
        copy = self.folder / "copy.hdf5"
        copy.write_bytes(original.read_bytes())
        for out in (copy, other, self.folder / "nowhere" / "out.hdf5"):
            done = self.talus("solve", copy, "-o", out)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("output:", done.stderr)
        self.assertEqual(self.talus("solve", copy, "-o", copy, "--overwrite").returncode, 2)
        self.assertEqual(copy.read_bytes(), original.read_bytes())
        self.assertEqual(self.talus("solve", copy, "-o", other, "--overwrite").returncode, 0)

    def test_a_solve_that_does_not_converge_is_told_by_the_exit_status(self):
        # What the interior-point method leaves that early is no answer: as many sweeps follow.
        for solver, iterations in (("gauss-seidel", 3), ("interior-point", 6)):
            done = self.talus("solve", self.problem("Capsules"), "--tol", "1e-9", "--max-iterations", "3",
                              "--solver", solver, "--json")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("did not converge", done.stderr)
            result = json.loads(done.stdout)[0]
            self.assertEqual((result["status"], result["iterations"]), ("iteration limit", iterations))
            self.assertGreater(result["residual"], 1e-9)

    def test_damaged_and_missing_files_are_told_by_name(self):
        damaged = self.folder / "damaged.hdf5"
        damaged.write_bytes(self.problem("OneObject").read_bytes()[:20000])
        for file in (damaged, self.folder / "nowhere.hdf5", self.write("a text", "text.hdf5")):
            done = self.talus("solve", file, "-o", self.folder / "out.hdf5")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(file.name, done.stderr)
        self.assertFalse((self.folder / "out.hdf5").exists())
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("no *.hdf5", self.talus("solve", empty).stderr)

    def test_a_bad_file_in_a_folder_is_told_before_anything_is_solved(self):
        shutil.copy(self.problem("OneObject"), self.folder)
        self.write("a text", "text.hdf5")
        done = self.talus("solve", self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("text.hdf5", done.stderr)

    def test_wrong_options_are_refused_with_what_is_allowed(self):
        file = self.problem("OneObject")
        wrong = self.talus("solve", file, "--solver", "gaus-seidel")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean 'gauss-seidel'", wrong.stderr)
        two = self.talus("solve", file, self.problem("NESpheres"), "-o", self.folder / "out.hdf5")
        self.assertEqual(two.returncode, 2)
        self.assertIn("one problem", two.stderr)
        for words in (["--power", "2"], ["--stiffness", "k.txt"]):
            springs = self.talus("solve", file, *words)
            self.assertEqual(springs.returncode, 2)
            self.assertIn(words[0][2:], springs.stderr)
            self.assertIn("--forces compatible", springs.stderr)
        for words in (["--tol", "-1"], ["--time-limit", "0"], []):
            self.assertEqual(self.talus("solve", *([file, *words] if words else [])).returncode, 2, words)


if __name__ == "__main__":
    unittest.main()
