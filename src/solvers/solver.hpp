// Solving a contact problem: settings in, reactions out, a report of the same shape from every solver.
//
//   Solver solver({.kind = SolverKind::apgd, .tolerance = 1e-6});
//   SolveReport report = solver.solve(problem, reactions);      // reactions: first guess in, answer out
//
// A Solver keeps its scratch memory: after the first problem, first-order solvers allocate nothing for others of at
// most its size; second-order ones keep their factors and, while the contact graph is the same, their ordering.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "problem/contact_problem.hpp"
#include "problem/residual.hpp"
#include "talus/contact_dynamics.hpp"
#include "talus/factor_report.hpp"

namespace talus {

struct SolverSettings {
    SolverKind kind = SolverKind::gaussSeidel;
    FrictionLaw law = FrictionLaw::coulomb;
    double tolerance = 1e-6;                                     // -, natural map (problem/residual.hpp)
    std::uint64_t maxIterations = 1000;                          // sweeps or gradient steps
    std::uint64_t fixedIterations = 0;                           // if > 0: just so many, whatever the residual
    double timeLimit = std::numeric_limits<double>::infinity();  // s of wall clock
    SweepOrder sweep = SweepOrder::coloured;                     // Gauss-Seidel only
    std::vector<std::uint32_t> order;                            // of SweepOrder::given, each contact once
    std::uint64_t seed = 1;                                      // of SweepOrder::random
    double relaxation = 0;                                       // -, of Jacobi; 0: chosen per contact
    GradientScaling scaling = GradientScaling::contact;          // of the gradient methods
    bool history = false;                                        // record the residual along the way
};

// Throws InputError that names the field.
void validate(const SolverSettings& settings);

// infeasible: proven to have no answer (infeasibility.hpp); unbounded: without inertia, a load that nothing carries.
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

class Solver {
public:
    explicit Solver(SolverSettings settings);
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    SolveReport solve(const ContactProblem& problem, std::vector<Vec3>& reactions);

    // Another tolerance from now on.
    void setTolerance(double tolerance) { settings_.tolerance = tolerance; }

    // The order of SweepOrder::given from now on.
    void setOrder(const std::vector<std::uint32_t>& order) { settings_.order = order; }

    // Other random sweeps from now on.
    void reseed(std::uint64_t seed) { settings_.seed = seed; }

    // u of the last answer, m/s.
    const std::vector<Vec3>& velocities() const;

    const SolverSettings& settings() const { return settings_; }

private:
    struct Workspace;

    void solveByChoice(const ContactProblem& problem, std::vector<Vec3>& reactions, SolveReport& report);
    void squeeze(const ContactProblem& problem, std::vector<Vec3>& reactions, SolveReport& report);
    void solveWith(const SolverSettings& settings, const ContactProblem& problem, std::vector<Vec3>& reactions,
                   SolveReport& report);

    SolverSettings settings_;
    std::unique_ptr<Workspace> workspace_;
};

// Names as users write them: "gauss-seidel", "coulomb", "converged", ...
std::string_view nameOf(SolverKind kind);
std::string_view nameOf(FrictionLaw law);
std::string_view nameOf(SolveStatus status);

// The other way round; an InputError that lists the names if there is none like this.
SolverKind solverNamed(std::string_view name);
FrictionLaw frictionLawNamed(std::string_view name);
std::vector<SolverKind> allSolvers();

}  // namespace talus
