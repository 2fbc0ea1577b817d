#include "collision/neighbour_lists.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "collision/matching.hpp"
#include "collision/narrow/spheres.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

double drumRadius(const World& world, std::size_t wall) {
    const auto* drum = std::get_if<CylinderWall>(&world.shapes[world.bodies.shape[wall]]);
    return drum != nullptr ? drum->radius : 0.0;
}

double maxWallDisplacement(const World& world) {
    const Bodies& b = world.bodies;
    double largest = 0;
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        const std::size_t index = b.grainCount + w;
        if (!isMovingWall(b, w)) continue;
        const Pose before{world.contacts.builtPosition[index], world.contacts.builtWallOrientation[w]};
        const Pose now{b.position[index], b.orientation[index]};
        const double widened = std::abs(drumRadius(world, index) - world.contacts.builtWallRadius[w]);
        largest = std::max(largest, widened);
        if (before.position == now.position && before.orientation == now.orientation) continue;
        const double reach = world.contacts.wallReach[w] + world.contacts.skin;
        const double moved = surfaceDisplacement(world.shapes[b.shape[index]], before, now, reach);
        largest = std::max(largest, moved + widened);
    }
    return largest;
}

// Squared distance of a grain from where the lists were built; prescribed ones are wrapped in every step.
double displacementSquared(const World& world, const Vec3& period, std::size_t i) {
    return normSquared(nearestImage(world.bodies.position[i] - world.contacts.builtPosition[i], period));
}

// Largest distance of a grain from where the lists were built.
double maxGrainDisplacement(const World& world) {
    const Vec3 period = world.domain.period();
    return std::sqrt(parallelMax(
        world.bodies.grainCount, [&](std::size_t i) { return displacementSquared(world, period, i); }, 4096));
}

// The same for those that follow a prescribed motion, of which the caller knows nothing.
double maxCarriedDisplacement(const World& world) {
    if (world.motions.empty()) return 0;
    const Bodies& b = world.bodies;
    const Vec3 period = world.domain.period();
    double largest = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (b.motion[i] != noMotion) largest = std::max(largest, displacementSquared(world, period, i));
    }
    return std::sqrt(largest);
}

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

void listGrainPairs(const World& world, const CellGrid& grid, GrainContacts& list) {
    const Bodies& b = world.bodies;
    listRows(b.grainCount, list.rowStart, list.partner, [&](std::uint32_t i, std::vector<std::uint32_t>& out) {
        grid.forEachPartner(b, i, [&](std::uint32_t j) {
            if (b.inverseMass[i] != 0 || b.inverseMass[j] != 0) out.push_back(j);
        });
    });
}

bool isOpen(const Shape& wall, int face) {
    if (const auto* box = std::get_if<BoxWall>(&wall)) return box->open[static_cast<std::size_t>(face)];
    if (const auto* drum = std::get_if<CylinderWall>(&wall)) return drum->open[static_cast<std::size_t>(face)];
    return false;
}

void listWallFaces(const World& world, WallContacts& list) {
    const Bodies& b = world.bodies;
    const BodyView bodies = view(b);
    listRows(b.grainCount, list.rowStart, list.candidate, [&](std::uint32_t i, std::vector<WallCandidate>& out) {
        for (std::size_t w = 0; w < b.wallCount(); ++w) {
            const auto index = static_cast<std::uint32_t>(b.grainCount + w);
            if (b.inverseMass[i] == 0 && b.inverseMass[index] == 0) continue;
            const Shape& shape = world.shapes[b.shape[index]];
            for (int face = 0; face < faceCount(shape); ++face) {
                if (isOpen(shape, face)) continue;
                const double distance = wallApproach(bodies, shape, index, face, b.position[i]).distance;
                if (distance >= b.radius[i] + world.contacts.skin) continue;
                out.push_back({i, static_cast<std::uint16_t>(w), static_cast<std::uint16_t>(face)});
            }
        }
    });
}

void rememberPoses(World& world) {
    Bodies& b = world.bodies;
    world.contacts.builtPosition = b.position;
    world.contacts.builtWallOrientation.assign(b.orientation.begin() + static_cast<long>(b.grainCount),
                                               b.orientation.end());
    world.contacts.builtWallRadius.resize(b.wallCount());
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        world.contacts.builtWallRadius[w] = drumRadius(world, b.grainCount + w);
    }
    for (std::size_t i = 0; i < b.grainCount; ++i) b.row[i] = static_cast<std::uint32_t>(i);
}

// Turning moves the far end of a wall most; only moving walls need it.
void measureWallReach(World& world) {
    const Bodies& b = world.bodies;
    world.contacts.wallReach.assign(b.wallCount(), 0.0);
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        if (!isMovingWall(b, w)) continue;
        double squared = 0;
        for (std::size_t i = 0; i < b.grainCount; ++i) {
            squared = std::max(squared, normSquared(b.position[i] - b.position[b.grainCount + w]));
        }
        world.contacts.wallReach[w] = std::sqrt(squared);
    }
}

// The widest skin for which two images of a grain are never both near another one.
double widestSkin(const World& world) {
    const Bodies& b = world.bodies;
    double largest = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) largest = std::max(largest, b.radius[i]);
    const Vec3 period = world.domain.period();
    return 0.5 * std::min({period.x, period.y, period.z}) - 2 * largest;
}

void checkPeriods(const World& world) {
    if (world.contacts.skin <= widestSkin(world) * (1 + 1e-12)) return;
    throw InputError("domain: a periodic axis must be longer than two diameters of the largest grain plus the skin");
}

}  // namespace

bool refreshLists(World& world, NeighbourWorkspace& ws, double moved, double margin) {
    const double limit = 0.5 * (world.contacts.skin - margin);
    ws.travel += moved;
    bool old = world.contacts.stale || limit <= 0 || maxWallDisplacement(world) > limit ||
               maxCarriedDisplacement(world) > limit;
    if (!old && ws.travel > limit) {
        ws.travel = maxGrainDisplacement(world);
        old = ws.travel > limit;
    }
    if (!old) return false;
    Contacts& c = world.contacts;
    if (margin > 0) {
        const double wanted = 2 * margin + (c.leastSkin > 0 ? c.leastSkin : defaultSkin(world));
        c.skin = widestSkin(world) > 0 ? std::min(wanted, widestSkin(world)) : wanted;
    }
    rebuildLists(world, ws);
    return true;
}

void rebuildLists(World& world, NeighbourWorkspace& workspace) {
    Bodies& b = world.bodies;
    Contacts& contacts = world.contacts;
    if (contacts.skin <= 0) contacts.skin = defaultSkin(world);
    checkPeriods(world);

    wrapPositions(b, world.domain);
    workspace.grid.configure(b, world.domain, contacts.skin);
    workspace.grid.sortedOrder(b, workspace.order);
    forEachArray(b, [&](const char*, auto& array) { permute(array, workspace.order); });
    workspace.grid.indexCells();

    GrainContacts grains;
    listGrainPairs(world, workspace.grid, grains);
    carryMemory(world, contacts.grains, grains);
    contacts.grains = std::move(grains);

    WallContacts walls;
    listWallFaces(world, walls);
    carryMemory(world, contacts.walls, walls);
    contacts.walls = std::move(walls);

    rememberPoses(world);
    measureWallReach(world);
    contacts.stale = false;
    workspace.travel = 0;
    ++contacts.rebuilds;
}

double defaultSkin(const World& world) {
    const Bodies& b = world.bodies;
    if (b.grainCount == 0) return 1.0;
    const double sum = parallelSum(b.grainCount, 0.0, [&](std::size_t i) { return b.radius[i]; });
    double skin = 0.2 * sum / static_cast<double>(b.grainCount);
    if (world.materials.kinds.cohesion == CohesionLaw::jkr) {
        double reach = 0;
        const double largest = *std::max_element(b.radius.begin(), b.radius.end());
        for (const PairLaw& law : world.materials.laws) {
            reach = std::max(reach, -jkr::breakingOverlap(largest, law.modulus, law.adhesionWork));
        }
        skin += 2 * reach;
    }
    return skin;
}

}  // namespace talus
