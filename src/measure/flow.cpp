#include "measure/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

Vec3 unitNormal(const FlowPlane& plane) {
    const double length = norm(plane.normal);
    if (!(length > 0) || !std::isfinite(length)) {
        throw InputError(fmt::format("plane '{}': normal must be a vector of length > 0, got ({}, {}, {})", plane.name,
                                     plane.normal.x, plane.normal.y, plane.normal.z));
    }
    return plane.normal / length;
}

// Distance between images of the plane. A plane oblique to a periodic axis would not meet its own images.
double imageDistance(const FlowPlane& plane, const Vec3& normal, const Domain& domain) {
    double distance = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        const double along = std::abs(normal[axis]);
        if (!domain.periodic[axis] || along < 1e-12) continue;
        if (along < 1 - 1e-12) {
            throw InputError(fmt::format(
                "plane '{}': the {} axis is periodic, so the normal must be along it or across it, got ({}, {}, {})",
                plane.name, "xyz"[axis], plane.normal.x, plane.normal.y, plane.normal.z));
        }
        distance = domain.period()[axis];
    }
    return distance;
}

}  // namespace

FlowMeter::FlowMeter(const FlowPlane& plane, const Domain& domain)
    : point_(plane.point), normal_(unitNormal(plane)), period_(imageDistance(plane, normal_, domain)) {}

FlowMeter::FlowMeter(const FlowPlane& plane, const Domain& domain, const FlowMeterState& state)
    : FlowMeter(plane, domain) {
    if (state.id.size() != state.distance.size() || !std::is_sorted(state.id.begin(), state.id.end())) {
        throw InputError(fmt::format("plane '{}': the saved state of the flow meter is damaged", plane.name));
    }
    grains_ = state.grains;
    mass_ = state.mass;
    if (!state.id.empty()) distance_.assign(std::size_t{state.id.back()} + 1, unknown);
    for (std::size_t k = 0; k < state.id.size(); ++k) distance_[state.id[k]] = state.distance[k];
}

// Which of the slabs between images of the plane a grain was in, and is in, gives the crossings; a jump of more than
// half a period is a wrap around the border and changes the slab by one more.
int FlowMeter::crossings(double before, double now) const {
    if (std::isinf(period_)) return (now >= 0 ? 1 : 0) - (before >= 0 ? 1 : 0);
    const int wraps = now - before > 0.5 * period_ ? -1 : now - before < -0.5 * period_ ? 1 : 0;
    return static_cast<int>(std::floor(now / period_) - std::floor(before / period_)) + wraps;
}

void FlowMeter::update(const WorldState& world) {
    const Bodies& b = world.bodies;
    std::swap(distance_, previous_);
    distance_.assign(world.nextId, unknown);
    constexpr std::size_t block = 4096;
    std::vector<std::vector<Crossing>> parts((b.grainCount + block - 1) / block);
    parallelFor(
        b.grainCount,
        [&](std::size_t i) {
            if (isBoundary(b, i)) return;
            const std::uint32_t id = b.id[i];
            const double now = distance_[id] = dot(normal_, b.position[i] - point_);
            const double before = id < previous_.size() ? previous_[id] : unknown;
            if (std::isnan(before) || std::isnan(now)) return;
            const int count = crossings(before, now);
            if (count != 0) parts[i / block].push_back({id, count, 1.0 / b.inverseMass[i]});
        },
        block);
    std::vector<Crossing> crossed;
    for (const auto& part : parts) crossed.insert(crossed.end(), part.begin(), part.end());
    add(std::move(crossed));
}

// In order of id, so that the sum does not depend on how the bodies are sorted.
void FlowMeter::add(std::vector<Crossing> crossed) {
    std::sort(crossed.begin(), crossed.end(), [](const Crossing& a, const Crossing& b) { return a.id < b.id; });
    for (const Crossing& c : crossed) {
        grains_ += c.count;
        mass_ += c.count * c.mass;
    }
}

FlowMeterState FlowMeter::state() const {
    FlowMeterState state{.grains = grains_, .mass = mass_};
    for (std::size_t id = 0; id < distance_.size(); ++id) {
        if (std::isnan(distance_[id])) continue;
        state.id.push_back(static_cast<std::uint32_t>(id));
        state.distance.push_back(distance_[id]);
    }
    return state;
}

}  // namespace talus
