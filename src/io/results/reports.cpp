#include "io/results/reports.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <fstream>

#include "base/atomic_file.hpp"

namespace talus {
namespace {

std::string cpuModel() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

int usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : get_nprocs();
}

std::uint64_t memoryOfMachine() {
    struct sysinfo info {};
    return sysinfo(&info) == 0 ? std::uint64_t{info.totalram} * info.mem_unit : 0;
}

std::string systemName() {
    utsname name{};
    return uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "unknown";
}

std::string compilerName() {
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "g++ " __VERSION__;
#endif
}

std::string buildKind() {
    std::string kind;
#ifdef __OPTIMIZE__
    kind = "optimised";
#else
    kind = "not optimised";
#endif
#ifdef __AVX2__
    return kind + ", for this kind of processor (AVX2 or better)";
#else
    return kind + ", for any x86-64";
#endif
}

// Text from outside may hold anything: what is not UTF-8 is replaced, since a report must always be written.
std::string textOf(const nlohmann::json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

nlohmann::json toJson(const MachineFacts& m) {
    return {{"cpu", m.cpu},       {"cores", m.cores},       {"memory_bytes", m.memoryBytes},
            {"system", m.system}, {"compiler", m.compiler}, {"build", m.build}};
}

}  // namespace

MachineFacts machineFacts() {
    return {cpuModel(), usableCores(), memoryOfMachine(), systemName(), compilerName(), buildKind()};
}

void writeRunJson(const std::filesystem::path& folder, const RunFacts& facts) {
    writeFileAtomically(folder / "run.json", textOf({{"version", facts.version},
                                                     {"seed", facts.seed},
                                                     {"threads", facts.threads},
                                                     {"inner_loop", facts.innerLoop},
                                                     {"machine", toJson(facts.machine)},
                                                     {"groups", facts.names.groups},
                                                     {"materials", facts.names.materials},
                                                     {"scene", facts.scene}}));
}

nlohmann::json toJson(const Summary& s) {
    return {{"status", s.status},
            {"time", s.time},
            {"steps", s.steps},
            {"wall_seconds", s.wall_seconds},
            {"threads", s.threads},
            {"state_hash", s.state_hash},
            {"bodies", s.bodies},
            {"contacts", s.contacts},
            {"max_overlap", s.max_overlap},
            {"unconverged_steps", s.unconverged_steps},
            {"timings", s.timings},
            {"results", s.results},
            {"message", s.message}};
}

std::string asText(const Summary& summary) { return textOf(toJson(summary)); }

void writeSummary(const std::filesystem::path& folder, const Summary& summary) {
    writeFileAtomically(folder / "summary.json", asText(summary));
}

std::string hexHash(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace talus
