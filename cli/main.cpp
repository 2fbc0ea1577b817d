// The command `talus`. Each subcommand is one function, long ones in files of their own; all work is behind the public
// headers.
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "ranks.hpp"
#include "talus/error.hpp"
#include "talus/plot.hpp"
#include "talus/scene.hpp"
#include "talus/simulation.hpp"
#include "talus/tools/view.hpp"
#include "talus/version.hpp"

namespace talus {

// Texts of examples/*.yaml by file name; generated at build time (cmake/embed.cmake).
std::vector<std::pair<std::string_view, std::string_view>> exampleScenes();

}  // namespace talus

namespace {

namespace fs = std::filesystem;

using talus::cli::command, talus::cli::say, talus::cli::print, talus::cli::report, talus::cli::exitFailed,
    talus::cli::exitBadInput;

struct Arguments {
    std::string scene, folder, maxTime;
    std::vector<std::string> overrides;
    int threads = 0;
    bool overwrite = false, view = false, alone = false;
    std::string example;
    talus::ColumnPlot plot;
};

double secondsOf(const char* option, const std::string& text) {
    double seconds = 0;
    try {
        seconds = talus::parseDuration(text);
    } catch (const talus::InputError& error) {
        throw talus::InputError(fmt::format("{} {}: {}", option, text, error.what()));
    }
    if (seconds > 0) return seconds;
    throw talus::InputError(fmt::format("{} {}: must be more than 0 s", option, text));
}

talus::RunOptions runOptions(const Arguments& a) {
    talus::RunOptions options;
    options.folder = a.folder;
    options.overwrite = a.overwrite;
    options.threads = a.threads;
    options.say = say;
    if (!a.maxTime.empty()) options.maxTime = secondsOf("--max-time", a.maxTime);
    return options;
}

// The page stays for as long as somebody looks at it; somebody at a terminal may come late.
int runInView(const talus::Scene& scene, talus::RunOptions options) {
    const bool isAttended = isatty(STDERR_FILENO) == 1;
    talus::View view = talus::View::ofRun(scene, {.openBrowser = true, .say = say});
    options.look = [&](talus::RunLook& look) { return view.look(look); };
    options.say = [&](const std::string& line) {
        say(line);
        view.tell(line);
    };
    const talus::RunOutcome outcome = talus::runScene(scene, options);
    view.runIsOver();
    const int status = report(outcome);
    if (isAttended) say("the page stays for as long as it is looked at; Ctrl-C ends it");
    view.waitWhileWatched(isAttended ? 20 : 0);
    return status;
}

// What to do where ranks of MPI would all work in one folder.
std::optional<int> refuseRanksOf(const Arguments& a) {
    if (a.alone) return {};
    return talus::cli::refuseRanks(
        "one scene is not shared out over several processes yet: start it once, with --threads for more cores; "
        "variants of a scene go on a cluster by 'talus sweep --slurm'; if each of these processes has a scene and a "
        "folder of its own, say so with --alone");
}

int run(const Arguments& a) {
    if (const auto refused = refuseRanksOf(a)) return *refused;
    const talus::RunOptions options = runOptions(a);
    const talus::Scene scene = talus::loadScene(a.scene, a.overrides);
    return a.view ? runInView(scene, options) : report(talus::runScene(scene, options));
}

int resume(const Arguments& a) {
    if (const auto refused = refuseRanksOf(a)) return *refused;
    return report(talus::resumeRun(runOptions(a)));
}

int validate(const Arguments& a) {
    const talus::Scene scene = talus::loadScene(a.scene, a.overrides);
    print("{}", talus::writeScene(scene));
    say(talus::describeScene(scene) + "valid");
    return 0;
}

int plot(const Arguments& a) {
    if (!a.plot.columns.empty()) return print("{}\n", talus::plotColumns(a.folder, a.plot).string()), 0;
    if (a.plot.against != "time") throw talus::InputError("--against needs --columns: what to plot against it");
    for (const fs::path& file : talus::plotResults(a.folder)) print("{}\n", file.string());
    return 0;
}

// The first line of an example is a comment that says what it shows.
int showExamples(const Arguments& a) {
    for (const auto& [name, text] : talus::exampleScenes()) {
        if (a.example.empty()) print("{:16} {}\n", fs::path(name).stem().string(), text.substr(2, text.find('\n') - 2));
        if (a.example == fs::path(name).stem()) return print("{}", text), 0;
    }
    if (a.example.empty()) return say("\n'talus examples NAME > NAME.yaml' makes a copy of one to run."), 0;
    throw talus::InputError(fmt::format("examples: there is no '{}'; 'talus examples' lists them", a.example));
}

void addSceneOptions(CLI::App* sub, Arguments& a) {
    sub->add_option("SCENE", a.scene, "scene file (YAML or JSON)")->required();
    sub->add_option("--set", a.overrides, "override a key, e.g. --set run.time='2 s' (may be repeated)")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

void addThreads(CLI::App* sub, Arguments& a) {
    sub->add_option("--threads", a.threads, "number of threads; default: what the scene says, else one per core")
        ->check(CLI::Range(1, 1024));
}

void addAlone(CLI::App* sub, Arguments& a) {
    sub->add_flag("--alone", a.alone,
                  "run also where mpirun or srun started several processes: each has its own scene and folder");
}

void addMaxTime(CLI::App* sub, Arguments& a) {
    sub->add_option("--max-time", a.maxTime,
                    "wall-clock time, e.g. 2h, after which the run is interrupted as by SIGTERM; default: none")
        ->type_name("TIME");
}

void addColumnPlot(CLI::App* sub, talus::ColumnPlot& plot) {
    using talus::AxisKind;
    static const std::map<std::string, AxisKind> kinds{
        {"auto", AxisKind::fitting}, {"linear", AxisKind::linear}, {"log", AxisKind::logarithmic}};
    sub->add_option("--columns", plot.columns,
                    "draw only these columns, in one plot, e.g. --columns stress_zz,stress_xx")
        ->type_name("A,B,...")
        ->delimiter(',');
    sub->add_option("--against", plot.against, "what these are drawn against; default: time")->type_name("COLUMN");
    sub->add_option("--x", plot.x, "horizontal axis: linear, log or auto; default: linear")
        ->type_name("KIND")
        ->transform(CLI::Transformer(kinds).description(""));
    sub->add_option("--y", plot.y, "vertical axis: linear, log or auto; default: linear")
        ->type_name("KIND")
        ->transform(CLI::Transformer(kinds).description(""));
}

void addCommands(CLI::App& app, Arguments& a, int& status) {
    CLI::App* sub = command(app, "run", "run a scene", status, [&a] { return run(a); });
    addSceneOptions(sub, a);
    addThreads(sub, a);
    addMaxTime(sub, a);
    sub->add_option("-o,--output", a.folder, "folder for the results; default: out/NAME")->type_name("DIR");
    sub->add_flag("--overwrite", a.overwrite, "replace the results of an earlier run in that folder");
    sub->add_flag("--view", a.view, "show the run in the browser while it goes on");
    addAlone(sub, a);

    sub = command(app, "resume", "continue a run from its last checkpoint, bit for bit", status,
                  [&a] { return resume(a); });
    sub->add_option("DIR", a.folder, "folder of the run")->required();
    addThreads(sub, a);
    addMaxTime(sub, a);
    addAlone(sub, a);

    sub =
        command(app, "validate", "check a scene and print it with all defaults", status, [&a] { return validate(a); });
    addSceneOptions(sub, a);

    sub = command(app, "plot", "make PNG plots of a run's time series", status, [&a] { return plot(a); });
    sub->add_option("DIR", a.folder, "folder of the run")->required();
    addColumnPlot(sub, a.plot);

    talus::cli::addViewCommand(app, status);
    talus::cli::addReportCommand(app, status);
    talus::cli::addExportCommand(app, status);
    talus::cli::addPictureCommand(app, status);
    talus::cli::addSweepCommand(app, status);
    talus::cli::addSolveCommand(app, status);
    talus::cli::addGrainsCommand(app, status);
    talus::cli::addBenchCommand(app, status);
    talus::cli::addReproduceCommand(app, status);

    sub = command(app, "examples", "list the example scenes, or print one", status, [&a] { return showExamples(a); });
    sub->add_option("NAME", a.example, "example to print");
    command(app, "schema", "print the JSON schema of scene files", status,
            [] { return print("{}", talus::sceneSchema()), 0; });
    command(app, "reference", "print the reference of scene keys (Markdown)", status,
            [] { return print("{}", talus::sceneReference()), 0; });
    talus::cli::addDescribeCommand(app, status);
}

// The exit status.
int parseAndRun(int argc, char** argv) {
    CLI::App app{"Talus: granular matter and many-contact rigid-body dynamics", "talus"};
    app.set_version_flag("--version", fmt::format("talus {}", talus::version()));
    app.set_help_all_flag("--help-all", "print the help of all commands");
    app.require_subcommand(1);
    Arguments arguments;
    int status = 0;
    addCommands(app, arguments, status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {  // help and version, too
        std::ostringstream results, messages;
        status = app.exit(error, results, messages) == 0 ? 0 : exitBadInput;
        print("{}", results.str());
        talus::cli::sayText(messages.str());
    }
    talus::cli::finishOutput();
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    talus::cli::guardStreams();
    try {
        return parseAndRun(argc, argv);
    } catch (const talus::InputError& error) {
        say(fmt::format("error: {}", error.what()));
        return exitBadInput;
    } catch (const std::bad_alloc&) {
        say("error: out of memory; fewer bodies or a machine with more memory would help");
        return exitFailed;
    } catch (const std::exception& error) {
        say(fmt::format("error: {}", error.what()));
        return exitFailed;
    }
}
