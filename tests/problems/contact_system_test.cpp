#include "solvers/linear/contact_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "problems/problem_collection.hpp"

namespace talus {
namespace {

Eigen::MatrixXd denseOf(const ContactProblem& p) {
    const std::vector<Mat3> blocks = std::visit([](const auto& op) { return denseMatrix(op); }, p.contacts);
    const auto n = static_cast<Eigen::Index>(p.contactCount());
    Eigen::MatrixXd w(3 * n, 3 * n);
    for (Eigen::Index i = 0; i < 3 * n; ++i) {
        for (Eigen::Index j = 0; j < 3 * n; ++j) {
            w(i, j) = blocks[static_cast<std::size_t>(i / 3 * n + j / 3)](int(i % 3), int(j % 3));
        }
    }
    return w;
}

// Stiffnesses as they occur: regular, along one direction, none; not symmetric if asked for.
std::vector<Mat3> someStiffness(std::size_t n, Symmetry symmetry, bool regular) {
    Random random(5, 0);
    std::vector<Mat3> s(n);
    for (std::size_t i = 0; i < n; ++i) {
        Mat3 a;
        for (double& entry : a.m) entry = random.uniform(-1, 1);
        s[i] = 0.5 * identity3() + a * transpose(a);
        if (symmetry == Symmetry::general) s[i](1, 0) += 0.3;
        if (!regular && i % 3 == 1) s[i] = Mat3{};
        if (!regular && i % 3 == 2) s[i] = diagonal3({2, 0, 0});
    }
    return s;
}

void expectSolution(const NamedProblem& named, Symmetry symmetry, bool regular) {
    const ContactProblem& p = named.problem;
    const std::size_t n = p.contactCount();
    const std::vector<Mat3> s = someStiffness(n, symmetry, regular);
    std::vector<ContactStiffness> stiffness(n);
    std::vector<Mat3> compliance(n);
    for (std::size_t i = 0; i < n; ++i) {
        stiffness[i] = {s[i]};
        compliance[i] = inverse(s[i] + 1e-10 * identity3());
    }
    ContactSystem system;
    system.load(p);
    ASSERT_TRUE(system.factorise(stiffness, compliance, symmetry)) << named.name;
    std::vector<Vec3> right(n), x;
    Random random(9, 0);
    for (Vec3& r : right) r = random.inBox({-1, -1, -1}, {1, 1, 1});
    system.solve(right, x);

    // (1 + S W) x = S r, the plain way
    const auto size = static_cast<Eigen::Index>(3 * n);
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd r(size);
    for (Eigen::Index i = 0; i < size; ++i) {
        r[i] = right[static_cast<std::size_t>(i / 3)][int(i % 3)];
        for (int k = 0; k < 3; ++k) dense(i, i / 3 * 3 + k) = s[static_cast<std::size_t>(i / 3)](int(i % 3), k);
    }
    const Eigen::VectorXd expected =
        (Eigen::MatrixXd::Identity(size, size) + dense * denseOf(p)).partialPivLu().solve(dense * r);
    for (Eigen::Index i = 0; i < size; ++i) {
        EXPECT_NEAR(x[static_cast<std::size_t>(i / 3)][int(i % 3)], expected[i], 1e-8) << named.name << " entry " << i;
    }
}

TEST(ContactSystem, SolvesWhatDenseAlgebraSolves) {
    for (const NamedProblem& problem : everyProblem()) {
        if (problem.name.find("frictionless") != std::string::npos) continue;  // their tangents are left out
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
            for (const bool regular : {true, false}) expectSolution(problem, symmetry, regular);
        }
    }
}

TEST(ContactSystem, LeavesOutRotationsWithoutFriction) {
    ContactSystem system;
    system.load(makeSmallPile(0));
    const std::uint64_t nodes = system.factors().nodes;
    system.load(makeSmallPile(0.5));
    EXPECT_EQ(system.factors().nodes, nodes);
    ContactProblem p = makeSmallPile(0);
    std::vector<ContactStiffness> s(p.contactCount(), {diagonal3({1, 0, 0})});
    std::vector<Mat3> c(p.contactCount(), diagonal3({1, 1e12, 1e12}));
    ContactSystem small, large;
    small.load(p);
    ASSERT_TRUE(small.factorise(s, c, Symmetry::symmetric));
    large.load(makeSmallPile(0.5));
    ASSERT_TRUE(large.factorise(s, c, Symmetry::symmetric));
    EXPECT_LT(3 * small.factors().bytes, large.factors().bytes);
}

// Of a planar scene with bodies that are no spheres.
TEST(ContactSystem, HasSmallBlocksWhereBodiesMoveInAPlane) {
    ContactProblem p = makeSmallPile(0.5);
    BodyContacts spheres = std::get<BodyContacts>(p.contacts);
    p.contacts = asBlocks(spheres);
    ContactSystem space, plane;
    const std::vector<ContactStiffness> s(p.contactCount(), {identity3()});
    const std::vector<Mat3> c(p.contactCount(), identity3());
    space.load(p);
    ASSERT_TRUE(space.factorise(s, c, Symmetry::symmetric));
    spheres.linearFreedom = {1, 1, 0};
    spheres.angularFreedom = {0, 0, 1};
    p.contacts = asBlocks(spheres);
    plane.load(p);
    ASSERT_TRUE(plane.factorise(s, c, Symmetry::symmetric));
    EXPECT_LT(3 * plane.factors().bytes, space.factors().bytes);
    expectSolution({"planar", p}, Symmetry::symmetric, true);
    expectSolution({"planar", p}, Symmetry::general, false);
}

// A grain that touches its own image across a periodic border: both sides of the contact are one body.
TEST(ContactSystem, TakesABodyThatTouchesItself) {
    BodyContacts contacts;
    contacts.inverseMass = {1.0, 0.0};
    contacts.inverseInertia = {2.5, 0.0};
    contacts.contacts = {{{1, 0, 0}, 1, 1, 0, 0}, {{0, 0, 1}, 1, 0, 0, 1}};
    contacts.finish();
    ContactProblem p;
    p.contacts = contacts;
    p.sets.assign(2, ReactionSet::coulomb(0.5));
    p.offset.assign(2, {-1, 0.2, 0});
    expectSolution({"own image", p}, Symmetry::symmetric, true);
}

}  // namespace
}  // namespace talus
