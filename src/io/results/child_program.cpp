#include "io/results/child_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "base/atomic_file.hpp"
#include "base/file_descriptor.hpp"
#include "base/stop.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr int pollTime = 50;                 // ms
constexpr std::size_t longestReport = 4000;  // letters, of what it says

// A running program; what it says comes through a pipe. It is killed if this ends first.
class Running {
public:
    Running(const ChildProgram& program, const std::vector<std::string>& arguments,
            const std::filesystem::path& folder) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throwFileError("start", program.name, errno);
        said_ = FileDescriptor(ends[0]);
        const FileDescriptor says(ends[1]);
        start(program, arguments, folder, says.number());
    }
    ~Running() {
        if (process_ < 0) return;
        ::kill(process_, SIGKILL);
        wait();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    // What it said, once it is silent for good. Throws Stopped (base/stop.hpp).
    std::string listen() {
        std::string report;
        pollfd source{said_.number(), POLLIN, 0};
        for (;;) {
            stopIfAsked();
            std::array<char, 1024> part;
            if (::poll(&source, 1, pollTime) <= 0) continue;
            const ssize_t size = ::read(said_.number(), part.data(), part.size());
            if (size < 0 && errno == EINTR) continue;
            if (size <= 0) return report;
            if (report.size() < longestReport) report.append(part.data(), static_cast<std::size_t>(size));
        }
    }

    // Its status.
    int wait() {
        int status = -1;
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = -1;
        return status;
    }

private:
    void start(const ChildProgram& program, std::vector<std::string> words, const std::filesystem::path& folder,
               int output) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        // What this program ignores need not be ignored there.
        sigset_t usual;
        sigemptyset(&usual);
        sigaddset(&usual, SIGPIPE);
        sigaddset(&usual, SIGXFSZ);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        words.insert(words.begin(), program.name);
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        const int error =
            posix_spawnp(&process_, program.name.c_str(), &actions, &attributes, arguments.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        if (error == 0) return;
        process_ = -1;
        if (error == ENOENT) throw RunError(program.needed);
        throwFileError("start", program.name, error);
    }

    FileDescriptor said_;
    pid_t process_ = -1;
};

}  // namespace

void requireProgram(const ChildProgram& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access((std::filesystem::path(folder) / program.name).c_str(), X_OK) == 0) return;
    }
    throw RunError(program.needed);
}

void runProgram(const ChildProgram& program, const std::vector<std::string>& arguments,
                const std::filesystem::path& folder, const std::string& task) {
    Running running(program, arguments, folder);
    const std::string report = running.listen();
    if (running.wait() == 0) return;
    stopIfAsked();  // Ctrl-C reaches both
    throw RunError(fmt::format("{} could not {}: {}", program.name, task, report));
}

}  // namespace talus
