// Any bytes given as a mesh are read and made a body or a surface, or refused with an InputError.
#include <cstdint>
#include <string_view>

#include "geometry/mesh/mesh_reader.hpp"
#include "talus/error.hpp"

namespace {

void readAs(talus::MeshFile (*read)(std::string_view, const std::string&, double), std::string_view bytes) {
    for (const auto make : {talus::makeMesh, talus::makeSurface}) {
        try {
            make(read(bytes, "mesh", 1.0));
        } catch (const talus::InputError&) {
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    readAs(talus::readObj, bytes);
    readAs(talus::readStl, bytes);
    return 0;
}
