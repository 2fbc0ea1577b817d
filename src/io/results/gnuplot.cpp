#include "io/results/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
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
#include "talus/error.hpp"
#include "talus/results.hpp"

namespace talus {
namespace {

constexpr int pollTime = 50;                 // ms
constexpr std::size_t longestReport = 4000;  // letters, of what gnuplot says

// A running gnuplot; what it says comes through a pipe. It is killed if this ends first.
class Gnuplot {
public:
    Gnuplot(const std::filesystem::path& folder, const std::string& script) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throwFileError("start", "gnuplot", errno);
        said_ = FileDescriptor(ends[0]);
        const FileDescriptor says(ends[1]);
        start(folder, script, says.number());
    }
    ~Gnuplot() {
        if (process_ < 0) return;
        ::kill(process_, SIGKILL);
        wait();
    }
    Gnuplot(const Gnuplot&) = delete;
    Gnuplot& operator=(const Gnuplot&) = delete;

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
    void start(const std::filesystem::path& folder, const std::string& script, int output) {
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
        std::string program = "gnuplot", argument = script;
        char* const arguments[] = {program.data(), argument.data(), nullptr};
        const int error = posix_spawnp(&process_, program.c_str(), &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        if (error == 0) return;
        process_ = -1;
        if (error == ENOENT) {
            throw RunError("plots need gnuplot, which is not installed here: install the package gnuplot-nox");
        }
        throwFileError("start", "gnuplot", error);
    }

    FileDescriptor said_;
    pid_t process_ = -1;
};

}  // namespace

const char* const plotStyle =
    R"(set terminal pngcairo size 1000,650 font 'DejaVu Sans,12' linewidth 2 background rgb 'white'
set datafile separator ','
set encoding utf8
set style line 1 lc rgb '#0072b2'
set style line 2 lc rgb '#d55e00'
set style line 3 lc rgb '#009e73'
set style line 4 lc rgb '#cc79a7'
set style line 5 lc rgb '#e69f00'
set style line 6 lc rgb '#56b4e9'
set style line 7 lc rgb '#000000'
set style line 8 lc rgb '#8c6d31'
set style line 9 lc rgb '#7f7f7f'
set border 3 lc rgb '#404040'
set tics nomirror out scale 0.6
set grid lc rgb '#dddddd' lt 1 lw 0.5
set key outside right top vertical Left reverse samplen 2 noenhanced
set title font ',15'
)";

void runGnuplot(const std::filesystem::path& folder, const std::string& script) {
    Gnuplot gnuplot(folder, script);
    const std::string report = gnuplot.listen();
    if (gnuplot.wait() == 0) return;
    stopIfAsked();  // Ctrl-C reaches both
    throw RunError(fmt::format("gnuplot could not draw {}: {}", (folder / script).string(), report));
}

void makeResultFolder(const std::filesystem::path& folder) {
    makeFolder(folder);
    if (access(folder.c_str(), W_OK | X_OK) != 0) throwFileError("write in the folder", folder, errno);
}

void writeResultFile(const std::filesystem::path& file, std::string_view text) {
    makeFolder(file.parent_path());
    writeFileAtomically(file, text);
}

std::filesystem::path drawPlot(const std::filesystem::path& folder, const std::string& name,
                               const std::string& commands) {
    const std::string head = fmt::format("# Run in this folder: gnuplot {}.gp\n", name);
    writeResultFile(folder / (name + ".gp"), head + plotStyle + fmt::format("set output '{}.png'\n", name) + commands);
    runGnuplot(folder, name + ".gp");
    return folder / (name + ".png");
}

}  // namespace talus
