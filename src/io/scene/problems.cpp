#include "io/scene/problems.hpp"

#include <fmt/format.h>

#include "talus/error.hpp"

namespace talus {
namespace {

constexpr std::size_t mostFindings = 10;
constexpr std::size_t longestQuote = 60;

// "bodies[3].radius" to "bodies[3]" to "bodies" to "".
std::string parentOf(const std::string& path) {
    const std::size_t cut = path.find_last_of(".[");
    return cut == std::string::npos ? "" : path.substr(0, cut);
}

}  // namespace

void Problems::add(const std::string& path, const std::string& message) {
    findings_.push_back(findingAt(source_, path, message));
    if (findings_.size() == mostFindings) throwAll();
}

void Problems::addAt(const std::string& place, const std::string& message) {
    findings_.push_back(fmt::format("{}: {}", place, message));
    if (findings_.size() == mostFindings) throwAll();
}

void Problems::throwIfAny() const {
    if (any()) throwAll();
}

void Problems::throwAll() const {
    std::string text;
    for (const std::string& finding : findings_) text += (text.empty() ? "" : "\n") + finding;
    throw InputError(text);
}

std::string findingAt(const SceneSource& source, const std::string& path, const std::string& message) {
    const std::string place = placeOf(source, path);
    const std::string about = path.empty() ? message : fmt::format("{}: {}", path, message);
    return place.empty() ? about : fmt::format("{}: {}", place, about);
}

std::string placeOf(const SceneSource& source, const std::string& path) {
    // An override hides the lines of everything it replaced.
    for (std::string at = path; !at.empty(); at = parentOf(at)) {
        const auto found = source.overrides.find(at);
        if (found != source.overrides.end()) return "--set " + found->second;
    }
    for (std::string at = path; !at.empty(); at = parentOf(at)) {
        const auto found = source.lines.find(at);
        if (found != source.lines.end()) return fmt::format("{}:{}", source.file, found->second);
    }
    return source.file;
}

std::string shortened(std::string_view text) {
    std::string shown;
    for (const char c : text.substr(0, longestQuote)) {
        shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
    return shown + (text.size() > longestQuote ? "..." : "");
}

std::string inQuotes(std::string_view text) { return fmt::format("\"{}\"", shortened(text)); }

std::string indexed(std::string_view path, std::size_t index) { return fmt::format("{}[{}]", path, index); }

std::string joined(std::string_view path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

}  // namespace talus
