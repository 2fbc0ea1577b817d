// Any bytes given as a PNG image are read or refused with an InputError.
#include <cstdint>
#include <string>

#include "formats/png_file.hpp"
#include "talus/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        talus::decodePng(std::string(reinterpret_cast<const char*>(data), size), "image.png");
    } catch (const talus::InputError&) {
    }
    return 0;
}
