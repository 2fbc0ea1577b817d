#include "run/sweep/sweep_folder.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/hash.hpp"
#include "base/utf8.hpp"
#include "io/results/reports.hpp"
#include "run/sweep/variants.hpp"
#include "talus/error.hpp"
#include "talus/results.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *sweepFile = "sweep.json", *sceneFile = "scene.yaml";

std::string hashOf(const std::string& text) {
    Hash hash;
    hash.addBytes(text.data(), text.size());
    return hexHash(hash.value());
}

std::vector<std::string> escaped(std::vector<std::string> texts) {
    for (std::string& text : texts) text = escapeBytes(text);
    return texts;
}

std::vector<std::string> unescaped(const json& list) {
    std::vector<std::string> texts;
    for (const json& text : list) texts.push_back(unescapeBytes(text.get<std::string>()));
    return texts;
}

json describe(const SweepOptions& options) {
    json vary = json::array();
    for (const Variation& v : options.vary)
        vary.push_back({{"key", escapeBytes(v.key)}, {"values", escaped(v.values)}});
    return {{"scene", escapeBytes(options.scene.native())},
            {"scene_folder", escapeBytes(fs::absolute(options.scene).parent_path().native())},
            {"scene_hash", hashOf(textOf(options.scene))},
            {"set", escaped(options.overrides)},
            {"vary", vary}};
}

// What makes it another sweep; empty if it is the same. The scene may have moved.
std::string differenceOf(const json& old, const json& now) {
    if (!old.is_object() || old.value("vary", json()) != now.at("vary")) return "other values of --vary";
    if (old.value("set", json()) != now.at("set")) return "other values of --set";
    if (old.value("scene_hash", json()) != now.at("scene_hash")) return "another text of the scene";
    return "";
}

// Besides the lock.
bool holdsAnything(const fs::path& folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().filename() != FolderLock::fileName) return true;
    }
    return false;
}

void checkOwner(const fs::path& folder, const json& now) {
    std::error_code error;
    const fs::path file = folder / sweepFile;
    if (!fs::exists(file, error)) {
        if (!holdsAnything(folder)) return;
        throw InputError(
            fmt::format("{}: holds something else than a sweep; choose another folder with -o", folder.string()));
    }
    const std::string difference = differenceOf(json::parse(textOf(file), nullptr, false), now);
    if (difference.empty()) return;
    throw InputError(fmt::format("{}: holds a sweep with {}; choose another folder with -o, or remove this one",
                                 folder.string(), difference));
}

FolderLock lockFolder(const fs::path& folder) {
    makeFolder(folder);
    if (std::optional<FolderLock> lock = FolderLock::take(folder)) return std::move(*lock);
    throw RunError(fmt::format("{}: a sweep is still running there: {}; wait until it and its runs have ended",
                               folder.string(), FolderLock::holderOf(folder)));
}

// Numbers, with those of nested objects as "solver.mean_iterations".
void collectNumbers(const json& object, const std::string& prefix, SweepVariant& into) {
    for (const auto& [name, value] : object.items()) {
        if (value.is_number()) into.results.emplace_back(prefix + name, value.get<double>());
        if (value.is_object()) collectNumbers(value, prefix + name + ".", into);
    }
}

}  // namespace

SweepFolder::SweepFolder(const SweepOptions& options) : lock_(lockFolder(options.folder)) {
    const json now = describe(options);
    checkOwner(options.folder, now);
    writeFileAtomically(options.folder / sweepFile, now.dump(2) + "\n");
    writeFileAtomically(options.folder / sceneFile, textOf(options.scene));
}

Scene KeptSweep::sceneOf(std::size_t variant) const {
    return parseScene(sceneText, sceneFile, sceneFolder, settingsOf(overrides, vary, variants[variant]));
}

KeptSweep readKeptSweep(const fs::path& folder) {
    const std::string text = textOf(folder / sweepFile);
    if (text.empty()) {
        throw InputError(
            fmt::format("{}: holds no sweep; 'talus sweep SCENE --vary ...' with --prepare or --slurm makes one there",
                        folder.string()));
    }
    KeptSweep kept;
    kept.folder = folder;
    kept.sceneText = textOf(folder / sceneFile);
    try {
        const json sweep = json::parse(text);
        if (sweep.at("scene_hash") != hashOf(kept.sceneText)) {
            throw InputError(
                fmt::format("{}: was changed since the sweep was made; the same command as then makes it anew",
                            (folder / sceneFile).string()));
        }
        kept.sceneFile = unescapeBytes(sweep.at("scene").get<std::string>());
        kept.sceneFolder = unescapeBytes(sweep.at("scene_folder").get<std::string>());
        kept.overrides = unescaped(sweep.at("set"));
        for (const json& v : sweep.at("vary")) {
            kept.vary.push_back({unescapeBytes(v.at("key").get<std::string>()), unescaped(v.at("values"))});
        }
    } catch (const json::exception& error) {
        throw InputError(fmt::format("{}: cannot be read: {}", (folder / sweepFile).string(), error.what()));
    }
    kept.variants = makeVariants(kept.vary);
    return kept;
}

void writeTables(const SweepOutcome& outcome, const fs::path& folder) {
    writeResultFile(folder / "table.csv", sweepAsCsv(outcome));
    writeResultFile(folder / "table.json", sweepAsJson(outcome));
}

Progressed progressOf(const fs::path& variant) {
    const json summary = json::parse(textOf(variant / "summary.json"), nullptr, false);
    if (summary.is_object() && summary.value("status", "") == "finished") return Progressed::toTheEnd;
    const bool saved = fs::exists(variant / "checkpoint.h5") || fs::exists(variant / "checkpoint.previous.h5");
    return saved ? Progressed::toACheckpoint : Progressed::notAtAll;
}

void readSummary(const fs::path& variant, SweepVariant& into) {
    const json summary = json::parse(textOf(variant / "summary.json"), nullptr, false);
    if (!summary.is_object()) return;
    into.status = summary.value("status", into.status);
    into.message = summary.value("message", "");
    into.seconds = summary.value("wall_seconds", 0.0);
    into.results.clear();
    if (summary.contains("unconverged_steps")) {
        into.results.emplace_back("unconverged_steps", summary["unconverged_steps"].get<double>());
    }
    collectNumbers(summary.value("results", json::object()), "", into);
}

double timeReached(const fs::path& variant) {
    constexpr std::streamoff enough = 1 << 14;  // bytes that hold the last row
    std::ifstream file(variant / "series.csv", std::ios::binary);
    file.seekg(0, std::ios::end);
    const std::streamoff size = file.tellg();
    if (size <= 0) return 0;
    file.seekg(std::max<std::streamoff>(0, size - enough));
    std::string tail{std::istreambuf_iterator<char>(file), {}};
    while (tail.ends_with('\n')) tail.pop_back();
    return std::strtod(tail.c_str() + tail.find_last_of('\n') + 1, nullptr);
}

LogEnd endOfLog(const fs::path& log) {
    std::ifstream in(log);
    std::string last, lastError;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("error: ")) lastError = line.substr(7);
        if (!line.empty()) last = line;
    }
    return {lastError.empty() ? last : lastError, last.starts_with("error: ")};
}

std::string textOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

fs::path commandOf(const SweepOptions& options) {
    return options.program.empty() ? fs::read_symlink("/proc/self/exe") : options.program;
}

}  // namespace talus
