#include "io/checkpoint/state_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

bool finite(double x) { return std::isfinite(x); }
bool finite(const Vec3& v) { return isFinite(v); }
bool finite(const Quat& q) { return std::isfinite(q.w) && isFinite(Vec3{q.x, q.y, q.z}); }
bool finite(const TangentSpring& s) { return isFinite(s.stretch) && std::isfinite(s.contactRadius); }
bool finite(const RollingSpring& s) { return isFinite(s.turn); }
bool finite(const ContactStretch& s) {
    return isFinite(s.tangential) && std::isfinite(s.plastic) && std::isfinite(s.way) && std::isfinite(s.bond) &&
           std::isfinite(s.touching);
}
bool finite(const ContactPoint& p) {
    return isFinite(p.position) && isFinite(p.normal) && std::isfinite(p.gap) && std::isfinite(p.radius);
}
bool finite(std::uint16_t) { return true; }
bool finite(std::uint32_t) { return true; }

// Collects the first fault; later checks are skipped, since they may rely on earlier ones.
class Faults {
public:
    bool none() const { return first_.empty(); }
    const std::string& first() const { return first_; }

    // `text` may be a text or a function that makes one.
    template <class Text>
    void require(bool condition, Text&& text) {
        if (condition || !none()) return;
        if constexpr (std::is_invocable_v<Text>) {
            first_ = text();
        } else {
            first_ = text;
        }
    }
    // Entry k must satisfy accept(value, k).
    template <class T, class Accept>
    void requireAll(std::string_view name, const std::vector<T>& values, std::string_view what, Accept&& accept) {
        for (std::size_t k = 0; none() && k < values.size(); ++k) {
            if (!accept(values[k], k)) first_ = fmt::format("{}[{}] {}", name, k, what);
        }
    }
    template <class T>
    void requireFinite(std::string_view name, const std::vector<T>& values) {
        requireAll(name, values, "is not a finite number", [](const T& value, std::size_t) { return finite(value); });
    }

private:
    std::string first_;
};

void checkNumbers(const WorldState& w, Faults& faults) {
    const DissipatedEnergy& d = w.ledger.dissipated;
    for (const double x : {w.time, w.ledger.wallWork, w.ledger.jointLoss, w.ledger.insertedEnergy, w.contacts.skin,
                           w.contacts.impulseTime, d.normalDamping, d.tangentialDamping, d.sliding, d.rolling,
                           d.cohesion, d.plastic, w.ledger.ahead.normal, w.ledger.ahead.tangential}) {
        faults.require(std::isfinite(x), "time, energy ledger or skin is not a finite number");
    }
}

void checkBodies(const WorldState& scene, const WorldState& w, Faults& faults) {
    const Bodies& b = w.bodies;
    forEachArray(b, [&](const char* name, const auto& array) {
        faults.require(array.size() == b.size(), [&] {
            return fmt::format("bodies/{} has {} entries, position has {}", name, array.size(), b.size());
        });
        faults.requireFinite(std::string("bodies/") + name, array);
    });
    faults.require(b.grainCount <= b.size(), "there are more grains than bodies");
    if (!faults.none()) return;
    faults.require(scene.wallsComeOrGo || b.wallCount() == scene.bodies.wallCount(), [&] {
        return fmt::format("it has {} walls, the scene has {}", b.wallCount(), scene.bodies.wallCount());
    });
    faults.require(w.facePush.empty() || w.facePush.size() == b.wallCount(), "walls/facePush does not fit the walls");
    faults.requireFinite("walls/facePush", w.facePush);
    const auto below = [](std::size_t limit) { return [=](auto index, std::size_t) { return index < limit; }; };
    faults.requireAll("bodies/material", b.material, "is not a material of the scene",
                      below(scene.materials.list.size()));
    faults.requireAll("bodies/group", b.group, "is not a group of the scene", below(scene.groupNames.size()));
    faults.requireAll("bodies/shape", b.shape, "is not a fitting shape of the scene", [&](auto shape, std::size_t i) {
        return shape < scene.shapes.size() && isWall(scene.shapes[shape]) == (i >= b.grainCount);
    });
    faults.requireAll("bodies/motion", b.motion, "is not a motion of the scene",
                      [&](auto motion, std::size_t) { return motion == noMotion || motion < w.motions.size(); });
    faults.requireAll("bodies/load", b.load, "is not a load of the scene",
                      [&](auto load, std::size_t) { return load == noLoad || load < scene.loads.size(); });
    faults.requireAll("bodies/guide", b.guide, "is not one of the guides",
                      [&](auto guide, std::size_t) { return guide == noGuide || guide < w.guides.size(); });
    faults.requireAll("bodies/radius", b.radius, "must be > 0 m for grains",
                      [&](double radius, std::size_t i) { return i >= b.grainCount || radius > 0; });
    faults.requireAll("bodies/dashpotShare", b.dashpotShare, "must be > 0 and <= 1",
                      [](double share, std::size_t) { return share > 0 && share <= 1; });
    faults.requireAll("bodies/inverseMass", b.inverseMass, "must be >= 0",
                      [](double m, std::size_t) { return m >= 0; });
}

void checkIds(const WorldState& w, Faults& faults) {
    std::vector<std::uint32_t> ids = w.bodies.id;
    std::sort(ids.begin(), ids.end());
    faults.require(std::adjacent_find(ids.begin(), ids.end()) == ids.end(), "two bodies have the same id");
    faults.require(ids.empty() || ids.back() < w.nextId, "a body has an id that was never given out");
}

// Row k of a list spans [rowStart[k], rowStart[k+1]) of `entries` entries.
void checkRows(std::string_view name, const std::vector<std::uint32_t>& rowStart, std::size_t entries, Faults& faults) {
    if (rowStart.empty()) {
        faults.require(entries == 0, [&] { return fmt::format("{} has entries but no rows", name); });
        return;
    }
    faults.require(rowStart.front() == 0 && rowStart.back() == entries,
                   [&] { return fmt::format("{}/rowStart does not span its entries", name); });
    faults.require(std::is_sorted(rowStart.begin(), rowStart.end()),
                   [&] { return fmt::format("{}/rowStart must not fall", name); });
}

template <class List>
void checkMemory(std::string_view name, const List& list, std::size_t entries, const Contacts& kept, bool rolling,
                 Faults& faults) {
    const bool springs = kept.memory == ContactMemory::springs;
    faults.require(
        list.tangent.size() == (springs ? entries : 0) && list.rolling.size() == (springs && rolling ? entries : 0) &&
            list.impulse.size() == (springs ? 0 : entries) && list.stretch.size() == (kept.yielding ? entries : 0),
        [&] { return fmt::format("{} has not one memory per candidate", name); });
    faults.requireFinite(std::string(name) + "/impulse", list.impulse);
    faults.requireFinite(std::string(name) + "/stretch", list.stretch);
    faults.requireFinite(std::string(name) + "/tangent", list.tangent);
    faults.requireFinite(std::string(name) + "/rolling", list.rolling);
}

void checkShapePairs(const WorldState& scene, const WorldState& w, bool rolling, Faults& faults) {
    const ShapeContacts& s = w.contacts.shapes;
    const Bodies& b = w.bodies;
    faults.require(s.pointStart.empty() ? s.pair.empty() : s.pointStart.size() == s.pair.size() + 1,
                   "contacts/shapes has not one row per pair");
    checkRows("contacts/shapes", s.pointStart, s.point.size(), faults);
    checkMemory("contacts/shapes", s, s.point.size(), scene.contacts, rolling, faults);
    faults.requireFinite("contacts/shapes/point", s.point);
    if (w.contacts.stale) return;
    faults.requireAll("contacts/shapes/pair", s.pair, "is not a pair of bodies", [&](const ShapePair& p, std::size_t) {
        return p.a < b.grainCount && p.b < b.size() && p.a != p.b && b.id[p.a] == p.idA && b.id[p.b] == p.idB;
    });
}

// Fresh lists know every body; stale ones know the grains of the last rebuild, through Bodies::row.
void checkContacts(const WorldState& scene, const WorldState& w, Faults& faults) {
    const Contacts& c = w.contacts;
    const Bodies& b = w.bodies;
    const std::size_t rows = c.grains.rowStart.empty() ? 0 : c.grains.rowStart.size() - 1;
    const bool rolling = rows > 0 && scene.materials.kinds.rolling == RollingLaw::spring;
    checkRows("contacts/grains", c.grains.rowStart, c.grains.partner.size(), faults);
    checkRows("contacts/walls", c.walls.rowStart, c.walls.candidate.size(), faults);
    checkMemory("contacts/grains", c.grains, c.grains.partner.size(), scene.contacts, rolling, faults);
    checkMemory("contacts/walls", c.walls, c.walls.candidate.size(), scene.contacts, rolling, faults);
    checkShapePairs(scene, w, rolling, faults);
    faults.require(std::is_sorted(c.brokenBonds.begin(), c.brokenBonds.end()), "contacts/brokenBonds is not sorted");
    faults.requireFinite("contacts/builtPosition", c.builtPosition);
    faults.requireFinite("contacts/builtWallOrientation", c.builtWallOrientation);
    faults.requireFinite("contacts/builtOrientation", c.builtOrientation);
    faults.requireFinite("contacts/wallReach", c.wallReach);
    faults.require(c.walls.rowStart.size() == c.grains.rowStart.size(), "grain and wall contacts differ in rows");
    faults.requireFinite("contacts/builtWallRadius", c.builtWallRadius);
    faults.require(c.stale || (rows == b.grainCount && !c.grains.rowStart.empty() &&
                               c.builtPosition.size() == b.size() && c.builtWallOrientation.size() == b.wallCount() &&
                               c.wallReach.size() == b.wallCount() && c.builtWallRadius.size() == b.wallCount() &&
                               (c.builtOrientation.empty() || c.builtOrientation.size() == b.grainCount)),
                   "the contact lists do not belong to the bodies");
    faults.requireAll("contacts/grains/partner", c.grains.partner, "is not a grain",
                      [&](std::uint32_t partner, std::size_t) { return partner < rows; });
    faults.requireAll("contacts/walls", c.walls.candidate, "is not a face of a wall",
                      [&](const WallCandidate& candidate, std::size_t) {
                          if (candidate.grain >= rows || candidate.wall >= b.wallCount()) return false;
                          return candidate.face < faceCount(scene.shapes[b.shape[b.grainCount + candidate.wall]]);
                      });
    for (std::size_t i = 0; i < b.grainCount && faults.none(); ++i) {
        faults.require(b.row[i] == noRow ? c.stale : b.row[i] < rows,
                       [&] { return fmt::format("bodies/row[{}] is not a row of the contact lists", i); });
    }
}

// Joints are those of the scene; their bodies are looked up by id in every step.
void checkJoints(const WorldState& scene, const WorldState& w, Faults& faults) {
    forEachJointArray(w.joints, [&](const char* name, const auto& array) {
        faults.require(array.size() == scene.joints.size(), [&] {
            return fmt::format("joints/{} has {} entries, the scene has {} joints", name, array.size(),
                               scene.joints.size());
        });
        faults.requireFinite(std::string("joints/") + name, array);
    });
    for (const Joint& joint : scene.joints.list) {
        for (const std::uint32_t id : {joint.first, joint.second}) {
            const bool isThere = id == theWorld || indexOf(w.bodies, id) < w.bodies.size();
            faults.require(isThere, [&] { return fmt::format("the body {} of joint {} is missing", id, joint.name); });
        }
    }
}

void checkCounters(const WorldState& scene, const PopulationCounters& counters, Faults& faults) {
    const std::size_t sources = scene.sources.size(), sinks = scene.sinks.size();
    faults.require(counters.made.size() == sources && counters.drawn.size() == sources &&
                       counters.refused.size() == sources && counters.removed.size() == sinks &&
                       counters.removedMass.size() == sinks,
                   "its sources and sinks are not those of the scene");
    faults.require(counters.offTime.size() == sources && counters.offSince.size() == sources,
                   "its sources are not those of the scene");
    faults.requireFinite("sinks/removedMass", counters.removedMass);
    faults.requireFinite("sources/offTime", counters.offTime);
}

void checkMotions(const WorldState& scene, const WorldState& w, Faults& faults) {
    faults.require(w.loadStart.size() <= scene.loads.size(), "loads/start has more entries than the scene has loads");
    faults.requireFinite("loads/start", w.loadStart);
    faults.requireAll("motions", w.motions, "is not a finite number", [](const Motion& m, std::size_t) {
        const ServoState& s = m.servo;
        return finite(m.start.position) && finite(m.start.orientation) && finite(m.startTime) && finite(s.way) &&
               finite(s.speed) && finite(s.since) && finite(s.radius);
    });
    faults.require(std::isfinite(w.epoch.time) && w.epoch.step <= w.step, "its epoch is not in its past");
    const Bodies& b = w.bodies;
    for (std::size_t i = 0; faults.none() && i < b.size(); ++i) {
        if (b.motion[i] == noMotion || !isServo(w.motions[b.motion[i]])) continue;
        const bool radial = std::holds_alternative<RadialServoMotion>(w.motions[b.motion[i]].law);
        const bool fits = !radial || std::holds_alternative<CylinderWall>(scene.shapes[b.shape[i]]);
        faults.require(fits, [&] { return fmt::format("bodies/motion[{}] is a servo that does not fit the body", i); });
    }
}

}  // namespace

std::string findFault(const WorldState& scene, const WorldState& state, const PopulationCounters& counters) {
    Faults faults;
    checkNumbers(state, faults);
    checkBodies(scene, state, faults);
    if (faults.none()) checkIds(state, faults);
    if (faults.none()) checkMotions(scene, state, faults);
    if (faults.none()) checkContacts(scene, state, faults);
    checkJoints(scene, state, faults);
    checkCounters(scene, counters, faults);
    return faults.first();
}

}  // namespace talus
