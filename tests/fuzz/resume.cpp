// Fuzz target of resuming a run whose folder somebody has edited. The first byte chooses the file and the attack:
//   low half   series.csv, frames.pvd, run.json or summary.json;
//   high half  even: the rest is its content, byte for byte; odd: the rest is a list of changes (place, byte) to it.
// Whatever comes, the run goes on or there is an InputError or a RunError.
#include <array>
#include <fstream>
#include <string>

#include "../unit/output_samples.hpp"
#include "talus/error.hpp"
#include "talus/simulation.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using output_samples::contentOf;
using output_samples::TemporaryFolder;

constexpr std::array<const char*, 4> files{"series.csv", "frames.pvd", "run.json", "summary.json"};

// One ball that falls on another until a stage runs out of time: there is a checkpoint, and steps are left.
constexpr const char* scene = R"(
materials: {glass: {youngs_modulus: 5 MPa}}
bodies:
  - {shape: plane}
  - {shape: sphere, radius: 1 mm, position: [0, 0, 1 mm]}
  - {shape: sphere, radius: 1 mm, position: [0, 0, 3.1 mm]}
run: {step: 10 us}
stages:
  - {name: first, time: 1 ms}
  - {name: second, time: 0.2 ms, until: [{quantity: grains, below: 1}]}
output: {series: 0.2 ms, frames: 0.5 ms, checkpoint: 1 ms, plots: false}
)";

const fs::path& finishedRun() {
    static const TemporaryFolder folder;
    static const fs::path run = [] {
        runScene(parseScene(scene, "scene.yaml", "."), {.folder = folder / "run", .threads = 1});
        return folder / "run";
    }();
    return run;
}

std::string changed(std::string content, const std::uint8_t* changes, std::size_t size) {
    for (; size >= 3 && !content.empty(); changes += 3, size -= 3) {
        content[(changes[0] * std::size_t{256} + changes[1]) % content.size()] = static_cast<char>(changes[2]);
    }
    return content;
}

void tryToResume(const char* file, const std::string& content) {
    static const TemporaryFolder folder;
    const fs::path attempt = folder / "attempt";
    fs::remove_all(attempt);
    fs::copy(finishedRun(), attempt, fs::copy_options::recursive);
    std::ofstream(attempt / file, std::ios::binary) << content;
    try {
        resumeRun({.folder = attempt, .threads = 1});
    } catch (const InputError&) {
    } catch (const RunError&) {
    }
}

}  // namespace
}  // namespace talus

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const char* file = talus::files[data[0] % talus::files.size()];
    const bool changes = data[0] / 16 % 2 == 1;
    const std::string rest(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::string whole = talus::output_samples::contentOf(talus::finishedRun() / file);
    talus::tryToResume(file, changes ? talus::changed(whole, data + 1, size - 1) : rest);
    return 0;
}
