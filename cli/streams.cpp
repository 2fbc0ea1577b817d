#include "streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "talus/error.hpp"

namespace talus::cli {
namespace {

int outputError = 0;  // errno of the first write that failed

void keepError() {
    if (outputError == 0) outputError = errno != 0 ? errno : EIO;
}

}  // namespace

void guardStreams() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
        // The lowest free number is this one. Opened the wrong way round, so that using it fails as before.
        if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

void sendStreamsTo(const std::filesystem::path& log) {
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) {
        throw RunError(fmt::format("cannot write {}: {}", log.string(), std::generic_category().message(errno)));
    }
    std::fflush(stdout);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(file, stream);
    ::close(file);
}

void sayText(std::string_view text) noexcept {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

void printText(std::string_view text) noexcept {
    if (outputError != 0) return;
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) keepError();
}

void finishOutput() {
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) keepError();
    if (outputError == 0) return;
    throw RunError(
        fmt::format("cannot write to the standard output: {}", std::generic_category().message(outputError)));
}

}  // namespace talus::cli
