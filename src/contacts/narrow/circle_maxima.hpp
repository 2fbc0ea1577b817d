// Maxima of a function around a circle.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace talus {

// Calls visit(angle) at each maximum of a periodic function that is smooth on the scale of the samples.
template <class Function, class Visit>
void forEachMaximum(const Function& f, Visit&& visit) {
    constexpr int samples = 32;
    constexpr double spacing = 2 * std::numbers::pi / samples;
    std::array<double, samples> value;
    for (int k = 0; k < samples; ++k) value[k] = f(k * spacing);
    for (int k = 0; k < samples; ++k) {
        if (!(value[k] >= value[(k + samples - 1) % samples] && value[k] > value[(k + 1) % samples])) continue;
        // Golden section.
        double low = (k - 1) * spacing, high = (k + 1) * spacing;
        const double golden = 0.5 * (std::sqrt(5.0) - 1);
        double left = high - golden * (high - low), right = low + golden * (high - low);
        double atLeft = f(left), atRight = f(right);
        for (int step = 0; step < 36; ++step) {
            if (atLeft > atRight) {
                high = right, right = left, atRight = atLeft, left = high - golden * (high - low), atLeft = f(left);
            } else {
                low = left, left = right, atLeft = atRight, right = low + golden * (high - low), atRight = f(right);
            }
        }
        visit(0.5 * (low + high));
    }
}

}  // namespace talus
