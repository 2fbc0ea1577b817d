// A block on a plane through four corners: rigid contacts of a body that is no sphere.
#include <gtest/gtest.h>

#include <cmath>

#include "talus/solver.hpp"

namespace talus {
namespace {

constexpr double gravity = 9.81, mass = 2, halfWidth = 0.1, halfHeight = 0.05, dt = 1e-3;

// The plane stays level; gravity is tilted down towards +x. Small turns are ignored: the tests see that there are none.
class Block {
public:
    Block(double friction, double angle, SolverSettings settings)
        : pull_{gravity * std::sin(angle), 0, -gravity * std::cos(angle)}, settings_(std::move(settings)) {
        BodyContacts contacts;
        MassBlock inverse{};
        const double width = 2 * halfWidth, height = 2 * halfHeight;
        const double turning = 12 / (mass * (width * width + height * height)), spinning = 6 / (mass * width * width);
        for (int k = 0; k < 3; ++k) inverse[static_cast<std::size_t>(7 * k)] = 1 / mass;
        inverse[21] = inverse[28] = turning;
        inverse[35] = spinning;
        contacts.addBody(inverse);
        for (const double x : {-halfWidth, halfWidth}) {
            for (const double y : {-halfWidth, halfWidth}) contacts.add(cornerAt({x, y, -halfHeight}));
        }
        contacts.finish();
        problem_.contacts = contacts;
        problem_.sets.assign(4, ReactionSet::coulomb(friction));
        problem_.offset.resize(4);
    }

    SolveReport step() {
        velocity = predicted();
        const auto& contacts = std::get<BodyContacts>(problem_.contacts);
        BodyContacts::State state{velocity};
        for (std::size_t k = 0; k < 4; ++k) problem_.offset[k] = contacts.velocity(state, k) + Vec3{height_ / dt, 0, 0};
        const Solution& found = solve(problem_, reactions_, settings_, solver_);
        reactions_ = found.reactions;
        contacts.start(reactions_, state);
        velocity.velocity += state[0].velocity;
        velocity.spin += state[0].spin;
        position += dt * velocity.velocity.x;
        height_ += dt * velocity.velocity.z;
        return found.report;
    }

    BodyContacts::Body velocity;
    double position = 0;
    double height() const { return height_; }

private:
    BodyContacts::Body predicted() const {
        BodyContacts::Body body = velocity;
        body.velocity += dt * pull_;
        return body;
    }

    // Rows: up, along, across; columns: translations, rotations about the centre.
    static BlockRow cornerAt(const Vec3& arm) {
        BlockRow c;
        c.a = 0;
        const Vec3 axes[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        for (int row = 0; row < 3; ++row) {
            const Vec3 lever = cross(arm, axes[row]);
            for (int k = 0; k < 3; ++k) {
                c.blockA[static_cast<std::size_t>(6 * row + k)] = axes[row][k];
                c.blockA[static_cast<std::size_t>(6 * row + 3 + k)] = lever[k];
            }
        }
        return c;
    }

    Vec3 pull_;
    SolverSettings settings_;
    SolverWorkspace solver_;
    ContactProblem problem_;
    std::vector<Vec3> reactions_;
    double height_ = 0;
};

SolverSettings exact(SolverKind kind) { return {.kind = kind, .tolerance = 1e-11, .maxIterations = 200000}; }

constexpr SolverKind everySolver[] = {SolverKind::gaussSeidel, SolverKind::jacobi, SolverKind::apgd, SolverKind::spg};

TEST(Block, SticksBelowTheAngleOfFrictionAndSlidesAboveIt) {
    const double friction = 0.4, critical = std::atan(friction);
    for (const SolverKind kind : everySolver) {
        Block sticks(friction, critical - 1e-3, exact(kind)), slides(friction, critical + 1e-3, exact(kind));
        for (int k = 0; k < 100; ++k) {
            EXPECT_EQ(sticks.step().status, SolveStatus::converged);
            slides.step();
        }
        EXPECT_NEAR(sticks.velocity.velocity.x, 0, 1e-9) << nameOf(kind);
        const double angle = critical + 1e-3;
        const double acceleration = gravity * (std::sin(angle) - friction * std::cos(angle));
        EXPECT_NEAR(slides.velocity.velocity.x, 100 * dt * acceleration, 1e-8) << nameOf(kind);
    }
}

TEST(Block, SlidesAsFarAsItsSpeedAndFrictionSayWithoutLiftingOff) {
    const double friction = 0.3, speed = 1;
    for (const SolverKind kind : everySolver) {
        Block block(friction, 0, exact(kind));
        block.velocity.velocity.x = speed;
        while (block.velocity.velocity.x > 1e-9) {
            block.step();
            ASSERT_LT(block.position, 1) << "does not stop";
        }
        // Half a step of the first speed is what semi-implicit Euler is short of.
        EXPECT_NEAR(block.position, speed * speed / (2 * friction * gravity) - 0.5 * dt * speed, 2e-6) << nameOf(kind);
        EXPECT_NEAR(block.height(), 0, 1e-9) << nameOf(kind);
    }
}

TEST(Block, LiftsOffWithTheAssociatedLaw) {
    SolverSettings settings = exact(SolverKind::gaussSeidel);
    settings.law = FrictionLaw::associated;
    Block block(0.3, 0, settings);
    block.velocity.velocity.x = 1;
    const SolveReport report = block.step();
    EXPECT_NEAR(block.velocity.velocity.z, 0.3 * block.velocity.velocity.x, 1e-6);
    EXPECT_NEAR(report.residuals.dilation, 0.3 * block.velocity.velocity.x, 1e-6);
}

}  // namespace
}  // namespace talus
