#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "build/generators.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using std::numbers::pi;

// What "volume" means here: area in a planar scene.
double volumeOf(double radius, Planar planar) {
    return planar == Planar::none ? 4.0 / 3.0 * pi * radius * radius * radius : pi * radius * radius;
}

double volumeOf(const Region& region, Planar planar) {
    if (const auto* cylinder = std::get_if<CylinderRegion>(&region)) {
        return pi * cylinder->radius * cylinder->radius * cylinder->length;
    }
    const BoxRegion& box = std::get<BoxRegion>(region);
    double volume = 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (axis != acrossAxis(planar)) volume *= box.high[axis] - box.low[axis];
    }
    return volume;
}

// The region in its own frame: z along the axis of a cylinder, the world's frame for a box.
class RegionFrame {
public:
    RegionFrame(const Region& region, Planar planar) : region_(region), across_(acrossAxis(planar)) {
        if (const auto* cylinder = std::get_if<CylinderRegion>(&region)) turn_ = turnFromZ(cylinder->axis);
    }

    // The box around it.
    BoxRegion bounds() const {
        if (const auto* cylinder = std::get_if<CylinderRegion>(&region_)) {
            const Vec3 half{cylinder->radius, cylinder->radius, 0.5 * cylinder->length};
            return {-half, half};
        }
        BoxRegion box = std::get<BoxRegion>(region_);
        if (across_ >= 0) box.low[across_] = box.high[across_] = 0.5 * (box.low[across_] + box.high[across_]);
        return box;
    }

    // Distance to the boundary, negative outside: the radius of the largest sphere that fits here.
    double depth(const Vec3& p) const {
        if (const auto* cylinder = std::get_if<CylinderRegion>(&region_)) {
            return std::min(cylinder->radius - std::hypot(p.x, p.y), 0.5 * cylinder->length - std::abs(p.z));
        }
        const BoxRegion& box = std::get<BoxRegion>(region_);
        double nearest = std::numeric_limits<double>::infinity();
        for (int axis = 0; axis < 3; ++axis) {
            if (axis != across_) nearest = std::min({nearest, p[axis] - box.low[axis], box.high[axis] - p[axis]});
        }
        return nearest;
    }

    Vec3 toWorld(const Vec3& p) const {
        const auto* cylinder = std::get_if<CylinderRegion>(&region_);
        return cylinder != nullptr ? cylinder->centre + rotate(turn_, p) : p;
    }

private:
    const Region& region_;
    int across_;
    Quat turn_;
};

// The part of the region where a centre may still go, as small boxes: those known to be covered are left out, the
// rest is split when few throws succeed. Throws stay equally likely everywhere there is room, so the result is that
// of plain random addition, without its ever longer search for the last holes (Zhang, Torquato, Phys. Rev. E 88, 2013).
class FreeBoxes {
public:
    FreeBoxes(const RegionFrame& frame, const FreeSpace& space, std::size_t count) : frame_(frame), space_(space) {
        const BoxRegion box = frame.bounds();
        const Vec3 size = box.high - box.low;
        const int axes = (size.x > 0) + (size.y > 0) + (size.z > 0);
        const double volume = (size.x > 0 ? size.x : 1) * (size.y > 0 ? size.y : 1) * (size.z > 0 ? size.z : 1);
        const double edge = std::pow(volume / static_cast<double>(std::max<std::size_t>(count, 8)), 1.0 / axes);
        std::array<std::size_t, 3> cells{};
        for (int axis = 0; axis < 3; ++axis) {
            const double number = std::clamp(std::ceil(size[axis] / edge), 1.0, 1e6);
            cells[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(number);
            edges_[axis] = size[axis] / number;
        }
        for (std::size_t i = 0; i < cells[0]; ++i) {
            for (std::size_t j = 0; j < cells[1]; ++j) {
                for (std::size_t k = 0; k < cells[2]; ++k) {
                    const Vec3 index{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
                    corners_.push_back(box.low + hadamard(edges_, index));
                }
            }
        }
    }

    bool empty() const { return corners_.empty(); }
    std::size_t size() const { return corners_.size(); }

    Vec3 pick(Random& random) const {
        const auto chosen = static_cast<std::size_t>(random.uniform() * static_cast<double>(corners_.size()));
        return random.inBox(corners_[chosen], corners_[chosen] + edges_);
    }

    // Halves the boxes and leaves out those without room for a sphere of the smallest radius still to come.
    void refine(double smallest) {
        edges_ *= 0.5;
        const double reach = 0.5 * norm(edges_);
        std::vector<Vec3> kept;
        for (const Vec3& corner : corners_) {
            for (int part = 0; part < 8; ++part) {
                const Vec3 step{part & 1 ? edges_.x : 0, part & 2 ? edges_.y : 0, part & 4 ? edges_.z : 0};
                const bool isTwin =
                    (part & 1 && edges_.x == 0) || (part & 2 && edges_.y == 0) || (part & 4 && edges_.z == 0);
                if (!isTwin && mayHaveRoom(corner + step + 0.5 * edges_, smallest - reach))
                    kept.push_back(corner + step);
            }
        }
        corners_ = std::move(kept);
    }

private:
    bool mayHaveRoom(const Vec3& middle, double radius) const {
        const Vec3 p = frame_.toWorld(middle);
        return frame_.depth(middle) >= radius && space_.isClearOfWalls(p, radius) && space_.grid.isFree(p, radius);
    }

    const RegionFrame& frame_;
    const FreeSpace& space_;
    Vec3 edges_;
    std::vector<Vec3> corners_;
};

// Grains until the count is reached, or until the next one would miss the volume by more than leaving it out.
std::vector<DrawnGrain> drawGrains(const RandomBodies& settings, const GrainSupply& supply, Planar planar,
                                   Random& random) {
    std::vector<DrawnGrain> grains;
    if (settings.count) {
        while (grains.size() < *settings.count) grains.push_back(drawGrain(supply.size, supply.forms, random));
        return grains;
    }
    const double target = *settings.volumeFraction * volumeOf(settings.region, planar);
    double filled = 0;
    for (;;) {
        const DrawnGrain grain = drawGrain(supply.size, supply.forms, random);
        const double volume = volumeOf(grain.equivalentRadius, planar);
        if (filled + 0.5 * volume > target) return grains;
        filled += volume;
        grains.push_back(grain);
    }
}

double meanVolume(const GrainSupply& supply, Planar planar) {
    const SizeDistribution& size = supply.size;
    double sum = 0, weight = 0;
    const auto add = [&](double radius, double share) {
        sum += share * volumeOf(radius, planar);
        weight += share;
    };
    switch (size.kind) {
        case SizeDistribution::Kind::single:
        case SizeDistribution::Kind::normal:
            add(size.radius, 1);
            break;
        case SizeDistribution::Kind::uniform:
            add(0.5 * (size.low + size.high), 1);
            break;
        case SizeDistribution::Kind::table:
            for (std::size_t k = 0; k < size.radii.size(); ++k) add(size.radii[k], size.weights[k]);
            break;
        case SizeDistribution::Kind::asGiven:
            for (const GrainShare& form : supply.forms) add(form.equivalentRadius, form.share);
            break;
    }
    return sum / weight;
}

[[noreturn]] void failToFit(const std::vector<Placed>& placed, std::size_t wanted, const RandomBodies& settings,
                            Planar planar) {
    const double filled = std::accumulate(placed.begin(), placed.end(), 0.0, [&](double sum, const Placed& p) {
        return sum + volumeOf(p.grain.equivalentRadius, planar);
    });
    throw InputError(
        fmt::format("only {} of {} grains found a free place within {} attempts each, {} fraction {:.3f}; random "
                    "addition of spheres jams near {}: ask for fewer or smaller grains, enlarge the region, or use a "
                    "lattice",
                    placed.size(), wanted, settings.maxAttempts, planar == Planar::none ? "volume" : "area",
                    filled / volumeOf(settings.region, planar), planar == Planar::none ? 0.38 : 0.54));
}

}  // namespace

SizeDistribution distributionOf(const std::optional<SizeSettings>& settings) {
    SizeDistribution d;
    if (!settings) {
        d.kind = SizeDistribution::Kind::asGiven;
        return d;
    }
    const SizeSettings& size = *settings;
    if (const auto* single = std::get_if<SingleSize>(&size)) {
        d.kind = SizeDistribution::Kind::single;
        d.radius = single->radius;
    } else if (const auto* uniform = std::get_if<UniformSize>(&size)) {
        d.kind = SizeDistribution::Kind::uniform;
        d.low = uniform->low;
        d.high = uniform->high;
    } else if (const auto* normal = std::get_if<NormalSize>(&size)) {
        d.kind = SizeDistribution::Kind::normal;
        d.radius = normal->mean;
        d.deviation = normal->deviation;
        d.low = normal->low;
        d.high = normal->high;
    } else {
        const auto& table = std::get<TableSize>(size);
        d.kind = SizeDistribution::Kind::table;
        d.radii = table.radii;
        d.weights = table.weights;
    }
    return d;
}

double countRandomFill(const RandomBodies& settings, const GrainSupply& supply, Planar planar) {
    if (settings.count) return static_cast<double>(*settings.count);
    return *settings.volumeFraction * volumeOf(settings.region, planar) / meanVolume(supply, planar);
}

namespace {

constexpr std::size_t mostBoxes = 20'000'000;

// Places the grains [first, last) of about one size; the number placed.
std::size_t placeClass(const std::vector<DrawnGrain>& grains, std::size_t first, std::size_t last,
                       const RegionFrame& frame, const FreeSpace& space, std::uint64_t maxAttempts, Random& random,
                       std::vector<Placed>& placed) {
    FreeBoxes boxes(frame, space, last - first);
    std::size_t next = first;
    std::uint64_t attempts = 0;  // for the present sphere
    while (next < last && !boxes.empty()) {
        std::size_t found = 0;
        const std::size_t throws = std::max<std::size_t>(1000, boxes.size() / 4);
        for (std::size_t k = 0; k < throws && next < last; ++k) {
            const Vec3 local = boxes.pick(random);
            const Vec3 centre = frame.toWorld(local);
            const double radius = grains[next].radius;
            if (++attempts > maxAttempts) return next - first;
            if (frame.depth(local) < radius || !space.isClearOfWalls(centre, radius) ||
                !space.grid.isFree(centre, radius)) {
                continue;
            }
            space.grid.add(centre, radius);
            placed.push_back({centre, grains[next]});
            ++next;
            ++found;
            attempts = 0;
        }
        // Splitting costs eight looks per box: worth it once the throws still to come would cost more.
        const double expectedThrows = static_cast<double>((last - next) * throws) / static_cast<double>(found + 1);
        const bool isWorthIt = expectedThrows > 16.0 * static_cast<double>(boxes.size());
        if (isWorthIt && boxes.size() < mostBoxes / 8) boxes.refine(grains[last - 1].radius);
    }
    return next - first;
}

}  // namespace

std::vector<Placed> fillRandomly(const RandomBodies& settings, const GrainSupply& supply, Planar planar, Random& random,
                                 FreeSpace space) {
    std::vector<DrawnGrain> grains = drawGrains(settings, supply, planar, random);
    std::stable_sort(grains.begin(), grains.end(), [](const auto& a, const auto& b) { return a.radius > b.radius; });
    const RegionFrame frame(settings.region, planar);
    const BoxRegion box = frame.bounds();
    if (!grains.empty() && frame.depth(0.5 * (box.low + box.high)) < grains[0].radius) {
        throw InputError(fmt::format("a sphere of radius {} m does not fit into the region", grains[0].radius));
    }
    std::vector<Placed> placed;
    placed.reserve(grains.size());
    for (std::size_t first = 0; first < grains.size();) {
        // Spheres of about one size together: what is full for the smallest of them is full for all.
        const auto isSmaller = [&](const DrawnGrain& grain) { return grain.radius < 0.8 * grains[first].radius; };
        const auto end = std::find_if(grains.begin() + static_cast<long>(first), grains.end(), isSmaller);
        const auto last = static_cast<std::size_t>(end - grains.begin());
        placeClass(grains, first, last, frame, space, settings.maxAttempts, random, placed);
        if (placed.size() < last) failToFit(placed, grains.size(), settings, planar);
        first = last;
    }
    return placed;
}

}  // namespace talus
