#include "io/results/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <thread>

namespace talus {
namespace {

TEST(Progress, LineTellsTimeSpeedRestAndLoad) {
    const std::string line = progressLine({.time = 0.523,
                                           .endTime = 1,
                                           .step = 5230,
                                           .grains = 10000,
                                           .contacts = 24531,
                                           .largestOverlap = 0.0031,
                                           .stepsPerSecond = 2710.4,
                                           .remainingSeconds = 82.2});
    EXPECT_EQ(line,
              "[##########..........]  52%  0.523 of 1 s | 2710 steps/s | 1:23 left | 10000 grains, 24531 contacts | "
              "overlap 0.31%");
}

TEST(Progress, LineStaysSoundAtTheEdges) {
    EXPECT_NE(progressLine({.time = 2, .endTime = 1}).find("[####################] 100%"), std::string::npos);
    EXPECT_NE(progressLine({.time = 0, .endTime = 0}).find("  0%"), std::string::npos);
    EXPECT_EQ(progressLine({.time = 0.9999, .endTime = 1}).find("100%"), std::string::npos);
    EXPECT_NE(progressLine({.endTime = 1, .remainingSeconds = 3661}).find("1:01:01 left"), std::string::npos);
    EXPECT_NE(progressLine({.endTime = 1, .remainingSeconds = 1e6}).find("11 d 13 h left"), std::string::npos);
    EXPECT_NE(progressLine({.endTime = 1, .remainingSeconds = 1e300}).find("long left"), std::string::npos);
    EXPECT_EQ(progressLine({.endTime = 1}).find("left"), std::string::npos);
}

TEST(Progress, LineFitsANarrowTerminal) {
    const ProgressState state{.time = 0.523,
                              .endTime = 1,
                              .grains = 10000,
                              .contacts = 24531,
                              .largestOverlap = 0.0031,
                              .stepsPerSecond = 2710.4,
                              .remainingSeconds = 82.2};
    EXPECT_EQ(progressLine(state, 79),
              " 52%  0.523 of 1 s | 2710 steps/s | 1:23 left | 24531 contacts | overlap 0.31%");
    EXPECT_EQ(progressLine(state, 10), " 52%  0.52");
}

// All that comes out of a file descriptor until it is quiet.
std::string readAll(int file) {
    std::string text;
    for (pollfd wait{file, POLLIN, 0}; ::poll(&wait, 1, 50) == 1;) {
        char part[4096];
        const ssize_t size = ::read(file, part, sizeof part);
        if (size <= 0) break;
        text.append(part, static_cast<std::size_t>(size));
    }
    return text;
}

TEST(Progress, IsSilentWhereThereIsNoTerminal) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    {
        Progress progress(ends[1]);
        EXPECT_FALSE(progress.due());
        progress.update({.time = 0.5, .endTime = 1});
    }
    EXPECT_EQ(readAll(ends[0]), "");
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Progress, RewritesItsLineOnATerminalAndClearsItAtTheEnd) {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) GTEST_SKIP() << "no pseudo terminal here";
    const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
    if (terminal < 0) GTEST_SKIP() << "no pseudo terminal here";
    {
        Progress progress(terminal);
        progress.update({.time = 0.25, .endTime = 1});
        progress.update({.time = 0.26, .endTime = 1});  // too soon
        EXPECT_FALSE(progress.due());
        std::this_thread::sleep_for(std::chrono::milliseconds(260));
        progress.update({.time = 0.5, .endTime = 1, .step = 100});
        const std::string shown = readAll(master);
        EXPECT_NE(shown.find("\r\x1b[2K[#####...............]  25%"), std::string::npos) << shown;
        EXPECT_EQ(shown.find("26%"), std::string::npos) << shown;
        EXPECT_NE(shown.find("50%"), std::string::npos) << shown;
        EXPECT_NE(shown.find("steps/s | 0:01 left"), std::string::npos) << shown;
        EXPECT_EQ(shown.find('\n'), std::string::npos);
    }
    EXPECT_EQ(readAll(master), "\r\x1b[2K");
    ::close(terminal);
    ::close(master);
}

}  // namespace
}  // namespace talus
