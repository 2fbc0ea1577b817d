// One process at a time in a folder.
//
// The lock is a flock() on the file ".talus.lock" in the folder: it ends with the process that holds it, however that
// ends, and goes with the folder when that is moved. The file is removed with the lock; one that a killed process left
// behind locks nothing. What stands in it is for people: which process holds the lock, since when.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file_descriptor.hpp"

namespace talus {

class FolderLock {
public:
    static constexpr const char* fileName = ".talus.lock";

    // Nothing if another process has the folder, or another lock of this one. RunError if the folder cannot be written.
    static std::optional<FolderLock> take(const std::filesystem::path& folder);

    // "process 4711 on atlas, since 2026-11-19 12:50:20", of whoever has the folder.
    static std::string holderOf(const std::filesystem::path& folder);

    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept = default;
    FolderLock& operator=(FolderLock&& other) noexcept;

    // False where the file system knows no locks: then this one keeps nobody out.
    bool keepsOthersOut() const { return keepsOthersOut_; }

    // Whether the folder is still the one that was locked; it may have been moved away.
    bool isIn(const std::filesystem::path& folder) const;
    // Whether this is still the lock of the folder: not if its file was removed, and others may have locked another
    // one.
    bool isOf(const std::filesystem::path& folder) const;

    // A process that inherits this descriptor holds the lock, too.
    int number() const { return file_.number(); }

private:
    FolderLock(FileDescriptor folder, FileDescriptor file, bool keepsOthersOut);
    void release() noexcept;

    FileDescriptor folder_, file_;
    bool keepsOthersOut_ = true;
};

}  // namespace talus
