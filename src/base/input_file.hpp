// Files that a user names, opened to be read.
//
// Only files: a folder says nothing, a device such as /dev/zero never ends, and a pipe may wait for ever and can be
// read but once. A file of more bytes than its kind can sensibly have is refused before any memory is taken for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace talus {

struct InputKind {
    const char* name = "";               // as in "a mesh"
    std::uint64_t mostMebibytes = 4096;  // a table of some 40 million bodies, a mesh of 80 million triangles
};

// Throws InputError with the path and the reason.
std::ifstream openInput(const std::filesystem::path& file, const InputKind& kind);

// All of it.
std::string readInput(const std::filesystem::path& file, const InputKind& kind);

}  // namespace talus
