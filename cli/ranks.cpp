#include "ranks.hpp"

#include <cstdlib>
#include <initializer_list>

#include "command.hpp"

namespace talus::cli {
namespace {

// The script of a job has SLURM_NTASKS and SLURM_PROCID, too, and is started once; only what srun starts in a step of
// the job has SLURM_STEP_NUM_TASKS. mpirun comes first: within a job it may itself be such a step, one per node.
struct Launcher {
    const char *size, *rank;
};
constexpr std::initializer_list<Launcher> launchers{{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                                    {"PMI_SIZE", "PMI_RANK"},
                                                    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

int numberIn(const char* variable) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : 0;
}

}  // namespace

std::optional<Ranks> startedAsRanks() {
    for (const Launcher& one : launchers) {
        const int size = numberIn(one.size);
        if (size > 1) return Ranks{size, numberIn(one.rank), one.size};
        if (size == 1) return {};
    }
    return {};
}

std::optional<int> refuseRanks(const std::string& instead) {
    const std::optional<Ranks> ranks = startedAsRanks();
    if (!ranks) return {};
    if (ranks->rank == 0) {
        say(fmt::format("error: this was started {} times at once ({}), and each would do all of it; {}", ranks->size,
                        ranks->toldBy, instead));
    }
    return exitBadInput;
}

}  // namespace talus::cli
