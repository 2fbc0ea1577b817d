#include "io/results/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace talus {
namespace {

constexpr std::chrono::milliseconds shortestPause{250};
constexpr double memorySeconds = 5;  // of the running average of the rates
constexpr int barLength = 20;

std::string durationText(double seconds) {
    if (!(seconds < 3.6e8)) return "long";
    const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
    const std::int64_t hours = whole / 3600, minutes = whole / 60 % 60;
    if (hours >= 48) return fmt::format("{} d {} h", hours / 24, hours % 24);
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
    return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::size_t terminalWidth(int file) {
    winsize size{};
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// A terminal that does not take the line is no reason to stop a run.
void print(int file, std::string_view text) {
    if (::write(file, text.data(), text.size()) < 0) return;
}

double average(double old, double current, double seconds) {
    const double weight = old > 0 ? 1 - std::exp(-seconds / memorySeconds) : 1;
    return old + weight * (current - old);
}

}  // namespace

std::string progressLine(const ProgressState& s, std::size_t width) {
    const double share = s.endTime > 0 ? std::clamp(s.time / s.endTime, 0.0, 1.0) : 0.0;
    const int filled = static_cast<int>(share * barLength);
    const std::string bar = fmt::format("[{:#<{}}{:.<{}}] ", "", filled, "", barLength - filled);
    const std::string stage = s.stage.empty() ? "" : s.stage + ": ";
    std::string middle =
        stage + fmt::format("{:3.0f}%  {:.4g} of {:.4g} s", std::floor(100 * share), s.time, s.endTime);
    if (s.stepsPerSecond > 0) {
        middle += fmt::format(" | {:.{}f} steps/s", s.stepsPerSecond, s.stepsPerSecond < 10 ? 1 : 0);
    }
    if (s.remainingSeconds >= 0) middle += fmt::format(" | {} left", durationText(s.remainingSeconds));
    middle += " | ";
    const std::string grains = fmt::format("{} grains, ", s.grains);
    const std::string load = fmt::format("{} contacts | overlap {:.2g}%", s.contacts, 100 * s.largestOverlap);

    for (const std::string& line : {bar + middle + grains + load, middle + grains + load}) {
        if (line.size() <= width) return line;
    }
    return (middle + load).substr(0, width);
}

Progress::Progress(int fileDescriptor) : file_(fileDescriptor), isTerminal_(::isatty(fileDescriptor) == 1) {}

bool Progress::due() const { return isTerminal_ && (!started_ || Clock::now() - lastShown_ >= shortestPause); }

void Progress::update(ProgressState state) {
    if (!due()) return;
    const Clock::time_point now = Clock::now();
    estimateRates(state, now);
    // A line that wraps could not be cleared again.
    print(file_, "\r\x1b[2K" + progressLine(state, terminalWidth(file_) - 1));
    shown_ = true;
    lastShown_ = now;
}

void Progress::estimateRates(ProgressState& state, Clock::time_point now) {
    const double seconds = std::chrono::duration<double>(now - lastUpdate_).count();
    if (started_ && seconds > 0) {
        stepRate_ = average(stepRate_, static_cast<double>(state.step - lastStep_) / seconds, seconds);
        timeRate_ = average(timeRate_, (state.time - lastTime_) / seconds, seconds);
    }
    state.stepsPerSecond = stepRate_;
    state.remainingSeconds = timeRate_ > 0 ? std::max(0.0, state.endTime - state.time) / timeRate_ : -1;
    started_ = true;
    lastUpdate_ = now;
    lastStep_ = state.step;
    lastTime_ = state.time;
}

void Progress::finish() {
    if (shown_) print(file_, "\r\x1b[2K");
    shown_ = false;
}

}  // namespace talus
