#include "geometry/nurbs/nurbs_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/mass/quadrature.hpp"
#include "geometry/nurbs/knot_vector.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double closingTolerance = 1e-9;  // -, of the size
constexpr double largestWeightRatio = 1e6;
constexpr std::size_t mostPoints = 100'000;
constexpr double momentTolerance = 1e-13;  // -, of the moments of a cube of the size

template <class... Values>
[[noreturn]] void refuse(std::string_view path, fmt::format_string<Values...> text, Values&&... values) {
    throw InputError(fmt::format("{}.", path) + fmt::format(text, std::forward<Values>(values)...));
}

void checkDegree(int degree, const char* name, std::string_view path) {
    if (degree < 1 || degree > highestDegree) {
        refuse(path, "{}: must be 1 to {}, got {}", name, highestDegree, degree);
    }
}

void checkPoints(const SurfaceDefinition& d, std::string_view path) {
    if (d.points.size() > mostPoints) refuse(path, "points: at most {}, got {}", mostPoints, d.points.size());
    if (d.columns == 0 || d.points.size() % d.columns != 0) {
        refuse(path, "points: {} do not make rows of {}", d.points.size(), d.columns);
    }
    const auto leastU = static_cast<std::size_t>(std::max(d.degreeU + 1, 4));
    const auto leastV = static_cast<std::size_t>(std::max(d.degreeV + 1, 3));
    if (d.columns < leastU) refuse(path, "points: at least {} columns are needed, got {}", leastU, d.columns);
    if (d.rows() < leastV) refuse(path, "points: at least {} rows are needed, got {}", leastV, d.rows());
    for (std::size_t k = 0; k < d.points.size(); ++k) {
        if (!isFinite(d.points[k])) refuse(path, "points[{}]: must be finite", k);
    }
}

void checkWeights(const SurfaceDefinition& d, std::string_view path) {
    if (d.weights.empty()) return;
    if (d.weights.size() != d.points.size()) {
        refuse(path, "weights: must be one per point, {}, or none for all 1; got {}", d.points.size(),
               d.weights.size());
    }
    for (std::size_t k = 0; k < d.weights.size(); ++k) {
        if (!(d.weights[k] > 0) || !std::isfinite(d.weights[k])) {
            refuse(path, "weights[{}]: must be > 0 and finite, got {}", k, d.weights[k]);
        }
    }
    const auto [low, high] = std::minmax_element(d.weights.begin(), d.weights.end());
    if (*high > largestWeightRatio * *low) {
        refuse(path, "weights: the largest may be at most {:g} times the smallest, got {} and {}", largestWeightRatio,
               *high, *low);
    }
}

double sizeOf(const std::vector<Vec3>& points) {
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points) {
        for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    }
    const Vec3 extent = high - low;
    return std::max({extent.x, extent.y, extent.z});
}

// Knots before the spans that have a length.
std::vector<std::size_t> spansOf(const std::vector<double>& knots, int degree, std::size_t points) {
    std::vector<std::size_t> spans;
    for (std::size_t k = static_cast<std::size_t>(degree); k < points; ++k) {
        if (knots[k] < knots[k + 1]) spans.push_back(k);
    }
    return spans;
}

std::vector<double> endsOf(const std::vector<double>& knots, const std::vector<std::size_t>& spans) {
    std::vector<double> ends;
    for (const std::size_t span : spans) ends.push_back(knots[span]);
    ends.push_back(knots[spans.back() + 1]);
    return ends;
}

std::size_t spanAt(const std::vector<double>& ends, double parameter) {
    const auto after = std::upper_bound(ends.begin() + 1, ends.end() - 1, parameter);
    return static_cast<std::size_t>(after - ends.begin()) - 1;
}

double wrapped(double u, double begin, double end) {
    if (u >= begin && u < end) return u;
    const double inside = u - std::floor((u - begin) / (end - begin)) * (end - begin);
    return inside >= begin && inside < end ? inside : begin;
}

using Points = std::array<Homogeneous, highestDegree + 1>;

// First Bezier points along u in each row, then of these along v.
BezierPatch patchOf(const SurfaceDefinition& d, std::size_t spanU, std::size_t spanV) {
    const auto p = static_cast<std::size_t>(d.degreeU), q = static_cast<std::size_t>(d.degreeV);
    std::array<Points, highestDegree + 1> rows{};
    for (std::size_t j = 0; j <= q; ++j) {
        Points own{};
        for (std::size_t i = 0; i <= p; ++i) {
            const std::size_t index = (spanV - q + j) * d.columns + spanU - p + i;
            const double w = d.weights.empty() ? 1.0 : d.weights[index];
            own[i] = {w * d.points[index], w};
        }
        rows[j] = bezierPoints(own, std::span<const double>(d.knotsU), p, spanU);
    }
    BezierPatch patch{.degreeU = d.degreeU, .degreeV = d.degreeV};
    patch.beginU = d.knotsU[spanU], patch.endU = d.knotsU[spanU + 1];
    patch.beginV = d.knotsV[spanV], patch.endV = d.knotsV[spanV + 1];
    for (std::size_t i = 0; i <= p; ++i) {
        Points column{};
        for (std::size_t j = 0; j <= q; ++j) column[j] = rows[j][i];
        const Points made = bezierPoints(column, std::span<const double>(d.knotsV), q, spanV);
        for (std::size_t j = 0; j <= q; ++j) patch.at(static_cast<int>(i), static_cast<int>(j)) = made[j];
    }
    return patch;
}

// --- moments -------------------------------------------------------------------------------------------------------

// Integrals of 1, x, y, z, xx, yy, zz, xy, yz, zx.
using Moments = Integrals<10>;

// What the divergence theorem makes of them at a point: n dA = S_u x S_v.
Moments fluxAt(const BezierPatch& patch, double s, double t, const Vec3& origin) {
    const SurfacePoint p = evaluate(patch, s, t);
    const Vec3 x = p.position - origin, n = cross(p.du, p.dv);
    const double xx = x.x * x.x * n.x, yy = x.y * x.y * n.y, zz = x.z * x.z * n.z;
    return {dot(x, n) / 3, xx / 2,       yy / 2,       zz / 2,       x.x * xx / 3,
            x.y * yy / 3,  x.z * zz / 3, x.y * xx / 2, x.z * yy / 2, x.x * zz / 2};
}

struct Part {
    double s0, s1, t0, t1;
};

Moments ruleOn(const BezierPatch& patch, const Part& part, const Vec3& origin) {
    return gaussRule<10>(
        [&](double t) {
            return gaussRule<10>([&](double s) { return fluxAt(patch, s, t, origin); }, part.s0, part.s1);
        },
        part.t0, part.t1);
}

Moments integrateOver(const BezierPatch& patch, const Part& part, const Vec3& origin, const Moments& accuracy,
                      const Moments& whole, int halvings) {
    const double s = 0.5 * (part.s0 + part.s1), t = 0.5 * (part.t0 + part.t1);
    const std::array<Part, 4> quarters{
        {{part.s0, s, part.t0, t}, {s, part.s1, part.t0, t}, {part.s0, s, t, part.t1}, {s, part.s1, t, part.t1}}};
    std::array<Moments, 4> of{};
    Moments sum{};
    for (std::size_t k = 0; k < 4; ++k) {
        of[k] = ruleOn(patch, quarters[k], origin);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += of[k][i];
    }
    bool agree = true;
    for (std::size_t i = 0; i < sum.size(); ++i) agree = agree && !(std::abs(sum[i] - whole[i]) > accuracy[i]);
    if (agree || halvings == 0) return sum;
    sum = {};
    for (std::size_t k = 0; k < 4; ++k) {
        const Moments fine = integrateOver(patch, quarters[k], origin, accuracy, of[k], halvings - 1);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += fine[i];
    }
    return sum;
}

}  // namespace

NurbsSurface::NurbsSurface(SurfaceDefinition definition, std::string_view path) : definition_(std::move(definition)) {
    checkDegree(definition_.degreeU, "degree_u", path);
    checkDegree(definition_.degreeV, "degree_v", path);
    checkPoints(definition_, path);
    checkWeights(definition_, path);
    checkKnots(definition_.knotsU, definition_.degreeU, definition_.columns, fmt::format("{}.knots_u", path));
    checkKnots(definition_.knotsV, definition_.degreeV, definition_.rows(), fmt::format("{}.knots_v", path));
    size_ = sizeOf(definition_.points);
    if (!(size_ > 0) || !std::isfinite(size_)) refuse(path, "points: all are at the same place, or too far apart");
    makePatches();
    checkClosed(path);
    checkPole(0, path);
    checkPole(1, path);
}

void NurbsSurface::makePatches() {
    const auto alongU = spansOf(definition_.knotsU, definition_.degreeU, definition_.columns);
    const auto alongV = spansOf(definition_.knotsV, definition_.degreeV, definition_.rows());
    spansU_ = endsOf(definition_.knotsU, alongU);
    spansV_ = endsOf(definition_.knotsV, alongV);
    for (const std::size_t v : alongV) {
        for (const std::size_t u : alongU) patches_.push_back(patchOf(definition_, u, v));
    }
}

void NurbsSurface::checkClosed(std::string_view path) const {
    const std::size_t columns = spansU_.size() - 1;
    for (std::size_t row = 0; row + 1 < spansV_.size(); ++row) {
        const BezierPatch &first = patches_[row * columns], &last = patches_[row * columns + columns - 1];
        for (int k = 0; k <= 8; ++k) {
            const Vec3 from = positionAt(first, 0, k / 8.0), to = positionAt(last, 1, k / 8.0);
            if (norm(to - from) <= closingTolerance * size_) continue;
            refuse(path,
                   "points: not closed round the axis: u begins at ({:g}, {:g}, {:g}) and ends at ({:g}, {:g}, {:g}); "
                   "give the first column again as the last (clamped knots), or the first {} columns (periodic knots)",
                   from.x, from.y, from.z, to.x, to.y, to.z, definition_.degreeU);
        }
    }
}

void NurbsSurface::checkPole(int end, std::string_view path) const {
    const std::size_t columns = spansU_.size() - 1, row = end == 0 ? 0 : spansV_.size() - 2;
    const Vec3 pole = positionAt(patches_[row * columns], 0, end);
    for (std::size_t k = 0; k < columns; ++k) {
        const BezierPatch& patch = patches_[row * columns + k];
        for (int i = 0; i <= patch.degreeU; ++i) {
            if (norm(patch.at(i, end == 0 ? 0 : patch.degreeV).point() - pole) <= closingTolerance * size_) continue;
            refuse(path,
                   "points: open where v {}s: the surface must come to one point there, its pole; give all points of "
                   "the {} row the same place, with clamped knots_v",
                   end == 0 ? "begin" : "end", end == 0 ? "first" : "last");
        }
    }
}

SurfacePoint NurbsSurface::at(double u, double v) const {
    const double insideU = wrapped(u, beginU(), endU()), insideV = std::clamp(v, beginV(), endV());
    const BezierPatch& patch = patches_[spanAt(spansV_, insideV) * (spansU_.size() - 1) + spanAt(spansU_, insideU)];
    const double rateU = 1 / (patch.endU - patch.beginU), rateV = 1 / (patch.endV - patch.beginV);
    SurfacePoint p = evaluate(patch, std::clamp((insideU - patch.beginU) * rateU, 0.0, 1.0),
                              std::clamp((insideV - patch.beginV) * rateV, 0.0, 1.0));
    p.du *= rateU, p.dv *= rateV;
    p.duu *= rateU * rateU, p.duv *= rateU * rateV, p.dvv *= rateV * rateV;
    return p;
}

MassMoments momentsOf(const NurbsSurface& surface) {
    // About a point of the surface, so that bodies far from the origin lose no digits.
    const Vec3 origin = positionAt(surface.patches()[0], 0, 0);
    const double volume = surface.size() * surface.size() * surface.size();
    Moments accuracy{};
    for (std::size_t i = 0; i < accuracy.size(); ++i) {
        const double order = i == 0 ? 0 : i < 4 ? 1 : 2;
        accuracy[i] = momentTolerance * volume * std::pow(surface.size(), order);
    }
    Moments sum{};
    for (const BezierPatch& patch : surface.patches()) {
        constexpr Part all{0, 1, 0, 1};
        const Moments part = integrateOver(patch, all, origin, accuracy, ruleOn(patch, all, origin), 8);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    }
    const MassMoments about{
        sum[0], {sum[1], sum[2], sum[3]}, {{sum[4], sum[7], sum[9], sum[7], sum[5], sum[8], sum[9], sum[8], sum[6]}}};
    // About the origin of the frame.
    MassMoments m = about;
    m.firstMoment += about.volume * origin;
    m.secondMoment +=
        outer(origin, about.firstMoment) + outer(about.firstMoment, origin) + about.volume * outer(origin, origin);
    return m;
}

SurfaceDefinition seenFrom(SurfaceDefinition definition, const Pose& pose) {
    for (Vec3& point : definition.points) point = intoFrame(pose, point);
    return definition;
}

}  // namespace talus
