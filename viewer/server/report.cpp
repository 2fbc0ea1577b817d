// One page about a run, to be sent: the page of the viewer with its data inside.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>

#include "talus/error.hpp"
#include "talus/results.hpp"
#include "talus/tools/view.hpp"
#include "viewer/server/about_run.hpp"
#include "viewer/server/encode.hpp"
#include "viewer/server/page.hpp"
#include "viewer/server/run_files.hpp"

namespace talus {
namespace {

using namespace view;
using nlohmann::json;

std::string compressed(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), 6) != Z_OK)
        throw RunError("the frames cannot be compressed");
    out.resize(size);
    return out;
}

// Numbers of at most `most` of `count` frames, spread evenly, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
    std::vector<std::size_t> chosen;
    const std::size_t left = std::min(count, std::max<std::size_t>(1, most));
    for (std::size_t k = 0; k < left; ++k) chosen.push_back(left == 1 ? count - 1 : k * (count - 1) / (left - 1));
    return chosen;
}

// The last frame tells what a frame costs: first fewer of them are taken, down to some ten, then fewer bodies in each.
struct Plan {
    std::vector<std::size_t> frames;
    Wanted wanted;
};
Plan planFor(RunFiles& files, std::size_t count, const ReportOptions& options) {
    constexpr std::size_t fewFrames = 12;
    Plan plan{.frames = spread(count, static_cast<std::size_t>(options.mostFrames)), .wanted = {.contacts = true}};
    if (count == 0) return plan;
    const auto last = files.frame(count - 1);
    const auto cost = [&] { return compressed(encodeFrame(*last, plan.wanted)).size() * 4 / 3 + 1; };
    if (cost() * fewFrames > options.mostBytes) plan.wanted.contacts = false;
    const std::size_t affordable = options.mostBytes / cost();
    if (affordable < plan.frames.size()) plan.frames = spread(count, std::max(affordable, fewFrames));
    if (affordable < fewFrames) {
        const double share = static_cast<double>(options.mostBytes) / static_cast<double>(fewFrames * cost());
        const auto bodies = static_cast<double>(last->bodies.points.size());
        plan.wanted.mostBodies = std::max<std::size_t>(100, static_cast<std::size_t>(share * bodies));
    }
    return plan;
}

json movingPicture(RunFiles& files, const ReportOptions& options) {
    const std::vector<double> times = files.times();
    Plan plan = planFor(files, times.size(), options);
    json picture{{"allFrames", times.size()},
                 {"times", json::array()},
                 {"frames", json::array()},
                 {"framesWithMeshes", json::array()}};
    for (std::size_t k = 0; k < plan.frames.size(); ++k) {
        const auto frame = files.frame(plan.frames[k], wishFor(plan.wanted));
        picture["times"].push_back(times[plan.frames[k]]);
        picture["frames"].push_back(asBase64(compressed(encodeFrame(*frame, plan.wanted))));
        // The mesh of a shape goes into the first frame that has it.
        const std::size_t known = plan.wanted.knownShapes.size();
        if (const FrameArray* shapes = frame->bodies.find("shape")) {
            for (const double shape : shapes->values) {
                if (shape > 0) plan.wanted.knownShapes.insert(static_cast<std::uint32_t>(shape));
            }
        }
        if (plan.wanted.knownShapes.size() > known) picture["framesWithMeshes"].push_back(k);
    }
    return picture;
}

std::string wholeSeries(const RunFiles& files) {
    std::string text;
    try {
        for (std::uint64_t from = 0, file = 0;;) {
            const RunFiles::SeriesText part = files.series(from, file);
            if (part.text.empty()) return text;
            text += part.text;
            from += part.text.size();
            file = part.file;
        }
    } catch (const InputError&) {
        return text;  // there is none
    }
}

}  // namespace

void writeReport(const std::filesystem::path& folder, const std::filesystem::path& file, const ReportOptions& options) {
    RunFiles files(folder);
    json data = aboutRun(files);
    if (!whyNoPage().empty()) return writeResultFile(file, plainReport(folder, data, files.summary()));
    data["summary"] = files.summary();
    data["series"] = wholeSeries(files);
    data["picture"] = movingPicture(files, options);
    writeResultFile(file, standalonePage(data["name"].get<std::string>() + " - Talus", textOf(data)));
}

}  // namespace talus
