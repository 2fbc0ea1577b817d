// Whether mpirun or srun started this program as one of several ranks.
#pragma once

#include <optional>
#include <string>

namespace talus::cli {

struct Ranks {
    int size = 1, rank = 0;
    std::string toldBy;  // the variable of the environment
};

// Nothing if this is the only one.
std::optional<Ranks> startedAsRanks();

// The exit status of a command that would do the same in each rank, and so must not begin: the first rank says why, and
// `instead` what to do. Nothing if this is the only one.
std::optional<int> refuseRanks(const std::string& instead);

}  // namespace talus::cli
