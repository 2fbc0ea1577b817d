#include "formats/isolated_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "talus/error.hpp"

namespace talus {
namespace {

// Lowers a limit; one that is lower already stays.
void limit(int resource, rlim_t most) {
    rlimit limits{};
    if (::getrlimit(resource, &limits) != 0) return;
    limits.rlim_cur = std::min(limits.rlim_cur, most);
    limits.rlim_max = std::min(limits.rlim_max, most);
    ::setrlimit(resource, &limits);
}

// Bytes of addresses that this process has in use; 0 if the system does not tell.
std::uint64_t memoryInUse() {
    std::array<char, 64> text{};
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t size = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    return size > 0 ? std::strtoull(text.data(), nullptr, 10) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void applyLimits(const IsolatedProcess::Limits& limits) {
    if (const std::uint64_t used = memoryInUse(); used > 0) limit(RLIMIT_AS, used + limits.memory);
    limit(RLIMIT_CPU, limits.seconds);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
}

// Faults end the copy at once: handlers of the program are not meant for it.
void forgetHandlers() {
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) ::signal(number, SIG_DFL);
}

// Keeps the line alone, as number 3; input, output and complaints lead nowhere.
int keepOnly(int socket) {
    constexpr int kept = 3;
    const int moved = ::fcntl(socket, F_DUPFD, kept + 1);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);
    ::dup2(moved, kept);
    ::close_range(kept + 1, ~0u, 0);
    return kept;
}

[[noreturn]] void doTheWork(const std::function<void(const Line&)>& work, int socket,
                            const IsolatedProcess::Limits& limits) {
    forgetHandlers();
    const Line line(keepOnly(socket));
    applyLimits(limits);
    try {
        work(line);
    } catch (...) {
        ::_exit(EXIT_FAILURE);
    }
    ::_exit(EXIT_SUCCESS);
}

[[noreturn]] void cannotStart() {
    throw RunError(
        fmt::format("cannot start a process to read a file in: {}; raise the limit of processes (ulimit -u) "
                    "or free some memory",
                    std::strerror(errno)));
}

}  // namespace

bool Line::send(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return true;
}

bool Line::receive(std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t received = ::recv(socket_, bytes.data(), bytes.size(), 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(received));
    }
    return true;
}

IsolatedProcess::IsolatedProcess(const std::function<void(const Line&)>& work, const Limits& limits) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) cannotStart();
    process_ = ::fork();
    if (process_ == 0) doTheWork(work, ends[1], limits);
    ::close(ends[1]);
    socket_ = ends[0];
    if (process_ < 0) {
        ::close(socket_);
        cannotStart();
    }
}

IsolatedProcess::~IsolatedProcess() {
    ::close(socket_);
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::string IsolatedProcess::fault() {
    // Whatever it still does, it is of no use any more; if it has ended, this changes nothing.
    int status = 0;
    ::shutdown(socket_, SHUT_RDWR);
    const pid_t process = std::exchange(process_, -1);
    pid_t ended = -1;
    do {
        ended = process < 0 ? -1 : ::waitpid(process, &status, 0);
    } while (ended < 0 && process >= 0 && errno == EINTR);
    // Somebody else in this program may have waited for it.
    if (ended < 0 || !WIFSIGNALED(status)) return "ended early";
    if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) return "took too long";
    return fmt::format("crashed ({})", ::strsignal(WTERMSIG(status)));
}

}  // namespace talus
