#include "measure/packing.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "measure/sphere_box.hpp"

namespace talus {
namespace {

// The two axes of the plane, in rising order.
std::array<int, 2> axesAcross(int axis) {
    return axis == 0 ? std::array{1, 2} : axis == 1 ? std::array{0, 2} : std::array{0, 1};
}

bool isNear(const MeasureBox& region, const Vec3& p, double radius) {
    for (int axis = 0; axis < 3; ++axis) {
        if (p[axis] + radius <= region.low[axis] || p[axis] - radius >= region.high[axis]) return false;
    }
    return true;
}

// Volume (area in a planar scene) of one grain and its images inside the region.
template <class Piece>
double solidOf(const Domain& domain, const MeasureBox& region, const Vec3& centre, double radius, Piece&& piece) {
    double sum = 0;
    forEachImage(domain, [&](const Vec3& shift) {
        if (isNear(region, centre + shift, radius)) sum += piece(centre + shift, radius);
    });
    return sum;
}

// Solids of other shapes count as balls of their volume; those that are held or guided are walls.
template <class Piece>
double sumOverGrains(const WorldState& world, const MeasureBox& region, Piece&& piece) {
    const Bodies& b = world.bodies;
    return parallelSum(b.grainCount, 0.0, [&](std::size_t i) {
        if (!isSphere(b, i) && isBoundary(b, i)) return 0.0;
        return solidOf(world.domain, region, b.position[i], equivalentRadiusOf(world, i), piece);
    });
}

Packing measurePlanarPacking(const WorldState& world, const MeasureBox& region, int normalAxis) {
    const auto [u, v] = axesAcross(normalAxis);
    const Rectangle cut{region.low[u], region.low[v], region.high[u], region.high[v]};
    const double solid =
        sumOverGrains(world, inPlane(region, normalAxis), [&, uAxis = u, vAxis = v](const Vec3& centre, double radius) {
            return discInRectangle(centre[uAxis], centre[vAxis], radius, cut);
        });
    return {.solid = solid, .total = (cut.highX - cut.lowX) * (cut.highY - cut.lowY)};
}

bool isFree(const Bodies& b, std::size_t i) { return !isBoundary(b, i); }

// Who touches whom among the grains, in rows; contacts with walls are only counted.
struct Neighbours {
    std::vector<std::uint32_t> rowStart, other;
    std::vector<std::uint32_t> count;  // contacts of each grain, walls included
};

Neighbours collectNeighbours(std::size_t grains, const std::vector<ContactSample>& samples) {
    Neighbours n;
    n.count.assign(grains, 0);
    n.rowStart.assign(grains + 1, 0);
    for (const ContactSample& s : samples) {
        ++n.count[s.owner];
        if (s.partner >= grains) continue;
        ++n.count[s.partner];
        ++n.rowStart[s.owner + 1];
        ++n.rowStart[s.partner + 1];
    }
    for (std::size_t i = 0; i < grains; ++i) n.rowStart[i + 1] += n.rowStart[i];
    n.other.resize(n.rowStart[grains]);
    std::vector<std::uint32_t> next(n.rowStart.begin(), n.rowStart.end() - 1);
    for (const ContactSample& s : samples) {
        if (s.partner >= grains) continue;
        n.other[next[s.owner]++] = s.partner;
        n.other[next[s.partner]++] = s.owner;
    }
    return n;
}

Coordination ofGrain(const ContactCounts& counts, std::size_t i) {
    return {.grains = 1,
            .rattlers = counts.isRattler[i] ? 1u : 0u,
            .contacts = counts.all[i],
            .backboneContacts = counts.backbone[i]};
}

}  // namespace

Packing measurePacking(const WorldState& world, const MeasureBox& region) {
    if (const std::optional<int> axis = planarAxis(world)) return measurePlanarPacking(world, region, *axis);
    const double solid = sumOverGrains(world, region, [&](const Vec3& centre, double radius) {
        return sphereInBox(centre, radius, region.low, region.high);
    });
    return {.solid = solid, .total = volumeOf(region)};
}

std::uint32_t contactsToHold(const WorldState& world) {
    const auto& laws = world.materials.laws;
    const bool hasFriction = world.materials.kinds.tangential != TangentialLaw::none &&
                             std::any_of(laws.begin(), laws.end(), [](const PairLaw& law) { return law.friction > 0; });
    if (hasFriction) return 2;
    return (planarAxis(world) ? 3u : 4u) - (world.gravity == Vec3{} ? 0u : 1u);
}

ContactCounts countContacts(const WorldState& world, const std::vector<ContactSample>& samples) {
    const Bodies& b = world.bodies;
    const Neighbours neighbours = collectNeighbours(b.grainCount, samples);
    const std::uint32_t needed = contactsToHold(world);
    ContactCounts counts{neighbours.count, neighbours.count, std::vector<char>(b.grainCount, 0)};

    // A removed grain takes its contacts along; whoever falls below the limit by that is removed in turn.
    std::vector<std::uint32_t> removed;
    const auto removeIfLoose = [&](std::uint32_t i) {
        if (!isFree(b, i) || counts.isRattler[i] || counts.backbone[i] >= needed) return;
        counts.isRattler[i] = 1;
        removed.push_back(i);
    };
    for (std::uint32_t i = 0; i < b.grainCount; ++i) removeIfLoose(i);
    while (!removed.empty()) {
        const std::uint32_t i = removed.back();
        removed.pop_back();
        counts.backbone[i] = 0;
        for (std::uint32_t k = neighbours.rowStart[i]; k < neighbours.rowStart[i + 1]; ++k) {
            const std::uint32_t j = neighbours.other[k];
            if (counts.backbone[j] > 0) --counts.backbone[j];
            removeIfLoose(j);
        }
    }
    return counts;
}

Coordination& Coordination::operator+=(const Coordination& b) {
    grains += b.grains;
    rattlers += b.rattlers;
    contacts += b.contacts;
    backboneContacts += b.backboneContacts;
    return *this;
}

Coordination averageCoordination(const WorldState& world, const ContactCounts& counts) {
    return parallelSum(world.bodies.grainCount, Coordination{},
                       [&](std::size_t i) { return isFree(world.bodies, i) ? ofGrain(counts, i) : Coordination{}; });
}

Coordination averageCoordination(const WorldState& world, const ContactCounts& counts, const MeasureBox& region) {
    const MeasureBox inside = inPlane(region, planarAxis(world));
    return parallelSum(world.bodies.grainCount, Coordination{}, [&](std::size_t i) {
        const bool counted = isFree(world.bodies, i) && containsImage(inside, world.domain, world.bodies.position[i]);
        return counted ? ofGrain(counts, i) : Coordination{};
    });
}

}  // namespace talus
