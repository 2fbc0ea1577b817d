// Solving a contact problem (talus/problem.hpp): a problem, a guess and settings in, a Solution out, the same shape
// from every solver.
//
//   SolverWorkspace workspace;
//   const Solution& found = solve(problem, guess, {.kind = SolverKind::apgd, .tolerance = 1e-6}, workspace);
//   if (found.report.status == SolveStatus::converged) use(found.reactions);
//
// A workspace keeps what solvers make for themselves: after the first problem, first-order solvers allocate nothing for
// others of at most its size; second-order ones keep their factors and, while the contact graph is the same, their
// ordering. It holds no part of any answer's meaning and can be thrown away between any two solves.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "talus/factor_report.hpp"
#include "talus/problem.hpp"
#include "talus/solver_kind.hpp"

namespace talus {

struct GaussSeidelSettings {
    SweepOrder sweep = SweepOrder::coloured;
    std::vector<std::uint32_t> order;  // of SweepOrder::given, each contact once
    std::uint64_t seed = 1;            // of SweepOrder::random
};

struct JacobiSettings {
    double relaxation = 0;  // -, 0 to 1: share of its own full step that a contact goes; 0: chosen per contact
};

// Of apgd and spg.
struct GradientSettings {
    GradientScaling scaling = GradientScaling::contact;
};

struct SolverSettings {
    SolverKind kind = SolverKind::gaussSeidel;
    FrictionLaw law = FrictionLaw::coulomb;
    double tolerance = 1e-6;                                     // -, natural map (Residuals)
    std::uint64_t maxIterations = 1000;                          // sweeps, gradient steps or factorisations
    std::uint64_t fixedIterations = 0;                           // if > 0: just so many, whatever the residual
    double timeLimit = std::numeric_limits<double>::infinity();  // s of wall clock
    bool history = false;                                        // record the residual along the way
    // What only some have.
    GaussSeidelSettings gaussSeidel;
    JacobiSettings jacobi;
    GradientSettings gradient;
};

// Throws InputError that names the field.
void validate(const SolverSettings& settings);

// infeasible: proven to have no answer (no motion that the contacts allow); unbounded: without inertia, a load that
// nothing carries.
enum class SolveStatus { notRun, converged, stalled, iterationLimit, timeLimit, numericalError, infeasible, unbounded };

struct IterationRecord {
    std::uint64_t iteration = 0;
    double seconds = 0;
    double naturalMap = 0;
};

struct SolveReport {
    SolveStatus status = SolveStatus::notRun;
    SolverKind solver = SolverKind::gaussSeidel;  // that gave the answer
    std::string_view reason;                      // why it was chosen, for SolverKind::automatic
    std::uint64_t iterations = 0;
    double seconds = 0;
    FactorReport factors;                  // of second-order solvers
    Residuals residuals;                   // of the answer, computed anew from its reactions
    std::vector<IterationRecord> history;  // empty unless asked for
};

struct Solution {
    std::vector<Vec3> reactions;   // N s, of each contact (normal, first, second tangent)
    std::vector<Vec3> velocities;  // m/s, u of these reactions
    SolveReport report;
};

// Scratch of the solvers, each part made when it is first asked for.
class SolverWorkspace {
public:
    SolverWorkspace() = default;
    SolverWorkspace(SolverWorkspace&&) noexcept = default;
    SolverWorkspace& operator=(SolverWorkspace&&) noexcept = default;

    template <class Part>
    Part& part() {
        for (const auto& [type, kept] : parts_) {
            if (type == std::type_index(typeid(Part))) return *static_cast<Part*>(kept.get());
        }
        return *static_cast<Part*>(parts_.emplace_back(typeid(Part), std::make_shared<Part>()).second.get());
    }

private:
    std::vector<std::pair<std::type_index, std::shared_ptr<void>>> parts_;
};

// The answer lies in the workspace until its next solve. A guess of another size than the problem counts as none.
// Throws InputError if the settings are wrong or the solver does not know such problems. A guess that is not good
// enough, a limit that came first, numbers gone bad: all that is in the report's status.
const Solution& solve(const ContactProblem& problem, const std::vector<Vec3>& guess, const SolverSettings& settings,
                      SolverWorkspace& workspace);

// One problem alone.
Solution solve(const ContactProblem& problem, const SolverSettings& settings = {}, const std::vector<Vec3>& guess = {});

// Names as users write them: "coulomb", "converged", ...; of solvers: solver_kind.hpp.
std::string_view nameOf(FrictionLaw law);
std::string_view nameOf(SolveStatus status);

// The other way round; an InputError that lists the names if there is none like this.
SolverKind solverNamed(std::string_view name);
FrictionLaw frictionLawNamed(std::string_view name);
std::vector<SolverKind> allSolvers();

}  // namespace talus
