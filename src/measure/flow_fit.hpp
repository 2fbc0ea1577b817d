// The flow rate of a hopper and how steady it is, from the mass that has passed at a series of times.
//
// The regression of Pazouki et al., Phys. Rev. E 96, 042905 (2017), Table VIII: the part of the flow between 0.3 and
// 0.9 of its duration is cut into ten equal intervals, the slope of a least-squares line through the points of each
// is one rate; their mean, standard deviation SD and SD/mean are reported.
//
// That holds for a flow that is steady until it ends. One that has a long tail, as the last grains that come off a flat
// bottom, has no such duration: there the same shares of its steady part count (findSteadyPart()).
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

// The longest part of the flow in which tenths of the mass pass at rates of which the lowest is no less than three
// quarters of the highest; if these are fewer than three tenths, at no less than half and no more than twice the median
// rate of all. So most of the mass may come with a tail of any length, or in a rush at the start.
// Throws InputError if nothing flowed.
struct FlowPart {
    double start = 0, stop = 0;  // s
};
FlowPart findSteadyPart(std::span<const double> times, std::span<const double> masses);

struct FlowFit {
    double rate = 0;                // kg/s, mean of the parts
    double deviation = 0;           // kg/s, sample standard deviation of the parts (n - 1)
    double relativeDeviation = 0;   // -, deviation / rate
    std::vector<double> partRates;  // kg/s, in order of time
};

// times (s) rise, masses (kg) are cumulative. Throws InputError if a part of the window has fewer than two points.
FlowFit fitFlowRate(std::span<const double> times, std::span<const double> masses, const FlowWindow& window);

// More than this, SD/mean, is no steady flow.
inline constexpr double steadyDeviation = 0.25;

// The window in which the rate is to be fitted: that of the whole flow, if the ten rates are steady there and it holds
// its share of the mass, give or take a tenth of all; else that of the steady part.
FlowWindow chooseFlowWindow(std::span<const double> times, std::span<const double> masses);

}  // namespace talus
