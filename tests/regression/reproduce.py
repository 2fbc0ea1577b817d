"""The experiments of papers run through the program: quick versions, their JSON, their files, the exit status."""
import base64
import json
import re
import unittest

from talus_program import ProgramTest


class Reproduce(ProgramTest):
    def run_quick(self, name):
        """Runs the quick version, which must hold; returns its result."""
        done = self.talus("reproduce", name, "--scale", "quick", "--json", "-o", "out")
        results = json.loads(done.stdout)
        self.assertEqual([r["id"] for r in results], [name])
        result = results[0]
        fails = [row for row in result["rows"] if not row["pass"]]
        self.assertEqual((result["error"], fails), ("", []))
        self.assertTrue(result["pass"] and result["rows"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(result["scale"], "quick")
        for row in result["rows"]:
            self.assertLessEqual({"quantity", "paper", "talus", "tolerance", "pass"}, row.keys())
        folder = self.folder / "out" / name
        self.assertEqual(json.loads((folder / "result.json").read_text()), result)
        self.assertTrue(list(folder.glob("*.csv")))
        self.assertEqual(result["notes"], [])
        self.assertTrue(result["plots"])
        for plot in result["plots"]:
            self.assertEqual((folder / plot).read_bytes()[:4], b"\x89PNG")
        return result

    def put_a_file_at(self, name):
        """Where a folder is wanted, so that it cannot be made."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        self.write("a file", name)

    def test_the_chain_rings_as_theory_says(self):
        self.run_quick("unger2002/chain")

    def test_the_packing_rings_with_the_powers_of_the_sweeps(self):
        self.run_quick("unger2002/packing")

    def test_the_beam_rests_on_its_supports_as_springs_would(self):
        self.run_quick("olsen2018/beam")

    def test_the_pyramid_has_the_forces_of_the_penalty_method(self):
        self.run_quick("olsen2018/pyramid")

    def test_the_wave_keeps_its_energy_to_a_millionth(self):
        self.run_quick("pazouki2017/wave")

    def test_a_page_has_paper_beside_talus_and_the_plots_in_one_file(self):
        done = self.talus("reproduce", "olsen2018/beam", "--scale", "quick", "--json", "-o", "out", "--report", "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)[0]
        page = (self.folder / "page.html").read_text()
        for row in result["rows"]:
            self.assertIn(f"<td class=\"number\">{row['talus']:.5g}</td>", page)
        self.assertEqual(page.count('class="good">holds'), len(result["rows"]))
        pictures = re.findall(r'src="data:image/png;base64,([^"]*)"', page)
        plots = [(self.folder / "out" / "olsen2018" / "beam" / name).read_bytes() for name in result["plots"]]
        self.assertEqual([base64.b64decode(picture) for picture in pictures], plots)
        self.assertNotIn("<script", page)
        self.assertNotRegex(page, r'(src|href)="https?:')

    def test_the_list_names_every_experiment(self):
        done = self.talus("reproduce", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("olsen2018/beam", "olsen2018/pyramid", "pazouki2017/cone", "pazouki2017/hopper",
                     "pazouki2017/wave", "unger2002/chain", "unger2002/packing"):
            self.assertIn(name, done.stdout)

    def test_the_list_for_programs_has_the_recorded_seconds(self):
        done = self.talus("reproduce", "--list", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = {e["id"]: e for e in json.loads(done.stdout)}
        self.assertLessEqual({"olsen2018/beam", "unger2002/chain"}, listed.keys())
        for entry in listed.values():
            self.assertEqual(entry.keys(), {"id", "paper", "title", "quick_seconds", "paper_seconds"})
            self.assertGreater(entry["quick_seconds"], 0)

    def test_folders_that_cannot_be_written_are_the_errors_of_their_experiments(self):
        self.put_a_file_at("out/olsen2018")
        done = self.talus("reproduce", "olsen2018", "--scale", "quick", "--json", "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        results = json.loads(done.stdout)
        self.assertEqual([r["id"] for r in results], ["olsen2018/beam", "olsen2018/pyramid"])
        for result in results:
            self.assertFalse(result["pass"])
            self.assertIn("out/olsen2018", result["error"])

    def test_one_folder_that_cannot_be_written_leaves_the_others_their_results(self):
        self.put_a_file_at("out/olsen2018/pyramid")
        done = self.talus("reproduce", "olsen2018", "--scale", "quick", "--json", "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([(r["pass"], r["error"] == "") for r in json.loads(done.stdout)], [(True, True), (False, False)])

    def test_a_record_that_cannot_be_kept_is_told_before_the_run(self):
        self.put_a_file_at("kept")
        done = self.talus("reproduce", "olsen2018/beam", "--scale", "quick", "-o", "out", "--record", "kept")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("kept", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_an_unknown_experiment_is_told_with_the_likely_one(self):
        done = self.talus("reproduce", "unger2002/chian")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'unger2002/chain'", done.stderr)

    def test_an_unknown_scale_is_refused(self):
        for words in (["unger2002/chain"], ["--list"]):
            done = self.talus("reproduce", *words, "--scale", "qick")
            self.assertEqual(done.returncode, 2)
            self.assertIn("did you mean 'quick'", done.stderr)

    def test_a_record_has_date_machine_and_result(self):
        done = self.talus("reproduce", "olsen2018/beam", "--scale", "quick", "-o", "out", "--record", "kept")
        record = json.loads((self.folder / "kept" / "olsen2018-beam-quick.json").read_text())
        self.assertLessEqual({"date", "machine", "command", "result"}, record.keys())
        self.assertEqual(record["result"]["pass"], done.returncode == 0)


if __name__ == "__main__":
    unittest.main()
