#!/usr/bin/env python3
"""A stand-in for Slurm's commands: sbatch, scontrol, squeue and scancel, by the name this is called by.

It keeps its jobs in the folder SLURM_STAND_IN and runs nothing by itself: `run_waiting()` does, as Slurm would. Whatever
Slurm would refuse, it refuses: unknown options, scripts that are not there, indices beyond MaxArraySize, dependencies on
jobs it does not know.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

OPTIONS = {"parsable", "chdir", "array", "dependency", "job-name", "output", "open-mode", "ntasks", "time", "partition",
           "account", "cpus-per-task", "requeue", "signal", "mem"}
FLAGS = {"parsable", "requeue"}


def fail(text):
    print(text, file=sys.stderr)
    raise SystemExit(1)


def folder():
    return pathlib.Path(os.environ["SLURM_STAND_IN"])


def settings():
    file = folder() / "settings.json"
    return {"MaxArraySize": 1001, "refuse_after": None, **(json.loads(file.read_text()) if file.exists() else {})}


def jobs():
    return [json.loads(file.read_text()) for file in sorted(folder().glob("job-*.json"))]


def keep(job):
    (folder() / f"job-{job['id']:06}.json").write_text(json.dumps(job))


def option(word, where):
    name, equals, value = word[2:].partition("=")
    if not word.startswith("--") or name not in OPTIONS:
        fail(f"sbatch: error: {where}: unrecognized option '{word}'")
    if (name in FLAGS) == bool(equals):
        fail(f"sbatch: error: {where}: '{word}' needs {'no' if equals else 'a'} value")
    return name, value


def indices_of(text):
    numbers = []
    for part in text.partition("%")[0].split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    if max(numbers) >= settings()["MaxArraySize"]:
        fail("sbatch: error: Batch job submission failed: Invalid job array specification")
    return numbers


def sbatch(words):
    options, number = {}, 0
    while number < len(words) and words[number].startswith("-"):
        name, value = option(words[number], "command line")
        options[name] = value
        number += 1
    script = pathlib.Path(words[number])
    if not script.is_file():
        fail(f"sbatch: error: Unable to open file {script}")
    text = script.read_text()
    if not text.startswith("#!"):
        fail("sbatch: error: This does not look like a batch script.")
    for line in text.splitlines():
        if line.startswith("#SBATCH "):
            for word in line[8:].split():
                name, value = option(word, f"in {script}")
                options.setdefault(name, value)
        elif line and not line.startswith("#"):
            break
    known = jobs()
    if settings()["refuse_after"] == len(known):
        fail("sbatch: error: Batch job submission failed: Job violates accounting/QOS policy")
    if "dependency" in options:
        kind, *ids = options["dependency"].split(":")
        if kind != "afterany" or not {int(i) for i in ids} <= {job["id"] for job in known}:
            fail("sbatch: error: Batch job submission failed: Job dependency problem")
    job = {"id": 100 + len(known), "options": options, "script": text, "arguments": words[number + 1:],
           "waiting": indices_of(options["array"]) if "array" in options else [None]}
    keep(job)
    print("a line of the site's own")
    print(f"{job['id']};stand-in")


def scontrol(words):
    if words == ["show", "config"]:
        print("Configuration data as of 2026-11-20T00:08:47\nMailProg                = /bin/mail\n"
              f"MaxArraySize            = {settings()['MaxArraySize']}\nMaxJobCount             = 10000")
    elif words[0] == "requeue" and re.fullmatch(r"\d+_\d+", words[1]):
        number, index = map(int, words[1].split("_"))
        job = next(job for job in jobs() if job["id"] == number)
        job["waiting"].append(index)
        keep(job)
    else:
        fail(f"scontrol: invalid {words}")


def squeue(words):
    if words != ["--noheader", "--array", "--user", str(os.getuid()), "--format", "%F %K"]:
        fail(f"squeue: unexpected {words}")
    for job in jobs():
        for index in job["waiting"]:
            print(job["id"], "N/A" if index is None else index)


def run_waiting(of_each=None, meanwhile=lambda process, job, index: None):
    """Runs what waits, or so many tasks of each job; `meanwhile` sees each process. Returns the exit statuses."""
    statuses = []
    for job in jobs():
        waiting, job["waiting"] = job["waiting"][:of_each], job["waiting"][of_each:] if of_each else []
        keep(job)
        for index in waiting:
            variables = {**os.environ, "SLURM_JOB_ID": str(job["id"]), "SLURM_NTASKS": "1", "SLURM_PROCID": "0"}
            name = job["options"]["output"].replace("%j", str(job["id"])).replace("%A", str(job["id"]))
            if index is not None:
                variables |= {"SLURM_ARRAY_JOB_ID": str(job["id"]), "SLURM_ARRAY_TASK_ID": str(index)}
                name = name.replace("%a", str(index))
            where = pathlib.Path(job["options"]["chdir"])
            script = folder() / f"script-{job['id']}"
            script.write_text(job["script"])
            script.chmod(0o755)
            with (where / name).open("a") as log:
                process = subprocess.Popen([script, *job["arguments"]], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           cwd=where, env=variables, start_new_session=True)
            meanwhile(process, job, index)
            statuses.append(process.wait(60))
    return statuses


if __name__ == "__main__":
    {"sbatch": sbatch, "scontrol": scontrol, "squeue": squeue}[pathlib.Path(sys.argv[0]).name](sys.argv[1:])
