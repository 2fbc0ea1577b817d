"""What `cmake --install` leaves: a program that runs, its manual page and completions, and a library that another project
finds, links and uses. Needs TALUS_BUILD, a finished build folder, and TALUS_OUTSIDE, the folder of that project."""
import os
import pathlib
import subprocess
import tempfile
import unittest


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class InstalledTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        run("cmake", "--install", os.environ["TALUS_BUILD"], "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def one(self, pattern):
        found = sorted(self.prefix.glob(pattern))
        self.assertTrue(found, f"nothing installed as {pattern}")
        return found[0]

    def test_another_project_finds_links_and_uses_the_library(self):
        build = pathlib.Path(self.folder.name) / "outside"
        run("cmake", "-S", os.environ["TALUS_OUTSIDE"], "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        height = float(run(build / "falling_ball"))
        self.assertAlmostEqual(height, 0.02 - 0.5 * 9.81 * 0.01**2, places=8)

    def test_the_program_runs_from_where_it_was_installed(self):
        self.assertRegex(run(self.one("bin/talus"), "--version"), r"^talus \d+\.\d+\.\d+")

    def test_the_library_has_a_soname_of_its_minor_version(self):
        dynamic = run("readelf", "-d", self.one("lib*/**/libtalus.so"))
        self.assertRegex(dynamic, r"SONAME.*libtalus\.so\.\d+\.\d+\]")

    def test_the_library_shows_nothing_of_what_it_is_made_with(self):
        shown = run("nm", "-DC", "--defined-only", self.one("lib*/**/libtalus.so")).splitlines()
        strange = [line for line in shown if "talus::" not in line]
        self.assertEqual(strange, [])

    def test_the_manual_page_tells_every_command(self):
        page = self.one("share/man/man1/talus.1").read_text()
        for command in ("run", "resume", "validate", "sweep", "solve", "bench", "reproduce"):
            self.assertIn(f".SS {command}\n", page)

    def test_completions_know_commands_and_their_options(self):
        bash = self.one("share/bash-completion/completions/talus")
        script = f"source {bash}; COMP_WORDS=(talus %s); COMP_CWORD=%d; _talus; echo ${{COMPREPLY[@]}}"
        self.assertEqual(run("bash", "-c", script % ("resu", 1)).split(), ["resume"])
        self.assertEqual(run("bash", "-c", script % ("run --over", 2)).split(), ["--overwrite"])
        self.assertIn("#compdef talus", self.one("share/zsh/vendor-completions/_talus").read_text())


if __name__ == "__main__":
    unittest.main()
