// How the solves of a run of contact dynamics went, in numbers for people: series, summary, checkpoint.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "measure/series.hpp"
#include "step/diagnosis.hpp"
#include "talus/error.hpp"

namespace talus {

struct SolveStatistics {
    // Residuals by decade: up to 1e-12, up to 1e-11, ..., up to 1e-1, above.
    static constexpr int decades = 13;

    std::uint64_t steps = 0, unconverged = 0;
    std::uint64_t iterations = 0, mostIterations = 0;
    std::uint64_t unconvergedIterations = 0;                   // of the steps that did not converge
    SolverKind unconvergedSolver = SolverKind::interiorPoint;  // of the last of these steps
    double worstResidual = 0;                                  // -, natural map
    double worstPenetration = 0;                               // m/s, at which a contact still closed in after a solve
    std::uint64_t increments = 0, unconvergedIncrements = 0;   // quasi-static ones: parts of steps and unconverged
    std::uint64_t unbalanced = 0;                              // of these, those that ended out of balance
    std::uint64_t equilibriumIterations = 0;                   // of quasi-static increments
    double worstImbalance = 0;       // -, largest unbalanced force over the mean contact force
    double worstChangeOfMotion = 0;  // -, by compatible forces, of the largest velocity that reactions made
    std::uint64_t infeasible = 0;    // steps whose problem was proven to have no answer
    std::uint64_t unbounded = 0;     // increments that ended a run, since nothing carried a load
    std::uint64_t wedged = 0;        // steps in which a dilation angle may have no solution
    std::uint64_t jammed = 0;        // steps in which drives of joints had to give way
    JammedDrive worstJam;            // of these, the one with the largest force
    double dilation = 0;             // m, by which loaded contacts opened in all, on average
    std::array<std::uint64_t, decades> histogram{};
    FactorReport factors;                           // of second-order solvers, in all
    std::array<std::uint64_t, solverCount> used{};  // steps by SolverKind: which ones solver: auto took

    // Of the last step.
    std::uint64_t lastContacts = 0, lastIterations = 0;
    double lastResidual = 0;  // -
    std::uint64_t lastEquilibriumIterations = 0;
    double lastImbalance = 0;  // -

    void add(const StepOutcome& report, const Diagnosis& found, double dt);

    // By their names in the summary.
    static constexpr auto fields() {
        using S = SolveStatistics;
        return std::tuple{Field{"steps", &S::steps},
                          Field{"unconverged_steps", &S::unconverged},
                          Field{"iterations", &S::iterations},
                          Field{"most_iterations", &S::mostIterations},
                          Field{"unconverged_iterations", &S::unconvergedIterations},
                          Field{"unconverged_solver", &S::unconvergedSolver},
                          Field{"worst_residual", &S::worstResidual},
                          Field{"worst_penetration_speed", &S::worstPenetration},
                          Field{"increments", &S::increments},
                          Field{"unconverged_increments", &S::unconvergedIncrements},
                          Field{"unbalanced_increments", &S::unbalanced},
                          Field{"equilibrium_iterations", &S::equilibriumIterations},
                          Field{"worst_unbalanced_force", &S::worstImbalance},
                          Field{"worst_change_of_motion", &S::worstChangeOfMotion},
                          Field{"infeasible_steps", &S::infeasible},
                          Field{"unbounded_steps", &S::unbounded},
                          Field{"wedged_steps", &S::wedged},
                          Field{"jammed_steps", &S::jammed},
                          Field{"worst_jam", &S::worstJam},
                          Field{"dilation", &S::dilation},
                          Field{"residual_histogram", &S::histogram},
                          Field{"factors", &S::factors},
                          Field{"used", &S::used},
                          Field{"last_contacts", &S::lastContacts},
                          Field{"last_iterations", &S::lastIterations},
                          Field{"last_residual", &S::lastResidual},
                          Field{"last_equilibrium_iterations", &S::lastEquilibriumIterations},
                          Field{"last_unbalanced_force", &S::lastImbalance}};
    }
};

// No equilibrium, because nothing carries a load.
class UnboundedMotion : public RunError {
public:
    using RunError::RunError;
};

// Throws RunError if the step found no finite answer, UnboundedMotion if there is no equilibrium.
void checkSolve(const WorldState& world, const StepOutcome& report);

// Columns of the series: of the last step, and totals.
void addSolveColumns(const SolveStatistics& statistics, std::vector<SeriesValue>& row);

void addEquilibriumColumns(const SolveStatistics& statistics, std::vector<SeriesValue>& row);

// For the summary.
nlohmann::json asResults(const SolveStatistics& statistics);
// Steps of contact dynamics that stopped above the tolerance, if they are more than a few.
bool hasManyUnconverged(const SolveStatistics& statistics);
std::string describeUnconverged(const SolveStatistics& statistics, const ContactDynamicsSettings& settings);
// Increments of quasi-static loading that ended out of balance, for people; empty if they are few.
std::string describeUnbalanced(const SolveStatistics& statistics, double tolerance);
// Which drive of a joint was jammed, for people.
std::string describeJams(const SolveStatistics& statistics, const WorldState& world);
// What wedged contacts mean, for people.
std::string describeWedges(const SolveStatistics& statistics);
// What problems without an answer mean, for people.
std::string describeInfeasible(const SolveStatistics& statistics);

}  // namespace talus
