#include "geometry/mesh/mesh_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/input_file.hpp"
#include "geometry/mesh/mesh_text.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

std::string bytesOf(const std::filesystem::path& file) { return readInput(file, {.name = "a mesh"}); }

}  // namespace

MeshFile readMesh(const std::filesystem::path& file, double scale) {
    if (!(scale > 0) || !std::isfinite(scale)) {
        throw InputError(fmt::format("{}: the scale must be > 0, got {}", file.string(), scale));
    }
    const std::string kind = file.extension().string();
    if (isKeyword(kind, ".obj")) return readObj(bytesOf(file), file.string(), scale);
    if (isKeyword(kind, ".stl")) return readStl(bytesOf(file), file.string(), scale);
    throw InputError(fmt::format("{}: the name of a mesh ends in .obj or .stl", file.string()));
}

}  // namespace talus
