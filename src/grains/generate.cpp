// Random grains of given sphericity and angularity.
//
// A random core polygon is rounded (rounded_polygon.hpp) by a disc whose radius makes the roundness. One number moves
// its sphericity: below 0 it makes the polygon more regular, above 0 it stretches it. For a convex core all this is
// exact: with radii r of the inscribed and R of the circumscribed circle of the core and radius a of the disc,
// sphericity = (r + a)/(R + a) and roundness = a/(r + a). Otherwise the measures of the outline are used throughout.
#include <fmt/format.h>

#include <numbers>
#include <optional>

#include "base/random.hpp"
#include "geometry/nurbs/nurbs_curve.hpp"
#include "grains/rounded_polygon.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"

namespace talus {
namespace {

using std::numbers::pi;

constexpr int attempts = 60;         // polygons tried for one grain
constexpr double mostStretch = 12;   // -
constexpr double leastShape = -0.7;  // of grains that are not convex: more regular, and nothing hollow would be left

// What is random about a grain.
struct Sketch {
    std::vector<double> angle, radius;  // rad, -; of corners on a circle, off which they are by the radius
    std::vector<double> hollow;         // -, depth between corner k and the next; 0: a straight side
    double turn = 0;                    // rad
};

Sketch drawSketch(Random& random, const GrainGeneratorOptions& o, int attempt) {
    Sketch s;
    // Later attempts have more corners, which rounder grains need, and every fifth begins again with deep hollows:
    // where the discs at the corners are large, only flat ones fit.
    const int fewest = o.angularity < 0.5 && !o.convex ? 3 : 5;
    const int corners = fewest + static_cast<int>(random.uniform() * 4) + attempt / 10;
    const double depth = std::pow(0.6, attempt % 5);
    for (int k = 0; k < corners; ++k) {
        s.angle.push_back(random.uniform(-0.35, 0.35));
        s.radius.push_back(random.uniform(-0.1, 0.1));
        const bool isHollow = !o.convex && (random.uniform() < 0.55 || k == 0);
        s.hollow.push_back(isHollow ? depth * random.uniform(0.12, 0.35) : 0);
    }
    s.turn = random.uniform(0, 2 * pi);
    return s;
}

// The core polygon; `shape` from -1 (regular) over 0 (as drawn) to stretches of 1 + shape.
std::vector<Vec2> coreOf(const Sketch& s, bool convex, double shape) {
    const double irregular = 1 + std::min(shape, 0.0), stretch = 1 + std::max(shape, 0.0);
    const std::size_t n = s.angle.size();
    std::vector<Vec2> corners;
    for (std::size_t k = 0; k < n; ++k) {
        const double angle = 2 * pi * (static_cast<double>(k) + irregular * s.angle[k]) / static_cast<double>(n);
        const double radius = convex ? 1 : 1 + irregular * s.radius[k];
        corners.push_back({stretch * radius * std::cos(angle), radius * std::sin(angle)});
    }
    std::vector<Vec2> core;
    for (std::size_t k = 0; k < n; ++k) {
        core.push_back(corners[k]);
        if (s.hollow[k] > 0) core.push_back((1 - irregular * s.hollow[k]) * 0.5 * (corners[k] + corners[(k + 1) % n]));
    }
    return core;
}

struct Made {
    NurbsDefinition outline;
    GrainMeasures measures;
};

// Rounds the core until the corners have the roundness that is wanted, as measured.
std::optional<Made> makeRounded(std::vector<Vec2> core, double roundness) {
    RoundedPolygon polygon{.core = std::move(core), .radius = 0, .fillet = 1};
    std::optional<Made> made;
    double inscribed = 0.7;  // of the core, about
    polygon.radius = roundness / (1 - roundness) * inscribed;
    for (int round = 0; round < 12; ++round) {
        const std::optional<NurbsDefinition> outline = outlineOf(polygon);
        if (!outline) return std::nullopt;
        try {
            made = Made{*outline, measureGrain(*outline)};
        } catch (const InputError&) {
            return std::nullopt;  // sides that were moved outwards met
        }
        if (std::abs(made->measures.roundness - roundness) < 0.2 * generatorTolerance) return made;
        inscribed = made->measures.inscribedRadius - polygon.radius;
        polygon.radius = roundness / (1 - roundness) * inscribed;
    }
    return std::nullopt;
}

// The shape number for the sphericity, between shapes that are too round and too long, by halving.
std::optional<Made> makeGrain(const Sketch& sketch, const GrainGeneratorOptions& o) {
    const auto make = [&](double shape) { return makeRounded(coreOf(sketch, o.convex, shape), 1 - o.angularity); };
    double low = o.convex ? -1 : leastShape, high = mostStretch - 1;
    const std::optional<Made> roundest = make(low);
    if (!roundest || roundest->measures.sphericity < o.sphericity - 0.3 * generatorTolerance) return std::nullopt;
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (low + high);
        const std::optional<Made> made = make(middle);
        const double excess = made ? made->measures.sphericity - o.sphericity : -1;
        if (made && std::abs(excess) < 0.3 * generatorTolerance) return made;
        (excess > 0 ? low : high) = middle;
    }
    return std::nullopt;
}

bool isAsAsked(const GrainMeasures& m, const GrainGeneratorOptions& o) {
    const bool hollow = m.solidity < 1 - 1e-6;
    return std::abs(m.sphericity - o.sphericity) <= generatorTolerance &&
           std::abs(m.angularity - o.angularity) <= generatorTolerance && hollow != o.convex;
}

NurbsDefinition placed(NurbsDefinition outline, double turn, double diameter) {
    for (Vec2& p : outline.points) {
        p = {std::cos(turn) * p.x - std::sin(turn) * p.y, std::sin(turn) * p.x + std::cos(turn) * p.y};
    }
    const AreaMoments m = areaMoments(NurbsCurve(outline));
    outline = translated(std::move(outline), -m.centroid);
    return scaled(std::move(outline), diameter / (2 * std::sqrt(m.area / pi)));
}

std::string adviceFor(const GrainGeneratorOptions& o) {
    if (o.sphericity < 0.5) {
        return fmt::format("very long grains are few: a higher sphericity or an angularity nearer to 0.5{} may help",
                           o.convex ? "" : ", or --convex,");
    }
    return fmt::format(
        "very round grains that are angular{} do not exist: a lower sphericity or an angularity nearer "
        "to 0.5{} may help",
        o.convex ? "" : " or hollow", o.convex ? "" : ", or --convex,");
}

Grain generateGrain(const GrainGeneratorOptions& o, int number) {
    for (int attempt = 0; attempt < attempts; ++attempt) {
        Random random(o.seed, static_cast<std::uint32_t>(number), static_cast<std::uint64_t>(attempt) * 1000);
        const Sketch sketch = drawSketch(random, o, attempt);
        const std::optional<Made> made = makeGrain(sketch, o);
        if (!made) continue;
        Grain grain{.name = fmt::format("grain-{}", number + 1)};
        grain.outline = placed(made->outline, sketch.turn, o.diameter);
        grain.measures = measureGrain(grain.outline);
        if (isAsAsked(grain.measures, o)) return grain;
    }
    throw InputError(fmt::format("no {} grain of sphericity {:g} and angularity {:g} was found in {} attempts; {}",
                                 o.convex ? "convex" : "non-convex", o.sphericity, o.angularity, attempts,
                                 adviceFor(o)));
}

void check(const GrainGeneratorOptions& o) {
    const auto refuse = [](std::string_view name, std::string_view wanted, double got) {
        throw InputError(fmt::format("{}: must be {}, got {:g}", name, wanted, got));
    };
    if (o.count < 1 || o.count > 100'000) refuse("--generate", "1 to 100000 grains", o.count);
    if (!(o.sphericity >= 0.1 && o.sphericity <= 0.98)) refuse("--sphericity", "0.1 to 0.98", o.sphericity);
    if (!(o.angularity >= 0.05 && o.angularity <= 1)) refuse("--angularity", "0.05 to 1", o.angularity);
    if (!(o.diameter > 0) || !std::isfinite(o.diameter)) refuse("--diameter", "> 0 m", o.diameter);
}

}  // namespace

GrainSet generateGrains(const GrainGeneratorOptions& options) {
    check(options);
    GrainSet set;
    set.source = fmt::format("generated: sphericity {:g}, angularity {:g}, {}, seed {}", options.sphericity,
                             options.angularity, options.convex ? "convex" : "non-convex", options.seed);
    for (int k = 0; k < options.count; ++k) set.grains.push_back(generateGrain(options, k));
    return set;
}

}  // namespace talus
