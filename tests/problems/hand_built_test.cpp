// Problems that a program builds by itself, row by row, against statics.
#include <gtest/gtest.h>

#include "problems/problem_collection.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double push = 0.01;  // N s, of gravity on a kilogram in a step
const Vec3 up{0, 0, 1};

// A box of 3 kg, 0.4 x 0.2 x 0.1 m, on its four corners, and on its middle a ball of 1 kg.
ContactProblem ballOnABox() {
    BodyContacts bodies;
    const auto floor = bodies.addFixed();
    const auto box = bodies.addBody(3, diagonal3({1 / 0.0125, 1 / 0.0425, 1 / 0.05}));
    const auto ball = bodies.addSphere(1, 0.05);
    ContactProblem p;
    for (const double x : {-0.2, 0.2}) {
        for (const double y : {-0.1, 0.1}) {
            bodies.add(ContactAt{.normal = up, .armA = {x, y, -0.05}, .armB = {}, .a = box, .b = floor});
            p.offset.push_back({-push, 0, 0});
        }
    }
    bodies.add(ContactAt{.normal = up, .armA = {0, 0, -0.05}, .armB = {0, 0, 0.05}, .a = ball, .b = box});
    p.offset.push_back({});
    p.sets.assign(5, ReactionSet::coulomb(0.3));
    bodies.finish();
    p.contacts = std::move(bodies);
    return p;
}

TEST(HandBuiltProblem, BearsABallOnABoxWhateverTheSolver) {
    const ContactProblem p = ballOnABox();
    validate(p);
    for (SolverSettings s : everySolver()) {
        s.tolerance = 1e-10;
        s.maxIterations = 100'000;
        const Solution found = solve(p, s);
        EXPECT_EQ(nameOf(found.report.status), "converged") << nameOf(s.kind);
        EXPECT_NEAR(found.reactions[4].x, 1 * push, 1e-7 * push) << nameOf(s.kind);
        double corners = 0, alongX = 0, alongY = 0;
        for (int k = 0; k < 4; ++k) {
            const double g = found.reactions[static_cast<std::size_t>(k)].x;
            corners += g;
            alongX += (k < 2 ? -1 : 1) * g;
            alongY += (k % 2 == 0 ? -1 : 1) * g;
        }
        EXPECT_NEAR(corners, 4 * push, 1e-7 * push) << nameOf(s.kind);
        EXPECT_NEAR(alongX, 0, 1e-7 * push) << nameOf(s.kind);
        EXPECT_NEAR(alongY, 0, 1e-7 * push) << nameOf(s.kind);
    }
}

TEST(HandBuiltProblem, TakesBlocksForWhatIsNoContact) {
    // A ball that a rod holds from above, and the floor that it would leave.
    BodyContacts bodies;
    const auto floor = bodies.addFixed();
    const auto ball = bodies.addSphere(1, 0.1);
    bodies.add(ContactAt{.normal = up, .armA = -0.1 * up, .armB = {}, .a = ball, .b = floor});
    BlockRow rod{.a = ball};
    rod.blockA[2] = rod.blockA[6] = rod.blockA[13] = 1;  // rows z, x, y
    bodies.add(rod);
    bodies.finish();
    ContactProblem p;
    p.contacts = std::move(bodies);
    p.sets = {ReactionSet::coulomb(0.5), ReactionSet::free()};
    p.offset = {{0.5, 0, 0}, {0.5, 0.2, 0}};  // flies up at 0.5 m/s, sideways at 0.2 m/s
    validate(p);
    const Solution found = solve(p, {.kind = SolverKind::interiorPoint, .tolerance = 1e-10});
    EXPECT_NEAR(found.reactions[1].x + found.reactions[0].x, -0.5, 1e-8);
    EXPECT_LT(norm(found.velocities[1]), 1e-8);
}

TEST(HandBuiltProblem, IsRefusedWithWhatIsWrongWithIt) {
    const auto messageOf = [](auto&& spoil) -> std::string {
        ContactProblem p = ballOnABox();
        spoil(std::get<BodyContacts>(p.contacts));
        try {
            validate(p);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(messageOf([](BodyContacts&) {}), "");
    EXPECT_NE(messageOf([](BodyContacts& b) { b.contacts[2].a = 7; }).find("contact 2: there is no body 7"),
              std::string::npos);
    EXPECT_NE(messageOf([](BodyContacts& b) {
                  b.contacts[1].normal = {0, 0, 2};
              }).find("contact 1: its normal"),
              std::string::npos);
    EXPECT_NE(messageOf([](BodyContacts& b) {
                  b.add(ContactAt{.normal = {0, 0, 1}, .a = 1});
              }).find("finish()"),
              std::string::npos);
}

}  // namespace
}  // namespace talus
