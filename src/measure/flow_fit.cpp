#include "measure/flow_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

double mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// Slope of the least-squares line; taken about the means, so that late times lose no digits.
double slope(std::span<const double> x, std::span<const double> y) {
    const double meanX = mean(x), meanY = mean(y);
    double xx = 0, xy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        xx += (x[k] - meanX) * (x[k] - meanX);
        xy += (x[k] - meanX) * (y[k] - meanY);
    }
    return xy / xx;
}

double slopeBetween(std::span<const double> times, std::span<const double> masses, double start, double stop) {
    // Points on the border belong to both parts, also when round-off has moved them by a hair.
    const double slack = 1e-9 * (stop - start);
    const auto first = std::lower_bound(times.begin(), times.end(), start - slack) - times.begin();
    const auto last = std::upper_bound(times.begin(), times.end(), stop + slack) - times.begin();
    if (last - first < 2) {
        throw InputError(
            fmt::format("flow rate: only {} point(s) between {} s and {} s, at least 2 are needed; record "
                        "the series more often, unless so little flowed because it jammed",
                        last - first, start, stop));
    }
    const auto offset = static_cast<std::size_t>(first), count = static_cast<std::size_t>(last - first);
    return slope(times.subspan(offset, count), masses.subspan(offset, count));
}

double sampleDeviation(std::span<const double> values, double average) {
    if (values.size() < 2) return 0;
    double sum = 0;
    for (const double value : values) sum += (value - average) * (value - average);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

}  // namespace

FlowWindow findFlowWindow(std::span<const double> times, std::span<const double> masses, FlowShares shares, int parts) {
    ENGINE_CHECK(times.size() == masses.size());
    if (masses.empty() || !(masses.back() > masses.front())) {
        throw InputError("flow rate: no mass has passed through the plane in the direction of its normal");
    }
    std::size_t begin = 0, end = 0;
    while (masses[begin + 1] <= masses.front()) ++begin;
    while (masses[end] < masses.back()) ++end;
    const double duration = times[end] - times[begin];
    return {times[begin] + shares.start * duration, times[begin] + shares.stop * duration, parts};
}

FlowFit fitFlowRate(std::span<const double> times, std::span<const double> masses, const FlowWindow& window) {
    ENGINE_CHECK(times.size() == masses.size());
    // They come from a file, into which others may have written.
    if (!std::is_sorted(times.begin(), times.end())) throw InputError("flow rate: the times do not increase");
    if (window.parts < 1 || !(window.stop > window.start)) {
        throw InputError(
            fmt::format("flow rate: the window needs at least 1 part and stop > start, got {} part(s) "
                        "from {} s to {} s",
                        window.parts, window.start, window.stop));
    }
    FlowFit fit;
    const double length = (window.stop - window.start) / window.parts;
    for (int k = 0; k < window.parts; ++k) {
        const double start = window.start + k * length;
        fit.partRates.push_back(slopeBetween(times, masses, start, start + length));
    }
    fit.rate = mean(fit.partRates);
    fit.deviation = sampleDeviation(fit.partRates, fit.rate);
    fit.relativeDeviation = fit.deviation / fit.rate;
    return fit;
}

}  // namespace talus
