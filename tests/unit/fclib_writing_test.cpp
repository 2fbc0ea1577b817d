// Contact problems to files: what is written is read back as the same problem.
#include <gtest/gtest.h>

#include "io/fclib/fclib.hpp"
#include "unit/fclib_samples.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using namespace fclib_samples;
using output_samples::contentOf;
using output_samples::filesIn;
using output_samples::TemporaryFolder;

// Two spheres on a floor and one on top of them.
ContactProblem pile() {
    BodyContacts c;
    c.inverseMass = {0, 1 / 0.5, 1 / 0.7, 1 / 0.2};
    c.inverseInertia = {0, 1 / 0.02, 1 / 0.03, 1 / 0.01};
    c.contacts = {{{0, 0, 1}, 0.1, 0, 1, 0},
                  {{0, 0, 1}, 0.1, 0, 2, 0},
                  {normalized(Vec3{1, 0.1, 1.5}), 0.08, 0.1, 3, 1},
                  {normalized(Vec3{-1, 0.2, 1.5}), 0.08, 0.1, 3, 2}};
    c.finish();
    ContactProblem p;
    p.contacts = std::move(c);
    for (int k = 0; k < 4; ++k) {
        p.sets.push_back(ReactionSet::coulomb(0.2 + 0.1 * k));
        p.offset.push_back({-0.1 - k, 0.01 * k, 0.3});
    }
    return p;
}

Reactions someReactions(std::size_t count) {
    Random random(5, 0);
    Reactions g(count);
    for (Vec3& x : g) x = random.inBox({0, -1, -1}, {2, 1, 1});
    return g;
}

void expectSameVelocities(const ContactProblem& a, const ContactProblem& b, double tolerance) {
    ASSERT_EQ(a.contactCount(), b.contactCount());
    std::vector<Vec3> u, v;
    relativeVelocities(a, someReactions(a.contactCount()), u);
    relativeVelocities(b, someReactions(b.contactCount()), v);
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_LE(norm(u[i] - v[i]), tolerance * norm(u[i]));
}

TEST(Fclib, ALocalFileBringsBackTheSameBits) {
    const TemporaryFolder folder;
    LocalSample sample;
    sample.w(0, 7) = sample.w(7, 0) = 0;
    sample.writeTo(folder / "a.hdf5");
    const ContactProblem problem = readFclib(folder / "a.hdf5").problem;
    const FclibContent content{.info = {"a title", "what it is", "unique"},
                               .guesses = {someReactions(3), Reactions(3)},
                               .solution = someReactions(3)};
    writeFclib(folder / "b.hdf5", problem, content);
    const FclibFile file = readFclib(folder / "b.hdf5");
    const auto &a = std::get<BlockMatrix>(problem.contacts), &b = std::get<BlockMatrix>(file.problem.contacts);
    EXPECT_EQ(a.rowStart, b.rowStart);
    EXPECT_EQ(a.column, b.column);
    EXPECT_EQ(a.block, b.block);
    EXPECT_EQ(file.problem.offset, problem.offset);
    EXPECT_EQ(file.problem.sets, problem.sets);
    EXPECT_EQ(file.info.title, "a title");
    EXPECT_EQ(file.info.description, "what it is");
    EXPECT_EQ(file.info.mathInfo, "unique");
    EXPECT_EQ(file.guesses, content.guesses);
    EXPECT_EQ(file.solution, content.solution);
    EXPECT_EQ(filesIn(folder.path()), 2u);
}

TEST(Fclib, SpheresKeepTheirMatrixInBothForms) {
    const TemporaryFolder folder;
    const ContactProblem problem = pile();
    for (const FclibForm form : {FclibForm::local, FclibForm::global}) {
        writeFclib(folder / "p.hdf5", problem, {.form = form, .solution = someReactions(4)});
        const FclibFile file = readFclib(folder / "p.hdf5");
        EXPECT_EQ(file.form, form);
        EXPECT_EQ(std::holds_alternative<BodyContacts>(file.problem.contacts), form == FclibForm::global);
        EXPECT_EQ(file.problem.sets, problem.sets);
        EXPECT_EQ(file.solution, someReactions(4));
        expectSameVelocities(problem, file.problem, 1e-13);
    }
}

TEST(Fclib, SpheresAreKnownAgainAsSpheres) {
    const TemporaryFolder folder;
    const ContactProblem problem = pile();
    writeFclib(folder / "a.hdf5", problem, {.form = FclibForm::global});
    const ContactProblem read = readFclib(folder / "a.hdf5").problem;
    const auto &before = std::get<BodyContacts>(problem.contacts), &after = std::get<BodyContacts>(read.contacts);
    ASSERT_TRUE(after.isRound());
    for (std::size_t k = 0; k < problem.contactCount(); ++k) {
        EXPECT_LT(norm(after.contacts[k].normal - before.contacts[k].normal), 1e-12);
        EXPECT_NEAR(after.contacts[k].leverA, before.contacts[k].leverA, 1e-13);
        EXPECT_NEAR(after.contacts[k].leverB, before.contacts[k].leverB, 1e-13);
    }
    expectSameVelocities(problem, read, 1e-12);
}

TEST(Fclib, SpheresOfUnequalInertiaStayBodies) {
    const TemporaryFolder folder;
    ContactProblem problem = pile();
    auto& contacts = std::get<BodyContacts>(problem.contacts);
    BodyContacts bodies;
    for (std::size_t i = 0; i < contacts.bodyCount(); ++i) {
        MassBlock inverse = contacts.inverseMassOf(i);
        inverse[28] *= 1.1;
        i == 0 ? bodies.addFixed() : bodies.addBody(inverse);
    }
    for (const ContactRow& c : contacts.contacts) {
        bodies.add({.normal = c.normal, .armA = -c.leverA * c.normal, .armB = c.leverB * c.normal, .a = c.a, .b = c.b});
    }
    bodies.finish();
    problem.contacts = std::move(bodies);
    writeFclib(folder / "a.hdf5", problem, {.form = FclibForm::global});
    const ContactProblem read = readFclib(folder / "a.hdf5").problem;
    EXPECT_FALSE(std::get<BodyContacts>(read.contacts).isRound());
    expectSameVelocities(problem, read, 1e-12);
}

TEST(Fclib, BodiesWithBilateralContactsKeepTheirMatrixInBothForms) {
    const TemporaryFolder folder;
    const GlobalSample sample = chain(5, 6, 3);
    sample.writeTo(folder / "a.hdf5");
    ContactProblem problem = readFclib(folder / "a.hdf5").problem;
    problem.sets[1] = ReactionSet::free();
    for (const FclibForm form : {FclibForm::local, FclibForm::global}) {
        writeFclib(folder / "b.hdf5", problem, {.form = form, .guesses = {someReactions(4)}});
        const FclibFile file = readFclib(folder / "b.hdf5");
        // The bilateral one comes last.
        const Reactions g = someReactions(4);
        EXPECT_EQ(file.guesses.at(0), (Reactions{g[0], g[2], g[3], g[1]}));
        std::vector<Vec3> u, v;
        relativeVelocities(problem, g, u);
        relativeVelocities(file.problem, file.guesses[0], v);
        for (const auto& [before, after] : {std::pair{0, 0}, {1, 3}, {2, 1}, {3, 2}}) {
            EXPECT_LT(norm(u[before] - v[after]), 1e-11 * norm(u[before]));
        }
    }
}

TEST(Fclib, ComplianceJoinsTheMatrix) {
    const TemporaryFolder folder;
    ContactProblem problem = pile();
    problem.compliance.assign(4, diagonal3({0.3, 0.2, 0.2}));
    writeFclib(folder / "p.hdf5", problem);
    expectSameVelocities(problem, readFclib(folder / "p.hdf5").problem, 1e-13);
    EXPECT_NE(
        inputErrorOf([&] { writeFclib(folder / "q.hdf5", problem, {.form = FclibForm::global}); }).find("compliance"),
        std::string::npos);
}

TEST(Fclib, PlanarSpheresKeepTheirMatrixInBothForms) {
    const TemporaryFolder folder;
    ContactProblem problem = pile();
    auto& contacts = std::get<BodyContacts>(problem.contacts);
    contacts.linearFreedom = {1, 0, 1};
    contacts.angularFreedom = {0, 1, 0};
    problem.offset.assign(4, {-1, 0.5, 0});
    for (const FclibForm form : {FclibForm::local, FclibForm::global}) {
        writeFclib(folder / "p.hdf5", problem, {.form = form});
        expectSameVelocities(problem, readFclib(folder / "p.hdf5").problem, 1e-13);
    }
}

TEST(Fclib, WhatTheFormatCannotExpressIsRefused) {
    const TemporaryFolder folder;
    const ReactionSet sets[] = {ReactionSet::shiftedCone(0.3, 1), ReactionSet::conePlusBall(0.3, 1),
                                ReactionSet::cappedConePlusBall(0.3, 2, 0)};
    const char* words[] = {"cohesion", "ball", "cap"};
    for (int k = 0; k < 3; ++k) {
        ContactProblem problem = pile();
        problem.sets[2] = sets[k];
        const std::string message = inputErrorOf([&] { writeFclib(folder / "p.hdf5", problem); });
        EXPECT_NE(message.find("contact 2"), std::string::npos) << message;
        EXPECT_NE(message.find(words[k]), std::string::npos) << message;
    }
    LocalSample().writeTo(folder / "a.hdf5");
    const ContactProblem noBodies = readFclib(folder / "a.hdf5").problem;
    EXPECT_NE(inputErrorOf([&] { writeFclib(folder / "p.hdf5", noBodies, {.form = FclibForm::global}); }), "");
    EXPECT_FALSE(std::filesystem::exists(folder / "p.hdf5"));
}

TEST(Fclib, ASolutionGoesIntoACopyOfTheProblem) {
    const TemporaryFolder folder;
    GlobalSample sample = chain(4, 6, 3);
    sample.g = randomMatrix(24, 2, 31);
    sample.b = randomVector(2, 32);
    sample.writeTo(folder / "a.hdf5");
    const FclibFile file = readFclib(folder / "a.hdf5");
    EXPECT_FALSE(file.solution);
    const VectorXd rows = randomVector(11, 40);
    const Reactions reactions = file.layout.toBlocks({rows.begin(), rows.end()});
    const std::string before = contentOf(folder / "a.hdf5");
    for (int twice = 0; twice < 2; ++twice) {
        writeFclibSolution(folder / "b.hdf5", file, reactions);
    }
    EXPECT_EQ(contentOf(folder / "a.hdf5"), before);
    EXPECT_EQ(readFclib(folder / "b.hdf5").solution, reactions);

    const Hdf5File written = Hdf5File::openToRead(folder / "b.hdf5");
    VectorXd u(9), v(24), l(2);
    take(written, "/solution/u", u);
    take(written, "/solution/v", v);
    take(written, "/solution/l", l);
    EXPECT_EQ(l, rows.tail(2));
    EXPECT_LT((sample.m * v - sample.both() * rows - sample.f).norm(), 1e-11 * v.norm());
    EXPECT_LT((u - sample.h.transpose() * v - sample.w).norm(), 1e-11 * u.norm());
}

// In the plane, with bilateral rows, from any of the three storages: what was read is what is written.
TEST(Fclib, ASolutionComesWithTheProblemAsItWasRead) {
    const TemporaryFolder folder;
    LocalSample sample{
        .dimension = 2, .w = randomSymmetric(6, 1), .v = randomMatrix(6, 4, 2), .r = randomSymmetric(4, 3)};
    sample.q = randomVector(6, 4);
    sample.s = randomVector(4, 5);
    for (const Form form : {Form::triplets, Form::columns, Form::rows}) {
        sample.writeTo(folder / "a.hdf5", form);
        const FclibFile file = readFclib(folder / "a.hdf5");
        writeFclibSolution(folder / "b.hdf5", file, someReactions(file.problem.contactCount()));
        const FclibFile again = readFclib(folder / "b.hdf5");
        const auto &a = std::get<BlockMatrix>(file.problem.contacts),
                   &b = std::get<BlockMatrix>(again.problem.contacts);
        EXPECT_EQ(a.column, b.column);
        EXPECT_EQ(a.block, b.block);
        EXPECT_EQ(file.problem.offset, again.problem.offset);
        EXPECT_EQ(file.problem.sets, again.problem.sets);
        EXPECT_EQ(again.layout.dimension, 2);
        EXPECT_EQ(again.layout.bilateralRows, 4u);
    }
}

}  // namespace
}  // namespace talus
