// Dense products and factors of panels against Eigen's.
#include "solvers/linear/panel_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace talus {
namespace {

Eigen::MatrixXd randomMatrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    Random random(seed, 0);
    Eigen::MatrixXd m(rows, columns);
    for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) m(i, j) = random.uniform(-1, 1);
    }
    return m;
}

Panel panelOf(Eigen::MatrixXd& m) { return {m.data(), static_cast<std::size_t>(m.rows())}; }

TEST(PanelProduct, IsThatOfEigenForAnySize) {
    PanelProductWorkspace ws;
    for (const std::size_t rows : {1, 7, 8, 9, 130}) {
        for (const std::size_t columns : {1, 5, 6, 13}) {
            for (const std::size_t depth : {0, 1, 24, 300, 600}) {
                Eigen::MatrixXd a = randomMatrix(rows, depth, 1), b = randomMatrix(columns, depth, 2);
                Eigen::MatrixXd c = randomMatrix(rows, columns, 3);
                const Eigen::MatrixXd expected = c - a * b.transpose();
                subtractProduct(panelOf(c), panelOf(a), panelOf(b), rows, columns, depth, ws);
                EXPECT_LT((c - expected).cwiseAbs().maxCoeff(), 1e-12) << rows << ' ' << columns << ' ' << depth;
            }
        }
    }
}

TEST(PanelProduct, GivesTheSameBitsOnEveryVectorUnit) {
    Eigen::MatrixXd a = randomMatrix(53, 100, 1), packed = randomMatrix(6, 300, 2);  // 18 columns
    const auto run = [&](PanelProductKernel* kernel) {
        Eigen::MatrixXd c = randomMatrix(53, 17, 3);
        kernel({panelOf(c), panelOf(a), packed.data(), 53, 17, 100});
        return c;
    };
    const auto variants = runnablePanelProducts();
    const Eigen::MatrixXd plain = run(variants.front().run);
    for (const auto& variant : variants) EXPECT_TRUE(run(variant.run) == plain) << variant.name;
}

TEST(PanelProduct, GivesTheSameBitsForAnyNumberOfThreads) {
    Eigen::MatrixXd a = randomMatrix(500, 300, 1), b = randomMatrix(90, 300, 2);
    const auto run = [&](int threads) {
        setThreadCount(threads);
        Eigen::MatrixXd c = randomMatrix(500, 90, 3);
        PanelProductWorkspace ws;
        subtractProduct(panelOf(c), panelOf(a), panelOf(b), 500, 90, 300, ws);
        return c;
    };
    const Eigen::MatrixXd alone = run(1);
    for (const int threads : {2, 3, 4}) EXPECT_TRUE(run(threads) == alone);
    setThreadCount(0);
}

TEST(PanelFactor, TakesASymmetricPanelApart) {
    PanelProductWorkspace ws;
    for (const std::size_t columns : {1, 8, 9, 45}) {
        const Eigen::MatrixXd root = randomMatrix(columns, columns, 4);
        const Eigen::MatrixXd square = root * root.transpose() + Eigen::MatrixXd::Identity(columns, columns);
        const Eigen::MatrixXd below = randomMatrix(20, columns, 5);
        Eigen::MatrixXd panel(columns + 20, columns);
        panel << square, below;
        ASSERT_TRUE(factoriseSymmetric(panelOf(panel), columns + 20, columns, ws));
        const Eigen::MatrixXd lower = panel.topRows(columns).triangularView<Eigen::Lower>();
        EXPECT_LT((lower * lower.transpose() - square).norm(), 1e-12 * square.norm());
        EXPECT_LT((panel.bottomRows(20) * lower.transpose() - below).norm(), 1e-12 * square.norm());
    }
}

TEST(PanelFactor, TakesAGeneralPanelApartWithPivots) {
    PanelProductWorkspace ws;
    for (const std::size_t columns : {1, 8, 9, 45}) {
        Eigen::MatrixXd square = randomMatrix(columns, columns, 6);
        square(0, 0) = columns == 1 ? 2 : 0;  // must change places
        const Eigen::MatrixXd below = randomMatrix(20, columns, 7);
        Eigen::MatrixXd right = randomMatrix(15, columns, 8);  // transposed
        const Eigen::MatrixXd given = right.transpose();
        Eigen::MatrixXd panel(columns + 20, columns);
        panel << square, below;
        std::vector<std::uint32_t> order(columns);
        ASSERT_TRUE(factoriseGeneral(panelOf(panel), columns + 20, columns, panelOf(right), 15, order.data(), ws));
        const Eigen::MatrixXd top = panel.topRows(columns);
        const Eigen::MatrixXd lower = top.triangularView<Eigen::UnitLower>(),
                              upper = top.triangularView<Eigen::Upper>();
        Eigen::MatrixXd moved(columns, columns), movedRight(columns, 15);
        for (std::size_t k = 0; k < columns; ++k) {
            moved.row(k) = square.row(order[k]);
            movedRight.row(k) = given.row(order[k]);
        }
        EXPECT_LT((lower * upper - moved).norm(), 1e-11);
        EXPECT_LT((panel.bottomRows(20) * upper - below).norm(), 1e-10);
        EXPECT_LT((lower * right.transpose() - movedRight).norm(), 1e-11);
    }
}

}  // namespace
}  // namespace talus
