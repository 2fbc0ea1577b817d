#include "io/checkpoint/seal.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "base/file_descriptor.hpp"
#include "base/hash.hpp"
#include "base/input_file.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

struct Seal {
    int format = 0;
    std::uint64_t bytes = 0, hash = 0;
};

constexpr const char* sealPattern = "Talus checkpoint\nformat %d\nbytes %20lu\nxxh3 %16lx\n";

std::string sealText(const Seal& seal) {
    std::string text =
        fmt::format("Talus checkpoint\nformat {}\nbytes {}\nxxh3 {:016x}\n", seal.format, seal.bytes, seal.hash);
    text.resize(sealSize, '\n');
    return text;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
    throw InputError(fmt::format("{}: {}", path.string(), reason));
}

// Length of the file and hash of all after the seal.
Seal measure(std::ifstream& file) {
    Hash hash;
    std::vector<char> buffer(std::size_t{1} << 20);
    std::uint64_t bytes = sealSize;
    file.clear();
    file.seekg(static_cast<std::streamoff>(sealSize));
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
        hash.addBytes(buffer.data(), static_cast<std::size_t>(file.gcount()));
        bytes += static_cast<std::uint64_t>(file.gcount());
    }
    return {checkpointFormat, bytes, hash.value()};
}

}  // namespace

void sealFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const Seal seal = measure(file);
    FileDescriptor out(path, O_WRONLY);
    out.writeAll(sealText(seal));
    out.close();
}

void checkSeal(const std::filesystem::path& path) {
    std::ifstream file = openInput(path, {.name = "a checkpoint", .mostMebibytes = std::uint64_t{1} << 24});
    std::string text(sealSize, '\0');
    file.read(text.data(), static_cast<std::streamsize>(sealSize));
    if (static_cast<std::uint64_t>(file.gcount()) != sealSize) refuse(path, "is cut short: it ends in its first line");
    Seal claimed;
    if (std::sscanf(text.c_str(), sealPattern, &claimed.format, &claimed.bytes, &claimed.hash) != 3 ||
        !text.starts_with("Talus checkpoint\n")) {
        refuse(path, "is not a checkpoint of Talus");
    }
    if (claimed.format != checkpointFormat) {
        refuse(path, fmt::format("has checkpoint format {}, but this version of Talus reads format {}; resume it with "
                                 "the version that wrote it (see run.json)",
                                 claimed.format, checkpointFormat));
    }
    const Seal found = measure(file);
    if (found.bytes != claimed.bytes) {
        refuse(path, fmt::format("is cut short or was added to: {} bytes, expected {}", found.bytes, claimed.bytes));
    }
    if (found.hash != claimed.hash) refuse(path, "is damaged: its checksum does not fit its content");
    if (text != sealText(claimed)) refuse(path, "is damaged in its first lines");
}

}  // namespace talus
