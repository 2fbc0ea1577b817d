#include "run/dashpot_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "run/field_json.hpp"

namespace talus {
namespace {

constexpr double noticed = 0.01;  // -, of all dashpots, on average

}  // namespace

void DashpotWatch::add(const HeldDashpots& held) {
    ++steps;
    bodies = std::max<std::uint64_t>(bodies, held.bodies);
    leastShare = std::min(leastShare, held.leastShare);
    cut += held.meanCut;
}

void DashpotWatch::addContacts(const WorldState& world, const std::vector<ContactSample>& samples) {
    const std::vector<double>& share = world.bodies.dashpotShare;
    const auto isHeld = [&](const ContactSample& c) { return share[c.owner] < 1 || share[c.partner] < 1; };
    const auto now = std::count_if(samples.begin(), samples.end(), isHeld);
    contacts = std::max(contacts, static_cast<std::uint64_t>(now));
}

nlohmann::json asResults(const DashpotWatch& w, std::uint64_t steps) {
    nlohmann::json told = fieldsAsJson(w);
    told.erase("cut");
    told["mean_share"] = 1 - w.cut / static_cast<double>(std::max<std::uint64_t>(1, steps));
    return told;
}

std::string describeHeldDashpots(const DashpotWatch& w, std::uint64_t steps) {
    if (!(w.cut > noticed * static_cast<double>(steps))) return {};
    return fmt::format(
        "in {} of {} steps the dashpots of up to {} bodies ({} contacts) were stronger than a step bears and were held "
        "back, to {:.2g} of their strength at the least and {:.2g} on average over bodies and steps: grains lose less "
        "energy in impacts than their restitution says; if that matters, take a shorter run.step or a smaller "
        "run.step_fraction",
        w.steps, steps, w.bodies, w.contacts, w.leastShare, 1 - w.cut / static_cast<double>(steps));
}

}  // namespace talus
