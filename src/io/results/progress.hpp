// The progress line of a run: on a terminal it is rewritten in place, elsewhere nothing is printed.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace talus {

struct ProgressState {
    std::string stage;             // its name; empty without stages
    double time = 0, endTime = 0;  // s, simulated; now and at the end of the run, or since and of the stage
    std::uint64_t step = 0;
    std::uint64_t grains = 0, contacts = 0;
    double largestOverlap = 0;     // -, share of the smaller radius
    double stepsPerSecond = 0;     // filled by Progress
    double remainingSeconds = -1;  // s of wall clock, negative if not known; filled by Progress
};

// One line without a line end, e.g.
// [#####.....]  52%  0.523 of 1 s | 2710 steps/s | 1:23 left | 10000 grains, 24531 contacts | overlap 0.31%
// If it is wider than the given number of columns, first the bar, then the count of grains, then the end is left out.
std::string progressLine(const ProgressState& state, std::size_t width = 1000);

class Progress {
public:
    // Writes to this file descriptor if it is a terminal.
    explicit Progress(int fileDescriptor = 2);
    ~Progress() { finish(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // True if update() would print now: ask before counting contacts. At most four times a second.
    bool due() const;
    void update(ProgressState state);
    // Clears the line.
    void finish();

private:
    using Clock = std::chrono::steady_clock;

    // Rates are averages over the last seconds, so that they follow a run that becomes slower.
    void estimateRates(ProgressState& state, Clock::time_point now);

    int file_;
    bool isTerminal_;
    bool shown_ = false;
    bool started_ = false;
    Clock::time_point lastShown_;
    Clock::time_point lastUpdate_;
    std::uint64_t lastStep_ = 0;
    double lastTime_ = 0;
    double stepRate_ = 0;  // 1/s
    double timeRate_ = 0;  // simulated seconds per second
};

}  // namespace talus
