// Work in a process of its own: what it may not do ends it, and nothing of it reaches this process but bytes.
#include "formats/isolated_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::contentOf;
using output_samples::TemporaryFolder;

constexpr IsolatedProcess::Limits small{.memory = std::uint64_t{64} << 20, .seconds = 1};

// What became of work that is to answer with a number, but should not be able to.
std::string faultOf(const std::function<void()>& work) {
    IsolatedProcess process(
        [&](const Line& line) {
            work();
            line.sendValue(1);
        },
        small);
    int answer = 0;
    EXPECT_FALSE(process.line().receiveValue(answer));
    return process.fault();
}

TEST(IsolatedProcess, TalksWithTheOneThatStartedIt) {
    const int factor = 3;
    const IsolatedProcess process(
        [&](const Line& line) {
            for (double number = 0; line.receiveValue(number);) line.sendValue(factor * number);
        },
        small);
    for (const double number : {1.0, 2.5}) {
        double answer = 0;
        ASSERT_TRUE(process.line().sendValue(number) && process.line().receiveValue(answer));
        EXPECT_EQ(answer, 3 * number);
    }
}

TEST(IsolatedProcess, LargeAnswersComeWhole) {
    const std::vector<double> sent(3'000'000, 0.1);
    const IsolatedProcess process([&](const Line& line) { line.send(std::as_bytes(std::span(sent))); }, small);
    std::vector<double> received(sent.size());
    ASSERT_TRUE(process.line().receive(std::as_writable_bytes(std::span(received))));
    EXPECT_EQ(received, sent);
}

TEST(IsolatedProcess, FaultsEndItAlone) {
    EXPECT_NE(faultOf([] { ::raise(SIGSEGV); }).find("crashed"), std::string::npos);
    EXPECT_NE(faultOf([] { std::abort(); }).find("crashed"), std::string::npos);
    EXPECT_EQ(faultOf([] { throw 1; }), "ended early");
}

TEST(IsolatedProcess, IsNotLetGoOnForEver) {
    EXPECT_EQ(faultOf([] {
                  for (volatile int k = 0;;) k = k + 1;
              }),
              "took too long");
}

TEST(IsolatedProcess, GetsNoMoreMemoryThanItIsGiven) {
    EXPECT_EQ(faultOf([] { [[maybe_unused]] void* volatile block = ::operator new (std::size_t{1} << 30); }),
              "ended early");
}

TEST(IsolatedProcess, WritesNoFilesAndPrintsNothing) {
    const TemporaryFolder folder;
    faultOf([&] {
        const int file = ::open((folder / "written").c_str(), O_CREAT | O_WRONLY, 0600);
        [[maybe_unused]] const ssize_t size = ::write(file, "text", 4);
        std::abort();
    });
    EXPECT_EQ(contentOf(folder / "written"), "");

    // What waits in a buffer here is written once, and a complaint of the C library is not seen.
    const std::filesystem::path seen = folder / "seen";
    std::FILE* file = std::fopen(seen.c_str(), "w");
    std::fputs("once", file);
    faultOf([] { throw 1; });
    {
        const IsolatedProcess process([](const Line&) {}, small);
    }
    std::fclose(file);
    EXPECT_EQ(contentOf(seen), "once");
}

TEST(IsolatedProcess, StartsWhileAllThreadsAreBusy) {
    setThreadCount(4);
    std::atomic<bool> stop{false};
    std::thread others([&] {
        while (!stop) parallelFor(100'000, [](std::size_t) { std::vector<char> some(100); });
    });
    for (int k = 0; k < 50; ++k) {
        const IsolatedProcess process([](const Line& line) { line.sendValue(std::vector<int>(1000, 7).back()); },
                                      small);
        int answer = 0;
        ASSERT_TRUE(process.line().receiveValue(answer));
        EXPECT_EQ(answer, 7);
    }
    stop = true;
    others.join();
    setThreadCount(1);
}

TEST(IsolatedProcess, LeavesNoChildBehind) {
    {
        const IsolatedProcess process([](const Line&) { ::pause(); }, small);
    }
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no children";
}

}  // namespace
}  // namespace talus
