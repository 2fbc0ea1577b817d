// Parallel loops: every block once, the same bits for any number of threads, exceptions handed on.
#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {
namespace {

class ParallelLoops : public testing::Test {
protected:
    void TearDown() override { setThreadCount(1); }
};

TEST_F(ParallelLoops, VisitEveryIndexOnce) {
    for (const int threads : {1, 2, 3, 4, 7}) {
        setThreadCount(threads);
        EXPECT_EQ(threadCount(), threads);
        for (const std::size_t n : {0u, 1u, 5u, 1024u, 1025u, 100000u}) {
            std::vector<std::atomic<int>> visits(n);
            parallelFor(n, [&](std::size_t i) { ++visits[i]; });
            for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(visits[i], 1) << i << " of " << n;
        }
    }
}

TEST_F(ParallelLoops, SumToTheSameBitsOnAnyNumberOfThreads) {
    const auto term = [](std::size_t i) { return std::sin(static_cast<double>(i)) * std::pow(10.0, i % 17); };
    const double first = parallelSum(50001, 0.0, term);
    // Another order of addition gives other bits, so agreement below means that the order is kept.
    double backwards = 0;
    for (std::size_t i = 50001; i-- > 0;) backwards += term(i);
    EXPECT_NE(first, backwards);
    for (const int threads : {2, 3, 4}) {
        setThreadCount(threads);
        for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(parallelSum(50001, 0.0, term), first);
    }
}

TEST_F(ParallelLoops, SumVectorsToo) {
    setThreadCount(3);
    const Vec3 sum = parallelSum(4000, Vec3{}, [](std::size_t i) { return Vec3{1, static_cast<double>(i), 0}; });
    EXPECT_EQ(sum, (Vec3{4000, 4000.0 * 3999 / 2, 0}));
    EXPECT_EQ(parallelSum(0, 5.0, [](std::size_t) { return 1.0; }), 5.0);
}

TEST_F(ParallelLoops, RethrowTheExceptionOfTheLowestBlock) {
    for (const int threads : {1, 2, 4}) {
        setThreadCount(threads);
        const auto failFrom = [](std::size_t block) {
            if (block >= 3) throw std::runtime_error(std::to_string(block));
        };
        try {
            parallelBlocks(50, failFrom);
            FAIL() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "3");
        }
    }
}

TEST_F(ParallelLoops, WorkAgainAfterAnException) {
    setThreadCount(3);
    EXPECT_THROW(parallelBlocks(10, [](std::size_t) { throw std::runtime_error("all"); }), std::runtime_error);
    std::atomic<int> blocks{0};
    parallelBlocks(10, [&](std::size_t) { ++blocks; });
    EXPECT_EQ(blocks, 10);
}

TEST_F(ParallelLoops, SurviveManyShortLoopsAndChangesOfThreadCount) {
    std::uint64_t total = 0;
    for (int round = 0; round < 12; ++round) {
        setThreadCount(1 + round % 4);
        for (int loop = 0; loop < 50; ++loop) {
            std::atomic<std::uint64_t> blocks{0};
            parallelBlocks(5, [&](std::size_t block) { blocks += block; });
            total += blocks;
        }
    }
    EXPECT_EQ(total, 12u * 50u * 10u);
}

TEST_F(ParallelLoops, RunSideBySideInThreadsOfTheProgram) {
    setThreadCount(3);
    std::vector<std::uint64_t> sums(4, 0);
    std::vector<std::thread> callers;
    for (std::uint64_t& sum : sums) {
        callers.emplace_back([&sum] {
            for (int round = 0; round < 300; ++round) {
                sum += parallelSum(20000, std::uint64_t{0}, [](std::size_t i) { return std::uint64_t{i}; });
            }
        });
    }
    for (std::thread& caller : callers) caller.join();
    for (const std::uint64_t sum : sums) EXPECT_EQ(sum, std::uint64_t{300} * 10000 * 19999);
}

TEST_F(ParallelLoops, RunWithinEachOther) {
    setThreadCount(3);
    std::atomic<int> visits{0};
    parallelBlocks(7, [&](std::size_t) { parallelBlocks(5, [&](std::size_t) { ++visits; }); });
    EXPECT_EQ(visits, 35);
}

TEST_F(ParallelLoops, GoOnInAForkedProcess) {
    setThreadCount(3);
    const pid_t child = fork();
    if (child == 0) {
        const auto sum = parallelSum(20000, std::uint64_t{0}, [](std::size_t i) { return std::uint64_t{i}; });
        _exit(sum == 20000u * 19999u / 2 && threadCount() == 1 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST_F(ParallelLoops, TakeOneThreadPerCoreForZero) {
    EXPECT_GE(setThreadCount(0), 1);
    EXPECT_EQ(threadCount(), setThreadCount(0));
}

}  // namespace
}  // namespace talus
