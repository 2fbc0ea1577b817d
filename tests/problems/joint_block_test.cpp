// Machines in sweeps: what joints hold is solved for as a whole, however light a link between heavy ones is.
#include <gtest/gtest.h>

#include "problems/problem_collection.hpp"

namespace talus {
namespace {

constexpr double push = 0.01;  // N s, of gravity on a kilogram in a step
const ContactFrame axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Two bodies that share a point, at these arms from their centres.
BlockRow pointOf(std::uint32_t a, const Vec3& armA, std::uint32_t b, const Vec3& armB) {
    return {.a = a, .b = b, .blockA = velocityBlock(axes, armA, 1), .blockB = velocityBlock(axes, armB, -1)};
}

// Balls of these masses (kg) that hang from each other and from a fixed point.
ContactProblem chainOf(const std::vector<double>& masses) {
    BodyContacts bodies;
    ContactProblem p;
    std::uint32_t above = bodies.addFixed();
    for (const double mass : masses) {
        const std::uint32_t ball = bodies.addSphere(mass, 0.1);
        bodies.add(pointOf(ball, {0, 0, 0.1}, above, above == 0 ? Vec3{} : Vec3{0, 0, -0.1}));
        p.sets.push_back(ReactionSet::free());
        p.offset.push_back(above == 0 ? Vec3{0, 0, -push} : Vec3{});
        above = ball;
    }
    bodies.finish();
    p.contacts = std::move(bodies);
    return p;
}

SolverSettings sweeps() { return {.kind = SolverKind::gaussSeidel, .tolerance = 1e-10, .maxIterations = 100}; }

TEST(SweepsOfAMachine, FindTheForcesOfAChainWithAHeavyEndAtOnce) {
    const std::vector<double> masses{1e-3, 1e-3, 2e-3, 1e-3, 5};
    const ContactProblem p = chainOf(masses);
    const Solution found = solve(p, sweeps());
    EXPECT_EQ(nameOf(found.report.status), "converged");
    EXPECT_LE(found.report.iterations, 5u);
    double below = 0;
    for (std::size_t k = masses.size(); k-- > 0;) {
        below += masses[k];
        EXPECT_NEAR(found.reactions[k].z, below * push, 1e-8 * push) << k;
    }
}

// A body that is held twice at the same place: who bears the load does not follow, but that it is borne does.
TEST(SweepsOfAMachine, BearJointsThatHoldTwice) {
    ContactProblem p = chainOf({1e-3, 5});
    auto& bodies = std::get<BodyContacts>(p.contacts);
    bodies.add(pointOf(1, {0, 0, 0.1}, 0, {}));
    bodies.finish();
    p.sets.push_back(ReactionSet::free());
    p.offset.push_back({0, 0, -push});
    const Solution found = solve(p, sweeps());
    EXPECT_EQ(nameOf(found.report.status), "converged");
    EXPECT_NEAR(found.reactions[0].z + found.reactions[2].z, 5.001 * push, 1e-8 * push);
    EXPECT_LE(norm(found.reactions[0]) + norm(found.reactions[2]), 20 * push);
}

// A wheel on a slope, and through its centre a light axle that slides along a pole: the slope bears the weight, the
// pole what that pushes aside.
TEST(SweepsOfAMachine, LetAWheelOnALightAxleRestOnASlope) {
    BodyContacts bodies;
    ContactProblem p;
    const std::uint32_t world = bodies.addFixed(), wheel = bodies.addSphere(5, 0.5),
                        axle = bodies.addSphere(1e-3, 0.02);
    const auto add = [&](const auto& row, const ReactionSet& set, const Vec3& offset) {
        bodies.add(row);
        p.sets.push_back(set);
        p.offset.push_back(offset);
    };
    const Vec3 slope = normalized(Vec3{0.4, 0, 1});
    add(ContactAt{slope, -0.5 * slope, {}, wheel, world}, ReactionSet::frictionless(),
        contactFrame(slope).toLocal({0, 0, -push}));
    add(pointOf(wheel, {}, axle, {}), ReactionSet::free(), {});
    BlockRow pole{.a = axle};
    pole.blockA[0] = pole.blockA[7] = 1;  // across it
    add(pole, ReactionSet::free(), {});
    bodies.finish();
    p.contacts = std::move(bodies);
    const Solution found = solve(p, sweeps());
    EXPECT_EQ(nameOf(found.report.status), "converged");
    const double weight = 5.001 * push;
    EXPECT_NEAR(found.reactions[0].x, weight / slope.z, 1e-7 * weight);
    EXPECT_NEAR(found.reactions[2].x, -0.4 * weight, 1e-7 * weight);
}

}  // namespace
}  // namespace talus
