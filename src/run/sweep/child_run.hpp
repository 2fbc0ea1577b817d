// One run in a process of its own, in the background.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace talus {

// Starts a command and looks after it. Signals of the terminal do not reach it (it has a process group of its own): the
// sweep passes them on, once. If the sweep dies the run gets SIGTERM and writes its checkpoint.
class ChildRun {
public:
    // Its output is added to the log; it keeps the file `held` open for as long as it lives. RunError if no process can
    // be made.
    ChildRun(const std::vector<std::string>& command, const std::filesystem::path& log, int held);
    ~ChildRun();  // stops it, if it still runs, and waits
    ChildRun(ChildRun&& other) noexcept;
    ChildRun& operator=(ChildRun&&) = delete;

    // The exit status of a shell, once it has ended: 128 + signal if a signal ended it, 127 if it could not be started.
    std::optional<int> ended();
    void send(int signal) const;

private:
    pid_t process_ = -1;
};

}  // namespace talus
