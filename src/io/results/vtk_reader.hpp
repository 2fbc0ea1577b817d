// Files of PolyDataFile (vtk_xml.hpp) read back. They may come from strangers: whatever a file says of itself is held
// against its size before it is believed. No loop here is a parallel one: servers read frames beside a run.
#pragma once

#include <string>
#include <string_view>

#include "talus/frames.hpp"

namespace talus {

// Names of arrays; all if not given. Points and polygons always are.
using WantedArrays = std::optional<std::set<std::string, std::less<>>>;

// `name` is for messages. InputError if the bytes are not such a file.
FramePart parsePolyData(std::string_view bytes, const std::string& name, const WantedArrays& wanted = {});

}  // namespace talus
