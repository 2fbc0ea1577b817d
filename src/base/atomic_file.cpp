#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <random>
#include <system_error>

#include "base/file_descriptor.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

std::string_view adviceFor(int errorNumber) {
    switch (errorNumber) {
        case ENOSPC:
            return "free some space on that disk, then go on (a run with a checkpoint.h5: by `talus resume`, others "
                   "start anew); older files are untouched";
        case EDQUOT:
            return "your disk quota is used up: delete files, then go on (a run with a checkpoint.h5: by `talus "
                   "resume`, others start anew)";
        case EFBIG:
            return "the file is larger than the file system or the limit of this shell (ulimit -f) allows";
        case EROFS:
            return "that disk can only be read: choose another folder with -o";
        case EACCES:
        case EPERM:
            return "you may not write there: choose another folder with -o or change its permissions";
        case ENOENT:
            return "the folder is gone: make it again or choose another with -o";
        case EEXIST:
        case ENOTDIR:
            return "a part of that path is a file: choose another folder with -o";
        case EISDIR:
            return "a folder has that name: move it away or choose another folder with -o";
        case EMFILE:
        case ENFILE:
            return "too many files are open: raise the limit (ulimit -n)";
        case EIO:
            return "the disk reports a fault: check it and write to another one with -o";
        default:
            return "check the disk and the folder";
    }
}

// From so many files on it takes less time to bring all of the file system to the disk, at once, than one file after
// the other: each waits for the disk by itself, some milliseconds.
constexpr std::size_t filesWorthAFileSystem = 16;

fs::path folderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// So that the names in it are on the disk.
void flushFolder(const fs::path& folder) { FileDescriptor(folder, O_RDONLY | O_DIRECTORY).flushToDisk(); }

constexpr std::string_view temporaryPrefix = ".talus-", temporarySuffix = ".tmp";

// ".talus-PID-NUMBER.tmp": no two processes of a machine choose the same, and whoever finds one knows whose it is.
fs::path temporaryName(const fs::path& folder) {
    static std::random_device chance;
    return folder / fmt::format("{}{}-{:08x}{}", temporaryPrefix, ::getpid(), chance(), temporarySuffix);
}

// Calls make(name) with new names until it makes a file of that name, which must not be there; false if it cannot.
template <class Make>
bool makeTemporary(const fs::path& folder, fs::path& name, Make&& make) {
    do {
        name = temporaryName(folder);
        if (make(name)) return true;
    } while (errno == EEXIST || errno == EINTR);
    return false;
}

// A file that no other process has or had open; removed at the end unless it was moved into place.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target) {
        const auto create = [](const fs::path& name) {
            const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
            return file >= 0 && ::close(file) == 0;
        };
        if (!makeTemporary(folderOf(target), path_, create)) throwFileError("write", target, errno);
    }
    ~TemporaryFile() {
        if (!moved_) ::unlink(path_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const fs::path& path() const { return path_; }
    void moveTo(const fs::path& target) {
        if (::rename(path_.c_str(), target.c_str()) != 0) throwFileError("write", target, errno);
        moved_ = true;
    }

private:
    fs::path path_;
    bool moved_ = false;
};

// A second name for the old file by a hard link, so that it never disappears; where there are none, by renaming.
void keepOldFile(const fs::path& path, const fs::path& keepAs) {
    fs::path link;
    const auto makeLink = [&](const fs::path& name) { return ::link(path.c_str(), name.c_str()) == 0; };
    if (makeTemporary(folderOf(keepAs), link, makeLink)) {
        if (::rename(link.c_str(), keepAs.c_str()) == 0) {
            ::unlink(link.c_str());  // still there if both were names of the same file
            return;
        }
        const int error = errno;
        ::unlink(link.c_str());
        throwFileError("write", keepAs, error);
    }
    if (errno != ENOENT) {
        if (::rename(path.c_str(), keepAs.c_str()) != 0 && errno != ENOENT) throwFileError("write", keepAs, errno);
    }
}

// The process in such a name; 0 for other names.
pid_t processOf(std::string_view name) {
    if (!name.starts_with(temporaryPrefix) || !name.ends_with(temporarySuffix)) return 0;
    name.remove_prefix(temporaryPrefix.size());
    pid_t process = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), process).ptr;
    return *end == '-' ? process : 0;
}

bool hasEnded(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

void throwFileError(std::string_view action, const fs::path& path, int errorNumber) {
    throw RunError(fmt::format("cannot {} {}: {}; {}", action, path.string(),
                               std::generic_category().message(errorNumber), adviceFor(errorNumber)));
}

void makeFolder(const fs::path& folder) {
    if (folder.empty()) return;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throwFileError("make the folder", folder, error.value());
    if (!fs::is_directory(folder, error)) throwFileError("make the folder", folder, ENOTDIR);
}

void replaceFileAtomically(const fs::path& path, const std::function<void(const fs::path&)>& write,
                           const fs::path& keepOldAs, Flush flush) {
    TemporaryFile temporary(path);
    write(temporary.path());
    if (flush == Flush::now) FileDescriptor(temporary.path(), O_RDONLY, path).flushToDisk();
    if (!keepOldAs.empty()) keepOldFile(path, keepOldAs);
    temporary.moveTo(path);
    if (flush == Flush::now) flushFolder(folderOf(path));
}

void removeLeftovers(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const pid_t process = processOf(entry->path().filename().native());
        if (process > 0 && hasEnded(process)) ::unlink(entry->path().c_str());
    }
}

void flushFiles(const std::vector<fs::path>& files) {
    if (files.empty() || !fs::exists(folderOf(files.front()))) return;
    if (files.size() >= filesWorthAFileSystem) {
        FileDescriptor(folderOf(files.front()), O_RDONLY | O_DIRECTORY).flushFileSystem();
        return;
    }
    for (const fs::path& file : files) {
        if (fs::exists(file)) FileDescriptor(file, O_RDONLY).flushToDisk();
    }
    flushFolder(folderOf(files.front()));
}

void writeFileAtomically(const fs::path& path, std::span<const std::string_view> pieces, Flush flush) {
    const auto write = [&](const fs::path& temporary) {
        FileDescriptor file(temporary, O_WRONLY | O_TRUNC, path);
        for (const std::string_view piece : pieces) file.writeAll(piece);
        file.close();
    };
    replaceFileAtomically(path, write, {}, flush);
}

void writeFileAtomically(const fs::path& path, std::string_view content) {
    writeFileAtomically(path, std::span<const std::string_view>(&content, 1));
}

}  // namespace talus
