// An open file of the operating system that closes itself, and whole writes to it. Errors are RunError.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace talus {

class FileDescriptor {
public:
    FileDescriptor() = default;
    // Messages name shownAs if given: the file that the user knows, rather than a temporary one.
    FileDescriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& shownAs = {});
    // Takes over one that is open.
    explicit FileDescriptor(int number) : number_(number) {}
    ~FileDescriptor();
    FileDescriptor(FileDescriptor&& other) noexcept;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;

    int number() const { return number_; }

    void writeAll(std::string_view content);
    // From the first byte, wherever reading or writing stands.
    std::string readAll() const;
    // Whether the file of this name is the one that is open.
    bool isAt(const std::filesystem::path& path) const;
    void flushToDisk();
    void flushFileSystem();  // all that is not on the disk yet, of any file in it
    // Closing can be the moment at which a full disk is noticed (network file systems).
    void close();

private:
    std::filesystem::path shownAs_;
    int number_ = -1;
};

}  // namespace talus
