#include "run/rigidity_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace talus {
namespace {

// The steps that did not converge are those in which a packing gives way. Compatible forces come with an exact motion.
IterativeSolves solvesOf(const WorldState& world, const StepSettings& settings, const SolveStatistics& statistics) {
    const ContactDynamicsSettings& s = settings.contactDynamics;
    const bool isFixed = s.fixedIterations > 0 && s.forces != ForceRule::compatible;
    const SolverKind solver = s.solver.value_or(SolverKind::gaussSeidel);
    IterativeSolves solves;
    solves.solver = solver == SolverKind::automatic ? statistics.unconvergedSolver : solver;
    solves.sweep = s.sweep;
    if (isFixed) {
        solves.iterations = static_cast<double>(s.fixedIterations);
    } else if (statistics.unconverged > 0) {
        solves.iterations =
            static_cast<double>(statistics.unconvergedIterations) / static_cast<double>(statistics.unconverged);
    }
    solves.dt = settings.dt;
    solves.impulseTime = world.contacts.impulseTime;
    solves.steps = static_cast<double>(statistics.steps);
    solves.stabilisation = s.stabilisation;
    solves.correction = s.correction;
    solves.warmStart = s.warmStart;
    return solves;
}

std::string nameOf(Softness softness) {
    switch (softness) {
        case Softness::none:
            return "none";
        case Softness::springs:
            return "springs";
        case Softness::healing:
            return "healing";
        case Softness::breathing:
            return "breathing";
        case Softness::loose:
            return "loose";
        case Softness::creeping:
            return "creeping";
    }
    return "";
}

std::string lengthInWords(double length) {
    if (length >= 1) return fmt::format("{:.2g} m", length);
    return fmt::format("{:.2g} mm", 1e3 * length);
}

// Steps that reach a loose tolerance let overlaps grow all the same; where nothing pushes them apart, they stay.
void findLooseness(const ContactDynamicsSettings& s, RigidityReport& report) {
    Rigidity& r = report.rigidity;
    const LoadedNetwork& n = report.network;
    if (r.softness != Softness::none || s.stabilisation != Stabilisation::quasiInelastic || !(n.bearing > 0)) return;
    const double strain = n.overlapStrain();
    if (strain <= visibleShrinkage) return;
    r.softness = Softness::loose;
    r.soft = true;
    r.shrinkage = strain * n.height;
    r.relativeShrinkage = strain;
}

std::string whatHappens(const RigidityReport& report) {
    const Rigidity& r = report.rigidity;
    const std::string much =
        fmt::format("{} on average ({:.2g} %)", lengthInWords(r.shrinkage), 100 * r.relativeShrinkage);
    switch (r.softness) {
        case Softness::breathing:
            return fmt::format("under its load it may swell and sink by about {}", much);
        case Softness::creeping:
            return fmt::format("with warm_start: false it gives way anew in each step and may have sunk by {}", much);
        default:
            return fmt::format("under its load it may have sunk by {}", much);
    }
}

// A number that would not end in this world is not advice.
constexpr double mostAdvised = 1e5;

// Overlaps that so many iterations would not leave by themselves: more of them would not take the cause away.
bool hasAnotherCause(const RigidityReport& report) {
    return report.rigidity.soft && report.rigidity.softness != Softness::loose &&
           report.rigidity.iterationsNeeded <= report.solves.iterations;
}

}  // namespace

void watchLoads(const WorldState& world, const std::vector<ContactSample>& samples, const StepSettings& settings,
                const SolveStatistics& statistics, LoadWatch& watch) {
    if (world.contacts.areElastic() || settings.quasiStatic || samples.empty()) return;
    const SolverKind solver = solvesOf(world, settings, statistics).solver;
    watch.add(world.step, measureNetwork(world, samples, relaxationOf(solver, settings.contactDynamics.relaxation)));
}

std::optional<RigidityReport> checkRigidity(const WorldState& world, const LoadWatch& watch,
                                            const StepSettings& settings, const SolveStatistics& statistics) {
    const LoadWatch::Stretch seen = watch.all();
    if (world.contacts.areElastic() || settings.quasiStatic || seen.network.contacts == 0) return {};
    RigidityReport report;
    report.solves = solvesOf(world, settings, statistics);
    report.network = seen.network;
    report.rigidity = estimateRigidity(report.network, report.solves, seen.largestStrain);
    report.tolerance = settings.contactDynamics.tolerance;
    findLooseness(settings.contactDynamics, report);
    return report;
}

std::string adviceOf(const RigidityReport& report) {
    const Rigidity& r = report.rigidity;
    if (!r.soft) return "";
    if (r.softness == Softness::loose) {
        return fmt::format("a contact_dynamics.tolerance below {:g}, or solver: interior-point", report.tolerance);
    }
    if (hasAnotherCause(report)) {
        return "shorter steps, max_force or max_torque for drives that may jam, or solver: interior-point";
    }
    std::string advice = r.softness == Softness::creeping ? "warm_start: true, or " : "";
    if (r.iterationsNeeded <= mostAdvised) {
        advice += fmt::format("{:.0f} iterations per step, or ", r.iterationsNeeded);
    }
    return advice + "solver: interior-point";
}

std::string describe(const RigidityReport& report) {
    const Rigidity& r = report.rigidity;
    if (!r.soft) return "";
    if (r.softness == Softness::loose) {
        return fmt::format(
            "this packing is soft: overlaps make it lower by {} on average ({:.2g} %), though every step reached its "
            "tolerance. What makes it rigid: {}; see docs/rigidity.md",
            lengthInWords(r.shrinkage), 100 * r.relativeShrinkage, adviceOf(report));
    }
    if (hasAnotherCause(report)) {
        return fmt::format(
            "overlaps make this packing lower by {} on average ({:.2g} %), more than {:.0f} iterations per step of "
            "{:g} "
            "ms would leave in a packing at rest: some steps may have had no solution (a drive that jams, walls that "
            "close "
            "in), or bodies met too fast or were placed into each other. What helps: {}; see docs/rigidity.md",
            lengthInWords(r.shrinkage), 100 * r.relativeShrinkage, report.solves.iterations, 1e3 * report.solves.dt,
            adviceOf(report));
    }
    return fmt::format(
        "this packing is soft: with {:.0f} iterations per step of {:g} ms contacts act like springs of {:.2g} N/m; {}. "
        "What makes it rigid: {}; see docs/rigidity.md",
        report.solves.iterations, 1e3 * report.solves.dt, r.stiffness, whatHappens(report), adviceOf(report));
}

nlohmann::json asResults(const RigidityReport& report) {
    const Rigidity& r = report.rigidity;
    nlohmann::json json = {{"softness", nameOf(r.softness)},
                           {"soft", r.soft},
                           {"network_size", r.networkSize},
                           {"shrinkage", r.shrinkage},
                           {"relative_shrinkage", r.relativeShrinkage},
                           {"overlap_shrinkage", report.network.overlapStrain() * report.network.height},
                           {"advice", adviceOf(report)}};
    if (r.softness == Softness::none || r.softness == Softness::loose) return json;
    json["expected_shrinkage"] = r.expectedShrinkage;
    json["iterations"] = report.solves.iterations;
    json["effective_stiffness"] = r.stiffness;
    json["sound_speed"] = r.soundSpeed;
    json["diffusion_length"] = r.diffusionLength;
    if (!hasAnotherCause(report)) json["sweeps_needed"] = r.iterationsNeeded;
    return json;
}

}  // namespace talus
