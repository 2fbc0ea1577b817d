// Surfaces fitted to clouds of points: how near they come, and what is refused.
#include "grains/surface_fit.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "talus/error.hpp"
#include "unit/surface_samples.hpp"

namespace talus {
namespace {

using namespace test;
using std::numbers::pi;

// Evenly over the ball, with a radius of the direction.
template <class Radius>
std::vector<Vec3> cloud(std::size_t count, const Vec3& centre, Radius&& radius) {
    std::vector<Vec3> points;
    for (std::size_t k = 0; k < count; ++k) {
        const double z = 1 - (2.0 * static_cast<double>(k) + 1) / static_cast<double>(count);
        const double angle = 2.399963229728653 * static_cast<double>(k), flat = std::sqrt(1 - z * z);
        const Vec3 d{flat * std::cos(angle), flat * std::sin(angle), z};
        points.push_back(centre + radius(d) * d);
    }
    return points;
}

double bumpy(const Vec3& d) { return 1 + 0.2 * d.x * d.y + 0.15 * d.z * d.z * d.z - 0.1 * d.x * d.z; }

std::string complaintAbout(const std::vector<Vec3>& points, double tolerance) {
    try {
        fitClosedSurface(points, tolerance);
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(SurfaceFit, OfABallHasItsVolumeToTheTolerance) {
    const SurfaceFit fit = fitClosedSurface(cloud(2000, {3, 4, 5}, [](const Vec3&) { return 2.0; }), 1e-3);
    EXPECT_LE(fit.largestError, 1e-3);
    EXPECT_LE(fit.meanError, fit.largestError);
    const NurbsSurface surface(fit.surface);
    checkBody(surface);
    const MassMoments m = momentsOf(surface);
    EXPECT_NEAR(m.volume / (32 * pi / 3), 1, 1.5e-3);
    EXPECT_LT(norm(m.firstMoment / m.volume - Vec3{3, 4, 5}), 1e-3);
}

TEST(SurfaceFit, MeetsTheToleranceAlsoBetweenThePoints) {
    for (const double tolerance : {1e-2, 1e-3}) {
        const SurfaceFit fit = fitClosedSurface(cloud(3000, {}, bumpy), tolerance);
        EXPECT_LE(fit.largestError, tolerance);
        const NurbsSurface surface(fit.surface);
        checkBody(surface);
        Random random(1, 0);
        for (int k = 0; k < 1000; ++k) {
            const Vec3 p = surface
                               .at(random.uniform(surface.beginU(), surface.endU()),
                                   random.uniform(surface.beginV(), surface.endV()))
                               .position;
            // Other points than those of the fit; distances along rays are a little longer than to the surface.
            EXPECT_LT(std::abs(norm(p) - bumpy(p / norm(p))), 2 * tolerance);
        }
    }
}

TEST(SurfaceFit, OfManyPointsGathersThemBitByBit) {
    // More entries than are kept at a time.
    const SurfaceFit fit = fitClosedSurface(cloud(12000, {}, bumpy), 1e-2);
    EXPECT_LE(fit.largestError, 1e-2);
    EXPECT_NEAR(momentsOf(NurbsSurface(fit.surface)).volume,
                momentsOf(NurbsSurface(fitClosedSurface(cloud(2000, {}, bumpy), 1e-2).surface)).volume, 0.01);
}

TEST(SurfaceFit, HasTheSamePlaneAllAroundAPole) {
    const NurbsSurface s(fitClosedSurface(cloud(3000, {}, bumpy), 1e-3).surface);
    for (const double v : {s.beginV(), s.endV()}) {
        const Vec3 first = s.at(s.beginU(), v).dv, normal = normalized(cross(s.at(s.beginU(), v).duv, first));
        for (int k = 0; k < 50; ++k) {
            const Vec3 along = s.at(s.beginU() + (s.endU() - s.beginU()) * k / 50, v).dv;
            EXPECT_NEAR(dot(normal, along), 0, 1e-10 * norm(along));
        }
    }
}

TEST(SurfaceFit, RefusesFewPointsAndHoles) {
    const auto ball = [](const Vec3&) { return 1.0; };
    EXPECT_TRUE(contains(complaintAbout(cloud(20, {}, ball), 0.01), "at least 50 points"));
    std::vector<Vec3> open;
    for (const Vec3& p : cloud(2000, {}, ball)) {
        if (p.z < 0.6) open.push_back(p);
    }
    EXPECT_TRUE(contains(complaintAbout(open, 0.01), "leave a hole")) << complaintAbout(open, 0.01);
}

TEST(SurfaceFit, RefusesWhatIsNotStarShaped) {
    // Two shells, the one in the other.
    std::vector<Vec3> shells = cloud(1000, {}, [](const Vec3&) { return 1.0; });
    const std::vector<Vec3> inner = cloud(900, {}, [](const Vec3&) { return 0.5; });
    shells.insert(shells.end(), inner.begin(), inner.end());
    EXPECT_TRUE(contains(complaintAbout(shells, 0.01), "not star-shaped")) << complaintAbout(shells, 0.01);
}

TEST(SurfaceFit, SaysHowNearItCameWhereTheToleranceIsTooSmall) {
    const auto rough = [](const Vec3& d) { return 1 + 0.02 * std::sin(40 * d.x) * std::sin(40 * d.y); };
    const std::string complaint = complaintAbout(cloud(400, {}, rough), 1e-4);
    EXPECT_TRUE(contains(complaint, "no surface within 0.0001 m")) << complaint;
}

class SurfaceFiles : public ::testing::Test {
protected:
    std::filesystem::path written(const std::string& name, const std::string& text) {
        const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / name;
        std::ofstream(file) << text;
        return file;
    }
};

TEST_F(SurfaceFiles, HoldPointsWithOrWithoutAHeader) {
    const auto points = readPointCloud(written("cloud.csv", "x,y,z\n1,2,3\n\n# a word\n4 5 6\n"), 0.1);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_LT(norm(points[0] - Vec3{0.1, 0.2, 0.3}), 1e-15);
    EXPECT_LT(norm(points[1] - Vec3{0.4, 0.5, 0.6}), 1e-15);
    EXPECT_EQ(readPointCloud(written("noted.csv", "  # a word\n1,2,3\n")).size(), 1u);
    // One line of words is a header, more are a mistake.
    EXPECT_THROW(readPointCloud(written("ply.csv", "ply\nformat ascii\n1,2,3\n")), InputError);
    EXPECT_THROW(readPointCloud(written("broken.csv", "x,y,z\n1,2,three\n1,2,3\n")), InputError);
    EXPECT_THROW(readPointCloud(written("short.csv", "1,2,3\n4,5\n")), InputError);
    EXPECT_THROW(readPointCloud(written("words.csv", "1,2,3\n4,5,six\n")), InputError);
}

TEST_F(SurfaceFiles, HoldASurfaceAndAreCheckedInEveryField) {
    const std::string octahedronText =
        R"({"format": "talus-surface", "version": 1, "degree_u": 1, "degree_v": 1,
            "knots_u": [0, 0, 1, 2, 3, 4, 4], "knots_v": [0, 0, 1, 2, 2],
            "points": [[[0,0,-1],[0,0,-1],[0,0,-1],[0,0,-1],[0,0,-1]],
                       [[1,0,0],[0,1,0],[-1,0,0],[0,-1,0],[1,0,0]],
                       [[0,0,1],[0,0,1],[0,0,1],[0,0,1],[0,0,1]]]})";
    const NurbsSurface s(readSurface(written("octahedron.json", octahedronText), 2));
    EXPECT_NEAR(momentsOf(s).volume, 8 * 4.0 / 3, 1e-12);
    const auto complaintAfter = [&](const std::string& from, const std::string& to) -> std::string {
        std::string text = octahedronText;
        text.replace(text.find(from), from.size(), to);
        try {
            readSurface(written("broken.json", text));
        } catch (const InputError& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_TRUE(contains(complaintAfter("talus-surface", "other"), "format"));
    EXPECT_TRUE(contains(complaintAfter("\"version\": 1", "\"version\": 7"), "version"));
    EXPECT_TRUE(contains(complaintAfter("\"degree_u\": 1", "\"degree_u\": 6"), "degree_u"));
    EXPECT_TRUE(contains(complaintAfter("[0, 0, 1, 2, 2]", "7"), "knots_v"));
    EXPECT_TRUE(contains(complaintAfter("[0,-1,0]", "[0,-1]"), "points[1][3]"));
    EXPECT_TRUE(contains(complaintAfter("[0,-1,0],", ""), "points[1]"));
    EXPECT_TRUE(contains(complaintAfter("{", ""), "JSON"));
    EXPECT_TRUE(contains(complaintAfter("[0,-1,0]", "[0,NaN,0]"), "line 4"));
    EXPECT_TRUE(contains(complaintAfter("\"points\"", "\"weigths\": [], \"points\""), "did you mean 'weights'?"));
    EXPECT_TRUE(contains(complaintAfter("\"points\"", "\"weights\": [[1, 1]], \"points\""), "weights[0]: must be 5"));
    EXPECT_TRUE(contains(complaintAfter("\"points\"", "\"weights\": [[1,1,1,1,\"x\"]], \"points\""), "weights[0][4]"));
}

TEST_F(SurfaceFiles, HoldWeightsInRowsOrInOneList) {
    const auto weighted = [&](const std::string& weights) {
        const std::string text = R"({"format": "talus-surface", "version": 1, "degree_u": 1, "degree_v": 1,
            "knots_u": [0, 0, 1, 2, 2], "knots_v": [0, 0, 1, 1], "points": [[[0,0,0],[1,0,0],[0,0,0]],
            [[0,0,1],[1,0,1],[0,0,1]]], "weights": )" +
                                 weights + "}";
        return readSurface(written("weighted.json", text)).weights;
    };
    const std::vector<double> expected = {1, 2, 1, 3, 4, 3};
    EXPECT_EQ(weighted("[1, 2, 1, 3, 4, 3]"), expected);
    EXPECT_EQ(weighted("[[1, 2, 1], [3, 4, 3]]"), expected);
}

}  // namespace
}  // namespace talus
