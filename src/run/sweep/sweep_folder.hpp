// The folder of a sweep: whose it is, that nobody else works in it, what its variants need and what they have left.
#pragma once

#include <filesystem>
#include <string>

#include "base/folder_lock.hpp"
#include "talus/scene.hpp"
#include "talus/tools/sweep.hpp"

namespace talus {

// Held open by the sweep and by its runs: another sweep waits until the last of them has ended.
class SweepFolder {
public:
    // Makes the folder, or takes it up again, and keeps there what the variants need: sweep.json and the text of the
    // scene. InputError if the folder belongs to something else, RunError if it is in use.
    explicit SweepFolder(const SweepOptions& options);

    int lock() const { return lock_.number(); }

private:
    FolderLock lock_;
};

// A sweep as its folder keeps it, whatever becomes of the file of the scene.
struct KeptSweep {
    std::filesystem::path folder;
    std::string sceneText, sceneFile;   // the file as the user gave it
    std::filesystem::path sceneFolder;  // what relative file names of the scene start from
    std::vector<std::string> overrides;
    std::vector<Variation> vary;
    std::vector<SweepVariant> variants;  // none of them run yet

    std::filesystem::path folderOf(std::size_t variant) const { return folder / variants[variant].name; }
    Scene sceneOf(std::size_t variant) const;
};

// InputError if the folder holds no sweep, or what it keeps was changed.
KeptSweep readKeptSweep(const std::filesystem::path& folder);

// table.csv and table.json.
void writeTables(const SweepOutcome& outcome, const std::filesystem::path& folder);

enum class Progressed { notAtAll, toACheckpoint, toTheEnd };
Progressed progressOf(const std::filesystem::path& variant);

// Status, seconds and results from summary.json, as far as there is one.
void readSummary(const std::filesystem::path& variant, SweepVariant& into);

// s, simulated: of the last row of the series; 0 if there is none.
double timeReached(const std::filesystem::path& variant);

// What a run says, in its folder.
inline constexpr const char* runLog = "run.log";

// What a run that did not finish said.
struct LogEnd {
    std::string words;     // its last error, or else its last line
    bool isError = false;  // whether an error was the last thing it said
};
LogEnd endOfLog(const std::filesystem::path& log);

// Empty if there is no such file.
std::string textOf(const std::filesystem::path& file);

// The program that runs the variants.
std::filesystem::path commandOf(const SweepOptions& options);

}  // namespace talus
