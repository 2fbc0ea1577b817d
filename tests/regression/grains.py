"""`talus grains`: the example image becomes grains, generated grains are as asked, and what is wrong is told."""
import json
import pathlib
import unittest

from talus_program import ProgramTest

IMAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "grains.png"


class Grains(ProgramTest):
    def test_of_the_example_image_are_found_written_and_drawn(self):
        done = self.talus("grains", IMAGE, "-o", "grains.json", "--picture", "fit.png", "--scale", "1e-5")
        self.assertEqual(done.returncode, 0, done.stderr)
        for note in ("1 specks", "1 patches cut at necks", "1 holes filled", "1 grains cut by the border"):
            self.assertIn(note, done.stderr)
        file = json.loads((self.folder / "grains.json").read_text())
        self.assertEqual((file["format"], file["version"]), ("talus-grains", 1))
        self.assertEqual(len(file["grains"]), 9)
        for grain in file["grains"]:
            self.assertLessEqual(grain["fit"]["largest_error"], 0.71 * 1e-5)
            self.assertIn(grain["name"], done.stdout)
        # The pentagon and the arrow keep their corners.
        self.assertEqual([g["fit"]["corners"] for g in file["grains"]].count(5), 2)
        self.assertGreater((self.folder / "fit.png").stat().st_size, 10_000)

    def test_that_are_generated_are_as_asked_and_the_same_each_time(self):
        words = ["grains", "--generate", "3", "--sphericity", "0.6", "--angularity", "0.8", "--seed", "7", "--json"]
        first, again = self.talus(*words), self.talus(*words)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(first.stdout, again.stdout)
        for grain in json.loads(first.stdout)["grains"]:
            self.assertAlmostEqual(grain["measures"]["sphericity"], 0.6, delta=0.01)
            self.assertAlmostEqual(grain["measures"]["angularity"], 0.8, delta=0.01)
            self.assertLess(grain["measures"]["solidity"], 1 - 1e-6)

    def check_refused(self, *words):
        *arguments, told = words
        done = self.talus("grains", *arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(told, done.stderr)
        self.assertEqual([f for f in self.folder.iterdir() if f.name == "out.json"], [])

    def test_of_bad_images_are_refused_and_nothing_is_written(self):
        (self.folder / "text.png").write_text("no image")
        (self.folder / "cut.png").write_bytes(IMAGE.read_bytes()[:5000])
        self.check_refused("text.png", "-o", "out.json", "is no PNG image")
        self.check_refused("cut.png", "-o", "out.json", "damaged")
        self.check_refused("none.png", "-o", "out.json", "no such file")
        self.check_refused(IMAGE, "-o", "out.json", "--touching", "refuse", "--touching keep")
        self.check_refused(IMAGE, "-o", "out.json", "--holes", "refuse", "--holes fill")
        self.check_refused(IMAGE, "-o", "out.json", "--border", "refuse", "--border drop")

    def test_need_an_image_or_a_number(self):
        self.check_refused("either an image or --generate")
        self.check_refused(IMAGE, "--generate", "2", "either an image or --generate")
        self.check_refused("--generate", "0", "--generate")
        self.check_refused("--generate", "2", "--seed", "-1", "--seed")


if __name__ == "__main__":
    unittest.main()
