// YAML text as a tree of plain nodes with line numbers.
//
// Knows no settings. Guards against hostile text: size, depth and number of nodes (aliases expanded) are limited, so
// that neither memory nor the stack can run out. Duplicate keys and a second document are errors.
#pragma once

#include <string>
#include <vector>

namespace talus {

struct YamlNode {
    enum class Kind { null, scalar, list, map };
    struct Key {
        std::string text;
        int line = 0;
    };

    Kind kind = Kind::null;
    bool quoted = false;          // of a scalar
    int line = 0;                 // from 1
    std::string text;             // of a scalar
    std::vector<Key> keys;        // of a map
    std::vector<YamlNode> items;  // of a list, or the values of a map in the order of keys

    const YamlNode* find(const std::string& key) const;
};

inline constexpr std::size_t largestSceneText = std::size_t{64} << 20;  // bytes

// Throws InputError naming fileName and line.
YamlNode parseYaml(const std::string& text, const std::string& fileName);

}  // namespace talus
