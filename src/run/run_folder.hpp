// The folder of a run: nobody else works in it, nothing in it is replaced unasked.
#pragma once

#include <filesystem>

#include "base/folder_lock.hpp"

namespace talus {

// Locked for as long as it lives. RunError that says who has it if another process has.
class RunFolder {
public:
    // Makes the folder. What would be replaced is removed with `Replace::allowed`, else it is an InputError.
    enum class Replace { refused, allowed };
    static RunFolder forNewRun(const std::filesystem::path& folder, Replace replace);
    // The first of BASE, BASE-2, BASE-3, ... that no run has or had.
    static RunFolder firstFree(const std::filesystem::path& base);
    // InputError if there is no such folder.
    static RunFolder toGoOn(const std::filesystem::path& folder);

    const std::filesystem::path& path() const { return path_; }
    bool isLocked() const { return lock_.keepsOthersOut(); }

    // Whether the folder is still the one of this run.
    bool isMine() const { return lock_.isIn(path_) && lock_.isOf(path_); }
    // Before writing there. Takes the lock again if only its file was removed. RunError if the folder
    // was moved or removed, or if another process has it by now.
    void requireMine();

private:
    RunFolder(std::filesystem::path path, FolderLock lock);
    static RunFolder lock(const std::filesystem::path& folder);

    std::filesystem::path path_;
    FolderLock lock_;
};

}  // namespace talus
