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

// The summary of a run that went to its end here; empty if there is none of this scene and program.
std::string earlierSummary(const Scene& scene, const std::filesystem::path& folder) {
    const nlohmann::json run = readJson(folder / "run.json"), summary = readJson(folder / "summary.json");
    if (!run.is_object() || !summary.is_object() || summary.value("status", "") != "finished") return "";
    const bool same = !programHash().empty() && readText(folder / programFile) == programHash() &&
                      run["scene"] == nlohmann::json::parse(sceneAsJson(scene));
    return same ? summary.dump() : "";
}

}  // namespace

CaseRun runCase(const Scene& scene, const std::filesystem::path& folder) {
    if (std::string summary = earlierSummary(scene, folder); !summary.empty()) return {std::move(summary), true};
    std::filesystem::remove(folder / programFile);
    const RunOutcome outcome = runScene(scene, {.folder = folder, .overwrite = true});
    if (outcome.status != "finished") {
        throw RunError(fmt::format("{}: {}", folder.filename().string(), outcome.message));
    }
    writeResultFile(folder / programFile, programHash());
    return {outcome.summary, false};
}

}  // namespace talus::reproduce
