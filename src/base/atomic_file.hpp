// Files that are written whole or not at all.
//
// A file is made under a temporary name in the same folder (".talus-PID-NUMBER.tmp"), flushed to the disk, and renamed
// over the old one; then the folder is flushed. Whenever the machine stops, a reader finds the old file or the new one.
// Failures become RunError with the path, the reason and what to do; the temporary file is removed and the old file
// is untouched. Each temporary file is new and has a name of its own, so that two processes that write the same file
// do not spoil each other's: the last one to rename has it. Nothing here locks (base/folder_lock.hpp does).
//
// Flushing takes milliseconds. Where many files are made and a flush can wait, Flush::later leaves it to flushFiles():
// a program that stops leaves whole files, but a machine that stops before then may lose them.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace talus {

enum class Flush { now, later };

void writeFileAtomically(const std::filesystem::path& path, std::string_view content);

// Writes pieces, one after the other, so that large parts need not be joined in memory.
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::string_view> pieces,
                         Flush flush = Flush::now);

// Brings files of one folder, and their names, to the disk; those that are gone by now are left out.
void flushFiles(const std::vector<std::filesystem::path>& files);

// For writers that make a file by name: `write` fills the temporary file, which is there and empty. If keepOldAs is
// given, the file that was at `path` stays under that name; a file is at `path` all the time if the file system has
// hard links.
void replaceFileAtomically(const std::filesystem::path& path,
                           const std::function<void(const std::filesystem::path& temporary)>& write,
                           const std::filesystem::path& keepOldAs = {}, Flush flush = Flush::now);

// Removes the temporary files that processes of this machine left in a folder when they were killed.
void removeLeftovers(const std::filesystem::path& folder);

// Makes a folder and those above it; an existing one is fine, and so is none: that of a file named without one.
void makeFolder(const std::filesystem::path& folder);

// Throws RunError: "cannot ACTION PATH: REASON; ADVICE", from the value of errno.
[[noreturn]] void throwFileError(std::string_view action, const std::filesystem::path& path, int errorNumber);

}  // namespace talus
