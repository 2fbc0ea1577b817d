#include "contacts/table/travel.hpp"

#include <algorithm>
#include <array>

#include "base/parallel.hpp"

namespace talus {
namespace {

double farthestWall(const WorldState& world) {
    const Bodies& b = world.bodies;
    double largest = 0;
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        const std::size_t index = b.grainCount + w;
        if (!isMovingWall(b, w)) continue;
        const Pose before{world.contacts.builtPosition[index], world.contacts.builtWallOrientation[w]};
        const Pose now{b.position[index], b.orientation[index]};
        const double widened = std::abs(world.mantles[w].radius - world.contacts.builtMantles[w].radius);
        largest = std::max(largest, widened);
        if (before.position == now.position && before.orientation == now.orientation) continue;
        const double reach = world.contacts.wallReach[w] + world.contacts.skin;
        const double moved = surfaceDisplacement(world.shapes[b.shape[index]], before, now, reach);
        largest = std::max(largest, moved + widened);
    }
    return largest;
}

// From where the lists were built; periodic positions may have been wrapped since.
Vec3 wayOf(const WorldState& world, const Vec3& period, std::size_t i) {
    return nearestImage(world.bodies.position[i] - world.contacts.builtPosition[i], period);
}

// m, by which the point of a solid that went farthest went farther than its centre.
double turnWay(const WorldState& world, std::size_t i) {
    if (isSphere(world.bodies, i)) return 0;
    return world.bodies.radius[i] * rotationAngle(world.contacts.builtOrientation[i], world.bodies.orientation[i]);
}

double lengthOfWay(const WorldState& world, const Vec3& period, std::size_t i) {
    return norm(wayOf(world, period, i)) + turnWay(world, i);
}

double farthestGrain(const WorldState& world) {
    const Vec3 period = world.domain.period();
    return parallelMax(
        world.bodies.grainCount, [&](std::size_t i) { return lengthOfWay(world, period, i); }, 4096);
}

// The same for those that follow a prescribed motion, of which the caller knows nothing.
double farthestCarried(const WorldState& world) {
    if (world.motions.empty()) return 0;
    const Vec3 period = world.domain.period();
    double largest = 0;
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
        if (world.bodies.motion[i] != noMotion) largest = std::max(largest, lengthOfWay(world, period, i));
    }
    return largest;
}

double largestRadius(const Bodies& b) {
    double largest = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) largest = std::max(largest, b.radius[i]);
    return largest;
}

// Where zones lie: coordinates along each axis, wrapped where the domain is periodic.
class ZoneGrid {
public:
    ZoneGrid(const Domain& domain, double edge) : low_(domain.low) {
        const Vec3 period = domain.period();
        for (int axis = 0; axis < 3; ++axis) {
            count_[axis] = domain.periodic[static_cast<std::size_t>(axis)]
                               ? std::max<std::int64_t>(1, static_cast<std::int64_t>(period[axis] / edge))
                               : 0;
            edge_[axis] = count_[axis] > 0 ? period[axis] / static_cast<double>(count_[axis]) : edge;
            if (count_[axis] == 0) low_[axis] = 0;
        }
    }

    // Far apart zones may share a key: they then count as one.
    std::uint64_t keyAt(const Vec3& position) const {
        std::array<std::int64_t, 3> c{};
        for (int axis = 0; axis < 3; ++axis) {
            const double x = std::floor((position[axis] - low_[axis]) / edge_[axis]);
            c[static_cast<std::size_t>(axis)] = std::abs(x) < 1e15 ? static_cast<std::int64_t>(x) : 0;
        }
        return keyOf(c);
    }

    std::uint64_t beside(std::uint64_t key, int x, int y, int z) const {
        return keyOf({coordinate(key, 0) + x, coordinate(key, 1) + y, coordinate(key, 2) + z});
    }

private:
    static constexpr int bitsPerAxis = 21;
    static constexpr std::int64_t places = std::int64_t{1} << bitsPerAxis;

    static std::int64_t coordinate(std::uint64_t key, int axis) {
        return static_cast<std::int64_t>(key >> (axis * bitsPerAxis)) & (places - 1);
    }
    std::uint64_t keyOf(const std::array<std::int64_t, 3>& c) const {
        std::uint64_t key = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const std::int64_t n = count_[axis], x = c[static_cast<std::size_t>(axis)];
            const std::int64_t wrapped = n > 0 && n < places ? (x % n + n) % n : x & (places - 1);
            key |= static_cast<std::uint64_t>(wrapped) << (axis * bitsPerAxis);
        }
        return key;
    }

    Vec3 low_, edge_;
    std::int64_t count_[3] = {};
};

// Numbers of zones by their keys, in the order in which they are met; open addressing.
class ZoneNumbers {
public:
    explicit ZoneNumbers(std::size_t most) {
        std::size_t capacity = 16;
        while (capacity < 2 * most) capacity *= 2;
        slots_.assign(capacity, {none, 0});
    }
    static constexpr std::uint32_t absent = 0xFFFFFFFF;

    std::uint32_t find(std::uint64_t key) const {
        const Slot& slot = slots_[place(key)];
        return slot.key == key ? slot.number : absent;
    }
    std::uint32_t findOrAdd(std::uint64_t key) {
        Slot& slot = slots_[place(key)];
        if (slot.key == none) slot = {key, static_cast<std::uint32_t>(keys.size())}, keys.push_back(key);
        return slot.number;
    }

    std::vector<std::uint64_t> keys;  // of each number

private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t number;
    };
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    std::size_t place(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = (key * 0x9E3779B97F4A7C15ull >> 20) & mask;
        while (slots_[at].key != none && slots_[at].key != key) at = (at + 1) & mask;
        return at;
    }

    std::vector<Slot> slots_;
};

}  // namespace

void Travel::Box::include(const Vec3& way, double more) {
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], way[axis] - more);
        high[axis] = std::max(high[axis], way[axis] + more);
    }
}

void Travel::Box::include(const Box& other) {
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], other.low[axis]);
        high[axis] = std::max(high[axis], other.high[axis]);
    }
}

void Travel::begin() {
    farthest_ = apart_ = sinceLook_ = 0;
    zonesMade_ = false;
}

void Travel::forget() {
    sinceLook_ = std::numeric_limits<double>::infinity();
    zonesMade_ = false;
}

bool Travel::isTooFar(const WorldState& world, double moved, double margin) {
    const Contacts& c = world.contacts;
    const double limit = c.skin - margin;
    if (c.stale || limit <= 0) return true;
    const double wall = farthestWall(world), carried = farthestCarried(world);
    const bool walls = world.bodies.wallCount() > 0, periodic = world.domain.anyPeriodic();
    // Walls have no periodic images, and a grain has all its contacts with them on one side of the domain.
    const double mostBesideWalls = periodic ? std::min(0.5 * limit, limit - wall) : limit - wall;
    if (walls && (mostBesideWalls < 0 || (periodic && wall > 0.5 * limit))) return true;
    const double most = walls ? mostBesideWalls : std::numeric_limits<double>::infinity();

    sinceLook_ += moved;
    const double carriedSince = carried > 0 ? carried + farthest_ : 0;
    const bool known = std::max(farthest_ + sinceLook_, carried) <= most &&
                       apart_ + sinceLook_ + std::max(sinceLook_, carriedSince) <= limit;
    if (known) return false;

    farthest_ = farthestGrain(world);
    sinceLook_ = 0;
    if (!(farthest_ <= most)) return true;
    apart_ = 2 * farthest_;
    if (apart_ <= limit) return false;
    // Zones that are not side by side are apart by two of these ways (makeZones).
    if (!(farthest_ <= largestRadius(world.bodies) + c.skin)) return true;
    if (!zonesMade_) makeZones(world);
    apart_ = farthestApart(world);
    return !(apart_ <= limit);
}

void Travel::makeZones(const WorldState& world) {
    const Bodies& b = world.bodies;
    // Two radii of each of two grains between them leave room for two radii and two skins.
    const ZoneGrid grid(world.domain, 2 * (2 * largestRadius(b) + world.contacts.skin));
    ZoneNumbers numbers(b.grainCount);
    runs_.clear();
    for (std::uint32_t i = 0; i < b.grainCount; ++i) {
        const std::uint32_t zone = numbers.findOrAdd(grid.keyAt(world.contacts.builtPosition[i]));
        if (runs_.empty() || runs_.back().zone != zone) runs_.push_back({i, i, zone});
        runs_.back().end = i + 1;
    }
    boxes_.resize(numbers.keys.size());
    firstNear_.assign(1, 0);
    near_.clear();
    for (std::uint32_t zone = 0; zone < numbers.keys.size(); ++zone) {
        for (int k = 0; k < 27; ++k) {
            const std::uint32_t other =
                numbers.find(grid.beside(numbers.keys[zone], k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
            if (other != ZoneNumbers::absent && other > zone) near_.push_back(other);
        }
        firstNear_.push_back(static_cast<std::uint32_t>(near_.size()));
    }
    zonesMade_ = true;
}

double Travel::farthestApart(const WorldState& world) {
    const Vec3 period = world.domain.period();
    constexpr double none = std::numeric_limits<double>::infinity();
    std::fill(boxes_.begin(), boxes_.end(), Box{{none, none, none}, {-none, -none, -none}});
    for (const Run& run : runs_) {
        Box& box = boxes_[run.zone];
        for (std::uint32_t i = run.begin; i < run.end; ++i) box.include(wayOf(world, period, i), turnWay(world, i));
    }
    const auto spread = [](const Box& a, const Box& b) {
        Vec3 widest;
        for (int axis = 0; axis < 3; ++axis) {
            widest[axis] = std::max(a.high[axis] - b.low[axis], b.high[axis] - a.low[axis]);
        }
        return norm(widest);
    };
    return parallelMax(boxes_.size(), [&](std::size_t zone) {
        double largest = spread(boxes_[zone], boxes_[zone]);
        for (std::uint32_t k = firstNear_[zone]; k < firstNear_[zone + 1]; ++k) {
            largest = std::max(largest, spread(boxes_[zone], boxes_[near_[k]]));
        }
        return largest;
    });
}

}  // namespace talus
