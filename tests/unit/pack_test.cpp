// Eight numbers at a time are eight numbers: every operation lane by lane, with the bits of a double.
#include "base/pack.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "base/random.hpp"

namespace talus {
namespace {

using Eight = std::array<double, packLanes>;

Eight drawEight(Random& random) {
    Eight values;
    for (double& value : values) value = random.uniform(-2, 2) * std::pow(10.0, std::floor(random.uniform(-8, 8)));
    return values;
}

Eight lanesOf(const Pack& pack) {
    Eight values;
    store(pack, values.data());
    return values;
}

void expectSameBits(const Eight& a, const Eight& b) {
    for (std::size_t lane = 0; lane < a.size(); ++lane) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a[lane]), std::bit_cast<std::uint64_t>(b[lane])) << lane;
    }
}

// Compares function(Pack...) with function(double...) on random numbers.
template <class Function>
void expectLaneByLane(Function&& function) {
    Random random(11, 0);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const Eight a = drawEight(random), b = drawEight(random), c = drawEight(random);
        Eight wanted;
        for (std::size_t lane = 0; lane < a.size(); ++lane) wanted[lane] = function(a[lane], b[lane], c[lane]);
        expectSameBits(lanesOf(function(load(a.data()), load(b.data()), load(c.data()))), wanted);
    }
}

TEST(Pack, AddsMultipliesAndDividesLaneByLane) {
    expectLaneByLane([](const auto& a, const auto& b, const auto& c) { return a + b * c; });
    expectLaneByLane([](const auto& a, const auto& b, const auto& c) { return -(a - b) / c; });
    expectLaneByLane([](auto a, const auto& b, const auto& c) { return a += b, a *= c, a -= b, a; });
}

TEST(Pack, TakesRootsLikeADouble) {
    expectLaneByLane([](const auto& a, const auto& b, const auto&) {
        using std::sqrt;
        return sqrt(a * a + b * b);
    });
}

TEST(Pack, ChoosesLaneByLane) {
    expectLaneByLane([](const auto& a, const auto& b, const auto& c) { return select(a < b, c, a); });
    expectLaneByLane([](const auto& a, const auto& b, const auto& c) { return larger(smaller(a, b), c); });
    expectLaneByLane([](const auto& a, const auto& b, const auto& c) { return select((a > b) & (b <= c), a, c); });
}

TEST(Pack, TellsWhetherAnyLaneHoldsAndWhich) {
    Eight values{};
    EXPECT_FALSE(any(load(values.data()) > Pack(0.0)));
    values[2] = values[7] = 1;
    EXPECT_TRUE(any(load(values.data()) > Pack(0.0)));
    EXPECT_EQ(bits(load(values.data()) > Pack(0.0)), 0b10000100u);
}

TEST(Pack, GathersWithAStride) {
    std::vector<double> table(300);
    for (std::size_t k = 0; k < table.size(); ++k) table[k] = 0.5 * static_cast<double>(k);
    const std::uint32_t index[packLanes] = {0, 99, 3, 3, 50, 7, 98, 1};
    const Pack gathered = gather<3>(table.data() + 1, index);
    for (int lane = 0; lane < packLanes; ++lane) EXPECT_EQ(gathered[lane], table[3 * index[lane] + 1]);
}

TEST(Pack, ReadsAndWritesWholeRows) {
    std::vector<double> table(400);
    for (std::size_t k = 0; k < table.size(); ++k) table[k] = 0.5 * static_cast<double>(k);
    const std::uint32_t first[packLanes] = {0, 99, 3, 3, 50, 7, 98, 1}, second[packLanes] = {5, 4, 3, 2, 1, 0, 99, 98};
    const double sign[4] = {-1, 1, -1, 1};
    Pack rows[4], sums[4];
    gatherRows(table.data(), first, rows);
    gatherRowSums(table.data(), first, second, sign, sums);
    for (int lane = 0; lane < packLanes; ++lane) {
        for (std::uint32_t c = 0; c < 4; ++c) {
            EXPECT_EQ(rows[c][lane], table[4 * first[lane] + c]);
            EXPECT_EQ(sums[c][lane], table[4 * first[lane] + c] + sign[c] * table[4 * second[lane] + c]);
        }
    }
    std::vector<double> written(400, -1);
    scatterRows(rows, written.data(), second, 3);
    for (int lane = 0; lane < 3; ++lane) EXPECT_EQ(written[4 * second[lane] + 3], table[4 * first[lane] + 3]);
    EXPECT_EQ(written[4 * second[3]], -1);
}

TEST(Pack, TurnsRowsIntoColumns) {
    Pack m[8];
    for (int r = 0; r < 8; ++r) {
        for (int c = 0; c < packLanes; ++c) m[r].lanes[c] = 10 * r + c;
    }
    transpose(m);
    for (int r = 0; r < 8; ++r) {
        for (int c = 0; c < packLanes; ++c) EXPECT_EQ(m[r][c], 10 * c + r);
    }
}

TEST(Pack, StoresChosenLanesOneAfterTheOther) {
    const Eight values{0, 1, 2, 3, 4, 5, 6, 7};
    const std::uint32_t numbers[packLanes] = {10, 11, 12, 13, 14, 15, 16, 17};
    for (unsigned lanes = 0; lanes < 256; ++lanes) {
        Eight stored{};
        std::uint32_t storedNumbers[packLanes] = {};
        storeChosen(load(values.data()), lanes, stored.data());
        storeChosen(numbers, lanes, storedNumbers);
        std::size_t n = 0;
        for (std::size_t lane = 0; lane < values.size(); ++lane) {
            if (!(lanes >> lane & 1)) continue;
            EXPECT_EQ(stored[n], values[lane]);
            EXPECT_EQ(storedNumbers[n++], numbers[lane]);
        }
    }
}

}  // namespace
}  // namespace talus
