#include "run/population_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "step/population.hpp"

namespace talus {
namespace {

constexpr double wellServed = 0.9;  // -, of the grains that were due

std::string nameOf(const WorldState& w, std::size_t body) {
    return fmt::format("body {} (group '{}')", w.bodies.id[body], w.groupNames[w.bodies.group[body]]);
}

bool hasDomain(const Domain& domain) {
    constexpr double unbounded = 1e29;
    return domain.anyPeriodic() || domain.high.x < unbounded || domain.high.y < unbounded || domain.high.z < unbounded;
}

// How far down, in the direction given, there is anything that could hold or take out a grain; m.
double lowestHold(const WorldState& w, const Vec3& down) {
    double lowest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
        if (!isBoundary(w.bodies, i)) continue;
        const bool isPlane = std::holds_alternative<PlaneWall>(w.shapes[w.bodies.shape[i]]);
        if (isPlane && dot(rotate(w.bodies.orientation[i], {0, 0, 1}), down) < 0)
            return std::numeric_limits<double>::infinity();
        lowest = std::max(lowest, dot(w.bodies.position[i], down) + reachOf(w, i));
    }
    for (const Sink& sink : w.sinks) {
        double bottom = 0;
        for (int axis = 0; axis < 3; ++axis) {
            bottom += std::max(sink.low[axis] * down[axis], sink.high[axis] * down[axis]);
        }
        lowest = std::max(lowest, bottom);
    }
    return lowest;
}

}  // namespace

std::vector<std::string> describeSources(const WorldState& w) {
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < w.sources.size(); ++k) {
        const Source& source = w.sources[k];
        const double now = source.offSince >= 0 ? source.offSince : w.time;
        const double due = static_cast<double>(grainsDue(source, now)), made = static_cast<double>(source.made);
        if (made + 1 > wellServed * due) continue;
        lines.push_back(fmt::format(
            "sources[{}] made {} of the {:.3g} grains that were due by now at {:.3g} per second: {} times it found no "
            "free place for the next one; make its region larger, let its grains leave it faster (velocity), or ask "
            "for "
            "fewer",
            k, source.made, due, source.rate, source.refused));
    }
    return lines;
}

std::string describeFallen(const WorldState& w) {
    const double g = norm(w.gravity);
    if (g == 0 || hasDomain(w.domain)) return {};
    const Vec3 down = w.gravity / g;
    const double lowest = lowestHold(w, down);
    if (!std::isfinite(lowest)) return {};
    const Bodies& b = w.bodies;
    std::size_t count = 0, farthest = 0;
    double depth = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const double below = dot(b.position[i], down) - b.radius[i] - lowest;
        if (isBoundary(b, i) || !(below > 0) || !(dot(b.velocity[i], down) > 0)) continue;
        ++count;
        if (below <= depth) continue;
        depth = below;
        farthest = i;
    }
    if (count == 0) return {};
    return fmt::format(
        "{} of {} grains have fallen past everything that could hold them, {} farthest, {:.3g} m below the lowest wall "
        "or held body: close the walls, put a sink where grains may leave, or give a domain, which stops a run that "
        "loses a grain",
        count, b.grainCount, nameOf(w, farthest), depth);
}

}  // namespace talus
