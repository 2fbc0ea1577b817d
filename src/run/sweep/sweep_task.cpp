// The variants of a sweep one by one, for schedulers, and the sweep as it stands.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "run/sweep/sweep_folder.hpp"
#include "run/sweep/variants.hpp"
#include "talus/error.hpp"
#include "talus/tools/sweep.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

void checkNumber(const KeptSweep& sweep, std::size_t number) {
    if (number < sweep.variants.size()) return;
    throw InputError(fmt::format("{}: has no variant {}: they are numbered from 0 to {}", sweep.folder.string(), number,
                                 sweep.variants.size() - 1));
}

// s, simulated; 0 without a summary.
double timeIn(const std::string& summary) {
    const nlohmann::json read = nlohmann::json::parse(summary, nullptr, false);
    return read.is_object() ? read.value("time", 0.0) : 0.0;
}

RunOutcome runOrResume(const KeptSweep& sweep, std::size_t number, RunOptions options) {
    options.folder = sweep.folderOf(number);
    if (progressOf(options.folder) == Progressed::toACheckpoint) return resumeRun(options);
    options.overwrite = true;
    return runScene(sweep.sceneOf(number), options);
}

// A variant that has left no summary.
void judgeByLog(const fs::path& folder, SweepVariant& v) {
    const LogEnd end = endOfLog(folder / runLog);
    if (end.words.empty()) return;
    v.status = end.isError ? "failed" : "unfinished";
    v.message = end.isError ? end.words : "is running, or was killed";
}

}  // namespace

std::size_t prepareSweep(const SweepOptions& options) {
    const std::vector<SweepVariant> variants = makeVariants(options.vary);
    checkScenes(options, variants);
    const SweepFolder folder(options);
    return variants.size();
}

fs::path sweepTaskFolder(const fs::path& sweep, std::size_t number) {
    const KeptSweep kept = readKeptSweep(sweep);
    checkNumber(kept, number);
    return kept.folderOf(number);
}

RunOutcome runSweepTask(const fs::path& sweep, std::size_t number, const RunOptions& options) {
    const KeptSweep kept = readKeptSweep(sweep);
    checkNumber(kept, number);
    const fs::path folder = kept.folderOf(number);
    const Progressed before = progressOf(folder);
    const std::string summary = textOf(folder / "summary.json");
    if (before == Progressed::toTheEnd) return {"finished", "finished before", summary, 0, folder};
    const double start = before == Progressed::toACheckpoint ? timeIn(summary) : 0;
    RunOutcome outcome = runOrResume(kept, number, options);
    const double reached = timeIn(outcome.summary);
    if (outcome.signal != 0 && reached <= start) {
        outcome.signal = 0;
        outcome.status = "failed";
        outcome.message =
            fmt::format("came no further than {:.6g} s before it was stopped: it needs more time", reached);
    }
    return outcome;
}

SweepOutcome readSweep(const fs::path& sweep) {
    KeptSweep kept = readKeptSweep(sweep);
    SweepOutcome outcome;
    for (const Variation& v : kept.vary) outcome.keys.push_back(v.key);
    for (std::size_t k = 0; k < kept.variants.size(); ++k) {
        readSummary(kept.folderOf(k), kept.variants[k]);
        if (kept.variants[k].status == "not run") judgeByLog(kept.folderOf(k), kept.variants[k]);
    }
    outcome.variants = std::move(kept.variants);
    writeTables(outcome, sweep);
    return outcome;
}

}  // namespace talus
