#include "base/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <thread>
#include <utility>

#include "base/atomic_file.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

std::string nameOfHost() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

std::string describeMyself() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    std::array<char, 32> time{};
    ::localtime_r(&now, &local);
    std::strftime(time.data(), time.size(), "%Y-%m-%d %H:%M:%S", &local);
    return fmt::format("process {} on {}, since {}", ::getpid(), nameOfHost(), time.data());
}

// It counts as held without these lines, too: they may not fit on a full disk.
void writeHolder(int file) {
    const std::string text = describeMyself() + "\n";
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, text.data(), text.size(), 0) < 0) errno = 0;
}

enum class Attempt { locked, taken, impossible };

Attempt tryToLock(int file, const fs::path& shownAs) {
    while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno == EWOULDBLOCK) return Attempt::taken;
        if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) return Attempt::impossible;
        throwFileError("lock", shownAs, errno);
    }
    return Attempt::locked;
}

// Its first line; empty if there is none.
std::string holderIn(const fs::path& lock) {
    std::array<char, 400> text{};
    ssize_t size = 0;
    const int file = ::open(lock.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0) {
        size = ::pread(file, text.data(), text.size(), 0);
        ::close(file);
    }
    std::string line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    line.erase(std::find_if(line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }), line.end());
    return line;
}

}  // namespace

FolderLock::FolderLock(FileDescriptor folder, FileDescriptor file, bool keepsOthersOut)
    : folder_(std::move(folder)), file_(std::move(file)), keepsOthersOut_(keepsOthersOut) {}

FolderLock::~FolderLock() { release(); }

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(folder_, other.folder_);
    std::swap(file_, other.file_);
    std::swap(keepsOthersOut_, other.keepsOthersOut_);
    return *this;
}

// Only while it is locked may its file be removed: by then nobody else can rely on it. Found from the open folder,
// which may have another path by now.
void FolderLock::release() noexcept {
    if (file_.number() < 0) return;
    const std::string here = fmt::format("/proc/self/fd/{}/{}", folder_.number(), fileName);
    if (file_.isAt(here)) ::unlink(here.c_str());
}

std::optional<FolderLock> FolderLock::take(const fs::path& folder) {
    const fs::path path = folder / fileName;
    for (;;) {
        FileDescriptor at(folder, O_RDONLY | O_DIRECTORY), file(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
        const Attempt attempt = tryToLock(file.number(), path);
        if (attempt == Attempt::taken) return {};
        // Whoever had it before may have removed the file between our opening and locking it: then this is no lock.
        if (!file.isAt(path)) continue;
        writeHolder(file.number());
        return FolderLock(std::move(at), std::move(file), attempt == Attempt::locked);
    }
}

// Whoever has just taken the folder writes its name a moment later.
std::string FolderLock::holderOf(const fs::path& folder) {
    constexpr int looks = 50;
    for (int k = 0; k < looks; ++k) {
        if (const std::string line = holderIn(folder / fileName); !line.empty()) return line;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return "another process";
}

bool FolderLock::isIn(const fs::path& folder) const { return folder_.isAt(folder); }
bool FolderLock::isOf(const fs::path& folder) const { return file_.isAt(folder / fileName); }

}  // namespace talus
