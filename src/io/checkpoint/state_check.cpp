#include "io/checkpoint/state_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

template <class T>
bool finite(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isfinite(value);
    } else if constexpr (std::is_same_v<T, Vec3>) {
        return isFinite(value);
    } else if constexpr (std::is_same_v<T, Quat>) {
        return std::isfinite(value.w) && isFinite(Vec3{value.x, value.y, value.z});
    } else if constexpr (HasFields<T>) {
        bool all = true;
        visitFields([&](const auto&, const auto& part) { all = all && finite(part); }, value);
        return all;
    } else {
        return true;
    }
}

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

private:
    std::string first_;
};

// Every number of the state, down to the rows.
template <class T>
void requireFinite(const std::string& name, const T& part, Faults& faults) {
    if constexpr (Row<T>) {
        faults.require(finite(part), [&] { return name + " is not a finite number"; });
    } else if constexpr (isVector<T>) {
        faults.requireAll(name, part, "is not a finite number", [](const auto& v, std::size_t) { return finite(v); });
    } else if constexpr (isVariant<T>) {
        std::visit([&](const auto& alternative) { requireFinite(name, alternative, faults); }, part);
    } else {
        const std::string path = name.empty() ? "" : name + "/";
        visitFields([&](const auto& field, const auto& p) { requireFinite(path + field.name, p, faults); }, part);
    }
}

// Arrays have as many entries as the object has parts.
template <class T>
void requireSize(std::string_view name, const T& object, std::size_t size, std::string_view what, Faults& faults) {
    visitFields(
        [&](const auto& field, const auto& array) {
            if constexpr (isVector<std::remove_cvref_t<decltype(array)>>) {
                faults.require(array.size() == size, [&] {
                    return fmt::format("{}/{} has {} entries, {} {}", name, field.name, array.size(), what, size);
                });
            }
        },
        object);
}

void checkBodies(const WorldState& scene, const WorldState& w, Faults& faults) {
    const Bodies& b = w.bodies;
    requireSize("bodies", b, b.size(), "position has", faults);
    faults.require(b.grainCount <= b.size(), "there are more grains than bodies");
    if (!faults.none()) return;
    faults.require(scene.wallsComeOrGo || b.wallCount() == scene.bodies.wallCount(), [&] {
        return fmt::format("it has {} walls, the scene has {}", b.wallCount(), scene.bodies.wallCount());
    });
    faults.require(w.mantles.size() == b.wallCount(), "mantles does not fit the walls");
    faults.require(w.facePush.empty() || w.facePush.size() == b.wallCount(), "facePush does not fit the walls");
    const auto below = [](std::size_t limit) { return [=](auto index, std::size_t) { return index < limit; }; };
    faults.requireAll("bodies/material", b.material, "is not a material of the scene",
                      below(scene.materials.list.size()));
    faults.requireAll("bodies/group", b.group, "is not a group of the scene", below(scene.groupNames.size()));
    faults.requireAll("bodies/shape", b.shape, "is not a fitting shape of the scene", [&](auto shape, std::size_t i) {
        return shape < scene.shapes.size() && isWall(scene.shapes[shape]) == (i >= b.grainCount);
    });
    faults.requireAll("mantles", w.mantles, "is not that of the wall", [&](const Mantle& mantle, std::size_t k) {
        const bool isRound = std::holds_alternative<CylinderWall>(scene.shapes[b.shape[b.grainCount + k]]);
        return isRound == (mantle.radius != 0);
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

// Each array that the model of the scene keeps has one entry per candidate.
void checkMemory(const WorldState& scene, const ContactTable& table, Faults& faults) {
    faults.require(table.memory.index() == scene.contacts.memory.index(),
                   "contacts/memory is not what contacts of the scene remember");
    const auto check = [&](const auto& array) {
        faults.require(array.size() == (isKept(scene.materials.kinds, array) ? table.size() : 0),
                       "contacts/memory has not one entry per candidate");
    };
    std::visit([&](const auto& memory) { visitArrays(check, memory); }, table.memory);
}

void checkShapePairs(const WorldState& w, Faults& faults) {
    const ShapeCandidates& s = w.contacts.shapes;
    const Bodies& b = w.bodies;
    faults.require(s.pointStart.empty() ? s.pair.empty() : s.pointStart.size() == s.pair.size() + 1,
                   "contacts/shapes has not one row per pair");
    checkRows("contacts/shapes", s.pointStart, s.point.size(), faults);
    if (w.contacts.stale) return;
    faults.requireAll("contacts/shapes/pair", s.pair, "is not a pair of bodies", [&](const ShapePair& p, std::size_t) {
        return p.a < b.grainCount && p.b < b.size() && p.a != p.b && b.id[p.a] == p.idA && b.id[p.b] == p.idB;
    });
}

// Fresh lists know every body; stale ones know the grains of the last rebuild, through Bodies::row.
void checkContacts(const WorldState& scene, const WorldState& w, Faults& faults) {
    const Contacts& c = w.contacts;
    const Bodies& b = w.bodies;
    const std::size_t rows = c.grainRows();
    checkRows("contacts/grains", c.grains.rowStart, c.grains.partner.size(), faults);
    checkRows("contacts/walls", c.walls.rowStart, c.walls.candidate.size(), faults);
    checkMemory(scene, c, faults);
    checkShapePairs(w, faults);
    faults.require(std::is_sorted(c.brokenBonds.begin(), c.brokenBonds.end()), "contacts/brokenBonds is not sorted");
    faults.require(c.walls.rowStart.size() == c.grains.rowStart.size(), "grain and wall contacts differ in rows");
    faults.require(c.stale || (rows == b.grainCount && !c.grains.rowStart.empty() &&
                               c.builtPosition.size() == b.size() && c.builtWallOrientation.size() == b.wallCount() &&
                               c.wallReach.size() == b.wallCount() && c.builtMantles.size() == b.wallCount() &&
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
    requireSize("joints", w.joints, scene.joints.size(), "joints of the scene:", faults);
    for (const Joint& joint : scene.joints.list) {
        for (const std::uint32_t id : {joint.first, joint.second}) {
            const bool isThere = id == theWorld || indexOf(w.bodies, id) < w.bodies.size();
            faults.require(isThere, [&] { return fmt::format("the body {} of joint {} is missing", id, joint.name); });
        }
    }
}

void checkMotions(const WorldState& scene, const WorldState& w, Faults& faults) {
    faults.require(w.loadStart.size() <= scene.loads.size(), "loadStart has more entries than the scene has loads");
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

std::string findFault(const WorldState& scene, const WorldState& state) {
    Faults faults;
    requireFinite("", state, faults);
    checkBodies(scene, state, faults);
    if (faults.none()) checkIds(state, faults);
    if (faults.none()) checkMotions(scene, state, faults);
    if (faults.none()) checkContacts(scene, state, faults);
    checkJoints(scene, state, faults);
    faults.require(state.sources.size() == scene.sources.size() && state.sinks.size() == scene.sinks.size(),
                   "its sources and sinks are not those of the scene");
    return faults.first();
}

}  // namespace talus
