#include "io/checkpoint/state_archive.hpp"

#include <fmt/format.h>

#include "geometry/shape_digest.hpp"

namespace talus {

ShapeRecord recordOf(const WorldState& world) {
    ShapeRecord record;
    for (const Shape& shape : world.shapes) record.digest.push_back(digestOf(shape));
    return record;
}

std::string shapeFault(const ShapeRecord& record, const WorldState& world) {
    constexpr const char* cure = "a file that the scene names has changed since the run; put back the one it had";
    const std::vector<std::uint64_t>& ofRun = record.digest;
    if (world.shapes.size() != ofRun.size()) {
        return fmt::format("the run had {} shapes and the scene makes {}: {}", ofRun.size(), world.shapes.size(), cure);
    }
    for (std::size_t k = 0; k < ofRun.size(); ++k) {
        if (digestOf(world.shapes[k]) == ofRun[k]) continue;
        return fmt::format("shape {} of {}, a {}, is not that of the run: {}", k + 1, ofRun.size(),
                           shapeName(world.shapes[k]), cure);
    }
    return "";
}

}  // namespace talus
