// The public face of the experiments: finding, running and recording them.
#include "talus/tools/reproduce.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>
#include <nlohmann/json.hpp>

#include "experiments/case_run.hpp"
#include "experiments/registry.hpp"
#include "talus/error.hpp"
#include "talus/results.hpp"
#include "talus/suggest.hpp"
#include "talus/version.hpp"

namespace talus {

// Texts of docs/recorded/*.json by file name; generated at build time (cmake/embed.cmake).
reproduce::Files recordedRuns();

namespace {

using nlohmann::json;
using reproduce::Entry;

std::string paperOf(const std::string& id) { return id.substr(0, id.find('/')); }

std::string recordName(const std::string& id, const std::string& scale) {
    std::string name = id + "-" + scale + ".json";
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
}

double recordedSeconds(const std::string& id, const std::string& scale) {
    for (const auto& [name, text] : recordedRuns()) {
        if (name == recordName(id, scale)) return json::parse(text).at("result").at("seconds").get<double>();
    }
    return 0;
}

Entry entryNamed(const std::string& id) {
    for (const Entry& entry : reproduce::allEntries()) {
        if (entry.id == id) return entry;
    }
    throw InputError(fmt::format("reproduce: there is no experiment '{}'; 'talus reproduce --list' shows all", id));
}

// Names of files, which errors quote, may have bytes that JSON cannot.
std::string textOf(const json& value) { return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

json secondsOrNull(double seconds) { return seconds > 0 ? json(seconds) : json(); }

json toJson(const ExperimentInfo& e) {
    return {{"id", e.id},
            {"paper", e.paper},
            {"title", e.title},
            {"quick_seconds", secondsOrNull(e.quickSeconds)},
            {"paper_seconds", secondsOrNull(e.paperSeconds)}};
}

json toJson(const ComparedRow& r) {
    return {{"quantity", r.quantity},   {"unit", r.unit}, {"paper", r.paper},   {"talus", r.talus},
            {"tolerance", r.tolerance}, {"rule", r.rule}, {"source", r.source}, {"pass", r.pass}};
}

json toJson(const ExperimentResult& r) {
    json rows = json::array(), plots = json::array();
    for (const ComparedRow& row : r.rows) rows.push_back(toJson(row));
    for (const auto& plot : r.plots) plots.push_back(plot.filename().string());
    return {{"id", r.id},   {"scale", r.scale}, {"pass", r.pass},   {"seconds", r.seconds},
            {"rows", rows}, {"error", r.error}, {"notes", r.notes}, {"plots", plots}};
}

bool allHold(const ExperimentResult& result) {
    return result.error.empty() && !result.rows.empty() &&
           std::all_of(result.rows.begin(), result.rows.end(), [](const ComparedRow& r) { return r.pass; });
}

// Whatever goes wrong is this experiment's error, so that others can still run; the first one says most.
template <class Work>
void keepError(ExperimentResult& result, Work work) {
    try {
        work();
    } catch (const reproduce::CaseStopped& stopped) {
        result.error = stopped.what();
        result.signal = stopped.signal;
    } catch (const std::exception& error) {
        if (result.error.empty()) result.error = error.what();
    }
    result.pass = allHold(result);
}

std::string tableOf(const ExperimentResult& r) {
    std::size_t width = 8;
    for (const ComparedRow& row : r.rows) width = std::max(width, row.quantity.size() + row.unit.size() + 3);
    std::string text = fmt::format("{}, {} scale, {:.1f} s: {}\n", r.id, r.scale, r.seconds,
                                   r.pass            ? "all hold"
                                   : r.signal != 0   ? "stopped"
                                   : r.error.empty() ? "NOT all hold"
                                                     : "FAILED");
    if (!r.rows.empty()) {
        text +=
            fmt::format("  {:{}} {:>12} {:>12}  {:20} {}\n", "quantity", width, "paper", "Talus", "allowed", "verdict");
    }
    for (const ComparedRow& row : r.rows) {
        const std::string name = row.unit.empty() ? row.quantity : fmt::format("{} [{}]", row.quantity, row.unit);
        text += fmt::format("  {:{}} {:>12.5g} {:>12.5g}  {:20} {}{}\n", name, width, row.paper, row.talus, row.rule,
                            row.pass ? "holds" : "FAILS", row.source == "theory" ? " (theory)" : "");
    }
    for (const std::string& note : r.notes) text += fmt::format("  note: {}\n", note);
    if (!r.error.empty()) text += fmt::format("  error: {}\n", r.error);
    return text;
}

}  // namespace

std::vector<ExperimentInfo> listExperiments() {
    std::vector<ExperimentInfo> list;
    for (const Entry& entry : reproduce::allEntries()) {
        const reproduce::Experiment experiment = entry.make();
        list.push_back({entry.id, experiment.paper, experiment.title, recordedSeconds(entry.id, "quick"),
                        recordedSeconds(entry.id, "paper")});
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return list;
}

std::string experimentsAsJson(const std::vector<ExperimentInfo>& list) {
    json objects = json::array();
    for (const ExperimentInfo& info : list) objects.push_back(toJson(info));
    return textOf(objects);
}

std::vector<std::string> findExperiments(const std::vector<std::string>& words) {
    std::vector<std::string> known, found;
    for (const ExperimentInfo& info : listExperiments()) known.push_back(info.id);
    if (words.empty()) return known;
    std::vector<std::string> candidates = known;
    for (const std::string& id : known) candidates.push_back(paperOf(id));
    for (const std::string& word : words) {
        bool any = false;
        for (const std::string& id : known) {
            if (id != word && paperOf(id) != word) continue;
            if (std::find(found.begin(), found.end(), id) == found.end()) found.push_back(id);
            any = true;
        }
        if (!any) {
            throw InputError(fmt::format("reproduce: there is no experiment '{}'{}; 'talus reproduce --list' shows all",
                                         word, didYouMean(word, candidates)));
        }
    }
    return found;
}

void checkReproduceScale(const std::string& scale) {
    if (scale == "quick" || scale == "paper") return;
    throw InputError(fmt::format("reproduce: scale must be quick or paper, got '{}'{}", scale,
                                 didYouMean(scale, {"quick", "paper"})));
}

ExperimentResult runExperiment(const std::string& id, const ReproduceOptions& options) {
    checkReproduceScale(options.scale);
    const Entry entry = entryNamed(id);
    ExperimentResult result{.id = id, .scale = options.scale};
    reproduce::Trial trial(entry.scenes(), options, result);
    const auto start = std::chrono::steady_clock::now();
    trial.progress("starts", 0);
    keepError(result, [&] {
        makeResultFolder(options.folder);
        entry.make().run(trial);
    });
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    keepError(result, [&] { writeResultFile(options.folder / "result.json", textOf(toJson(result))); });
    return result;
}

std::string reproduceAsJson(const std::vector<ExperimentResult>& results) {
    json list = json::array();
    for (const ExperimentResult& result : results) list.push_back(toJson(result));
    return textOf(list);
}

std::string reproduceAsTable(const std::vector<ExperimentResult>& results) {
    std::string text;
    for (const ExperimentResult& result : results) text += tableOf(result) + "\n";
    return text;
}

void recordResult(const ExperimentResult& result, const std::filesystem::path& folder) {
    const MachineFacts m = machineFacts();
    const json record = {
        {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))},
        {"command", fmt::format("talus reproduce {} --scale {}", result.id, result.scale)},
        {"version", version()},
        {"machine", {{"cpu", m.cpu}, {"cores", m.cores}, {"memory_bytes", m.memoryBytes}, {"compiler", m.compiler}}},
        {"result", toJson(result)}};
    writeResultFile(folder / recordName(result.id, result.scale), textOf(record));
}

}  // namespace talus
