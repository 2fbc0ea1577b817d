// Another program, run to its end, with all that it says.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace talus {

struct ProgramOutput {
    int status = 0;    // that of a shell: 128 + signal if a signal ended it
    std::string said;  // to its output and its errors
};

// Runs a program that is found on the PATH, in a folder. Nothing if there is none of that name. RunError if it cannot
// be started for another reason; Stopped (base/stop.hpp), with the program killed, if a stop is asked for and allowed.
std::optional<ProgramOutput> outputOf(const std::vector<std::string>& words, const std::filesystem::path& folder = ".");

}  // namespace talus
