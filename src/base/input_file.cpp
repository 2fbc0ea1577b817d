#include "base/input_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& reason) {
    throw InputError(fmt::format("{}: {}", file.string(), reason));
}

std::string_view nameOf(fs::file_type type) {
    switch (type) {
        case fs::file_type::directory:
            return "a folder";
        case fs::file_type::character:
        case fs::file_type::block:
            return "a device";
        case fs::file_type::fifo:
            return "a pipe";
        case fs::file_type::socket:
            return "a socket";
        default:
            return "of an unknown kind";
    }
}

void check(const fs::path& file, const InputKind& kind) {
    std::error_code error;
    const fs::file_type type = fs::status(file, error).type();
    if (type == fs::file_type::not_found) refuse(file, "cannot be opened: there is no such file");
    if (type == fs::file_type::none) refuse(file, "cannot be opened: " + error.message());
    if (type != fs::file_type::regular) refuse(file, fmt::format("is {}, not {}", nameOf(type), kind.name));
    const std::uint64_t size = fs::file_size(file, error);
    if (error) refuse(file, "cannot be opened: " + error.message());
    if (size > kind.mostMebibytes << 20) {
        refuse(file, fmt::format("has {} MiB, more than the {} MiB that {} can have", size >> 20, kind.mostMebibytes,
                                 kind.name));
    }
}

}  // namespace

std::ifstream openInput(const fs::path& file, const InputKind& kind) {
    check(file, kind);
    std::ifstream stream(file, std::ios::binary);
    if (!stream) refuse(file, fmt::format("cannot be opened: {}", std::strerror(errno)));
    return stream;
}

std::string readInput(const fs::path& file, const InputKind& kind) {
    std::ifstream stream = openInput(file, kind);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad()) refuse(file, "cannot be read to its end");
    return text;
}

}  // namespace talus
