#include "run/sweep/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "talus/error.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

constexpr std::size_t longestValue = 40;  // of a name, letters

[[noreturn]] void fail(const std::string& text, const std::string& what) {
    throw InputError(fmt::format("--vary {}: {}", text, what));
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// Cut at commas that are in no brackets and no quotes.
std::vector<std::string> splitValues(const std::string& text) {
    std::vector<std::string> values(1);
    int depth = 0;
    char quote = 0;
    for (const char c : text) {
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{' || c == '(') {
            ++depth;
        } else if (c == ']' || c == '}' || c == ')') {
            --depth;
        }
        if (c == ',' && depth <= 0 && quote == 0) {
            values.emplace_back();
        } else {
            values.back() += c;
        }
    }
    for (std::string& value : values) value = trimmed(value);
    return values;
}

// "materials.glass.friction" is friction, unless another varied key is called so, too.
std::string labelOf(const std::string& key, const std::vector<Variation>& vary) {
    const auto lastPart = [](const std::string& path) { return path.substr(path.find_last_of('.') + 1); };
    const std::string label = lastPart(key);
    const auto sameLabel = [&](const Variation& v) { return lastPart(v.key) == label; };
    return std::count_if(vary.begin(), vary.end(), sameLabel) == 1 ? label : key;
}

// Letters that every file system and shell takes; blanks are left out.
std::string safeText(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == ' ') continue;
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string("+-._").find(c) < 4;
        safe += plain ? c : '_';
    }
    return safe.substr(0, longestValue);
}

std::string nameOf(const std::vector<Variation>& vary, const std::vector<std::string>& values) {
    std::string name;
    for (std::size_t k = 0; k < vary.size(); ++k) {
        name += fmt::format("{}{}={}", k > 0 ? "," : "", safeText(labelOf(vary[k].key, vary)), safeText(values[k]));
    }
    return name;
}

// Values that differ only in letters that names cannot have get a number.
std::string uniqueName(const std::string& name, std::set<std::string>& taken) {
    std::string unique = name;
    for (int k = 2; !taken.insert(unique).second; ++k) unique = fmt::format("{}-{}", name, k);
    return unique;
}

void checkVariations(const std::vector<Variation>& vary) {
    if (vary.empty())
        throw InputError("--vary: missing; say which key has which values, as in --vary run.step=1e-6,2e-6");
    std::set<std::string> keys;
    std::size_t count = 1;
    for (const Variation& v : vary) {
        if (!keys.insert(v.key).second) fail(v.key, "is given twice; put all values into one list");
        count *= v.values.size();
        if (count > mostVariants) fail(v.key, fmt::format("makes more than {} variants", mostVariants));
    }
}

}  // namespace

Variation parseVariation(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) fail(text, "must look like run.step=1e-6,2e-6");
    Variation v{trimmed(text.substr(0, equals)), splitValues(text.substr(equals + 1))};
    std::set<std::string> seen;
    for (const std::string& value : v.values) {
        if (value.empty()) fail(text, v.values.size() == 1 ? "has no values" : "has an empty value");
        if (!seen.insert(value).second) fail(text, fmt::format("has the value {} twice", value));
    }
    return v;
}

std::vector<SweepVariant> makeVariants(const std::vector<Variation>& vary) {
    checkVariations(vary);
    std::vector<std::vector<std::string>> combinations(1);
    for (const Variation& v : vary) {
        std::vector<std::vector<std::string>> longer;
        for (const std::vector<std::string>& begun : combinations) {
            for (const std::string& value : v.values) {
                longer.push_back(begun);
                longer.back().push_back(value);
            }
        }
        combinations = std::move(longer);
    }
    std::vector<SweepVariant> variants;
    std::set<std::string> taken;
    for (std::vector<std::string>& values : combinations) {
        const std::string name = uniqueName(nameOf(vary, values), taken);
        variants.push_back({.name = name, .values = std::move(values), .message = {}, .results = {}});
    }
    return variants;
}

std::vector<std::string> settingsOf(const std::vector<std::string>& overrides, const std::vector<Variation>& vary,
                                    const SweepVariant& variant) {
    std::vector<std::string> settings = overrides;
    for (std::size_t k = 0; k < vary.size(); ++k) {
        settings.push_back(fmt::format("{}={}", vary[k].key, variant.values[k]));
    }
    return settings;
}

std::vector<double> checkScenes(const SweepOptions& options, const std::vector<SweepVariant>& variants) {
    std::vector<double> ends;
    for (const SweepVariant& v : variants) {
        ends.push_back(loadScene(options.scene, settingsOf(options.overrides, options.vary, v)).run.time);
    }
    return ends;
}

}  // namespace talus
