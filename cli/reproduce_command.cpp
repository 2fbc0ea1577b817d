// talus reproduce: the experiments of papers, run again and held against what they report.
#include <exception>
#include <filesystem>
#include <memory>
#include <vector>

#include "command.hpp"
#include "talus/results.hpp"
#include "talus/tools/reproduce.hpp"

namespace talus::cli {
namespace {

struct ReproduceArguments {
    std::vector<std::string> words;
    ReproduceOptions options;
    std::filesystem::path folder = "out/reproduce", record, page;
    bool list = false, json = false;
};

std::string cost(double seconds) {
    if (seconds <= 0) return "not recorded";
    return seconds < 100 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.1f} min", seconds / 60);
}

int listAll(bool asJson) {
    if (asJson) {
        print("{}", experimentsAsJson(listExperiments()));
        return 0;
    }
    std::string paper;
    print("{:22} {:>12} {:>12}  {}\n", "id", "quick", "paper", "title");
    for (const ExperimentInfo& e : listExperiments()) {
        if (e.paper != paper) print("{}\n", e.paper);
        paper = e.paper;
        print("  {:20} {:>12} {:>12}  {}\n", e.id, cost(e.quickSeconds), cost(e.paperSeconds), e.title);
    }
    return 0;
}

// A result that cannot be kept fails, and the others go on.
void record(const std::filesystem::path& folder, ExperimentResult& result) {
    try {
        recordResult(result, folder);
    } catch (const std::exception& error) {
        result.pass = false;
        if (result.error.empty()) result.error = error.what();
    }
}

ExperimentResult runOne(const ReproduceArguments& a, const std::string& id) {
    const ProgressLine line;
    ReproduceOptions options = a.options;
    options.folder = a.folder / id;
    options.progress = [&](const std::string& text) { line.show(text); };
    ExperimentResult result = runExperiment(id, options);
    if (!a.record.empty()) record(a.record, result);
    return result;
}

void sayWhereResultsAre(const std::filesystem::path& folder) {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) say(fmt::format("data and plots in {}", folder.string()));
}

int reproduce(const ReproduceArguments& a) {
    checkReproduceScale(a.options.scale);
    if (a.list) return listAll(a.json);
    const std::vector<std::string> ids = findExperiments(a.words);
    if (!a.record.empty()) makeResultFolder(a.record);
    std::vector<ExperimentResult> results;
    bool pass = true;
    for (const std::string& id : ids) {
        results.push_back(runOne(a, id));
        pass = pass && results.back().pass;
        // People see each result when it is there; programs get one list.
        if (!a.json) print("{}", reproduceAsTable({results.back()}));
        std::fflush(stdout);
        sayWhereResultsAre(a.folder / id);
        // Anew after each, so that there is one whatever comes.
        if (!a.page.empty()) writeResultFile(a.page, reproduceAsPage(results));
        if (results.back().signal != 0) return 128 + results.back().signal;
    }
    if (!a.page.empty()) say(fmt::format("the page is {}", a.page.string()));
    if (a.json) print("{}", reproduceAsJson(results));
    return pass ? 0 : exitFailed;
}

}  // namespace

void addReproduceCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<ReproduceArguments>();
    CLI::App* sub = command(app, "reproduce", "run the experiments of papers again and compare", status,
                            [a] { return reproduce(*a); });
    sub->add_option("ID", a->words, "experiments, or papers for all of theirs; default: all");
    sub->add_flag("--list", a->list, "show all experiments with what they cost");
    sub->add_option("--scale", a->options.scale, "paper: the size of the paper; quick: smaller; default: paper")
        ->type_name("SCALE");
    sub->add_flag("--json", a->json, "print JSON");
    sub->add_option("-o,--output", a->folder, "folder for results, one within it for each ID; default: out/reproduce")
        ->type_name("DIR");
    sub->add_option("--threads", a->options.threads, "number of threads; default: one per core")
        ->check(CLI::Range(1, 1024));
    sub->add_option("--report", a->page, "also write one self-contained page: paper beside Talus, with plots")
        ->type_name("FILE");
    sub->add_option("--record", a->record, "keep each result with date and machine in this folder")->type_name("DIR");
}

}  // namespace talus::cli
