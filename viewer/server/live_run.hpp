// What passes between a run and those who look at it. The run calls look() after each step and is never kept waiting,
// but by a pause; pages ask from other threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "talus/frames.hpp"
#include "talus/simulation.hpp"

namespace talus::view {

struct LiveState {
    double time = 0, endTime = 0;  // s
    std::uint64_t steps = 0;
    bool isPaused = false, isStopping = false;
};

class LiveRun {
public:
    // --- in the thread of the run
    RunWish look(RunLook& run);

    // --- in any thread
    LiveState state() const;
    // The present state, or the last one that was shown if that was a moment ago or the run is busy; nullptr before
    // any.
    std::shared_ptr<const Frame> frame();
    // "pause", "go-on", "checkpoint" or "stop"; InputError for another.
    void wish(const std::string& what);

private:
    using Clock = std::chrono::steady_clock;
    void showFrame(RunLook& run, std::unique_lock<std::mutex>& lock);

    mutable std::mutex mutex_;
    std::condition_variable shown_;
    LiveState state_;
    bool isWanted_ = false, wantsCheckpoint_ = false;
    std::shared_ptr<const Frame> frame_;
    std::uint64_t frames_ = 0, stepsOfFrame_ = 0;
    Clock::time_point nextFrame_;
};

}  // namespace talus::view
