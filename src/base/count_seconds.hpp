// Where the time goes: the wall clock of a scope, added to a sum.
//
//     const CountSeconds here(workspace.seconds);  // until the end of the scope
//
// Numbers for people; nothing in a run depends on them.
#pragma once

#include <chrono>

namespace talus {

class CountSeconds {
public:
    explicit CountSeconds(double& sum) : sum_(sum) {}
    ~CountSeconds() { sum_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    CountSeconds(const CountSeconds&) = delete;
    CountSeconds& operator=(const CountSeconds&) = delete;

private:
    using Clock = std::chrono::steady_clock;

    double& sum_;  // s
    Clock::time_point start_ = Clock::now();
};

}  // namespace talus
