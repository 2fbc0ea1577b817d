// Closed forms of contact at the step that `step: auto` chooses, within half a percent, by the penalty method and by
// contact dynamics: what a user gets who leaves the step to the program. Speeds are compared, which is what contacts
// decide; places follow from them with the order of the method in the step (docs/time-stepping.md).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "analytic/analytic_world.hpp"
#include "talus/scene.hpp"
#include "talus/simulation.hpp"

namespace talus {
namespace {

constexpr double allowed = 0.005;                   // -
constexpr double g = 9.81, radius = 0.01;           // m/s^2, m
const double mass = analytic::massOf(radius);       // kg
constexpr double modulus = 1e7 / (2 * (1 - 0.09));  // Pa, of two like bodies of 10 MPa and 0.3

constexpr const char* floorBody = "  - {shape: plane, group: floor}\n";

class AutomaticStep : public testing::TestWithParam<const char*> {
protected:
    bool isRigid() const { return std::string(GetParam()) == "contact-dynamics"; }

    std::string stiffness = "youngs_modulus: 10 MPa, ";

    // Moves the scene by this method to its end.
    Simulation run(const std::string& glass, const std::string& bodies, double time,
                   const std::string& more = "") const {
        Simulation sim(parseScene(std::string("method: ") + GetParam() + "\n" + more +
                                      "materials: {glass: {density: 2500, poisson_ratio: 0.3, " + stiffness + glass +
                                      "}}\nbodies:\n" + bodies + "run: {time: " + std::to_string(time) + "}\n",
                                  "closed_form.yaml", ""));
        EXPECT_NE(sim.stepReason().find("(auto)"), std::string::npos);
        while (!sim.finished()) sim.advance();
        return sim;
    }
};

std::string list(const Vec3& v) {
    return "[" + std::to_string(v.x) + ", " + std::to_string(v.y) + ", " + std::to_string(v.z) + "]";
}

std::string ball(const Vec3& at, const Vec3& velocity, const Vec3& spin = {}, double size = radius) {
    return "  - {shape: sphere, group: ball, radius: " + std::to_string(size) + ", position: " + list(at) +
           ", velocity: " + list(velocity) + ", spin: " + list(spin) + "}\n";
}

std::string gravityAt(double slope) {
    return "gravity: " + list({g * std::sin(slope), 0, -g * std::cos(slope)}) + "\n";
}

const std::string noGravity = "gravity: [0, 0, 0]\n";

BodyState ballOf(const Simulation& sim, std::size_t which = 0) {
    for (const BodyState& body : sim.bodies()) {
        if (body.group == "ball" && which-- == 0) return body;
    }
    throw std::logic_error("no such ball");
}

void expectShare(double found, double closedForm, const std::string& what = "") {
    EXPECT_NEAR(found / closedForm, 1, allowed) << what;
}

TEST_P(AutomaticStep, GivesTheRestitutionOfAnImpactOnAFloor) {
    for (const double e : {0.2, 0.5, 0.8, 1.0}) {
        const Simulation sim =
            run("restitution: " + std::to_string(e), floorBody + ball({0, 0, 0.011}, {0, 0, -0.5}), 0.03, noGravity);
        expectShare(ballOf(sim).velocity.z, 0.5 * e, "e = " + std::to_string(e));
    }
}

TEST_P(AutomaticStep, GivesTheSpeedsOfTwoUnequalBallsAfterTheirImpact) {
    const double e = 0.7, small = analytic::massOf(0.005), all = mass + small;
    const Simulation sim =
        run("restitution: 0.7, friction: 0", ball({0, 0, 0}, {0.5, 0, 0}) + ball({0.0155, 0, 0}, {0, 0, 0}, {}, 0.005),
            0.03, noGravity);
    expectShare(ballOf(sim, 0).velocity.x, 0.5 * (mass - e * small) / all);
    expectShare(ballOf(sim, 1).velocity.x, 0.5 * (1 + e) * mass / all);
}

// Friction turns a ball at the lever that the overlap leaves of its radius: stiff balls have all of it.
TEST_P(AutomaticStep, GivesTheSlipAndSpinOfAnImpactThatSlidesThroughout) {
    stiffness = "youngs_modulus: 1 GPa, ";
    const double e = 0.8, mu = 0.1, in = 0.5;
    const Simulation sim =
        run("restitution: 0.8, friction: 0.1", floorBody + ball({0, 0, 0.011}, {4, 0, -in}), 0.03, noGravity);
    const BodyState after = ballOf(sim);
    const double lost = mu * (1 + e) * in;
    expectShare(after.velocity.z, e * in, "normal");
    expectShare(4 - after.velocity.x, lost, "slip");
    expectShare(after.spin.y, 2.5 * lost / radius, "spin");
}

// A rigid ball that sticks leaves with the speed of rolling; one of elastic material springs back across, too.
TEST_P(AutomaticStep, GivesTheSpeedOfRollingAfterARigidImpactThatSticks) {
    if (!isRigid()) GTEST_SKIP() << "a law of rigid contacts";
    const Simulation sim =
        run("restitution: 0.5, friction: 0.8", floorBody + ball({0, 0, 0.011}, {0.5, 0, -0.5}), 0.03, noGravity);
    const BodyState after = ballOf(sim);
    expectShare(after.velocity.x, 5.0 / 7 * 0.5);
    expectShare(after.spin.y, 5.0 / 7 * 0.5 / radius);
    expectShare(after.velocity.z, 0.25);
}

TEST_P(AutomaticStep, GivesTheRollingSpeedOfABallThatWasSetSliding) {
    const Simulation sim = run("friction: 0.3", floorBody + ball({0, 0, radius}, {1, 0, 0}), 0.15);
    const BodyState after = ballOf(sim);
    expectShare(after.velocity.x, 5.0 / 7);
    expectShare(after.spin.y, 5.0 / 7 / radius);
}

// Before it rolls: speed lost and spin won by Coulomb's law.
TEST_P(AutomaticStep, GivesTheSpeedOfABallThatSlides) {
    const double mu = 0.3, t = 0.08;  // it would roll from 2 v/(7 mu g) = 0.097 s on
    const Simulation sim = run("friction: 0.3", floorBody + ball({0, 0, radius}, {1, 0, 0}), t);
    expectShare(1 - ballOf(sim).velocity.x, mu * g * t);
    expectShare(ballOf(sim).spin.y, 2.5 * mu * g * t / radius);
}

TEST_P(AutomaticStep, GivesTheDecayOfRollingByRollingFriction) {
    const double resistance = 0.01, t = 0.5;
    const Simulation sim = run("friction: 0.5, rolling_friction: 0.01",
                               floorBody + ball({0, 0, radius}, {0.2, 0, 0}, {0, 0.2 / radius, 0}), t,
                               "contact_law: {rolling: constant}\n");
    expectShare(0.2 - ballOf(sim).velocity.x, 5.0 / 7 * resistance * g * t);
}

TEST_P(AutomaticStep, GivesTheSpeedOfABallThatRollsDownASlope) {
    const double slope = 0.35, t = 0.2;
    const Simulation sim = run("friction: 0.5", floorBody + ball({0, 0, radius}, {}), t, gravityAt(slope));
    expectShare(ballOf(sim).velocity.x, 5.0 / 7 * g * std::sin(slope) * t);
    expectShare(ballOf(sim).spin.y, 5.0 / 7 * g * std::sin(slope) * t / radius);
}

TEST_P(AutomaticStep, GivesTheSpeedAndSpinOfABallThatSlipsDownASlope) {
    const double slope = 0.35, mu = 0.05, t = 0.2;
    const Simulation sim = run("friction: 0.05", floorBody + ball({0, 0, radius}, {}), t, gravityAt(slope));
    expectShare(ballOf(sim).velocity.x, g * (std::sin(slope) - mu * std::cos(slope)) * t);
    expectShare(ballOf(sim).spin.y, 2.5 * mu * g * std::cos(slope) * t / radius);
}

// A low block, which does not tip.
std::string block() { return "  - {shape: box, group: ball, size: [0.04, 0.04, 0.01], position: [0, 0, 0.005]}\n"; }

TEST_P(AutomaticStep, GivesTheSpeedOfABlockThatSlidesDownASlope) {
    const double slope = 0.5, mu = 0.3, t = 0.2;
    const Simulation sim = run("friction: 0.3, restitution: 0.3", floorBody + block(), t, gravityAt(slope));
    expectShare(ballOf(sim).velocity.x, g * (std::sin(slope) - mu * std::cos(slope)) * t);
}

TEST_P(AutomaticStep, HoldsABlockOnASlopeBelowItsAngleOfFriction) {
    const double slope = 0.28, t = 0.2;  // tan = 0.288
    const Simulation sim = run("friction: 0.3, restitution: 0.3", floorBody + block(), t, gravityAt(slope));
    EXPECT_LT(std::abs(ballOf(sim).velocity.x), allowed * g * std::sin(slope) * t);
}

TEST_P(AutomaticStep, PutsTheWeightOfAStackOnTheFloor) {
    std::string stack = floorBody;
    for (int k = 0; k < 3; ++k) stack += ball({0, 0, (2 * k + 1) * radius}, {});
    const Simulation sim = run("friction: 0.5, restitution: 0.1", stack, 0.5);
    double carried = 0;
    for (const ContactState& c : sim.contacts()) {
        if (c.point.z < 0.5 * radius) carried += c.force.z;
    }
    expectShare(carried, 3 * mass * g);
}

INSTANTIATE_TEST_SUITE_P(Of, AutomaticStep, testing::Values("penalty", "contact-dynamics"), [](const auto& method) {
    return std::string(method.param) == "penalty" ? "Penalty" : "ContactDynamics";
});

// Hertz: two balls of radius R and mass m at the closing speed v, with E*, R/2 and m/2.
class ElasticImpact : public testing::Test {
protected:
    static constexpr double speed = 0.5;  // m/s
    const double pairMass = mass / 2, pairRadius = radius / 2;
    const double deepest = std::pow(15.0 / 16 * pairMass * speed * speed / (modulus * std::sqrt(pairRadius)), 0.4);

    Simulation start() const {
        return Simulation(
            parseScene("gravity: [0, 0, 0]\nmaterials: {glass: {density: 2500, youngs_modulus: 10 MPa, "
                       "poisson_ratio: 0.3, restitution: 1}}\nbodies:\n" +
                           ball({0, 0, 0}, {speed, 0, 0}) + ball({0.021, 0, 0}, {}) + "run: {time: 0.02}\n",
                       "impact.yaml", ""));
    }
};

// From the straight lines of the flight before and after: the times at which the balls would just touch.
TEST_F(ElasticImpact, LastsAsLongAsHertzSaysAtTheAutomaticStep) {
    Simulation sim = start();
    const double before = (0.021 - 2 * radius) / speed;
    while (!sim.finished()) sim.advance();
    const BodyState first = ballOf(sim, 0), second = ballOf(sim, 1);
    const double parting = second.velocity.x - first.velocity.x;
    const double after = sim.time() - (second.position.x - first.position.x - 2 * radius) / parting;
    // 2 int_0^1 dx / sqrt(1 - x^(5/2)) = 4 sqrt(pi) Gamma(2/5) / (5 Gamma(9/10)).
    const double factor = 4 * std::sqrt(M_PI) * std::tgamma(0.4) / (5 * std::tgamma(0.9));
    expectShare(after - before, factor * deepest / speed);
}

TEST_F(ElasticImpact, IsAsDeepAndAsStrongAsHertzSaysAtTheAutomaticStep) {
    Simulation sim = start();
    double overlap = 0, force = 0;
    while (!sim.finished()) {
        sim.advance();
        for (const ContactState& c : sim.contacts()) {
            overlap = std::max(overlap, c.overlap);
            force = std::max(force, std::abs(c.force.x));
        }
    }
    expectShare(overlap, deepest);
    expectShare(force, 4.0 / 3 * modulus * std::sqrt(pairRadius) * std::pow(deepest, 1.5));
}

}  // namespace
}  // namespace talus
