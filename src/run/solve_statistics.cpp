#include "run/solve_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/field_json.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

std::string describeMechanism(const WorldState& world, const EquilibriumReport& e) {
    const std::size_t i = indexOf(world.bodies, e.worstBody);
    const Vec3 at = world.bodies.position[i];
    return fmt::format(
        "unbounded: no equilibrium at t = {:.6g} s: after {} iterations bodies still move by {:.3g} m "
        "in "
        "each, most out of balance, by {:.3g} of the mean contact force, is body {} (group '{}') at ({:.6g}, {:.6g}, "
        "{:.6g}) m: nothing carries its load; give it support or friction, take smaller increments (run.step), or, if "
        "it has far to fall, raise quasi_static.max_iterations or let the scene settle with method: contact-dynamics "
        "first",
        world.time, e.iterations, e.displacement, e.unbalanced, e.worstBody, world.groupNames[world.bodies.group[i]],
        at.x, at.y, at.z);
}

}  // namespace

void SolveStatistics::add(const StepOutcome& report, const Diagnosis& found, double dt) {
    const SolveReport& s = report.solve;
    const double residual = s.residuals.naturalMap;
    ++steps;
    if (s.status != SolveStatus::converged) {
        ++unconverged;
        unconvergedIterations += s.iterations;
        unconvergedSolver = s.solver;
    }
    iterations += s.iterations;
    mostIterations = std::max(mostIterations, s.iterations);
    ++used[static_cast<std::size_t>(s.solver)];
    factors.add(s.factors);
    if (!(residual <= worstResidual)) worstResidual = residual;
    worstPenetration = std::max(worstPenetration, s.residuals.penetration);
    worstChangeOfMotion = std::max(worstChangeOfMotion, report.compatible.changeOfMotion);
    dilation += dt * s.residuals.dilation;
    if (s.status == SolveStatus::infeasible) ++infeasible;
    if (found.wedged) ++wedged;
    if (found.jammed) {
        ++jammed;
        if (found.jammed->force >= worstJam.force) worstJam = *found.jammed;
    }
    if (report.equilibrium.iterations > 0) {
        ++increments;
        if (!report.equilibrium.reached) ++unbalanced;
        if (s.status != SolveStatus::converged) ++unconvergedIncrements;
    }
    equilibriumIterations += report.equilibrium.iterations;
    worstImbalance = std::max(worstImbalance, report.equilibrium.unbalanced);
    const double decade = residual == 0 ? -12.0 : std::isfinite(residual) ? std::ceil(std::log10(residual)) : 1.0;
    ++histogram[static_cast<std::size_t>(std::clamp(decade + 12, 0.0, decades - 1.0))];
    lastContacts = report.contacts;
    lastIterations = s.iterations;
    lastResidual = residual;
    lastEquilibriumIterations = report.equilibrium.iterations;
    lastImbalance = report.equilibrium.unbalanced;
}

void checkSolve(const WorldState& world, const StepOutcome& report) {
    if (report.solve.status == SolveStatus::unbounded)
        throw UnboundedMotion(describeMechanism(world, report.equilibrium));
    if (report.solve.status != SolveStatus::numericalError) return;
    throw RunError(fmt::format(
        "the contact problem at t = {:.6g} s has no finite answer: bodies may be squeezed between others that "
        "cannot give way, or speeds have become absurd; look at the last frames, or reduce run.step",
        world.time));
}

void addSolveColumns(const SolveStatistics& s, std::vector<SeriesValue>& row) {
    row.push_back({"solver_contacts", "", static_cast<double>(s.lastContacts)});
    row.push_back({"solver_iterations", "", static_cast<double>(s.lastIterations)});
    row.push_back({"solver_residual", "", s.lastResidual});
    row.push_back({"unconverged_steps", "", static_cast<double>(s.unconverged)});
    row.push_back({"dilation", "m", s.dilation});
}

void addEquilibriumColumns(const SolveStatistics& s, std::vector<SeriesValue>& row) {
    row.push_back({"equilibrium_iterations", "", static_cast<double>(s.lastEquilibriumIterations)});
    row.push_back({"unbalanced_force", "", s.lastImbalance});
    row.push_back({"worst_unbalanced_force", "", s.worstImbalance});
}

nlohmann::json asResults(const SolveStatistics& s) {
    const nlohmann::json all = fieldsAsJson(s);
    nlohmann::json told;
    for (const char* name : {"steps", "unconverged_steps", "iterations", "most_iterations", "worst_residual",
                             "worst_penetration_speed", "dilation", "residual_histogram"}) {
        told[name] = all[name];
    }
    for (std::size_t k = 0; k < solverCount; ++k) {
        if (s.used[k] > 0) told["used"][std::string(solverTraits[k].name)] = s.used[k];
    }
    if (s.factors.count > 0) told["factors"] = all["factors"];
    for (const char* name :
         {"infeasible_steps", "unbounded_steps", "wedged_steps", "jammed_steps", "worst_change_of_motion"}) {
        if (all[name] > 0) told[name] = all[name];
    }
    if (s.equilibriumIterations == 0) return told;
    for (const char* name : {"equilibrium_iterations", "worst_unbalanced_force", "unbalanced_increments"}) {
        told[name] = all[name];
    }
    return told;
}

bool hasManyUnconverged(const SolveStatistics& s) {
    return 20 * (s.unconverged - s.unconvergedIncrements) > s.steps - s.increments;
}

std::string describeUnbalanced(const SolveStatistics& s, double tolerance) {
    if (20 * s.unbalanced <= s.increments) return {};
    return fmt::format(
        "{} of {} increments ended out of balance, after {:.0f} iterations on average, the worst by {:.1e} of the mean "
        "contact force (quasi_static.tolerance: {:.1e}): their forces are not those of an equilibrium; a larger "
        "quasi_static.max_iterations, smaller increments (run.step) or a looser tolerance avoids that",
        s.unbalanced, s.increments, static_cast<double>(s.equilibriumIterations) / static_cast<double>(s.increments),
        s.worstImbalance, tolerance);
}

std::string describeUnconverged(const SolveStatistics& s, const ContactDynamicsSettings& settings) {
    if (settings.forces == ForceRule::compatible && s.worstResidual <= settings.tolerance) {
        return fmt::format(
            "in {} of {} steps no compatible forces were found (contact_dynamics.forces): those there are one answer "
            "of several, though all meet the tolerance",
            s.unconverged - s.unconvergedIncrements, s.steps - s.increments);
    }
    return fmt::format(
        "{} of {} steps stopped above the tolerance, after {:.0f} iterations on average, the worst with a residual of "
        "{:.1e}; "
        "a larger contact_dynamics.max_iterations, another solver, a shorter step or a looser tolerance avoids that",
        s.unconverged - s.unconvergedIncrements, s.steps - s.increments,
        static_cast<double>(s.unconvergedIterations) / static_cast<double>(std::max<std::uint64_t>(1, s.unconverged)),
        s.worstResidual);
}

std::string describeWedges(const SolveStatistics& s) {
    return fmt::format(
        "in {} of {} steps rigid contacts were wedged: reactions can act there without any outer load, so that there "
        "may be no solution at their dilation angles; contact_dynamics.contacts: elastic always has one",
        s.wedged, s.steps);
}

std::string describeJams(const SolveStatistics& s, const WorldState& world) {
    const JammedDrive& jam = s.worstJam;
    std::string bodies;
    if (jam.at) {
        const std::size_t a = indexOf(world.bodies, (*jam.at)[0]), b = indexOf(world.bodies, (*jam.at)[1]);
        if (a < world.bodies.size() && b < world.bodies.size()) {
            const auto group = [&](std::size_t i) { return world.groupNames[world.bodies.group[i]]; };
            bodies = fmt::format(", where body {} ('{}') and body {} ('{}') could not give way", (*jam.at)[0], group(a),
                                 (*jam.at)[1], group(b));
        }
    }
    return fmt::format(
        "in {} of {} steps drives of joints were jammed, that of '{}' most{}: it missed its speed with {:.3g} {}, "
        "which "
        "stands for any force; give it a {}",
        s.jammed, s.steps, world.joints.list.at(jam.joint).name, bodies, jam.force, jam.turning ? "N m" : "N",
        jam.turning ? "max_torque" : "max_force");
}

std::string describeInfeasible(const SolveStatistics& s) {
    return fmt::format(
        "in {} of {} steps no motion satisfies the rigid contacts: bodies are squeezed between others that cannot give "
        "way, and the forces there mean nothing; make walls servo-controlled, give drives of joints a max_force or "
        "max_torque, or make contacts elastic (contact_dynamics.contacts)",
        s.infeasible, s.steps);
}

}  // namespace talus
