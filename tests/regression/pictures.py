"""`talus picture`: runs and scenes as PNG files and movies, from the command line."""
import struct
import unittest

from talus_program import SETTLE, ProgramTest

BRIEF = ["run.time=2 ms", "output.plots=false"]


class Pictures(ProgramTest):
    def size_of(self, name):
        data = (self.folder / name).read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", data[16:24]), data[25]

    def picture(self, *arguments, status=0):
        done = self.talus("picture", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_a_run_is_drawn_as_one_asks(self):
        self.finish_scene(SETTLE, self.folder / "run", BRIEF)
        done = self.picture("run", "--time", "1 ms", "--view", "front", "--colour", "pressure", "--size", "320x200", "-o", "a.png")
        self.assertEqual(done.stdout, "a.png\n")
        self.assertEqual(self.size_of("a.png"), ((320, 200), 2))
        self.picture("run", "--transparent", "--no-legend", "--flat", "--color", "group", "--size", "90x60", "-o", "b.png")
        self.assertEqual(self.size_of("b.png"), ((90, 60), 6))
        self.picture("run", "--size", "90x60")
        self.assertEqual(self.size_of("picture.png"), ((90, 60), 2))
        # Twice the same.
        self.picture("run", "--size", "90x60", "-o", "again.png")
        self.assertEqual((self.folder / "again.png").read_bytes(), (self.folder / "picture.png").read_bytes())

    def test_a_scene_is_drawn_before_it_runs(self):
        self.picture(self.write(SETTLE), "--set", "run.time=1 s", "--size", "90x60", "-o", "a.png")
        self.assertEqual(self.size_of("a.png"), ((90, 60), 2))
        self.assertEqual(list(self.folder.glob("out*")), [])

    def test_mistakes_are_told(self):
        self.finish_scene(SETTLE, self.folder / "run", BRIEF)
        for words, told in ((["--size", "90"], "1200x900"), (["--size", "90x60x3"], "1200x900"), (["--view", "fornt"], "did you mean 'front'"),
                            (["--colour", "sped"], "did you mean 'speed'"), (["--map", "viridi"], "did you mean 'viridis'"),
                            (["--range", "1"], "0:0.5"), (["--range", "2:1"], "from a lower"), (["--time", "soon"], "--time soon"),
                            (["--set", "run.time=1 s"], "--set is for scenes"), (["--movie", "a.mp4", "--time", "1"], "without --time"),
                            (["--movie", "a.doc"], ".mp4"), (["--size", "0x60"], "1 to 16384")):
            done = self.picture("run", *words, status=2)
            self.assertIn(told, done.stderr, words)
        self.assertIn("no frames", self.picture(self.folder, status=2).stderr)

    def test_a_movie_without_ffmpeg_says_what_is_missing(self):
        self.finish_scene(SETTLE, self.folder / "run", BRIEF)
        done = self.talus("picture", "run", "--movie", "a.mp4", "--size", "90x60", env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("install the package ffmpeg", done.stderr)
        self.assertFalse((self.folder / "a.mp4").exists())
        self.assertEqual(list(self.folder.glob("a.mp4*")), [])


if __name__ == "__main__":
    unittest.main()
