// Time that the present thread spends on a core. For rounds so short that other work on the machine would count in time
// of the clock.
#pragma once

#include <time.h>

namespace talus {

// s, of this thread so far.
inline double secondsUsed() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Work>
double secondsOf(Work&& work) {
    const double start = secondsUsed();
    work();
    return secondsUsed() - start;
}

}  // namespace talus
