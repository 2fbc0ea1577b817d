// Measures of shape against closed forms, the generator against what it was asked for, and files of grains.
#include <gtest/gtest.h>

#include <fstream>

#include "grains/circles.hpp"
#include "grains/touching.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"
#include "unit/curve_samples.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using namespace test;
using output_samples::contentOf;
using output_samples::TemporaryFolder;

TEST(GrainMeasures, OfACircleAreAllOne) {
    const GrainMeasures m = measureGrain(circle(2));
    for (const double one : {m.sphericity, m.roundness, m.circularity, m.convexity, m.solidity, m.aspect}) {
        EXPECT_NEAR(one, 1, 1e-3);
    }
    EXPECT_NEAR(m.angularity, 0, 1e-3);
    EXPECT_NEAR(m.area, 4 * pi, 1e-12);
    EXPECT_NEAR(m.equivalentDiameter, 4, 1e-12);
}

TEST(GrainMeasures, OfARectangleAreItsClosedForms) {
    const GrainMeasures m = measureGrain(polygon({{0, 0}, {4, 0}, {4, 2}, {0, 2}}));
    EXPECT_NEAR(m.inscribedRadius, 1, 1e-6);
    EXPECT_NEAR(m.circumscribedRadius, std::sqrt(5.0), 1e-12);
    EXPECT_NEAR(m.sphericity, 1 / std::sqrt(5.0), 1e-6);
    EXPECT_NEAR(m.roundness, 0, 1e-12);
    EXPECT_NEAR(m.circularity, 4 * pi * 8 / 144, 1e-12);
    EXPECT_NEAR(m.aspect, 2 / std::sqrt(20.0), 1e-12);
    EXPECT_DOUBLE_EQ(m.convexity, 1);
    EXPECT_DOUBLE_EQ(m.solidity, 1);
}

TEST(GrainMeasures, OfANotchedSquareCountItsHull) {
    const GrainMeasures m = measureGrain(polygon({{0, 0}, {4, 0}, {4, 4}, {2, 2}, {0, 4}}));
    EXPECT_NEAR(m.solidity, 12.0 / 16, 1e-12);
    EXPECT_NEAR(m.convexity, 16 / (12 + 4 * std::sqrt(2.0)), 1e-12);
}

TEST(GrainMeasures, OfAnEllipseFollowItsAxes) {
    const GrainMeasures m = measureGrain(ellipse(3, 1));
    EXPECT_NEAR(m.inscribedRadius, 1, 1e-6);
    EXPECT_NEAR(m.circumscribedRadius, 3, 1e-3);
    EXPECT_NEAR(m.aspect, 1.0 / 3, 1e-3);
}

TEST(SmallestCircle, HoldsAllPointsAndIsHeldByTwoOrThree) {
    Random random(8, 0);
    for (int k = 0; k < 200; ++k) {
        std::vector<Vec2> points;
        for (int j = 0; j < 30; ++j) points.push_back({random.normal(), random.normal()});
        const Circle circle = smallestEnclosingCircle(points);
        int touching = 0;
        for (const Vec2& p : points) {
            EXPECT_LE(norm(p - circle.centre), circle.radius * (1 + 1e-11));
            touching += norm(p - circle.centre) > circle.radius * (1 - 1e-9);
        }
        EXPECT_GE(touching, 2);
        // A smaller one somewhere near would hold all: there is none.
        for (int j = 0; j < 8; ++j) {
            const Vec2 other = circle.centre + 0.01 * Vec2{std::cos(j * pi / 4), std::sin(j * pi / 4)};
            double most = 0;
            for (const Vec2& p : points) most = std::max(most, norm(p - other));
            EXPECT_GT(most, circle.radius);
        }
    }
}

TEST(DistanceToBackground, IsThatOfTheNearestPixel) {
    Random random(9, 0);
    Grid<std::uint32_t> grain(23, 17);
    for (std::uint32_t& g : grain.values) g = random.uniform() < 0.8 ? 1 : 0;
    const Grid<double> distance = distanceToBackground(grain);
    for (int y = 0; y < 17; ++y) {
        for (int x = 0; x < 23; ++x) {
            double least = std::min({x + 1, y + 1, 23 - x, 17 - y});
            for (int v = 0; v < 17; ++v) {
                for (int u = 0; u < 23; ++u) {
                    if (grain.at(u, v) == 0) least = std::min(least, std::hypot(u - x, v - y));
                }
            }
            EXPECT_NEAR(distance.at(x, y), least, 1e-12);
        }
    }
}

struct Target {
    double sphericity, angularity;
    bool convex;
};

TEST(GrainGenerator, HitsItsTargets) {
    for (const Target& t : {Target{0.4, 0.8, true}, Target{0.8, 0.3, true}, Target{0.5, 1.0, true},
                            Target{0.6, 0.7, false}, Target{0.8, 0.4, false}, Target{0.7, 1.0, false}}) {
        const GrainSet set = generateGrains(
            {.count = 4, .sphericity = t.sphericity, .angularity = t.angularity, .convex = t.convex, .diameter = 2e-3});
        ASSERT_EQ(set.grains.size(), 4u);
        for (const Grain& grain : set.grains) {
            const GrainMeasures m = measureGrain(grain.outline);
            EXPECT_NEAR(m.sphericity, t.sphericity, generatorTolerance);
            EXPECT_NEAR(m.angularity, t.angularity, generatorTolerance);
            EXPECT_EQ(m.solidity > 1 - 1e-6, t.convex) << m.solidity;
            EXPECT_NEAR(m.equivalentDiameter, 2e-3, 1e-15);
            EXPECT_NEAR(norm(areaMoments(NurbsCurve(grain.outline)).centroid), 0, 1e-15);
        }
    }
}

TEST(GrainGenerator, GivesTheSameGrainsForTheSameSeedAndOthersForAnother) {
    const GrainGeneratorOptions options{.count = 3, .seed = 5};
    const GrainSet all = generateGrains(options);
    EXPECT_EQ(grainsAsJson(all), grainsAsJson(generateGrains(options)));
    EXPECT_EQ(all.grains[0].outline.points, generateGrains({.count = 1, .seed = 5}).grains[0].outline.points);
    EXPECT_NE(all.grains[0].outline.points, all.grains[1].outline.points);
    EXPECT_NE(all.grains[0].outline.points, generateGrains({.count = 1, .seed = 6}).grains[0].outline.points);
}

TEST(GrainGenerator, RefusesWhatDoesNotExist) {
    EXPECT_THROW(generateGrains({.sphericity = 1.2}), InputError);
    EXPECT_THROW(generateGrains({.angularity = 0}), InputError);
    EXPECT_THROW(generateGrains({.count = 0}), InputError);
    EXPECT_THROW(generateGrains({.diameter = -1}), InputError);
}

TEST(GrainGenerator, AdvisesWhatIsNotAskedForAlready) {
    try {
        generateGrains({.sphericity = 0.1, .angularity = 0.6, .convex = true});
        ADD_FAILURE() << "not refused";
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find("--convex"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("a higher sphericity"), std::string::npos) << error.what();
    }
}

TEST(GrainFile, IsReadAsItWasWritten) {
    const TemporaryFolder folder;
    GrainSet set = generateGrains({.count = 2});
    set.grains[1].fit =
        GrainFit{.tolerance = 0.5, .largestError = 0.25, .meanError = 0.125, .tracedPoints = 100, .corners = 3};
    set.grains[1].position = {3, 4};
    writeGrains(folder / "new" / "grains.json", set);
    const GrainSet again = readGrains(folder / "new" / "grains.json");
    EXPECT_EQ(grainsAsJson(again), grainsAsJson(set));
    EXPECT_EQ(again.source, set.source);
}

TEST(GrainFile, ThatIsWrongIsRefusedWithThePath) {
    const TemporaryFolder folder;
    const auto expectRefused = [&](const std::string& text, const std::string& words) {
        std::ofstream(folder / "a.json") << text;
        try {
            readGrains(folder / "a.json");
            ADD_FAILURE() << "not refused: " << words;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    EXPECT_THROW(readGrains(folder / "none.json"), InputError);
    expectRefused("", "is no JSON");
    expectRefused("{\"format\": \"other\"}", "format");
    expectRefused("[]", "format");
    const std::string head = "{\"format\": \"talus-grains\", \"version\": 1, \"grains\": ";
    expectRefused("{\"format\": \"talus-grains\", \"version\": 9}", "version");
    expectRefused(head + "[]}", "at least one grain");
    expectRefused(head + "[3]}", "grains[0]");
    expectRefused(head + "[{\"name\": \"a\"}]}", "grains[0].outline: is missing");
    expectRefused(head + "[{\"nmae\": \"a\"}]}", "grains[0].nmae: is not a key of such files; did you mean 'name'?");
    expectRefused(head + "[{\"name\": \"a\", \"outline\": {\"degree\": 1, \"weigths\": []}}]}",
                  "grains[0].outline.weigths: is not a key of such files; did you mean 'weights'?");
    expectRefused(head + "[], \"sources\": \"\"}", "did you mean 'source'?");
    expectRefused(head + "[{\"name\": \"a\", \"outline\": {\"degree\": 1, \"knots\": [0, \"x\"], \"points\": []}}]}",
                  "grains[0].outline.knots[1]: must be a number");
    expectRefused(head +
                      "[{\"name\": \"a\", \"outline\": {\"degree\": 1, \"knots\": [0,0,1,2,2], \"points\": "
                      "[[0,0],[1,0],[0,0]]}}]}",
                  "grains[0].outline: crosses, touches or folds back");
}

TEST(GrainFile, NamesComeOnce) {
    const TemporaryFolder folder;
    GrainSet set = generateGrains({.count = 2});
    set.grains[1].name = set.grains[0].name;
    writeGrains(folder / "a.json", set);
    EXPECT_THROW(readGrains(folder / "a.json"), InputError);
}

TEST(GrainPicture, ShowsTheCurves) {
    const TemporaryFolder folder;
    const GrainSet set = generateGrains({.count = 3});
    drawGrains(folder / "a.png", set);
    EXPECT_GT(contentOf(folder / "a.png").size(), 1000u);
}

}  // namespace
}  // namespace talus
