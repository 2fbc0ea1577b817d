#include "io/results/vtk_reader.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "talus/error.hpp"

namespace talus {
namespace {

constexpr std::string_view appendedMark = "<AppendedData encoding=\"raw\">\n_";
constexpr std::size_t longestHead = std::size_t{1} << 16, largestBlock = std::size_t{1} << 24;
constexpr std::size_t bestCompression = 1100;  // zlib makes nothing smaller than by a factor of 1032

struct Element {
    std::string name, type;
    std::size_t components = 1, offset = 0;
    bool isOfCells = false;
};

class Reader {
public:
    Reader(std::string_view bytes, const std::string& name) : name_(name) {
        const std::size_t mark = bytes.substr(0, longestHead).find(appendedMark);
        if (mark == std::string_view::npos || bytes.find("type=\"PolyData\"") > mark) fail("is no PolyData of Talus");
        head_ = bytes.substr(0, mark);
        data_ = bytes.substr(mark + appendedMark.size());
    }

    FramePart read(const WantedArrays& wanted);

private:
    [[noreturn]] void fail(std::string_view reason) const { throw InputError(fmt::format("{}: {}", name_, reason)); }
    std::string attribute(std::string_view element, std::string_view key) const;
    std::size_t number(std::string_view element, std::string_view key) const;
    std::vector<Element> elements() const;
    std::uint64_t word(std::size_t place) const;
    std::string inflated(const Element& element, std::size_t bytes) const;
    std::vector<double> values(const Element& element, std::size_t tuples) const;
    std::vector<std::uint32_t> indices(const Element& element, std::size_t count, std::size_t most) const;
    void readPolygons(FramePart& part, std::size_t polygons) const;

    std::string name_;
    std::string_view head_, data_;
};

std::string Reader::attribute(std::string_view element, std::string_view key) const {
    const std::string mark = fmt::format(" {}=\"", key);
    const std::size_t start = element.find(mark);
    const std::size_t end = start == std::string_view::npos ? start : element.find('"', start + mark.size());
    if (end == std::string_view::npos) fail(fmt::format("the head has no {}", key));
    return std::string(element.substr(start + mark.size(), end - start - mark.size()));
}

std::size_t Reader::number(std::string_view element, std::string_view key) const {
    const std::string text = attribute(element, key);
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail(fmt::format("{} is no number", key));
    return value;
}

std::vector<Element> Reader::elements() const {
    std::vector<Element> found;
    const std::size_t cells = head_.find("<CellData>"), afterCells = head_.find("</CellData>");
    for (std::size_t at = head_.find("<DataArray "); at != std::string_view::npos;
         at = head_.find("<DataArray ", at + 1)) {
        const std::string_view element = head_.substr(at, head_.find('>', at) - at);
        found.push_back({.name = attribute(element, "Name"),
                         .type = attribute(element, "type"),
                         .components = number(element, "NumberOfComponents"),
                         .offset = number(element, "offset"),
                         .isOfCells = cells < at && at < afterCells});
        if (found.back().components == 0 || found.back().components > 9) fail("an array has odd components");
    }
    return found;
}

std::uint64_t Reader::word(std::size_t place) const {
    if (place > data_.size() || data_.size() - place < sizeof(std::uint64_t)) fail("ends too early");
    std::uint64_t value = 0;
    std::memcpy(&value, data_.data() + place, sizeof value);
    return value;
}

// The blocks of an array, which together have this many bytes.
std::string Reader::inflated(const Element& element, std::size_t bytes) const {
    const std::size_t table = element.offset;
    const std::uint64_t blocks = word(table);
    if (blocks == 0 && bytes == 0) return {};
    const std::uint64_t size = word(table + 8), last = word(table + 16);
    if (blocks == 0 || blocks > data_.size() / 8 || size == 0 || size > largestBlock || last >= size)
        fail("an array has odd blocks");
    if ((blocks - (last > 0 ? 1 : 0)) * size + last != bytes) fail("an array has another size than the head says");
    std::vector<std::size_t> starts{table + 24 + 8 * blocks};
    for (std::size_t k = 0; k < blocks; ++k) {
        const std::uint64_t compressed = word(table + 24 + 8 * k);
        if (starts.back() > data_.size() || compressed > data_.size() - starts.back()) fail("ends too early");
        starts.push_back(starts.back() + compressed);
    }
    if (bytes > bestCompression * (starts.back() - starts.front()) + size)
        fail("an array has another size than it can");
    std::string all(bytes, '\0');
    for (std::size_t k = 0; k < blocks; ++k) {
        const std::size_t expected = std::min<std::size_t>(size, bytes - k * size);
        uLongf length = static_cast<uLongf>(expected);
        const int status = uncompress(reinterpret_cast<Bytef*>(all.data() + k * size), &length,
                                      reinterpret_cast<const Bytef*>(data_.data() + starts[k]),
                                      static_cast<uLong>(starts[k + 1] - starts[k]));
        if (status != Z_OK || length != expected) fail("an array is damaged");
    }
    return all;
}

template <class T>
std::vector<double> asDoubles(const std::string& bytes) {
    std::vector<T> exact(bytes.size() / sizeof(T));
    if (!exact.empty()) std::memcpy(exact.data(), bytes.data(), bytes.size());
    return {exact.begin(), exact.end()};
}

std::vector<double> Reader::values(const Element& element, std::size_t tuples) const {
    const std::size_t count = tuples * element.components;
    if (element.type == "Float64") return asDoubles<double>(inflated(element, 8 * count));
    if (element.type == "UInt32") return asDoubles<std::uint32_t>(inflated(element, 4 * count));
    if (element.type == "UInt16") return asDoubles<std::uint16_t>(inflated(element, 2 * count));
    fail(fmt::format("an array has the unknown type {}", element.type));
}

// Whole numbers up to `most`.
std::vector<std::uint32_t> Reader::indices(const Element& element, std::size_t count, std::size_t most) const {
    if (element.type != "Int64" || element.components != 1) fail("an array of indices has another type");
    const std::string bytes = inflated(element, 8 * count);
    std::vector<std::uint32_t> result(count);
    for (std::size_t k = 0; k < count; ++k) {
        std::int64_t value = 0;
        std::memcpy(&value, bytes.data() + 8 * k, sizeof value);
        if (value < 0 || static_cast<std::uint64_t>(value) > most) fail("an index points nowhere");
        result[k] = static_cast<std::uint32_t>(value);
    }
    return result;
}

void Reader::readPolygons(FramePart& part, std::size_t polygons) const {
    const std::vector<Element> all = elements();
    const auto find = [&](std::string_view name) -> const Element& {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Element& e) { return e.name == name; });
        if (found == all.end()) fail(fmt::format("the array {} is missing", name));
        return *found;
    };
    // No polygon of ours has more corners than there are points.
    const std::size_t mostCorners = data_.size() * bestCompression / 8;
    part.ends = indices(find("offsets"), polygons, std::min<std::size_t>(mostCorners, UINT32_MAX));
    if (!std::is_sorted(part.ends.begin(), part.ends.end())) fail("its polygons are out of order");
    part.corners = indices(find("connectivity"), part.ends.empty() ? 0 : part.ends.back(), part.points.size() - 1);
}

FramePart Reader::read(const WantedArrays& wanted) {
    const std::size_t piece = head_.find("<Piece ");
    if (piece == std::string_view::npos) fail("has no piece");
    const std::string_view head = head_.substr(piece, head_.find('>', piece) - piece);
    const std::size_t points = number(head, "NumberOfPoints"), polygons = number(head, "NumberOfPolys");
    const std::size_t most = data_.size() * bestCompression;
    if (points > most || polygons > most) fail("says that it has more than can be in it");
    FramePart part;
    for (const Element& element : elements()) {
        if (element.name == "connectivity" || element.name == "offsets") continue;
        if (element.name != "Points" && wanted && !wanted->contains(element.name)) continue;
        std::vector<double> read = values(element, element.isOfCells ? polygons : points);
        if (element.name != "Points") {
            part.arrays.push_back({element.name, element.components, std::move(read)});
            continue;
        }
        if (element.components != 3) fail("its points have odd components");
        part.points.resize(points);
        for (std::size_t k = 0; k < points; ++k) part.points[k] = {read[3 * k], read[3 * k + 1], read[3 * k + 2]};
    }
    if (part.points.size() != points) fail("has no points");
    if (polygons > 0 && points == 0) fail("has polygons without points");
    if (polygons > 0) readPolygons(part, polygons);
    return part;
}

}  // namespace

FramePart parsePolyData(std::string_view bytes, const std::string& name, const WantedArrays& wanted) {
    return Reader(bytes, name).read(wanted);
}

}  // namespace talus
