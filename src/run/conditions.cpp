#include "run/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

std::size_t findColumn(const std::string& name, const std::string& path, const std::vector<SeriesValue>& row) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k].name == name) return k;
        names.push_back(row[k].name);
    }
    std::string advice = didYouMean(name, names);
    if (advice.empty()) advice = fmt::format("; it has {}", fmt::join(names, ", "));
    throw InputError(fmt::format("{}.quantity: the series has no column '{}'{}", path, name, advice));
}

double numberOf(const std::string& text, const std::string& path, const SeriesValue& column) {
    const Measured given = parseMeasured(text);
    if (!given.hasUnit) return given.value;
    const Dimension wanted = column.unit.empty() ? Dimension{} : parseMeasured("1 " + column.unit).dimension;
    if (given.dimension == wanted) return given.value;
    throw InputError(fmt::format("{}: {} is in {}, got '{}'", path, column.name,
                                 column.unit.empty() ? "plain numbers" : column.unit, text));
}

}  // namespace

std::vector<Condition> findConditions(const StageSettings& stage, const std::string& path,
                                      const std::vector<SeriesValue>& row) {
    std::vector<Condition> conditions;
    for (std::size_t k = 0; k < stage.until.size(); ++k) {
        const StopCondition& c = stage.until[k];
        const std::string at = fmt::format("{}.until[{}]", path, k);
        Condition found;
        found.column = findColumn(c.quantity, at, row);
        found.above = c.above.has_value();
        found.value = numberOf(found.above ? c.above->text : c.below->text, at + (found.above ? ".above" : ".below"),
                               row[found.column]);
        found.duration = c.duration;
        conditions.push_back(found);
    }
    return conditions;
}

bool lookAtConditions(const std::vector<Condition>& conditions, const std::vector<SeriesValue>& row, double time,
                      std::vector<double>& heldSince) {
    heldSince.resize(conditions.size(), notHeld);
    bool all = !conditions.empty();
    for (std::size_t k = 0; k < conditions.size(); ++k) {
        const bool isTrue = conditions[k].isTrue(row);
        heldSince[k] = !isTrue ? notHeld : heldSince[k] == notHeld ? time : heldSince[k];
        // Times are sums of steps: a duration of whole steps is over when it is, whatever the last bits say.
        const double lasted = (time - heldSince[k]) * (1 + 1e-9);
        all = all && isTrue && lasted >= conditions[k].duration;
    }
    return all;
}

std::string describeConditions(const StageSettings& stage) {
    std::string text;
    for (const StopCondition& c : stage.until) {
        text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", c.quantity, c.above ? "above" : "below",
                            c.above ? c.above->text : c.below->text);
        if (c.duration > 0) text += fmt::format(" for {:.4g} s", c.duration);
    }
    return text;
}

}  // namespace talus
