#include "simulation/rigidity_report.hpp"

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
    World world = analytic::makeWorld({.contact = {.friction = 0, .restitution = 0}});
    world.gravity = {0, 0, -9.81};
    for (int k = 0; k < grains; ++k) addBody(world, {.radius = radius, .position = {0, 0, radius * (2 * k + 1)}});
    analytic::addFloor(world);
    Trial trial(std::move(world), 1e-3, settings);
    trial.advance(0.5);
    return trial;
}

RigidityReport reportOn(const Trial& trial, const SolveStatistics& statistics = {.steps = 500}) {
    return *checkRigidity(trial.world, sampleContacts(trial.world), trial.settings, statistics);
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
    EXPECT_NEAR(json.at("overlap_shrinkage").get<double>() / json.at("shrinkage").get<double>(), 1, 0.05);
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
    EXPECT_EQ(reportOn(adaptive).rigidity.softness, Softness::none);
    SolveStatistics statistics{.steps = 500, .unconverged = 100};
    statistics.unconvergedIterations = 400;
    EXPECT_DOUBLE_EQ(reportOn(adaptive, statistics).rigidity.shrinkage, reportOn(trial).rigidity.shrinkage);
}

TEST(RigidityReport, CallsSecondOrderSolversRigid) {
    Trial trial = settledChain(soft);
    trial.settings.contactDynamics.solver = SolverKind::interiorPoint;
    EXPECT_EQ(reportOn(trial).rigidity.softness, Softness::none);
    EXPECT_EQ(describe(reportOn(trial)), "");
}

TEST(RigidityReport, IsNotAboutElasticContactsNorAboutNothing) {
    Trial trial = settledChain(soft);
    EXPECT_FALSE(checkRigidity(trial.world, {}, trial.settings, {}).has_value());
    trial.world.contacts.elastic = true;
    EXPECT_FALSE(checkRigidity(trial.world, sampleContacts(trial.world), trial.settings, {}).has_value());
}

}  // namespace
}  // namespace talus
