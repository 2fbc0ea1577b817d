#include "experiments/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/error.hpp"
#include "talus/results.hpp"

namespace talus::reproduce {
namespace {

ComparedRow compared(const std::string& quantity, const std::string& unit, double expected, double talus,
                     Source source) {
    return {.quantity = quantity,
            .unit = unit,
            .paper = expected,
            .talus = talus,
            .source = source == Source::paper ? "paper" : "theory"};
}

}  // namespace

Trial::Trial(Files scenes, const ReproduceOptions& options, ExperimentResult& result)
    : scenes_(std::move(scenes)), options_(options), result_(result) {}

Scene Trial::scene(const std::string& file) const {
    const auto found = std::find_if(scenes_.begin(), scenes_.end(), [&](const auto& s) { return s.first == file; });
    if (found == scenes_.end()) throw InputError(fmt::format("{}: no scene '{}' in its folder", result_.id, file));
    Scene scene = parseScene(std::string(found->second), file, options_.folder);
    if (options_.threads > 0) scene.run.threads = static_cast<std::uint64_t>(options_.threads);
    return scene;
}

void Trial::progress(const std::string& text, double share) const {
    options_.progress(fmt::format("{} {:3.0f} %  {}", result_.id, 100 * share, text));
}

void Trial::writeTable(const std::string& name, const std::vector<std::string>& columns,
                       const std::vector<std::vector<double>>& rows) const {
    std::string text = fmt::format("{}\n", fmt::join(columns, ","));
    for (const std::vector<double>& row : rows) text += fmt::format("{:.12g}\n", fmt::join(row, ","));
    writeResultFile(options_.folder / (name + ".csv"), text);
}

void Trial::plot(const std::string& name, const std::string& commands) {
    try {
        result_.plots.push_back(drawPlot(options_.folder, name, commands));
    } catch (const RunError& error) {
        result_.notes.push_back(fmt::format("no plot {}.png: {}", name, error.what()));
    }
}

ComparedRow within(const std::string& quantity, const std::string& unit, double expected, double talus, double share,
                   Source source) {
    ComparedRow row = near(quantity, unit, expected, talus, share * std::abs(expected), source);
    row.rule = fmt::format("within {:g} %", 100 * share);
    return row;
}

ComparedRow near(const std::string& quantity, const std::string& unit, double expected, double talus, double difference,
                 Source source) {
    ComparedRow row = compared(quantity, unit, expected, talus, source);
    row.tolerance = difference;
    row.rule = fmt::format("+- {:g}", difference);
    row.pass = std::abs(talus - expected) <= difference;
    return row;
}

ComparedRow atMost(const std::string& quantity, const std::string& unit, double limit, double talus, Source source) {
    ComparedRow row = compared(quantity, unit, limit, talus, source);
    row.tolerance = limit;
    row.rule = "at most";
    row.pass = talus >= 0 && talus <= limit;
    return row;
}

ComparedRow atLeast(const std::string& quantity, const std::string& unit, double limit, double talus, Source source) {
    ComparedRow row = compared(quantity, unit, limit, talus, source);
    row.tolerance = std::numeric_limits<double>::infinity();
    row.rule = "at least";
    row.pass = std::isfinite(talus) && talus >= limit;
    return row;
}

ComparedRow between(const std::string& quantity, const std::string& unit, double low, double high, double talus,
                    Source source) {
    ComparedRow row = compared(quantity, unit, low, talus, source);
    row.tolerance = high - low;
    row.rule = fmt::format("{:g} to {:g}", low, high);
    row.pass = talus >= low && talus <= high;
    return row;
}

ComparedRow sameOrder(const std::string& quantity, const std::string& unit, double expected, double talus,
                      double factor, Source source) {
    ComparedRow row = compared(quantity, unit, expected, talus, source);
    row.tolerance = (factor - 1) * std::abs(expected);
    row.rule = fmt::format("within a factor of {:g}", factor);
    row.pass = talus >= expected / factor && talus <= expected * factor;
    return row;
}

}  // namespace talus::reproduce
