// A limit on the wall-clock time of a run, for queues that end programs after a while.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace talus {

// Asks for a stop (base/stop.hpp) when the time is over, also in the middle of a long step.
class TimeLimit {
public:
    // s, from now on; of a limit that nobody can wait for, infinity above all, nothing is heard.
    explicit TimeLimit(double seconds);
    ~TimeLimit();
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    bool isOver() const { return isOver_; }

private:
    void wait(double seconds);

    std::atomic<bool> isOver_{false};
    std::mutex mutex_;
    std::condition_variable ended_;
    bool isEnded_ = false;
    std::thread thread_;
};

}  // namespace talus
