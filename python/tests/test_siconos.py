"""The same arrays for Siconos and Talus have the same velocities, where Siconos (python3-siconos) is installed."""
import json
import subprocess

import numpy as np
import pytest

import talus

# Siconos belongs to the system's Python.
SCRIPT = """
import json, sys
import numpy as np
import siconos.numerics as sn
p = json.load(sys.stdin)
W, q, mu = (np.array(p[key]) for key in ("W", "q", "mu"))
problem = sn.FrictionContactProblem(3, len(mu), W, q, mu)
options = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-10
options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000
reactions, velocities = np.zeros(len(q)), np.zeros(len(q))
info = sn.fc3d_driver(problem, reactions, velocities, options)
print(json.dumps({"info": info, "reactions": reactions.tolist(), "velocities": velocities.tolist()}))
"""


def has_siconos():
    try:
        return subprocess.run(["/usr/bin/python3", "-c", "import siconos.numerics"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


pytestmark = pytest.mark.skipif(not has_siconos(), reason="python3-siconos is not installed")


def by_siconos(W, q, mu):
    done = subprocess.run(["/usr/bin/python3", "-c", SCRIPT], capture_output=True, text=True, check=True,
                          input=json.dumps({"W": W.tolist(), "q": q.tolist(), "mu": mu.tolist()}))
    answer = json.loads(done.stdout.strip().split("\n")[-1])
    assert answer["info"] == 0
    return np.array(answer["reactions"]), np.array(answer["velocities"])


@pytest.mark.parametrize("contacts, seed", [(1, 1), (5, 2), (20, 3)])
def test_fc3d_and_solve_find_the_same(contacts, seed):
    random = np.random.default_rng(seed)
    root = random.normal(size=(3 * contacts, 3 * contacts + 3))
    W, mu = root @ root.T / contacts, random.uniform(0.1, 0.8, contacts)
    q = (random.normal(size=(contacts, 3)) - (0.5, 0, 0)).ravel()
    theirs, velocities = by_siconos(W, q, mu)
    found = talus.solve(talus.Problem(W, q, mu), solver="auto", tol=1e-10)
    assert found.converged
    assert np.allclose(found.velocities.ravel(), velocities, atol=1e-7)
    assert np.allclose(found.reactions.ravel(), theirs, atol=1e-7)  # W is regular: reactions are unique, too


def test_a_step_of_grains_is_a_problem_for_both():
    world = talus.World()
    world.add_material(friction=0.4)
    world.add_wall(talus.Container(size=("4 cm", "4 cm", "8 cm"), open="+z"))
    world.add_lattice("fcc", radius="5 mm", region=talus.BoxRegion((-0.02, -0.02, -0.04), (0.02, 0.02, -0.02)), jitter=0.01)
    sim = talus.Simulation(world, talus.ContactDynamics(step="0.5 ms"))
    sim.run("20 ms", progress=False)
    problem = sim.problem()
    assert len(problem) > 10
    _, velocities = by_siconos(problem.W, problem.q.ravel(), problem.mu)
    found = talus.solve(problem, tol=1e-10)
    scale = np.abs(problem.q).max()
    assert found.converged and np.allclose(found.velocities.ravel(), velocities, atol=1e-6 * scale)
