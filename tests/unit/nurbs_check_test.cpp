// What is wrong with a curve that can be no outline is said, with the field and the place.
#include <gtest/gtest.h>

#include <functional>

#include "geometry/nurbs/outline.hpp"
#include "talus/error.hpp"
#include "unit/curve_samples.hpp"

namespace talus {
namespace {

using namespace test;

void expectRefused(const NurbsDefinition& definition, const std::vector<std::string>& words) {
    try {
        makeOutline(definition, {}, "grain");
        ADD_FAILURE() << "not refused; expected " << words[0];
    } catch (const InputError& error) {
        for (const std::string& word : words) {
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what() << "\nlacks " << word;
        }
    }
}

NurbsDefinition changed(NurbsDefinition d, const std::function<void(NurbsDefinition&)>& change) {
    change(d);
    return d;
}

TEST(NurbsDefinition, HasTenThousandPointsAtMostBesidesThoseThatCloseIt) {
    const auto ofDegree = [](int degree, std::size_t count) {
        NurbsDefinition d{.degree = degree};
        for (std::size_t k = 0; k < count; ++k) {
            const double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(count);
            d.points.push_back({std::cos(angle), std::sin(angle)});
        }
        return closedUniform(std::move(d));
    };
    EXPECT_NO_THROW(NurbsCurve(ofDegree(1, 10'000)));
    EXPECT_NO_THROW(NurbsCurve(ofDegree(3, 10'000)));
    EXPECT_THROW(NurbsCurve(ofDegree(3, 10'001)), InputError);
}

TEST(NurbsDefinition, IsRefusedWithTheFieldThatIsWrong) {
    const NurbsDefinition good = circle(1);
    expectRefused(changed(good, [](auto& d) { d.degree = 6; }), {"grain.degree", "1 to 5", "6"});
    expectRefused(changed(good, [](auto& d) { d.degree = 0; }), {"grain.degree"});
    expectRefused(changed(good, [](auto& d) { d.points.resize(2); }), {"grain.points", "at least 3", "got 2"});
    expectRefused(changed(good, [](auto& d) { d.points[3].y = NAN; }), {"grain.points[3]", "finite"});
    expectRefused(changed(good, [](auto& d) { d.weights[2] = 0; }), {"grain.weights[2]", "> 0", "got 0"});
    expectRefused(changed(good, [](auto& d) { d.weights[2] = -1; }), {"grain.weights[2]"});
    expectRefused(changed(good, [](auto& d) { d.weights[2] = 1e9; }), {"grain.weights", "largest"});
    expectRefused(changed(good, [](auto& d) { d.weights.pop_back(); }), {"grain.weights", "one per point"});
    expectRefused(changed(good, [](auto& d) { d.knots.pop_back(); }), {"grain.knots", "need 12", "got 11"});
    expectRefused(changed(good, [](auto& d) { d.knots[5] = 0.5; }), {"grain.knots[5]", "less than the knot before"});
    expectRefused(changed(good, [](auto& d) { d.knots[5] = 1; }), {"grain.knots[3]", "repeated 3 times", "at most 2"});
    expectRefused(changed(good, [](auto& d) { d.knots.assign(12, 1.0); }), {"grain.knots", "larger"});
    expectRefused(changed(good, [](auto& d) { d.points.back() = {1, 0.1}; }), {"grain.points", "not closed"});
    expectRefused(changed(good, [](auto& d) { d.points.assign(9, Vec2{1, 1}); }), {"grain.points", "same place"});
}

TEST(Outline, ThatRunsWithTheClockIsRefused) {
    expectRefused(changed(circle(1),
                          [](auto& d) {
                              for (Vec2& p : d.points) p.x = -p.x;
                          }),
                  {"with the clock"});
}

TEST(Outline, ThatCrossesItselfIsRefusedWithBothParameters) {
    // A bow tie: the sides from 0 to 1 and from 2 to 3 cross in their middles.
    expectRefused(polygon({{0, 0}, {2, 2}, {2, 0}, {0, 2}}), {"crosses", "parameters 0.5 and 2.5", "near (0.99999"});
    // A limacon with its inner loop.
    std::vector<Vec2> loop;
    for (int k = 0; k < 24; ++k) {
        const double angle = 2 * pi * k / 24, radius = 0.4 + std::cos(angle);
        loop.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    expectRefused(roundTrip(3, loop), {"crosses", "parameters"});
}

TEST(Outline, ThatTouchesItselfIsRefused) {
    expectRefused(polygon({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}), {"crosses, touches"});
    EXPECT_NO_THROW(makeOutline(polygon({{0, 0}, {2, 0}, {2, 2}, {1, 1e-4}, {0, 2}})));
}

TEST(Outline, ThatFoldsBackIsRefused) {
    expectRefused(polygon({{0, 0}, {2, 0}, {2, 1}, {3, 1}, {2, 1}, {0, 1}}), {"folds back"});
    expectRefused(polygon({{0, 0}, {1, 0}}), {"folds back"});
}

TEST(Outline, WithASharpTipIsAccepted) { EXPECT_NO_THROW(makeOutline(polygon({{0, 0}, {10, -0.01}, {10, 0.01}}))); }

TEST(Outline, OfManyKindsIsAccepted) {
    for (const auto& [name, definition] : manyCurves()) EXPECT_NO_THROW(makeOutline(definition)) << name;
}

TEST(Outline, ThatGoesRoundTwiceIsRefused) {
    NurbsDefinition twice = polygon({{0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}});
    expectRefused(twice, {"crosses"});
}

TEST(Outline, RefusesAToleranceThatNeedsTooManyKnots) {
    EXPECT_THROW(makeOutline(circle(1), {.gapTolerance = 1e-12}), InputError);
    EXPECT_THROW(makeOutline(circle(1), {.gapTolerance = -1}), InputError);
}

}  // namespace
}  // namespace talus
