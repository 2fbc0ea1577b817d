// The public side of frames (talus/frames.hpp), as far as files are concerned.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/input_file.hpp"
#include "io/results/frame_index.hpp"
#include "io/results/vtk_reader.hpp"
#include "talus/error.hpp"
#include "talus/frames.hpp"

namespace talus {
namespace {

FramePart readPart(const std::filesystem::path& file, const WantedArrays& wanted = {}) {
    if (file.empty()) return {};
    return parsePolyData(readInput(file, {.name = "a frame", .mostMebibytes = 4096}), file.string(), wanted);
}

}  // namespace

const FrameArray* FramePart::find(std::string_view name) const {
    const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const FrameArray& a) { return a.name == name; });
    return found == arrays.end() ? nullptr : &*found;
}

std::vector<FrameFiles> listFrames(const std::filesystem::path& folder) {
    const std::filesystem::path index = folder / "frames.pvd";
    std::vector<FrameFiles> frames;
    if (!std::filesystem::exists(index)) return frames;
    std::istringstream text(readInput(index, {.name = "an index of frames", .mostMebibytes = 256}));
    for (const IndexLine& line : readFrameIndex(text)) {
        if (line.part == 0) frames.push_back({.time = line.time});
        if (frames.empty()) throw InputError(fmt::format("{}: does not begin with bodies", index.string()));
        FrameFiles& frame = frames.back();
        std::filesystem::path* const parts[] = {&frame.bodies, &frame.contacts, &frame.walls, &frame.shapes,
                                                &frame.joints};
        if (line.part < std::size(parts)) *parts[line.part] = folder / line.file;
    }
    return frames;
}

Frame readFrame(const FrameFiles& files, const FrameWish& wish) {
    return {files.time,
            readPart(files.bodies, wish.bodyArrays),
            wish.contacts ? readPart(files.contacts) : FramePart{},
            readPart(files.walls),
            readPart(files.shapes),
            readPart(files.joints)};
}

}  // namespace talus
