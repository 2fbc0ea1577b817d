// From images of figures that are known exactly to curves: how near, with which corners, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "geometry/nurbs/nurbs_curve.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"
#include "unit/grain_images.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using namespace test;
using output_samples::TemporaryFolder;

ImageGrains findIn(const Figure& figure, const ImageSettings& image = {}, const GrainImageOptions& options = {}) {
    const TemporaryFolder folder;
    saveGrey(folder / "image.png", figure, image);
    return grainsFromImage(folder / "image.png", options);
}

// Where a ray from `centre` leaves the figure.
double exactRadius(const Figure& figure, const Vec2& centre, const Vec2& direction) {
    double low = 0, high = 100;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (figure(centre + middle * direction) ? low : high) = middle;
    }
    return low;
}

// Largest distance of the curve from a figure that is a star about its centre, along rays.
double largestMiss(const Grain& grain, const Figure& figure, const Vec2& centre) {
    const NurbsCurve curve(translated(grain.outline, grain.position - centre));
    double most = 0;
    for (int k = 0; k < 2000; ++k) {
        const Vec2 p = curve.at(curve.begin() + (curve.end() - curve.begin()) * k / 2000);
        most = std::max(most, std::abs(norm(p) - exactRadius(figure, centre, p / norm(p))));
    }
    return most;
}

TEST(GrainImage, OfADiscGivesADiscToATenthOfAPixel) {
    const Figure figure = disc({50.3, 49.6}, 30);
    const ImageGrains found = findIn(figure);
    ASSERT_EQ(found.set.grains.size(), 1u);
    EXPECT_TRUE(found.notes.empty());
    const Grain& grain = found.set.grains[0];
    EXPECT_LT(largestMiss(grain, figure, {50.3, 49.6}), 0.15);
    EXPECT_NEAR(grain.measures.area, M_PI * 900, 3);
    EXPECT_NEAR(grain.position.x, 50.3, 0.02);
    EXPECT_NEAR(grain.position.y, 49.6, 0.02);
    EXPECT_EQ(grain.fit->corners, 0);
    EXPECT_LE(grain.fit->largestError, 0.5);
    EXPECT_GT(grain.measures.sphericity, 0.99);
    EXPECT_GT(grain.measures.roundness, 0.95);
    EXPECT_LT(grain.outline.points.size(), 20u);
}

TEST(GrainImage, OfAnEllipseAndABeanGivesSmoothCurves) {
    for (const auto& [figure, hollow] :
         {std::pair{ellipseFigure({50, 50}, 40, 15), false}, std::pair{bean({50, 50}, 30), true}}) {
        const Grain grain = findIn(figure).set.grains.at(0);
        EXPECT_EQ(grain.fit->corners, 0);
        EXPECT_LT(largestMiss(grain, figure, {50, 50}), 0.5);
        EXPECT_EQ(grain.measures.solidity < 0.97, hollow);
    }
}

TEST(GrainImage, OfASquareKeepsFourCorners) {
    const std::vector<Vec2> corners = {{25, 20}, {75, 30}, {65, 80}, {15, 70}};
    const Figure figure = polygonFigure(corners);
    for (const int subpixels : {1, 8}) {
        const Grain grain = findIn(figure, {.subpixels = subpixels}).set.grains.at(0);
        EXPECT_EQ(grain.fit->corners, 4);
        const NurbsCurve curve(translated(grain.outline, grain.position));
        ASSERT_EQ(talus::corners(curve).size(), 4u);
        for (const double u : talus::corners(curve)) {
            const Vec2 place = curve.at(u);
            const auto away = [&](const Vec2& c) { return norm(c - place); };
            EXPECT_LT(away(*std::min_element(corners.begin(), corners.end(),
                                             [&](const Vec2& a, const Vec2& b) { return away(a) < away(b); })),
                      subpixels == 1 ? 1.2 : 0.6);
        }
        EXPECT_NEAR(grain.measures.area, 2600, 20);
        EXPECT_LT(grain.measures.roundness, 0.1);
    }
}

// One pixel is grain or not: its edge says only between which two middles of pixels the outline goes.
constexpr ImageSettings twoLevels{.width = 200, .height = 200, .subpixels = 1, .ground = 0, .grain = 255};

TEST(GrainImage, OfTwoLevelsIsFitWithoutItsStaircase) {
    Random random(3, 0);
    for (int k = 0; k < 24; ++k) {
        const Vec2 centre{100 + random.uniform(-0.5, 0.5), 100 + random.uniform(-0.5, 0.5)};
        const double radius = random.uniform(15, 90);
        const Grain grain = findIn(disc(centre, radius), twoLevels).set.grains.at(0);
        EXPECT_NEAR(grain.measures.area / (M_PI * radius * radius), 1, 5e-3) << radius;
        EXPECT_LT(grain.measures.angularity, 0.08) << radius;
        EXPECT_EQ(grain.fit->corners, 0);
        EXPECT_LT(largestMiss(grain, disc(centre, radius), centre), 0.5) << radius;
        EXPECT_LT(grain.outline.points.size(), 20u);
    }
    for (int k = 0; k < 12; ++k) {
        const Vec2 centre{100 + random.uniform(-0.5, 0.5), 100 + random.uniform(-0.5, 0.5)};
        const double radius = random.uniform(25, 90);
        const Figure ellipse = ellipseFigure(centre, radius, 0.5 * radius);
        const Grain grain = findIn(ellipse, twoLevels).set.grains.at(0);
        EXPECT_NEAR(grain.measures.area / (M_PI * 0.5 * radius * radius), 1, 1e-2) << radius;
        EXPECT_NEAR(grain.measures.angularity, 0.37, 0.12) << radius;
        EXPECT_LT(largestMiss(grain, ellipse, centre), 1) << radius;
    }
}

TEST(GrainImage, OfTwoLevelsKeepsCorners) {
    Random random(4, 0);
    for (int k = 0; k < 12; ++k) {
        const double turn = random.uniform(0, M_PI), size = random.uniform(20, 80);
        const Vec2 a = size * Vec2{std::cos(turn), std::sin(turn)}, b = 0.6 * Vec2{-a.y, a.x}, middle{100.2, 99.7};
        const Figure rectangle = polygonFigure({middle - a - b, middle + a - b, middle + a + b, middle - a + b});
        const Grain grain = findIn(rectangle, twoLevels).set.grains.at(0);
        EXPECT_EQ(grain.fit->corners, 4);
        EXPECT_NEAR(grain.measures.area / (2.4 * size * size), 1, 1e-2);
        EXPECT_LT(grain.measures.roundness, 0.2);
    }
}

TEST(GrainImage, OfASpiralFollowsItsTurns) {
    const Figure figure = spiral({130, 110}, 6, 6);
    for (const int subpixels : {1, 4}) {
        const Grain grain = findIn(figure, {.width = 250, .height = 230, .subpixels = subpixels}).set.grains.at(0);
        // Length of the middle line, 12 wide, with two round ends.
        const auto length = [](double t) { return 0.5 * 6 * (t * std::sqrt(1 + t * t) + std::asinh(t)); };
        EXPECT_NEAR(grain.measures.area, 12 * (length(5 * M_PI) - length(0.5)) + M_PI * 36, 60);
        EXPECT_LT(grain.measures.solidity, 0.6);
    }
}

TEST(GrainImage, OfAStarKeepsItsTips) {
    const Figure figure = star({60, 60}, 50, 25, 5);
    const Grain grain = findIn(figure, {.width = 120, .height = 120}).set.grains.at(0);
    EXPECT_EQ(grain.fit->corners, 10);
    EXPECT_NEAR(grain.measures.area, 10 * 0.5 * 50 * 25 * std::sin(M_PI / 5), 30);
    EXPECT_LT(grain.measures.solidity, 0.8);
}

TEST(GrainImage, WithNoiseIsFitWithinTheTolerance) {
    const Figure figure = bean({50, 50}, 30);
    const ImageGrains found = findIn(figure, {.noise = 15});
    ASSERT_EQ(found.set.grains.size(), 1u);
    EXPECT_LE(found.set.grains[0].fit->largestError, 0.5);
    EXPECT_LT(largestMiss(found.set.grains[0], figure, {50, 50}), 0.8);
    const ImageGrains smooth = findIn(figure, {.noise = 45}, {.smoothing = 1.5});
    ASSERT_EQ(smooth.set.grains.size(), 1u);
    EXPECT_LT(largestMiss(smooth.set.grains[0], figure, {50, 50}), 1.2);
}

TEST(GrainImage, MeetsTighterTolerancesWithMorePoints) {
    std::size_t before = 0;
    for (const double tolerance : {1.0, 0.3, 0.15}) {
        const Grain grain = findIn(bean({50.2, 50.4}, 30), {}, {.tolerance = tolerance}).set.grains.at(0);
        EXPECT_LE(grain.fit->largestError, tolerance);
        EXPECT_GE(grain.outline.points.size(), before);
        before = grain.outline.points.size();
    }
}

TEST(GrainImage, OfTouchingDiscsIsSplitKeptOrRefused) {
    const Figure pair = either(disc({30, 50}, 20.5), disc({68, 50}, 18.5));
    const ImageGrains split = findIn(pair);
    ASSERT_EQ(split.set.grains.size(), 2u);
    ASSERT_EQ(split.notes.size(), 1u);
    EXPECT_NEAR(split.set.grains[0].measures.area, M_PI * 20.5 * 20.5, 15);
    EXPECT_NEAR(split.set.grains[1].measures.area, M_PI * 18.5 * 18.5, 15);
    EXPECT_EQ(findIn(pair, {}, {.touching = "keep"}).set.grains.size(), 1u);
    EXPECT_THROW(findIn(pair, {}, {.touching = "refuse"}), InputError);
}

TEST(GrainImage, OfThreeDiscsAroundAPoreKeepsThePoreFree) {
    const Figure three = either(either(disc({32, 32}, 18.4), disc({68, 32}, 18.4)), disc({50, 63}, 18.4));
    const ImageGrains found = findIn(three);
    ASSERT_EQ(found.set.grains.size(), 3u);
    for (const Grain& grain : found.set.grains) EXPECT_NEAR(grain.measures.area, M_PI * 18.4 * 18.4, 20);
}

TEST(GrainImage, OfLargeDiscsThatTouchIsFitAtTheCuts) {
    const ImageSettings wide{.width = 600, .height = 400, .subpixels = 4, .ground = 0, .grain = 255};
    const auto y = [](double row) { return 400 - row; };
    const Figure three = either(either(disc({150, y(150)}, 60), disc({268, y(150)}, 60)), disc({209, y(250)}, 58));
    const Figure five = either(three, either(disc({450, y(200)}, 80), disc({530, y(300)}, 55)));
    const ImageGrains found = findIn(five, wide);
    ASSERT_EQ(found.set.grains.size(), 5u);
    const double radius[5] = {60, 60, 80, 58, 55};
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_NEAR(found.set.grains[k].measures.area / (M_PI * radius[k] * radius[k]), 1, 0.02) << k;
        EXPECT_GT(found.set.grains[k].measures.sphericity, 0.93) << k;
    }
}

TEST(GrainImage, OfABeanIsNotSplit) { EXPECT_EQ(findIn(bean({50, 50}, 30)).set.grains.size(), 1u); }

TEST(GrainImage, WithAHoleIsFilledOrRefused) {
    const Figure ring = without(disc({50, 50}, 30), disc({53, 48}, 10));
    const ImageGrains filled = findIn(ring);
    EXPECT_NEAR(filled.set.grains.at(0).measures.area, M_PI * 900, 5);
    ASSERT_EQ(filled.notes.size(), 1u);
    EXPECT_NE(filled.notes[0].find("hole"), std::string::npos);
    EXPECT_THROW(findIn(ring, {}, {.holes = "refuse"}), InputError);
}

TEST(GrainImage, WithAGrainInsideOfARingIsFilledWithANoteOrRefused) {
    const Figure ring = either(without(disc({50, 50}, 40), disc({50, 50}, 30)), disc({50, 50}, 15));
    const ImageGrains filled = findIn(ring);
    ASSERT_EQ(filled.set.grains.size(), 1u);
    EXPECT_NEAR(filled.set.grains[0].measures.area, M_PI * 1600, 5);
    ASSERT_EQ(filled.notes.size(), 1u);
    EXPECT_NE(filled.notes[0].find("1 holes filled"), std::string::npos) << filled.notes[0];
    EXPECT_NE(filled.notes[0].find("with 1 grains"), std::string::npos) << filled.notes[0];
    EXPECT_THROW(findIn(ring, {}, {.holes = "refuse"}), InputError);
}

TEST(GrainImage, CutByTheBorderIsDroppedKeptOrRefused) {
    const Figure two = either(disc({50, 50}, 20), disc({100, 90}, 15));
    EXPECT_EQ(findIn(two).set.grains.size(), 1u);
    EXPECT_EQ(findIn(two, {}, {.border = "keep"}).set.grains.size(), 2u);
    EXPECT_THROW(findIn(two, {}, {.border = "refuse"}), InputError);
}

TEST(GrainImage, MayBeDarkOnBright) {
    const ImageSettings dark{.ground = 220, .grain = 30};
    EXPECT_NEAR(findIn(disc({50, 50}, 30), dark).set.grains.at(0).measures.area, M_PI * 900, 3);
    EXPECT_NEAR(findIn(disc({50, 50}, 30), dark, {.grains = "dark"}).set.grains.at(0).measures.area, M_PI * 900, 3);
}

TEST(GrainImage, IsScaledToMetres) {
    const Grain grain = findIn(disc({50, 50}, 30), {}, {.scale = 1e-5}).set.grains.at(0);
    EXPECT_NEAR(grain.measures.equivalentDiameter, 6e-4, 1e-6);
    EXPECT_NEAR(grain.position.x, 5e-4, 1e-6);
    EXPECT_NEAR(grain.fit->tolerance, 5e-6, 1e-15);
}

TEST(GrainImage, WithLabelsGivesOneGrainPerColour) {
    const TemporaryFolder folder;
    std::vector<std::uint16_t> colours, labels;
    for (int y = 0; y < 80; ++y) {
        for (int x = 0; x < 80; ++x) {
            // Two halves of a disc that touch all along.
            const bool inside = std::hypot(x - 39.5, y - 39.5) < 30, left = x < 40;
            const std::uint16_t label = !inside ? 0 : left ? 300 : 40000;
            labels.push_back(label);
            colours.push_back(inside && left ? 255 : 0);
            colours.push_back(inside ? 128 : 0);
            colours.push_back(0);
        }
    }
    savePng(folder / "colours.png", 80, 80, 3, 8, colours);
    savePng(folder / "labels.png", 80, 80, 1, 16, labels);
    const GrainSet byColour = grainsFromImage(folder / "colours.png").set;
    const GrainSet byLabel = grainsFromImage(folder / "labels.png", {.kind = "labels"}).set;
    ASSERT_EQ(byColour.grains.size(), 2u);
    EXPECT_EQ(byColour.grains[0].name, "#ff8000");
    ASSERT_EQ(byLabel.grains.size(), 2u);
    EXPECT_EQ(byLabel.grains[0].name, "300");
    EXPECT_EQ(byLabel.grains[1].name, "40000");
    for (const Grain& grain : byLabel.grains) {
        EXPECT_NEAR(grain.measures.area, M_PI * 450, 20);
        EXPECT_LE(grain.fit->largestError, std::hypot(0.5, 0.5));
    }
}

void expectRefused(const std::filesystem::path& file, const std::string& words, const GrainImageOptions& options = {}) {
    try {
        grainsFromImage(file, options);
        ADD_FAILURE() << "not refused: " << words;
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(GrainImage, WithNothingInItIsRefused) {
    const TemporaryFolder folder;
    savePng(folder / "black.png", 50, 50, 1, 8, std::vector<std::uint16_t>(2500, 0));
    expectRefused(folder / "black.png", "no contrast");
    expectRefused(folder / "black.png", "no grain", {.kind = "labels"});
    savePng(folder / "one.png", 1, 1, 1, 8, {255});
    expectRefused(folder / "one.png", "too few");
    std::vector<std::uint16_t> speck(2500, 0);
    speck[1234] = 255;
    savePng(folder / "speck.png", 50, 50, 1, 8, speck);
    expectRefused(folder / "speck.png", "1 specks smaller than 30 pixels");
    saveGrey(folder / "noise.png", [](const Vec2&) { return false; }, {.noise = 60});
    EXPECT_THROW(grainsFromImage(folder / "noise.png"), InputError);
    saveGrey(folder / "all.png", disc({50, 50}, 300), {.grain = 200, .noise = 1});
    EXPECT_THROW(grainsFromImage(folder / "all.png"), InputError);
}

TEST(GrainImage, WithTooManyColoursIsNoImageOfLabels) {
    const TemporaryFolder folder;
    Random random(1, 1);
    std::vector<std::uint16_t> samples;
    for (int k = 0; k < 50 * 50 * 3; ++k) samples.push_back(static_cast<std::uint16_t>(random.uniform(0, 256)));
    savePng(folder / "photo.png", 50, 50, 3, 8, samples);
    expectRefused(folder / "photo.png", "--kind grey");
}

TEST(GrainImage, RefusesOptionsThatMeanNothing) {
    const TemporaryFolder folder;
    saveGrey(folder / "a.png", disc({50, 50}, 30));
    expectRefused(folder / "a.png", "--kind", {.kind = "color"});
    expectRefused(folder / "a.png", "--scale", {.scale = 0});
    expectRefused(folder / "a.png", "--tolerance", {.tolerance = -1});
    expectRefused(folder / "a.png", "--threshold", {.threshold = 1.0});
    expectRefused(folder / "a.png", "--holes", {.holes = "ignore"});
    expectRefused(folder / "a.png", "--smooth", {.smoothing = NAN});
}

TEST(GrainImage, WhoseToleranceCannotBeMetIsRefusedWithAdvice) {
    const TemporaryFolder folder;
    saveGrey(folder / "a.png", disc({50, 50}, 30), {.noise = 15});
    expectRefused(folder / "a.png", "a larger one", {.tolerance = 0.01});
    // All that cannot be fitted are named, with the place and what was reached.
    const Figure two = either(disc({25, 50}, 15), disc({75, 50}, 12));
    saveGrey(folder / "b.png", two, {.noise = 45});
    expectRefused(folder / "b.png", "2 of 2 grains cannot be fitted");
    expectRefused(folder / "b.png", "grain-2 near column 72, row 38");
}

}  // namespace
}  // namespace talus
