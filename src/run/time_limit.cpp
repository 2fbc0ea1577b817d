#include "run/time_limit.hpp"

#include <pthread.h>

#include <chrono>
#include <csignal>

#include "base/stop.hpp"

namespace talus {
namespace {

constexpr double longest = 3e9;  // s, a century

}  // namespace

TimeLimit::TimeLimit(double seconds) {
    if (!(seconds < longest)) return;
    // Signals are for the other threads: theirs are the waits that a signal should end.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this, seconds] { wait(seconds); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TimeLimit::~TimeLimit() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        isEnded_ = true;
    }
    ended_.notify_all();
    thread_.join();
}

void TimeLimit::wait(double seconds) {
    std::unique_lock lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    const auto until = std::chrono::time_point_cast<std::chrono::steady_clock::duration>(end);
    if (ended_.wait_until(lock, until, [&] { return isEnded_; })) return;
    isOver_ = true;
    askToStop();
}

}  // namespace talus
