#include "simulation/solve_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "talus/error.hpp"

namespace talus {

void SolveStatistics::add(const StepReport& report, double dt) {
    const SolveReport& s = report.solve;
    const double residual = s.residuals.naturalMap;
    ++steps;
    unconverged += s.status != SolveStatus::converged;
    iterations += s.iterations;
    mostIterations = std::max(mostIterations, s.iterations);
    if (!(residual <= worstResidual)) worstResidual = residual;
    worstPenetration = std::max(worstPenetration, s.residuals.penetration);
    dilation += dt * s.residuals.dilation;
    const double decade = residual == 0 ? -12.0 : std::isfinite(residual) ? std::ceil(std::log10(residual)) : 1.0;
    ++histogram[static_cast<std::size_t>(std::clamp(decade + 12, 0.0, decades - 1.0))];
    lastContacts = report.contacts;
    lastIterations = s.iterations;
    lastResidual = residual;
}

void checkSolve(const World& world, const StepReport& report) {
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

nlohmann::json asJson(const SolveStatistics& s) {
    return {{"steps", s.steps},
            {"unconverged_steps", s.unconverged},
            {"iterations", s.iterations},
            {"most_iterations", s.mostIterations},
            {"worst_residual", s.worstResidual},
            {"worst_penetration_speed", s.worstPenetration},
            {"dilation", s.dilation},
            {"residual_histogram", s.histogram},
            {"last_contacts", s.lastContacts},
            {"last_iterations", s.lastIterations},
            {"last_residual", s.lastResidual}};
}

SolveStatistics solveStatisticsFrom(const nlohmann::json& j) {
    SolveStatistics s;
    j.at("steps").get_to(s.steps);
    j.at("unconverged_steps").get_to(s.unconverged);
    j.at("iterations").get_to(s.iterations);
    j.at("most_iterations").get_to(s.mostIterations);
    j.at("worst_residual").get_to(s.worstResidual);
    j.at("worst_penetration_speed").get_to(s.worstPenetration);
    j.at("dilation").get_to(s.dilation);
    j.at("residual_histogram").get_to(s.histogram);
    j.at("last_contacts").get_to(s.lastContacts);
    j.at("last_iterations").get_to(s.lastIterations);
    j.at("last_residual").get_to(s.lastResidual);
    return s;
}

}  // namespace talus
