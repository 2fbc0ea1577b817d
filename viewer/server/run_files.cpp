#include "viewer/server/run_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "talus/error.hpp"

namespace talus::view {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t mostText = 64u << 20, mostSeriesPart = 16u << 20;  // bytes
constexpr std::uint64_t mostFrameBytes = std::uint64_t{3} << 30;           // bytes, compressed
constexpr std::size_t mostKept = 3;

json parsed(const std::string& text) {
    const json value = json::parse(text, nullptr, false);
    return value.is_object() ? value : json();
}

std::vector<std::string> namesIn(const json& run, const char* key) {
    std::vector<std::string> names;
    if (!run.is_object() || !run.contains(key) || !run[key].is_array()) return names;
    for (const json& name : run[key]) names.push_back(name.is_string() ? name.get<std::string>() : "?");
    return names;
}

// True if what was read for the first serves the second.
bool has(const FrameWish& read, const FrameWish& wanted) {
    if (wanted.contacts && !read.contacts) return false;
    if (!read.bodyArrays) return true;
    if (!wanted.bodyArrays) return false;
    return std::includes(read.bodyArrays->begin(), read.bodyArrays->end(), wanted.bodyArrays->begin(),
                         wanted.bodyArrays->end());
}

}  // namespace

RunFiles::RunFiles(const fs::path& folder) {
    std::error_code error;
    folder_ = fs::canonical(folder, error);
    if (error || !fs::is_directory(folder_)) throw InputError(fmt::format("{}: is no folder", folder.string()));
    if (!fs::exists(folder_ / "run.json") && !fs::exists(folder_ / "frames.pvd"))
        throw InputError(fmt::format("{}: has no run in it (run.json, frames.pvd)", folder.string()));
}

// The file without links, which must then be an ordinary one in the folder.
fs::path RunFiles::inside(const fs::path& file) const {
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    if (error) throw InputError(fmt::format("{}: is not there", file.filename().string()));
    const auto [end, ignored] = std::mismatch(folder_.begin(), folder_.end(), real.begin(), real.end());
    if (end != folder_.end() || !fs::is_regular_file(real, error))
        throw InputError(fmt::format("{}: is no file of this run", file.filename().string()));
    return real;
}

std::string RunFiles::text(const char* name, std::uint64_t most) const {
    const fs::path file = inside(folder_ / name);
    if (fs::file_size(file) > most) throw InputError(fmt::format("{}: is too large to show", name));
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

json RunFiles::run() const {
    try {
        return parsed(text("run.json", mostText));
    } catch (const InputError&) {
        return {};
    }
}

json RunFiles::summary() const {
    try {
        return parsed(text("summary.json", mostText));
    } catch (const InputError&) {
        return {};
    }
}

FrameNames RunFiles::names() const {
    const json all = run();
    return {namesIn(all, "groups"), namesIn(all, "materials")};
}

void RunFiles::readIndex() {
    std::error_code error;
    const auto written = fs::last_write_time(folder_ / "frames.pvd", error);
    if (error) {
        frames_.clear();
        indexTime_ = {};
        return;
    }
    if (written == indexTime_) return;
    inside(folder_ / "frames.pvd");
    frames_ = listFrames(folder_);
    indexTime_ = written;
}

std::vector<double> RunFiles::times() {
    const std::lock_guard lock(mutex_);
    readIndex();
    std::vector<double> times;
    for (const FrameFiles& frame : frames_) times.push_back(frame.time);
    return times;
}

std::shared_ptr<const Frame> RunFiles::frame(std::size_t number, const FrameWish& wish) {
    const std::lock_guard lock(mutex_);
    readIndex();
    if (number >= frames_.size()) throw InputError(fmt::format("there is no frame {}", number));
    FrameFiles files = frames_[number];
    std::uint64_t bytes = 0;
    for (fs::path* file : {&files.bodies, &files.contacts, &files.walls, &files.shapes, &files.joints}) {
        if (file->empty()) continue;
        *file = inside(*file);
        bytes += fs::file_size(*file);
    }
    if (bytes > mostFrameBytes) throw InputError(fmt::format("frame {} is too large to show", number));
    const auto written = files.bodies.empty() ? fs::file_time_type() : fs::last_write_time(files.bodies);
    for (const Kept& kept : kept_) {
        if (kept.number == number && kept.written == written && has(kept.wish, wish)) return kept.frame;
    }
    const auto frame = std::make_shared<const Frame>(readFrame(files, wish));
    if (kept_.size() >= mostKept) kept_.erase(kept_.begin());
    kept_.push_back({number, written, wish, frame});
    return frame;
}

RunFiles::SeriesText RunFiles::series(std::uint64_t from, std::uint64_t file) const {
    const fs::path path = inside(folder_ / "series.csv");
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0) throw InputError("series.csv: is not there");
    SeriesText part{.from = from, .file = facts.st_ino, .text = {}};
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    if (part.file != file || from > size) part.from = 0;
    std::ifstream in(path, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(part.from));
    part.text.resize(std::min(size - part.from, mostSeriesPart));
    in.read(part.text.data(), static_cast<std::streamsize>(part.text.size()));
    part.text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    part.text.resize(part.text.rfind('\n') + 1);  // whole rows; none without a line end
    return part;
}

}  // namespace talus::view
