// How a step of contact dynamics goes through time.
#pragma once

namespace talus {

// Bodies move with the mean velocity theta v + (1 - theta) v0 of a step; theta = 1 is the semi-implicit Euler method.
struct TimeScheme {
    double dt = 0;     // s
    double theta = 1;  // -, 1/2 to 1

    // s; reactions of contact problems are forces times this.
    double impulseTime() const { return theta * dt; }
};

}  // namespace talus
