// What the program says and prints, where that may fail: on full disks, closed streams and broken pipes.
//
// Messages (stderr) are for people: one that cannot be written is no reason to stop. Results (stdout) are what was
// asked for: once some cannot be written the rest is left out, and finishOutput() tells.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace talus::cli {

// To be called first. A broken pipe and a file that grows beyond its limit become errors of the write instead of
// signals that end the program. A closed stream becomes one that cannot be used, so that no file of ours gets its
// number and with it what is said.
void guardStreams();

// All that is said and printed from now on is added to this file. RunError if it cannot be written.
void sendStreamsTo(const std::filesystem::path& log);

void sayText(std::string_view text) noexcept;
inline void say(const std::string& line) { sayText(line + "\n"); }

void printText(std::string_view text) noexcept;

// RunError, with the reason, if something that was printed did not arrive.
void finishOutput();

}  // namespace talus::cli
