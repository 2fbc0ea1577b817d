// talus view and talus report: runs and scenes in a browser, and as a page to send.
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "talus/error.hpp"
#include "talus/scene.hpp"
#include "talus/tools/view.hpp"

namespace talus::cli {
namespace {

namespace fs = std::filesystem;

struct ViewArguments {
    std::string target;
    std::vector<std::string> overrides;
    ViewOptions options;
    bool staysHere = false;
};

int view(const ViewArguments& a) {
    ViewOptions options = a.options;
    options.openBrowser = !a.staysHere;
    options.say = [](const std::string& url) { print("{}\n", url); };
    const bool isFolder = fs::is_directory(a.target);
    if (isFolder && !a.overrides.empty()) throw InputError("--set is for scenes; a run is shown as it was");
    View shown = isFolder ? View(a.target, options) : View(loadScene(a.target, a.overrides), options);
    finishOutput();
    say("Ctrl-C ends it");
    shown.wait();
    return 0;
}

struct ReportArguments {
    std::string folder, file;
    ReportOptions options;
    double megabytes = 20;
};

int report(const ReportArguments& a) {
    ReportOptions options = a.options;
    options.mostBytes = static_cast<std::uint64_t>(a.megabytes * 1e6);
    const fs::path file = a.file.empty() ? fs::path(a.folder) / "report.html" : fs::path(a.file);
    writeReport(a.folder, file, options);
    print("{}\n", file.string());
    return 0;
}

}  // namespace

void addViewCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<ViewArguments>();
    CLI::App* sub =
        command(app, "view", "show a run, or a scene before it runs, in the browser", status, [a] { return view(*a); });
    sub->add_option("DIR|SCENE", a->target, "folder of a run, or a scene file")->required();
    sub->add_option("--set", a->overrides, "override a key of the scene (may be repeated)")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    sub->add_option("--port", a->options.port, "port to listen at; default: any that is free")
        ->check(CLI::Range(0, 65535));
    sub->add_option("--host", a->options.host,
                    "address to listen at; default: 127.0.0.1, which no other computer can reach")
        ->type_name("ADDRESS");
    sub->add_flag("--no-browser", a->staysHere, "print the address only");
}

void addReportCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<ReportArguments>();
    CLI::App* sub =
        command(app, "report", "write one self-contained page about a run", status, [a] { return report(*a); });
    sub->add_option("DIR", a->folder, "folder of the run")->required();
    sub->add_option("-o,--output", a->file, "the page; default: DIR/report.html")->type_name("FILE");
    sub->add_option("--size", a->megabytes, "megabytes that the moving picture may take; default: 20")
        ->check(CLI::Range(0.01, 2000.0));
    sub->add_option("--frames", a->options.mostFrames, "frames of the moving picture at most; default: 60")
        ->check(CLI::Range(1, 10000));
}

}  // namespace talus::cli
