#!/usr/bin/env python3
"""Sweeps as jobs of a real Slurm: a cluster of one node, made for the check in a folder of its own.

    check_slurm.py TALUS FOLDER [TIME]   start munge, slurmctld and slurmd, submit sweeps, compare; exit 1 if something
                                         differs. TIME, simulated: of a run that takes longer than a minute here

What is looked at: a sweep over more variants than an array may have finds what the same sweep finds here; a run that is
longer than its limit goes back into the queue by itself, more than once if need be, and ends with the bits of a run
without a limit; one that is cancelled has written its checkpoint and does not come back, until the same command submits
it; started by srun as two processes a run is refused. Slurm lets two minutes go by before it starts a task again.
"""
import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ARRAY_SIZE = 3   # so that five variants need two arrays
PATIENCE = 900   # s, for the slowest thing waited for

SCENE = """\
materials: {glass: {density: 2500, youngs_modulus: 2 MPa, friction: 0.4, restitution: 0.6}}
bodies:
  - {shape: container, centre: [0, 0, 30 mm], size: [14 mm, 14 mm, 60 mm], open: [+z]}
  - generate: random
    region: {low: [-7 mm, -7 mm, 0], high: [7 mm, 7 mm, 24 mm]}
    radius: {distribution: uniform, low: 0.9 mm, high: 1.1 mm}
    count: 300
    velocity: [0, 0, -0.5]
run: {time: 5 ms, threads: 1}
output: {frames: 0, plots: false}
"""

CONFIGURATION = """\
ClusterName=talus-check
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={controller}
SlurmdPort={node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SchedulerParameters=sched_interval=2
ReturnToService=2
KillWait=10
MaxArraySize={array}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=check Nodes={host} Default=YES MaxTime=60 DefaultTime=10
"""


class Failed(Exception):
    pass


def expect(holds, text):
    print(f"{'  holds' if holds else '  FAILS'}: {text}", flush=True)
    if not holds:
        raise Failed(text)


def wait_for(condition, text, limit=PATIENCE):
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > limit:
            raise Failed(f"{text}: not within {limit} s")
        time.sleep(0.2)
    return time.monotonic() - begin


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """The cluster; its services run as whoever runs the check."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="talus-slurm-"))  # short, for the socket
        self.processes = []

    def __enter__(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        controller, node = free_ports(2)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=self.folder, controller=controller,
            node=node, array=ARRAY_SIZE, cores=os.cpu_count()))
        os.environ["SLURM_CONF"] = str(configuration)
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                   f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munge.seed",
                   f"--log-file={self.folder}/munged.log")
        wait_for((self.folder / "munge.socket").exists, "munged", 20)
        self.start("slurmctld", "-D", "-f", str(configuration))
        self.start("slurmd", "-D", "-f", str(configuration))
        wait_for(lambda: self.ask("sinfo", "-h", "-o", "%t") == "idle", "an idle node", 60)
        return self

    def __exit__(self, *_):
        self.ask("scancel", "--user", getpass.getuser())
        for process in reversed(self.processes):
            process.terminate()
            process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words):
        path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
        program = shutil.which(words[0], path=path) or sys.exit(f"{words[0]} is missing: ./dev setup slurm installs it")
        with (self.folder / f"{words[0]}.out").open("w") as log:
            self.processes.append(subprocess.Popen([program, *words[1:]], stdout=log, stderr=log))

    def ask(self, *words):
        return subprocess.run(words, capture_output=True, text=True).stdout.strip()

    def queue(self):
        return self.ask("squeue", "-h", "-r", "-o", "%F_%K %T %r").splitlines()

    def is_empty(self):
        return not self.queue()


class Sweeps:
    def __init__(self, talus, folder, slurm):
        self.talus, self.folder, self.slurm = talus, folder, slurm
        self.scene = folder / "scene.yaml"
        self.scene.write_text(SCENE)

    def call(self, *words):
        return subprocess.run([self.talus, *map(str, words)], capture_output=True, text=True, cwd=self.folder)

    def sweep(self, out, values, *more, seconds="5 ms"):
        done = self.call("sweep", "scene.yaml", "-o", out, "--vary", f"materials.glass.friction={values}",
                         "--set", f"run.time={seconds}", *more)
        if done.returncode != 0:
            raise Failed(f"talus sweep {more}: {done.stderr}")
        return done

    def summary(self, run):
        file = self.folder / run / "summary.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def table(self, out):
        file = self.folder / out / "table.json"
        rows = json.loads(file.read_text()) if file.exists() else []
        return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]

    def check_same_results(self):
        print("five variants, arrays of at most three tasks:", flush=True)
        values = "0.1,0.2,0.3,0.4,0.5"
        self.sweep("here", values)
        said = self.sweep("there", values, "--slurm", "--partition", "check", "--time", "10min", "--show", "energy_kinetic")
        print("   ", said.stderr.strip().replace("\n", "\n    "))
        self.scene.write_text("this is no scene any more")
        expect(len(json.loads((self.folder / "there/slurm/jobs.json").read_text())) == 2, "two arrays were submitted")
        seconds = wait_for(self.slurm.is_empty, "the end of all jobs")
        self.scene.write_text(SCENE)
        expect(self.table("there") == self.table("here"), f"their table is that of the sweep here ({seconds:.0f} s)")
        expect("5 finished before" in self.sweep("there", values, "--slurm").stderr, "the same command finds all finished")

    def check_limit(self, simulated):
        print("a run that is longer than its limit of one minute:", flush=True)
        out, run = "limit", "limit/friction=0.1"
        self.sweep(out, "0.1", "--slurm", "--time", "1min", seconds=simulated)
        first = wait_for(lambda: "status" in self.summary(run), "the first interruption")
        if self.summary(run)["status"] == "finished":
            raise Failed(f"{simulated} took only {first:.0f} s here: give a longer TIME")
        at = self.summary(run)["time"]
        wait_for(lambda: any("PENDING" in line for line in self.slurm.queue() if "N/A" not in line), "its return", 60)
        expect("1 in the queue" in self.sweep(out, "0.1", "--slurm", seconds=simulated).stderr,
               f"stopped after {first:.0f} s at {at:.3g} s of {simulated}, it waits in the queue again")
        wait_for(self.slurm.is_empty, "the end of all jobs")
        summary, log = self.summary(run), (self.folder / run / "run.log").read_text()
        restarts = log.count("resuming")
        expect(summary["status"] == "finished" and restarts > 0, f"it finished, resumed {restarts} times")
        expect(self.table(out)[0]["status"] == "finished", "the table was made after its end")
        done = self.call("run", "scene.yaml", "-o", "whole", "--set", f"run.time={simulated}",
                         "--set", "materials.glass.friction=0.1")
        expect(done.returncode == 0 and self.summary("whole")["state_hash"] == summary["state_hash"],
               f"its state is that of a run without a limit: {summary['state_hash']}")

    def check_cancelling(self):
        print("a run that is cancelled:", flush=True)
        out, run = "cancelled", "cancelled/friction=0.1"
        self.sweep(out, "0.1", "--slurm", "--time", "30min", seconds="1000 s")
        series = self.folder / run / "series.csv"
        wait_for(lambda: series.exists(), "its start")
        time.sleep(1)
        job = json.loads((self.folder / out / "slurm/jobs.json").read_text())[0]["job"]
        self.slurm.ask("scancel", job)
        wait_for(self.slurm.is_empty, "the end of all jobs")
        expect(self.summary(run).get("status") == "interrupted", "it wrote its checkpoint and did not come back")
        expect(self.table(out)[0]["status"] == "interrupted", "the table says so")
        said = self.sweep(out, "0.1", "--slurm", "--time", "30min", seconds="1000 s").stderr
        expect("1 submitted" in said, "the same command submits it again")
        wait_for(lambda: "resuming" in (self.folder / run / "run.log").read_text(), "its second start")
        self.slurm.ask("scancel", "--user", getpass.getuser())
        wait_for(self.slurm.is_empty, "the end of all jobs")

    def check_ranks(self):
        print("a run that srun starts as two processes:", flush=True)
        words = ["srun", "--ntasks=2", "--overcommit", self.talus, "run", "scene.yaml", "-o", "ranks"]
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder)
        expect(done.returncode == 2 and done.stderr.count("started 2 times at once (SLURM_STEP_NUM_TASKS)") == 1,
               "it is refused, by one message")
        expect(not (self.folder / "ranks").exists(), "nothing was written")
        done = subprocess.run(["srun", "--ntasks=1", *words[3:]], capture_output=True, text=True, cwd=self.folder)
        expect(done.returncode == 0, "as one process it runs")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    talus, folder = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    simulated = sys.argv[3] if len(sys.argv) == 4 else "40 s"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with Slurm() as slurm:
        print(slurm.ask("sinfo", "--version"), flush=True)
        sweeps = Sweeps(talus, folder, slurm)
        try:
            sweeps.check_same_results()
            sweeps.check_ranks()
            sweeps.check_cancelling()
            sweeps.check_limit(simulated)
        except Failed as failure:
            for name in ("slurmctld", "slurmd"):
                print(f"--- {name}\n" + "".join((slurm.folder / f"{name}.log").read_text().splitlines(True)[-20:]))
            sys.exit(f"check_slurm: {failure}")
    print("all of this holds")


if __name__ == "__main__":
    main()
