"""Contact problems and their solvers.

A contact problem asks for reactions g and relative velocities u with u = W g + q, where each reaction lies in its set (a
friction cone, mostly) and -u in the normal cone of the set at g: docs/contact-problems.md. Rows come in threes: normal,
first and second tangent of each contact; normal components push contacts open.
"""
import math
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import InputError

Floats = NDArray[np.float64]
Path = Union[str, "os.PathLike[str]"]


def reaction_sets(friction: Any = 0.0, *, cohesion: Any = 0.0, cap: Any = math.inf, ball: Any = 0.0,
                  bilateral: Any = False, count: Optional[int] = None) -> List[Any]:
    """The sets { |g_t| <= friction (g_n + cohesion), g_n <= cap } (+) { |b| <= ball }, one per contact; all of space if
    bilateral. Each argument is one number or one per contact."""
    columns = [np.atleast_1d(np.asarray(x)) for x in (friction, cohesion, cap, ball, bilateral)]
    size = count if count is not None else max(len(x) for x in columns)
    rows = zip(*(np.broadcast_to(x, (size,)) for x in columns))
    return [_core.ReactionSet(float(f), float(c), float(n), float(b), bool(free)) for f, c, n, b, free in rows]


class Solution(NamedTuple):
    """What a solver found."""

    reactions: Floats  # N s, (n, 3): normal, first, second tangent
    velocities: Floats  # m/s, likewise
    report: Dict[str, Any]  # status, solver, iterations, seconds, residual, ...; history if asked for

    @property
    def converged(self) -> bool:
        return bool(self.report["status"] == "converged")


class Problem:
    """A contact problem.

    W: (3n, 3n), an array or anything of scipy.sparse; q: 3n numbers or (n, 3); mu: friction, one or one per contact, or
    sets=reaction_sets(...). compliance: (n, 3, 3), s/kg. skew: (n, 3, 3).

    >>> found = talus.solve(talus.Problem(W, q, mu=0.7), tol=1e-8)
    >>> found.reactions, found.report["status"]
    """

    def __init__(self, W: Any, q: Any, mu: Any = None, *, sets: Optional[Sequence[Any]] = None,
                 compliance: Any = None, skew: Any = None) -> None:
        offset = np.ascontiguousarray(q, dtype=np.float64).reshape(-1, 3)
        count = len(offset)
        start, columns, blocks = _blocks(W, count)
        if sets is None:
            sets = reaction_sets(0.0 if mu is None else mu, count=count)
        elif mu is not None:
            raise InputError("Problem: give mu or sets, and not both")
        self._core = _core.Problem(start, columns, blocks, offset, list(sets), _stack(compliance, count),
                                   _stack(skew, count))
        self.reactions: Optional[Floats] = None  # N s, known ones: of the file or the step it comes from
        self.title = ""

    @classmethod
    def _of(cls, core: Any, reactions: Any = None, title: str = "") -> "Problem":
        problem = cls.__new__(cls)
        problem._core = core
        problem.reactions = reactions
        problem.title = title
        return problem

    @classmethod
    def from_bodies(cls, M: Any, H: Any, velocity: Any, mu: Any = None, *, offset: Any = None, **others: Any) -> "Problem":
        """Of masses and Jacobians: M (m, m) symmetric, H (m, 3n) with u = H^T v, free velocities v (m); needs scipy.

        W = H^T M^-1 H, q = H^T v + offset.
        """
        from scipy.sparse import csc_matrix
        from scipy.sparse.linalg import splu
        mass, jacobian = csc_matrix(M), csc_matrix(H)
        w = jacobian.T @ csc_matrix(splu(mass).solve(jacobian.toarray()))
        q = jacobian.T @ np.asarray(velocity, dtype=np.float64)
        return cls(w, q if offset is None else q + np.asarray(offset, dtype=np.float64).ravel(), mu, **others)

    @classmethod
    def load(cls, file: Path) -> "Problem":
        """From a file of FCLIB; its solution, if it has one, as `reactions`."""
        core, solution, title, _ = _core.read_problem(os.fspath(file))
        return cls._of(core, solution, title)

    def save(self, file: Path, reactions: Any = None) -> None:
        """To a file of FCLIB, in the local form."""
        known = self.reactions if reactions is None else reactions
        _core.write_problem(os.fspath(file), self._core, None if known is None else _rows(known))

    def __len__(self) -> int:
        return int(self._core.contact_count)

    @property
    def W(self) -> Floats:
        """The whole matrix, compliance included, (3n, 3n): for small problems"""
        matrix: Floats = self._core.matrix()
        return matrix

    @property
    def q(self) -> Floats:
        """m/s, (n, 3)"""
        offset: Floats = self._core.offset()
        return offset

    @property
    def mu(self) -> Floats:
        """friction of each contact, (n,)"""
        return np.array([s.friction for s in self._core.sets])

    @property
    def sets(self) -> List[Any]:
        return list(self._core.sets)

    def velocities(self, reactions: Any) -> Floats:
        """u = W g + q, m/s"""
        found: Floats = self._core.velocities(_rows(reactions))
        return found

    def residuals(self, reactions: Any, law: str = "coulomb") -> Dict[str, float]:
        """How far reactions are from a solution: residual (natural map), penetration (m/s), complementarity (J), ..."""
        told = self._core.residuals(law, _rows(reactions))
        return {name: told[name] for name in ("residual", "penetration", "complementarity", "dissipation", "dilation")}

    def __repr__(self) -> str:
        return f"<problem of {len(self)} contacts{', ' + self.title if self.title else ''}>"


def solve(problem: Problem, solver: str = "auto", tol: float = 1e-8, *, law: str = "coulomb",
          max_iterations: int = 100_000, time_limit: float = math.inf, guess: Any = None,
          history: bool = False) -> Solution:
    """Solves a contact problem: reactions, velocities, and a report whose residual is computed anew from the answer.

    solver: talus.solvers() has the names. law: coulomb, or associated (convex; sliding contacts open). tol: relative
    natural map. history: report["history"] has rows (iteration, seconds, residual).
    """
    start = None if guess is None else _rows(guess)
    return Solution(*_core.solve(problem._core, solver, law, float(tol), int(max_iterations), float(time_limit),
                                 bool(history), start))


def solvers() -> List[str]:
    """Names that solve() knows."""
    return [*_core.solver_names(), "auto"]


def project(points: Any, friction: Any = None, *, sets: Optional[Sequence[Any]] = None) -> Floats:
    """The nearest member of the reaction set of each point, (n, 3); friction: one or one per point."""
    rows = _rows(points)
    known = list(sets) if sets is not None else reaction_sets(0.0 if friction is None else friction)
    projected: Floats = _core.project(known, rows)
    return projected


def _rows(values: Any) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float64).reshape(-1, 3)


def _stack(matrices: Any, count: int) -> Any:
    if matrices is None:
        return None
    return np.ascontiguousarray(np.broadcast_to(np.asarray(matrices, dtype=np.float64), (count, 3, 3)))


def _blocks(w: Any, count: int) -> Tuple[Any, Any, Any]:
    """A matrix in blocks of 3 x 3, row by row, columns ascending; every diagonal block is there."""
    if w.shape != (3 * count, 3 * count):
        raise InputError(f"Problem: W must be {3 * count} x {3 * count} for {count} contacts, got {w.shape[0]} x {w.shape[1]}")
    if hasattr(w, "tocoo"):
        entries = w.tocoo()
        row, column, value = entries.row, entries.col, entries.data
    else:
        dense = np.asarray(w, dtype=np.float64)
        row, column = np.nonzero(dense)
        value = dense[row, column]
    diagonal = np.arange(count, dtype=np.int64)
    keys = np.concatenate([(row.astype(np.int64) // 3) * count + column // 3, diagonal * count + diagonal])
    places, which = np.unique(keys, return_inverse=True)
    blocks = np.zeros((len(places), 3, 3))
    np.add.at(blocks, (which[: len(value)], row % 3, column % 3), value)
    start = np.searchsorted(places, np.arange(count + 1, dtype=np.int64) * count)
    return start.astype(np.int64), np.ascontiguousarray(places % count), blocks
