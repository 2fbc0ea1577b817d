// The flow rate of a hopper and how steady it is, from the mass that has passed at a series of times.
//
// The regression of Pazouki et al., Phys. Rev. E 96, 042905 (2017), Table VIII: the part of the flow between 0.3 and
// 0.9 of its duration is cut into ten equal intervals, the slope of a least-squares line through the points of each
// is one rate; their mean, standard deviation SD and SD/mean are reported.
#pragma once

#include <span>
#include <vector>

namespace talus {

struct FlowWindow {
    double start = 0, stop = 0;  // s
    int parts = 10;
};

// The shares of the duration of the flow that the fit uses.
struct FlowShares {
    double start = 0.3, stop = 0.9;
};

// The flow lasts from the last point before the mass first grows to the first with the final mass.
// Throws InputError if nothing flowed.
FlowWindow findFlowWindow(std::span<const double> times, std::span<const double> masses, FlowShares shares = {},
                          int parts = 10);

struct FlowFit {
    double rate = 0;                // kg/s, mean of the parts
    double deviation = 0;           // kg/s, sample standard deviation of the parts (n - 1)
    double relativeDeviation = 0;   // -, deviation / rate
    std::vector<double> partRates;  // kg/s, in order of time
};

// times (s) rise, masses (kg) are cumulative. Throws InputError if a part of the window has fewer than two points.
FlowFit fitFlowRate(std::span<const double> times, std::span<const double> masses, const FlowWindow& window);

}  // namespace talus
