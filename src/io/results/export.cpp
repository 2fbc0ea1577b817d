// The public side of exports (talus/export.hpp).
#include "talus/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.hpp"
#include "base/input_file.hpp"
#include "io/results/npz.hpp"
#include "io/results/series.hpp"
#include "talus/error.hpp"
#include "talus/frames.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

// What is known of an array of the frames (docs/output.md).
struct Kind {
    const char* name;
    const char* unit;
    bool isWhole = false;                   // ids, numbers of groups, counts
    std::vector<const char*> endings = {};  // of the columns, if there are several
};

const std::vector<const char*> axes{"_x", "_y", "_z"};

const Kind& kindOf(const FrameArray& array) {
    static const std::vector<Kind> kinds{
        {"position", "m", false, axes},
        {"id", "", true},
        {"radius", "m"},
        {"velocity", "m/s", false, axes},
        {"spin", "rad/s", false, axes},
        {"mass", "kg"},
        {"force", "N", false, axes},
        {"group", "", true},
        {"material", "", true},
        {"stress", "Pa", false, {"_xx", "_xy", "_xz", "_yx", "_yy", "_yz", "_zx", "_zy", "_zz"}},
        {"coordination", "", true},
        {"shape", "", true},
        {"orientation", "", false, {"_w", "_x", "_y", "_z"}},
        {"held", "", true},
        {"normal", "", false, axes},
        {"overlap", "m"},
        {"normal_force", "N"},
        {"owner", "", true},
        {"partner", "", true},
        {"face", "", true},
    };
    static const Kind unknown{"", ""};
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return k.name == array.name; });
    return found == kinds.end() ? unknown : *found;
}

FrameNames namesIn(const fs::path& folder) {
    FrameNames names;
    const fs::path file = folder / "run.json";
    if (!fs::exists(file)) return names;
    const nlohmann::json run = nlohmann::json::parse(
        readInput(file, {.name = "what a run says of itself", .mostMebibytes = 256}), nullptr, false);
    const auto read = [&](const char* key, std::vector<std::string>& list) {
        if (!run.is_object() || !run.contains(key) || !run[key].is_array()) return;
        for (const nlohmann::json& name : run[key]) list.push_back(name.is_string() ? name.get<std::string>() : "?");
    };
    read("groups", names.groups);
    read("materials", names.materials);
    return names;
}

FrameArray positionsOf(const FramePart& part) {
    FrameArray positions{.name = "position", .components = 3, .values = {}};
    positions.values.reserve(3 * part.points.size());
    for (const Vec3& p : part.points) positions.values.insert(positions.values.end(), {p.x, p.y, p.z});
    return positions;
}

// --- CSV: no name has a comma or a quote in it

std::vector<std::string> headsOf(const FrameArray& array) {
    const Kind& kind = kindOf(array);
    const std::string unit = *kind.unit == '\0' ? "" : fmt::format(" [{}]", kind.unit);
    std::vector<std::string> heads;
    for (std::size_t c = 0; c < array.components; ++c) {
        std::string ending;
        if (array.components > 1) ending = c < kind.endings.size() ? kind.endings[c] : fmt::format("_{}", c);
        heads.push_back(array.name + ending + unit);
    }
    return heads;
}

const std::vector<std::string>* textsFor(const FrameArray& array, const FrameNames& names) {
    if (array.name == "group" && !names.groups.empty()) return &names.groups;
    if (array.name == "material" && !names.materials.empty()) return &names.materials;
    return nullptr;
}

void appendCell(std::string& row, double value, const std::vector<std::string>* texts) {
    if (texts != nullptr && value >= 0 && value < static_cast<double>(texts->size())) {
        row += (*texts)[static_cast<std::size_t>(value)];
    } else {
        row += shortestNumber(value);
    }
}

// A row per point.
std::string csvOf(const FramePart& part, const FrameNames& names) {
    const FrameArray positions = positionsOf(part);
    std::vector<const FrameArray*> arrays{&positions};
    for (const FrameArray& array : part.arrays) arrays.push_back(&array);
    std::string text;
    for (const FrameArray* array : arrays) {
        for (const std::string& head : headsOf(*array)) text += (text.empty() ? "" : ",") + head;
    }
    text += '\n';
    for (std::size_t k = 0; k < part.points.size(); ++k) {
        for (const FrameArray* array : arrays) {
            const auto* texts = textsFor(*array, names);
            for (std::size_t c = 0; c < array->components; ++c) {
                appendCell(text, array->values[array->components * k + c], texts);
                text += ',';
            }
        }
        text.back() = '\n';
    }
    return text;
}

// --- NPZ

void addArray(NpzFile& file, const std::string& name, const FrameArray& array) {
    const std::size_t width = array.components == 1 ? 0 : array.components;
    if (!kindOf(array).isWhole) return file.add(name, std::span<const double>(array.values), width);
    std::vector<std::int64_t> numbers(array.values.size());
    std::transform(array.values.begin(), array.values.end(), numbers.begin(),
                   [](double value) { return std::llround(value); });
    file.add(name, std::span<const std::int64_t>(numbers), width);
}

void addIndices(NpzFile& file, const std::string& name, const std::vector<std::uint32_t>& indices) {
    const std::vector<std::int64_t> numbers(indices.begin(), indices.end());
    file.add(name, std::span<const std::int64_t>(numbers));
}

void addPart(NpzFile& file, const std::string& name, const FramePart& part) {
    addArray(file, name + ".position", positionsOf(part));
    for (const FrameArray& array : part.arrays) addArray(file, name + "." + array.name, array);
    if (part.ends.empty()) return;
    addIndices(file, name + ".corners", part.corners);
    addIndices(file, name + ".ends", part.ends);
}

NpzFile npzOf(const Frame& frame, const FrameFiles& files, const FrameNames& names) {
    NpzFile file;
    file.add("time", frame.time);
    addPart(file, "bodies", frame.bodies);
    if (!files.contacts.empty()) addPart(file, "contacts", frame.contacts);
    if (!files.walls.empty()) addPart(file, "walls", frame.walls);
    if (!files.shapes.empty()) addPart(file, "shapes", frame.shapes);
    file.add("groups", names.groups);
    file.add("materials", names.materials);
    return file;
}

// --- both

std::vector<std::size_t> wantedFrames(const std::vector<long>& wanted, std::size_t count) {
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; wanted.empty() && k < count; ++k) numbers.push_back(k);
    for (const long number : wanted) {
        const long place = number < 0 ? number + static_cast<long>(count) : number;
        if (place < 0 || place >= static_cast<long>(count))
            throw InputError(fmt::format("there is no frame {}; there are {}, from 0", number, count));
        numbers.push_back(static_cast<std::size_t>(place));
    }
    return numbers;
}

class Exporter {
public:
    Exporter(const fs::path& run, const fs::path& folder) : names_(namesIn(run)), folder_(folder) {
        makeFolder(folder);
    }

    void writeFrame(std::size_t number, const FrameFiles& files, TableFormat format) {
        const Frame frame = readFrame(files);
        const auto nameOf = [&](const char* kind, const char* ending) {
            return fmt::format("{}_{:06}.{}", kind, number, ending);
        };
        if (format == TableFormat::npz) return write(nameOf("frame", "npz"), npzOf(frame, files, names_).bytes());
        index_ += fmt::format("{},{},{},{}\n", number, shortestNumber(frame.time), nameOf("bodies", "csv"),
                              files.contacts.empty() ? "" : nameOf("contacts", "csv"));
        write(nameOf("bodies", "csv"), csvOf(frame.bodies, names_));
        if (!files.contacts.empty()) write(nameOf("contacts", "csv"), csvOf(frame.contacts, names_));
    }
    void writeIndex() { write("frames.csv", "frame,time [s],bodies,contacts\n" + index_); }

    void writeSeries(const Series& series) {
        NpzFile file;
        for (std::size_t k = 0; k < series.columns.size(); ++k) {
            file.add(series.columns[k].name, std::span<const double>(series.values[k]));
        }
        write("series.npz", file.bytes());
    }
    std::vector<fs::path> finish() {
        flushFiles(files_);
        return std::move(files_);
    }

private:
    void write(const std::string& name, const std::string& content) {
        const std::string_view pieces[] = {content};
        writeFileAtomically(files_.emplace_back(folder_ / name), pieces, Flush::later);
    }

    FrameNames names_;
    fs::path folder_;
    std::string index_;
    std::vector<fs::path> files_;
};

}  // namespace

std::vector<fs::path> exportRun(const fs::path& folder, const ExportOptions& options) {
    const fs::path series = folder / "series.csv";
    if (!fs::exists(series) && !fs::exists(folder / "frames.pvd"))
        throw InputError(fmt::format("{}: has no results of a run (series.csv, frames.pvd)", folder.string()));
    const std::vector<FrameFiles> frames = listFrames(folder);
    const std::vector<std::size_t> wanted = wantedFrames(options.frames, frames.size());
    Exporter exporter(folder, options.folder.empty() ? folder / "export" : options.folder);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        exporter.writeFrame(wanted[k], frames[wanted[k]], options.format);
        options.say(fmt::format("frame {} of {}", k + 1, wanted.size()));
    }
    if (options.format == TableFormat::csv) exporter.writeIndex();
    if (options.format == TableFormat::npz && fs::exists(series)) exporter.writeSeries(readSeries(series));
    return exporter.finish();
}

}  // namespace talus
