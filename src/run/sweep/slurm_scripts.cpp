#include "run/sweep/slurm_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "talus/error.hpp"
#include "talus/simulation.hpp"

namespace talus {
namespace {

// s before the limit, at which a run is told to write its checkpoint. Slurm may do so up to a minute earlier, which
// must not be at the start of a short task.
constexpr double usualLead = 120;

int leadOf(const SlurmSettings& settings) {
    return static_cast<int>(settings.time ? std::min(usualLead, std::ceil(*settings.time / 4)) : usualLead);
}

std::string sharedLines(const SlurmSettings& settings) {
    std::string lines = "#SBATCH --ntasks=1\n";
    if (settings.time) lines += fmt::format("#SBATCH --time={}\n", slurmTime(*settings.time));
    if (!settings.partition.empty()) lines += fmt::format("#SBATCH --partition={}\n", settings.partition);
    if (!settings.account.empty()) lines += fmt::format("#SBATCH --account={}\n", settings.account);
    for (const std::string& option : settings.more) lines += fmt::format("#SBATCH {}\n", option);
    return lines;
}

// A part of Slurm's times, up to the given mark.
double takeNumber(std::string& rest, char mark) {
    const std::size_t end = std::min(rest.find(mark), rest.size());
    double number = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, number, std::chars_format::fixed);
    if (error != std::errc() || stop != rest.data() + end || number < 0) throw InputError("");
    rest = end < rest.size() ? rest.substr(end + 1) : "";
    return number;
}

// "minutes:seconds", "hours:minutes:seconds", "days-hours", "days-hours:minutes", "days-hours:minutes:seconds".
double clockTime(std::string text) {
    double seconds = 0;
    const bool hasDays = text.find('-') != std::string::npos;
    if (hasDays) seconds = 86400 * takeNumber(text, '-');
    const auto colons = std::count(text.begin(), text.end(), ':');
    if (colons > 2 || (!hasDays && colons == 0)) throw InputError("");
    double part = hasDays || colons == 2 ? 3600 : 60;
    for (long k = 0; k <= colons; ++k, part /= 60) seconds += part * takeNumber(text, ':');
    return seconds;
}

bool isClockTime(const std::string& text) {
    return text.find_first_of(":-") != std::string::npos && text.find_first_not_of("0123456789:-") == std::string::npos;
}

bool isNumberAlone(const std::string& text) { return text.find_first_not_of("0123456789.eE+- ") == std::string::npos; }

}  // namespace

double parseSlurmTime(const std::string& text) {
    double seconds = 0;
    try {
        if (isClockTime(text)) {
            seconds = clockTime(text);
        } else if (isNumberAlone(text)) {
            throw InputError("needs a unit");
        } else {
            seconds = parseDuration(text);
        }
    } catch (const InputError& error) {
        const std::string reason = *error.what() != 0 ? fmt::format(" ({})", error.what()) : "";
        throw InputError(fmt::format(
            "--time {}: give a unit, as in 6h or 90min, or Slurm's form, as in 6:00:00 or 2-12:00:00{}", text, reason));
    }
    if (seconds >= 1 && std::isfinite(seconds)) return seconds;
    throw InputError(fmt::format("--time {}: must be at least a second", text));
}

std::string slurmTime(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(seconds));
    const long long days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60;
    return fmt::format("{}{:02}:{:02}:{:02}", days > 0 ? fmt::format("{}-", days) : "", hours, minutes, whole % 60);
}

std::string quoted(const std::string& word) {
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string("+-._,=:/@%").find(static_cast<char>(c)) < 10;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain)) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

std::string indexList(const std::vector<std::size_t>& numbers) {
    std::string list;
    for (std::size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
        for (last = first; last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1;) ++last;
        list += fmt::format("{}{}", list.empty() ? "" : ",", numbers[first]);
        if (last > first) list += fmt::format("-{}", numbers[last]);
    }
    return list;
}

std::string taskScript(const std::filesystem::path& program, const std::string& name, const SlurmSettings& settings) {
    std::string text = "#!/bin/sh\n# One variant of the sweep in this folder: number $1 + SLURM_ARRAY_TASK_ID.\n";
    text += fmt::format("#SBATCH --job-name={}\n#SBATCH --output=slurm/%A_%a.log\n#SBATCH --open-mode=append\n", name);
    text += sharedLines(settings);
    text += fmt::format("#SBATCH --cpus-per-task={}\n#SBATCH --requeue\n#SBATCH --signal=B:USR1@{}\n\n", settings.cpus,
                        leadOf(settings));
    text +=
        "# Before the limit of its time this script gets USR1: the run writes its checkpoint, and the task goes back\n"
        "# into the queue. TERM reaches the run by itself, which writes its checkpoint, too.\n"
        "limit=no\n"
        "trap 'limit=yes; kill -TERM $run' USR1\n"
        "trap : TERM\n";
    text += fmt::format("{} sweep -o \"$PWD\" --task $(($1 + SLURM_ARRAY_TASK_ID)) --cpus {} &\n",
                        quoted(program.string()), settings.cpus);
    text +=
        "run=$!\n"
        "wait $run\n"
        "status=$?\n"
        "# A signal ends the waiting before the run has ended.\n"
        "while kill -0 $run 2>/dev/null; do\n"
        "    wait $run\n"
        "    status=$?\n"
        "done\n"
        "if [ $limit = yes ] && [ $status -eq 143 ]; then\n"
        "    exec scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
        "fi\n"
        "exit $status\n";
    return text;
}

std::string tableScript(const std::filesystem::path& program, const std::string& name, const SlurmSettings& settings) {
    std::string text = "#!/bin/sh\n# The table of the sweep in this folder.\n";
    text += fmt::format("#SBATCH --job-name={}-table\n#SBATCH --output=slurm/%j-table.log\n", name);
    text += sharedLines(settings);
    text += fmt::format("\nexec {} sweep -o \"$PWD\" --table", quoted(program.string()));
    if (!settings.show.empty()) text += " --show";
    for (const std::string& result : settings.show) text += " " + quoted(result);
    return text + "\n";
}

}  // namespace talus
