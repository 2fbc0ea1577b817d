#include "measure/flow_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// s, when this much had passed for the first time; between two points as if the flow were steady there.
double timeOfMass(std::span<const double> times, std::span<const double> masses, double mass) {
    std::size_t k = 0;
    while (k + 1 < masses.size() && masses[k] < mass) ++k;
    if (k == 0 || masses[k] == masses[k - 1]) return times[k];
    return times[k - 1] + (mass - masses[k - 1]) / (masses[k] - masses[k - 1]) * (times[k] - times[k - 1]);
}

constexpr std::size_t tenths = 10;  // of the mass

struct Tenths {
    std::size_t begin = 0, end = 0;
};

// The first of the longest runs of tenths of whose longest and shortest time the condition holds.
template <class Condition>
Tenths longestRun(const std::array<double, tenths>& takes, Condition&& isEven) {
    Tenths longest;
    for (std::size_t begin = 0; begin < tenths; ++begin) {
        double slowest = takes[begin], fastest = takes[begin];
        for (std::size_t end = begin; end < tenths; ++end) {
            slowest = std::max(slowest, takes[end]);
            fastest = std::min(fastest, takes[end]);
            if (!isEven(slowest, fastest)) break;
            if (end + 1 - begin > longest.end - longest.begin) longest = {begin, end + 1};
        }
    }
    return longest;
}

void requireFlow(std::span<const double> masses) {
    if (!masses.empty() && masses.back() > masses.front()) return;
    throw InputError("flow rate: no mass has passed through the plane in the direction of its normal");
}

FlowWindow windowOf(const FlowPart& part, FlowShares shares, int parts) {
    const double duration = part.stop - part.start;
    return {part.start + shares.start * duration, part.start + shares.stop * duration, parts};
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
    requireFlow(masses);
    std::size_t begin = 0, end = 0;
    while (masses[begin + 1] <= masses.front()) ++begin;
    while (masses[end] < masses.back()) ++end;
    return windowOf({times[begin], times[end]}, shares, parts);
}

FlowPart findSteadyPart(std::span<const double> times, std::span<const double> masses) {
    requireFlow(masses);
    // When each tenth of the mass begins to pass, and how long it takes.
    std::array<double, tenths + 1> at{};
    std::array<double, tenths> takes{};
    at[0] = findFlowWindow(times, masses, {0, 1}).start;
    for (std::size_t k = 1; k <= tenths; ++k) {
        const double share = static_cast<double>(k) / tenths;
        at[k] = timeOfMass(times, masses, masses.front() + share * (masses.back() - masses.front()));
        takes[k - 1] = at[k] - at[k - 1];
    }
    // As even as a third between the slowest and the fastest, if that holds for three tenths at least; else as half and
    // twice the median.
    Tenths run = longestRun(takes, [](double slowest, double fastest) { return slowest <= 4.0 / 3 * fastest; });
    if (run.end - run.begin < 3) {
        std::array<double, tenths> sorted = takes;
        std::sort(sorted.begin(), sorted.end());
        const double median = 0.5 * (sorted[tenths / 2 - 1] + sorted[tenths / 2]);
        run = longestRun(
            takes, [&](double slowest, double fastest) { return slowest <= 2 * median && fastest >= 0.5 * median; });
    }
    return {at[run.begin], at[run.end]};
}

FlowWindow chooseFlowWindow(std::span<const double> times, std::span<const double> masses) {
    const FlowShares shares;
    const FlowWindow whole = findFlowWindow(times, masses, shares);
    const FlowFit fit = fitFlowRate(times, masses, whole);
    const double passed = fit.rate * (whole.stop - whole.start) / (masses.back() - masses.front());
    const bool isSteady =
        fit.relativeDeviation <= steadyDeviation && std::abs(passed - (shares.stop - shares.start)) <= 0.1;
    return isSteady ? whole : windowOf(findSteadyPart(times, masses), shares, whole.parts);
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
