// What is due every so many steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace talus {

// 0 means never.
struct Schedule {
    std::uint64_t every = 0;

    static Schedule fromInterval(double interval, double dt) {
        if (interval <= 0) return {};
        return {std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(interval / dt)))};
    }
    bool isDue(std::uint64_t step) const { return every != 0 && step % every == 0; }
};

}  // namespace talus
