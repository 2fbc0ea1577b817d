#include "contacts/table/neighbour_lists.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/count_seconds.hpp"
#include "base/parallel.hpp"
#include "contacts/narrow/spheres.hpp"
#include "contacts/table/matching.hpp"
#include "contacts/table/shape_points.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

void wrapPositions(Bodies& b, const Domain& domain) {
    if (!domain.anyPeriodic()) return;
    parallelFor(b.grainCount, [&](std::size_t i) { b.position[i] = domain.wrapped(b.position[i]); });
}

template <class T>
void permute(std::vector<T>& array, const std::vector<std::uint32_t>& order) {
    std::vector<T> sorted(array.size());
    parallelFor(order.size(), [&](std::size_t k) { sorted[k] = array[order[k]]; });
    std::copy(array.begin() + static_cast<long>(order.size()), array.end(),
              sorted.begin() + static_cast<long>(order.size()));
    array.swap(sorted);
}

// Rows are listed block by block, then joined in order.
constexpr std::size_t rowBlock = 1024;

template <class Entry, class ListRow>
void listRows(std::size_t grains, std::vector<std::uint32_t>& rowStart, std::vector<Entry>& entries,
              ListRow&& listRow) {
    std::vector<std::vector<Entry>> parts((grains + rowBlock - 1) / rowBlock);
    rowStart.resize(grains + 1);
    parallelBlocks(parts.size(), [&](std::size_t p) {
        const std::size_t end = std::min(grains, (p + 1) * rowBlock);
        for (std::size_t i = p * rowBlock; i < end; ++i) {
            const std::size_t before = parts[p].size();
            listRow(static_cast<std::uint32_t>(i), parts[p]);
            rowStart[i + 1] = static_cast<std::uint32_t>(parts[p].size() - before);
        }
    });
    rowStart[0] = 0;
    for (std::size_t i = 0; i < grains; ++i) rowStart[i + 1] += rowStart[i];
    entries.resize(rowStart[grains]);
    parallelBlocks(parts.size(), [&](std::size_t p) {
        std::copy(parts[p].begin(), parts[p].end(), entries.begin() + rowStart[p * rowBlock]);
        std::vector<Entry>().swap(parts[p]);
    });
}

// A pair in which one is no sphere, unless their surfaces are far from each other.
void considerPair(const WorldState& world, std::uint32_t i, std::uint32_t j, std::vector<ShapePair>& out) {
    const Bodies& b = world.bodies;
    if (isSteered(b, i) && isSteered(b, j)) return;
    if (isIgnored(world.ignoredPairs, b.id[i], b.id[j])) return;
    if (j < b.grainCount && b.id[j] < b.id[i]) std::swap(i, j);
    const double skin = world.contacts.skin;
    if (leastDistance(shapeInPlace(world, i), shapeNear(world, j, b.position[i]), skin) >= skin) return;
    out.push_back({i, j, b.id[i], b.id[j]});
}

// Pairs of spheres, row by row, and in the same pass those in which one is no sphere.
void listPairs(const WorldState& world, const CellGrid& grid, GrainCandidates& spheres, ShapeCandidates& others) {
    const Bodies& b = world.bodies;
    std::vector<std::vector<ShapePair>> parts((b.grainCount + rowBlock - 1) / rowBlock);
    listRows(b.grainCount, spheres.rowStart, spheres.partner, [&](std::uint32_t i, std::vector<std::uint32_t>& out) {
        std::vector<ShapePair>& part = parts[i / rowBlock];
        grid.forEachPartner(b, i, [&](std::uint32_t j) {
            if (!isSphere(b, i) || !isSphere(b, j)) return considerPair(world, i, j, part);
            if (isSteered(b, i) && isSteered(b, j)) return;
            if (!isIgnored(world.ignoredPairs, b.id[i], b.id[j])) out.push_back(j);
        });
        if (isSphere(b, i)) return;
        for (auto j = static_cast<std::uint32_t>(b.grainCount); j < b.size(); ++j) considerPair(world, i, j, part);
    });
    for (const std::vector<ShapePair>& part : parts) {
        others.pair.insert(others.pair.end(), part.begin(), part.end());
    }
}

void listWallFaces(const WorldState& world, WallCandidates& list) {
    const Bodies& b = world.bodies;
    const BodyView bodies = view(b);
    listRows(b.grainCount, list.rowStart, list.candidate, [&](std::uint32_t i, std::vector<WallCandidate>& out) {
        if (!isSphere(b, i)) return;
        for (std::size_t w = 0; w < b.wallCount(); ++w) {
            const auto index = static_cast<std::uint32_t>(b.grainCount + w);
            if (isSteered(b, i) && isSteered(b, index)) continue;
            if (isIgnored(world.ignoredPairs, b.id[i], b.id[index])) continue;
            const WallNow wall = wallNow(world, index);
            for (int face = 0; face < faceCount(*wall.shape); ++face) {
                if (isOpen(*wall.shape, face)) continue;
                const double distance = wallApproach(bodies, wall, index, face, b.position[i]).distance;
                if (distance >= b.radius[i] + world.contacts.skin) continue;
                out.push_back({i, static_cast<std::uint16_t>(w), static_cast<std::uint16_t>(face)});
            }
        }
    });
}

void rememberPoses(WorldState& world) {
    Bodies& b = world.bodies;
    world.contacts.builtPosition = b.position;
    world.contacts.builtWallOrientation.assign(b.orientation.begin() + static_cast<long>(b.grainCount),
                                               b.orientation.end());
    world.contacts.builtOrientation.clear();
    if (hasSolids(world)) {
        world.contacts.builtOrientation.assign(b.orientation.begin(),
                                               b.orientation.begin() + static_cast<long>(b.grainCount));
    }
    world.contacts.builtMantles = world.mantles;
    for (std::size_t i = 0; i < b.grainCount; ++i) b.row[i] = static_cast<std::uint32_t>(i);
}

// Turning moves the far end of a wall most; only moving walls need it.
void measureWallReach(WorldState& world) {
    const Bodies& b = world.bodies;
    world.contacts.wallReach.assign(b.wallCount(), 0.0);
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        if (!isMovingWall(b, w)) continue;
        double squared = 0;
        for (std::size_t i = 0; i < b.grainCount; ++i) {
            const double distance = norm(b.position[i] - b.position[b.grainCount + w]);
            const double reach = distance + (isSphere(b, i) ? 0.0 : b.radius[i]);
            squared = std::max(squared, reach * reach);
        }
        world.contacts.wallReach[w] = std::sqrt(squared);
    }
}

// The widest skin for which two images of a grain are never both near another one.
double widestSkin(const WorldState& world) {
    const Bodies& b = world.bodies;
    double largest = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) largest = std::max(largest, b.radius[i]);
    const Vec3 period = world.domain.period();
    return 0.5 * std::min({period.x, period.y, period.z}) - 2 * largest;
}

void checkPeriods(const WorldState& world) {
    if (world.contacts.skin <= widestSkin(world) * (1 + 1e-12)) return;
    throw InputError("domain: a periodic axis must be longer than two diameters of the largest grain plus the skin");
}

}  // namespace

bool refreshLists(WorldState& world, NeighbourWorkspace& ws, double moved, double margin) {
    const CountSeconds here(ws.seconds);
    if (!ws.travel.isTooFar(world, moved, margin)) return false;
    Contacts& c = world.contacts;
    if (margin > 0) {
        const double wanted = 2 * margin + (c.leastSkin > 0 ? c.leastSkin : defaultSkin(world));
        c.skin = widestSkin(world) > 0 ? std::min(wanted, widestSkin(world)) : wanted;
    }
    rebuildLists(world, ws);
    return true;
}

void rebuildLists(WorldState& world, NeighbourWorkspace& workspace) {
    Bodies& b = world.bodies;
    Contacts& contacts = world.contacts;
    if (contacts.skin <= 0) contacts.skin = defaultSkin(world);
    checkPeriods(world);

    wrapPositions(b, world.domain);
    workspace.grid.configure(b, world.domain, contacts.skin);
    workspace.grid.sortedOrder(b, workspace.order);
    visitArrays([&](auto& array) { permute(array, workspace.order); }, b);
    workspace.grid.indexCells();

    ContactTable fresh;
    listPairs(world, workspace.grid, fresh.grains, fresh.shapes);
    listWallFaces(world, fresh.walls);
    carryMemory(world, contacts, fresh);
    static_cast<ContactTable&>(contacts) = std::move(fresh);

    rememberPoses(world);
    measureWallReach(world);
    contacts.stale = false;
    workspace.travel.begin();
    ++contacts.rebuilds;
}

double longestNeck(const WorldState& world) {
    if (world.materials.kinds.cohesion != CohesionLaw::jkr || world.bodies.size() == 0) return 0;
    double reach = 0;
    const double largest = *std::max_element(world.bodies.radius.begin(), world.bodies.radius.end());
    for (const PairLaw& law : world.materials.laws) {
        reach = std::max(reach, -jkr::breakingOverlap(largest, law.modulus, law.adhesionWork));
    }
    return reach;
}

double defaultSkin(const WorldState& world) {
    const Bodies& b = world.bodies;
    if (b.grainCount == 0) return 1.0;
    // Large bodies that do not move must not decide.
    const bool anyFree = std::any_of(b.inverseMass.begin(), b.inverseMass.begin() + static_cast<long>(b.grainCount),
                                     [](double inverse) { return inverse != 0; });
    const auto counts = [&](std::size_t i) { return !anyFree || isSphere(b, i) || b.inverseMass[i] != 0; };
    const double sum = parallelSum(b.grainCount, 0.0, [&](std::size_t i) { return counts(i) ? b.radius[i] : 0.0; });
    const double number = parallelSum(b.grainCount, 0.0, [&](std::size_t i) { return counts(i) ? 1.0 : 0.0; });
    return 0.2 * sum / number + 2 * longestNeck(world);
}

}  // namespace talus
