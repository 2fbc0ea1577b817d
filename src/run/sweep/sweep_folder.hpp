// The folder of a sweep: whose it is, that nobody else works in it, and what its variants have left.
#pragma once

#include <filesystem>

#include "base/folder_lock.hpp"
#include "talus/tools/sweep.hpp"

namespace talus {

// Held open by the sweep and by its runs: another sweep waits until the last of them has ended.
class SweepFolder {
public:
    // Makes the folder, or takes it up again. InputError if it belongs to something else, RunError if it is in use.
    explicit SweepFolder(const SweepOptions& options);

    int lock() const { return lock_.number(); }

private:
    FolderLock lock_;
};

enum class Progressed { notAtAll, toACheckpoint, toTheEnd };
Progressed progressOf(const std::filesystem::path& variant);

// Status, seconds and results from summary.json, as far as there is one.
void readSummary(const std::filesystem::path& variant, SweepVariant& into);

// s, simulated: of the last row of the series; 0 if there is none.
double timeReached(const std::filesystem::path& variant);

// What a run that did not finish said: its last error, or else its last line.
std::string lastWords(const std::filesystem::path& log);

}  // namespace talus
