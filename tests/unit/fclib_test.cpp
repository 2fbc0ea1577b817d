#include "problem/fclib/fclib.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <limits>

#include "base/hdf5_file.hpp"
#include "base/random.hpp"
#include "problem/residual.hpp"
#include "talus/error.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using output_samples::contentOf;
using output_samples::filesIn;
using output_samples::TemporaryFolder;

// --- files by hand --------------------------------------------------------------------------------------------------

enum class Form { triplets = 0, columns = -1, rows = -2 };

void put(Hdf5File& file, const std::string& name, std::vector<std::int32_t> values) {
    file.remove(name);
    file.writeDataset(name, H5T_NATIVE_INT32, {values.size(), 1}, values.data());
}

void put(Hdf5File& file, const std::string& name, const VectorXd& values) {
    file.remove(name);
    file.writeDataset(name, H5T_NATIVE_DOUBLE, {static_cast<std::uint64_t>(values.size()), 1}, values.data());
}

void putLines(Hdf5File& file, const std::string& group, const MatrixXd& a, bool byRow) {
    std::vector<std::int32_t> start{0}, index;
    std::vector<double> value;
    for (int line = 0; line < (byRow ? a.rows() : a.cols()); ++line) {
        for (int k = 0; k < (byRow ? a.cols() : a.rows()); ++k) {
            const double x = byRow ? a(line, k) : a(k, line);
            if (x == 0) continue;
            index.push_back(k);
            value.push_back(x);
        }
        start.push_back(static_cast<std::int32_t>(index.size()));
    }
    put(file, group + "/nz", {byRow ? -2 : -1});
    put(file, group + "/p", start);
    put(file, group + "/i", index);
    put(file, group + "/x", Eigen::Map<VectorXd>(value.data(), static_cast<Eigen::Index>(value.size())));
}

// Each entry in two halves, and three more behind the end that nobody should look at.
void putTriplets(Hdf5File& file, const std::string& group, const MatrixXd& a) {
    std::vector<std::int32_t> row, column;
    std::vector<double> value;
    for (int half = 0; half < 2; ++half) {
        for (int k = 0; k < a.size(); ++k) {
            const int i = k / static_cast<int>(a.cols()), j = k % static_cast<int>(a.cols());
            if (a(i, j) == 0) continue;
            row.push_back(i);
            column.push_back(j);
            value.push_back(0.5 * a(i, j));
        }
    }
    put(file, group + "/nz", {static_cast<std::int32_t>(value.size())});
    for (int k = 0; k < 3; ++k) {
        row.push_back(-7);
        column.push_back(1'000'000);
        value.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    put(file, group + "/p", column);
    put(file, group + "/i", row);
    put(file, group + "/x", Eigen::Map<VectorXd>(value.data(), static_cast<Eigen::Index>(value.size())));
}

void put(Hdf5File& file, const std::string& group, const MatrixXd& a, Form form) {
    put(file, group + "/m", {static_cast<std::int32_t>(a.rows())});
    put(file, group + "/n", {static_cast<std::int32_t>(a.cols())});
    put(file, group + "/nzmax", {static_cast<std::int32_t>(3 * a.size())});
    if (form == Form::triplets) return putTriplets(file, group, a);
    putLines(file, group, a, form == Form::rows);
}

MatrixXd randomMatrix(int rows, int columns, std::uint64_t stream) {
    Random random(11, stream);
    MatrixXd a(rows, columns);
    for (double& x : a.reshaped()) x = 2 * random.uniform() - 1;
    return a;
}

VectorXd randomVector(int size, std::uint64_t stream) { return randomMatrix(size, 1, stream); }

MatrixXd randomSymmetric(int size, std::uint64_t stream) {
    const MatrixXd a = randomMatrix(size, size, stream);
    return a * a.transpose() + MatrixXd::Identity(size, size);
}

struct LocalSample {
    int dimension = 3;
    MatrixXd w = randomSymmetric(9, 1), v, r;
    VectorXd q = randomVector(9, 2), mu = VectorXd::Constant(3, 0.4), s;

    void writeTo(const fs::path& path, Form form = Form::rows) const {
        Hdf5File file = Hdf5File::create(path, 0);
        put(file, "/fclib_local/spacedim", std::vector<std::int32_t>{dimension});
        put(file, "/fclib_local/W", w, form);
        put(file, "/fclib_local/vectors/q", q);
        put(file, "/fclib_local/vectors/mu", mu);
        if (r.size() > 0) {
            put(file, "/fclib_local/V", v, form);
            put(file, "/fclib_local/R", r, form);
            put(file, "/fclib_local/vectors/s", s);
        }
        file.close();
    }
};

struct GlobalSample {
    int dimension = 3;
    MatrixXd m, h, g;
    VectorXd f, w, mu, b;

    void writeTo(const fs::path& path, Form form = Form::rows) const {
        Hdf5File file = Hdf5File::create(path, 0);
        put(file, "/fclib_global/spacedim", std::vector<std::int32_t>{dimension});
        put(file, "/fclib_global/M", m, form);
        put(file, "/fclib_global/H", h, form);
        put(file, "/fclib_global/vectors/f", f);
        put(file, "/fclib_global/vectors/w", w);
        put(file, "/fclib_global/vectors/mu", mu);
        if (g.size() > 0) {
            put(file, "/fclib_global/G", g, form);
            put(file, "/fclib_global/vectors/b", b);
        }
        file.close();
    }

    MatrixXd both() const {
        MatrixXd result(h.rows(), h.cols() + g.cols());
        result.leftCols(h.cols()) = h;
        if (g.size() > 0) result.rightCols(g.cols()) = g;
        return result;
    }
    MatrixXd delassus() const { return both().transpose() * m.inverse() * both(); }
    VectorXd offset() const {
        VectorXd tail(w.size() + b.size());
        tail << w, b;
        return both().transpose() * m.inverse() * f + tail;
    }
};

// Bodies with full mass blocks; contact k touches bodies k and k + 1.
GlobalSample chain(int bodies, int freedoms, int dimension) {
    GlobalSample s{.dimension = dimension};
    const int contacts = bodies - 1;
    s.m = MatrixXd::Zero(bodies * freedoms, bodies * freedoms);
    for (int i = 0; i < bodies; ++i)
        s.m.block(i * freedoms, i * freedoms, freedoms, freedoms) = randomSymmetric(freedoms, i);
    s.h = MatrixXd::Zero(bodies * freedoms, contacts * dimension);
    for (int k = 0; k < contacts; ++k) {
        s.h.block(k * freedoms, k * dimension, 2 * freedoms, dimension) = randomMatrix(2 * freedoms, dimension, 50 + k);
    }
    s.f = randomVector(bodies * freedoms, 3);
    s.w = randomVector(contacts * dimension, 4);
    s.mu = VectorXd::Constant(contacts, 0.3);
    return s;
}

// --- what a problem computes ----------------------------------------------------------------------------------------

// u of reactions given by rows of the file, as rows of the file.
VectorXd velocitiesOf(const FclibFile& file, const VectorXd& reactions) {
    std::vector<Vec3> u;
    relativeVelocities(file.problem, file.layout.toBlocks({reactions.begin(), reactions.end()}), u);
    const std::vector<double> rows = file.layout.toRows(u);
    return Eigen::Map<const VectorXd>(rows.data(), static_cast<Eigen::Index>(rows.size()));
}

void expectLinear(const FclibFile& file, const MatrixXd& w, const VectorXd& q) {
    ASSERT_EQ(file.layout.rows(), static_cast<std::size_t>(q.size()));
    for (std::uint64_t k = 0; k < 3; ++k) {
        const VectorXd r = randomVector(static_cast<int>(q.size()), 100 + k), expected = w * r + q;
        EXPECT_LT((velocitiesOf(file, r) - expected).norm(), 1e-11 * expected.norm());
    }
}

std::string inputErrorOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

// Two spheres on a floor and one on top of them.
ContactProblem pile() {
    SphereContacts c;
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

// --- reading --------------------------------------------------------------------------------------------------------

TEST(FclibLocal, AllSparseFormsGiveTheSameProblem) {
    const TemporaryFolder folder;
    LocalSample sample;
    sample.w(0, 7) = sample.w(7, 0) = 0;
    for (const Form form : {Form::rows, Form::columns, Form::triplets}) {
        sample.writeTo(folder / "p.hdf5", form);
        const FclibFile file = readFclib(folder / "p.hdf5");
        EXPECT_EQ(file.form, FclibForm::local);
        EXPECT_EQ(file.problem.sets, std::vector<ReactionSet>(3, ReactionSet::coulomb(0.4)));
        expectLinear(file, sample.w, sample.q);
    }
}

TEST(FclibLocal, KeepsAMatrixThatIsNotQuiteSymmetric) {
    const TemporaryFolder folder;
    LocalSample sample;
    sample.w(2, 5) *= 1.01;
    for (const Form form : {Form::rows, Form::columns, Form::triplets}) {
        sample.writeTo(folder / "p.hdf5", form);
        expectLinear(readFclib(folder / "p.hdf5"), sample.w, sample.q);
    }
}

TEST(FclibLocal, APlanarProblemGetsASecondTangentThatTouchesNothing) {
    const TemporaryFolder folder;
    LocalSample sample{.dimension = 2, .w = randomSymmetric(8, 7), .q = randomVector(8, 8), .mu = VectorXd::Ones(4)};
    sample.writeTo(folder / "p.hdf5");
    const FclibFile file = readFclib(folder / "p.hdf5");
    expectLinear(file, sample.w, sample.q);
    EXPECT_NEAR(meanDiagonal(file.problem), sample.w.trace() / 8, 1e-14 * sample.w.trace());
    std::vector<Vec3> u;
    relativeVelocities(file.problem, file.layout.toBlocks(std::vector<double>(8, 1.0)), u);
    for (const Vec3& velocity : u) EXPECT_EQ(velocity.z, 0);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(file.problem.diagonal(i)(2, 2), 0);
}

TEST(FclibLocal, BilateralRowsBecomeFreeContacts) {
    const TemporaryFolder folder;
    const MatrixXd all = randomSymmetric(13, 21);
    LocalSample sample{.w = all.topLeftCorner(9, 9), .v = all.topRightCorner(9, 4), .r = all.bottomRightCorner(4, 4)};
    sample.s = randomVector(4, 22);
    for (const Form form : {Form::rows, Form::columns, Form::triplets}) {
        sample.writeTo(folder / "p.hdf5", form);
        const FclibFile file = readFclib(folder / "p.hdf5");
        ASSERT_EQ(file.problem.contactCount(), 5u);
        EXPECT_FALSE(file.problem.sets[2].bilateral);
        EXPECT_TRUE(file.problem.sets[3].bilateral && file.problem.sets[4].bilateral);
        VectorXd offset(13);
        offset << sample.q, sample.s;
        expectLinear(file, all, offset);
        // One real row and two that are filled in.
        EXPECT_EQ(file.problem.diagonal(4), diagonal3({all(12, 12), all(12, 12), all(12, 12)}));
    }
}

TEST(FclibGlobal, BodiesOfSixOrThreeFreedomsStayBodies) {
    const TemporaryFolder folder;
    for (const int freedoms : {6, 3}) {
        for (const int dimension : {3, 2}) {
            const GlobalSample sample = chain(5, freedoms, dimension);
            for (const Form form : {Form::rows, Form::columns, Form::triplets}) {
                sample.writeTo(folder / "p.hdf5", form);
                const FclibFile file = readFclib(folder / "p.hdf5");
                EXPECT_EQ(file.form, FclibForm::global);
                EXPECT_TRUE(std::holds_alternative<BodyContacts>(file.problem.contacts)) << freedoms;
                expectLinear(file, sample.delassus(), sample.offset());
                EXPECT_GT(file.problem.diagonal(0)(2, 2), 0);
            }
        }
    }
}

TEST(FclibGlobal, AContactOfThreeBodiesNeedsTheMatrix) {
    const TemporaryFolder folder;
    GlobalSample sample = chain(5, 6, 3);
    sample.h(29, 0) = 0.5;
    sample.writeTo(folder / "p.hdf5");
    const FclibFile file = readFclib(folder / "p.hdf5");
    EXPECT_TRUE(std::holds_alternative<BlockMatrix>(file.problem.contacts));
    expectLinear(file, sample.delassus(), sample.offset());
}

TEST(FclibGlobal, AMassMatrixThatCouplesBodiesNeedsTheMatrix) {
    const TemporaryFolder folder;
    GlobalSample sample = chain(4, 6, 3);
    sample.m(0, 20) = sample.m(20, 0) = 0.1;
    sample.writeTo(folder / "p.hdf5");
    const FclibFile file = readFclib(folder / "p.hdf5");
    EXPECT_TRUE(std::holds_alternative<BlockMatrix>(file.problem.contacts));
    expectLinear(file, sample.delassus(), sample.offset());
}

TEST(FclibGlobal, AMassMatrixNeedNotBeSymmetric) {
    const TemporaryFolder folder;
    for (const double coupling : {0.0, 0.1}) {
        GlobalSample sample = chain(4, 6, 3);
        sample.m(0, 1) += 0.05;
        sample.m(0, 20) = coupling;
        sample.writeTo(folder / "p.hdf5");
        expectLinear(readFclib(folder / "p.hdf5"), sample.delassus(), sample.offset());
    }
}

TEST(FclibGlobal, BilateralRowsJoinTheMatrix) {
    const TemporaryFolder folder;
    for (const int dimension : {3, 2}) {
        GlobalSample sample = chain(4, 6, dimension);
        sample.g = randomMatrix(24, 4, 31);
        sample.b = randomVector(4, 32);
        sample.writeTo(folder / "p.hdf5");
        const FclibFile file = readFclib(folder / "p.hdf5");
        EXPECT_TRUE(std::holds_alternative<BlockMatrix>(file.problem.contacts));
        EXPECT_EQ(file.problem.contactCount(), 5u);
        EXPECT_TRUE(file.problem.sets[4].bilateral);
        expectLinear(file, sample.delassus(), sample.offset());
    }
}

TEST(Fclib, AProblemWithoutContactsIsAProblem) {
    const TemporaryFolder folder;
    LocalSample sample{.w = MatrixXd(0, 0), .q = VectorXd(0), .mu = VectorXd(0)};
    sample.writeTo(folder / "p.hdf5");
    EXPECT_EQ(readFclib(folder / "p.hdf5").problem.contactCount(), 0u);
}

TEST(Fclib, ProblemsOfOtherProgramsAreRead) {
    const fs::path folder = fs::path(TALUS_SOURCE_DIR) / "tests/problems/data";
    EXPECT_EQ(readFclib(folder / "BoxesStack1-i100000-32.hdf5").problem.contactCount(), 52u);
    EXPECT_EQ(readFclib(folder / "NESpheres_30_1.hdf5").info.title, "NESpheres");
}

// --- writing --------------------------------------------------------------------------------------------------------

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
    auto& contacts = std::get<SphereContacts>(problem.contacts);
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
    EXPECT_FALSE(fs::exists(folder / "p.hdf5"));
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
        writeFclibSolution(folder / (twice == 0 ? "a.hdf5" : "b.hdf5"), file, reactions, folder / "b.hdf5");
    }
    EXPECT_EQ(contentOf(folder / "a.hdf5"), before);
    EXPECT_EQ(readFclib(folder / "b.hdf5").solution, reactions);

    const Hdf5File written = Hdf5File::openToRead(folder / "b.hdf5");
    VectorXd u(9), v(24), l(2);
    written.readDataset("/solution/u", H5T_NATIVE_DOUBLE, u.data());
    written.readDataset("/solution/v", H5T_NATIVE_DOUBLE, v.data());
    written.readDataset("/solution/l", H5T_NATIVE_DOUBLE, l.data());
    EXPECT_EQ(l, rows.tail(2));
    EXPECT_LT((sample.m * v - sample.both() * rows - sample.f).norm(), 1e-11 * v.norm());
    EXPECT_LT((u - sample.h.transpose() * v - sample.w).norm(), 1e-11 * u.norm());
}

// --- damaged files --------------------------------------------------------------------------------------------------

class DamagedFclib : public testing::Test {
protected:
    std::string errorAfter(const std::function<void(Hdf5File&)>& damage) {
        Hdf5File file = Hdf5File::openToChange(path);
        damage(file);
        file.close();
        return errorOfReading();
    }
    std::string errorOfReading() {
        return inputErrorOf([&] { readFclib(path); });
    }
    void expectRefused(const std::function<void(Hdf5File&)>& damage, const std::vector<std::string>& words) {
        LocalSample().writeTo(path);
        check(errorAfter(damage), words);
    }
    void expectGlobalRefused(const std::function<void(Hdf5File&)>& damage, const std::vector<std::string>& words) {
        chain(4, 6, 3).writeTo(path);
        check(errorAfter(damage), words);
    }
    void check(const std::string& message, std::vector<std::string> words) {
        words.push_back("p.hdf5");
        for (const std::string& word : words)
            EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
    }

    static void set(Hdf5File& file, const std::string& name, std::vector<std::int32_t> values) {
        put(file, name, values);
    }
    static void set(Hdf5File& file, const std::string& name, const VectorXd& values) { put(file, name, values); }

    TemporaryFolder folder;
    fs::path path = folder / "p.hdf5";
    const std::string in = "/fclib_local/";
};

TEST_F(DamagedFclib, NothingThere) {
    check(errorOfReading(), {"no such file"});
    fs::create_directory(path);
    check(errorOfReading(), {"not a file"});
}

TEST_F(DamagedFclib, NoHdf5) {
    std::ofstream(path) << "a text";
    check(errorOfReading(), {"HDF5"});
    std::ofstream(path, std::ios::trunc) << "";
    check(errorOfReading(), {"HDF5"});
}

TEST_F(DamagedFclib, CutOffAnywhere) {
    LocalSample().writeTo(path);
    const std::string whole = contentOf(path);
    for (std::size_t size = 0; size + 1 < whole.size(); size += 97) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
        check(errorOfReading(), {});
    }
}

TEST_F(DamagedFclib, WithoutAPart) {
    for (const char* name : {"spacedim", "W/m", "W/n", "W/nz", "W/p", "W/i", "W/x", "vectors/q", "vectors/mu"}) {
        expectRefused([&](Hdf5File& f) { f.remove(in + name); }, {in + name, "missing"});
    }
    expectRefused([&](Hdf5File& f) { f.remove("/fclib_local"); }, {"fclib_local", "fclib_global"});
    for (const char* name : {"M/x", "H/p", "vectors/f", "vectors/w", "vectors/mu"}) {
        const std::string full = std::string("/fclib_global/") + name;
        expectGlobalRefused([&](Hdf5File& f) { f.remove(full); }, {full, "missing"});
    }
}

TEST_F(DamagedFclib, RollingFriction) {
    expectRefused(
        [&](Hdf5File& f) {
            f.remove("/fclib_local");
            set(f, "/fclib_global_rolling/spacedim", std::vector<std::int32_t>{5});
        },
        {"fclib_global_rolling", "not supported"});
}

TEST_F(DamagedFclib, WrongSizes) {
    using Integers = std::vector<std::int32_t>;
    expectRefused([&](Hdf5File& f) { set(f, in + "spacedim", Integers{4}); }, {"spacedim", "2 or 3", "4"});
    expectRefused([&](Hdf5File& f) { set(f, in + "spacedim", Integers{3, 3}); }, {"spacedim", "single"});
    expectRefused([&](Hdf5File& f) { set(f, in + "spacedim", Integers{2}); }, {"vectors/q", "9", "6"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/m", Integers{8}); }, {"W/m", "8", "9"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/n", Integers{2147483647}); }, {"W/n", "2147483647"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/m", Integers{-9}); }, {"W/m", "-9"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/nz", Integers{-3}); }, {"W/nz", "-3"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/nz", Integers{2147483647}); }, {"W/i", "81", "2147483647"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/x", VectorXd(VectorXd::Ones(80))); }, {"W/x", "80", "81"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", Integers{0, 1}); }, {"W/p", "2", "10"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/q", VectorXd(VectorXd::Ones(10))); },
                  {"vectors/q", "10", "9"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/mu", VectorXd(VectorXd::Ones(2))); }, {"vectors/q"});
    expectRefused([&](Hdf5File& f) { set(f, "/solution/r", VectorXd(VectorXd::Ones(2))); }, {"/solution/r", "2", "9"});
    expectRefused([&](Hdf5File& f) { set(f, "/guesses/number_of_guesses", Integers{2147483647}); }, {"/guesses/1/r"});
}

TEST_F(DamagedFclib, WrongIndices) {
    using Integers = std::vector<std::int32_t>;
    Integers start(10), index(81);
    for (int k = 0; k < 10; ++k) start[k] = 9 * k;
    for (int k = 0; k < 81; ++k) index[k] = k % 9;
    const auto with = [](Integers values, int place, int value) { return values[place] = value, values; };
    expectRefused([&](Hdf5File& f) { set(f, in + "W/i", with(index, 17, 9)); }, {"W/i[17]", "9"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/i", with(index, 17, -1)); }, {"W/i[17]", "-1"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", with(start, 0, 1)); }, {"W/p", "1"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", with(start, 4, 50)); }, {"W/p", "falls"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", with(start, 9, 2147483646)); }, {"W/i", "2147483646"});
}

TEST_F(DamagedFclib, WrongNumbers) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const auto with = [](VectorXd values, int place, double value) { return values[place] = value, values; };
    const VectorXd x = randomSymmetric(9, 1).reshaped(), q = VectorXd::Ones(9), mu = VectorXd::Ones(3);
    expectRefused([&](Hdf5File& f) { set(f, in + "W/x", with(x, 3, nan)); }, {"W/x[3]", "finite"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/q", with(q, 8, inf)); }, {"vectors/q[8]", "finite"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/mu", with(mu, 1, -0.5)); }, {"vectors/mu[1]", "-0.5"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/mu", with(mu, 1, nan)); }, {"vectors/mu[1]", "finite"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/x", VectorXd(VectorXd::Zero(81))); }, {"contact 0", "diagonal"});
    expectGlobalRefused([&](Hdf5File& f) { set(f, "/fclib_global/M/x", VectorXd(VectorXd::Zero(144))); },
                        {"/M", "definite"});
}

TEST_F(DamagedFclib, WrongKinds) {
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", VectorXd(VectorXd::Ones(10))); }, {"W/p", "type"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/q", std::vector<std::int32_t>(9)); }, {"vectors/q", "type"});
    expectRefused(
        [&](Hdf5File& f) {
            f.remove(in + "vectors/q");
            set(f, in + "vectors/q/inner", std::vector<std::int32_t>(9));
        },
        {"vectors/q", "not a dataset"});
    expectRefused(
        [&](Hdf5File& f) {
            f.writeDataset(in + "V/m", H5T_NATIVE_INT32, {1, 1}, std::vector<int>{9}.data());
        },
        {"/V", "/R"});
}

}  // namespace
}  // namespace talus
