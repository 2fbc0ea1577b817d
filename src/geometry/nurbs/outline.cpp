#include "geometry/nurbs/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double usualTolerance = 4e-3;    // -, of the equivalent radius
constexpr double fewestKnots = 16;         // on the whole outline, if it were flat
constexpr std::size_t samplesPerArc = 32;  // where the density of knots is known
constexpr std::size_t knotsPerGroup = 4;
constexpr double straightness = 1e-9;  // -, of the size: so far a straight stretch may be from a line
constexpr double largestSag = 0.55;    // -, of the tolerance: of the curve over the segments between knots
constexpr std::size_t largestKnotCount = 100'000;

// How many knots from the begin of a stretch between corners to each of many places along it.
struct KnotCount {
    std::vector<double> parameter, count;
};

double knotDensity(const CurvePoint& c, double tolerance, double widest) {
    // Features smaller than the tolerance do not show in the gap.
    const double bend = std::min(std::abs(curvature(c)), 1 / tolerance);
    const double dense = 0.5 * std::sqrt(bend / tolerance);
    return norm(c.first) * (std::isfinite(dense) ? std::max(dense, 1 / widest) : 1 / widest);
}

KnotCount countKnots(const NurbsCurve& curve, double from, double to, double tolerance) {
    KnotCount result{{from}, {0}};
    const double widest = curve.length() / fewestKnots;
    for (const BezierArc& arc : curve.arcs()) {
        // The stretch may go round the end of the parameters.
        const double turn = arc.begin < from ? curve.end() - curve.begin() : 0;
        if (arc.begin + turn >= to) continue;
        for (std::size_t k = 0; k < samplesPerArc; ++k) {
            const double step = (arc.end - arc.begin) / samplesPerArc, middle = (static_cast<double>(k) + 0.5) * step;
            const double density = knotDensity(curve.derivatives(arc.begin + middle), tolerance, widest);
            result.parameter.push_back(arc.begin + turn + static_cast<double>(k + 1) * step);
            result.count.push_back(step * density);
        }
    }
    // Arcs after the turn were met first.
    std::vector<std::size_t> order(result.parameter.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return result.parameter[a] < result.parameter[b]; });
    KnotCount sorted;
    double sum = 0;
    for (const std::size_t k : order) {
        sorted.parameter.push_back(result.parameter[k]);
        sorted.count.push_back(sum += result.count[k]);
    }
    return sorted;
}

// Parameters at equal shares of the count; the end of the stretch belongs to the next.
std::vector<double> placesAt(const KnotCount& along, std::size_t number) {
    std::vector<double> places;
    for (std::size_t k = 0; k < number; ++k) {
        const double wanted = along.count.back() * static_cast<double>(k) / static_cast<double>(number);
        const auto after = std::upper_bound(along.count.begin(), along.count.end(), wanted);
        const std::size_t j = std::max<std::size_t>(1, static_cast<std::size_t>(after - along.count.begin()));
        const double step = along.count[j] - along.count[j - 1];
        const double share = step > 0 ? (wanted - along.count[j - 1]) / step : 0;
        places.push_back(along.parameter[j - 1] + share * (along.parameter[j] - along.parameter[j - 1]));
    }
    return places;
}

// Farthest the curve is from the segments between its knots; for even knots half of the tolerance.
double largestDeviation(const NurbsCurve& curve, const std::vector<double>& places, double to) {
    double most = 0;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const double from = places[k], next = k + 1 < places.size() ? places[k + 1] : to;
        for (int j = 1; j < 8; ++j) {
            const Vec2 point = curve.at(from + (next - from) * j / 8.0);
            most = std::max(most, distanceToSegment(point, curve.at(from), curve.at(next)));
        }
    }
    return most;
}

// More than the largest count if the tolerance asks for too many.
std::vector<double> placesAlong(const NurbsCurve& curve, double from, double to, double tolerance) {
    const KnotCount along = countKnots(curve, from, to, tolerance);
    const double first = std::min(std::ceil(along.count.back()), static_cast<double>(largestKnotCount + 1));
    for (auto number = static_cast<std::size_t>(first);; number += 1 + number / 8) {
        const std::vector<double> places = placesAt(along, std::max<std::size_t>(number, 2));
        if (largestDeviation(curve, places, to) <= largestSag * tolerance || number > largestKnotCount) return places;
    }
}

OutlineBody::Knot knotAt(const NurbsCurve& curve, double parameter) {
    const CurvePoint c = curve.derivatives(parameter);
    const Vec2 tangent = normalized(c.first);
    return {.parameter = curve.wrap(parameter),
            .position = c.position,
            .before = tangent,
            .after = tangent,
            .curvature = curvature(c)};
}

// Where a stretch of the curve begins at which contacts have a place of their own.
struct StretchEnd {
    double parameter;
    Vec2 before, after;  // unit tangents
    double curvature;    // 1/m, the larger of both sides; 0 at a corner
    bool corner, straight;
};

double largerCurvature(const BezierArc& before, const BezierArc& after) {
    const double one = curvature(evaluate(before, 1)), two = curvature(evaluate(after, 0));
    return std::abs(one) > std::abs(two) ? one : two;
}

bool isStraight(const BezierArc& arc, double size) { return thickness(arc) < straightness * size; }

std::vector<StretchEnd> endsOf(const NurbsCurve& curve) {
    const std::span<const BezierArc> arcs = curve.arcs();
    const std::vector<double> sharp = corners(curve);
    std::vector<StretchEnd> ends;
    for (std::size_t k = 0; k < arcs.size(); ++k) {
        const BezierArc &last = arcs[(k + arcs.size() - 1) % arcs.size()], &next = arcs[k];
        const bool corner = std::binary_search(sharp.begin(), sharp.end(), next.begin);
        const bool wasStraight = isStraight(last, curve.size()), straight = isStraight(next, curve.size());
        const Vec2 before = lastTangent(last), after = firstTangent(next);
        const bool bends = wasStraight && straight && std::abs(cross(before, after)) > straightness;
        if (!corner && wasStraight == straight && !bends) continue;
        ends.push_back({next.begin, before, after, corner ? 0 : largerCurvature(last, next), corner, straight});
    }
    return ends;
}

// From end to end, or once round.
struct Stretch {
    double from, to;
};
std::vector<Stretch> stretchesOf(const NurbsCurve& curve, const std::vector<StretchEnd>& ends) {
    if (ends.empty()) return {{curve.begin(), curve.end()}};
    std::vector<Stretch> stretches;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) stretches.push_back({ends[k].parameter, ends[k + 1].parameter});
    stretches.push_back({ends.back().parameter, ends[0].parameter + curve.end() - curve.begin()});
    return stretches;
}

std::vector<OutlineBody::Knot> makeKnots(const NurbsCurve& curve, double tolerance) {
    std::vector<OutlineBody::Knot> knots;
    const std::vector<StretchEnd> ends = endsOf(curve);
    const std::vector<Stretch> stretches = stretchesOf(curve, ends);
    for (std::size_t j = 0; j < stretches.size(); ++j) {
        const std::size_t first = knots.size();
        for (const double place : placesAlong(curve, stretches[j].from, stretches[j].to, tolerance)) {
            knots.push_back(knotAt(curve, place));
            knots.back().straight = !ends.empty() && ends[j].straight;
        }
        if (ends.empty()) continue;
        OutlineBody::Knot& knot = knots[first];
        knot.end = true;
        knot.corner = ends[j].corner;
        knot.before = ends[j].before;
        knot.after = ends[j].after;
        knot.curvature = ends[j].curvature;
    }
    std::sort(knots.begin(), knots.end(), [](const auto& a, const auto& b) { return a.parameter < b.parameter; });
    return knots;
}

// Each knot learns where its stretch begins; those before the first end belong to the last one.
void numberStretches(std::vector<OutlineBody::Knot>& knots) {
    std::uint32_t stretch = 0;
    for (std::uint32_t k = 0; k < knots.size(); ++k) stretch = knots[k].end ? k : stretch;
    for (std::uint32_t k = 0; k < knots.size(); ++k) {
        if (knots[k].end) stretch = k;
        knots[k].stretch = stretch;
    }
}

// The least that asks for no more than the largest count, to a few percent. Planned knots are quickly counted; those
// that are made are seldom more.
double leastTolerance(const NurbsCurve& curve, double tooFine, double radius) {
    const std::vector<Stretch> stretches = stretchesOf(curve, endsOf(curve));
    const auto planned = [&](double tolerance) {
        double sum = 0;
        for (const Stretch& s : stretches) sum += countKnots(curve, s.from, s.to, tolerance).count.back();
        return sum;
    };
    double fine = tooFine, coarse = radius;
    for (int k = 0; k < 20; ++k) {
        const double middle = std::sqrt(coarse * fine);
        (planned(middle) <= static_cast<double>(largestKnotCount) ? coarse : fine) = middle;
    }
    while (makeKnots(curve, coarse).size() > largestKnotCount) coarse *= 1.05;
    return coarse;
}

// Tolerances are tried by bisection of their logarithm; knots hardly ever become fewer as it becomes finer.
double toleranceFor(const NurbsCurve& curve, std::uint64_t mostKnots, double radius, std::string_view path) {
    double coarse = radius, fine = 1e-8 * radius;
    if (const std::size_t fewest = makeKnots(curve, coarse).size(); fewest > mostKnots) {
        throw InputError(
            fmt::format("{}.contact_knots: this outline needs at least {}, got {}", path, fewest, mostKnots));
    }
    for (int k = 0; k < 30; ++k) {
        const double middle = std::sqrt(coarse * fine);
        (makeKnots(curve, middle).size() <= mostKnots ? coarse : fine) = middle;
    }
    return coarse;
}

std::vector<OutlineBody::Knot> makeFewKnots(const NurbsCurve& curve, double tolerance, double radius,
                                            std::string_view path) {
    std::vector<OutlineBody::Knot> knots = makeKnots(curve, tolerance);
    if (knots.size() <= largestKnotCount) return knots;
    throw InputError(
        fmt::format("{}.gap_tolerance: {:.3g} m would need more than {} knots; at least {:.3g} m for this outline",
                    path, tolerance, largestKnotCount, leastTolerance(curve, tolerance, radius)));
}

void addGroup(OutlineBody& o, std::uint32_t index, std::uint32_t first, std::uint32_t last) {
    const auto place = [&](std::uint32_t k) { return o.knots[k % o.knots.size()].position; };
    Vec2 low = place(first), high = low;
    for (std::uint32_t k = first; k <= last; ++k) {
        low = {std::min(low.x, place(k).x), std::min(low.y, place(k).y)};
        high = {std::max(high.x, place(k).x), std::max(high.y, place(k).y)};
    }
    const Vec2 centre = 0.5 * (low + high);
    double radius = 0;
    for (std::uint32_t k = first; k <= last; ++k) radius = std::max(radius, norm(place(k) - centre));
    // The curve is this near the segments between knots.
    o.groups[index] = {centre, radius + o.largestSag, first, last, 0};
    if (last - first <= knotsPerGroup) return;
    const std::uint32_t child = static_cast<std::uint32_t>(o.groups.size()), middle = first + (last - first) / 2;
    o.groups[index].child = child;
    o.groups.resize(o.groups.size() + 2);
    addGroup(o, child, first, middle);
    addGroup(o, child + 1, middle, last);
}

// No point of the hull of the control points of an arc, and so of the arc, is farther.
double farthestControl(const BezierArc& arc) {
    double radius = 0;
    for (int k = 0; k <= arc.degree; ++k) radius = std::max(radius, norm(arc.point(k)));
    return radius;
}

// Halves an arc until its bound is within `slack` of a point of the curve, or of one found before.
void widen(const BezierArc& arc, double slack, double& onCurve, double& bound) {
    onCurve = std::max({onCurve, norm(arc.first()), norm(arc.last())});
    const double farthest = farthestControl(arc);
    if (farthest <= std::max(bound, onCurve + slack)) {
        bound = std::max(bound, farthest);
        return;
    }
    const auto [first, second] = split(arc, 0.5);
    widen(first, slack, onCurve, bound);
    widen(second, slack, onCurve, bound);
}

double boundingRadius(const NurbsCurve& curve) {
    double onCurve = 0, bound = 0;
    for (const BezierArc& arc : curve.arcs()) onCurve = std::max(onCurve, norm(arc.first()));
    for (const BezierArc& arc : curve.arcs()) widen(arc, 1e-6 * onCurve, onCurve, bound);
    return bound;
}

}  // namespace

OutlineBody makeOutline(const NurbsDefinition& definition, const OutlineSettings& settings, std::string_view path) {
    const NurbsCurve given(definition, path);
    checkOutline(given, path);
    if (!(settings.gapTolerance >= 0) || !std::isfinite(settings.gapTolerance)) {
        throw InputError(fmt::format("{}.gap_tolerance: must be > 0 m, or 0 for the usual one, got {}", path,
                                     settings.gapTolerance));
    }
    OutlineBody o;
    o.curve = NurbsCurve(translated(definition, -areaMoments(given).centroid), path);
    o.moments = areaMoments(o.curve);
    o.equivalentRadius = std::sqrt(o.moments.area / std::numbers::pi);
    o.radius = boundingRadius(o.curve);
    o.gapTolerance = settings.gapTolerance > 0 ? settings.gapTolerance : usualTolerance * o.equivalentRadius;
    if (o.gapTolerance < 1e-8 * o.equivalentRadius) {
        throw InputError(
            fmt::format("{}.gap_tolerance: {:g} m would need too many knots; at least {:g} m for this size", path,
                        o.gapTolerance, 1e-8 * o.equivalentRadius));
    }
    o.tree = CurveTree(o.curve);
    if (settings.mostKnots > 0) o.gapTolerance = toleranceFor(o.curve, settings.mostKnots, o.equivalentRadius, path);
    o.knots = makeFewKnots(o.curve, o.gapTolerance, o.equivalentRadius, path);
    numberStretches(o.knots);
    o.largestSag = largestSag * o.gapTolerance;
    o.groups.resize(1);
    addGroup(o, 0, 0, static_cast<std::uint32_t>(o.knots.size()));
    return o;
}

OutlineInFrame makeOutlineShape(const NurbsDefinition& definition, const OutlineSettings& settings,
                                std::string_view path) {
    auto outline = std::make_shared<OutlineBody>(makeOutline(definition, settings, path));
    return {{std::move(outline)}, areaMoments(NurbsCurve(definition, path)).centroid};
}

MassProperties massProperties(const OutlineBody& outline) {
    const AreaMoments& m = outline.moments;
    return {m.area, {m.yy + m.area / 12, m.xx + m.area / 12, m.polar()}};
}

}  // namespace talus
