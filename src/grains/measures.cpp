// Measures of the shape of a grain, as docs/grains.md defines them.
//
// Sphericity and roundness after G.-C. Cho, J. Dodds, J. C. Santamarina, "Particle shape effects on packing density,
// stiffness, and strength", J. Geotech. Geoenviron. Eng. 132, 2006: radii of the largest inscribed and the smallest
// circumscribed circle, and the mean radius of corners against the inscribed one (H. Wadell, J. Geology 40, 1932).
#include <algorithm>
#include <limits>
#include <numbers>

#include "geometry/nurbs/outline.hpp"
#include "grains/circles.hpp"
#include "talus/tools/grains.hpp"

namespace talus {
namespace {

constexpr std::size_t samplesPerArc = 48;
constexpr double leastCornerTurn = 10 * std::numbers::pi / 180;  // rad; weaker bends are no corners

// Places along the curve with what a short step from there turns.
struct Sample {
    Vec2 place;
    double length = 0, turn = 0;  // m, rad, to the next sample
    double kink = 0;              // rad, at this place
};

std::vector<Sample> sampleCurve(const NurbsCurve& curve) {
    std::vector<Sample> samples;
    const std::span<const BezierArc> arcs = curve.arcs();
    for (std::size_t a = 0; a < arcs.size(); ++a) {
        for (std::size_t k = 0; k < samplesPerArc; ++k) {
            const double step = 1.0 / samplesPerArc, t = static_cast<double>(k) * step;
            const CurvePoint middle = evaluate(arcs[a], t + 0.5 * step);
            const double length = step * norm(middle.first);
            samples.push_back({positionAt(arcs[a], t), length, length * curvature(middle)});
        }
        Sample& first = samples[a * samplesPerArc];
        first.kink = angleBetween(lastTangent(arcs[(a + arcs.size() - 1) % arcs.size()]), firstTangent(arcs[a]));
    }
    return samples;
}

// Mean radius of the corners: stretches that bend more than the inscribed circle. None: the radius of that circle.
double meanCornerRadius(const std::vector<Sample>& samples, double inscribed) {
    const std::size_t n = samples.size();
    const auto bends = [&](const Sample& s) { return s.turn * inscribed > 1.001 * s.length; };
    const auto isKink = [&](const Sample& s) { return s.kink > 1e-3; };
    // Begin where no corner is; a curve that bends everywhere is a circle.
    std::size_t start = 0;
    while (start < n && (bends(samples[start]) || bends(samples[(start + n - 1) % n]) || isKink(samples[start])))
        ++start;
    if (start == n) return inscribed;

    double sum = 0, length = 0, turn = 0;
    int count = 0;
    const auto close = [&] {
        if (turn >= leastCornerTurn) sum += std::min(length / turn, inscribed), ++count;
        length = turn = 0;
    };
    for (std::size_t k = 0; k <= n; ++k) {
        const Sample& s = samples[(start + k) % n];
        if (isKink(s)) turn += s.kink;
        if (bends(s)) {
            length += s.length;
            turn += s.turn;
        } else {
            close();
        }
    }
    return count > 0 ? sum / count : inscribed;
}

// Largest and smallest distance of parallel lines around a convex polygon.
struct Calipers {
    double largest = 0, smallest = 0;
};

Calipers calipersOf(const std::vector<Vec2>& hull) {
    // Each side with the corner farthest from it, which goes round as the side does.
    Calipers c{.smallest = std::numeric_limits<double>::infinity()};
    const std::size_t n = hull.size();
    std::size_t far = 1;
    for (std::size_t k = 0; k < n; ++k) {
        const Vec2 &from = hull[k], &to = hull[(k + 1) % n], side = normalized(to - from);
        while (cross(side, hull[(far + 1) % n] - hull[far]) > 0) far = (far + 1) % n;
        c.smallest = std::min(c.smallest, cross(side, hull[far] - from));
        c.largest = std::max({c.largest, norm(hull[far] - from), norm(hull[far] - to)});
    }
    return c;
}

struct PolygonSize {
    double area = 0, perimeter = 0;
};

PolygonSize sizeOf(const std::vector<Vec2>& polygon) {
    PolygonSize size;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec2 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        size.area += 0.5 * cross(a - polygon[0], b - polygon[0]);
        size.perimeter += norm(b - a);
    }
    return size;
}

}  // namespace

GrainMeasures measureGrain(const NurbsDefinition& outline) {
    const NurbsCurve curve(outline);
    checkOutline(curve);
    const std::vector<Sample> samples = sampleCurve(curve);
    std::vector<Vec2> places;
    for (const Sample& s : samples) places.push_back(s.place);
    const std::vector<Vec2> hull = convexHull(places);
    const PolygonSize own = sizeOf(places), ofHull = sizeOf(hull);
    const Calipers calipers = calipersOf(hull);

    GrainMeasures m;
    m.area = areaMoments(curve).area;
    m.perimeter = curve.length();
    m.equivalentDiameter = 2 * std::sqrt(m.area / std::numbers::pi);
    m.length = calipers.largest;
    m.width = calipers.smallest;
    m.inscribedRadius = largestInscribedCircle(CurveTree(curve), hull).radius;
    m.circumscribedRadius = smallestEnclosingCircle(hull).radius;
    m.sphericity = std::min(1.0, m.inscribedRadius / m.circumscribedRadius);
    m.roundness = std::min(1.0, meanCornerRadius(samples, m.inscribedRadius) / m.inscribedRadius);
    m.angularity = 1 - m.roundness;
    m.circularity = std::min(1.0, 4 * std::numbers::pi * m.area / (m.perimeter * m.perimeter));
    // Both sides are of the same polygon, so that convex grains have exactly 1.
    m.convexity = std::min(1.0, ofHull.perimeter / own.perimeter);
    m.solidity = std::min(1.0, own.area / ofHull.area);
    m.aspect = m.width / m.length;
    return m;
}

}  // namespace talus
