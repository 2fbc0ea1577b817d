#include "geometry/nurbs/nurbs_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "geometry/mass/quadrature.hpp"
#include "geometry/nurbs/knot_vector.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double closingTolerance = 1e-9;  // -, of the size
constexpr double cornerAngle = 1e-4;       // rad
constexpr double largestWeightRatio = 1e6;
constexpr std::size_t mostPoints = 10'000;  // every span is held against every other

// Reports what is wrong with one field of a definition.
struct Complaints {
    std::string_view path;
    template <class... Values>
    [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const {
        throw InputError(fmt::format("{}.", path) + fmt::format(text, std::forward<Values>(values)...));
    }
};

void checkPoints(const NurbsDefinition& d, const Complaints& to) {
    if (d.degree < 1 || d.degree > highestDegree) to.refuse("degree: must be 1 to {}, got {}", highestDegree, d.degree);
    const std::size_t least = static_cast<std::size_t>(d.degree) + 1;
    if (d.points.size() < std::max<std::size_t>(least, 3)) {
        to.refuse("points: a closed curve of degree {} needs at least {}, got {}", d.degree,
                  std::max<std::size_t>(least, 3), d.points.size());
    }
    const std::size_t most = mostPoints + least - 1;  // a periodic curve has some of them again
    if (d.points.size() > most) {
        to.refuse("points: at most {}, or {} with those given again to close the curve; got {}", mostPoints, most,
                  d.points.size());
    }
    for (std::size_t k = 0; k < d.points.size(); ++k) {
        if (!isFinite(d.points[k]))
            to.refuse("points[{}]: must be finite, got ({}, {})", k, d.points[k].x, d.points[k].y);
    }
}

void checkWeights(const NurbsDefinition& d, const Complaints& to) {
    if (d.weights.empty()) return;
    if (d.weights.size() != d.points.size()) {
        to.refuse("weights: must be one per point, {}, or none for all 1; got {}", d.points.size(), d.weights.size());
    }
    for (std::size_t k = 0; k < d.weights.size(); ++k) {
        if (!(d.weights[k] > 0) || !std::isfinite(d.weights[k])) {
            to.refuse("weights[{}]: must be > 0 and finite, got {}", k, d.weights[k]);
        }
    }
    const auto [low, high] = std::minmax_element(d.weights.begin(), d.weights.end());
    if (*high > largestWeightRatio * *low) {
        to.refuse("weights: the largest may be at most {:g} times the smallest, got {} and {}", largestWeightRatio,
                  *high, *low);
    }
}

double sizeOf(const std::vector<Vec2>& points) {
    Vec2 low = points[0], high = points[0];
    for (const Vec2& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    return std::max(high.x - low.x, high.y - low.y);
}

std::vector<Vec3> homogeneous(const NurbsDefinition& d) {
    std::vector<Vec3> points(d.points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
        const double w = d.weights.empty() ? 1.0 : d.weights[k];
        points[k] = {w * d.points[k].x, w * d.points[k].y, w};
    }
    return points;
}

BezierArc arcOfSpan(const NurbsDefinition& d, const std::vector<Vec3>& points, std::size_t span) {
    const std::size_t degree = static_cast<std::size_t>(d.degree);
    BezierArc arc{.degree = d.degree, .begin = d.knots[span], .end = d.knots[span + 1]};
    std::array<Vec3, highestDegree + 1> own{};
    for (std::size_t k = 0; k <= degree; ++k) own[k] = points[span - degree + k];
    arc.control = bezierPoints(own, std::span<const double>(d.knots), degree, span);
    return arc;
}

bool isPoint(const BezierArc& arc, double size) {
    double extent = 0;
    for (int k = 1; k <= arc.degree; ++k) extent = std::max(extent, norm(arc.point(k) - arc.first()));
    return extent <= 1e-13 * size;
}

double lengthOfArc(const BezierArc& arc, double t, double size) {
    const auto speed = [&](double s) { return Integrals<1>{norm(evaluate(arc, s).first)}; };
    return integrate<1>(speed, 0, t, {1e-14 * size})[0];
}

}  // namespace

BasisFunctions basisFunctions(std::span<const double> knots, int degree, double u) {
    // The last span that begins at or before u, and has a length.
    const std::size_t p = static_cast<std::size_t>(degree), count = knots.size() - p - 1;
    std::size_t span = static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), u) - knots.begin()) - 1;
    span = std::clamp(span, p, count - 1);
    while (span > p && knots[span] == knots[span + 1]) --span;

    // Cox and de Boor, all functions of a degree from those of the degree below.
    BasisFunctions basis{.first = span - p};
    std::array<double, highestDegree + 1> left{}, right{};
    basis.value[0] = 1;
    for (std::size_t j = 1; j <= p; ++j) {
        left[j] = u - knots[span + 1 - j];
        right[j] = knots[span + j] - u;
        double saved = 0;
        for (std::size_t r = 0; r < j; ++r) {
            const double share = basis.value[r] / (right[r + 1] + left[j - r]);
            basis.value[r] = saved + right[r + 1] * share;
            saved = left[j - r] * share;
        }
        basis.value[j] = saved;
    }
    return basis;
}

NurbsCurve::NurbsCurve(NurbsDefinition definition, std::string_view path) : definition_(std::move(definition)) {
    const Complaints complaints{path};
    checkPoints(definition_, complaints);
    checkWeights(definition_, complaints);
    checkKnots(definition_.knots, definition_.degree, definition_.points.size(), fmt::format("{}.knots", path));
    size_ = sizeOf(definition_.points);
    if (!(size_ > 0) || !std::isfinite(size_)) complaints.refuse("points: all are at the same place, or too far apart");

    const std::vector<Vec3> points = homogeneous(definition_);
    const std::size_t degree = static_cast<std::size_t>(definition_.degree);
    begin_ = definition_.knots[degree];
    end_ = definition_.knots[points.size()];
    for (std::size_t span = degree; span < points.size(); ++span) {
        if (definition_.knots[span] == definition_.knots[span + 1]) continue;
        const BezierArc arc = arcOfSpan(definition_, points, span);
        if (!isPoint(arc, size_)) arcs_.push_back(arc);
    }

    if (arcs_.empty()) complaints.refuse("points: the curve is a single point");
    const Vec2 first = arcs_.front().first(), last = arcs_.back().last();
    if (norm(last - first) > closingTolerance * size_) {
        complaints.refuse(
            "points: not closed: the curve begins at ({:g}, {:g}) and ends at ({:g}, {:g}); give the first point again "
            "as "
            "the last (clamped knots), or the first {} points (periodic knots)",
            first.x, first.y, last.x, last.y, definition_.degree);
    }
    Vec3& closing = arcs_.back().control[degree];
    closing = {first.x * closing.z, first.y * closing.z, closing.z};
    for (const BezierArc& arc : arcs_) lengthAt_.push_back(lengthAt_.back() + lengthOfArc(arc, 1, size_));
}

double NurbsCurve::wrap(double u) const {
    if (u >= begin_ && u < end_) return u;
    const double range = end_ - begin_, turns = std::floor((u - begin_) / range);
    const double wrapped = u - turns * range;
    return wrapped >= begin_ && wrapped < end_ ? wrapped : begin_;
}

std::size_t NurbsCurve::arcAt(double u) const {
    const auto after =
        std::upper_bound(arcs_.begin(), arcs_.end(), u, [](double v, const BezierArc& arc) { return v < arc.begin; });
    return after == arcs_.begin() ? 0 : static_cast<std::size_t>(after - arcs_.begin()) - 1;
}

Vec2 NurbsCurve::at(double u) const {
    const double inside = wrap(u);
    const BezierArc& arc = arcs_[arcAt(inside)];
    return positionAt(arc, std::clamp((inside - arc.begin) / (arc.end - arc.begin), 0.0, 1.0));
}

CurvePoint NurbsCurve::derivatives(double u) const {
    const double inside = wrap(u);
    const BezierArc& arc = arcs_[arcAt(inside)];
    const double rate = 1 / (arc.end - arc.begin);
    CurvePoint c = evaluate(arc, std::clamp((inside - arc.begin) * rate, 0.0, 1.0));
    c.first = rate * c.first;
    c.second = rate * rate * c.second;
    c.third = rate * rate * rate * c.third;
    return c;
}

double NurbsCurve::parameterAtLength(double wanted) const {
    const double turns = std::floor(wanted / length());
    const double along = std::clamp(wanted - turns * length(), 0.0, length());
    const auto after = std::upper_bound(lengthAt_.begin() + 1, lengthAt_.end() - 1, along);
    const std::size_t k = static_cast<std::size_t>(after - lengthAt_.begin()) - 1;
    const BezierArc& arc = arcs_[k];

    // Newton, kept within the bracket.
    const double target = along - lengthAt_[k];
    double low = 0, high = 1, t = std::clamp(target / (lengthAt_[k + 1] - lengthAt_[k]), 0.0, 1.0);
    for (int iteration = 0; iteration < 60 && high - low > 0; ++iteration) {
        const double excess = lengthOfArc(arc, t, size_) - target;
        (excess > 0 ? high : low) = t;
        if (std::abs(excess) <= 1e-14 * size_) break;
        const double newton = t - excess / norm(evaluate(arc, t).first);
        const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
        if (next == t) break;
        t = next;
    }
    return arc.parameter(t);
}

double curvature(const CurvePoint& c) {
    const double speed = norm(c.first);
    return cross(c.first, c.second) / (speed * speed * speed);
}

std::vector<double> corners(const NurbsCurve& curve) {
    std::vector<double> result;
    const std::span<const BezierArc> arcs = curve.arcs();
    for (std::size_t k = 0; k < arcs.size(); ++k) {
        const BezierArc& before = arcs[(k + arcs.size() - 1) % arcs.size()];
        if (std::abs(angleBetween(lastTangent(before), firstTangent(arcs[k]))) > cornerAngle) {
            result.push_back(arcs[k].begin);
        }
    }
    return result;
}

AreaMoments areaMoments(const NurbsCurve& curve) {
    // Green's theorem, about a point of the curve: each integral over the area is one along the curve.
    const Vec2 origin = curve.arcs().front().first();
    const double s = curve.size();
    const double area = 4e-15 * s * s, first = area * s, second = first * s;
    const Integrals<6> accuracy{area, first, first, second, second, second};
    Integrals<6> sum{};
    for (const BezierArc& arc : curve.arcs()) {
        const auto terms = [&](double t) {
            const CurvePoint c = evaluate(arc, t);
            const auto [x, y] = c.position - origin;
            const double wedge = 0.5 * (x * c.first.y - y * c.first.x);
            // Each triangle from the origin to the curve: centroid at 2/3, second moments at 1/2 of the squares.
            return Integrals<6>{
                wedge, 2. / 3 * wedge * x, 2. / 3 * wedge * y, wedge * x * x / 2, wedge * y * y / 2, wedge * x * y / 2};
        };
        const Integrals<6> part = integrate<6>(terms, 0, 1, accuracy);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    }
    AreaMoments m;
    m.area = sum[0];
    const Vec2 centre = Vec2{sum[1], sum[2]} / sum[0];
    m.centroid = origin + centre;
    m.xx = sum[3] - sum[0] * centre.x * centre.x;
    m.yy = sum[4] - sum[0] * centre.y * centre.y;
    m.xy = sum[5] - sum[0] * centre.x * centre.y;
    return m;
}

NurbsDefinition closedUniform(NurbsDefinition d) {
    double twiceArea = 0;
    const std::size_t count = d.points.size();
    for (std::size_t k = 0; k < count; ++k) twiceArea += cross(d.points[k], d.points[(k + 1) % count]);
    if (twiceArea < 0) {
        std::reverse(d.points.begin(), d.points.end());
        std::reverse(d.weights.begin(), d.weights.end());
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(d.degree); ++k) {
        d.points.push_back(Vec2(d.points[k]));
        if (d.weights.size() > k) d.weights.push_back(double(d.weights[k]));
    }
    d.knots.clear();
    for (std::size_t k = 0; k < d.points.size() + static_cast<std::size_t>(d.degree) + 1; ++k) {
        d.knots.push_back(static_cast<double>(k));
    }
    return d;
}

NurbsDefinition translated(NurbsDefinition definition, const Vec2& shift) {
    for (Vec2& point : definition.points) point += shift;
    return definition;
}

NurbsDefinition scaled(NurbsDefinition definition, double factor) {
    for (Vec2& point : definition.points) point = factor * point;
    return definition;
}

}  // namespace talus
