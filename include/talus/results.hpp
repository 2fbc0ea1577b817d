// Results in folders: files that are written whole or not at all, series read back, plots drawn by gnuplot, and the
// facts about the machine that explain speed and bits. For whoever builds on the library: experiments, measurements of
// one's own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

// Makes the folder if it is missing. Throws RunError with the path and the reason if that fails or the folder cannot be
// written: to be told before hours of work.
void makeResultFolder(const std::filesystem::path& folder);

// Makes the folder if it is missing. Throws RunError with the path and the reason if that or the writing fails.
void writeResultFile(const std::filesystem::path& file, std::string_view text);

// Columns of the series.csv that a run left in the folder, in the order of the names; `time` is one of them. Throws
// InputError if the file or a column is missing.
std::vector<std::vector<double>> readSeriesColumns(const std::filesystem::path& folder,
                                                   const std::vector<std::string>& names);

// Draws folder/NAME.png by the gnuplot commands given, in the common style, with data files named relative to the
// folder. The script stays beside it as NAME.gp, to be changed and run again there. RunError if gnuplot is missing or
// fails.
std::filesystem::path drawPlot(const std::filesystem::path& folder, const std::string& name,
                               const std::string& commands);

// Bytes as text, as pages carry pictures (RFC 4648).
std::string asBase64(std::string_view bytes);

// The computer and the program, as far as they explain speed and bits.
struct MachineFacts {
    std::string cpu;  // model name
    int cores = 0;    // that this process may use
    std::uint64_t memoryBytes = 0;
    std::string system;  // kernel name and release
    std::string compiler;
    std::string build;  // e.g. "optimised, for any x86-64"
};
MachineFacts machineFacts();

}  // namespace talus
