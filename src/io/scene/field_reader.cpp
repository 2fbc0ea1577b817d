#include "io/scene/field_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

std::string shown(const YamlNode& node) {
    switch (node.kind) {
        case YamlNode::Kind::null:
            return "nothing";
        case YamlNode::Kind::scalar:
            return inQuotes(node.text);
        case YamlNode::Kind::list:
            return "a list";
        default:
            return "a mapping";
    }
}

bool expectScalar(const YamlNode& node, const ReadContext& context, const std::string& wanted) {
    if (node.kind == YamlNode::Kind::scalar) return true;
    context.complain(fmt::format("{} is wanted, got {}", wanted, shown(node)));
    return false;
}

std::string listWords(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k) {
        text += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
    }
    return text;
}

bool expectRange(const ReadContext& context, double value) {
    if (context.info.range.holds(value)) return true;
    const std::string symbol = context.info.unit.symbol.empty() ? "" : fmt::format(" {}", context.info.unit.symbol);
    context.complain(
        fmt::format("must be {}, got {}{}", describe(context.info.range, context.info.unit), value, symbol));
    return false;
}

// A number of the wanted unit, whatever the range; nothing, with a finding, if it is none.
std::optional<double> readNumber(const YamlNode& node, const ReadContext& context, const Unit& unit) {
    const std::string wanted = fmt::format("{} (e.g. \"{}\")", withArticle(unit.name), unit.example);
    if (!expectScalar(node, context, wanted)) return std::nullopt;
    try {
        return parseQuantity(node.text, unit);
    } catch (const InputError& error) {
        const std::string what = error.what();
        const std::string advice = what == "is not a number" ? fmt::format("; {} is wanted", wanted) : "";
        context.complain(fmt::format("{} {}{}", inQuotes(node.text), what, advice));
        return std::nullopt;
    }
}

}  // namespace

bool expectList(const YamlNode& node, const ReadContext& context, std::size_t size) {
    if (node.kind == YamlNode::Kind::list && (size == 0 || node.items.size() == size)) return true;
    const std::string wanted = size == 0 ? "a list" : fmt::format("a list of {}", size);
    const std::string got =
        node.kind == YamlNode::Kind::list ? fmt::format("one of {}", node.items.size()) : shown(node);
    context.complain(fmt::format("{} is wanted, got {}", wanted, got));
    return false;
}

bool expectMap(const YamlNode& node, const ReadContext& context) {
    if (node.kind == YamlNode::Kind::map) return true;
    context.complain(fmt::format("a mapping (key: value) is wanted, got {}", shown(node)));
    return false;
}

void read(const YamlNode& node, const ReadContext& context, double& value) {
    const auto number = readNumber(node, context, context.info.unit);
    if (number && expectRange(context, *number)) value = *number;
}

void read(const YamlNode& node, const ReadContext& context, bool& value) {
    if (!expectScalar(node, context, "true or false")) return;
    if (node.text == "true" || node.text == "false") {
        value = node.text == "true";
    } else {
        context.complain(fmt::format("must be true or false, got {}", inQuotes(node.text)));
    }
}

void read(const YamlNode& node, const ReadContext& context, std::string& value) {
    if (expectScalar(node, context, "a text")) value = node.text;
}

void read(const YamlNode& node, const ReadContext& context, std::uint64_t& value) {
    if (!expectScalar(node, context, "a whole number")) return;
    // Digits keep all 64 bits of a seed; anything else, such as 1e6, goes by way of a double.
    std::uint64_t digits = 0;
    const char* end = node.text.data() + node.text.size();
    const auto parsed = std::from_chars(node.text.data(), end, digits);
    if (parsed.ec == std::errc{} && parsed.ptr == end) {
        if (expectRange(context, static_cast<double>(digits))) value = digits;
        return;
    }
    const auto number = readNumber(node, context, unit::number);
    if (!number) return;
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (*number != std::floor(*number) || std::abs(*number) > exact) {
        context.complain(fmt::format("must be a whole number, got {}", inQuotes(node.text)));
    } else if (*number < 0) {
        context.complain(fmt::format("must be {}, got {}", describe(bounds::nonNegative, unit::number), *number));
    } else if (expectRange(context, *number)) {
        value = static_cast<std::uint64_t>(*number);
    }
}

void read(const YamlNode& node, const ReadContext& context, Vec3& value) {
    if (!expectList(node, context, 3)) return;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        read(node.items[k], context.at(indexed(context.path, k)), value[axis]);
    }
}

void read(const YamlNode& node, const ReadContext& context, AutoValue& value) {
    if (node.kind == YamlNode::Kind::scalar && node.text == "auto") {
        value = {};
        return;
    }
    double number = 0;
    read(node, context, number);
    value.value = number;
}

namespace {

void readCells(const YamlNode& row, const std::string& path, const ReadContext& context, Vec3& value) {
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis) + 1;
        read(row.items[k], context.at(indexed(path, k)), value[axis]);
    }
}

void readCells(const YamlNode& row, const std::string& path, const ReadContext& context, double& value) {
    read(row.items[1], context.at(indexed(path, 1)), value);
}

template <class T>
void readTimedRows(const YamlNode& node, const ReadContext& context, std::size_t cells, std::vector<double>& times,
                   std::vector<T>& values) {
    if (!expectList(node, context)) return;
    ReadContext timeContext = context;
    timeContext.info.unit = unit::time;
    timeContext.info.range = bounds::nonNegative;
    for (std::size_t row = 0; row < node.items.size(); ++row) {
        const YamlNode& item = node.items[row];
        const std::string path = indexed(context.path, row);
        context.source.lines[path] = item.line;
        if (!expectList(item, context.at(path), cells)) continue;
        double time = 0;
        T value{};
        read(item.items[0], timeContext.at(indexed(path, 0)), time);
        readCells(item, path, context, value);
        times.push_back(time);
        values.push_back(value);
    }
}

}  // namespace

void readRows(const YamlNode& node, const ReadContext& context, std::vector<double>& times, std::vector<Vec3>& values) {
    readTimedRows(node, context, 4, times, values);
}

void readRows(const YamlNode& node, const ReadContext& context, std::vector<double>& times,
              std::vector<double>& values) {
    readTimedRows(node, context, 2, times, values);
}

void read(const YamlNode& node, const ReadContext& context, QuantityText& value) {
    if (!expectScalar(node, context, "a number, with or without its unit")) return;
    try {
        parseMeasured(node.text);
        value.text = node.text;
    } catch (const InputError& error) {
        context.complain(fmt::format("{} {}", inQuotes(node.text), error.what()));
    }
}

std::optional<std::size_t> readName(const YamlNode& node, const ReadContext& context,
                                    const std::vector<std::string>& names) {
    if (!expectScalar(node, context, listWords(names))) return std::nullopt;
    const auto found = std::find(names.begin(), names.end(), node.text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    context.complain(
        fmt::format("must be {}, got {}{}", listWords(names), inQuotes(node.text), didYouMean(node.text, names)));
    return std::nullopt;
}

const YamlNode* FieldReader::take(const FieldInfo& info) {
    known_.emplace_back(info.key);
    for (std::size_t k = 0; k < map_.keys.size(); ++k) {
        if (map_.keys[k].text != info.key) continue;
        used_[k] = true;
        context_.source.lines[joined(context_.path, info.key)] = map_.keys[k].line;
        return &map_.items[k];
    }
    if (info.need == Need::required) context_.complain(fmt::format("the key '{}' is missing", info.key));
    return nullptr;
}

std::optional<std::size_t> FieldReader::chooseByTag(const std::vector<Tag>& tags) {
    // The tags of one variant may have several keys (shape, generate): the mapping must have exactly one of them.
    std::vector<std::string> keys, given;
    for (const Tag& tag : tags) {
        if (std::find(keys.begin(), keys.end(), tag.key) != keys.end()) continue;
        keys.emplace_back(tag.key);
        if (take({tag.key, ""}) != nullptr) given.emplace_back(tag.key);
    }
    if (given.size() != 1) {
        context_.complain(given.empty() ? fmt::format("the key '{}' is missing", fmt::join(keys, "' or '"))
                                        : fmt::format("only one of '{}' can be given", fmt::join(keys, "' and '")));
        return std::nullopt;
    }
    std::vector<std::string> values;
    std::vector<std::size_t> indices;
    for (std::size_t k = 0; k < tags.size(); ++k) {
        if (tags[k].key != given[0]) continue;
        values.emplace_back(tags[k].value);
        indices.push_back(k);
    }
    const auto chosen = readName(*map_.find(given[0]), context_.at(joined(context_.path, given[0])), values);
    return chosen ? std::optional(indices[*chosen]) : std::nullopt;
}

std::optional<std::size_t> FieldReader::chooseByKeys(const std::vector<Tag>& tags,
                                                     const std::vector<std::vector<std::string>>& requiredKeys) {
    for (std::size_t k = 0; k < requiredKeys.size(); ++k) {
        for (const std::string& key : requiredKeys[k]) {
            if (map_.find(key) != nullptr) return k;
        }
    }
    std::vector<std::string> choices;
    for (std::size_t k = 0; k < tags.size(); ++k) {
        choices.push_back(fmt::format("a {} with {}", tags[k].value, fmt::join(requiredKeys[k], ", ")));
    }
    context_.complain(fmt::format("must be {}", listWords(choices)));
    return std::nullopt;
}

void FieldReader::finish() const {
    if (isUnclear_) return;
    for (std::size_t k = 0; k < map_.keys.size(); ++k) {
        if (used_[k]) continue;
        const YamlNode::Key& key = map_.keys[k];
        const std::string path = joined(context_.path, shortened(key.text));
        context_.source.lines[path] = key.line;
        const std::string guess = didYouMean(key.text, known_);
        const std::string advice = guess.empty() ? fmt::format("; known here: {}", fmt::join(known_, ", ")) : guess;
        context_.problems.add(path, "unknown key" + advice);
    }
}

}  // namespace talus
