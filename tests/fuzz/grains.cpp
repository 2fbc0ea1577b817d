// Any text given as a file of grains is read or refused with an InputError.
#include <cstdint>
#include <string>

#include "talus/error.hpp"
#include "talus/tools/grains.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        talus::grainsFromJson(std::string(reinterpret_cast<const char*>(data), size), "grains.json");
    } catch (const talus::InputError&) {
    }
    return 0;
}
