#include "run/sweep/child_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/file_descriptor.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// What the new process does before it becomes the run. The sweep may have threads, of which a fork takes along only
// the caller: nothing here may allocate or lock.
[[noreturn]] void becomeRun(char* const* words, pid_t sweep, int input, int log, int held) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != sweep) _exit(128 + SIGTERM);
    setpgid(0, 0);
    dup2(input, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    fcntl(held, F_SETFD, 0);
    execv(words[0], words);
    _exit(127);
}

int shellStatus(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

}  // namespace

ChildRun::ChildRun(const std::vector<std::string>& command, const std::filesystem::path& log, int held) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const FileDescriptor output(log, O_WRONLY | O_CREAT | O_APPEND), input("/dev/null", O_RDONLY);
    const pid_t sweep = getpid();
    process_ = fork();
    if (process_ < 0) throw RunError(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (process_ == 0) becomeRun(words.data(), sweep, input.number(), output.number(), held);
}

ChildRun::ChildRun(ChildRun&& other) noexcept : process_(std::exchange(other.process_, -1)) {}

ChildRun::~ChildRun() {
    if (process_ < 0) return;
    kill(process_, SIGTERM);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::optional<int> ChildRun::ended() {
    int status = 0;
    if (process_ < 0 || waitpid(process_, &status, WNOHANG) != process_) return {};
    process_ = -1;
    return shellStatus(status);
}

void ChildRun::send(int signal) const {
    if (process_ >= 0) kill(process_, signal);
}

}  // namespace talus
