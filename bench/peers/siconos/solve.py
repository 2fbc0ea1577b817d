"""Runs solvers of Siconos on a contact problem with exact Coulomb friction.

    solve.py FOLDER TIME_LIMIT SOLVER,... TOLERANCE...

FOLDER holds the problem as plain arrays (int32 or float64): row_start, column, value (3 x 3 blocks of W, row by row),
q, mu; W has a mean diagonal of 1. Each answer is written as FOLDER/SOLVER-K.r and as a line "SOLVER K SECONDS" in
FOLDER/answers. A solver starts from zero for each of its own tolerances, falling from ten times the first one asked
for, until the answer is good for the last one or the time is up. The best answers are sorted out by the caller.
"""
import multiprocessing
import sys
import time
import warnings
from pathlib import Path

import numpy
import scipy.sparse
import siconos.numerics as numerics

FACTOR = 10 ** 0.5  # between the tolerances that are tried
ROUNDS, ENOUGH = 5, 0.25  # short solves are repeated, up to so many seconds, as those of Talus; the best counts


class Problem:
    def __init__(self, folder):
        def read(name, kind):
            return numpy.fromfile(folder / name, dtype=kind)

        self.q, self.mu = read("q", float), read("mu", float)
        blocks = read("value", float).reshape(-1, 3, 3)
        size = len(self.q)
        self.w = scipy.sparse.bsr_matrix((blocks, read("column", "i4"), read("row_start", "i4")), shape=(size, size))
        # Gauss-Seidel is several times faster on blocks.
        self.keep = numerics.SBM_from_csparse(3, self.w.tocsc())[1]
        matrix = numerics.NM_new()
        matrix.storageType, matrix.size0, matrix.size1, matrix.matrix1 = 1, size, size, self.keep
        self.problem = numerics.FrictionContactProblem(3, self.w.tocsc(), self.q.copy(), self.mu.copy())
        self.sparse = self.problem.M
        self.problem.M = matrix

    def residual(self, r):
        """The natural map of Talus, relative."""
        u = self.w @ r + self.q
        shifted = u.reshape(-1, 3).copy()
        shifted[:, 0] += self.mu * numpy.hypot(shifted[:, 1], shifted[:, 2])
        g = r.reshape(-1, 3)
        difference = numpy.linalg.norm(g - self.project(g - shifted))
        return difference / max(map(numpy.linalg.norm, (r, self.q, u)))

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
        r, u = numpy.zeros_like(self.q), numpy.zeros_like(self.q)
        start = time.perf_counter()
        numerics.fc3d_driver(self.problem, r, u, options)
        return r, time.perf_counter() - start


def run(folder, name, tolerances):
    problem = Problem(folder)
    tolerance = 10 * tolerances[0]
    for k in range(40):
        r, seconds = problem.solve(name, tolerance)
        spent, rounds = seconds, 1
        while spent < ENOUGH and rounds < ROUNDS:
            again = problem.solve(name, tolerance)[1]
            seconds, spent, rounds = min(seconds, again), spent + again, rounds + 1
        r.tofile(folder / f"{name}-{k}.r")
        with open(folder / "answers", "a") as answers:
            answers.write(f"{name} {k} {seconds}\n")
        if problem.residual(r) <= tolerances[-1]:
            return
        tolerance /= FACTOR


def main():
    warnings.simplefilter("ignore")
    folder, limit = Path(sys.argv[1]), float(sys.argv[2])
    tolerances = [float(word) for word in sys.argv[4:]]
    for name in sys.argv[3].split(","):
        process = multiprocessing.Process(target=run, args=(folder, name, tolerances))
        process.start()
        process.join(limit)
        if process.is_alive():
            process.kill()
            process.join()


if __name__ == "__main__":
    main()
