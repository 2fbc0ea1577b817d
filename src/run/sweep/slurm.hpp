// What is asked of Slurm, by its own commands.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace talus {

// All of these throw RunError, with what it said, if Slurm is missing or refuses.

// An array of jobs has indices below this. RunError if there are no arrays.
std::size_t maxArraySize();

// A task of an array: the id of its job, and its index.
using ArrayTask = std::pair<std::string, std::size_t>;

// Those of this user that have not ended.
std::set<ArrayTask> tasksInQueue();

// Calls sbatch, with --parsable among the words; the id of the new job.
std::string submitJob(const std::vector<std::string>& words);

}  // namespace talus
