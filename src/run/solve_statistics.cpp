#include "run/solve_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

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

// Calls visit(name, field) for each number: the one list for writing and reading.
template <class Factors, class Visit>
void forEachNumber(Factors& f, Visit&& visit) {
    visit("count", f.count);
    visit("seconds", f.seconds);
    visit("nodes", f.nodes);
    visit("matrix_blocks", f.matrixBlocks);
    visit("blocks", f.blocks);
    visit("bytes", f.bytes);
}

FactorReport factorsFrom(const nlohmann::json& j) {
    FactorReport factors;
    forEachNumber(factors, [&](const char* name, auto& value) { j.at(name).get_to(value); });
    return factors;
}

// Steps by the name of their solver; a checkpoint of 0.1.0 has them by its number.
std::uint64_t usedFrom(const nlohmann::json& j, std::size_t kind) {
    if (!j.contains("used")) return 0;
    const nlohmann::json& used = j.at("used");
    if (used.is_array()) return kind < used.size() ? used[kind].get<std::uint64_t>() : 0;
    return used.value(std::string(solverTraits[kind].name), std::uint64_t{0});
}

JammedDrive jamFrom(const nlohmann::json& j) {
    JammedDrive jam;
    j.at("joint").get_to(jam.joint);
    j.at("turning").get_to(jam.turning);
    j.at("force").get_to(jam.force);
    if (j.contains("at")) jam.at = j.at("at").get<std::array<std::uint32_t, 2>>();
    return jam;
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

nlohmann::json asJson(const FactorReport& factors) {
    nlohmann::json json;
    forEachNumber(factors, [&](const char* name, const auto& value) { json[name] = value; });
    return json;
}

nlohmann::json asResults(const SolveStatistics& s) {
    nlohmann::json json = {{"steps", s.steps},
                           {"unconverged_steps", s.unconverged},
                           {"iterations", s.iterations},
                           {"most_iterations", s.mostIterations},
                           {"worst_residual", s.worstResidual},
                           {"worst_penetration_speed", s.worstPenetration},
                           {"dilation", s.dilation},
                           {"residual_histogram", s.histogram}};
    for (std::size_t k = 0; k < solverCount; ++k) {
        if (s.used[k] > 0) json["used"][std::string(solverTraits[k].name)] = s.used[k];
    }
    if (s.factors.count > 0) json["factors"] = asJson(s.factors);
    if (s.infeasible > 0) json["infeasible_steps"] = s.infeasible;
    if (s.unbounded > 0) json["unbounded_steps"] = s.unbounded;
    if (s.wedged > 0) json["wedged_steps"] = s.wedged;
    if (s.jammed > 0) json["jammed_steps"] = s.jammed;
    if (s.worstChangeOfMotion > 0) json["worst_change_of_motion"] = s.worstChangeOfMotion;
    if (s.equilibriumIterations > 0) {
        json["equilibrium_iterations"] = s.equilibriumIterations;
        json["worst_unbalanced_force"] = s.worstImbalance;
        json["unbalanced_increments"] = s.unbalanced;
    }
    return json;
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

nlohmann::json asMemory(const SolveStatistics& s) {
    nlohmann::json json = asResults(s);
    json["worst_change_of_motion"] = s.worstChangeOfMotion;
    json["equilibrium_iterations"] = s.equilibriumIterations;
    json["worst_unbalanced_force"] = s.worstImbalance;
    json["increments"] = s.increments;
    json["unbalanced_increments"] = s.unbalanced;
    json["unconverged_increments"] = s.unconvergedIncrements;
    json["unconverged_iterations"] = s.unconvergedIterations;
    json["unconverged_solver"] = nameOf(s.unconvergedSolver);
    if (s.jammed > 0) {
        json["worst_jam"] = {{"joint", s.worstJam.joint}, {"turning", s.worstJam.turning}, {"force", s.worstJam.force}};
        if (s.worstJam.at) json["worst_jam"]["at"] = *s.worstJam.at;
    }
    json["last_contacts"] = s.lastContacts;
    json["last_iterations"] = s.lastIterations;
    json["last_residual"] = s.lastResidual;
    json["last_equilibrium_iterations"] = s.lastEquilibriumIterations;
    json["last_unbalanced_force"] = s.lastImbalance;
    return json;
}

SolveStatistics solveStatisticsFrom(const nlohmann::json& j) {
    SolveStatistics s;
    j.at("steps").get_to(s.steps);
    j.at("unconverged_steps").get_to(s.unconverged);
    j.at("iterations").get_to(s.iterations);
    j.at("most_iterations").get_to(s.mostIterations);
    j.at("worst_residual").get_to(s.worstResidual);
    j.at("worst_penetration_speed").get_to(s.worstPenetration);
    j.at("equilibrium_iterations").get_to(s.equilibriumIterations);
    j.at("worst_unbalanced_force").get_to(s.worstImbalance);
    s.increments = j.value("increments", std::uint64_t{0});
    s.unbalanced = j.value("unbalanced_increments", std::uint64_t{0});
    s.unconvergedIncrements = j.value("unconverged_increments", std::uint64_t{0});
    j.at("worst_change_of_motion").get_to(s.worstChangeOfMotion);
    j.at("dilation").get_to(s.dilation);
    if (j.contains("factors")) s.factors = factorsFrom(j.at("factors"));
    s.infeasible = j.value("infeasible_steps", std::uint64_t{0});
    s.unbounded = j.value("unbounded_steps", std::uint64_t{0});
    s.wedged = j.value("wedged_steps", std::uint64_t{0});
    s.jammed = j.value("jammed_steps", std::uint64_t{0});
    if (s.jammed > 0) s.worstJam = jamFrom(j.at("worst_jam"));
    j.at("residual_histogram").get_to(s.histogram);
    for (std::size_t k = 0; k < solverCount; ++k) s.used[k] = usedFrom(j, k);
    j.at("last_contacts").get_to(s.lastContacts);
    j.at("last_iterations").get_to(s.lastIterations);
    j.at("last_residual").get_to(s.lastResidual);
    j.at("last_equilibrium_iterations").get_to(s.lastEquilibriumIterations);
    j.at("last_unbalanced_force").get_to(s.lastImbalance);
    j.at("unconverged_iterations").get_to(s.unconvergedIterations);
    s.unconvergedSolver = solverNamed(j.at("unconverged_solver").get<std::string>());
    return s;
}

}  // namespace talus
