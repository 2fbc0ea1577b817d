// NURBS surfaces against closed forms, finite differences and the triangles between their points.
#include "geometry/nurbs/nurbs_surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "talus/error.hpp"
#include "unit/surface_samples.hpp"

namespace talus {
namespace {

using namespace test;
using std::numbers::pi;

std::string complaintAbout(const SurfaceDefinition& definition) {
    try {
        checkBody(NurbsSurface(definition));
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// By the pyramids from the origin to the quads of a fine grid.
double volumeOfGrid(const NurbsSurface& s, int round, int up) {
    double volume = 0;
    const auto at = [&](int i, int j) {
        return s.at(s.beginU() + (s.endU() - s.beginU()) * i / round, s.beginV() + (s.endV() - s.beginV()) * j / up)
            .position;
    };
    for (int i = 0; i < round; ++i) {
        for (int j = 0; j < up; ++j) {
            const Vec3 a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
            volume += (dot(a, cross(b, c)) + dot(a, cross(c, d))) / 6;
        }
    }
    return volume;
}

TEST(NurbsSurface, OfAnEllipsoidIsOne) {
    const NurbsSurface s(ellipsoidSurface({1, 2, 3}));
    Random random(1, 0);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 p = s.at(random.uniform(-1, 2), random.uniform()).position;
        EXPECT_NEAR(p.x * p.x + p.y * p.y / 4 + p.z * p.z / 9, 1, 1e-14);
    }
}

TEST(NurbsSurface, HasTheDerivativesThatDifferencesShow) {
    for (const auto& [name, definition] : manySurfaces()) {
        const NurbsSurface s(definition);
        Random random(2, 0);
        const double h = 1e-5;
        for (int k = 0; k < 300; ++k) {
            // Inside of a span, whose neighbours have other derivatives.
            const BezierPatch& patch = s.patches()[static_cast<std::size_t>(random.uniform() * s.patches().size())];
            const double u = random.uniform(patch.beginU + 2 * h, patch.endU - 2 * h);
            const double v = random.uniform(patch.beginV + 2 * h, patch.endV - 2 * h);
            const SurfacePoint p = s.at(u, v), east = s.at(u + h, v), west = s.at(u - h, v), north = s.at(u, v + h),
                               south = s.at(u, v - h);
            EXPECT_LT(norm((east.position - west.position) / (2 * h) - p.du), 1e-6) << name;
            EXPECT_LT(norm((north.position - south.position) / (2 * h) - p.dv), 1e-6) << name;
            EXPECT_LT(norm((east.du - west.du) / (2 * h) - p.duu), 1e-5) << name;
            EXPECT_LT(norm((north.du - south.du) / (2 * h) - p.duv), 1e-5) << name;
            EXPECT_LT(norm((north.dv - south.dv) / (2 * h) - p.dvv), 1e-5) << name;
        }
    }
}

TEST(NurbsSurface, IsCutIntoPatchesThatMeet) {
    const NurbsSurface s(bumpyBody(5));
    for (const BezierPatch& patch : s.patches()) {
        const auto [west, east] = halvesAlongU(patch);
        const auto [south, north] = halvesAlongV(patch);
        for (const double a : {0.0, 0.3, 1.0}) {
            for (const double b : {0.0, 0.6, 1.0}) {
                EXPECT_LT(norm(positionAt(west, a, b) - positionAt(patch, 0.5 * a, b)), 1e-14);
                EXPECT_LT(norm(positionAt(east, a, b) - positionAt(patch, 0.5 + 0.5 * a, b)), 1e-14);
                EXPECT_LT(norm(positionAt(south, a, b) - positionAt(patch, a, 0.5 * b)), 1e-14);
                EXPECT_LT(norm(positionAt(north, a, b) - positionAt(patch, a, 0.5 + 0.5 * b)), 1e-14);
                const double u = patch.beginU + a * (patch.endU - patch.beginU);
                const double v = patch.beginV + b * (patch.endV - patch.beginV);
                EXPECT_LT(norm(positionAt(patch, a, b) - s.at(u, v).position), 1e-13);
            }
        }
    }
}

TEST(SurfaceMoments, OfAnEllipsoidAreThoseOfTheSolid) {
    SurfaceDefinition d = ellipsoidSurface({1, 2, 3});
    const Vec3 shift{5, -7, 2};
    for (Vec3& p : d.points) p += shift;
    const MassMoments m = momentsOf(NurbsSurface(d));
    const double volume = 8 * pi;
    EXPECT_NEAR(m.volume / volume, 1, 1e-13);
    EXPECT_LT(norm(m.firstMoment / m.volume - shift), 1e-13);
    const PrincipalFrame frame = principalFrame(m);
    const MassProperties solid = massProperties(EllipsoidShape{{1, 2, 3}});
    EXPECT_LT(norm(frame.mass.inertia - solid.inertia) / norm(solid.inertia), 1e-12);
}

TEST(SurfaceMoments, OfAnOctahedronAreExact) {
    const MassMoments m = momentsOf(NurbsSurface(octahedron()));
    EXPECT_NEAR(m.volume, 4.0 / 3, 1e-14);
    EXPECT_NEAR(norm(m.firstMoment), 0, 1e-14);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(m.secondMoment(k, k), 2.0 / 15, 1e-14);
    EXPECT_NEAR(m.secondMoment(0, 1), 0, 1e-14);
}

TEST(SurfaceMoments, AreTheLimitOfThoseOfTriangles) {
    for (const auto& [name, definition] : manySurfaces()) {
        const NurbsSurface s(definition);
        const double exact = momentsOf(s).volume;
        const double coarse = volumeOfGrid(s, 120, 120) - exact, fine = volumeOfGrid(s, 240, 240) - exact;
        EXPECT_LT(std::abs(fine), 2e-3 * exact) << name;
        if (std::abs(coarse) < 1e-12) continue;  // flat faces are exact at any fineness
        EXPECT_NEAR(coarse / fine, 4, 0.2) << name;
    }
}

TEST(SurfaceCheck, TakesBodiesOfManyForms) {
    for (const auto& [name, definition] : manySurfaces()) EXPECT_EQ(complaintAbout(definition), "none") << name;
    for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(complaintAbout(bumpyBody(seed)), "none") << seed;
}

TEST(SurfaceCheck, RefusesWhatIsOpen) {
    SurfaceDefinition seam = ellipsoidSurface({1, 1, 1}), pole = seam;
    seam.points[2 * 9 + 8] += Vec3{0.1, 0, 0};
    EXPECT_TRUE(contains(complaintAbout(seam), "surface.points: not closed round the axis")) << complaintAbout(seam);
    pole.points[4 * 9 + 3] += Vec3{0.1, 0, 0};
    EXPECT_TRUE(contains(complaintAbout(pole), "open where v ends")) << complaintAbout(pole);
}

TEST(SurfaceCheck, RefusesWhatIsInsideOut) {
    SurfaceDefinition d = ellipsoidSurface({1, 1, 1});
    for (auto row = d.points.begin(); row != d.points.end(); row += 9) std::reverse(row, row + 9);
    EXPECT_TRUE(contains(complaintAbout(d), "inside out")) << complaintAbout(d);
}

TEST(SurfaceCheck, RefusesCrossingsAndFolds) {
    // The hollow of the upper pole comes out below.
    const SurfaceDefinition crossing =
        turnedSurface({{0, -1}, {0.8, -1}, {1.4, 0}, {0.9, 1.2}, {0.5, 0.9}, {0.3, -2}, {0, -2}});
    EXPECT_TRUE(contains(complaintAbout(crossing), "crosses itself")) << complaintAbout(crossing);
    SurfaceDefinition folded = ellipsoidSurface({1, 1, 1});
    std::swap(folded.points[2 * 9 + 2], folded.points[2 * 9 + 4]);
    const std::string complaint = complaintAbout(folded);
    EXPECT_TRUE(contains(complaint, "folds back") || contains(complaint, "crosses itself")) << complaint;
}

TEST(SurfaceCheck, RefusesWrongNumbers) {
    const SurfaceDefinition good = ellipsoidSurface({1, 1, 1});
    SurfaceDefinition d = good;
    d.knotsU[4] = 0.9;
    EXPECT_TRUE(contains(complaintAbout(d), "surface.knots_u[5]")) << complaintAbout(d);
    d = good;
    d.knotsV.push_back(1);
    EXPECT_TRUE(contains(complaintAbout(d), "surface.knots_v: 5 points of degree 2 need 8")) << complaintAbout(d);
    d = good;
    d.weights[7] = 0;
    EXPECT_TRUE(contains(complaintAbout(d), "surface.weights[7]")) << complaintAbout(d);
    d = good;
    d.degreeV = 6;
    EXPECT_TRUE(contains(complaintAbout(d), "surface.degree_v: must be 1 to 5")) << complaintAbout(d);
    d = good;
    d.points.pop_back();
    EXPECT_TRUE(contains(complaintAbout(d), "do not make rows")) << complaintAbout(d);
    d = good;
    d.points[3].y = std::nan("");
    EXPECT_TRUE(contains(complaintAbout(d), "surface.points[3]")) << complaintAbout(d);
}

}  // namespace
}  // namespace talus
