// talus sweep: a scene with other values of some keys, all combinations, in parallel.
#include <filesystem>
#include <memory>
#include <vector>

#include "command.hpp"
#include "talus/error.hpp"
#include "talus/scene.hpp"
#include "talus/tools/sweep.hpp"

namespace talus::cli {
namespace {

struct SweepArguments {
    SweepOptions options;
    std::vector<std::string> vary, show;
    bool json = false;
};

// The same for the same command, so that calling it again goes on.
std::filesystem::path usualFolder(const std::filesystem::path& scene) {
    return std::filesystem::path("out") / (scene.stem().string() + "-sweep");
}

void plot(const SweepArguments& a, const SweepOutcome& outcome) {
    try {
        for (const std::filesystem::path& file : plotSweep(outcome, a.show, a.options.folder / "plots"))
            say(file.string());
    } catch (const RunError& error) {
        say(fmt::format("no plot: {}", error.what()));
    }
}

int sweep(SweepArguments& a) {
    for (const std::string& text : a.vary) a.options.vary.push_back(parseVariation(text));
    if (a.options.folder.empty()) a.options.folder = usualFolder(a.options.scene);
    const ProgressLine line;
    a.options.say = [&](const std::string& text) {
        line.show("");
        say(text);
    };
    a.options.progress = [&](const std::string& text) { line.show(text); };
    const SweepOutcome outcome = runSweep(a.options);
    if (a.json) print("{}", sweepAsJson(outcome));
    if (outcome.signal != 0) {
        say("interrupted; the same command goes on");
        return 128 + outcome.signal;
    }
    chosenResults(outcome, a.show);
    if (!a.json) print("{}", sweepAsTable(outcome, a.show));
    plot(a, outcome);
    say(fmt::format("results in {}", a.options.folder.string()));
    return outcome.allFinished() ? 0 : exitFailed;
}

}  // namespace

void addSweepCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<SweepArguments>();
    CLI::App* sub = command(app, "sweep", "run a scene with all combinations of other values and tabulate the results",
                            status, [a] { return sweep(*a); });
    sub->add_option("SCENE", a->options.scene, "scene file (YAML or JSON)")->required();
    sub->add_option("--vary", a->vary,
                    "values of a key, e.g. --vary materials.glass.friction=0.1,0.3 (may be repeated)")
        ->type_name("KEY=A,B,...")
        ->required()
        ->allow_extra_args(false);
    sub->add_option("--set", a->options.overrides, "override a key in all variants (may be repeated)")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    sub->add_option("--show", a->show,
                    "results to print and, against one varied number, to plot; default: all, no plot")
        ->type_name("NAME");
    sub->add_option("--jobs", a->options.jobs, "runs at a time, at most one per core; default: one per core")
        ->check(CLI::Range(1, 1024));
    sub->add_option("-o,--output", a->options.folder, "folder for the runs and tables; default: out/SCENE-sweep")
        ->type_name("DIR");
    sub->add_flag("--json", a->json, "print JSON");
}

}  // namespace talus::cli
