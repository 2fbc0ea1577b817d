// NPZ files, numpy's archives of arrays: a ZIP archive with one NPY file per array (NEP 1), compressed by deflate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

class NpzFile {
public:
    // Arrays of one or two dimensions, row by row: `width` numbers per row, 0 for one dimension.
    void add(const std::string& name, std::span<const double> values, std::size_t width = 0);
    void add(const std::string& name, std::span<const std::int64_t> values, std::size_t width = 0);
    // Names, which are ASCII.
    void add(const std::string& name, const std::vector<std::string>& names);
    // A number without dimensions.
    void add(const std::string& name, double value);

    // The whole archive. The same arrays give the same bytes, whenever.
    std::string bytes() const;

private:
    struct Entry {
        std::string file;
        std::string facts;  // what the header before it and the directory at the end say alike
        std::string data;   // compressed
    };
    void addFile(const std::string& name, const std::string& type, const std::string& shape, std::string_view values);

    std::vector<Entry> entries_;
};

}  // namespace talus
