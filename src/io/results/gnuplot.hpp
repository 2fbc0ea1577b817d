// Plots are drawn by gnuplot, as a program of its own.
#pragma once

#include <filesystem>
#include <string>

namespace talus {

// Commands that every script begins with: size, fonts, colours, frame.
extern const char* const plotStyle;

// Runs a script in the folder, so that it needs no paths with their quotes and blanks. RunError, with what gnuplot
// said, if it is missing or fails.
void runGnuplot(const std::filesystem::path& folder, const std::string& script);

}  // namespace talus
