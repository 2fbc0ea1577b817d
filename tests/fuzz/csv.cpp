// Any text given as a table of spheres is read or refused with an InputError.
#include <cstdint>
#include <sstream>
#include <string>

#include "io/scene/csv_bodies.hpp"
#include "talus/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
    try {
        talus::readCsvBodies(stream, "table.csv", 1000);
    } catch (const talus::InputError&) {
    }
    return 0;
}
