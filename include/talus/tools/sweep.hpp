// Running a scene with other values of some keys, all combinations of them, as `talus sweep` does.
//
//   talus::SweepOptions options;
//   options.scene = "hopper.yaml";
//   options.vary = {talus::parseVariation("materials.glass.friction=0.1,0.3,0.5")};
//   options.folder = "out/friction";
//   std::cout << talus::sweepAsTable(talus::runSweep(options), {"mass_through_outlet"});
//
// Each variant is a run of its own, in a process and a folder of its own: what `talus run --set` would do. A sweep that
// was stopped goes on when it is called again: finished variants stay, interrupted ones are resumed. The folder keeps
// the text of the scene, so that a file that is edited meanwhile changes nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "talus/simulation.hpp"

namespace talus {

// The values that one key of the scene shall have, as texts like those of `--set`.
struct Variation {
    std::string key;
    std::vector<std::string> values;
    bool operator==(const Variation&) const = default;
};

// Reads "run.step=1 us,2 us". A comma within brackets or quotes belongs to its value. Throws InputError if there is no
// key, no value, or a value twice.
Variation parseVariation(const std::string& text);

struct SweepVariant {
    std::string name;                                     // of its folder: "friction=0.1,step=1us"
    std::vector<std::string> values;                      // one per varied key
    std::string status = "not run";                       // finished, interrupted, failed, not run, unfinished
    std::string message;                                  // why it is not finished
    double seconds = 0;                                   // s of wall clock, of the whole run
    std::vector<std::pair<std::string, double>> results;  // numbers of summary.json, by name
};

struct SweepOutcome {
    std::vector<std::string> keys;  // that were varied
    std::vector<SweepVariant> variants;
    int signal = 0;  // that interrupted the sweep

    bool allFinished() const;
};

struct SweepOptions {
    std::filesystem::path scene;
    std::vector<std::string> overrides;  // for all variants, "key=value"
    std::vector<Variation> vary;
    std::filesystem::path folder;   // made if missing; keeps sweep.json, table.csv, table.json and the variants
    int jobs = 0;                   // runs at a time, at most one per core; 0: one per core
    std::filesystem::path program;  // the command `talus`; empty: this program
    std::function<void(const std::string&)> say = [](const std::string&) {};       // lines for the user
    std::function<void(const std::string&)> progress = [](const std::string&) {};  // what it is doing now
};

// Runs what is not finished yet, until all have ended or SIGINT or SIGTERM came; then the runs write their checkpoints.
// Throws InputError, before anything runs, if a variant is no valid scene or the folder belongs to another sweep, and
// RunError if a sweep is still running there. A variant that fails is told in the outcome and does not stop the others.
SweepOutcome runSweep(const SweepOptions& options);

// For schedulers: makes the folder with all that the variants need and runs nothing. They are then run one by one, by
// their numbers from 0, wherever the folder is seen. Returns how many there are; throws as runSweep().
std::size_t prepareSweep(const SweepOptions& options);

// Where this variant runs. InputError if the folder holds no sweep, or one without this number.
std::filesystem::path sweepTaskFolder(const std::filesystem::path& sweep, std::size_t number);

// Runs the variant in this process to its end, from its checkpoint if it has one; one that has finished stays as it is.
// Of the options those about folders are ignored. A run that was interrupted before it came any further than the last
// time is said to have failed: it would do so forever.
RunOutcome runSweepTask(const std::filesystem::path& sweep, std::size_t number, const RunOptions& options);

// The sweep as it stands, whoever runs it; writes table.csv and table.json. A variant without a summary is
// `unfinished`: it is running, or was killed.
SweepOutcome readSweep(const std::filesystem::path& sweep);

// The results that are meant: those named, or all that any variant has. Throws InputError, with the likely name, if
// there are results, but none of that name.
std::vector<std::string> chosenResults(const SweepOutcome& outcome, const std::vector<std::string>& show);

// For people: one row per variant, wide tables in several parts; without a choice, results that are the same in all
// variants are told once. For programs: everything.
std::string sweepAsTable(const SweepOutcome& outcome, const std::vector<std::string>& show = {});
std::string sweepAsCsv(const SweepOutcome& outcome);
std::string sweepAsJson(const SweepOutcome& outcome);

// A picture of each of these results against the varied key, folder/NAME.png; none unless one key with numbers is
// varied. RunError if gnuplot is missing or fails.
std::vector<std::filesystem::path> plotSweep(const SweepOutcome& outcome, const std::vector<std::string>& show,
                                             const std::filesystem::path& folder);

}  // namespace talus
