#include "io/results/frame_index.hpp"

#include <fmt/format.h>

#include <charconv>
#include <istream>
#include <optional>
#include <string_view>

namespace talus {
namespace {

std::optional<std::string> attribute(const std::string& line, std::string_view name) {
    const std::string mark = fmt::format(" {}=\"", name);
    const std::size_t start = line.find(mark);
    if (start == std::string::npos) return {};
    const std::size_t end = line.find('"', start + mark.size());
    if (end == std::string::npos) return {};
    return line.substr(start + mark.size(), end - start - mark.size());
}

template <class Number>
std::optional<Number> numberIn(const std::optional<std::string>& text) {
    Number value{};
    if (!text) return {};
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    return error == std::errc{} ? std::optional(value) : std::nullopt;
}

}  // namespace

std::vector<IndexLine> readFrameIndex(std::istream& index) {
    std::vector<IndexLine> lines;
    for (std::string line; std::getline(index, line);) {
        const auto time = numberIn<double>(attribute(line, "timestep"));
        const auto part = numberIn<std::size_t>(attribute(line, "part"));
        const auto file = attribute(line, "file");
        if (time && part && file) lines.push_back({*time, *part, *file});
    }
    return lines;
}

}  // namespace talus
