#include "step/forces/dashpot_shares.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace talus {
namespace {

double shareOf(double rate, double dt) {
    const double wanted = dt * rate;
    return wanted > law_parts::calmPart ? law_parts::calmPart / wanted : 1.0;
}

}  // namespace

bool shareOutDashpots(WorldState& world, double dt, const std::vector<DashpotRates>& rates, bool were) {
    Bodies& b = world.bodies;
    const double fastest =
        parallelMax(b.size(), [&](std::size_t i) { return std::max(rates[i].normal, rates[i].tangential); });
    const bool willBe = dt * fastest > law_parts::calmPart;
    if (!were && !willBe) return false;
    parallelFor(b.size(), [&](std::size_t i) {
        b.dashpots[i] = {shareOf(rates[i].normal, dt), shareOf(rates[i].tangential, dt)};
    });
    return willBe;
}

}  // namespace talus
