#include "bench/lammps.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "bench/child.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

constexpr const char* dataFile = "start.data";
constexpr const char* logFile = "log.lammps";

void writeFile(const fs::path& file, const std::function<void(std::ostream&)>& writeTo) {
    std::ofstream out(file);
    writeTo(out);
    out.flush();
    if (!out) throw RunError(fmt::format("{}: cannot write; is the disk full?", file.string()));
}

std::string readFile(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// LAMMPS ends with a line that begins with ERROR.
std::string lastError(const std::string& log) {
    const std::size_t begin = log.rfind("ERROR");
    return begin == std::string::npos ? "no message" : log.substr(begin, log.find('\n', begin) - begin);
}

void writeHeader(const StartState& start, std::ostream& out) {
    const Vec3 size = start.size();
    fmt::print(out, "start state of a benchmark\n\n{} atoms\n2 atom types\n\n", start.grainCount());
    fmt::print(out, "0 {:.17g} xlo xhi\n0 {:.17g} ylo yhi\n0 {:.17g} zlo zhi\n", size.x, size.y, size.z);
}

}  // namespace

bool lammpsIsInstalled() {
    std::istringstream folders(getenv("PATH") != nullptr ? getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access((fs::path(folder) / "lmp").c_str(), X_OK) == 0) return true;
    }
    return false;
}

void writeLammpsData(const StartState& start, std::ostream& out) {
    writeHeader(start, out);
    out << "\nAtoms # sphere\n\n";
    for (std::uint64_t i = 0; i < start.grainCount(); ++i) {
        const StartGrain g = start.grain(i);
        fmt::print(out, "{} {} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", i + 1, g.fixed != 0 ? 2 : 1, start.diameter,
                   start.density, g.position.x, g.position.y, g.position.z);
    }
    if (start.atRest()) return;
    out << "\nVelocities\n\n";
    for (std::uint64_t i = 0; i < start.grainCount(); ++i) {
        const StartGrain g = start.grain(i);
        fmt::print(out, "{} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", i + 1, g.velocity.x, g.velocity.y,
                   g.velocity.z, g.spin.x, g.spin.y, g.spin.z);
    }
}

double particleStepsPerSecond(const std::string& log) {
    static const std::regex loop(R"(Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms)");
    double value = 0;
    for (std::sregex_iterator match(log.begin(), log.end(), loop), end; match != end; ++match) {
        value = std::stod((*match)[2]) * std::stod((*match)[3]) / std::stod((*match)[1]);
    }
    if (value > 0) return value;
    throw RunError("the log of LAMMPS has no \"Loop time\"");
}

LammpsFolder::LammpsFolder(const StartState& start) : grains_(start.grainCount()) {
    for (const auto& [name, text] : lammpsInputs()) {
        writeFile(folder_ / name, [&text = text](std::ostream& out) { out << text; });
    }
    writeFile(folder_ / dataFile, [&](std::ostream& out) { writeLammpsData(start, out); });
}

PeerMeasurement LammpsFolder::measure(const std::string& input, const StepCounts& counts) const {
    const ProgramReport report =
        runProgram({"lmp", "-in", input, "-screen", "none", "-log", logFile,                  //
                    "-var", "dat", dataFile, "-var", "nwarm", std::to_string(counts.warmUp),  //
                    "-var", "nrun", std::to_string(counts.measured)},
                   folder_.path());
    const std::string log = readFile(folder_ / logFile);
    if (report.exitStatus != 0) {
        throw RunError(fmt::format("LAMMPS ended with status {}: {}", report.exitStatus, lastError(log)));
    }
    return {particleStepsPerSecond(log), static_cast<double>(report.peakBytes) / static_cast<double>(grains_)};
}

}  // namespace talus
