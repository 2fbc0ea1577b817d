#include "geometry/mesh/mesh_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "geometry/mesh/mesh_text.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

std::string bytesOf(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw InputError(fmt::format("{}: is a folder, not a mesh", file.string()));
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError(fmt::format("{}: cannot be opened", file.string()));
    std::ostringstream bytes;
    if (stream.peek() != std::ifstream::traits_type::eof()) bytes << stream.rdbuf();
    if (stream.bad() || bytes.fail()) throw InputError(fmt::format("{}: cannot be read", file.string()));
    return std::move(bytes).str();
}

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
