// Bodies from a table: a header line with the names of the columns, then one body per line, numbers in SI.
//
// Without forms they are spheres and need a radius; with forms the column shape says which of them a body has, the
// first if there is none, and a radius of 0 (no such column) leaves it in the size of the form.
// Columns are separated by commas; lines that are empty or begin with '#' do not count. Material names stay names:
// the caller knows the materials.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

struct CsvBody {
    Vec3 position, velocity, spin;  // m, m/s, rad/s
    Quat orientation;               // of the form
    double radius = 0;              // m
    std::size_t shape = 0;          // which of the forms
    bool fixed = false;
    std::string material;  // empty if the table has no such column or the cell is empty
    std::size_t line = 0;
};

// Both throw InputError with up to ten findings, each with file, line and column.
std::vector<CsvBody> readCsvBodies(std::istream& stream, const std::string& fileName, std::size_t most,
                                   std::size_t forms = 0);
std::vector<CsvBody> readCsvBodies(const std::filesystem::path& file, std::size_t most, std::size_t forms = 0);

}  // namespace talus
