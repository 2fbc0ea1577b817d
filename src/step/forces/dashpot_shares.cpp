#include "step/forces/dashpot_shares.hpp"

#include "base/parallel.hpp"

namespace talus {

bool shareOutDashpots(WorldState& world, double dt, const std::vector<DashpotRates>& rates, bool were) {
    Bodies& b = world.bodies;
    const double most = law_parts::calmPart / dt;
    const int tooFast = parallelSum(
        b.size(), 0, [&](std::size_t i) { return int(rates[i].normal > most) | int(rates[i].tangential > most); });
    const bool willBe = tooFast > 0;
    if (!were && !willBe) return false;
    const auto shareOf = [&](double rate) { return rate > most ? most / rate : 1.0; };
    parallelFor(b.size(), [&](std::size_t i) {
        b.dashpots[i] = {shareOf(rates[i].normal), shareOf(rates[i].tangential)};
    });
    return willBe;
}

}  // namespace talus
