#include "experiments/case_run.hpp"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "talus/error.hpp"
#include "talus/results.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

std::string readText(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

nlohmann::json readJson(const std::filesystem::path& file) {
    return nlohmann::json::parse(readText(file), nullptr, false);
}

// Of the bytes of this program; empty if its file cannot be read.
const std::string& programHash() {
    static const std::string hash = [] {
        const std::string bytes = readText("/proc/self/exe");
        return bytes.empty() ? "" : fmt::format("{:016x}", std::hash<std::string_view>{}(bytes));
    }();
    return hash;
}

const char* const programFile = "program.txt";

// What this program has left of this scene in the folder.
struct Earlier {
    bool begun = false;   // there is a checkpoint to go on from
    std::string summary;  // of a run that went to its end
};

Earlier earlierRun(const Scene& scene, const std::filesystem::path& folder) {
    if (programHash().empty() || readText(folder / programFile) != programHash()) return {};
    const nlohmann::json run = readJson(folder / "run.json"), summary = readJson(folder / "summary.json");
    if (!run.is_object() || run["scene"] != nlohmann::json::parse(sceneAsJson(scene))) return {};
    const std::string status = summary.is_object() ? summary.value("status", "") : "";
    if (status == "finished") return {.summary = summary.dump()};
    return {.begun = status != "failed" && std::filesystem::exists(folder / "checkpoint.h5")};
}

RunOutcome startAnew(const Scene& scene, const std::filesystem::path& folder) {
    writeResultFile(folder / programFile, programHash());
    return runScene(scene, {.folder = folder, .overwrite = true});
}

}  // namespace

CaseRun runCase(const Scene& scene, const std::filesystem::path& folder) {
    CaseRun run;
    const Earlier earlier = earlierRun(scene, folder);
    run.takenOver = !earlier.summary.empty();
    run.summary = earlier.summary;
    if (!run.takenOver) {
        const RunOutcome outcome = earlier.begun ? resumeRun({.folder = folder}) : startAnew(scene, folder);
        const std::string name = folder.filename().string();
        if (outcome.signal != 0) {
            throw CaseStopped(name + ": stopped; the same command goes on from there", outcome.signal);
        }
        if (outcome.status != "finished") throw RunError(fmt::format("{}: {}", name, outcome.message));
        run.summary = outcome.summary;
    }
    nlohmann::json::parse(run.summary).at("results").at("warnings").get_to(run.warnings);
    return run;
}

}  // namespace talus::reproduce
