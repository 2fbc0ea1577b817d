// The texts that Slurm gets for a sweep: scripts, lists of indices, times.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "talus/tools/slurm.hpp"

namespace talus {

// Runs the variant of the number $1 + SLURM_ARRAY_TASK_ID, in the folder of the sweep.
std::string taskScript(const std::filesystem::path& program, const std::string& name, const SlurmSettings& settings);

// Makes the table, in the folder of the sweep.
std::string tableScript(const std::filesystem::path& program, const std::string& name, const SlurmSettings& settings);

// "0-3,7" of numbers that increase.
std::string indexList(const std::vector<std::size_t>& numbers);

// "1-02:30:00" from seconds, rounded up to whole ones.
std::string slurmTime(double seconds);

// A word that a shell takes as it is.
std::string quoted(const std::string& word);

}  // namespace talus
