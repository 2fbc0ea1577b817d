// Contact problems and their solvers.
#include "talus/problem.hpp"

#include <algorithm>

#include "bindings.hpp"
#include "talus/error.hpp"
#include "talus/problem_file.hpp"
#include "talus/solver.hpp"

namespace talus::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig>;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>;
using Blocks = nb::ndarray<const double, nb::shape<-1, 3, 3>, nb::c_contig>;

std::vector<Mat3> matricesOf(const std::optional<Blocks>& blocks) {
    std::vector<Mat3> list(blocks ? blocks->shape(0) : 0);
    for (std::size_t i = 0; i < list.size(); ++i) {
        for (std::size_t k = 0; k < 9; ++k) list[i].m[k] = (*blocks)(i, k / 3, k % 3);
    }
    return list;
}

// W in blocks of 3 x 3, row by row, columns ascending: what scipy calls bsr.
BlockMatrix matrixOf(const Indices& rowStart, const Indices& columns, const Blocks& blocks) {
    BlockMatrix w;
    w.rowStart.clear();
    for (std::size_t i = 0; i < rowStart.shape(0); ++i) w.rowStart.push_back(static_cast<std::uint32_t>(rowStart(i)));
    for (std::size_t k = 0; k < columns.shape(0); ++k) w.column.push_back(static_cast<std::uint32_t>(columns(k)));
    w.block = matricesOf(blocks);
    w.finish();
    return w;
}

ContactProblem problemOf(const Indices& rowStart, const Indices& columns, const Blocks& blocks, const Rows& offset,
                         const std::vector<ReactionSet>& sets, const std::optional<Blocks>& compliance,
                         const std::optional<Blocks>& skew) {
    ContactProblem problem{.contacts = matrixOf(rowStart, columns, blocks),
                           .sets = sets,
                           .offset = vectorsOf(offset),
                           .compliance = matricesOf(compliance),
                           .skew = matricesOf(skew)};
    validate(problem);
    return problem;
}

// The whole matrix, E included, by its columns; for looking at small problems.
Array<double> denseMatrix(const ContactProblem& problem) {
    const std::size_t count = problem.contactCount(), rows = 3 * count;
    std::vector<double> w(rows * rows, 0.0);
    ContactProblem plain = problem;
    plain.offset.assign(count, {});
    std::vector<Vec3> unit(count), column;
    for (std::size_t j = 0; j < rows; ++j) {
        unit[j / 3][static_cast<int>(j % 3)] = 1;
        relativeVelocities(plain, unit, column);
        unit[j / 3][static_cast<int>(j % 3)] = 0;
        for (std::size_t i = 0; i < rows; ++i) w[i * rows + j] = column[i / 3][static_cast<int>(i % 3)];
    }
    return arrayOf(std::move(w), {rows, rows});
}

nb::dict reportOf(const SolveReport& report) {
    nb::dict d;
    d["status"] = std::string(nameOf(report.status));
    d["solver"] = std::string(nameOf(report.solver));
    d["reason"] = std::string(report.reason);
    d["iterations"] = report.iterations;
    d["seconds"] = report.seconds;
    const Residuals& r = report.residuals;
    d["residual"] = r.naturalMap;
    d["penetration"] = r.penetration;
    d["complementarity"] = r.complementarity;
    d["dissipation"] = r.dissipation;
    d["dilation"] = r.dilation;
    nb::list history;
    for (const IterationRecord& record : report.history) {
        history.append(nb::make_tuple(record.iteration, record.seconds, record.naturalMap));
    }
    d["history"] = history;
    return d;
}

struct SolveCall {
    std::string solver, law;
    double tolerance = 1e-6, timeLimit = 0;
    std::uint64_t maxIterations = 0;
    bool history = false;
};

nb::tuple solveProblem(const ContactProblem& problem, const SolveCall& call, const std::optional<Rows>& guess) {
    const SolverSettings settings{.kind = solverNamed(call.solver),
                                  .law = frictionLawNamed(call.law),
                                  .tolerance = call.tolerance,
                                  .maxIterations = call.maxIterations,
                                  .timeLimit = call.timeLimit,
                                  .history = call.history};
    const std::vector<Vec3> start = guess ? vectorsOf(*guess) : std::vector<Vec3>{};
    Solution found;
    {
        const nb::gil_scoped_release released;
        found = solve(problem, settings, start);
    }
    return nb::make_tuple(arrayOf(std::move(found.reactions)), arrayOf(std::move(found.velocities)),
                          reportOf(found.report));
}

nb::dict residualsOf(const ContactProblem& problem, const std::string& law, const Rows& reactions) {
    SolveReport report;
    report.residuals = measureResiduals(problem, frictionLawNamed(law), vectorsOf(reactions));
    return reportOf(report);
}

Array<double> velocitiesOf(const ContactProblem& problem, const Rows& reactions) {
    std::vector<Vec3> velocities;
    relativeVelocities(problem, vectorsOf(reactions), velocities);
    return arrayOf(std::move(velocities));
}

// Of each point on the set of its row; one set for all if there is only one.
Array<double> projected(const std::vector<ReactionSet>& sets, const Rows& points) {
    std::vector<Vec3> list = vectorsOf(points);
    if (sets.size() != list.size() && sets.size() != 1)
        throw InputError("project: one set per point is wanted, or one for all");
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = project(sets[sets.size() == 1 ? 0 : i], list[i]);
    return arrayOf(std::move(list));
}

}  // namespace

void bindProblem(nb::module_& m) {
    nb::class_<ReactionSet>(m, "ReactionSet")
        .def("__init__",
             [](ReactionSet* self, double friction, double cohesion, double cap, double ball, bool bilateral) {
                 new (self) ReactionSet{friction, cohesion, cap, ball, bilateral};
             })
        .def_ro("friction", &ReactionSet::friction)
        .def_ro("cohesion", &ReactionSet::cohesion)
        .def_ro("cap", &ReactionSet::cap)
        .def_ro("ball", &ReactionSet::ball)
        .def_ro("bilateral", &ReactionSet::bilateral);
    nb::class_<ContactProblem>(m, "Problem")
        .def(
            "__init__",
            [](ContactProblem* self, const Indices& rowStart, const Indices& columns, const Blocks& blocks,
               const Rows& offset, const std::vector<ReactionSet>& sets, const std::optional<Blocks>& compliance,
               const std::optional<Blocks>& skew) {
                new (self) ContactProblem(problemOf(rowStart, columns, blocks, offset, sets, compliance, skew));
            },
            nb::arg("row_start"), nb::arg("columns"), nb::arg("blocks"), nb::arg("offset"), nb::arg("sets"),
            nb::arg("compliance").none(), nb::arg("skew").none())
        .def_prop_ro("contact_count", &ContactProblem::contactCount)
        .def_ro("sets", &ContactProblem::sets)
        .def("offset", [](const ContactProblem& p) { return arrayOf(p.offset); })
        .def("matrix", denseMatrix)
        .def("velocities", velocitiesOf)
        .def("residuals", residualsOf);
    m.def(
        "solve",
        [](const ContactProblem& problem, const std::string& solver, const std::string& law, double tolerance,
           std::uint64_t maxIterations, double timeLimit, bool history, const std::optional<Rows>& guess) {
            return solveProblem(problem, {solver, law, tolerance, timeLimit, maxIterations, history}, guess);
        },
        nb::arg("problem"), nb::arg("solver"), nb::arg("law"), nb::arg("tolerance"), nb::arg("max_iterations"),
        nb::arg("time_limit"), nb::arg("history"), nb::arg("guess").none());
    m.def("solver_names", [] {
        std::vector<std::string> names;
        for (const SolverKind kind : allSolvers()) names.emplace_back(nameOf(kind));
        return names;
    });
    m.def("project", projected);
    m.def("read_problem", [](const std::string& file) {
        SavedProblem saved = readProblem(file);
        std::optional<Array<double>> solution;
        if (saved.solution) solution = arrayOf(std::move(*saved.solution));
        return std::tuple(std::move(saved.problem), std::move(solution), saved.title, saved.description);
    });
    m.def(
        "write_problem",
        [](const std::string& file, const ContactProblem& problem, const std::optional<Rows>& solution) {
            std::optional<std::vector<Vec3>> reactions;
            if (solution) reactions = vectorsOf(*solution);
            writeProblem(file, problem, reactions);
        },
        nb::arg("file"), nb::arg("problem"), nb::arg("solution").none());
}

}  // namespace talus::python
