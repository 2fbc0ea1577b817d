"""Runs solvers of Siconos on a contact problem with exact Coulomb friction.

    solve.py FOLDER TIME_LIMIT SOLVER,... TOLERANCE...

FOLDER holds the problem as plain arrays (int32 or float64): row_start, column, value (3 x 3 blocks of W, row by row),
q, mu; W has a mean diagonal of 1. Each answer is written as FOLDER/SOLVER-K.r and as a line "SOLVER K SECONDS" in
FOLDER/answers. A solver starts from zero for each of its own tolerances, falling from ten times the first one asked
for, until the answer is good for the last one. The time limit is that of one solve: what takes longer is no answer, and
ends the solver. The best answers are sorted out by the caller.
"""
import ctypes
import multiprocessing
import os
import signal
import sys
import time
import warnings
from pathlib import Path

# One thread, as it is compared with one of Talus; threads that wait for each other on a busy machine cost most of all.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy
import scipy.sparse
import siconos.numerics as numerics

FACTOR = 10 ** 0.5  # between the tolerances that are tried
FINEST = 1e-15  # its own tolerances end here
ROUNDS, ENOUGH = 5, 0.25  # short solves are repeated, up to so many seconds, as those of Talus; the best counts
END_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl


def relative(error, load):
    return 0.0 if error == 0 else 1.0 if load == 0 else error / load


class Problem:
    """u = W r + q, with W as a sparse matrix of 3 x 3 blocks and a mean diagonal of 1."""

    def __init__(self, w, q, mu):
        self.w, self.q, self.mu = w, q, mu
        size = len(q)
        self.problem = numerics.FrictionContactProblem(3, w.tocsc(), q.copy(), mu.copy())
        self.sparse = self.problem.M
        # Gauss-Seidel is faster on blocks.
        self.keep = numerics.SBM_from_csparse(3, w.tocsc())[1]
        self.blocks = numerics.NM_new()
        self.blocks.storageType, self.blocks.size0, self.blocks.size1, self.blocks.matrix1 = 1, size, size, self.keep

    def residual(self, r):
        """The residual of Talus: the larger of the mean map and the contact map (problem/residual.hpp)."""
        u = self.w @ r + self.q
        shifted = u.reshape(-1, 3).copy()
        shifted[:, 0] += self.mu * numpy.hypot(shifted[:, 1], shifted[:, 2])
        g = r.reshape(-1, 3)
        norm = numpy.linalg.norm
        mean_map = relative(norm(g - self.project(g - shifted)), max(norm(g), norm(self.q), norm(u)))
        w = self.w.diagonal().reshape(-1, 3).mean(axis=1)[:, None]
        acts = numpy.any(g != 0, axis=1)[:, None]
        load = norm(acts * numpy.sqrt(w) * g)
        effect = norm(acts * (u - self.q).reshape(-1, 3) / numpy.sqrt(w))
        contact_map = relative(norm(numpy.sqrt(w) * (g - self.project(g - shifted / w))), min(load, 100 * effect))
        return max(mean_map, contact_map)

    def project(self, g):
        normal, tangent, mu = g[:, 0], numpy.hypot(g[:, 1], g[:, 2]), self.mu
        height = numpy.maximum((normal + mu * tangent) / (1 + mu * mu), 0)
        scale = numpy.divide(mu * height, tangent, out=numpy.zeros_like(tangent), where=tangent > 0)
        on_cone = numpy.column_stack((height, scale * g[:, 1], scale * g[:, 2]))
        return numpy.where((tangent <= mu * normal)[:, None], g, on_cone)

    def solve(self, name, tolerance):
        options = numerics.SolverOptions(getattr(numerics, "SICONOS_FRICTION_3D_" + name))
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 10 ** 7
        options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
        if name == "NSGS":
            options.iparam[numerics.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = \
                numerics.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL
        self.problem.M = self.sparse if name.startswith("NSN") else self.blocks
        r, u = numpy.zeros_like(self.q), numpy.zeros_like(self.q)
        start = time.perf_counter()
        numerics.fc3d_driver(self.problem, r, u, options)
        return r, time.perf_counter() - start


def read_problem(folder):
    def read(name, kind):
        return numpy.fromfile(folder / name, dtype=kind)

    q, mu = read("q", float), read("mu", float)
    blocks = read("value", float).reshape(-1, 3, 3)
    w = scipy.sparse.bsr_matrix((blocks, read("column", "i4"), read("row_start", "i4")), shape=(len(q), len(q)))
    return Problem(w, q, mu)


def climb(problem, name, tolerances, pipe):
    """Sends (r, seconds) for one tolerance after the other; in a process of its own, which can be ended."""
    ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)
    tolerance = 10 * tolerances[0]
    while tolerance > FINEST:
        r, seconds = problem.solve(name, tolerance)
        spent, rounds = seconds, 1
        while spent < ENOUGH and rounds < ROUNDS:
            again = problem.solve(name, tolerance)[1]
            seconds, spent, rounds = min(seconds, again), spent + again, rounds + 1
        pipe.send((r, seconds))
        if problem.residual(r) <= tolerances[-1]:
            return
        tolerance /= FACTOR


def answers(problem, name, tolerances, limit):
    """Yields (r, seconds) of each solve within the limit, of a solver that may also crash."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=climb, args=(problem, name, tolerances, theirs))
    process.start()
    theirs.close()
    try:
        while ours.poll(limit + ENOUGH):
            r, seconds = ours.recv()
            if seconds > limit:
                return
            yield r, seconds
    except EOFError:
        pass  # the end of the ladder, or of the solver
    finally:
        process.kill()
        process.join()


def main():
    warnings.simplefilter("ignore")
    folder, limit = Path(sys.argv[1]), float(sys.argv[2])
    tolerances = [float(word) for word in sys.argv[4:]]
    problem = read_problem(folder)
    with open(folder / "answers", "w") as listed:
        for name in sys.argv[3].split(","):
            for k, (r, seconds) in enumerate(answers(problem, name, tolerances, limit)):
                r.tofile(folder / f"{name}-{k}.r")
                listed.write(f"{name} {k} {seconds}\n")


if __name__ == "__main__":
    main()
