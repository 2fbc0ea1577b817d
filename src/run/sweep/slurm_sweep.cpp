// A sweep as an array of jobs: what is missing, in which arrays, and what was submitted before.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "run/sweep/slurm.hpp"
#include "run/sweep/slurm_scripts.hpp"
#include "run/sweep/sweep_folder.hpp"
#include "run/sweep/variants.hpp"
#include "talus/error.hpp"
#include "talus/tools/slurm.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t usualMaxArraySize = 1001;  // where nothing else is configured

// An array that was submitted: its tasks run the variants `first` + index.
struct SubmittedArray {
    std::string job;
    std::size_t first = 0;
};

// One that shall be.
struct ArrayPlan {
    std::size_t first = 0;
    std::vector<std::size_t> indices;
};

struct Plan {
    std::vector<ArrayPlan> arrays;
    std::size_t submitted = 0, queued = 0, finished = 0;  // variants
};

fs::path scriptsIn(const fs::path& sweep) { return sweep / "slurm"; }

std::vector<SubmittedArray> submittedBefore(const fs::path& sweep) {
    std::vector<SubmittedArray> arrays;
    const json list = json::parse(textOf(scriptsIn(sweep) / "jobs.json"), nullptr, false);
    if (!list.is_array()) return arrays;
    for (const json& one : list) {
        if (one.is_object()) arrays.push_back({one.value("job", ""), one.value("first", std::size_t{0})});
    }
    return arrays;
}

void remember(const fs::path& sweep, const std::vector<SubmittedArray>& arrays) {
    json list = json::array();
    for (const SubmittedArray& one : arrays) list.push_back({{"job", one.job}, {"first", one.first}});
    writeFileAtomically(scriptsIn(sweep) / "jobs.json", list.dump(2) + "\n");
}

// What waits or runs of the arrays that were submitted before.
struct Queued {
    std::set<std::size_t> variants;
    std::set<std::string> jobs;
};

Queued queuedOf(const std::vector<SubmittedArray>& before) {
    Queued queued;
    if (before.empty()) return queued;
    for (const auto& [job, index] : tasksInQueue()) {
        for (const SubmittedArray& one : before) {
            if (one.job != job) continue;
            queued.variants.insert(one.first + index);
            queued.jobs.insert(job);
        }
    }
    return queued;
}

Plan planArrays(const fs::path& sweep, const std::vector<SweepVariant>& variants, const std::set<std::size_t>& queued,
                std::size_t arraySize) {
    Plan plan;
    for (std::size_t k = 0; k < variants.size(); ++k) {
        if (queued.contains(k)) {
            ++plan.queued;
        } else if (progressOf(sweep / variants[k].name) == Progressed::toTheEnd) {
            ++plan.finished;
        } else {
            ++plan.submitted;
            const std::size_t first = k / arraySize * arraySize;
            if (plan.arrays.empty() || plan.arrays.back().first != first) plan.arrays.push_back({first, {}});
            plan.arrays.back().indices.push_back(k - first);
        }
    }
    return plan;
}

// Slurm starts the scripts in the folder of the sweep, so that they need no paths of it with quotes and blanks.
std::vector<std::string> submitWords(const fs::path& sweep) {
    return {"sbatch", "--parsable", "--chdir=" + fs::absolute(sweep).lexically_normal().string()};
}

std::vector<std::string> arrayWords(const SweepOptions& options, const ArrayPlan& array) {
    std::vector<std::string> words = submitWords(options.folder);
    const std::string atATime = options.jobs > 0 ? fmt::format("%{}", options.jobs) : "";
    words.push_back("--array=" + indexList(array.indices) + atATime);
    words.push_back(fs::absolute(scriptsIn(options.folder) / "task.sh").lexically_normal().string());
    words.push_back(std::to_string(array.first));
    return words;
}

// After these arrays.
std::vector<std::string> tableWords(const SweepOptions& options, const std::vector<std::string>& jobs) {
    std::vector<std::string> words = submitWords(options.folder);
    words.push_back(fmt::format("--dependency=afterany:{}", fmt::join(jobs, ":")));
    words.push_back(fs::absolute(scriptsIn(options.folder) / "table.sh").lexically_normal().string());
    return words;
}

// Of the jobs: the folder's, in letters that need no quotes.
std::string jobName(const fs::path& sweep) {
    std::string name;
    for (const char c : fs::absolute(sweep / ".").parent_path().filename().string()) {
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '_';
    }
    return name.empty() ? "sweep" : name;
}

struct Scripts {
    std::string task, table;
};

Scripts scriptsOf(const SweepOptions& options, const SlurmSettings& settings) {
    const fs::path program = fs::absolute(commandOf(options));
    const std::string name = jobName(options.folder);
    return {taskScript(program, name, settings), tableScript(program, name, settings)};
}

// Words that end up in lines of a script.
void checkSettings(const SlurmSettings& settings) {
    const auto check = [](const char* option, const std::string& text) {
        if (text.find_first_of("\n\r") == std::string::npos) return;
        throw InputError(fmt::format("{}: must be one line", option));
    };
    check("--partition", settings.partition);
    check("--account", settings.account);
    for (const std::string& option : settings.more) {
        check("--sbatch", option);
        if (option.starts_with("-")) continue;
        throw InputError(fmt::format("--sbatch {}: must be an option of sbatch, as in --sbatch=--mem=4G", option));
    }
}

std::optional<std::size_t> arraySizeIfKnown() {
    try {
        return maxArraySize();
    } catch (const RunError&) {
        return {};
    }
}

// What the user should know if sbatch refuses in the middle.
[[noreturn]] void tellPartly(const RunError& error, const std::vector<std::string>& jobs) {
    if (jobs.empty()) throw error;
    throw RunError(
        fmt::format("{}\nsubmitted before that: {}; the same command goes on with the rest, and makes the table",
                    error.what(), fmt::join(jobs, ", ")));
}

}  // namespace

SlurmSubmission submitSweep(const SweepOptions& options, const SlurmSettings& settings) {
    checkSettings(settings);
    const std::vector<SweepVariant> variants = makeVariants(options.vary);
    checkScenes(options, variants);
    const std::size_t arraySize = maxArraySize();
    const SweepFolder folder(options);
    std::vector<SubmittedArray> arrays = submittedBefore(options.folder);
    // In this order: what ends in between is found finished.
    const Queued queued = queuedOf(arrays);
    const Plan plan = planArrays(options.folder, variants, queued.variants, arraySize);
    SlurmSubmission done{
        .arrays = {}, .table = {}, .submitted = plan.submitted, .queued = plan.queued, .finished = plan.finished};
    if (plan.arrays.empty()) return done;

    const Scripts scripts = scriptsOf(options, settings);
    makeFolder(scriptsIn(options.folder));
    writeFileAtomically(scriptsIn(options.folder) / "task.sh", scripts.task);
    writeFileAtomically(scriptsIn(options.folder) / "table.sh", scripts.table);
    try {
        for (const ArrayPlan& array : plan.arrays) {
            done.arrays.push_back(submitJob(arrayWords(options, array)));
            arrays.push_back({done.arrays.back(), array.first});
            remember(options.folder, arrays);
        }
        std::vector<std::string> before(queued.jobs.begin(), queued.jobs.end());
        before.insert(before.end(), done.arrays.begin(), done.arrays.end());
        done.table = submitJob(tableWords(options, before));
    } catch (const RunError& error) {
        tellPartly(error, done.arrays);
    }
    return done;
}

std::string describeSubmission(const SweepOptions& options, const SlurmSettings& settings) {
    checkSettings(settings);
    const std::vector<SweepVariant> variants = makeVariants(options.vary);
    checkScenes(options, variants);
    const std::optional<std::size_t> arraySize = arraySizeIfKnown();
    const Plan plan = planArrays(options.folder, variants, {}, arraySize.value_or(usualMaxArraySize));
    const Scripts scripts = scriptsOf(options, settings);
    const fs::path folder = scriptsIn(options.folder);
    std::string text = fmt::format("# {}\n{}\n# {}\n{}\n", (folder / "task.sh").string(), scripts.task,
                                   (folder / "table.sh").string(), scripts.table);
    if (!arraySize)
        text += fmt::format("# no Slurm answers here: arrays of less than {} tasks are assumed\n", usualMaxArraySize);
    const auto addCommand = [&](const std::vector<std::string>& words) {
        for (std::size_t k = 0; k < words.size(); ++k) text += (k > 0 ? " " : "") + quoted(words[k]);
        text += "\n";
    };
    std::vector<std::string> jobs;
    for (const ArrayPlan& array : plan.arrays) {
        addCommand(arrayWords(options, array));
        jobs.push_back(fmt::format("JOB{}", jobs.size() + 1));
    }
    if (!jobs.empty()) addCommand(tableWords(options, jobs));
    return text;
}

}  // namespace talus
