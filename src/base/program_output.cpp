#include "base/program_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/atomic_file.hpp"
#include "base/file_descriptor.hpp"
#include "base/stop.hpp"

namespace talus {
namespace {

constexpr int pollTime = 50;                      // ms
constexpr std::size_t longestReport = 4'000'000;  // letters; more is read, but not kept

// A running program; what it says comes through a pipe. It is killed if this ends first.
class Program {
public:
    explicit Program(FileDescriptor said) : said_(std::move(said)) {}
    ~Program() {
        if (process_ < 0) return;
        ::kill(process_, SIGKILL);
        wait();
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    // False if there is none of that name.
    bool start(const std::vector<std::string>& words, const std::filesystem::path& folder, int output) {
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
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        const int error = posix_spawnp(&process_, arguments[0], &actions, &attributes, arguments.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        if (error == 0) return true;
        process_ = -1;
        if (error != ENOENT) throwFileError("start", words[0], error);
        return false;
    }

    // All that it says, once it is silent for good. Throws Stopped.
    std::string listen() {
        std::string report;
        pollfd source{said_.number(), POLLIN, 0};
        for (;;) {
            stopIfAsked();
            std::array<char, 4096> part;
            if (::poll(&source, 1, pollTime) <= 0) continue;
            const ssize_t size = ::read(said_.number(), part.data(), part.size());
            if (size < 0 && errno == EINTR) continue;
            if (size <= 0) return report;
            if (report.size() < longestReport) report.append(part.data(), static_cast<std::size_t>(size));
        }
    }

    int wait() {
        int status = -1;
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = -1;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

private:
    FileDescriptor said_;
    pid_t process_ = -1;
};

}  // namespace

std::optional<ProgramOutput> outputOf(const std::vector<std::string>& words, const std::filesystem::path& folder) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throwFileError("start", words[0], errno);
    Program program{FileDescriptor(ends[0])};
    {
        const FileDescriptor says(ends[1]);
        if (!program.start(words, folder, says.number())) return {};
    }
    ProgramOutput output;
    output.said = program.listen();
    output.status = program.wait();
    return output;
}

}  // namespace talus
