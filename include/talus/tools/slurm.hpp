// A sweep on a cluster: its variants as an array of jobs of Slurm, as `talus sweep --slurm` submits them.
//
//   talus::SweepOptions options = ...;                       // as for runSweep(), in a folder that all nodes see
//   talus::SlurmSettings settings{.partition = "long", .time = talus::parseSlurmTime("6 h"), .cpus = 4};
//   submitSweep(options, settings);
//
// Each variant is a task of its own (runSweepTask()) that writes its checkpoint and goes back into the queue before the
// limit of its time; a job after them makes the table. What is submitted is what has not finished and is not in the
// queue, so that doing it again goes on with what is missing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "talus/tools/sweep.hpp"

namespace talus {

struct SlurmSettings {
    std::string partition, account;  // empty: what the cluster has for it
    std::optional<double> time;      // s, limit of a task each time it runs; nothing: that of the partition
    int cpus = 1;                    // cores, and threads, of a task
    std::vector<std::string> more;   // further options of sbatch, as in "--mem=4G"
    std::vector<std::string> show;   // results in the table that is printed
};

// Seconds from "6 h" or "90 min", or from Slurm's own forms "1:30:00", "30:00", "2-12" (days and hours), "2-12:30:00".
// InputError otherwise, and for a number alone, which would be minutes there and seconds here.
double parseSlurmTime(const std::string& text);

struct SlurmSubmission {
    std::vector<std::string> arrays;                      // ids of the jobs; none if nothing was missing
    std::string table;                                    // id of the job that makes the table
    std::size_t submitted = 0, queued = 0, finished = 0;  // variants: now, earlier and not ended yet, at their end
};

// SweepOptions::jobs is how many tasks run at a time, 0 for as many as there is room for. InputError and RunError as
// runSweep(), before anything is submitted; RunError with what Slurm said if it is missing or refuses.
SlurmSubmission submitSweep(const SweepOptions& options, const SlurmSettings& settings);

// What submitSweep() would write and call, as text. Writes nothing and needs no Slurm.
std::string describeSubmission(const SweepOptions& options, const SlurmSettings& settings);

}  // namespace talus
