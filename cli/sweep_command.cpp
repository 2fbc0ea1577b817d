// talus sweep: a scene with other values of some keys, all combinations, in parallel, here or on a cluster.
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "command.hpp"
#include "ranks.hpp"
#include "talus/error.hpp"
#include "talus/results.hpp"
#include "talus/scene.hpp"
#include "talus/tools/slurm.hpp"
#include "talus/tools/sweep.hpp"

namespace talus::cli {
namespace {

struct SweepArguments {
    SweepOptions options;
    SlurmSettings slurm;
    std::vector<std::string> vary;
    std::string time;
    std::optional<std::size_t> task;
    bool json = false, onSlurm = false, dryRun = false, prepare = false, table = false;
};

// The same for the same command, so that calling it again goes on.
std::filesystem::path usualFolder(const std::filesystem::path& scene) {
    return std::filesystem::path("out") / (scene.stem().string() + "-sweep");
}

void plot(const SweepArguments& a, const SweepOutcome& outcome) {
    try {
        for (const std::filesystem::path& file : plotSweep(outcome, a.slurm.show, a.options.folder / "plots"))
            say(file.string());
    } catch (const RunError& error) {
        say(fmt::format("no plot: {}", error.what()));
    }
}

// The table and the plots; the exit status.
int show(const SweepArguments& a, const SweepOutcome& outcome) {
    if (a.json) print("{}", sweepAsJson(outcome));
    if (outcome.signal != 0) {
        say("interrupted; the same command goes on");
        return 128 + outcome.signal;
    }
    chosenResults(outcome, a.slurm.show);
    if (!a.json) print("{}", sweepAsTable(outcome, a.slurm.show));
    plot(a, outcome);
    say(fmt::format("results in {}", a.options.folder.string()));
    return outcome.allFinished() ? 0 : exitFailed;
}

int runHere(SweepArguments& a) {
    const ProgressLine line;
    a.options.say = [&](const std::string& text) {
        line.show("");
        say(text);
    };
    a.options.progress = [&](const std::string& text) { line.show(text); };
    return show(a, runSweep(a.options));
}

int prepare(const SweepArguments& a) {
    const std::size_t variants = prepareSweep(a.options);
    const std::string folder = a.options.folder.string();
    say(fmt::format(
        "{0} variants in {1}: run each with 'talus sweep -o {1} --task NUMBER', 0 to {2}, and then make the "
        "table with 'talus sweep -o {1} --table'",
        variants, folder, variants - 1));
    return 0;
}

// What the run says goes into its folder, where the table looks for it.
int runTask(const SweepArguments& a) {
    const std::filesystem::path folder = sweepTaskFolder(a.options.folder, *a.task);
    makeResultFolder(folder);
    const std::filesystem::path log = folder / "run.log";
    say(fmt::format("variant {}: see {}", *a.task, log.string()));
    sendStreamsTo(log);
    RunOptions options;
    options.threads = a.slurm.cpus;
    options.say = [](const std::string& text) { say(text); };
    return report(runSweepTask(a.options.folder, *a.task, options));
}

int submit(const SweepArguments& a) {
    if (a.dryRun) return print("{}", describeSubmission(a.options, a.slurm)), 0;
    const SlurmSubmission s = submitSweep(a.options, a.slurm);
    say(fmt::format("{} variants in {}: {} submitted, {} in the queue before, {} finished before",
                    s.submitted + s.queued + s.finished, a.options.folder.string(), s.submitted, s.queued, s.finished));
    if (s.submitted + s.queued == 0) return show(a, readSweep(a.options.folder));
    if (s.submitted > 0) {
        say(fmt::format("jobs {}; then job {} makes {}", fmt::join(s.arrays, ", "), s.table,
                        (a.options.folder / "table.csv").string()));
    }
    say("squeue shows how far they are; the same command goes on with what is missing");
    return 0;
}

int sweep(SweepArguments& a) {
    if (a.task || a.table) {
        if (a.options.folder.empty()) throw InputError("-o DIR is required: the folder of the sweep");
        return a.task ? runTask(a) : show(a, readSweep(a.options.folder));
    }
    if (const auto refused = refuseRanks("start the sweep once: it runs as many variants at a time as there are cores"))
        return *refused;
    if (a.options.scene.empty()) throw InputError("SCENE is required");
    for (const std::string& text : a.vary) a.options.vary.push_back(parseVariation(text));
    if (a.options.folder.empty()) a.options.folder = usualFolder(a.options.scene);
    if (!a.time.empty()) a.slurm.time = parseSlurmTime(a.time);
    if (a.prepare) return prepare(a);
    return a.onSlurm ? submit(a) : runHere(a);
}

void addSlurmOptions(CLI::App* sub, SweepArguments& a) {
    CLI::Option* slurm =
        sub->add_flag("--slurm", a.onSlurm, "submit the runs to Slurm, as an array of jobs, and the table after them");
    const auto add = [&](const char* name, std::string& value, const char* text, const char* type) {
        sub->add_option(name, value, text)->type_name(type)->needs(slurm);
    };
    add("--partition", a.slurm.partition, "with --slurm: where they run; default: what the cluster has for it", "NAME");
    add("--account", a.slurm.account, "with --slurm: who pays; default: what the cluster has for it", "NAME");
    add("--time", a.time,
        "with --slurm: limit of a run each time it is started, e.g. 6h or 6:00:00; it goes on after it", "TIME");
    sub->add_option("--cpus", a.slurm.cpus, "with --slurm and --task: cores of a run; default: 1")
        ->check(CLI::Range(1, 1024));
    sub->add_option("--sbatch", a.slurm.more,
                    "with --slurm: another option of sbatch, e.g. --sbatch=--mem=4G (may be repeated)")
        ->type_name("OPTION")
        ->allow_extra_args(false)
        ->needs(slurm);
    sub->add_flag("--dry-run", a.dryRun, "with --slurm: print the scripts and commands, and submit nothing")
        ->needs(slurm);
}

// Sweeps whose runs somebody else starts.
void addSchedulerOptions(CLI::App* sub, SweepArguments& a) {
    sub->add_flag("--prepare", a.prepare, "make the folder and run nothing: for --task, by any scheduler");
    sub->add_option("--task", a.task, "run only this variant of the sweep in -o DIR, counted from 0")
        ->type_name("NUMBER");
    sub->add_flag("--table", a.table, "make the table of the sweep in -o DIR as it stands, and run nothing");
}

}  // namespace

void addSweepCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<SweepArguments>();
    CLI::App* sub = command(app, "sweep", "run a scene with all combinations of other values and tabulate the results",
                            status, [a] { return sweep(*a); });
    sub->add_option("SCENE", a->options.scene, "scene file (YAML or JSON); needless with --task and --table");
    sub->add_option("--vary", a->vary,
                    "values of a key, e.g. --vary materials.glass.friction=0.1,0.3 (may be repeated)")
        ->type_name("KEY=A,B,...")
        ->allow_extra_args(false);
    sub->add_option("--set", a->options.overrides, "override a key in all variants (may be repeated)")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    sub->add_option("--show", a->slurm.show,
                    "results to print and, against one varied number, to plot; default: all, no plot")
        ->type_name("NAME");
    sub->add_option(
           "--jobs", a->options.jobs,
           "runs at a time, here at most one per core; default: one per core, with --slurm as many as it likes")
        ->check(CLI::Range(1, 1024));
    sub->add_option("-o,--output", a->options.folder, "folder for the runs and tables; default: out/SCENE-sweep")
        ->type_name("DIR");
    sub->add_flag("--json", a->json, "print JSON");
    addSlurmOptions(sub, *a);
    addSchedulerOptions(sub, *a);
}

}  // namespace talus::cli
