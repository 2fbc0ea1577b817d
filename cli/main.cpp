// The command `talus`. Each subcommand is one function, long ones in files of their own; all work is behind the public
// headers.
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "talus/error.hpp"
#include "talus/scene.hpp"
#include "talus/simulation.hpp"
#include "talus/version.hpp"

namespace talus {

// Texts of examples/*.yaml by file name; generated at build time (cmake/embed.cmake).
std::vector<std::pair<std::string_view, std::string_view>> exampleScenes();

}  // namespace talus

namespace {

namespace fs = std::filesystem;

using talus::cli::command, talus::cli::say, talus::cli::exitFailed, talus::cli::exitBadInput;

struct Arguments {
    std::string scene, folder;
    std::vector<std::string> overrides;
    int threads = 0;
    bool overwrite = false;
    std::string example;
};

// out/NAME, or out/NAME-2, -3, ... if that is taken.
fs::path freeFolder(const talus::Scene& scene, const std::string& file) {
    const std::string name = !scene.name.empty() ? scene.name : fs::path(file).stem().string();
    fs::path folder = fs::path("out") / name;
    for (int k = 2; fs::exists(folder / "run.json"); ++k) folder = fs::path("out") / fmt::format("{}-{}", name, k);
    return folder;
}

int report(const talus::RunOutcome& outcome, const fs::path& folder) {
    if (!outcome.message.empty()) say((outcome.status == "failed" ? "error: " : "") + outcome.message);
    say(fmt::format("{}; results in {}", outcome.status, folder.string()));
    if (outcome.signal != 0) return 128 + outcome.signal;
    return outcome.status == "finished" ? 0 : exitFailed;
}

int run(const Arguments& a) {
    const talus::Scene scene = talus::loadScene(a.scene, a.overrides);
    talus::RunOptions options;
    options.folder = a.folder.empty() ? freeFolder(scene, a.scene) : fs::path(a.folder);
    options.overwrite = a.overwrite;
    options.threads = a.threads;
    options.say = say;
    return report(talus::runScene(scene, options), options.folder);
}

int resume(const Arguments& a) {
    talus::RunOptions options;
    options.folder = a.folder;
    options.threads = a.threads;
    options.say = say;
    return report(talus::resumeRun(options), options.folder);
}

int validate(const Arguments& a) {
    const talus::Scene scene = talus::loadScene(a.scene, a.overrides);
    fmt::print("{}", talus::writeScene(scene));
    fmt::print(stderr, "{}valid\n", talus::describeScene(scene));
    return 0;
}

int plot(const Arguments& a) {
    for (const fs::path& file : talus::plotResults(a.folder)) fmt::print("{}\n", file.string());
    return 0;
}

// The first line of an example is a comment that says what it shows.
int showExamples(const Arguments& a) {
    for (const auto& [name, text] : talus::exampleScenes()) {
        if (a.example.empty())
            fmt::print("{:16} {}\n", fs::path(name).stem().string(), text.substr(2, text.find('\n') - 2));
        if (a.example == fs::path(name).stem()) return fmt::print("{}", text), 0;
    }
    if (a.example.empty())
        return fmt::print(stderr, "\n'talus examples NAME > NAME.yaml' makes a copy of one to run.\n"), 0;
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

void addCommands(CLI::App& app, Arguments& a, int& status) {
    CLI::App* sub = command(app, "run", "run a scene", status, [&a] { return run(a); });
    addSceneOptions(sub, a);
    addThreads(sub, a);
    sub->add_option("-o,--output", a.folder, "folder for the results; default: out/NAME")->type_name("DIR");
    sub->add_flag("--overwrite", a.overwrite, "replace the results of an earlier run in that folder");

    sub = command(app, "resume", "continue a run from its last checkpoint, bit for bit", status,
                  [&a] { return resume(a); });
    sub->add_option("DIR", a.folder, "folder of the run")->required();
    addThreads(sub, a);

    sub =
        command(app, "validate", "check a scene and print it with all defaults", status, [&a] { return validate(a); });
    addSceneOptions(sub, a);

    sub = command(app, "plot", "make PNG plots of a run's time series", status, [&a] { return plot(a); });
    sub->add_option("DIR", a.folder, "folder of the run")->required();

    talus::cli::addSweepCommand(app, status);
    talus::cli::addSolveCommand(app, status);
    talus::cli::addGrainsCommand(app, status);
    talus::cli::addBenchCommand(app, status);
    talus::cli::addReproduceCommand(app, status);

    sub = command(app, "examples", "list the example scenes, or print one", status, [&a] { return showExamples(a); });
    sub->add_option("NAME", a.example, "example to print");
    command(app, "schema", "print the JSON schema of scene files", status,
            [] { return fmt::print("{}", talus::sceneSchema()), 0; });
    command(app, "reference", "print the reference of scene keys (Markdown)", status,
            [] { return fmt::print("{}", talus::sceneReference()), 0; });
    talus::cli::addDescribeCommand(app, status);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Talus: granular matter and many-contact rigid-body dynamics", "talus"};
    app.set_version_flag("--version", fmt::format("talus {}", talus::version()));
    app.set_help_all_flag("--help-all", "print the help of all commands");
    app.require_subcommand(1);
    Arguments arguments;
    int status = 0;
    addCommands(app, arguments, status);
    try {
        app.parse(argc, argv);
        return status;
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        return code == 0 ? 0 : exitBadInput;
    } catch (const talus::InputError& error) {
        say(fmt::format("error: {}", error.what()));
        return exitBadInput;
    } catch (const talus::RunError& error) {
        say(fmt::format("error: {}", error.what()));
        return exitFailed;
    } catch (const std::bad_alloc&) {
        say("error: out of memory; fewer bodies or a machine with more memory would help");
        return exitFailed;
    } catch (const std::exception& error) {
        say(fmt::format("error: {}", error.what()));
        return exitFailed;
    }
}
