// NURBS curves against closed forms, finite differences and fine polygons.
#include "geometry/nurbs/nurbs_curve.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "unit/curve_samples.hpp"

namespace talus {
namespace {

using namespace test;

TEST(NurbsCircle, IsExact) {
    const NurbsCurve curve(circle(2, {3, -1}));
    for (double u = 0; u < 4; u += 0.0625) {
        const CurvePoint c = curve.derivatives(u);
        EXPECT_NEAR(norm(c.position - Vec2{3, -1}), 2, 1e-15 * 4);
        EXPECT_NEAR(curvature(c), 0.5, 1e-14);
    }
    const AreaMoments m = areaMoments(curve);
    EXPECT_NEAR(m.area / (4 * pi), 1, 1e-14);
    EXPECT_NEAR(norm(m.centroid - Vec2{3, -1}), 0, 1e-14);
    EXPECT_NEAR(m.polar() / (8 * pi), 1, 1e-14);
    EXPECT_NEAR(m.xx, m.yy, 1e-13);
    EXPECT_NEAR(curve.length() / (4 * pi), 1, 1e-14);
    EXPECT_TRUE(corners(curve).empty());
}

TEST(NurbsEllipse, HasTheAreaInertiaAndCurvatureOfTheClosedForms) {
    const double a = 2, b = 0.5;
    const NurbsCurve curve(ellipse(a, b));
    const AreaMoments m = areaMoments(curve);
    EXPECT_NEAR(m.area / (pi * a * b), 1, 1e-13);
    EXPECT_NEAR(m.xx / (pi * a * a * a * b / 4), 1, 1e-13);
    EXPECT_NEAR(m.yy / (pi * a * b * b * b / 4), 1, 1e-13);
    EXPECT_NEAR(m.xy, 0, 1e-14);
    EXPECT_NEAR(curvature(curve.derivatives(0)), a / (b * b), 1e-12);
    EXPECT_NEAR(curvature(curve.derivatives(1)), b / (a * a), 1e-13);
    // Perimeter 4 a E(m) with the parameter m = 1 - b^2/a^2 = 15/16; E by the arithmetic-geometric mean.
    EXPECT_NEAR(curve.length(), 4 * a * std::comp_ellint_2(std::sqrt(15.0 / 16)), 1e-12);
}

TEST(NurbsOfDegreeOne, IsAPolygon) {
    const NurbsCurve curve(polygon({{0, 0}, {4, 0}, {4, 3}}));
    EXPECT_EQ(curve.at(0.5), (Vec2{2, 0}));
    EXPECT_DOUBLE_EQ(curve.length(), 12);
    const AreaMoments m = areaMoments(curve);
    EXPECT_DOUBLE_EQ(m.area, 6);
    EXPECT_NEAR(m.centroid.x, 8.0 / 3, 1e-15 * 8);
    EXPECT_NEAR(m.centroid.y, 1, 1e-15 * 4);
    EXPECT_NEAR(m.xx, 4 * 4 * 4 * 3 / 36.0, 1e-13);
    EXPECT_NEAR(m.yy, 4 * 3 * 3 * 3 / 36.0, 1e-13);
    EXPECT_EQ(corners(curve), (std::vector<double>{0, 1, 2}));
}

TEST(NurbsCurve, GoesRound) {
    for (const auto& [name, definition] : manyCurves()) {
        const NurbsCurve curve(definition);
        const double range = curve.end() - curve.begin(), u = curve.begin() + 0.3 * range;
        EXPECT_NEAR(norm(curve.at(u) - curve.at(u + 2 * range)), 0, 1e-12) << name;
        EXPECT_NEAR(norm(curve.at(u) - curve.at(u - range)), 0, 1e-12) << name;
        EXPECT_NEAR(norm(curve.at(curve.begin()) - curve.at(curve.end())), 0, 1e-14) << name;
    }
}

RC_GTEST_PROP(BasisFunctions, AddUpToOneAndAreNeverNegative, ()) {
    const int degree = *rc::gen::inRange(1, 6);
    const std::size_t count = static_cast<std::size_t>(*rc::gen::inRange(degree + 1, 20));
    std::vector<double> knots{0};
    while (knots.size() < count + static_cast<std::size_t>(degree) + 1) {
        // The first span of the curve has a length.
        const int least = knots.size() == static_cast<std::size_t>(degree) + 1 ? 1 : 0;
        knots.push_back(knots.back() + *rc::gen::inRange(least, 3));
    }
    const double begin = knots[static_cast<std::size_t>(degree)], end = knots[count];
    const double u = begin + (end - begin) * (*rc::gen::inRange(0, 1001)) / 1000.0;
    const BasisFunctions basis = basisFunctions(knots, degree, u);
    double sum = 0;
    for (const double value : basis.value) {
        RC_ASSERT(value >= -1e-15);
        sum += value;
    }
    RC_ASSERT(std::abs(sum - 1) < 1e-13);
}

TEST(NurbsCurve, IsTheWeightedSumOfItsBasisFunctions) {
    for (const auto& [name, d] : manyCurves()) {
        const NurbsCurve curve(d);
        for (int k = 0; k < 200; ++k) {
            const double u = curve.begin() + (curve.end() - curve.begin()) * (k + 0.37) / 200;
            const BasisFunctions basis = basisFunctions(d.knots, d.degree, u);
            Vec2 sum;
            double weight = 0;
            for (std::size_t j = 0; j <= static_cast<std::size_t>(d.degree); ++j) {
                const std::size_t i = basis.first + j;
                const double w = basis.value[j] * (d.weights.empty() ? 1 : d.weights[i]);
                sum += w * d.points[i];
                weight += w;
            }
            EXPECT_NEAR(norm(sum / weight - curve.at(u)), 0, 1e-14) << name << " at " << u;
        }
    }
}

TEST(NurbsCurve, HasTheDerivativesOfFiniteDifferences) {
    for (const auto& [name, definition] : manyCurves()) {
        const NurbsCurve curve(definition);
        for (int k = 0; k < 50; ++k) {
            const double u = curve.begin() + (curve.end() - curve.begin()) * (k + 0.4142) / 50, h = 1e-5;
            const CurvePoint c = curve.derivatives(u), high = curve.derivatives(u + h), low = curve.derivatives(u - h);
            const auto close = [&](const Vec2& exact, const Vec2& up, const Vec2& down) {
                EXPECT_NEAR(norm(exact - (up - down) / (2 * h)), 0, 1e-6 * (1 + norm(exact))) << name << " at " << u;
            };
            close(c.first, high.position, low.position);
            close(c.second, high.first, low.first);
            close(c.third, high.second, low.second);
        }
    }
}

// Integrals over a polygon with 2^k corners on the curve; its error falls by four from one k to the next, so that two
// of them extrapolate to the curve.
std::array<double, 4> polygonIntegrals(const NurbsCurve& curve, int perArc) {
    std::array<double, 4> sum{};
    for (const BezierArc& arc : curve.arcs()) {
        for (int k = 0; k < perArc; ++k) {
            const Vec2 a = positionAt(arc, static_cast<double>(k) / perArc);
            const Vec2 b = positionAt(arc, static_cast<double>(k + 1) / perArc);
            const double wedge = 0.5 * cross(a, b);
            sum[0] += wedge;
            sum[1] += wedge * (a.x + b.x) / 3;
            sum[2] += wedge * (normSquared(a) + dot(a, b) + normSquared(b)) / 6;
            sum[3] += norm(b - a);
        }
    }
    return sum;
}

TEST(NurbsCurve, HasTheIntegralsOfAFinePolygon) {
    for (const auto& [name, definition] : manyCurves()) {
        const NurbsCurve curve(definition);
        const std::array coarse = polygonIntegrals(curve, 500), fine = polygonIntegrals(curve, 1000);
        std::array<double, 4> limit{};
        for (std::size_t i = 0; i < 4; ++i) limit[i] = (4 * fine[i] - coarse[i]) / 3;
        const AreaMoments m = areaMoments(curve);
        EXPECT_NEAR(m.area, limit[0], 1e-9) << name;
        EXPECT_NEAR(m.area * m.centroid.x, limit[1], 1e-9) << name;
        EXPECT_NEAR(m.polar() + m.area * normSquared(m.centroid), limit[2], 1e-9) << name;
        EXPECT_NEAR(curve.length(), limit[3], 1e-8) << name;
    }
}

TEST(NurbsCurve, IsSampledEvenlyByLength) {
    for (const auto& [name, definition] : manyCurves()) {
        const NurbsCurve curve(definition);
        std::vector<double> places(40);
        for (std::size_t k = 0; k < 40; ++k) places[k] = curve.parameterAtLength(curve.length() * double(k) / 40);
        for (std::size_t k = 0; k < places.size(); ++k) {
            const double from = places[k], to = k + 1 < places.size() ? places[k + 1] : curve.end();
            double length = 0;  // of a polygon, which cuts corners
            for (int j = 0; j < 400; ++j) {
                length += norm(curve.at(from + (to - from) * (j + 1) / 400) - curve.at(from + (to - from) * j / 400));
            }
            EXPECT_NEAR(length, curve.length() / 40, 1e-4) << name << ", part " << k;
        }
    }
}

}  // namespace
}  // namespace talus
