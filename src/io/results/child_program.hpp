// Other programs that draw for this one: gnuplot and ffmpeg.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace talus {

struct ChildProgram {
    std::string name;
    std::string needed;  // what is said if it is missing: "plots need gnuplot, ..."
};

// RunError with what is needed if no folder of PATH has it.
void requireProgram(const ChildProgram& program);

// Runs it in the folder and waits. RunError, with what it said, if it is missing or fails at `task`; Stopped
// (base/stop.hpp), with the program killed, if a stop is asked for and allowed.
void runProgram(const ChildProgram& program, const std::vector<std::string>& arguments,
                const std::filesystem::path& folder, const std::string& task);

}  // namespace talus
