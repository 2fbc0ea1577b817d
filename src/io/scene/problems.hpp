// Collects what is wrong with a scene, so that a user sees up to ten findings at once, each with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "talus/scene.hpp"

namespace talus {

class Problems {
public:
    // The source gives the line of each path; it must outlive this object and may still grow.
    explicit Problems(const SceneSource& source) : source_(source) {}

    // Adds "file:line: path: message"; throws all findings when there are ten.
    void add(const std::string& path, const std::string& message);
    // Adds a problem in a line of another file.
    void addAt(const std::string& place, const std::string& message);

    bool any() const { return !findings_.empty(); }
    const std::vector<std::string>& all() const { return findings_; }
    void throwIfAny() const;

private:
    [[noreturn]] void throwAll() const;

    const SceneSource& source_;
    std::vector<std::string> findings_;
};

// One finding as a text: "scene.yaml:12: bodies[3].radius: message".
std::string findingAt(const SceneSource& source, const std::string& path, const std::string& message);

// "scene.yaml:12", the override that set the path, or "" for a scene made in memory.
std::string placeOf(const SceneSource& source, const std::string& path);

// A text from a file as it may stand in a message: not too long, without control characters; inQuotes() adds quotes.
std::string shortened(std::string_view text);
std::string inQuotes(std::string_view text);

// "bodies[3]"
std::string indexed(std::string_view path, std::size_t index);
// "run.time"; just the key at the top
std::string joined(std::string_view path, std::string_view key);

}  // namespace talus
