// What the subcommands of `talus` share.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

#include "streams.hpp"
#include "talus/simulation.hpp"

namespace talus::cli {

inline constexpr int exitFailed = 1, exitBadInput = 2;

// As fmt::print(), to stdout.
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
    printText(fmt::format(format, std::forward<Values>(values)...));
}

// One line that is rewritten in place; nothing where nobody looks.
class ProgressLine {
public:
    ~ProgressLine() { show(""); }
    void show(const std::string& text) const {
        if (isTerminal_) sayText("\r\033[K" + text);
    }

private:
    bool isTerminal_ = isatty(STDERR_FILENO) == 1;
};

// Adds a subcommand that runs `function` and leaves its exit status in `status`.
template <class Function>
CLI::App* command(CLI::App& app, const char* name, const char* text, int& status, Function function) {
    CLI::App* sub = app.add_subcommand(name, text);
    sub->callback([&status, function] { status = function(); });
    return sub;
}

// What became of a run, for the user; its exit status.
int report(const RunOutcome& outcome);

// Each in a file of its own.
void addSolveCommand(CLI::App& app, int& status);
void addGrainsCommand(CLI::App& app, int& status);
void addBenchCommand(CLI::App& app, int& status);
void addReproduceCommand(CLI::App& app, int& status);
void addSweepCommand(CLI::App& app, int& status);
void addViewCommand(CLI::App& app, int& status);
void addReportCommand(CLI::App& app, int& status);
void addExportCommand(CLI::App& app, int& status);
void addPictureCommand(CLI::App& app, int& status);
void addDescribeCommand(CLI::App& app, int& status);

}  // namespace talus::cli
