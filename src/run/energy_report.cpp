#include "run/energy_report.hpp"

#include <fmt/format.h>

#include <vector>

namespace talus {
namespace {

constexpr double visible = 0.01;  // -, of the turnover

struct Heat {
    std::string name;
    double energy = 0;  // J
};

// Contacts that yield may give way along the normal while they slide, and the heat of that is negative.
std::vector<Heat> heatsOf(const EnergyBalance& e, FrictionLaw law) {
    const DissipatedEnergy& d = e.dissipated;
    const Heat joints{"energy_dissipated_joints", e.jointLoss};
    if (law == FrictionLaw::associated) return {{"the sum of all heats of contacts", d.total()}, joints};
    return {{"energy_dissipated_normal", d.normalDamping},
            {"energy_dissipated_tangential", d.tangentialDamping},
            {d.plastic == 0 ? "energy_dissipated_sliding" : "energy_dissipated_sliding with _plastic",
             d.sliding + d.plastic},
            {"energy_dissipated_rolling", d.rolling},
            joints};
}

}  // namespace

std::string describeCreatedEnergy(const EnergyBalance& now, double turnover, FrictionLaw law) {
    std::string found;
    for (const Heat& heat : heatsOf(now, law)) {
        if (!(heat.energy < -visible * turnover)) continue;
        found += fmt::format("{}{} is {:.3g} J, {:.2g} % of the energy turned over", found.empty() ? "" : ", ",
                             heat.name, heat.energy, -100 * heat.energy / turnover);
    }
    if (found.empty()) return found;
    return "energy was created: " + found +
           "; likely causes are steps that did not reach their tolerance, a motor or wall that jams and has no largest "
           "force, or bodies that were placed into each other and pushed apart";
}

std::string describeOpenLedger(double error, double allowed) {
    if (!(error > visible) || error > allowed) return {};
    return fmt::format(
        "the energy balance is off by {:.2g} % of the energy turned over (energy_error in series.csv): a shorter "
        "run.step, or a smaller run.step_fraction, makes it smaller",
        100 * error);
}

std::string describeBrokenLedger(double error, double allowed) {
    if (!(error > allowed)) return {};
    return fmt::format(
        "the energy balance is off by {:.2g} % of the energy turned over (allowed: {:.2g} %; energy_error in "
        "series.csv "
        "shows since when): energy was made or lost where no law accounts for it, and neither motions nor forces can "
        "be "
        "believed; take a shorter run.step or a smaller run.step_fraction, or, if the cause is known and does no harm, "
        "raise run.max_energy_error",
        100 * error, 100 * allowed);
}

}  // namespace talus
