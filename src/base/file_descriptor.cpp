#include "base/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/atomic_file.hpp"

namespace talus {

FileDescriptor::FileDescriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& shownAs)
    : shownAs_(shownAs.empty() ? path : shownAs) {
    do {
        number_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    } while (number_ < 0 && errno == EINTR);
    if (number_ < 0) throwFileError((flags & O_ACCMODE) == O_RDONLY ? "open" : "write", shownAs_, errno);
}

FileDescriptor::~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : shownAs_(std::move(other.shownAs_)), number_(std::exchange(other.number_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    std::swap(shownAs_, other.shownAs_);
    std::swap(number_, other.number_);
    return *this;
}

void FileDescriptor::writeAll(std::string_view content) {
    constexpr std::size_t largest = std::size_t{1} << 30;  // one write() takes less than 2 GiB on Linux
    while (!content.empty()) {
        const ssize_t written = ::write(number_, content.data(), std::min(content.size(), largest));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throwFileError("write", shownAs_, errno);
        content.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string FileDescriptor::readAll() const {
    std::string content;
    std::array<char, 1 << 16> part;
    for (;;) {
        const ssize_t size = ::pread(number_, part.data(), part.size(), static_cast<off_t>(content.size()));
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) throwFileError("read", shownAs_, errno);
        if (size == 0) return content;
        content.append(part.data(), static_cast<std::size_t>(size));
    }
}

bool FileDescriptor::isAt(const std::filesystem::path& path) const {
    struct stat named {
    }, opened{};
    if (::stat(path.c_str(), &named) != 0 || ::fstat(number_, &opened) != 0) return false;
    return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

void FileDescriptor::flushToDisk() {
    // Some file systems cannot flush a folder or a pipe and say EINVAL; there is nothing better to do then.
    if (::fsync(number_) != 0 && errno != EINVAL) throwFileError("flush", shownAs_, errno);
}

void FileDescriptor::flushFileSystem() {
    if (::syncfs(number_) != 0) throwFileError("flush", shownAs_, errno);
}

void FileDescriptor::close() {
    const int number = std::exchange(number_, -1);
    if (number >= 0 && ::close(number) != 0 && errno != EINTR) throwFileError("write", shownAs_, errno);
}

}  // namespace talus
