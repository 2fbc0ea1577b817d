// Seconds of wall clock, added to a sum.
#pragma once

#include <chrono>

namespace talus {

template <class Work>
void timed(double& seconds, Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace talus
