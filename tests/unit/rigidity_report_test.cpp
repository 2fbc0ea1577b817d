#include "run/rigidity_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using analytic::Trial;

constexpr double radius = 5e-3;  // m
constexpr int grains = 20;

// A chain that has come to rest under its weight.
Trial settledChain(const ContactDynamicsSettings& settings) {
    WorldState world = analytic::makeWorld({.contact = {.friction = 0, .restitution = 0}});
    world.gravity = {0, 0, -9.81};
    for (int k = 0; k < grains; ++k) addBody(world, {.radius = radius, .position = {0, 0, radius * (2 * k + 1)}});
    analytic::addFloor(world);
    Trial trial(std::move(world), 1e-3, settings);
    trial.advance(0.5);
    return trial;
}

std::optional<RigidityReport> check(const Trial& trial, const std::vector<ContactSample>& samples,
                                    const SolveStatistics& statistics) {
    LoadWatch watch;
    watchLoads(trial.world, samples, trial.settings, statistics, watch);
    return checkRigidity(trial.world, watch, trial.settings, statistics);
}

RigidityReport reportOn(const Trial& trial, const SolveStatistics& statistics = {.steps = 500}) {
    return *check(trial, sampleContacts(trial.world), statistics);
}

const ContactDynamicsSettings soft{.fixedIterations = 4, .stabilisation = Stabilisation::quasiInelastic};

TEST(RigidityReport, HasTheSpringsOfAChain) {
    const RigidityReport report = reportOn(settledChain(soft));
    const double mass = analytic::massOf(radius), steps = 1e-3 * 1e-3;
    // The contact with the floor is twice as stiff.
    EXPECT_NEAR(report.rigidity.stiffness / (mass * 4 / steps), 1, 0.1);
    EXPECT_NEAR(report.rigidity.soundSpeed, 2 * radius * std::sqrt(report.rigidity.stiffness / mass),
                0.01 * report.rigidity.soundSpeed);
    EXPECT_NEAR(report.rigidity.diffusionLength, 1e-3 * report.rigidity.soundSpeed, 1e-12);
    EXPECT_NEAR(report.rigidity.networkSize, 2 * radius * grains, 0.01 * radius * grains);
}

TEST(RigidityReport, SaysBySummaryAndSentenceThatAChainIsSoft) {
    const RigidityReport report = reportOn(settledChain(soft));
    const nlohmann::json json = asResults(report);
    for (const char* name : {"effective_stiffness", "sound_speed", "diffusion_length", "network_size", "shrinkage",
                             "relative_shrinkage", "sweeps_needed", "overlap_shrinkage"}) {
        EXPECT_GT(json.at(name).get<double>(), 0) << name;
    }
    EXPECT_TRUE(json.at("soft").get<bool>());
    EXPECT_NEAR(json.at("expected_shrinkage").get<double>() / json.at("shrinkage").get<double>(), 1, 0.05);
    EXPECT_NE(describe(report).find("this packing is soft: with 4 iterations per step of 1 ms"), std::string::npos);
    EXPECT_NE(json.at("advice").get<std::string>().find("solver: interior-point"), std::string::npos);
}

TEST(RigidityReport, AdvisesAsManyIterationsAsMakeItRigid) {
    ContactDynamicsSettings more = soft;
    more.fixedIterations = static_cast<std::uint64_t>(reportOn(settledChain(soft)).rigidity.iterationsNeeded);
    EXPECT_GT(more.fixedIterations, soft.fixedIterations);
    EXPECT_FALSE(reportOn(settledChain(more)).rigidity.soft);
}

TEST(RigidityReport, LooksAtTheStepsThatDidNotConverge) {
    const Trial trial = settledChain(soft);
    Trial adaptive = settledChain(soft);
    adaptive.settings.contactDynamics.fixedIterations = 0;
    SolveStatistics statistics{.steps = 500, .unconverged = 100};
    statistics.unconvergedIterations = 400;
    EXPECT_DOUBLE_EQ(reportOn(adaptive, statistics).rigidity.shrinkage, reportOn(trial).rigidity.shrinkage);
}

TEST(RigidityReport, CallsSecondOrderSolversRigid) {
    ContactDynamicsSettings exact = soft;
    exact.fixedIterations = 0;
    exact.solver = SolverKind::interiorPoint;
    const RigidityReport report = reportOn(settledChain(exact));
    EXPECT_EQ(report.rigidity.softness, Softness::none);
    EXPECT_EQ(describe(report), "");
}

// With overlaps pushed apart a chain of 20 swings with fewer than 32 sweeps; at times it is in the air.
TEST(RigidityReport, SeesThatAChainSwingsWheneverItIsAsked) {
    for (const std::uint64_t sweeps : {2u, 4u, 8u}) {
        Trial trial = settledChain({.fixedIterations = sweeps});
        LoadWatch watch;
        for (int k = 0; k < 400; ++k) {
            trial.step();
            watchLoads(trial.world, sampleContacts(trial.world), trial.settings, {.steps = 500}, watch);
            if (k < 200) continue;
            const auto report = checkRigidity(trial.world, watch, trial.settings, {.steps = 500});
            ASSERT_TRUE(report.has_value());
            ASSERT_EQ(report->rigidity.softness, Softness::breathing) << sweeps << ' ' << k;
            ASSERT_TRUE(report->rigidity.soft) << sweeps << ' ' << k;
        }
    }
}

TEST(RigidityReport, ForgetsTheFirstHalfOfARun) {
    LoadedNetwork heavy, light;
    heavy.contacts = light.contacts = 1;
    heavy.weight = 10, heavy.bearing = heavy.overlapWork = light.bearing = light.weight = 1;
    LoadWatch watch;
    for (std::uint64_t step = 1; step <= 100; ++step) watch.add(step, heavy);
    EXPECT_EQ(watch.all().network.weight, 10);
    EXPECT_EQ(watch.all().largestStrain, 1);
    for (std::uint64_t step = 101; step <= 257; ++step) watch.add(step, light);
    EXPECT_EQ(watch.all().network.weight, 1);
    EXPECT_EQ(watch.all().largestStrain, 0);
}

// Each step reaches the tolerance, and the chain sinks all the same.
TEST(RigidityReport, SeesOverlapsThatALooseToleranceLetGrow) {
    ContactDynamicsSettings loose = soft;
    loose.fixedIterations = 0;
    loose.tolerance = 0.02;
    const RigidityReport report = reportOn(settledChain(loose));
    EXPECT_EQ(report.rigidity.softness, Softness::loose);
    EXPECT_TRUE(report.rigidity.soft);
    EXPECT_NE(describe(report).find("tolerance below 0.02"), std::string::npos);
}

// A thousand sweeps hold a chain of twenty: overlaps of a hundredth of a radius were not left by them.
TEST(RigidityReport, DoesNotAdviseFewerIterationsThanThereWere) {
    ContactDynamicsSettings many;
    many.fixedIterations = 1000;
    Trial trial = settledChain(many);
    for (std::size_t i = 0; i < trial.world.bodies.grainCount; ++i) trial.world.bodies.position[i].z *= 0.99;
    const RigidityReport report = reportOn(trial);
    ASSERT_TRUE(report.rigidity.soft);
    EXPECT_LE(report.rigidity.iterationsNeeded, 1000);
    const std::string words = describe(report);
    EXPECT_EQ(words.find("iterations per step, or"), std::string::npos) << words;
    EXPECT_NE(words.find("more than 1000 iterations per step of 1 ms would leave"), std::string::npos) << words;
    EXPECT_FALSE(asResults(report).contains("sweeps_needed"));
}

TEST(RigidityReport, KnowsThatCompatibleForcesComeWithAnExactMotion) {
    ContactDynamicsSettings exact = soft;
    exact.forces = ForceRule::compatible;
    EXPECT_EQ(reportOn(settledChain(exact)).rigidity.softness, Softness::none);
}

TEST(RigidityReport, IsNotAboutElasticContactsNorAboutNothing) {
    Trial trial = settledChain(soft);
    EXPECT_FALSE(check(trial, {}, {}).has_value());
    convertMemory(trial.world, ElasticMemory{});
    EXPECT_FALSE(check(trial, sampleContacts(trial.world), {}).has_value());
}

}  // namespace
}  // namespace talus
