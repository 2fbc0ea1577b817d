#include "io/scene/field.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus {

std::string describe(const Range& range, const Unit& unit) {
    const std::string symbol = unit.symbol.empty() ? "" : fmt::format(" {}", unit.symbol);
    const bool hasLow = std::isfinite(range.low), hasHigh = std::isfinite(range.high);
    if (hasLow && hasHigh && !range.openLow && !range.openHigh) {
        return fmt::format("{:.6g} to {:.6g}{}", range.low, range.high, symbol);
    }
    std::string text;
    if (hasLow) text = fmt::format("{} {:.6g}{}", range.openLow ? ">" : ">=", range.low, symbol);
    if (hasLow && hasHigh) text += " and ";
    if (hasHigh) text += fmt::format("{} {:.6g}{}", range.openHigh ? "<" : "<=", range.high, symbol);
    return text.empty() ? "any value" : text;
}

}  // namespace talus
