#include "run/run_folder.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/atomic_file.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

// What runs make, and so what a new run would replace.
constexpr std::array results{
    "run.json",    "summary.json", "series.csv", "frames.pvd", "checkpoint.h5", "checkpoint.previous.h5",
    "picture.png", "frames",       "plots",      "problems"};

// The first of these names that is taken, by whatever it is; links count, not what they point at.
std::optional<std::string> firstResult(const fs::path& folder) {
    std::error_code error;
    for (const char* name : results) {
        if (fs::exists(fs::symlink_status(folder / name, error))) return name;
    }
    return {};
}

[[noreturn]] void refuseToReplace(const fs::path& folder, const std::string& name) {
    if (name == results.front()) {
        throw InputError(
            fmt::format("{0}: holds the results of an earlier run; choose another folder with -o, go on "
                        "with 'talus resume {0}', or replace them with --overwrite",
                        folder.string()));
    }
    throw InputError(
        fmt::format("{}: holds {}, which this run would replace, but no run.json; choose another folder "
                    "with -o, or replace it with --overwrite",
                    folder.string(), name));
}

// Folders only if a run made them: others may hold anything.
void removeResults(const fs::path& folder) {
    std::error_code error;
    const bool isOfRun = fs::exists(folder / results.front(), error);
    for (const char* name : results) {
        if (!isOfRun && fs::is_directory(fs::symlink_status(folder / name, error))) continue;
        fs::remove_all(folder / name, error);
        if (error) throwFileError("remove", folder / name, error.value());
    }
}

[[noreturn]] void refuseToShare(const fs::path& folder) {
    throw RunError(fmt::format("{}: is in use by {}; wait until that has ended, or choose another folder with -o",
                               folder.string(), FolderLock::holderOf(folder)));
}

// Runs that were killed leave them.
void removeAllLeftovers(const fs::path& folder) {
    removeLeftovers(folder);
    for (const char* part : {"frames", "plots", "problems"}) removeLeftovers(folder / part);
}

}  // namespace

RunFolder::RunFolder(fs::path path, FolderLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}

RunFolder RunFolder::lock(const fs::path& folder) {
    std::optional<FolderLock> lock = FolderLock::take(folder);
    if (!lock) refuseToShare(folder);
    removeAllLeftovers(folder);
    return {folder, std::move(*lock)};
}

RunFolder RunFolder::forNewRun(const fs::path& folder, Replace replace) {
    makeFolder(folder);
    RunFolder made = lock(folder);
    if (const auto name = firstResult(folder)) {
        if (replace == Replace::refused) refuseToReplace(folder, *name);
        removeResults(folder);
    }
    return made;
}

RunFolder RunFolder::firstFree(const fs::path& base) {
    for (int k = 1;; ++k) {
        const fs::path folder = k == 1 ? base : fs::path(fmt::format("{}-{}", base.string(), k));
        makeFolder(folder);
        if (firstResult(folder)) continue;
        std::optional<FolderLock> lock = FolderLock::take(folder);
        if (lock && !firstResult(folder)) return {folder, std::move(*lock)};
    }
}

RunFolder RunFolder::toGoOn(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return lock(folder);
    throw InputError(
        fmt::format("{}: there is no such folder; give the output folder of a run that wrote a "
                    "checkpoint.h5",
                    folder.string()));
}

void RunFolder::requireMine() {
    if (isMine()) return;
    if (!lock_.isIn(path_)) {
        throw RunError(
            fmt::format("{}: the folder was moved or removed while the run went on; go on from its last "
                        "checkpoint with 'talus resume', if you still have it",
                        path_.string()));
    }
    std::optional<FolderLock> again = FolderLock::take(path_);
    if (!again) refuseToShare(path_);
    lock_ = std::move(*again);
}

}  // namespace talus
