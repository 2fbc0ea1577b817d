#include "contacts/table/matching.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

// Where a candidate was in the old table.
struct Origin {
    std::uint32_t number = none;
    bool swapped = false;  // owner and partner have changed places
};

std::uint32_t findPartner(const GrainCandidates& list, std::uint32_t row, std::uint32_t partner) {
    for (std::uint32_t k = list.rowStart[row]; k < list.rowStart[row + 1]; ++k) {
        if (list.partner[k] == partner) return k;
    }
    return none;
}

Origin originOfPair(const GrainCandidates& old, std::uint32_t owner, std::uint32_t partner) {
    if (owner == noRow || partner == noRow) return {};
    const std::uint32_t same = findPartner(old, owner, partner);
    return same != none ? Origin{same, false} : Origin{findPartner(old, partner, owner), true};
}

Origin originAtWall(const ContactTable& old, std::uint32_t row, const WallCandidate& c) {
    if (row == noRow) return {};
    for (std::uint32_t k = old.walls.rowStart[row]; k < old.walls.rowStart[row + 1]; ++k) {
        const WallCandidate& before = old.walls.candidate[k];
        if (before.wall == c.wall && before.face == c.face) return {old.firstWall() + k, false};
    }
    return {};
}

// The points of pairs that are in both lists.
void carryPoints(const ShapeCandidates& old, ShapeCandidates& fresh, std::vector<Origin>& origins,
                 std::uint32_t firstOld) {
    std::vector<std::uint32_t> order(old.pair.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [](const ShapePair& p) { return std::pair(p.idA, p.idB); };
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return key(old.pair[i]) < key(old.pair[j]); });
    fresh.pointStart.assign(fresh.pair.size() + 1, 0);
    for (std::size_t p = 0; p < fresh.pair.size(); ++p) {
        const auto same = std::lower_bound(order.begin(), order.end(), fresh.pair[p],
                                           [&](auto i, const ShapePair& pair) { return key(old.pair[i]) < key(pair); });
        if (same != order.end() && key(old.pair[*same]) == key(fresh.pair[p])) {
            for (std::uint32_t k = old.pointStart[*same]; k < old.pointStart[*same + 1]; ++k) {
                fresh.point.push_back(old.point[k]);
                origins.push_back({firstOld + k, false});
            }
        }
        fresh.pointStart[p + 1] = static_cast<std::uint32_t>(fresh.point.size());
    }
}

}  // namespace

void makeRoom(const WorldState& world, std::size_t candidates, ContactMemory& memory) {
    const auto giveRoom = [&](auto& array) { array.assign(isKept(world.materials.kinds, array) ? candidates : 0, {}); };
    std::visit([&](auto& model) { visitArrays(giveRoom, model); }, memory);
}

void carryMemory(const WorldState& world, const ContactTable& old, ContactTable& fresh) {
    const Bodies& b = world.bodies;
    std::vector<Origin> origins(fresh.firstPoint());
    parallelFor(b.grainCount, [&](std::size_t i) {
        forEachInRow(fresh, i, [&](std::uint32_t k, const auto& candidate) {
            using Candidate = std::remove_cvref_t<decltype(candidate)>;
            if constexpr (std::is_same_v<Candidate, SpherePair>) {
                origins[k] = originOfPair(old.grains, b.row[i], b.row[candidate.partner]);
            } else if constexpr (std::is_same_v<Candidate, WallCandidate>) {
                origins[k] = originAtWall(old, b.row[i], candidate);
            }
        });
    });
    carryPoints(old.shapes, fresh.shapes, origins, old.firstPoint());

    fresh.memory = emptyMemory(old.memory.index());
    makeRoom(world, fresh.size(), fresh.memory);
    const auto carry = [&](auto& now, const auto& before) {
        if (before.empty()) return;
        parallelFor(now.size(), [&](std::size_t k) {
            const Origin& from = origins[k];
            if (from.number == none) return;
            now[k] = from.swapped ? seenFromPartner(before[from.number]) : before[from.number];
        });
    };
    std::visit([&]<class Model>(Model& now) { visitArrays(carry, now, std::get<Model>(old.memory)); }, fresh.memory);
}

}  // namespace talus
