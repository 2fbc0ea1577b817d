// Contact problems from files: every form and storage gives the problem that the numbers in the file say.
#include <gtest/gtest.h>

#include "io/fclib/fclib.hpp"
#include "problem/residual.hpp"
#include "source_folder.hpp"
#include "unit/fclib_samples.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using namespace fclib_samples;
using output_samples::TemporaryFolder;

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
        const VectorXd r = randomVector(q.size(), 100 + k), expected = w * r + q;
        EXPECT_LT((velocitiesOf(file, r) - expected).norm(), 1e-11 * expected.norm());
    }
}

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
    const std::filesystem::path folder = sourceFolder() / "tests/problems/data";
    EXPECT_EQ(readFclib(folder / "BoxesStack1-i100000-32.hdf5").problem.contactCount(), 52u);
    EXPECT_EQ(readFclib(folder / "NESpheres_30_1.hdf5").info.title, "NESpheres");
}

}  // namespace
}  // namespace talus
