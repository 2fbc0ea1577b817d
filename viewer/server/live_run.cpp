#include "viewer/server/live_run.hpp"

#include <algorithm>

#include "talus/error.hpp"

namespace talus::view {
namespace {

// Frames for pages take at most this share of the time of a run.
constexpr double mostShare = 0.1;
constexpr std::chrono::milliseconds leastBetweenFrames{30}, mostWait{2000};

}  // namespace

// What a frame is made of is read without the lock: only this thread changes it.
void LiveRun::showFrame(RunLook& run, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    const auto start = Clock::now();
    auto frame = std::make_shared<const Frame>(run.frame());
    const auto end = Clock::now();
    lock.lock();
    frame_ = std::move(frame);
    stepsOfFrame_ = state_.steps;
    ++frames_;
    isWanted_ = false;
    const auto rest = std::chrono::duration_cast<Clock::duration>((end - start) * ((1 - mostShare) / mostShare));
    nextFrame_ = end + std::max<Clock::duration>(leastBetweenFrames, rest);
    shown_.notify_all();
}

RunWish LiveRun::look(RunLook& run) {
    std::unique_lock lock(mutex_);
    state_.time = run.time();
    state_.endTime = run.endTime();
    state_.steps = run.steps();
    const bool isNew = frame_ == nullptr || stepsOfFrame_ != state_.steps;
    if (isWanted_ && isNew && (state_.isPaused || Clock::now() >= nextFrame_)) showFrame(run, lock);
    if (isWanted_ && !isNew) {
        isWanted_ = false;
        shown_.notify_all();
    }
    if (state_.isStopping) return RunWish::stop;
    if (wantsCheckpoint_) {
        wantsCheckpoint_ = false;
        return RunWish::checkpoint;
    }
    return state_.isPaused ? RunWish::pause : RunWish::goOn;
}

LiveState LiveRun::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

std::shared_ptr<const Frame> LiveRun::frame() {
    std::unique_lock lock(mutex_);
    isWanted_ = true;
    shown_.wait_for(lock, mostWait, [&] { return !isWanted_; });
    return frame_;
}

void LiveRun::wish(const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (what == "pause") {
        state_.isPaused = true;
    } else if (what == "go-on") {
        state_.isPaused = false;
    } else if (what == "checkpoint") {
        wantsCheckpoint_ = true;
    } else if (what == "stop") {
        state_.isStopping = true;
    } else {
        throw InputError("a run can be asked to pause, go-on, checkpoint or stop");
    }
}

}  // namespace talus::view
