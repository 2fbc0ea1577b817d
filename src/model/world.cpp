#include "model/world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace talus {
namespace {

// Room for one more body at `index` in every array.
void insertAt(Bodies& b, std::size_t index) {
    visitArrays([&](auto& array) { array.insert(array.begin() + static_cast<long>(index), 1, {}); }, b);
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

// Drops the entries from `first` on whose flag is set; entries before and behind these stay.
template <class T>
void dropFlagged(std::vector<T>& array, const std::vector<char>& drop, std::size_t first = 0) {
    std::size_t kept = first;
    for (std::size_t k = 0; k < drop.size(); ++k) {
        if (!drop[k]) array[kept++] = array[first + k];
    }
    array.erase(array.begin() + static_cast<long>(kept), array.begin() + static_cast<long>(first + drop.size()));
}

// Forgets the candidates of walls that go and gives those of the others their new numbers.
void dropWallCandidates(ContactTable& table, const std::vector<char>& remove) {
    WallCandidates& list = table.walls;
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
    const auto dropMemory = [&](auto& array) {
        if (!array.empty()) dropFlagged(array, drop, table.firstWall());
    };
    std::visit([&](auto& memory) { visitArrays(dropMemory, memory); }, table.memory);
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
    if (wall) world.mantles.push_back(mantleOf(world.shapes[definition.shape]));
    if (wall && !world.facePush.empty()) world.facePush.push_back(0.0);
    fill(world, index, definition);
    world.contacts.stale = true;
    return b.id[index];
}

void addGrains(WorldState& world, const std::vector<BodyDefinition>& definitions) {
    Bodies& b = world.bodies;
    const std::size_t first = b.grainCount;
    visitArrays([&](auto& array) { array.insert(array.begin() + static_cast<long>(first), definitions.size(), {}); },
                b);
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
    visitArrays([&](auto& array) { dropFlagged(array, remove); }, b);
    b.grainCount -= removed;
    world.contacts.stale = true;
}

void removeWalls(WorldState& world, const std::vector<char>& remove) {
    Bodies& b = world.bodies;
    ENGINE_CHECK(remove.size() == b.wallCount());
    if (std::none_of(remove.begin(), remove.end(), [](char r) { return r; })) return;
    dropWallCandidates(world.contacts, remove);
    visitArrays([&](auto& array) { dropFlagged(array, remove, b.grainCount); }, b);
    dropFlagged(world.mantles, remove);
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

}  // namespace talus
