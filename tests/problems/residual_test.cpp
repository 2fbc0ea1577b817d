#include "problem/residual.hpp"

#include <gtest/gtest.h>

#include "problems/sphere_problems.hpp"
#include "talus/answer_error.hpp"

namespace talus {
namespace {

// A problem made around an answer: contacts stick, slide and open in turn, and the offset follows from that.
struct Solved {
    ContactProblem problem;
    std::vector<Vec3> reactions, velocities;
};

Solved makeSolved(FrictionLaw law) {
    Solved s{makeLatticePile({.friction = 0.5, .radius = 0.5, .density = 1, .jitter = 0.03}, 2, 2, 2), {}, {}};
    ContactProblem& p = s.problem;
    const double mu = 0.5;
    Random random(2, 1);
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        const double normal = random.uniform(0.1, 1), angle = random.uniform(0, 6.28), slip = random.uniform(0.1, 1);
        const Vec3 direction{0, std::cos(angle), std::sin(angle)};
        if (i % 3 == 0) {  // open
            s.reactions.push_back({});
            s.velocities.push_back(Vec3{slip + mu * slip, 0, 0} + slip * direction);
        } else if (i % 3 == 1) {  // sticks
            s.reactions.push_back(Vec3{normal, 0, 0} + (0.4 * normal) * direction);
            s.velocities.push_back({});
        } else {  // slides; the associated law opens it
            const double opening = law == FrictionLaw::associated ? mu * slip : 0;
            s.reactions.push_back(Vec3{normal, 0, 0} + (mu * normal) * direction);
            s.velocities.push_back(Vec3{opening, 0, 0} - slip * direction);
        }
    }
    std::vector<Vec3> product;
    p.offset.assign(p.contactCount(), Vec3{});
    relativeVelocities(p, s.reactions, product);
    for (std::size_t i = 0; i < p.contactCount(); ++i) p.offset[i] = s.velocities[i] - product[i];
    return s;
}

// One contact of a body of this mass with the ground; lever 0, so that W is 1/mass in all directions.
ContactProblem makeSingle(double mass, const ReactionSet& set, const Vec3& offset) {
    BodyContacts contacts;
    contacts.inverseMass = {0, 1 / mass};
    contacts.inverseInertia = {0, 0};
    contacts.contacts = {{{0, 0, 1}, 0, 0, 1, 0}};
    contacts.finish();
    ContactProblem p;
    p.contacts = std::move(contacts);
    p.sets = {set};
    p.offset = {offset};
    return p;
}

TEST(Residual, VanishesAtASolution) {
    for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
        const Solved s = makeSolved(law);
        const Residuals r = measureResiduals(s.problem, law, s.reactions);
        EXPECT_LT(r.naturalMap, 1e-14);
        EXPECT_LT(r.penetration, 1e-13);
        EXPECT_LT(r.complementarity, 1e-12);
        EXPECT_LT(r.dissipation, 1e-12);
    }
}

TEST(Residual, OfOneLawDoesNotVanishAtTheSolutionOfTheOther) {
    EXPECT_GT(measureResiduals(makeSolved(FrictionLaw::coulomb).problem, FrictionLaw::associated,
                               makeSolved(FrictionLaw::coulomb).reactions)
                  .naturalMap,
              1e-2);
    EXPECT_GT(measureResiduals(makeSolved(FrictionLaw::associated).problem, FrictionLaw::coulomb,
                               makeSolved(FrictionLaw::associated).reactions)
                  .naturalMap,
              1e-2);
}

TEST(Residual, GrowsInProportionToADisturbance) {
    const Solved s = makeSolved(FrictionLaw::coulomb);
    const std::vector<Vec3> disturbance = randomVectors(s.reactions.size(), 1);
    double last = 0;
    for (const double size : {1e-8, 1e-6, 1e-4, 1e-2}) {
        std::vector<Vec3> g = s.reactions;
        for (std::size_t i = 0; i < g.size(); ++i) g[i] += size * disturbance[i];
        const double now = measureResiduals(s.problem, FrictionLaw::coulomb, g).naturalMap;
        EXPECT_GT(now, 0.05 * size);
        EXPECT_LT(now, 20 * size);
        EXPECT_GT(now, last);
        last = now;
    }
}

TEST(Residual, DoesNotChangeWhenMassesVelocitiesOrUnitsDo) {
    const Solved s = makeSolved(FrictionLaw::coulomb);
    std::vector<Vec3> g = s.reactions;
    const std::vector<Vec3> disturbance = randomVectors(g.size(), 2);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] += 0.1 * disturbance[i];
    const Residuals before = measureResiduals(s.problem, FrictionLaw::coulomb, g);

    for (const double mass : {1.0, 1e-9, 1e6}) {
        for (const double speed : {1.0, 1e-5, 1e3}) {
            ContactProblem p = s.problem;
            auto& spheres = std::get<BodyContacts>(p.contacts);
            for (double& inverse : spheres.inverseMass) inverse /= mass;
            for (double& inverse : spheres.inverseInertia) inverse /= mass;
            for (Vec3& q : p.offset) q *= speed;
            std::vector<Vec3> scaled = g;
            for (Vec3& reaction : scaled) reaction *= mass * speed;
            const Residuals r = measureResiduals(p, FrictionLaw::coulomb, scaled);
            EXPECT_NEAR(r.naturalMap / before.naturalMap, 1, 1e-12);
            // Those with units have them.
            EXPECT_NEAR(r.penetration / (before.penetration * speed), 1, 1e-12);
            EXPECT_NEAR(r.complementarity / (before.complementarity * mass * speed * speed), 1, 1e-12);
            EXPECT_NEAR(r.dissipation / (before.dissipation * mass * speed * speed), 1, 1e-12);
            EXPECT_NEAR(r.dilation / (before.dilation * speed), 1, 1e-12);
        }
    }
    // Another unit of length: levers and inertias follow, impulses and velocities are both multiplied by it.
    ContactProblem p = s.problem;
    auto& spheres = std::get<BodyContacts>(p.contacts);
    for (ContactRow& c : spheres.contacts) c.leverA *= 1000, c.leverB *= 1000;
    for (double& inverse : spheres.inverseInertia) inverse /= 1e6;
    for (Vec3& q : p.offset) q *= 1000;
    for (Vec3& reaction : g) reaction *= 1000;
    EXPECT_NEAR(measureResiduals(p, FrictionLaw::coulomb, g).naturalMap / before.naturalMap, 1, 1e-12);
}

TEST(Residual, OfAContactThatClosesWithoutReactionIsOne) {
    // 2 kg, closing with 3 m/s: P(0 + 3 * 2) = 6 N s is missing, and |q|/w = 6 N s is the load.
    const ContactProblem p = makeSingle(2, ReactionSet::coulomb(0.5), {-3, 0, 0});
    EXPECT_DOUBLE_EQ(meanDiagonal(p), 0.5);
    const Residuals r = measureResiduals(p, FrictionLaw::coulomb, {Vec3{}});
    EXPECT_DOUBLE_EQ(r.meanMap, 1);
    EXPECT_DOUBLE_EQ(r.penetration, 3);
    EXPECT_EQ(r.complementarity, 0);
    EXPECT_EQ(r.dissipation, 0);
    EXPECT_EQ(r.dilation, 0);
}

TEST(Residual, OfASlidingContactByHand) {
    // 2 kg, q = (-1, 4, 0) m/s, reaction (3, -1, 0) N s: u = (0.5, 3.5, 0) m/s, Coulomb's shift 0.5 * 3.5 = 1.75 m/s.
    const ContactProblem p = makeSingle(2, ReactionSet::coulomb(0.5), {-1, 4, 0});
    const std::vector<Vec3> g{{3, -1, 0}};
    const Residuals coulomb = measureResiduals(p, FrictionLaw::coulomb, g);
    // g - 2 (u + 1.75 n) = (-1.5, -8, 0): on the mantle at (1.5 + 8 mu - 3)/(1 + mu^2) = 2.5/1.25 = 2, so (2, -1, 0).
    EXPECT_NEAR(coulomb.meanMap, 1 / std::sqrt(4 * 17.0), 1e-14);  // |(1, 0, 0)| / (|q| 2)
    EXPECT_EQ(coulomb.penetration, 0);
    EXPECT_NEAR(coulomb.complementarity, std::abs(3 * (0.5 + 1.75) - 3.5), 1e-14);
    EXPECT_NEAR(coulomb.dissipation, 0.5 * 3 * 3.5 - 3.5, 1e-14);
    EXPECT_NEAR(coulomb.dilation, 0.5, 1e-14);

    const Residuals associated = measureResiduals(p, FrictionLaw::associated, g);
    // g - 2 u = (2, -8, 0): at (2 + 4)/1.25 = 4.8, so (4.8, -2.4, 0).
    EXPECT_NEAR(associated.meanMap, std::hypot(1.8, 1.4) / std::sqrt(4 * 17.0), 1e-14);
    EXPECT_NEAR(associated.complementarity, std::abs(3 * 0.5 - 3.5), 1e-14);
}

TEST(Residual, OfABilateralContactIsItsVelocity) {
    // u = g/2 + q = (-1, 2, 2): the natural map is |u| 2 over the load |q| 2.
    const ContactProblem p = makeSingle(2, ReactionSet::free(), {-2, 2, 2});
    const Residuals r = measureResiduals(p, FrictionLaw::coulomb, {Vec3{2, 0, 0}});
    EXPECT_NEAR(r.meanMap, 3 / std::sqrt(12.0), 1e-14);
    EXPECT_EQ(r.penetration, 0);
}

TEST(Residual, ComplianceJoinsTheVelocity) {
    ContactProblem p = makeSingle(2, ReactionSet::frictionless(), {-3, 0, 0});
    p.compliance = {diagonal3({0.25, 0.25, 0.25})};
    // u = (0.5 + 0.25) g - 3 = 0 at g = 4.
    EXPECT_LT(measureResiduals(p, FrictionLaw::coulomb, {Vec3{4, 0, 0}}).naturalMap, 1e-15);
    EXPECT_DOUBLE_EQ(meanDiagonal(p), 0.75);
}

TEST(Residual, OfNothingIsNothing) {
    ContactProblem p;
    p.contacts = BodyContacts{};
    EXPECT_EQ(measureResiduals(p, FrictionLaw::coulomb, {}).naturalMap, 0);
    EXPECT_EQ(measureResiduals(makeSingle(1, ReactionSet::coulomb(0.5), {}), FrictionLaw::coulomb, {Vec3{}}).naturalMap,
              0);
}

TEST(Residual, IsNotFiniteWhenTheAnswerIsNot) {
    const ContactProblem p = makeSingle(2, ReactionSet::coulomb(0.5), {-3, 0, 0});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(std::isfinite(measureResiduals(p, FrictionLaw::coulomb, {Vec3{nan, 0, 0}}).naturalMap));
    EXPECT_FALSE(std::isfinite(measureResiduals(p, FrictionLaw::coulomb, {Vec3{1, nan, 0}}).naturalMap));
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(std::isfinite(measureResiduals(p, FrictionLaw::coulomb, {Vec3{infinite, 0, 0}}).naturalMap));
}

// A ball of 2 kg that falls on a floor at 1 m/s: 2 N s stop it. With 1.5 N s it still closes at 0.25 m/s.
TEST(AnswerError, IsWhatIsMissingOfAContactsReaction) {
    BodyContacts bodies;
    const auto floor = bodies.addFixed(), ball = bodies.addSphere(2, 0.1), other = bodies.addSphere(1, 0.1);
    for (const std::uint32_t body : {other, ball}) {
        bodies.add({.normal = {0, 0, 1}, .armA = {0, 0, -0.1}, .armB = {}, .a = body, .b = floor});
    }
    bodies.finish();
    const ContactProblem p{.contacts = bodies,
                           .sets = {ReactionSet::coulomb(0), ReactionSet::coulomb(0)},
                           .offset = {{-1, 0, 0}, {-1, 0, 0}}};
    const AnswerError error = measureAnswerError(p, FrictionLaw::coulomb, {{1, 0, 0}, {1.5, 0, 0}});
    const double w = trace(p.diagonal(1)) / 3;  // of a sphere larger than its inverse mass, since tangents count
    EXPECT_NEAR(error.impulse, 0.25 / w, 1e-12);
    EXPECT_NEAR(error.velocity, 0.25, 1e-12);
    EXPECT_EQ(error.impulseAt, 1u);
    EXPECT_EQ(error.velocityAt, 1u);
    EXPECT_EQ(error.largestReaction, 1.5);
    EXPECT_EQ(error.contacts, 2u);
    EXPECT_EQ(error.contactsOfMost, 1u);
    EXPECT_NE(asText(error).find("velocities by 0.25 m/s (contact 1); 90 % of it in 1 of 2 contacts"),
              std::string::npos)
        << asText(error);
    const AnswerError none = measureAnswerError(p, FrictionLaw::coulomb, {{1, 0, 0}, {2, 0, 0}});
    EXPECT_NEAR(none.impulse, 0, 1e-15);
}

}  // namespace
}  // namespace talus
