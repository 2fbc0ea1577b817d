#include "io/scene/overrides.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <variant>
#include <vector>

#include "io/scene/problems.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using Step = std::variant<std::string, std::size_t>;  // a key, or an index

[[noreturn]] void fail(const std::string& text, const std::string& what) {
    throw InputError(fmt::format("--set {}: {}", shortened(text), what));
}

std::vector<Step> parsePath(std::string_view path, const std::string& text) {
    std::vector<Step> steps;
    while (!path.empty()) {
        if (path.front() == '[') {
            std::size_t index = 0;
            const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
            if (error != std::errc{} || end == path.data() + path.size() || *end != ']') {
                fail(text, "an index must look like [3]");
            }
            path.remove_prefix(static_cast<std::size_t>(end - path.data()) + 1);
            steps.emplace_back(index);
        } else {
            if (!steps.empty() && path.front() == '.') path.remove_prefix(1);
            const std::size_t length = std::min(path.find_first_of(".["), path.size());
            if (length == 0) fail(text, "a key is missing in the path");
            steps.emplace_back(std::string(path.substr(0, length)));
            path.remove_prefix(length);
        }
    }
    return steps;
}

YamlNode& child(YamlNode& node, const std::string& key, const std::string& text) {
    if (node.kind == YamlNode::Kind::null) node.kind = YamlNode::Kind::map;
    if (node.kind != YamlNode::Kind::map) fail(text, fmt::format("'{}' has no keys in the scene", key));
    for (std::size_t k = 0; k < node.keys.size(); ++k) {
        if (node.keys[k].text == key) return node.items[k];
    }
    node.keys.push_back({key, node.line});
    return node.items.emplace_back();
}

YamlNode& child(YamlNode& node, std::size_t index, const std::string& text) {
    if (node.kind == YamlNode::Kind::null) node.kind = YamlNode::Kind::list;
    if (node.kind != YamlNode::Kind::list) fail(text, "an index is given for something that is no list");
    if (index > node.items.size()) {
        fail(text, fmt::format("index {} is past the end of a list of {}", index, node.items.size()));
    }
    return index == node.items.size() ? node.items.emplace_back() : node.items[index];
}

}  // namespace

std::string applyOverride(YamlNode& root, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) fail(text, "must look like run.time=2");
    const std::string path = text.substr(0, equals);
    YamlNode* node = &root;
    for (const Step& step : parsePath(path, text)) {
        node = std::visit([&](const auto& part) { return &child(*node, part, text); }, step);
    }
    *node = parseYaml(text.substr(equals + 1), fmt::format("--set {}", shortened(text)));
    return path;
}

}  // namespace talus
