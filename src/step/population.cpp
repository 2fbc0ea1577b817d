#include "step/population.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "contacts/narrow/ball_touches.hpp"
#include "contacts/narrow/wall_contacts.hpp"
#include "measure/contact_sample.hpp"
#include "measure/energy.hpp"
#include "model/grain_forms.hpp"

namespace talus {
namespace {

bool isInside(const Vec3& p, const Vec3& low, const Vec3& high) {
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
}

// Energy of the grains about to be removed and of the contacts they are part of.
double energyOf(const WorldState& w, const std::vector<char>& chosen) {
    double energy = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i]) energy += kineticEnergy(w.bodies, i) + potentialEnergy(w, i);
    }
    for (const ContactSample& c : sampleContacts(w)) {
        const bool partnerChosen = c.partner < chosen.size() && chosen[c.partner];
        if (chosen[c.owner] || partnerChosen) energy += c.energy.total();
    }
    return energy;
}

void drain(WorldState& w) {
    Bodies& b = w.bodies;
    std::vector<char> remove;  // made when the first grain is found
    for (Sink& sink : w.sinks) {
        if (!sink.on) continue;
        for (std::size_t i = 0; i < b.grainCount; ++i) {
            if (isBoundary(b, i) || !isInside(b.position[i], sink.low, sink.high)) continue;
            remove.resize(b.grainCount, 0);
            if (remove[i]) continue;
            remove[i] = 1;
            sink.removedMass += 1 / b.inverseMass[i];
            ++sink.removed;
        }
    }
    if (remove.empty()) return;
    w.ledger.insertedEnergy -= energyOf(w, remove);
    removeGrains(w, remove);
}

// Whether a ball is on the free side of every face of every wall.
bool isClearOfWalls(const WorldState& w, const Vec3& p, double r) {
    for (std::size_t i = w.bodies.grainCount; i < w.bodies.size(); ++i) {
        const Pose pose{w.bodies.position[i], w.bodies.orientation[i]};
        if (distanceToWall(wallNow(w, i), pose, p) < r) return false;
    }
    return true;
}

// Grains near the region, and those just placed in it: their bounding spheres must not overlap. Held bodies of other
// shapes act as walls and may leave room within theirs.
struct Neighbourhood {
    std::vector<Vec3> position;
    std::vector<double> radius;
    std::vector<std::uint32_t> held;  // bodies that are no spheres

    bool isFree(const WorldState& w, const Vec3& p, double r) const {
        if (!isClearOfWalls(w, p, r)) return false;
        const Vec3 period = w.domain.period();
        for (std::size_t k = 0; k < position.size(); ++k) {
            const double reach = r + radius[k];
            if (normSquared(nearestImage(p - position[k], period)) < reach * reach) return false;
        }
        return std::none_of(held.begin(), held.end(), [&](std::uint32_t i) {
            const Vec3 apart = nearestImage(p - w.bodies.position[i], period);
            if (norm(apart) >= r + w.bodies.radius[i]) return false;
            const Shape& shape = w.shapes[w.bodies.shape[i]];
            return ballTouches(apart, r, {&shape, scaleOf(w, i), {{}, w.bodies.orientation[i]}});
        });
    }
};

Neighbourhood grainsNear(const WorldState& w, const Source& source, double reach) {
    Neighbourhood near;
    const Bodies& b = w.bodies;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const double margin = reach + b.radius[i];
        const Vec3 m{margin, margin, margin};
        if (!w.domain.anyPeriodic() && !isInside(b.position[i], source.low - m, source.high + m)) continue;
        if (b.shape[i] != 0 && b.inverseMass[i] == 0) {
            near.held.push_back(static_cast<std::uint32_t>(i));
            continue;
        }
        near.position.push_back(b.position[i]);
        near.radius.push_back(b.radius[i]);
    }
    return near;
}

// A random place of the region where the grain touches nothing, or none if a number of tries found none.
std::optional<Vec3> findFreePlace(const WorldState& w, const Source& source, double radius, const Neighbourhood& near,
                                  Random& random) {
    constexpr int attempts = 50;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const Vec3 place = random.inBox(source.low, source.high);
        if (near.isFree(w, place, radius)) return place;
    }
    return {};
}

// What is due and finds room; the rest comes later.
std::vector<BodyDefinition> makeGrains(const WorldState& w, Source& source, std::uint64_t due) {
    Random random(w.seed, source.stream, source.drawn);
    Neighbourhood near = grainsNear(w, source, largestBoundingRadius(source.size, source.forms));
    std::vector<BodyDefinition> fresh;
    for (; source.made < due; ++source.made) {
        const DrawnGrain grain = drawGrain(source.size, source.forms, random);
        const std::optional<Vec3> place = findFreePlace(w, source, grain.radius, near, random);
        if (!place) {
            ++source.refused;
            break;
        }
        near.position.push_back(*place);
        near.radius.push_back(grain.radius);
        fresh.push_back({.shape = grain.shape,
                         .radius = grain.radius,
                         .position = *place,
                         .orientation = drawOrientation(w, grain.shape, random),
                         .velocity = source.velocity,
                         .material = source.material,
                         .group = source.group});
    }
    source.drawn = random.drawn();
    return fresh;
}

void pour(WorldState& w, Source& source) {
    if (source.offSince >= 0) return;
    const std::uint64_t due = grainsDue(source, w.time);
    if (source.made >= due) return;
    const std::size_t first = w.bodies.grainCount;
    addGrains(w, makeGrains(w, source, due));
    for (std::size_t i = first; i < w.bodies.grainCount; ++i) {
        w.ledger.insertedEnergy += kineticEnergy(w.bodies, i) + potentialEnergy(w, i);
    }
}

}  // namespace

std::uint64_t grainsDue(const Source& s, double time) {
    const double elapsed = std::min(time - s.offTime, s.stop) - s.start;
    if (elapsed < 0) return 0;
    const double due = std::floor(s.rate * elapsed) + 1;
    const double limit = static_cast<double>(s.limit);
    return static_cast<std::uint64_t>(std::min(due, limit));
}

void updatePopulation(WorldState& world) {
    if (!world.sinks.empty()) drain(world);
    for (Source& source : world.sources) pour(world, source);
}

}  // namespace talus
