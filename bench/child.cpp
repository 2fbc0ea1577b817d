#include "bench/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "base/parallel.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr char succeeded = '+', failed = '-';

// What the child sends: a mark, then the result or the message of the failure.
std::string attempt(const std::function<std::string()>& work) {
    try {
        return succeeded + work();
    } catch (const std::exception& error) {
        return failed + std::string(error.what());
    }
}

void sendAll(int pipe, const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t now = write(pipe, text.data() + sent, text.size() - sent);
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) return;
        sent += static_cast<std::size_t>(now);
    }
}

std::string receiveAll(int pipe) {
    std::string text;
    for (char buffer[1 << 16];;) {
        const ssize_t now = read(pipe, buffer, sizeof buffer);
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) return text;
        text.append(buffer, static_cast<std::size_t>(now));
    }
}

pid_t forkOrThrow() {
    std::fflush(nullptr);  // else what is still in the buffers would be written twice
    const pid_t child = fork();
    if (child < 0) throw RunError(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to read the result
    return child;
}

ProgramReport waitFor(pid_t child) {
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    const int exitStatus = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return {exitStatus, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

}  // namespace

ChildReport runInChild(const std::function<std::string()>& work) {
    setThreadCount(1);
    int ends[2];
    if (pipe(ends) != 0) throw RunError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    const pid_t child = forkOrThrow();
    if (child == 0) {
        close(ends[0]);
        sendAll(ends[1], attempt(work));
        _exit(0);
    }
    close(ends[1]);
    const std::string text = receiveAll(ends[0]);
    close(ends[0]);
    const ProgramReport end = waitFor(child);
    if (end.exitStatus != 0 || text.empty()) {
        throw RunError(fmt::format(
            "a measurement ended with status {}; if that is 137, memory ran out: take fewer grains", end.exitStatus));
    }
    if (text.front() == failed) throw RunError(text.substr(1));
    return {text.substr(1), end.peakBytes};
}

ProgramReport runProgram(const std::vector<std::string>& command, const std::filesystem::path& folder) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const pid_t child = forkOrThrow();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_RDWR);
        for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
        if (chdir(folder.c_str()) == 0) execvp(words[0], words.data());
        _exit(127);
    }
    return waitFor(child);
}

}  // namespace talus
