// Plots are drawn by gnuplot, as a program of its own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace talus {

// Commands that every script begins with: size, fonts, colours, frame.
extern const char* const plotStyle;

// Line styles 1 to lineColours differ by their colours. More lines than that are told apart by dashes, dt 1 (none) to
// lineDashes.
inline constexpr std::size_t lineColours = 9, lineDashes = 5;

// Runs a script in the folder, so that it needs no paths with their quotes and blanks. RunError, with what gnuplot
// said, if it is missing or fails; Stopped (base/stop.hpp), with gnuplot killed, if a stop is asked for and allowed.
void runGnuplot(const std::filesystem::path& folder, const std::string& script);

}  // namespace talus
