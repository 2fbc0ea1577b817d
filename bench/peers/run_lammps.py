#!/usr/bin/env python3
"""Measures LAMMPS on the benchmarks of Talus, by itself: particle-steps per second and bytes per grain, one rank.

    run_lammps.py packing [--grains N] [--style history|granular] [--steps N] [--start FILE] [--folder DIR]
    run_lammps.py chute                                           [--steps N] [--start FILE] [--folder DIR]

The start state is a LAMMPS data file: --start, or one that the inputs in lammps/ make (settle.in, chute.in) and that
stays in the folder for the next time. Only ratios of numbers from one machine at one time mean something; on a loaded
machine, value / cpu_share is the speed per second of CPU.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

INPUTS = Path(__file__).resolve().parent / "lammps"
LOOP = re.compile(r"^Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", re.MULTILINE)
CPU_SHARE = re.compile(r"^(\S+)% CPU use", re.MULTILINE)


def run_lammps(script, variables, log):
    """Runs one input; returns its log and the largest resident memory of the process in bytes."""
    command = ["lmp", "-in", script, "-screen", "none", "-log", str(log)]
    for name, value in variables.items():
        command += ["-var", name, str(value)]
    process = subprocess.Popen(command, cwd=INPUTS)  # the inputs include each other by name
    peak = 0
    while process.poll() is None:
        status = Path(f"/proc/{process.pid}/status").read_text(errors="replace")
        match = re.search(r"VmHWM:\s*(\d+) kB", status)
        peak = max(peak, int(match.group(1)) * 1024 if match else 0)
        time.sleep(0.02)
    text = log.read_text()
    if process.returncode != 0:
        raise SystemExit("\n".join([f"lmp failed on {script}:", *text.strip().splitlines()[-2:]]))
    return text, peak


def make_start(case, folder, grains):
    edge = max(2, round(grains ** (1 / 3)))
    name = f"packing-{edge ** 3}" if case == "packing" else "chute-32000"
    start = folder / f"{name}.data"
    if not start.exists():
        print(f"making {start.name} ...", file=sys.stderr)
        whole = {"out": start.with_suffix(".part")}
        if case == "packing":
            run_lammps("settle.in", {"nx": edge, "ny": edge, "nz": edge, **whole}, folder / f"{name}.log")
        else:
            run_lammps("chute.in", {"nrun": 0, **whole}, folder / f"{name}.log")
        whole["out"].rename(start)
    return start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=["packing", "chute"])
    parser.add_argument("--grains", type=int, default=10000)
    parser.add_argument("--style", choices=["history", "granular"], default="history")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("out/peers"))
    options = parser.parse_args()
    if shutil.which("lmp") is None:
        raise SystemExit("lmp is not installed; ./dev setup bench installs it")
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    start = options.start.resolve() if options.start else make_start(options.case, folder, options.grains)

    variables = {"dat": start, "nwarm": 200, "nrun": options.steps}
    if options.case == "packing":
        variables["style"] = options.style
    text, peak = run_lammps(f"{options.case}.in", variables, folder / f"{options.case}.log")
    seconds, steps, grains = LOOP.findall(text)[-1]
    print(json.dumps({"name": options.case, "n": int(grains), "threads": 1, "unit": "particle-steps/s",
                      "value": int(grains) * int(steps) / float(seconds), "bytes_per_item": peak / int(grains),
                      "cpu_share": float(CPU_SHARE.findall(text)[-1]) / 100}))


if __name__ == "__main__":
    main()
