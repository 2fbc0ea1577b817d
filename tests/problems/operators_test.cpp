// The forms of W = D^T A^-1 D: rows of every kind, alone and among each other, and an explicit matrix.
#include <gtest/gtest.h>

#include "problems/sphere_problems.hpp"

namespace talus {
namespace {

BodyContacts smallPile() {
    return std::get<BodyContacts>(makeLatticePile({.radius = 0.5, .density = 1, .jitter = 0.05}, 2, 2, 2).contacts);
}
BodyContacts planarPile() { return std::get<BodyContacts>(makePlanarPile(0.5).contacts); }

template <ContactOperator Operator>
std::vector<Vec3> product(const Operator& op, const std::vector<Vec3>& g) {
    typename Operator::State state;
    op.start(g, state);
    std::vector<Vec3> u(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) u[i] = op.velocity(state, i);
    return u;
}

double dotProduct(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
    return sum;
}

void expectNear(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    double size = 0;
    for (const Vec3& v : a) size = std::max(size, norm(v));
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(norm(a[i] - b[i]), tolerance * size) << "contact " << i;
}

// Calls test(operator) for each form of both piles.
template <class Test>
void forEveryOperator(Test&& test) {
    for (const BodyContacts& spheres : {smallPile(), planarPile()}) {
        test(spheres);
        test(asBlocks(spheres));
        test(asArms(spheres));
        test(asArms(spheres, 3));
        test(asBlockMatrix(spheres));
    }
}

TEST(ContactOperator, FollowsChangesAsIfItHadStartedWithThem) {
    forEveryOperator([](const auto& op) {
        const std::vector<Vec3> from = randomVectors(op.contactCount(), 1), to = randomVectors(op.contactCount(), 2);
        typename std::remove_cvref_t<decltype(op)>::State state;
        op.start(from, state);
        for (std::size_t i = 0; i < from.size(); ++i) op.change(state, i, to[i] - from[i]);
        std::vector<Vec3> followed(from.size());
        for (std::size_t i = 0; i < from.size(); ++i) followed[i] = op.velocity(state, i);
        expectNear(product(op, to), followed, 1e-13);
    });
}

TEST(ContactOperator, IsSymmetric) {
    forEveryOperator([](const auto& op) {
        const std::vector<Vec3> x = randomVectors(op.contactCount(), 3), y = randomVectors(op.contactCount(), 4);
        const double xy = dotProduct(x, product(op, y)), yx = dotProduct(y, product(op, x));
        EXPECT_NEAR(xy, yx, 1e-12 * std::sqrt(dotProduct(x, product(op, x)) * dotProduct(y, product(op, y))));
    });
}

TEST(ContactOperator, IsNeverNegative) {
    forEveryOperator([](const auto& op) {
        for (std::uint32_t stream = 10; stream < 20; ++stream) {
            const std::vector<Vec3> x = randomVectors(op.contactCount(), stream);
            EXPECT_GE(dotProduct(x, product(op, x)), 0);
        }
    });
}

TEST(ContactOperator, IsTheSameForSpheresBodiesAndMatrix) {
    for (const BodyContacts& spheres : {smallPile(), planarPile()}) {
        const std::vector<Vec3> g = randomVectors(spheres.contactCount(), 5);
        const std::vector<Vec3> u = product(spheres, g);
        expectNear(u, product(asBlocks(spheres), g), 1e-13);
        expectNear(u, product(asArms(spheres), g), 1e-13);
        expectNear(u, product(asArms(spheres, 3), g), 1e-13);
        expectNear(u, product(asBlockMatrix(spheres), g), 1e-13);
    }
}

TEST(ContactOperator, DiagonalBlocksAreWhatAContactDoesToItself) {
    const auto check = [](const auto& op) {
        const std::size_t n = op.contactCount();
        const std::vector<Mat3> dense = denseMatrix(op);
        for (std::size_t i = 0; i < n; ++i) {
            const Mat3 block = op.diagonal(i);
            for (int k = 0; k < 9; ++k) EXPECT_NEAR(block.m[k], dense[i * n + i].m[k], 1e-13 * trace(block));
        }
    };
    check(smallPile());
    check(asBlocks(smallPile()));
    check(asArms(smallPile(), 2));
    check(asBlockMatrix(smallPile()));
    check(asBlocks(planarPile()));
    check(asBlockMatrix(planarPile()));
}

TEST(BodyContacts, DiagonalBlocksHoldWithinThePlaneOfAPlanarScene) {
    const BodyContacts spheres = planarPile();
    const std::vector<Mat3> dense = denseMatrix(spheres);
    for (std::size_t i = 0; i < spheres.contactCount(); ++i) {
        const Vec3 n = spheres.contacts[i].normal, inPlane{-n.y, n.x, 0};
        for (const Vec3& world : {n, inPlane}) {
            const Vec3 g = contactFrame(n).toLocal(world);
            EXPECT_LT(norm(spheres.diagonal(i) * g - dense[i * spheres.contactCount() + i] * g), 1e-12);
        }
    }
}

TEST(BodyContacts, NothingLeavesThePlaneOfAPlanarScene) {
    const BodyContacts spheres = planarPile();
    BodyContacts::State state;
    spheres.start(randomVectors(spheres.contactCount(), 6), state);
    for (const BodyContacts::Body& body : state) {
        EXPECT_EQ(body.velocity.z, 0);
        EXPECT_EQ(body.spin.x, 0);
        EXPECT_EQ(body.spin.y, 0);
    }
}

TEST(BodyContacts, FixedBodiesStayAtRestWhateverPushesThem) {
    const BodyContacts spheres = smallPile();
    const std::vector<Vec3> g = randomVectors(spheres.contactCount(), 7);
    BodyContacts::State state;
    spheres.start(g, state);
    for (std::size_t i = 0; i < g.size(); ++i) spheres.change(state, i, g[i]);
    EXPECT_EQ(state[0].velocity, Vec3{});
    EXPECT_EQ(state[0].spin, Vec3{});
}

TEST(BodyContacts, ReactionsBetweenSpheresKeepMomentum) {
    const BodyContacts spheres = smallPile();
    std::vector<Vec3> g = randomVectors(spheres.contactCount(), 8);
    for (std::size_t i = 0; i < g.size(); ++i) {
        if (spheres.contacts[i].b == 0) g[i] = {};
    }
    BodyContacts::State state;
    spheres.start(g, state);
    Vec3 momentum;
    for (std::size_t body = 1; body < state.size(); ++body)
        momentum += state[body].velocity / spheres.inverseMass[body];
    EXPECT_LT(norm(momentum), 1e-12);
}

TEST(BodyContacts, HaveRoundRowsWhereverNoBodyOfAnotherShapeTakesPart) {
    const BodyContacts mixed = asArms(smallPile(), 3);
    std::size_t round = 0;
    for (std::size_t i = 0; i < mixed.contactCount(); ++i) {
        const ContactRow& c = mixed.contacts[i];
        const bool isRound = c.a % 3 != 1 && (c.b == 0 || c.b % 3 != 1);
        EXPECT_EQ(mixed.kind(i) == RowKind::round, isRound) << i;
        round += isRound;
    }
    EXPECT_GT(round, 0u);
    EXPECT_LT(round, mixed.contactCount());
    EXPECT_TRUE(smallPile().isRound());
}

TEST(ContactFrame, IsRightHandedForEveryNormal) {
    Random random(5, 1);
    for (int k = 0; k < 1000; ++k) {
        Vec3 n = normalized(random.inBox({-1, -1, -1}, {1, 1, 1}));
        if (k < 6) n = Vec3{}, n[k / 2] = k % 2 ? 1 : -1;
        const ContactFrame frame = contactFrame(n);
        EXPECT_NEAR(norm(frame.first), 1, 1e-14);
        EXPECT_LT(norm(cross(frame.normal, frame.first) - frame.second), 1e-14);
    }
}

TEST(RegularDiagonal, FillsTheTangentAlongWhichNothingMoves) {
    ContactProblem p = makePlanarPile(0.5);
    p.contacts = asBlocks(planarPile());
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        const Mat3 w = p.diagonal(i), regular = regularDiagonal(p, i);
        const Vec3 n = planarPile().contacts[i].normal;
        const Vec3 outOfPlane = contactFrame(n).toLocal({0, 0, 1}), inPlane = contactFrame(n).toLocal({-n.y, n.x, 0});
        EXPECT_LT(norm(w * outOfPlane), 1e-14);
        EXPECT_LT(norm(regular * outOfPlane - (trace(w) / 3) * outOfPlane), 1e-13);
        EXPECT_LT(norm(regular * inPlane - w * inPlane), 1e-13);
    }
}

TEST(Validate, NamesWhatIsWrongWithAProblem) {
    const auto messageOf = [](auto&& spoil) -> std::string {
        ContactProblem p = makePlanarPile(0.5);
        spoil(p);
        try {
            validate(p);
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(messageOf([](ContactProblem&) {}), "");
    EXPECT_NE(messageOf([](ContactProblem& p) { p.sets.pop_back(); }).find("reaction sets"), std::string::npos);
    EXPECT_NE(messageOf([](ContactProblem& p) { p.offset.pop_back(); }).find("offsets"), std::string::npos);
    EXPECT_NE(messageOf([](ContactProblem& p) { p.compliance.resize(1); }).find("compliances"), std::string::npos);
    EXPECT_NE(messageOf([](ContactProblem& p) { p.sets[2].friction = -1; }).find("contact 2"), std::string::npos);
    EXPECT_NE(messageOf([&](ContactProblem& p) { p.sets[1].ball = nan; }).find("ball"), std::string::npos);
    EXPECT_NE(messageOf([&](ContactProblem& p) { p.offset[3].y = nan; }).find("contact 3"), std::string::npos);
    EXPECT_NE(messageOf([](ContactProblem& p) {
                  p.compliance.assign(p.contactCount(), diagonal3({1e-3, 0, 0}));
                  p.compliance[2](1, 1) = -1e-6;
              }).find("contact 2: its compliance"),
              std::string::npos);
    EXPECT_NE(messageOf([](ContactProblem& p) {
                  std::get<BodyContacts>(p.contacts).inverseMass.assign(4, 0.0);
              }).find("nothing there can move"),
              std::string::npos);
}

}  // namespace
}  // namespace talus
