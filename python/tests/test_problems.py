"""Contact problems from arrays, matrices, files and worlds are solved; answers are checked without the solvers."""
import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings, strategies as st

import talus
from conftest import settling


def residual_by_hand(w, q, mu, reactions):
    """Largest change of a reaction by a step of Coulomb's law in its natural map, relative to the largest reaction."""
    u = (w @ reactions.ravel() + np.asarray(q).ravel()).reshape(-1, 3)
    shifted = u.copy()
    shifted[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
    unit = np.trace(w) / len(w)
    target = reactions - shifted / unit
    normal, tangent = target[:, 0], np.linalg.norm(target[:, 1:], axis=1)
    on_mantle = np.maximum(0, (normal + mu * tangent) / (1 + mu**2))
    inside = (normal >= 0) & (tangent <= mu * normal)
    projected = target.copy()
    projected[~inside, 0] = on_mantle[~inside]
    projected[~inside, 1:] *= (mu * on_mantle / np.maximum(tangent, 1e-300))[~inside, None]
    return np.abs(reactions - projected).max() / np.abs(reactions).max()


def random_problem(contacts, seed, mu=0.5):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(3 * contacts, 3 * contacts + 3))
    return root @ root.T / contacts, rng.normal(size=(contacts, 3)) - (0.5, 0, 0), mu


@pytest.mark.parametrize("solver", [s for s in talus.solvers() if s != "jacobi"])
def test_every_solver_solves_a_problem_of_arrays(solver):
    w, q, mu = random_problem(12, 4)
    law = "associated" if solver in ("interior-point", "newton") else "coulomb"
    found = talus.solve(talus.Problem(w, q, mu), solver, tol=1e-9, law=law)
    assert found.converged, found.report
    assert np.allclose(found.velocities.ravel(), w @ found.reactions.ravel() + q.ravel(), atol=1e-10)
    if law == "coulomb":
        assert residual_by_hand(w, q, mu, found.reactions) < 1e-7


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 8), st.integers(0, 10**6), st.floats(0, 1.5))
def test_solutions_of_random_problems_hold_by_hand(contacts, seed, mu):
    w, q, _ = random_problem(contacts, seed)
    found = talus.solve(talus.Problem(w, q, mu), tol=1e-9)
    if found.converged and np.abs(found.reactions).max() > 1e-6:
        assert residual_by_hand(w, q, mu, found.reactions) < 1e-6


def test_sparse_matrices_are_the_same_problem():
    w, q, mu = random_problem(6, 1)
    dense = talus.Problem(w, q, mu)
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.bsr_matrix):
        assert np.array_equal(talus.Problem(kind(w), q, mu).W, dense.W)
    assert np.allclose(dense.W, w) and np.array_equal(dense.q, q) and (dense.mu == mu).all()


def test_masses_and_jacobians_make_the_matrix():
    rng = np.random.default_rng(2)
    masses, h, v = sparse.diags(rng.uniform(1, 2, 12)), sparse.random(12, 9, 0.6, random_state=2), rng.normal(size=12)
    problem = talus.Problem.from_bodies(masses, h, v, mu=0.3)
    by_hand = h.T @ np.diag(1 / masses.diagonal()) @ h.toarray()
    assert np.allclose(problem.W, by_hand) and np.allclose(problem.q.ravel(), h.T @ v)


def test_a_block_on_a_slope_holds_or_slides_by_coulombs_law():
    """W = 1: impulse of gravity on a slope of 30 degrees; it holds if mu > tan 30, else slides with what is left."""
    q = np.array([[-np.cos(np.pi / 6), np.sin(np.pi / 6), 0]])
    held = talus.solve(talus.Problem(np.eye(3), q, mu=0.6))
    assert np.allclose(held.velocities, 0, atol=1e-8)
    slides = talus.solve(talus.Problem(np.eye(3), q, mu=0.2))
    assert slides.velocities[0] == pytest.approx([0, 0.5 - 0.2 * np.cos(np.pi / 6), 0], abs=1e-7)


def test_the_problem_of_a_step_is_solved_by_its_reactions():
    world = settling(150)
    sim = talus.Simulation(world, talus.ContactDynamics(step=2e-4, tolerance=1e-7, max_iterations=100000))
    sim.run(0.08, progress=False)
    problem = sim.problem()
    assert len(problem) > 50
    assert problem.residuals(problem.reactions)["residual"] < 2e-7
    assert residual_by_hand(problem.W, problem.q, problem.mu[0], problem.reactions) < 1e-5


def test_files_of_fclib_keep_problems_and_solutions(tmp_path):
    w, q, mu = random_problem(5, 3)
    problem = talus.Problem(w, q, mu)
    found = talus.solve(problem, tol=1e-10)
    problem.save(tmp_path / "one.hdf5", found.reactions)
    again = talus.Problem.load(tmp_path / "one.hdf5")
    assert np.allclose(again.W, w) and np.array_equal(again.q, q)
    assert np.array_equal(again.reactions, found.reactions)
    with pytest.raises(talus.InputError, match="none.hdf5"):
        talus.Problem.load(tmp_path / "none.hdf5")


def test_compliance_and_sets_beyond_cones_are_known():
    problem = talus.Problem(np.eye(3), [[-1.0, 0, 0]], sets=talus.reaction_sets(0.5, cap=0.25))
    assert talus.solve(problem, law="associated").reactions[0, 0] == pytest.approx(0.25)
    soft = talus.Problem(np.eye(3), [[-1.0, 0, 0]], 0.5, compliance=np.eye(3))
    assert talus.solve(soft, tol=1e-10).reactions[0, 0] == pytest.approx(0.5)


@given(st.lists(st.tuples(*[st.floats(-3, 3)] * 3), min_size=1, max_size=20), st.floats(0, 2))
@settings(max_examples=50, deadline=None)
def test_projections_are_the_nearest_members(points, mu):
    points = np.array(points)
    nearest = talus.project(points, mu)
    assert (np.linalg.norm(nearest[:, 1:], axis=1) <= mu * nearest[:, 0] + 1e-12).all()
    assert np.allclose(talus.project(nearest, mu), nearest, atol=1e-12)
    rng = np.random.default_rng(0)
    members = rng.normal(size=(200, 3))
    members[:, 0] = np.linalg.norm(members[:, 1:], axis=1) / max(mu, 1e-9) if mu > 0 else np.abs(members[:, 0])
    if mu == 0:
        members[:, 1:] = 0
    for point, best in zip(points, nearest):
        assert np.linalg.norm(point - best) <= np.linalg.norm(members - point, axis=1).min() + 1e-9


def test_mistakes_are_told():
    with pytest.raises(talus.InputError, match="6 x 6"):
        talus.Problem(np.eye(3), np.zeros(6), 0.5)
    with pytest.raises(talus.InputError, match="did you mean"):
        talus.solve(talus.Problem(np.eye(3), [[-1.0, 0, 0]], 0.5), "apgdd")
    with pytest.raises(talus.InputError):
        talus.Problem(np.eye(3) * np.nan, [[-1.0, 0, 0]], 0.5)


def test_histories_fall_to_the_tolerance():
    w, q, mu = random_problem(20, 9)
    found = talus.solve(talus.Problem(w, q, mu), "gauss-seidel", tol=1e-8, history=True)
    residuals = [row[2] for row in found.report["history"]]
    assert len(residuals) > 2 and residuals[-1] < 1e-7 < residuals[0]
