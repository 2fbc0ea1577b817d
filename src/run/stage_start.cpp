#include "run/stage_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "build/change_body.hpp"
#include "build/grain_grid.hpp"
#include "contacts/table/shape_points.hpp"
#include "io/scene/scene_rules.hpp"
#include "io/scene/stage_scene.hpp"
#include "model/prescribed_motion.hpp"
#include "run/setup.hpp"
#include "step/assembly/convert_memory.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

void removeGroups(WorldState& world, const std::vector<std::uint16_t>& groups) {
    const Bodies& b = world.bodies;
    const auto goes = [&](std::size_t i) {
        return std::find(groups.begin(), groups.end(), b.group[i]) != groups.end();
    };
    std::vector<char> walls(b.wallCount()), grains(b.grainCount);
    for (std::size_t w = 0; w < walls.size(); ++w) walls[w] = goes(b.grainCount + w);
    for (std::size_t i = 0; i < grains.size(); ++i) grains[i] = goes(i);
    removeWalls(world, walls);
    removeGrains(world, grains);
}

// --- changes of groups ---------------------------------------------------------------------------------------------

// m, between the surfaces of a body and the nearest one of a group; infinite if the group is empty.
double distanceTo(const WorldState& world, std::size_t body, const std::string& group) {
    const Bodies& b = world.bodies;
    const ShapeInPlace place = shapeInPlace(world, body);
    double nearest = std::numeric_limits<double>::infinity();
    std::vector<ContactPoint> points;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (i == body || world.groupNames[b.group[i]] != group) continue;
        const ShapeInPlace other = shapeNear(world, i, b.position[body]);
        if (leastDistance(place, other) >= nearest) continue;
        points.clear();
        findContactPoints(place, other, nearest, points);
        for (const ContactPoint& point : points) nearest = std::min(nearest, point.gap);
    }
    return nearest;
}

// m, that a body goes along a direction before it has left the whole group behind.
double wayThrough(const WorldState& world, std::size_t body, const std::string& group, const Vec3& direction) {
    const Bodies& b = world.bodies;
    double way = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (i == body || world.groupNames[b.group[i]] != group) continue;
        way = std::max(way, dot(b.position[i] - b.position[body], direction) + b.radius[i] + b.radius[body]);
    }
    return way;
}

// Until it touches. It goes as far as it is away from the nearest body, again and again: so it never goes too far.
void letDown(WorldState& world, std::size_t body, const std::string& group, const Vec3& down, const std::string& path) {
    constexpr double touch = 1e-4;  // -, of the body's radius
    Bodies& b = world.bodies;
    const Vec3 start = b.position[body];
    const double way = wayThrough(world, body, group, down);
    for (double gone = 0; gone <= way;) {
        const double distance = distanceTo(world, body, group);
        if (distance <= touch * b.radius[body]) return;
        gone += distance;
        b.position[body] = start + gone * down;
    }
    throw RunError(fmt::format("{}.on: no body of the group '{}' is below to let it down on", path, group));
}

// A motion that a body has goes on from where the body is now, and its times count from now.
void beginMotionAnew(WorldState& world, std::size_t i) {
    Bodies& b = world.bodies;
    if (b.motion[i] == noMotion) return;
    Motion& motion = world.motions[b.motion[i]];
    motion.start = {b.position[i], b.orientation[i]};
    motion.startTime = world.time;
}

// That of gravity, as far as a body that becomes free can follow it.
Vec3 downFor(const WorldState& world, const BodyDefinition& free, const std::string& path) {
    Vec3 down = world.gravity;
    if (free.guide) {
        for (const int axis : {0, 1, 2}) down[axis] *= free.guide->linear[axis];
    }
    if (norm(down) == 0) throw RunError(path + ".on: gravity has no part along the axes in which the body is free");
    return down / norm(down);
}

void letDownGroup(WorldState& world, const LaterChange& later, const std::string& onto, const std::string& path) {
    const Bodies& b = world.bodies;
    const std::uint16_t group = later.group;
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (b.group[i] == group) members.push_back(i);
    }
    if (members.size() != 1) {
        throw RunError(fmt::format("{}.on: lets down a single body, and the group '{}' has {}", path,
                                   world.groupNames[group], members.size()));
    }
    letDown(world, members.front(), onto, downFor(world, later.free, path), path);
    beginMotionAnew(world, members.front());
}

void changeBody(WorldState& world, std::size_t i, const GroupChange& change, const LaterChange& later) {
    const Vec3 velocity = change.velocity.value_or(world.bodies.velocity[i]), spin = world.bodies.spin[i];
    if (change.fixed) hold(world, i);
    if (change.fixed && !*change.fixed) letGo(world, i, velocity, spin);
    if (change.free) letGoGuided(world, i, later.free);
    if (change.motion) follow(world, i, later.law);
    if (change.force) pushBy(world, i, later.load);
}

void changeGroup(WorldState& world, const GroupChange& change, const LaterChange& later, const std::string& path) {
    bool any = false;
    if (change.on) letDownGroup(world, later, *change.on, path);
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        if (world.bodies.group[i] != later.group) continue;
        if (change.motion && world.motions.size() >= noMotion) {
            throw RunError(fmt::format("{}: at most {} bodies can have a motion", path, noMotion));
        }
        changeBody(world, i, change, later);
        any = true;
    }
    if (!any) throw RunError(fmt::format("{}: no body of the group '{}' is left", path, change.group));
    world.contacts.stale = true;
}

// --- new bodies ----------------------------------------------------------------------------------------------------

// m, along the normal from a plane to the lowest point of a body; of one that is higher than the limit, at most that.
double heightAbove(const WorldState& world, const ShapeInPlace& plane, std::size_t body, double limit) {
    const Bodies& b = world.bodies;
    const Vec3 normal = rotate(plane.pose.orientation, {0, 0, 1});
    const double centre = dot(b.position[body] - plane.pose.position, normal);
    const double lowest = centre - b.radius[body];
    if (isSphere(b, body) || lowest >= limit) return lowest;
    // As seen from a plane that touches the sphere around it.
    ShapeInPlace touching = plane;
    touching.pose.position += lowest * normal;
    std::vector<ContactPoint> points;
    findContactPoints(shapeInPlace(world, body), touching, 2 * b.radius[body], points);
    double gap = 2 * b.radius[body];
    for (const ContactPoint& point : points) gap = std::min(gap, point.gap);
    return lowest + gap;
}

// Moves a plane along its normal until it touches the nearest body of the group.
void moveOnto(const WorldState& world, const std::string& group, BodyDefinition& plane, const std::string& path) {
    const Bodies& b = world.bodies;
    const ShapeInPlace place{&world.shapes[plane.shape], 1, {plane.position, plane.orientation}};
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (world.groupNames[b.group[i]] == group) nearest = std::min(nearest, heightAbove(world, place, i, nearest));
    }
    if (nearest == std::numeric_limits<double>::infinity()) {
        throw RunError(fmt::format("{}: no body of the group '{}' is there to put the plane on", path, group));
    }
    plane.position += nearest * rotate(plane.orientation, {0, 0, 1});
}

BodyDefinition definitionOf(WorldState& world, const LaterBody& later) {
    BodyDefinition body = later.definition;
    if (later.law != noMotion) body.motion = startMotion(world, later.law, {body.position, body.orientation});
    if (body.load != noLoad) world.loadStart[body.load] = world.time;
    return body;
}

// How deep two bodies are in each other, m; 0 if they are apart.
double overlapOf(const ShapeInPlace& a, const ShapeInPlace& b) {
    std::vector<ContactPoint> points;
    findContactPoints(a, b, 0.0, points);
    double deepest = 0;
    for (const ContactPoint& point : points) deepest = std::max(deepest, -point.gap);
    return deepest;
}

[[noreturn]] void refuse(const WorldState& world, const BodyDefinition& d, std::size_t body, double overlap,
                         const std::string& path) {
    throw RunError(fmt::format(
        "{}.bodies: a new {} at ({:.6g}, {:.6g}, {:.6g}) m overlaps body {} ({}) that is there by {:.3g} m; "
        "put new bodies where nothing is",
        path, shapeName(world.shapes[d.shape]), d.position.x, d.position.y, d.position.z, world.bodies.id[body],
        world.groupNames[world.bodies.group[body]], overlap));
}

// Held walls and held bodies do nothing to each other and may overlap.
void requireFreeOfWall(const WorldState& world, const BodyDefinition& wall, double maxOverlap,
                       const std::string& path) {
    const Bodies& b = world.bodies;
    const ShapeInPlace place{&world.shapes[wall.shape], 1, {wall.position, wall.orientation}};
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (wall.mass == 0 && b.inverseMass[i] == 0) continue;
        const double overlap = overlapOf(shapeNear(world, i, wall.position), place);
        if (overlap > maxOverlap * b.radius[i]) refuse(world, wall, i, overlap, path);
    }
}

void insertWalls(WorldState& world, const StagePlan& plan, double maxOverlap, const std::string& path) {
    for (LaterBody later : plan.walls) {
        if (later.on) moveOnto(world, *later.on, later.definition, path);
        requireFreeOfWall(world, later.definition, maxOverlap, path);
        addBody(world, definitionOf(world, later));
    }
}

void requireFree(const WorldState& world, const StagePlan& plan, double maxOverlap, const std::string& path) {
    if (plan.grains.empty()) return;
    GrainGrid grid(world.domain.period(), world.domain.low);
    const Bodies& b = world.bodies;
    for (std::size_t i = 0; i < b.grainCount; ++i) grid.add(b.position[i], b.radius[i]);
    for (const LaterBody& later : plan.grains) {
        const BodyDefinition& d = later.definition;
        const Shape& shape = world.shapes[d.shape];
        const ShapeInPlace place{&shape, d.radius / boundingRadius(shape), {d.position, d.orientation}};
        const auto require = [&](std::size_t i) {
            const double overlap = overlapOf(place, shapeNear(world, i, d.position));
            const double size = i < b.grainCount ? std::min(d.radius, b.radius[i]) : d.radius;
            if (overlap > maxOverlap * size) refuse(world, d, i, overlap, path);
        };
        // Bounding spheres that overlap may belong to bodies that do not.
        grid.forOverlapping({.position = d.position, .radius = d.radius, .smallest = 0}, [&](std::uint32_t i, double) {
            require(i);
            return true;
        });
        for (std::size_t w = b.grainCount; w < b.size(); ++w) require(w);
    }
}

void insertGrains(WorldState& world, const StagePlan& plan) {
    std::vector<BodyDefinition> grains;
    for (const LaterBody& later : plan.grains) grains.push_back(definitionOf(world, later));
    addGrains(world, grains);
}

// --- sources and sinks ---------------------------------------------------------------------------------------------

void switchSources(WorldState& world, bool on) {
    for (Source& source : world.sources) {
        if (on && source.offSince >= 0) source.offTime += world.time - source.offSince;
        if (on) source.offSince = -1;
        if (!on && source.offSince < 0) source.offSince = world.time;
    }
}

void switchSinks(WorldState& world, bool on) {
    for (Sink& sink : world.sinks) sink.on = on;
}

}  // namespace

void applyStage(WorldState& world, const Scene& inForce, const StageSettings& stage, const StagePlan& plan,
                const std::string& path) {
    convertMemory(world, memoryOf(inForce));
    world.materials = makeMaterials(inForce);
    world.gravity = inForce.gravity;
    if (stage.sourcesOn) switchSources(world, *stage.sourcesOn);
    if (stage.sinksOn) switchSinks(world, *stage.sinksOn);
    world.loadStart.resize(world.loads.size());
    removeGroups(world, plan.remove);
    for (std::size_t k = 0; k < plan.changes.size(); ++k) {
        changeGroup(world, stage.change[k], plan.changes[k], fmt::format("{}.change[{}]", path, k));
    }
    dropUnusedMotions(world);
    insertWalls(world, plan, inForce.run.maxOverlap, path);
    requireFree(world, plan, inForce.run.maxOverlap, path);
    insertGrains(world, plan);
}

void adoptStage(WorldState& world, const Scene& scene, std::size_t stage) {
    const Scene inForce = sceneInStage(scene, stage);
    world.contacts.memory = memoryOf(inForce);
    world.materials = makeMaterials(inForce);
    world.gravity = inForce.gravity;
    for (std::size_t k = 0; k <= stage && k < scene.stages.size(); ++k) {
        if (scene.stages[k].sinksOn) switchSinks(world, *scene.stages[k].sinksOn);
    }
}

}  // namespace talus
