#include "solvers/linear/block_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/parallel.hpp"
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

// Nodes of a cube that touch their neighbours: wide supernodes and narrow ones.
std::vector<BlockPattern::Pair> cube(std::uint32_t edge) {
    std::vector<BlockPattern::Pair> pairs;
    const auto node = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return (z * edge + y) * edge + x; };
    for (std::uint32_t z = 0; z < edge; ++z) {
        for (std::uint32_t y = 0; y < edge; ++y) {
            for (std::uint32_t x = 0; x < edge; ++x) {
                if (x + 1 < edge) pairs.emplace_back(node(x, y, z), node(x + 1, y, z));
                if (y + 1 < edge) pairs.emplace_back(node(x, y, z), node(x, y + 1, z));
                if (z + 1 < edge) pairs.emplace_back(node(x, y, z), node(x, y, z + 1));
            }
        }
    }
    return pairs;
}

TEST(BlockFactor, SolvesLargeCubesForAnyNumberOfThreadsWithTheSameBits) {
    constexpr std::uint32_t edge = 9, nodes = edge * edge * edge;
    const std::vector<BlockPattern::Pair> pairs = cube(edge);
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
        std::vector<std::vector<BlockFactor<3>::Segment>> answers;
        for (const int threads : {1, 3}) {
            setThreadCount(threads);
            BlockFactor<3> factor;
            factor.analyse(nodes, pairs);
            factor.clear(symmetry);
            Random random(5, 0);
            std::vector<BlockFactor<3>::Block> diagonal(nodes), below(pairs.size()), above(pairs.size());
            for (std::uint32_t i = 0; i < nodes; ++i) {
                diagonal[i] = {8, 0, 0, 0, 8, 0, 0, 0, 8};
                factor.diagonal(i) = diagonal[i];
            }
            const auto isBelow = [&](std::size_t k) {
                return factor.pattern().place(pairs[k].second) > factor.pattern().place(pairs[k].first);
            };
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                for (double& entry : below[k]) entry = random.uniform(-1, 1);
                for (double& entry : above[k]) entry = random.uniform(-1, 1);
                factor.below(factor.pattern().slot(pairs[k].first, pairs[k].second)) = below[k];
                if (symmetry == Symmetry::general) {
                    factor.above(factor.pattern().slot(pairs[k].first, pairs[k].second)) = above[k];
                } else {
                    for (int c = 0; c < 9; ++c) above[k][3 * (c % 3) + c / 3] = below[k][c];
                }
            }
            ASSERT_TRUE(factor.factorise());
            std::vector<BlockFactor<3>::Segment> x(nodes);
            for (auto& segment : x) segment = {random.uniform(), random.uniform(), random.uniform()};
            const auto right = x;
            factor.solve(x);

            // The matrix times x is the right side.
            std::vector<BlockFactor<3>::Segment> rest = right;
            const auto subtract = [&](const BlockFactor<3>::Block& block, std::uint32_t row, std::uint32_t column) {
                for (int c = 0; c < 9; ++c) rest[row][c / 3] -= block[c] * x[column][c % 3];
            };
            for (std::uint32_t i = 0; i < nodes; ++i) subtract(diagonal[i], i, i);
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                const auto [later, earlier] = isBelow(k) ? std::pair(pairs[k].second, pairs[k].first) : pairs[k];
                subtract(below[k], later, earlier);
                subtract(above[k], earlier, later);
            }
            for (const auto& segment : rest) {
                for (const double entry : segment) EXPECT_NEAR(entry, 0, 1e-13);
            }
            answers.push_back(x);
        }
        EXPECT_EQ(answers[0], answers[1]);
    }
    setThreadCount(0);
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

TEST(BlockFactor, IsEmptyAtFirst) {
    BlockFactor<3> factor;
    factor.clear(Symmetry::symmetric);
    std::vector<BlockFactor<3>::Segment> x;
    EXPECT_TRUE(factor.factorise());
    factor.solve(x);
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
