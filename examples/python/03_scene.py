"""A scene of `talus run`, changed and run in Python; its results read back: series, frames, summary."""
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import talus

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
scene = talus.load(Path(__file__).parent.parent / "settle.yaml")
scene.run.time = "20 ms"
scene.materials.glass.friction = 0.3
print(scene.check().splitlines()[0])

run = talus.run(scene, tempfile.mkdtemp(), overwrite=True)
print(run, f"{len(run.frames)} frames, state {run.summary.state_hash}")

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
run.plot("energy_kinetic", "energy_potential", ax=left)
last = run.frames[-1]
right.hist(np.linalg.norm(last.contacts.force, axis=1) if len(last.contacts) else [], bins=30)
right.set(xlabel="contact force [N]", ylabel="contacts")
figure.savefig(folder / "03_scene.png")

sim = talus.Simulation(scene)  # the same, step by step, with the same bits
sim.run()
assert sim.world.state_hash == run.summary.state_hash
