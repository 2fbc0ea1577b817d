#include "io/results/child_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <sstream>

#include "base/program_output.hpp"
#include "base/stop.hpp"
#include "talus/error.hpp"

namespace talus {

void requireProgram(const ChildProgram& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access((std::filesystem::path(folder) / program.name).c_str(), X_OK) == 0) return;
    }
    throw RunError(program.needed);
}

void runProgram(const ChildProgram& program, const std::vector<std::string>& arguments,
                const std::filesystem::path& folder, const std::string& task) {
    constexpr std::size_t longestReport = 4000;  // letters
    std::vector<std::string> words{program.name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const std::optional<ProgramOutput> output = outputOf(words, folder);
    if (!output) throw RunError(program.needed);
    if (output->status == 0) return;
    stopIfAsked();  // Ctrl-C reaches both
    throw RunError(fmt::format("{} could not {}: {}", program.name, task, output->said.substr(0, longestReport)));
}

}  // namespace talus
