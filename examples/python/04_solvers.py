"""One contact problem, solved by all solvers: how the residual falls with time."""
import sys
from pathlib import Path

import matplotlib.pyplot as plt

import talus

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

world = talus.World()
world.add_material(friction=0.4)
world.add_wall(talus.Container(size=("4 cm", "4 cm", "8 cm"), open="+z"))
world.add_lattice("fcc", radius="3.2 mm", region=talus.BoxRegion((-0.02, -0.02, -0.04), (0.02, 0.02, -0.01)), jitter=0.01)
sim = talus.Simulation(world, talus.ContactDynamics(step="0.5 ms", max_iterations=3000))
sim.run("0.05 s")
problem = sim.problem()
print(problem)

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for solver in talus.solvers():
    if solver in ("jacobi", "auto"):
        continue
    found = talus.solve(problem, solver, tol=1e-8, law="associated", time_limit=4, history=True)
    history = found.report["history"]
    axes.loglog([1e3 * row[1] + 1e-3 for row in history], [row[2] for row in history], label=solver)
    print(f"{solver:15} {found.report['status']:15} {found.report['iterations']:6} iterations "
          f"{1e3 * found.report['seconds']:8.1f} ms, residual {found.report['residual']:.1e}")
axes.set(xlabel="time [ms]", ylabel="residual", title=f"{len(problem)} contacts")
axes.legend()
figure.savefig(folder / "04_solvers.png")
