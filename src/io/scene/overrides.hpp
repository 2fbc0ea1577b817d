// "--set path=value": replaces or adds one value of the tree of a scene before it is read.
#pragma once

#include <string>
#include <utility>

#include "io/scene/yaml_tree.hpp"

namespace talus {

// Applies one override, such as "bodies[0].radius=2 mm", and returns the path it set. The value is YAML, so lists and
// mappings work too. Missing mappings on the way are made; a list can grow by one. Throws InputError.
std::string applyOverride(YamlNode& root, const std::string& text);

}  // namespace talus
