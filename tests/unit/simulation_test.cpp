// The library's front door: a scene in memory, advanced step by step.
#include "talus/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "talus/error.hpp"

namespace talus {
namespace {

const char* const fallingBall = R"(
materials: {steel: {density: 7800, youngs_modulus: 10 MPa, restitution: 0.8}}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], group: floor}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 20 mm], velocity: [0.1, 0, 0], group: ball}
run: {time: 0.2 s}
)";

Scene sceneOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parseScene(text, "test.yaml", ".", overrides);
}

TEST(Simulation, LetsABallFall) {
    Simulation sim(sceneOf(fallingBall));
    const double dt = sim.stepLength();
    EXPECT_GT(dt, 0);
    EXPECT_NE(sim.stepReason().find("Rayleigh"), std::string::npos);
    while (sim.time() < 0.03) sim.advance(10);
    const double t = sim.time();
    EXPECT_NEAR(t, static_cast<double>(sim.stepCount()) * dt, 1e-15);
    const std::vector<BodyState> bodies = sim.bodies();
    ASSERT_EQ(bodies.size(), 2u);
    const BodyState& ball = bodies[0].group == "ball" ? bodies[0] : bodies[1];
    const BodyState& floor = bodies[0].group == "ball" ? bodies[1] : bodies[0];
    EXPECT_EQ(floor.group, "floor");
    EXPECT_EQ(floor.mass, 0);
    EXPECT_NEAR(ball.mass, 7800 * 4.0 / 3 * M_PI * std::pow(5e-3, 3), 1e-12);
    EXPECT_NEAR(ball.position.z, 0.02 - 0.5 * 9.81 * t * t, 1e-12);
    EXPECT_NEAR(ball.velocity.z, -9.81 * t, 1e-12);
    EXPECT_NEAR(ball.position.x, 0.1 * t, 1e-15);
    EXPECT_TRUE(sim.contacts().empty());
}

TEST(Simulation, ShowsTheContactThatCarriesTheBall) {
    Simulation sim(sceneOf(fallingBall, {"bodies[1].velocity=[0, 0, 0]"}));
    while (sim.contacts().empty()) sim.advance();
    sim.advance(20);
    const std::vector<ContactState> contacts = sim.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_GT(contacts[0].overlap, 0);
    EXPECT_NEAR(contacts[0].normal.z, 1, 1e-12);
    // The force of a body belongs to the velocity predicted for the end of the step, that of a contact to the final
    // one: the dashpots differ a little.
    for (const BodyState& body : sim.bodies()) {
        const double sign = body.group == "ball" ? 1 : -1;
        EXPECT_NEAR(body.force.z, sign * contacts[0].force.z, 0.01 * contacts[0].force.z) << body.group;
    }
}

TEST(Simulation, MeasuresWhatItsSolverDid) {
    Simulation sim(sceneOf(fallingBall, {"bodies[1].position=[0, 0, 5 mm]", "bodies[1].velocity=[0, 0, 0]",
                                         "method=contact-dynamics", "run.step=1 ms"}));
    sim.advance();
    EXPECT_EQ(sim.measured("solver_contacts"), 1);
    EXPECT_GE(sim.measured("solver_iterations"), 1);
    EXPECT_EQ(sim.measured("unconverged_steps"), 0);
    EXPECT_THROW(Simulation(sceneOf(fallingBall)).measured("solver_iterations"), InputError) << "there is no solver";
}

TEST(Simulation, AccountsForItsEnergy) {
    Simulation sim(sceneOf(fallingBall, {"run.step_fraction=0.02"}));
    const EnergyState start = sim.energy();
    sim.advance(static_cast<std::uint64_t>(0.15 / sim.stepLength()));
    const EnergyState end = sim.energy();
    EXPECT_GT(end.dissipated, 0);
    const double before = start.kinetic + start.potential + start.elastic;
    const double after = end.kinetic + end.potential + end.elastic + end.dissipated - end.wallWork;
    EXPECT_NEAR(after, before, 1e-3 * before);
}

TEST(Simulation, IsTheSameInOnePieceOrInSteps) {
    Simulation whole(sceneOf(fallingBall)), parts(sceneOf(fallingBall));
    whole.advance(500);
    for (int k = 0; k < 50; ++k) parts.advance(10);
    EXPECT_EQ(whole.stateHash(), parts.stateHash());
    parts.advance();
    EXPECT_NE(whole.stateHash(), parts.stateHash());
}

TEST(Simulation, ThrowsWhenAGrainIsLost) {
    Simulation sim(sceneOf(fallingBall, {"domain={low: [-1, -1, -1], high: [5 mm, 1, 1]}"}));
    try {
        sim.advance(100000);
        FAIL() << "nothing was thrown";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("left the domain"), std::string::npos) << error.what();
    }
    EXPECT_LT(sim.time(), 0.15);
}

TEST(Simulation, DescribesASceneWithoutRunningIt) {
    const std::string text = describeScene(sceneOf(fallingBall));
    EXPECT_NE(text.find("1 grains, 1 walls"), std::string::npos) << text;
    EXPECT_NE(text.find("steps to 0.2 s"), std::string::npos) << text;
}

}  // namespace
}  // namespace talus
