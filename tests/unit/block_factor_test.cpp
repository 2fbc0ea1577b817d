#include "solvers/block_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/random.hpp"

namespace talus {
namespace {

// A random graph of nodes, and the matrix with it in blocks of B, dense; diagonally heavy enough to be far from
// singular.
template <int B>
struct RandomMatrix {
    std::vector<BlockPattern::Pair> pairs;
    Eigen::MatrixXd dense;

    RandomMatrix(std::uint32_t nodes, double density, Symmetry symmetry, std::uint64_t seed) {
        Random random(seed, 0);
        dense = Eigen::MatrixXd::Zero(nodes * B, nodes * B);
        const auto fill = [&](std::uint32_t row, std::uint32_t column) {
            for (int k = 0; k < B * B; ++k) dense(row * B + k / B, column * B + k % B) = random.uniform(-1, 1);
        };
        for (std::uint32_t a = 0; a < nodes; ++a) {
            fill(a, a);
            for (std::uint32_t b = a + 1; b < nodes; ++b) {
                if (random.uniform() > density) continue;
                pairs.emplace_back(a, b);
                fill(a, b);
                fill(b, a);
            }
        }
        if (symmetry == Symmetry::symmetric) dense = (dense + dense.transpose()).eval();
        dense.diagonal().array() += symmetry == Symmetry::symmetric ? 4.0 * B * (1 + density * nodes) : 2.0 * B;
    }

    void write(BlockFactor<B>& factor, Symmetry symmetry) const {
        const auto block = [&](std::uint32_t row, std::uint32_t column) {
            typename BlockFactor<B>::Block values;
            for (int k = 0; k < B * B; ++k) values[k] = dense(row * B + k / B, column * B + k % B);
            return values;
        };
        factor.clear(symmetry);
        for (std::uint32_t a = 0; a < dense.rows() / B; ++a) factor.diagonal(a) = block(a, a);
        for (const auto& [a, b] : pairs) {
            const bool secondIsLater = factor.pattern().place(b) > factor.pattern().place(a);
            const std::uint32_t later = secondIsLater ? b : a, earlier = secondIsLater ? a : b;
            factor.below(factor.pattern().slot(a, b)) = block(later, earlier);
            if (symmetry == Symmetry::general) factor.above(factor.pattern().slot(a, b)) = block(earlier, later);
        }
    }
};

template <int B>
void expectSolution(std::uint32_t nodes, double density, Symmetry symmetry) {
    const RandomMatrix<B> matrix(nodes, density, symmetry, 7);
    BlockFactor<B> factor;
    factor.analyse(nodes, matrix.pairs);
    matrix.write(factor, symmetry);
    ASSERT_TRUE(factor.factorise());
    Random random(3, 0);
    Eigen::VectorXd right(nodes * B);
    std::vector<typename BlockFactor<B>::Segment> x(nodes);
    for (std::uint32_t i = 0; i < nodes * B; ++i) x[i / B][i % B] = right[i] = random.uniform(-1, 1);
    factor.solve(x);
    const Eigen::VectorXd expected = matrix.dense.partialPivLu().solve(right);
    for (std::uint32_t i = 0; i < nodes * B; ++i) EXPECT_NEAR(x[i / B][i % B], expected[i], 1e-12);
}

TEST(BlockFactor, SolvesSymmetricMatricesAsDenseEliminationDoes) {
    expectSolution<3>(40, 0.1, Symmetry::symmetric);
    expectSolution<6>(25, 0.15, Symmetry::symmetric);
    expectSolution<6>(1, 0, Symmetry::symmetric);
    expectSolution<3>(12, 1, Symmetry::symmetric);
}

TEST(BlockFactor, SolvesGeneralMatricesAsDenseEliminationDoes) {
    expectSolution<3>(20, 0.05, Symmetry::general);
    expectSolution<6>(12, 0.1, Symmetry::general);
}

TEST(BlockFactor, FillsAChainWithNothing) {
    std::vector<BlockPattern::Pair> chain;
    for (std::uint32_t i = 0; i + 1 < 100; ++i) chain.emplace_back(i, i + 1);
    BlockPattern pattern;
    pattern.analyse(100, chain);
    EXPECT_EQ(pattern.blockCount(), 99u);
}

TEST(BlockFactor, FillsAStarWithNothing) {
    std::vector<BlockPattern::Pair> star;
    for (std::uint32_t i = 1; i < 50; ++i) star.emplace_back(0, i);
    BlockPattern pattern;
    pattern.analyse(50, star);
    EXPECT_EQ(pattern.blockCount(), 49u);
}

TEST(BlockFactor, SaysWhenAMatrixHasNoFactors) {
    BlockFactor<3> factor;
    factor.analyse(2, {{0, 1}});
    factor.clear(Symmetry::symmetric);
    EXPECT_FALSE(factor.factorise());
    factor.clear(Symmetry::general);
    EXPECT_FALSE(factor.factorise());
    factor.clear(Symmetry::symmetric);
    factor.diagonal(0) = factor.diagonal(1) = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    factor.diagonal(1)[4] = -1;
    EXPECT_FALSE(factor.factorise());
}

TEST(BlockFactor, TakesAnEmptyMatrix) {
    BlockFactor<6> factor;
    factor.analyse(0, {});
    factor.clear(Symmetry::symmetric);
    std::vector<BlockFactor<6>::Segment> x;
    EXPECT_TRUE(factor.factorise());
    factor.solve(x);
}

}  // namespace
}  // namespace talus
