"""The experiments of papers run through the program: quick versions, their JSON, their files, the exit status."""
import json
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

    def test_the_chain_rings_as_theory_says(self):
        self.run_quick("unger2002/chain")

    def test_the_packing_rings_with_the_powers_of_the_sweeps(self):
        self.run_quick("unger2002/packing")

    def test_the_beam_rests_on_its_supports_as_springs_would(self):
        self.run_quick("olsen2018/beam")

    def test_the_pyramid_has_the_forces_of_the_penalty_method(self):
        self.run_quick("olsen2018/pyramid")

    def test_the_list_names_every_experiment(self):
        done = self.talus("reproduce", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("olsen2018/beam", "olsen2018/pyramid", "unger2002/chain", "unger2002/packing"):
            self.assertIn(name, done.stdout)

    def test_an_unknown_experiment_is_told_with_the_likely_one(self):
        done = self.talus("reproduce", "unger2002/chian")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'unger2002/chain'", done.stderr)

    def test_an_unknown_scale_is_refused(self):
        done = self.talus("reproduce", "unger2002/chain", "--scale", "qick")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'quick'", done.stderr)

    def test_a_record_has_date_machine_and_result(self):
        done = self.talus("reproduce", "olsen2018/beam", "--scale", "quick", "-o", "out", "--record", "kept")
        record = json.loads((self.folder / "kept" / "olsen2018-beam-quick.json").read_text())
        self.assertLessEqual({"date", "machine", "command", "result"}, record.keys())
        self.assertEqual(record["result"]["pass"], done.returncode == 0)


if __name__ == "__main__":
    unittest.main()
