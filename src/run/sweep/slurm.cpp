#include "run/sweep/slurm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <optional>
#include <sstream>

#include "base/program_output.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::optional<std::size_t> wholeNumber(const std::string& text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// What the command says.
std::string ask(const std::vector<std::string>& words) {
    const std::optional<ProgramOutput> output = outputOf(words);
    if (!output) {
        throw RunError(fmt::format(
            "--slurm: there is no {} here; call this where the cluster takes jobs, on its login node, leave "
            "--slurm away to run the variants here, or see with --dry-run what would be submitted",
            words[0]));
    }
    if (output->status == 0) return output->said;
    throw RunError(fmt::format("{} failed with status {}: {}", words[0], output->status, trimmed(output->said)));
}

}  // namespace

std::size_t maxArraySize() {
    std::istringstream lines(ask({"scontrol", "show", "config"}));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos || trimmed(line.substr(0, equals)) != "MaxArraySize") continue;
        const std::optional<std::size_t> size = wholeNumber(trimmed(line.substr(equals + 1)));
        if (size && *size > 0) return *size;
        throw RunError(
            "--slurm: this cluster allows no arrays of jobs (scontrol show config: MaxArraySize); "
            "prepare the sweep with --prepare, and submit its tasks one by one");
    }
    throw RunError("--slurm: 'scontrol show config' does not tell MaxArraySize");
}

std::set<ArrayTask> tasksInQueue() {
    std::istringstream words(
        ask({"squeue", "--noheader", "--array", "--user", std::to_string(getuid()), "--format", "%F %K"}));
    std::set<ArrayTask> tasks;
    for (std::string job, index; words >> job >> index;) {
        if (const auto number = wholeNumber(index)) tasks.emplace(job, *number);
    }
    return tasks;
}

std::string submitJob(const std::vector<std::string>& words) {
    const std::string said = ask(words);
    // "4711", or "4711;cluster"; clusters may say more around it.
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
        const std::string id = trimmed(line.substr(0, line.find(';')));
        if (wholeNumber(id)) return id;
    }
    throw RunError(fmt::format("sbatch told no number of the job: {}", trimmed(said)));
}

}  // namespace talus
