#!/usr/bin/env python3
"""Talus against Siconos: the same contact problems must get the same velocities.

    check_siconos.py TALUS FOLDER [PROBLEM...]   solve the problems (default: tests/problems/data) with both; exit 1 if
                                                 they disagree, or if nothing could be compared
    check_siconos.py --self-test                 what is judged, on answers that are known

Each file is read here once more, by another reader than that of Talus, and every answer is judged by its reactions
alone: velocities and residual (docs/contact-problems.md) are computed from W, q and mu of the file. What Talus wrote and
reported must be the same numbers. Answers with a residual of at most 1e-8 are compared, all with all. Reactions need not
be unique, but velocities are: always without friction, so each problem is solved without it as well, and mostly with
exact Coulomb friction. Velocities differ by the largest difference of a contact over the largest speed of all contacts
with or without reactions (in a stack at rest, those with reactions are all but zero).

Where they differ, both programs try again to 1e-10: if their answers get that near to a solution each and still differ,
the problem has several solutions, and that is told, not judged.
"""
import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TALUS_SOLVERS = ("apgd", "gauss-seidel")
SICONOS_SOLVERS = ("NSGS", "PROX", "ADMM", "NSN_AC", "NSN_AC_TEST")
TARGETS = (1e-8, 1e-10)  # residuals of answers that are compared; the second if those of the first differ
MARGIN = 10              # the solvers are asked for so much less
LIMIT = 10               # s for one solve
NEAR = 1e-6              # of the largest speed; up to 2e-7 was seen


# ---- problems and answers

def read_matrix(group):
    import scipy.sparse
    shape = int(group["m"][0]), int(group["n"][0])
    kind, p, i, x = int(group["nz"][0]), group["p"][:], group["i"][:], group["x"][:]
    if kind >= 0:
        return scipy.sparse.csr_matrix((x[:kind], (i[:kind], p[:kind])), shape=shape)
    made = scipy.sparse.csr_matrix if kind == -2 else scipy.sparse.csc_matrix
    return made((x[:p[-1]], i[:p[-1]], p), shape=shape).tocsr()


def read_problem(path):
    """(W, q, mu) of a file of either form."""
    import h5py
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import splu
    with h5py.File(path) as file:
        form = file["fclib_local" if "fclib_local" in file else "fclib_global"]
        if "V" in form or "G" in form or form["spacedim"][0] != 3:
            sys.exit(f"{path}: only contacts of three dimensions without bilateral rows can be compared")
        if "W" in form:
            return read_matrix(form["W"]), form["vectors/q"][:], form["vectors/mu"][:]
        h, mass = read_matrix(form["H"]), splu(read_matrix(form["M"]).tocsc())
        w = csr_matrix(h.T @ mass.solve(h.toarray()))
        return w, h.T @ mass.solve(form["vectors/f"][:]) + form["vectors/w"][:], form["vectors/mu"][:]


def write_without_friction(path, to):
    import h5py
    import shutil
    shutil.copy(path, to)
    with h5py.File(to, "r+") as file:
        form = file["fclib_local" if "fclib_local" in file else "fclib_global"]
        form["vectors/mu"][:] = 0


def answer_of_talus(talus, path, solver, target, folder, scaled):
    """(residual, velocities); scaled: the problem with a mean diagonal of 1."""
    import h5py
    import numpy
    out = folder / f"{path.stem}-{solver}.hdf5"
    out.unlink(missing_ok=True)
    done = subprocess.run([talus, "solve", str(path), "--solver", solver, "--tol", str(target / MARGIN), "--json",
                           "--time-limit", str(LIMIT), "--max-iterations", "1000000000", "--threads", "1",
                           "-o", str(out)], capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(done.stderr)
    claimed = json.loads(done.stdout)[0]["residual"]
    with h5py.File(out) as file:
        r, u = file["solution/r"][:], file["solution/u"][:]
    residual, velocities = scaled.residual(r * scaled.unit), scaled.w @ (r * scaled.unit) + scaled.q
    if abs(residual - claimed) > 0.01 * max(residual, claimed) + 1e-13:
        sys.exit(f"{path.name}, {solver}: Talus reports a residual of {claimed}, but its answer has {residual}")
    if numpy.abs(u - velocities).max() > 1e-9 * max(numpy.abs(u).max(), numpy.abs(scaled.q).max()):
        sys.exit(f"{path.name}, {solver}: the velocities that Talus wrote are not those of its reactions")
    return residual, velocities


def answer_of_siconos(solve, scaled, solver, target):
    best = None
    for r, _ in solve.answers(scaled, solver, [target, target / MARGIN], LIMIT):
        residual = scaled.residual(r)
        if best is None or residual < best[0]:
            best = residual, scaled.w @ r + scaled.q
    return best


def answers(talus, path, folder, target):
    """By program, a dictionary of solver to (residual, velocities over the largest |q_i|), of those that reached the
    target."""
    sys.path.insert(0, str(ROOT / "bench/peers/siconos"))
    import solve
    w, q, mu = read_problem(path)
    unit = w.diagonal().mean()
    scaled = solve.Problem((w / unit).tobsr((3, 3)), q, mu)
    scaled.unit = unit  # of reactions
    ours = {s: answer_of_talus(talus, path, s, target, folder, scaled) for s in TALUS_SOLVERS}
    theirs = {s: answer_of_siconos(solve, scaled, s, target) for s in SICONOS_SOLVERS}
    speed = max(math.hypot(*v) for v in contacts_of(q))
    return [{s: (a[0], (a[1] / speed).tolist()) for s, a in found.items() if a is not None and a[0] <= target}
            for found in (ours, theirs)]


# ---- judgement

def contacts_of(velocities):
    return list(zip(*[iter(velocities)] * 3))


def difference(a, b):
    """Largest difference of a contact's velocity over the largest speed; 1 is the largest without reactions."""
    fastest = max(1.0, *(math.hypot(*u) for u in contacts_of(a) + contacts_of(b)))
    return max(math.dist(u, v) for u, v in zip(contacts_of(a), contacts_of(b))) / fastest


def widest(found):
    """(difference, names) of the two answers that differ most, among all of both programs."""
    named = [(solver, u) for program in found for solver, (_, u) in program.items()]
    pairs = [(difference(u, v), f"{a}, {b}") for k, (a, u) in enumerate(named) for b, v in named[:k]]
    return max(pairs)


def judge(solve_to):
    """(verdict, answers compared, difference, names); solve_to(target) gives answers()."""
    found = solve_to(TARGETS[0])
    if not all(found):
        missing = [name for name, program in zip(("Talus", "Siconos"), found) if not program]
        return f"no answer of {' and '.join(missing)}", found, None, ""
    apart, names = widest(found)
    if apart <= NEAR:
        return "agree", found, apart, names
    finer = solve_to(TARGETS[1])
    if all(finer):
        again, names = widest(finer)
        return "agree" if again <= NEAR else "several solutions", finer, again, names
    return "DISAGREE", found, apart, names


def row(name, contacts, apart, verdict, ours, theirs, names):
    return f"{name:54} {contacts:>8}  {apart:>8}  {verdict:31}  {ours:17}  {theirs:33}  {names}".rstrip()


def self_test():
    exact, near, far = [1.0, 0, 0, 0, 2, 0], [1.0, 0, 1e-9, 0, 2, 0], [1.0, 0, 0, 0, 1, 1]
    assert difference(exact, exact) == 0
    assert difference([1e-9, 0, 0], [0.0, 0, 0]) == 1e-9  # at rest
    assert abs(difference(exact, far) - math.sqrt(2) / 2) < 1e-12
    assert judge(lambda _: [{"apgd": (1e-9, exact)}, {"PROX": (1e-9, near)}])[0] == "agree"
    assert judge(lambda _: [{"apgd": (1e-9, exact)}, {}])[0] == "no answer of Siconos"
    # Both get nearer to a solution, but not to each other; or one of them does not get nearer.
    assert judge(lambda _: [{"apgd": (1e-11, exact)}, {"PROX": (1e-11, far)}])[0] == "several solutions"
    assert judge(lambda t: [{"apgd": (1e-9, exact)} if t == 1e-8 else {}, {"PROX": (1e-11, far)}])[0] == "DISAGREE"
    # Near a solution by the first target, the same by the second.
    assert judge(lambda t: [{"apgd": (1e-9, exact)}, {"PROX": (1e-9, far if t == 1e-8 else near)}])[0] == "agree"
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    import warnings
    warnings.simplefilter("ignore")
    talus, folder = sys.argv[1], Path(sys.argv[2])
    problems = [Path(p) for p in sys.argv[3:]] or sorted((ROOT / "tests/problems/data").glob("*.hdf5"))
    folder.mkdir(parents=True, exist_ok=True)
    print(row("problem", "contacts", "velocity", "verdict", "Talus", "Siconos", "farthest apart"))
    verdicts = []
    for path in problems:
        smooth = folder / f"{path.stem}-frictionless.hdf5"
        write_without_friction(path, smooth)
        for problem in (path, smooth):
            verdict, found, apart, names = judge(lambda target: answers(talus, problem, folder, target))
            if problem == smooth and verdict == "several solutions":
                verdict = "DISAGREE"  # without friction there is only one
            verdicts.append(verdict)
            reached = ["/".join(program) or "-" for program in found]
            number = "-" if apart is None else f"{apart:.1e}"
            print(row(problem.stem, len(read_problem(problem)[2]), number, verdict, *reached, names), flush=True)
    return 1 if "DISAGREE" in verdicts or "agree" not in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
