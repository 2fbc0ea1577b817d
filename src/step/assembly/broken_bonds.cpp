#include "step/assembly/broken_bonds.hpp"

#include <algorithm>

namespace talus {
namespace {

BrokenBond bondOf(const WorldState& world, std::uint32_t a, std::uint32_t b, std::uint32_t face) {
    const std::uint32_t first = world.bodies.id[a], second = world.bodies.id[b];
    return {std::min(first, second), std::max(first, second), face};
}

// What was stored beside the overlap, which other points have now.
DissipatedEnergy heatOf(const LinearStiffness& k, const LostPoint& point) {
    const ContactStretch& s = point.stretch;
    const StoredEnergy held = springEnergy(k, {normalStretch(s, point.gap), norm(s.tangential), 0});
    DissipatedEnergy heat;
    if (s.bond == 0) {
        heat.sliding = held.tangential;
    } else {
        heat.cohesion = held.total() - springEnergy(k, {normalStretch({}, point.gap), 0, 0}).total();
    }
    return heat;
}

}  // namespace

BrokenBond bondBetween(const WorldState& world, const ContactPlace& c, std::uint32_t candidate) {
    const ContactTable& table = world.contacts;
    const bool onWall = candidate >= table.firstWall() && candidate < table.firstPoint();
    return bondOf(world, c.a, c.b, onWall ? table.walls.candidate[candidate - table.firstWall()].face : 0u);
}

void rememberBroken(WorldState& world, const std::vector<BrokenBond>& broken) {
    if (broken.empty()) return;
    std::vector<BrokenBond>& all = world.contacts.brokenBonds;
    all.insert(all.end(), broken.begin(), broken.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

void loseBonds(WorldState& world, const std::vector<LostPoint>& lost) {
    if (!world.contacts.areYielding()) return;
    const Bodies& b = world.bodies;
    std::vector<BrokenBond> broken;
    for (const LostPoint& point : lost) {
        const ShapePair& pair = world.contacts.shapes.pair[point.pair];
        const PairLaw& law = world.materials.between(b.material[pair.a], b.material[pair.b]);
        world.ledger.dissipated += heatOf(linearStiffness(law, point.radius), point);
        const YieldLaw* yield = world.materials.yieldBetween(b.material[pair.a], b.material[pair.b]);
        if (point.stretch.bond > 0 && yield->bondStretch > 0) broken.push_back(bondOf(world, pair.a, pair.b, 0));
    }
    rememberBroken(world, broken);
}

}  // namespace talus
