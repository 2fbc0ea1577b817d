#!/usr/bin/env python3
"""Runs that are killed, starved, fought over, unheard, and fed with broken files.

    check_campaign.py TALUS FOLDER [PART...] [--seed N] [--scale S]   the parts named (default: all); prints a table, and what
                                                                      went wrong; exit 1 if anything did
    check_campaign.py --self-test                                     the judgements, on outcomes that are known

    kills     100: `talus run` gets SIGKILL at a random moment, then `talus resume`, until a resume gets to the end. Series,
              frames and state hash must be those of a run that nobody disturbed.
    disks     40: a run on a file system of 64 KiB to 6 MiB (tmpfs; left out where it cannot be mounted). It ends with status
              1 and says that there is no space, or gets to the end; on a larger disk it then goes on to the same hash.
    fights    30: two resumes of one folder at once, and a run over a live one with --overwrite: one goes on, the others are
              refused, and the hash is that of the undisturbed run.
    streams   30: standard output and error closed, full, or a pipe that nobody reads: the run gets to its end.
    mutants   2,000: scenes, tables, meshes, grains, contact problems, checkpoints and series with bytes changed, pieces cut
              out, doubled or taken from others. Whatever becomes of them, the program ends by itself with a status and, if
              it is not 0, with words: no signal, no report of a sanitizer, no more than 20 s of computing.

A number of the seed stands for the whole campaign, but what happens at which moment is up to the machine. TALUS may be a program
with sanitizers. --scale 0.1 does a tenth of each.
"""
import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COUNTS = {"kills": 100, "disks": 40, "fights": 30, "streams": 30, "mutants": 2000}
PATIENCE = 20        # s of computing, of a mutant
IDLE_PATIENCE = 200  # s by the clock, which counts what others do on the machine
RUN_PATIENCE = 300   # s, of a run

SCENE = """\
name: campaign
{method}materials: {{glass: {{density: 2500, youngs_modulus: 2 MPa, friction: 0.4, restitution: 0.6}}}}
bodies:
  - {{shape: container, centre: [0, 0, 30 mm], size: [14 mm, 14 mm, 60 mm], open: [+z]}}
  - generate: random
    region: {{low: [-7 mm, -7 mm, 0], high: [7 mm, 7 mm, 24 mm]}}
    radius: {{distribution: uniform, low: 0.9 mm, high: 1.1 mm}}
    count: {count}
    velocity: [0, 0, -0.5]
    random_velocity: 0.2
seed: {seed}
run: {{time: {time}, threads: 1}}
output: {{series: 0.1 ms, frames: 1 ms, checkpoint: 0.5 ms, plots: false}}
"""
METHODS = {"penalty": ("", 300, "15 ms"), "contact-dynamics": ("method: contact-dynamics\n", 200, "25 ms")}


def scene_of(method, seed):
    words, count, duration = METHODS[method]
    return SCENE.format(method=words, count=count, time=duration, seed=seed)


class Campaign:
    def __init__(self, talus, folder, seed, scale):
        self.talus, self.folder, self.random = str(talus), Path(folder), random.Random(seed)
        self.counts = {part: max(1, round(scale * count)) for part, count in COUNTS.items()}
        self.faults = []
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.whole = {}

    def fault(self, part, what, details=""):
        self.faults.append((part, what))
        print(f"WRONG in {part}: {what}\n{details[-2000:]}", flush=True)

    def call(self, *words, patience=RUN_PATIENCE, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.run([self.talus, *map(str, words)], timeout=patience, check=False, **options)

    def undisturbed(self, method):
        """A run that gets to its end: scene, folder, seconds."""
        if method not in self.whole:
            scene, out = self.folder / f"{method}.yaml", self.folder / f"{method}-whole"
            scene.write_text(scene_of(method, self.random.randrange(10**6)))
            began = time.monotonic()
            done = self.call("run", scene, "-o", out)
            if done.returncode != 0:
                raise SystemExit(f"the undisturbed run failed: {done.stderr.decode()}")
            self.whole[method] = scene, out, time.monotonic() - began
        return self.whole[method]

    def spoilt(self, whole, parts):
        """What of a folder is not as an undisturbed run leaves it; empty if all is."""
        return differences(results_of(whole), results_of(parts))

    # ---- kills

    def kills(self, number):
        method = list(METHODS)[number % len(METHODS)]
        scene, whole, seconds = self.undisturbed(method)
        out = self.folder / "killed"
        shutil.rmtree(out, ignore_errors=True)
        words = ["run", scene, "-o", out]
        for _ in range(self.random.randint(1, 4)):
            process = subprocess.Popen([self.talus, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(self.random.uniform(0, seconds))
            process.kill()
            _, said = process.communicate()
            if process.returncode not in (0, -signal.SIGKILL):
                return self.fault("kills", f"status {process.returncode} of {words[0]}", said.decode(errors="replace"))
            # Killed before its first checkpoint a run begins anew.
            begun = any(out.glob("checkpoint*.h5"))
            words = ["resume", out] if begun else ["run", scene, "-o", out, "--overwrite"]
        done = self.call(*words)
        if done.returncode != 0:
            return self.fault("kills", f"{words[0]} ends with {done.returncode}", done.stderr.decode(errors="replace"))
        if wrong := self.spoilt(whole, out):
            self.fault("kills", f"{method}: {wrong}")
        return None

    # ---- disks

    def disks(self, number):
        method = list(METHODS)[number % len(METHODS)]
        scene, whole, _ = self.undisturbed(method)
        small, large = self.folder / "small", self.folder / "large"
        small.mkdir(exist_ok=True)
        shutil.rmtree(large, ignore_errors=True)
        size = int(2 ** self.random.uniform(6, 12.5))
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "talus", small], check=False,
                          stderr=subprocess.DEVNULL).returncode != 0:
            return "no file system can be mounted here"
        try:
            out = small / "out"
            done = self.call("run", scene, "-o", out)
            said = done.stderr.decode(errors="replace")
            if not is_honest_about_space(done.returncode, said):
                self.fault("disks", f"status {done.returncode} with {size} KiB", said)
            if out.exists():
                shutil.copytree(out, large)
        finally:
            subprocess.run(["umount", small], check=True)
        if done.returncode != 0:
            begun = large.exists() and any(large.glob("checkpoint*.h5"))
            words = ["resume", large] if begun else ["run", scene, "-o", large, "--overwrite"]
            done = self.call(*words)
            if done.returncode != 0:
                return self.fault("disks", f"{words[0]} after {size} KiB ends with {done.returncode}",
                                  done.stderr.decode(errors="replace"))
        if wrong := self.spoilt(whole, large):
            self.fault("disks", f"after {size} KiB: {wrong}")
        return None

    # ---- fights

    def fights(self, number):
        scene, whole, seconds = self.undisturbed("penalty")
        out = self.folder / "fought"
        shutil.rmtree(out, ignore_errors=True)
        first = subprocess.Popen([self.talus, "run", str(scene), "-o", str(out)], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        while first.poll() is None and not (out / "checkpoint.h5").exists():
            time.sleep(0.005)
        if number % 2 == 0:  # over a live run
            commands = [["run", scene, "-o", out, "--overwrite"], ["resume", out]]
            live = [first]
        else:
            time.sleep(self.random.uniform(0, 0.5 * seconds))
            first.kill()
            first.wait()
            commands = [["resume", out]] * self.random.randint(2, 4)
            live = []
        rivals = [subprocess.Popen([self.talus, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                  for words in commands]
        said = [rival.communicate()[1].decode(errors="replace") for rival in rivals]
        for process in live:
            process.wait()
        outcomes = [(rival.returncode, words) for rival, words in zip(rivals, said)]
        outcomes += [(process.returncode, "") for process in live]
        if wrong := judge_fight(outcomes):
            self.fault("fights", wrong, "\n".join(said))
        if wrong := self.spoilt(whole, out):
            self.fault("fights", wrong)

    # ---- streams

    def streams(self, number):
        scene, whole, _ = self.undisturbed("penalty")
        out = self.folder / "unheard"
        shutil.rmtree(out, ignore_errors=True)
        options, close = {}, []
        kind = ("closed", "full", "pipe")[number % 3]
        if kind == "closed":
            chosen = self.random.sample((0, 1, 2), self.random.randint(1, 3))
            options = {"stdout": None, "stderr": None, "preexec_fn": lambda: [os.close(s) for s in chosen]}
        elif kind == "full":
            full = open("/dev/full", "w", encoding="utf-8")
            close.append(full.close)
            options = {"stdout": full, "stderr": full}
        else:
            reading, writing = os.pipe()
            os.close(reading)
            close.append(lambda: os.close(writing))
            options = {"stdout": writing, "stderr": writing}
        done = self.call("run", scene, "-o", out, **options)
        for each in close:
            each()
        if done.returncode != 0:
            self.fault("streams", f"{kind}: status {done.returncode}")
        elif wrong := self.spoilt(whole, out):
            self.fault("streams", f"{kind}: {wrong}")

    # ---- mutants

    def mutants(self, number):
        seeds = self.mutable()
        kind = self.random.choice(sorted(seeds))
        name, data = self.random.choice(seeds[kind])
        other = self.random.choice(seeds[kind])[1]
        broken = mutate(data, other, self.random, is_text=kind not in ("problem", "checkpoint"))
        place = self.folder / "mutant"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        file = place / name
        for words in self.uses(kind, place, file, broken):
            try:
                done = self.call(*words, patience=IDLE_PATIENCE, stdin=subprocess.DEVNULL, cwd=place,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE)))
                wrong = judge_mutant(done.returncode, done.stderr.decode(errors="replace"))
            except subprocess.TimeoutExpired:
                wrong = f"not done within {IDLE_PATIENCE} s"
            if wrong:
                kept = self.folder / f"fault-{number}-{name}"
                kept.write_bytes(broken)
                said = "" if wrong.startswith("not done") else done.stderr.decode(errors="replace")
                self.fault("mutants", f"{wrong}: talus {words[0]} of {kept}", said)

    def uses(self, kind, place, file, broken):
        """Commands that read a broken file, which is written where they look for it."""
        if kind in ("checkpoint", "series"):
            shutil.copytree(self.undisturbed("penalty")[1], place / "run", ignore=shutil.ignore_patterns("frames"))
            (place / "run" / file.name).write_bytes(broken)
            return [["resume", "run"], ["plot", "run"]]
        file.write_bytes(broken)
        if kind == "scene":
            return [["validate", file.name], ["run", file.name, "-o", "run", "--max-time", "1"]]
        if kind == "problem":
            return [["solve", file.name, "--max-iterations", "50", "-o", "solved.hdf5"]]
        words = {"table": "generate: csv, file: {}", "mesh": "shape: mesh, file: {}, fixed: true",
                 "grains": "generate: random, count: 3, region: {{low: [-1, -1, 0], high: [1, 1, 0]}}, "
                           "radius: 0.1, grains: [{{shape: outline, file: {}}}]"}[kind].format(file.name)
        planar = "planar: xy\n" if kind == "grains" else ""
        (place / "scene.yaml").write_text(f"materials: {{glass: {{}}}}\n{planar}bodies:\n  - {{{words}, material: glass}}\n"
                                          "run: {time: 1 ms}\n")
        return [["validate", "scene.yaml"]]

    def mutable(self):
        if hasattr(self, "seeds"):
            return self.seeds
        scenes = [(f.name, f.read_bytes()) for f in sorted((ROOT / "examples").glob("*.yaml"))]
        scenes += [(f.name, f.read_bytes()) for f in self.folder.glob("*.yaml")]
        whole = self.undisturbed("penalty")[1]
        grains = self.folder / "grains.json"
        self.call("grains", "--generate", "2", "-o", grains)
        table = b"x,y,z,radius,vx,vy,vz\n" + b"".join(b"%d,0,%d,0.4,0.1,0,1e-3\n" % (k, k) for k in range(20))
        cube = b"".join(b"v %d %d %d\n" % (k & 1, k >> 1 & 1, k >> 2) for k in range(8)) + \
            b"f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
        facet = b"facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
        self.seeds = {
            "scene": scenes,
            "table": [("grains.csv", table)],
            "mesh": [("cube.obj", cube), ("open.stl", b"solid a\n" + facet + b"endsolid a\n")],
            "grains": [("grains.json", grains.read_bytes())],
            "problem": [(f.name, f.read_bytes()) for f in sorted((ROOT / "tests/problems/data").glob("*.hdf5"))],
            "checkpoint": [("checkpoint.h5", (whole / "checkpoint.h5").read_bytes())],
            "series": [("series.csv", (whole / "series.csv").read_bytes()),
                       ("frames.pvd", (whole / "frames.pvd").read_bytes()),
                       ("run.json", (whole / "run.json").read_bytes())],
        }
        return self.seeds

    def run(self, parts):
        for part in parts:
            before, began, done, left_out = len(self.faults), time.monotonic(), 0, None
            try:
                for number in range(self.counts[part]):
                    left_out = getattr(self, part)(number)
                    if left_out:
                        break
                    done += 1
            finally:  # of one that is stopped, too
                note = f"left out: {left_out}" if left_out else f"{len(self.faults) - before} wrong"
                print(f"| {part} | {done} | {note} | {time.monotonic() - began:.0f} s |", flush=True)
        return not self.faults


KEPT = ("status", "time", "steps", "state_hash", "bodies", "contacts", "max_overlap")


def results_of(folder):
    """What a run leaves that others go by: file or quantity to its content."""
    summary = json.loads((folder / "summary.json").read_text()) if (folder / "summary.json").exists() else {}
    found = {key: summary.get(key) for key in KEPT}
    for file in [folder / "series.csv", folder / "frames.pvd", *sorted((folder / "frames").glob("*"))]:
        found[file.relative_to(folder).as_posix()] = file.read_bytes() if file.exists() else None
    found["left over"] = sorted(file.name for file in folder.glob(".talus*"))
    return found


def differences(whole, parts):
    return ", ".join(f"{key} differs" for key in sorted({*whole, *parts}) if whole.get(key) != parts.get(key))


def is_honest_about_space(status, said):
    return status == 0 or (status == 1 and "No space left on device" in said)


def judge_fight(outcomes):
    """Of those that wanted the folder at once (status, words): one gets it, the others say who has it."""
    winners = sum(1 for status, _ in outcomes if status == 0)
    if winners == 0:
        return f"nobody got the folder: {[status for status, _ in outcomes]}"
    for status, said in outcomes:
        if status != 0 and (status != 1 or "is in use by process" not in said):
            return f"refused with status {status} and without saying who has the folder"
    # Who came when all was over goes on from the end, and changes nothing.
    return ""


def judge_mutant(status, said):
    if re.search(r"Sanitizer|runtime error:", said):
        return "a sanitizer reports"
    if status < 0:
        return f"signal {-status}"
    if status not in (0, 1, 2, 128 + signal.SIGTERM):
        return f"status {status}"
    return "" if status in (0, 128 + signal.SIGTERM) or said.strip() else f"status {status} without a word"


def mutate(data, other, chance, is_text):
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + int(2 ** chance.uniform(0, 8)))
        kind = chance.randrange(7)
        if kind == 0 and at < len(data):
            data[at] = chance.randrange(256)
        elif kind == 1 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            del data[at:end]
        elif kind == 3:
            data[at:at] = data[at:end]
        elif kind == 4 and other:
            begin = chance.randrange(len(other))
            data[at:end] = other[begin:begin + end - at]
        elif kind == 5:
            del data[at:]
        elif is_text:
            data[at:end] = chance.choice((b"1e308", b"-1", b"nan", b"0", b"inf", b"[]", b"{}", b"&a *a", b"999999999999", b"\0",
                                          b"../../x", b"'", b"\xff\xfe"))
        else:
            data[at:end] = chance.choice((b"\xff" * 8, b"\0" * 8, b"\x7f" + b"\xff" * 7, b"\x01" + b"\0" * 7))
    return bytes(data)


def self_test():
    good = {"state_hash": "a", "series.csv": b"1"}
    assert differences(good, dict(good)) == ""
    assert differences(good, {**good, "series.csv": b"2"}) == "series.csv differs"
    assert differences(good, {"state_hash": "a"}) == "series.csv differs"
    assert is_honest_about_space(0, "") and is_honest_about_space(1, "x: No space left on device")
    assert not is_honest_about_space(1, "bad") and not is_honest_about_space(-6, "No space left on device")
    refused = (1, "out is in use by process 7 on here, since 2")
    assert judge_fight([(0, ""), refused]) == "" and judge_fight([refused, refused]) != ""
    assert judge_fight([(0, ""), (1, "no checkpoint")]) != "" and judge_fight([(0, ""), (-11, "")]) != ""
    assert judge_mutant(0, "") == judge_mutant(2, "scene.yaml:1: what") == "" and judge_mutant(2, " \n") != ""
    assert judge_mutant(-11, "") != "" and judge_mutant(1, "AddressSanitizer: heap") != "" and judge_mutant(134, "x") != ""
    chance = random.Random(1)
    changed = sum(mutate(b"name: a\n" * 20, b"other", chance, True) != b"name: a\n" * 20 for _ in range(200))
    assert changed > 150, changed
    assert mutate(b"", b"", random.Random(2), False) is not None
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    options = argparse.ArgumentParser()
    options.add_argument("talus", type=Path)
    options.add_argument("folder", type=Path)
    options.add_argument("parts", nargs="*", choices=[[], *COUNTS])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--scale", type=float, default=1)
    chosen = options.parse_args()
    print(f"seed {chosen.seed}\n| part | tries | outcome | time |\n|---|---|---|---|", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    campaign = Campaign(chosen.talus.resolve(), chosen.folder.resolve(), chosen.seed, chosen.scale)
    return 0 if campaign.run(chosen.parts or list(COUNTS)) else 1


if __name__ == "__main__":
    sys.exit(main())
