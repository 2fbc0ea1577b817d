// What is due at whole multiples of an interval: each at the step whose end is nearest to it, so that nothing drifts
// where the interval is no multiple of the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace talus {

class Schedule {
public:
    Schedule() = default;  // nothing is ever due

    // s, both. An interval below the step makes every step due, one of 0 none.
    static Schedule fromInterval(double interval, double dt) {
        Schedule schedule;
        if (interval > 0) schedule.stepsBetween_ = std::max(1.0, interval / dt);
        return schedule;
    }

    bool isOn() const { return stepsBetween_ > 0; }

    bool isDue(std::uint64_t step) const {
        if (!isOn()) return false;
        const double now = static_cast<double>(step), nearest = std::round(now / stepsBetween_);
        return std::round(nearest * stepsBetween_) == now;
    }

private:
    double stepsBetween_ = 0;  // a real number, at least 1
};

}  // namespace talus
