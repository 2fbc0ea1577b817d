#include "model/world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace talus {
namespace {

// Room for one more body at `index` in every array.
void insertAt(Bodies& b, std::size_t index) {
    forEachArray(b, [&](const char*, auto& array) { array.insert(array.begin() + static_cast<long>(index), 1, {}); });
}

void fill(WorldState& world, std::size_t index, const BodyDefinition& d) {
    Bodies& b = world.bodies;
    const Shape& shape = world.shapes[d.shape];
    b.position[index] = d.position;
    b.orientation[index] = d.orientation;
    b.velocity[index] = b.midVelocity[index] = d.velocity;
    b.spin[index] = b.midSpin[index] = d.spin;
    b.material[index] = d.material;
    b.shape[index] = d.shape;
    b.motion[index] = d.motion;
    b.load[index] = d.load;
    b.guide[index] = noGuide;
    b.group[index] = d.group;
    b.id[index] = world.nextId++;
    b.row[index] = noRow;
    b.dashpotShare[index] = 1;
    b.radius[index] = isWall(shape) ? 0.0 : d.radius;
    const bool moves = isWall(shape) ? d.mass > 0 : !d.fixed && d.motion == noMotion;
    if (moves) setFree(world, index, d);
}

// A guided solid that does not turn as it would by itself has one moment of inertia: that about the axis left to it.
void guideTurns(WorldState& world, std::size_t body) {
    Bodies& b = world.bodies;
    const Vec3& turns = angularFreedomOf(world, body);
    if (turns == world.angularFreedom) return;
    const Vec3 axis = rotateBack(b.orientation[body], turns), inverse = b.inverseInertia[body];
    const double moment = axis.x * axis.x / inverse.x + axis.y * axis.y / inverse.y + axis.z * axis.z / inverse.z;
    const double turning = moment > 0 ? 1 / moment : 0.0;
    b.inverseInertia[body] = {turning, turning, turning};
}

// Keeps the entries whose flag is not set; `first` entries before them stay.
template <class T>
void dropFlagged(std::vector<T>& array, const std::vector<char>& drop, std::size_t first = 0) {
    std::size_t kept = first;
    for (std::size_t k = 0; k < drop.size(); ++k) {
        if (!drop[k]) array[kept++] = array[first + k];
    }
    array.resize(kept);
}

// Forgets the candidates of walls that go and gives those of the others their new numbers.
void dropWallCandidates(WallContacts& list, const std::vector<char>& remove) {
    std::vector<std::uint16_t> number(remove.size());
    std::uint16_t next = 0;
    for (std::size_t w = 0; w < remove.size(); ++w) number[w] = remove[w] ? next : next++;
    std::vector<char> drop(list.candidate.size());
    std::vector<std::uint32_t> keptBefore(list.candidate.size() + 1, 0);
    for (std::size_t k = 0; k < drop.size(); ++k) {
        drop[k] = remove[list.candidate[k].wall];
        keptBefore[k + 1] = keptBefore[k] + (drop[k] ? 0u : 1u);
        list.candidate[k].wall = number[list.candidate[k].wall];
    }
    dropFlagged(list.candidate, drop);
    if (!list.tangent.empty()) dropFlagged(list.tangent, drop);
    if (!list.rolling.empty()) dropFlagged(list.rolling, drop);
    if (!list.impulse.empty()) dropFlagged(list.impulse, drop);
    if (!list.stretch.empty()) dropFlagged(list.stretch, drop);
    for (std::uint32_t& start : list.rowStart) start = keptBefore[start];
}

}  // namespace

Vec3 Domain::period() const {
    constexpr double none = std::numeric_limits<double>::infinity();
    return {periodic[0] ? high.x - low.x : none, periodic[1] ? high.y - low.y : none,
            periodic[2] ? high.z - low.z : none};
}

Vec3 Domain::wrapped(Vec3 position) const {
    for (int axis = 0; axis < 3; ++axis) {
        if (!periodic[static_cast<std::size_t>(axis)]) continue;
        double& x = position[axis];
        const double edge = high[axis] - low[axis];
        x -= edge * std::floor((x - low[axis]) / edge);
        if (x >= high[axis]) x = low[axis];
    }
    return position;
}

std::uint32_t addBody(WorldState& world, const BodyDefinition& definition) {
    Bodies& b = world.bodies;
    const bool wall = isWall(world.shapes[definition.shape]);
    const std::size_t index = wall ? b.size() : b.grainCount;
    insertAt(b, index);
    if (!wall) ++b.grainCount;
    if (wall && !world.facePush.empty()) world.facePush.push_back(0.0);
    fill(world, index, definition);
    world.contacts.stale = true;
    return b.id[index];
}

void addGrains(WorldState& world, const std::vector<BodyDefinition>& definitions) {
    Bodies& b = world.bodies;
    const std::size_t first = b.grainCount;
    forEachArray(b, [&](const char*, auto& array) {
        array.insert(array.begin() + static_cast<long>(first), definitions.size(), {});
    });
    b.grainCount += definitions.size();
    for (std::size_t k = 0; k < definitions.size(); ++k) {
        ENGINE_CHECK(!isWall(world.shapes[definitions[k].shape]));
        fill(world, first + k, definitions[k]);
    }
    if (!definitions.empty()) world.contacts.stale = true;
}

bool hasSolids(const WorldState& world) {
    const auto grains = world.bodies.shape.begin() + static_cast<long>(world.bodies.grainCount);
    return std::any_of(world.bodies.shape.begin(), grains, [](std::uint16_t shape) { return shape != 0; });
}

bool hasFreeWalls(const WorldState& world) {
    bool any = false;
    forEachFreeWall(world.bodies, [&](std::size_t) { any = true; });
    return any;
}

std::size_t indexOf(const Bodies& bodies, std::uint32_t id) {
    return static_cast<std::size_t>(std::find(bodies.id.begin(), bodies.id.end(), id) - bodies.id.begin());
}

void removeGrains(WorldState& world, const std::vector<char>& remove) {
    Bodies& b = world.bodies;
    ENGINE_CHECK(remove.size() == b.grainCount);
    const std::size_t removed =
        static_cast<std::size_t>(std::count_if(remove.begin(), remove.end(), [](char r) { return r; }));
    if (removed == 0) return;
    forEachArray(b, [&](const char*, auto& array) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < array.size(); ++i) {
            if (i >= remove.size() || !remove[i]) array[kept++] = array[i];
        }
        array.resize(kept);
    });
    b.grainCount -= removed;
    world.contacts.stale = true;
}

void removeWalls(WorldState& world, const std::vector<char>& remove) {
    Bodies& b = world.bodies;
    ENGINE_CHECK(remove.size() == b.wallCount());
    if (std::none_of(remove.begin(), remove.end(), [](char r) { return r; })) return;
    dropWallCandidates(world.contacts.walls, remove);
    forEachArray(b, [&](const char*, auto& array) { dropFlagged(array, remove, b.grainCount); });
    if (!world.facePush.empty()) dropFlagged(world.facePush, remove);
    world.contacts.stale = true;
}

void giveMass(WorldState& world, std::size_t grain) {
    Bodies& b = world.bodies;
    const MassProperties unit = massProperties(world.shapes[b.shape[grain]], scaleOf(world, grain));
    const double density = world.materials.list[b.material[grain]].density;
    b.inverseMass[grain] = 1.0 / (density * unit.volume);
    b.inverseInertia[grain] = {1 / (density * unit.inertia.x), 1 / (density * unit.inertia.y),
                               1 / (density * unit.inertia.z)};
}

std::uint16_t findGuide(WorldState& world, const Freedom& freedom) {
    const auto found = std::find(world.guides.begin(), world.guides.end(), freedom);
    const auto number = static_cast<std::uint16_t>(found - world.guides.begin());
    if (found == world.guides.end()) world.guides.push_back(freedom);
    return number;
}

void setFree(WorldState& world, std::size_t body, const BodyDefinition& d) {
    Bodies& b = world.bodies;
    b.guide[body] = d.guide ? findGuide(world, *d.guide) : noGuide;
    if (body >= b.grainCount) {
        const double turning = d.inertia > 0 ? 1 / d.inertia : 0.0;
        b.inverseMass[body] = 1 / d.mass;
        b.inverseInertia[body] = {turning, turning, turning};
        return;
    }
    giveMass(world, body);
    if (d.mass > 0) {
        b.inverseInertia[body] *= 1 / (d.mass * b.inverseMass[body]);
        b.inverseMass[body] = 1 / d.mass;
    }
    if (d.guide) guideTurns(world, body);
}

std::uint64_t stateHash(const WorldState& world) {
    const Bodies& b = world.bodies;
    std::vector<std::uint32_t> order(b.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return b.id[i] < b.id[j]; });

    Hash hash;
    const auto addContact = [&](std::uint32_t grain, std::uint32_t partner, const auto& list, std::uint32_t k) {
        if (!isActive(list, k)) return;
        hash.add(b.id[grain]);
        hash.add(partner);
        if (!list.tangent.empty()) hash.add(list.tangent[k]);
        if (!list.impulse.empty()) hash.add(list.impulse[k]);
        if (!list.stretch.empty()) hash.add(list.stretch[k]);
        if (!list.rolling.empty()) hash.add(list.rolling[k]);
    };
    hash.add(world.time);
    hash.add(world.step);
    forEachArray(b, [&](const std::string_view name, const auto& array) {
        if (name == "row" || name == "guide") return;  // numbers in lists, not state of the bodies
        if (name == "dashpotShare") return;            // below
        for (const std::uint32_t i : order) hash.add(array[i]);
    });
    forEachJointArray(world.joints, [&](const char*, const auto& array) {
        for (const auto& value : array) hash.add(value);
    });
    for (const Motion& motion : world.motions) {
        if (!isServo(motion)) continue;
        for (const double x : {motion.servo.way, motion.servo.speed, motion.servo.since, motion.servo.radius}) {
            hash.add(x);
        }
    }
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        const auto* drum = std::get_if<CylinderWall>(&world.shapes[b.shape[b.grainCount + w]]);
        if (drum != nullptr) hash.add(drum->radius);
    }
    for (const std::uint32_t i : order) {
        if (isGuided(world, i)) hash.add(world.guides[b.guide[i]]);
    }
    for (const std::uint32_t i : order) {
        if (b.dashpotShare[i] < 1) hash.add(b.dashpotShare[i]);
    }
    for (const double push : world.facePush) hash.add(push);
    for (const BrokenBond& bond : world.contacts.brokenBonds) hash.add(bond);
    // Contact memory in the order of the lists, which is part of what decides the next bits.
    if (world.contacts.stale) return hash.value();
    const GrainContacts& pairs = world.contacts.grains;
    const WallContacts& walls = world.contacts.walls;
    for (std::uint32_t i = 0; i < b.grainCount; ++i) {
        for (std::uint32_t k = pairs.rowStart[i]; k < pairs.rowStart[i + 1]; ++k) {
            addContact(i, b.id[pairs.partner[k]], pairs, k);
        }
        for (std::uint32_t k = walls.rowStart[i]; k < walls.rowStart[i + 1]; ++k) {
            addContact(i, walls.candidate[k].wall * 8u + walls.candidate[k].face, walls, k);
        }
    }
    const ShapeContacts& shapes = world.contacts.shapes;
    for (std::size_t p = 0; p < shapes.pair.size(); ++p) {
        for (std::uint32_t k = shapes.pointStart[p]; k < shapes.pointStart[p + 1]; ++k) {
            addContact(shapes.pair[p].a, shapes.pair[p].idB, shapes, k);
        }
    }
    return hash.value();
}

}  // namespace talus
