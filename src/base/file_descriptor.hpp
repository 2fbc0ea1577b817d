// An open file of the operating system that closes itself, and whole writes to it. Errors are RunError.
#pragma once

#include <filesystem>
#include <string_view>

namespace talus {

class FileDescriptor {
public:
    FileDescriptor() = default;
    // Messages name shownAs if given: the file that the user knows, rather than a temporary one.
    FileDescriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& shownAs = {});
    ~FileDescriptor();
    FileDescriptor(FileDescriptor&& other) noexcept;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;

    int number() const { return number_; }

    void writeAll(std::string_view content);
    void flushToDisk();
    // Closing can be the moment at which a full disk is noticed (network file systems).
    void close();

private:
    std::filesystem::path shownAs_;
    int number_ = -1;
};

}  // namespace talus
