#include "solvers/compatible/compatible.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <filesystem>

#include "io/fclib/fclib.hpp"
#include "problems/problem_collection.hpp"
#include "source_folder.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// A bar of mass 3 kg along x on supports at given places, one step of a fall at 1 m/s.
ContactProblem makeBar(const std::vector<double>& places, double friction, const std::vector<double>& stiffness) {
    BodyContacts contacts;
    MassBlock inverseMass{};
    for (int k = 0; k < 6; ++k) inverseMass[7 * k] = k < 3 ? 1.0 / 3 : 0.5;
    contacts.addBody(inverseMass);
    ContactProblem p;
    for (std::size_t i = 0; i < places.size(); ++i) {
        // Normal z, tangents x and y; the arm is (place, 0, -0.1): v + w x arm.
        const double x = places[i], z = -0.1;
        BlockRow c{.a = 0};
        c.blockA = {0, 0, 1, 0,  -x, 0,   //
                    1, 0, 0, 0,  z,  0,   //
                    0, 1, 0, -z, 0,  x};  //
        contacts.add(c);
        p.sets.push_back(ReactionSet::coulomb(friction));
        p.offset.push_back({-1, 0, 0});
        p.compliance.push_back((1 / stiffness[i]) * identity3());
    }
    contacts.finish();
    p.contacts = contacts;
    return p;
}

const SolverSettings tight{.law = FrictionLaw::associated, .tolerance = 1e-8, .maxIterations = 200};

TEST(CompatibleReactions, ShareALoadBySupportsOfOneStiffnessAlike) {
    for (const double friction : {0.0, 0.5}) {
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            SolverSettings s = tight;
            s.law = law;
            std::vector<Vec3> g;
            const SolveReport report = solveCompatible(makeBar({-1, 0, 1}, friction, {1, 1, 1}), s, g);
            EXPECT_EQ(nameOf(report.status), "converged");
            EXPECT_LT(report.residuals.naturalMap, 1e-7);
            for (const Vec3& one : g) EXPECT_NEAR(one.x, 1, 1e-6) << friction;
        }
    }
}

// Settlement is the same at each support: reactions are as the stiffnesses.
TEST(CompatibleReactions, ShareALoadInProportionToStiffness) {
    std::vector<Vec3> g;
    solveCompatible(makeBar({-1, 0, 1}, 0, {1, 4, 1}), tight, g);
    EXPECT_NEAR(g[0].x, 0.5, 1e-6);
    EXPECT_NEAR(g[1].x, 2.0, 1e-6);
    EXPECT_NEAR(g[2].x, 0.5, 1e-6);
}

TEST(CompatibleReactions, DependOnRatiosOfStiffnessOnly) {
    std::vector<Vec3> soft, stiff;
    solveCompatible(makeBar({-1, 0.2, 0.9, 1}, 0.3, {1, 2, 3, 4}), tight, soft);
    solveCompatible(makeBar({-1, 0.2, 0.9, 1}, 0.3, {1e6, 2e6, 3e6, 4e6}), tight, stiff);
    EXPECT_LT(largestDifference(soft, stiff), 1e-6);
}

// Without friction, and with all contacts loaded: the least sum of g^2/k with the same momentum, by dense algebra.
TEST(CompatibleReactions, AreTheLeastOfAllThatGiveTheSameMotion) {
    const std::vector<double> places{-1, -0.4, 0.3, 0.8, 1}, stiffness{1, 3, 2, 5, 1};
    std::vector<Vec3> g;
    solveCompatible(makeBar(places, 0, stiffness), tight, g);
    Eigen::MatrixXd balance(2, 5);
    Eigen::VectorXd k(5);
    for (int i = 0; i < 5; ++i) {
        balance(0, i) = 1;
        balance(1, i) = places[static_cast<std::size_t>(i)];
        k[i] = stiffness[static_cast<std::size_t>(i)];
    }
    const Eigen::Vector2d load(3, 0);
    const Eigen::VectorXd expected =
        k.asDiagonal() * balance.transpose() * (balance * k.asDiagonal() * balance.transpose()).inverse() * load;
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(g[static_cast<std::size_t>(i)].x, expected[i], 1e-6);
}

// Whatever became of the two solves: only what solves the rigid problem is called so.
TEST(CompatibleReactions, OfSavedProblemsAreCalledConvergedOnlyIfTheySolveThem) {
    for (const char* name : {"OneObject-i100000-499", "BoxesStack1-i100000-32"}) {
        const ContactProblem rigid =
            readFclib(sourceFolder() / "tests/problems/data" / (std::string(name) + ".hdf5")).problem;
        for (const double power : {2.0, 2.5}) {
            for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
                CompatibleSolver solver({.power = power, .tolerance = 1e-6, .law = law});
                std::vector<Vec3> g(rigid.contactCount());
                const CompatibleReport report =
                    solver.replace(rigid, std::vector<RelativeStiffness>(rigid.contactCount()), g);
                const double residual = measureResiduals(rigid, law, g).naturalMap;
                EXPECT_EQ(report.solve.residuals.naturalMap, residual) << name;
                const bool isConverged = report.solve.status == SolveStatus::converged;
                EXPECT_TRUE(!isConverged || residual <= 1e-6) << name << ' ' << power << ' ' << residual;
            }
        }
    }
}

TEST(CompatibleReactions, AreNoneWhereNothingIsLoaded) {
    ContactProblem rising = makeBar({-1, 0, 1}, 0.5, {1, 2, 3});
    for (Vec3& b : rising.offset) b.x = 1;
    for (const double power : {2.0, 2.5}) {
        std::vector<Vec3> g;
        const SolveReport report = solveCompatible(rising, tight, g, power);
        EXPECT_EQ(nameOf(report.status), "converged") << power;
        for (const Vec3& one : g) EXPECT_EQ(one, Vec3{}) << power;
    }
}

TEST(CompatibleReactions, NeedACompliance) {
    std::vector<Vec3> g;
    EXPECT_THROW(solveCompatible(makeSmallPile(0.5), tight, g), InputError);
}

}  // namespace
}  // namespace talus
