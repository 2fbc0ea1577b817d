#include "measure/flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "measure/flow_fit.hpp"
#include "talus/error.hpp"
#include "unit/touching_world.hpp"

namespace talus {
namespace {

using test::addFloor;
using test::addSphere;
using test::makeWorld;

const FlowPlane atZero{"orifice", {0, 0, 0}, {0, 0, -2}};  // counts downward

double massOf(const WorldState& world, std::size_t i) { return 1 / world.bodies.inverseMass[i]; }

TEST(FlowMeter, CountsWhatGoesThroughAndTakesBackWhatReturns) {
    WorldState world = makeWorld();
    addSphere(world, {0, 0, 1}, 0.1);
    addSphere(world, {0, 0, 2}, 0.2);
    FlowMeter meter(atZero, world.domain);
    meter.update(world);
    EXPECT_EQ(meter.grains(), 0);
    world.bodies.position[0].z = -0.5;
    world.bodies.position[1].z = -0.1;
    meter.update(world);
    EXPECT_EQ(meter.grains(), 2);
    EXPECT_DOUBLE_EQ(meter.mass(), massOf(world, 0) + massOf(world, 1));
    world.bodies.position[1].z = 0.1;
    meter.update(world);
    meter.update(world);
    EXPECT_EQ(meter.grains(), 1);
    EXPECT_NEAR(meter.mass(), massOf(world, 0), 1e-12);
}

TEST(FlowMeter, CountsAGrainThatStopsOnThePlaneOnce) {
    for (const double direction : {1.0, -1.0}) {
        WorldState world = makeWorld();
        addSphere(world, {0, 0, 1}, 0.1);
        FlowMeter meter({"", {0, 0, 0}, {0, 0, direction}}, world.domain);
        for (const double z : {1.0, 0.0, -1.0, 0.0, 1.0, 0.0, -1.0}) {
            world.bodies.position[0].z = z;
            meter.update(world);
        }
        EXPECT_EQ(meter.grains(), -direction);
    }
}

TEST(FlowMeter, FollowsGrainsThroughSortingInsertionAndRemoval) {
    WorldState world = makeWorld();
    for (int k = 0; k < 4; ++k) addSphere(world, {k * 1.0, 0, 1}, 0.1);
    FlowMeter meter(atZero, world.domain);
    meter.update(world);
    // Exchange the places of two grains in the arrays: nobody moved.
    visitArrays([](auto& array) { std::swap(array[0], array[3]); }, world.bodies);
    meter.update(world);
    EXPECT_EQ(meter.grains(), 0);
    // One is removed in front, one comes in behind the plane: neither crossed.
    removeGrains(world, {1, 0, 0, 0});
    addSphere(world, {0, 0, -5}, 0.1);
    meter.update(world);
    EXPECT_EQ(meter.grains(), 0);
    // The new one goes up, an old one goes down.
    world.bodies.position[indexOf(world.bodies, 4)].z = 1;
    world.bodies.position[indexOf(world.bodies, 0)].z = -1;
    world.bodies.position[indexOf(world.bodies, 1)].z = -1;
    meter.update(world);
    EXPECT_EQ(meter.grains(), 2 - 1);
}

TEST(FlowMeter, LeavesOutWallsAndPrescribedBodies) {
    WorldState world = makeWorld();
    addSphere(world, {0, 0, 1}, 0.1, true);
    addFloor(world, 1);
    FlowMeter meter(atZero, world.domain);
    meter.update(world);
    world.bodies.position = {{0, 0, -1}, {0, 0, -1}};
    meter.update(world);
    EXPECT_EQ(meter.grains(), 0);
}

// A grain that walks around a periodic axis of length 10, counted at a plane.
std::vector<std::int64_t> walk(double planeAt, double direction, const std::vector<double>& path) {
    WorldState world = makeWorld();
    world.domain = {.low = {0, 0, 0}, .high = {10, 1, 1}, .periodic = {true, false, false}};
    addSphere(world, {path[0], 0, 0}, 0.1);
    FlowMeter meter({"", {planeAt, 0, 0}, {direction, 0, 0}}, world.domain);
    std::vector<std::int64_t> counts;
    for (const double x : path) {
        world.bodies.position[0].x = x;
        meter.update(world);
        counts.push_back(meter.grains());
    }
    return counts;
}

TEST(FlowMeter, DoesNotCountTheWrapAroundAPeriodicBorder) {
    using Counts = std::vector<std::int64_t>;
    EXPECT_EQ(walk(5, 1, {4, 6, 8, 9.9, 0.1, 4, 6}), (Counts{0, 1, 1, 1, 1, 1, 2}));
    EXPECT_EQ(walk(5, 1, {1, 0.1, 9.9, 6, 4}), (Counts{0, 0, 0, 0, -1}));
    EXPECT_EQ(walk(5, -1, {6, 4, 0.5, 9.5, 6, 4}), (Counts{0, 1, 1, 1, 1, 2}));
}

TEST(FlowMeter, CountsAtAPlaneOnThePeriodicBorderItself) {
    using Counts = std::vector<std::int64_t>;
    EXPECT_EQ(walk(0, 1, {8, 9.9, 0.1, 3, 6, 9.9, 0.0}), (Counts{0, 0, 1, 1, 1, 1, 2}));
    EXPECT_EQ(walk(10, 1, {9.9, 0.1, 9.9}), (Counts{0, 1, 0}));
}

TEST(FlowMeter, CountsARoundTripOncePerTurnWhateverTheSteps) {
    Random random(2, 1);
    for (const double planeAt : {0.0, 0.3, 5.0, 9.999, 10.0}) {
        double travelled = 1;
        std::vector<double> path{travelled};
        for (int k = 0; k < 2000; ++k) {
            travelled += random.uniform(-1, 2.5);
            path.push_back(travelled - 10 * std::floor(travelled / 10));
        }
        const auto passes = std::floor((travelled - planeAt) / 10) - std::floor((1 - planeAt) / 10);
        EXPECT_EQ(walk(planeAt, 1, path).back(), static_cast<std::int64_t>(passes)) << planeAt;
    }
}

TEST(FlowMeter, RefusesPlanesThatMakeNoSense) {
    Domain domain{.low = {0, 0, 0}, .high = {1, 1, 1}, .periodic = {true, false, false}};
    EXPECT_THROW(FlowMeter({"p", {}, {0, 0, 0}}, domain), InputError);
    EXPECT_THROW(FlowMeter({"p", {}, {1, 0, 1}}, domain), InputError);
    EXPECT_NO_THROW(FlowMeter({"p", {}, {0, 1, 1}}, domain));
}

TEST(FlowMeter, GoesOnWithTheSameBitsFromItsState) {
    const auto run = [](bool interrupt, int threads) {
        setThreadCount(threads);
        Random random(4, 1);
        WorldState world = makeWorld();
        for (int k = 0; k < 9000; ++k) {
            addSphere(world, random.inBox({0, 0, -1}, {1, 1, 1}), random.uniform(0.01, 0.02));
        }
        FlowMeter meter(atZero, world.domain);
        for (int step = 0; step < 6; ++step) {
            for (Vec3& p : world.bodies.position) p.z += random.uniform(-0.3, 0.2);
            meter.update(world);
            if (interrupt && step == 3) meter = FlowMeter(atZero, world.domain, meter.state());
        }
        setThreadCount(1);
        return meter.state();
    };
    const FlowMeterState whole = run(false, 1);
    EXPECT_GT(whole.grains, 100);
    EXPECT_EQ(whole.id.size(), 9000u);
    EXPECT_TRUE(run(true, 1) == whole);
    EXPECT_TRUE(run(false, 3) == whole);
}

struct Samples {
    std::vector<double> time, mass;
};

// Mass flows at the rate given by `rate(t)` between 1 s and 11 s.
template <class Rate>
Samples flowing(Rate&& rate) {
    Samples s;
    double mass = 0;
    for (int k = 0; k <= 1500; ++k) {
        const double t = 0.01 * k;
        s.time.push_back(t);
        s.mass.push_back(mass);
        if (k >= 100 && k < 1100) mass += 0.01 * rate(t);
    }
    return s;
}

TEST(FlowFit, OfASteadyFlowIsItsRateWithoutDeviation) {
    const Samples s = flowing([](double) { return 2.69e-3; });
    const FlowWindow window = findFlowWindow(s.time, s.mass);
    EXPECT_NEAR(window.start, 1 + 0.3 * 10, 1e-9);
    EXPECT_NEAR(window.stop, 1 + 0.9 * 10, 1e-9);
    const FlowFit fit = fitFlowRate(s.time, s.mass, window);
    EXPECT_EQ(fit.partRates.size(), 10u);
    EXPECT_NEAR(fit.rate, 2.69e-3, 1e-12);
    EXPECT_NEAR(fit.deviation, 0, 1e-12);
}

TEST(FlowFit, OfARateThatFallsLinearlyHasTheDeviationOfTenEquallySpacedRates) {
    // rate = 3 - 0.1 t: the ten parts, 0.6 s long, have rates 0.06 apart; SD of 1..10 is sqrt(55/6).
    const Samples s = flowing([](double t) { return 3 - 0.1 * (t + 0.005); });
    const FlowFit fit = fitFlowRate(s.time, s.mass, {4, 10, 10});
    EXPECT_NEAR(fit.rate, 3 - 0.1 * 7, 1e-6);
    EXPECT_NEAR(fit.deviation, 0.06 * std::sqrt(55.0 / 6), 1e-5);
    EXPECT_NEAR(fit.relativeDeviation, fit.deviation / fit.rate, 1e-15);
    EXPECT_NEAR(fit.partRates.front() - fit.partRates.back(), 9 * 0.06, 1e-5);
}

// 0.9 of the mass passes at 2 g/s from 1 s to 10 s, the rest at 0.1 g/s until 30 s.
Samples flowingWithATail() {
    Samples s;
    for (int k = 0; k <= 3500; ++k) {
        const double t = 0.01 * k;
        s.time.push_back(t);
        s.mass.push_back(2e-3 * std::clamp(t - 1, 0.0, 9.0) + 1e-4 * std::clamp(t - 10, 0.0, 20.0));
    }
    return s;
}

TEST(FlowFit, OfASteadyFlowWithALongTailIsTheSteadyRate) {
    const Samples s = flowingWithATail();
    const FlowFit naive = fitFlowRate(s.time, s.mass, findFlowWindow(s.time, s.mass));
    EXPECT_LT(naive.rate, 0.4 * 2e-3);
    const FlowWindow window = chooseFlowWindow(s.time, s.mass);
    EXPECT_GE(window.start, 1);
    EXPECT_LE(window.stop, 10);
    const FlowFit fit = fitFlowRate(s.time, s.mass, window);
    EXPECT_NEAR(fit.rate, 2e-3, 1e-12);
    EXPECT_NEAR(fit.deviation, 0, 1e-12);
}

// As a bin with a flat bottom empties: 0.6 of the mass at 2 g/s from 1 s to 7 s, then ever slower, by 1/e in 3 s.
TEST(FlowFit, OfAFlowThatDwindlesIsTheRateBeforeItDoes) {
    Samples s;
    for (int k = 0; k <= 3000; ++k) {
        const double t = 0.01 * k, late = std::max(0.0, t - 7);
        s.time.push_back(t);
        s.mass.push_back(2e-3 * (std::clamp(t - 1, 0.0, 6.0) + 3 * (1 - std::exp(-late / 3))));
    }
    const FlowFit fit = fitFlowRate(s.time, s.mass, chooseFlowWindow(s.time, s.mass));
    EXPECT_NEAR(fit.rate, 2e-3, 0.02 * 2e-3);
}

TEST(FlowFit, KeepsTheWindowOfTheWholeFlowWhereItIsSteady) {
    Random random(7, 1);
    const Samples s = flowing([&](double) { return random.uniform(1e-3, 3e-3); });
    const FlowWindow whole = findFlowWindow(s.time, s.mass), chosen = chooseFlowWindow(s.time, s.mass);
    EXPECT_EQ(whole.start, chosen.start);
    EXPECT_EQ(whole.stop, chosen.stop);
}

TEST(FlowFit, RefusesTimesThatDoNotIncrease) {
    const std::vector<double> times{0, 2, 1, 3}, masses{0, 1, 2, 3};
    EXPECT_THROW(fitFlowRate(times, masses, {0, 3, 1}), InputError);
}

TEST(FlowFit, SaysWhatIsMissing) {
    const std::vector<double> time{0, 1, 2, 3}, mass{0, 1, 2, 3}, nothing{0, 0, 0, 0};
    EXPECT_THROW(findFlowWindow(time, nothing), InputError);
    EXPECT_THROW(findFlowWindow({}, {}), InputError);
    EXPECT_THROW(fitFlowRate(time, mass, {0, 3, 10}), InputError);
    EXPECT_THROW(fitFlowRate(time, mass, {3, 0, 1}), InputError);
    EXPECT_NEAR(fitFlowRate(time, mass, {0, 3, 1}).rate, 1, 1e-15);
}

}  // namespace
}  // namespace talus
