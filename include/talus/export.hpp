// The results of a run as tables for other programs: CSV for spreadsheets, R and Matlab, NPZ for numpy and what reads
// its arrays.
//
//   talus::exportRun("out/settle", {.format = talus::TableFormat::csv, .folder = "tables"});
//
// CSV: bodies_000000.csv, contacts_000000.csv, ... with a row per grain or contact, names of groups and materials as
// texts and the units in the heads; frames.csv says which frame is at which time. NPZ: frame_000000.npz, ... with the
// arrays `time`, `bodies.position`, `contacts.force`, `walls.corners`, ..., and series.npz with the columns of
// series.csv. Both keep all digits.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace talus {

enum class TableFormat { csv, npz };

struct ExportOptions {
    TableFormat format = TableFormat::csv;
    std::filesystem::path folder;  // where the tables go, made if missing; empty: `export` in the folder of the run
    std::vector<long> frames;      // which, from 0; negative numbers count from the end; none: all of them
    std::function<void(const std::string&)> say = [](const std::string&) {};  // how far it is, for the user
};

// Writes the tables and returns their files. Works while the run goes on, with the frames it has by then. InputError
// if the folder has no run, a frame is not there or its files cannot be read.
std::vector<std::filesystem::path> exportRun(const std::filesystem::path& folder, const ExportOptions& options);

}  // namespace talus
