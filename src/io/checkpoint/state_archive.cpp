#include "io/checkpoint/state_archive.hpp"

#include <fmt/format.h>

#include "geometry/shape_digest.hpp"

namespace talus {
namespace {

std::vector<std::uint64_t> digestsOf(const std::vector<Shape>& shapes) {
    std::vector<std::uint64_t> digests;
    for (const Shape& shape : shapes) digests.push_back(digestOf(shape));
    return digests;
}

// Empty if the scene has the shapes of the run.
std::string shapeFault(const std::vector<std::uint64_t>& ofRun, const WorldState& scene) {
    const std::vector<std::uint64_t> now = digestsOf(scene.shapes);
    constexpr const char* cure = "a file that the scene names has changed since the run; put back the one it had";
    if (now.size() != ofRun.size()) {
        return fmt::format("the run had {} shapes and the scene makes {}: {}", ofRun.size(), now.size(), cure);
    }
    for (std::size_t k = 0; k < now.size(); ++k) {
        if (now[k] == ofRun[k]) continue;
        return fmt::format("shape {} of {}, a {}, is not that of the run: {}", k + 1, now.size(),
                           shapeName(scene.shapes[k]), cure);
    }
    return "";
}

}  // namespace

PopulationCounters countersOf(const WorldState& world) {
    PopulationCounters counters;
    for (const Source& source : world.sources) {
        counters.made.push_back(source.made);
        counters.drawn.push_back(source.drawn);
        counters.refused.push_back(source.refused);
        counters.offTime.push_back(source.offTime);
        counters.offSince.push_back(source.offSince);
    }
    for (const Sink& sink : world.sinks) {
        counters.removed.push_back(sink.removed);
        counters.removedMass.push_back(sink.removedMass);
    }
    return counters;
}

void restoreCounters(WorldState& world, const PopulationCounters& counters) {
    for (std::size_t k = 0; k < world.sources.size(); ++k) {
        world.sources[k].made = counters.made[k];
        world.sources[k].drawn = counters.drawn[k];
        world.sources[k].refused = counters.refused[k];
        world.sources[k].offTime = counters.offTime[k];
        world.sources[k].offSince = counters.offSince[k];
    }
    for (std::size_t k = 0; k < world.sinks.size(); ++k) {
        world.sinks[k].removed = counters.removed[k];
        world.sinks[k].removedMass = counters.removedMass[k];
    }
}

WallColumns columnsOf(const std::vector<WallCandidate>& candidates) {
    WallColumns columns;
    for (const WallCandidate& c : candidates) {
        columns.grain.push_back(c.grain);
        columns.wall.push_back(c.wall);
        columns.face.push_back(c.face);
    }
    return columns;
}

std::vector<WallCandidate> candidatesOf(const WallColumns& columns) {
    std::vector<WallCandidate> candidates(columns.grain.size());
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        candidates[k] = {columns.grain[k], columns.wall[k], columns.face[k]};
    }
    return candidates;
}

StateColumns columnsOf(const WorldState& world) {
    StateColumns columns{.candidates = columnsOf(world.contacts.walls.candidate)};
    MotionColumns& m = columns.motions;
    for (const Motion& motion : world.motions) {
        m.law.push_back(motion.entry);
        m.position.push_back(motion.start.position);
        m.orientation.push_back(motion.start.orientation);
        m.startTime.push_back(motion.startTime);
        m.way.push_back(motion.servo.way);
        m.speed.push_back(motion.servo.speed);
        m.since.push_back(motion.servo.since);
        m.radius.push_back(motion.servo.radius);
    }
    const Bodies& b = world.bodies;
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        const auto* drum = std::get_if<CylinderWall>(&world.shapes[b.shape[b.grainCount + w]]);
        columns.drumRadius.push_back(drum != nullptr ? drum->radius : 0.0);
    }
    for (const Freedom& guide : world.guides) {
        columns.guides.linear.push_back(guide.linear);
        columns.guides.angular.push_back(guide.angular);
    }
    columns.shapeDigest = digestsOf(world.shapes);
    return columns;
}

std::string restoreColumns(const StateColumns& columns, const WorldState& scene, WorldState& world) {
    if (const std::string fault = shapeFault(columns.shapeDigest, scene); !fault.empty()) return fault;
    const WallColumns& c = columns.candidates;
    if (c.wall.size() != c.grain.size() || c.face.size() != c.grain.size()) {
        return "contacts/walls has arrays of different lengths";
    }
    world.contacts.walls.candidate = candidatesOf(c);
    const MotionColumns& m = columns.motions;
    const std::size_t count = m.law.size();
    for (const std::size_t size : {m.position.size(), m.orientation.size(), m.startTime.size(), m.way.size(),
                                   m.speed.size(), m.since.size(), m.radius.size()}) {
        if (size != count) return "motions has arrays of different lengths";
    }
    for (std::size_t k = 0; k < count; ++k) {
        if (m.law[k] >= scene.motionLaws.size()) return "motions/law is not a motion of the scene";
        world.motions.push_back({scene.motionLaws[m.law[k]],
                                 {m.position[k], m.orientation[k]},
                                 m.startTime[k],
                                 m.law[k],
                                 {.way = m.way[k], .speed = m.speed[k], .since = m.since[k], .radius = m.radius[k]}});
    }
    const GuideColumns& guides = columns.guides;
    if (guides.angular.size() != guides.linear.size()) return "guides has arrays of different lengths";
    for (std::size_t k = 0; k < guides.linear.size(); ++k) {
        world.guides.push_back({guides.linear[k], guides.angular[k]});
    }
    return "";
}

void restoreRadii(const StateColumns& columns, WorldState& world) {
    const Bodies& b = world.bodies;
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        if (auto* drum = std::get_if<CylinderWall>(&world.shapes[b.shape[b.grainCount + w]])) {
            drum->radius = columns.drumRadius[w];
        }
    }
}

}  // namespace talus
