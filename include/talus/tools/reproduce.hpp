// Re-running the experiments of published papers, as `talus reproduce` does.
//
//   talus::ExperimentResult r = talus::runExperiment("unger2002/chain", {.scale = "quick", .folder = "out/chain"});
//   std::cout << talus::reproduceAsTable({r});
//
// An experiment runs scenes, measures, and holds each quantity against what the paper reports: one row each.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace talus {

struct ExperimentInfo {
    std::string id;     // paper/name, as in unger2002/chain
    std::string paper;  // authors, title, journal
    std::string title;
    double quickSeconds = 0, paperSeconds = 0;  // s of wall clock of the recorded runs; 0: none recorded
};

// All experiments, in alphabetical order.
std::vector<ExperimentInfo> listExperiments();

// The list as objects for programs; seconds that were not recorded are null.
std::string experimentsAsJson(const std::vector<ExperimentInfo>& list);

// The experiments meant by these words, each an id or the name of a paper; all if there are none. Throws InputError
// with the likely word.
std::vector<std::string> findExperiments(const std::vector<std::string>& words);

// One quantity: what it should be and what it is.
struct ComparedRow {
    std::string quantity, unit;
    double paper = 0;      // what the paper reports, or what theory says where it gives no number
    double talus = 0;      // what the run found
    double tolerance = 0;  // largest difference allowed; infinite for "at least"
    std::string rule;      // the same in words: "within 3 %", "at most", ...
    std::string source;    // of the number under `paper`: paper or theory
    bool pass = false;
};

struct ExperimentResult {
    std::string id, scale;
    bool pass = false;   // every row holds, and nothing went wrong
    double seconds = 0;  // s of wall clock
    std::vector<ComparedRow> rows;
    std::string error;                         // why it ended early; empty if it did not
    int signal = 0;                            // that ended it
    std::vector<std::string> notes;            // what else should be known, such as a plot that could not be drawn
    std::vector<std::filesystem::path> plots;  // PNG pictures
};

struct ReproduceOptions {
    std::string scale = "paper";   // or "quick": smaller, and shows the same effect
    std::filesystem::path folder;  // for result.json, data files and plots; made if missing
    int threads = 0;               // 0: one per core
    std::function<void(const std::string&)> progress = [](const std::string&) {};  // what it is doing now
};

// Throws InputError, with the likely word, unless the scale is one of ReproduceOptions.
void checkReproduceScale(const std::string& scale);

// Throws InputError if there is no such experiment or scale. What goes wrong later, be it that the folder cannot be
// written, is told in the result.
ExperimentResult runExperiment(const std::string& id, const ReproduceOptions& options);

// A list of objects for programs, and a table for people.
std::string reproduceAsJson(const std::vector<ExperimentResult>& results);
std::string reproduceAsTable(const std::vector<ExperimentResult>& results);

// One self-contained page (HTML, without scripts): rows with paper beside Talus, plots, notes, machine.
std::string reproduceAsPage(const std::vector<ExperimentResult>& results);

// Keeps a result with date, machine and command, as folder/PAPER-NAME-SCALE.json: what docs/validation.md shows.
void recordResult(const ExperimentResult& result, const std::filesystem::path& folder);

}  // namespace talus
