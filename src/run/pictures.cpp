// Pictures and movies of runs (talus/picture.hpp).
#include "talus/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/atomic_file.hpp"
#include "base/input_file.hpp"
#include "base/stop.hpp"
#include "io/results/child_program.hpp"
#include "io/results/picture/picture.hpp"
#include "talus/error.hpp"
#include "talus/simulation.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t mostSamples = 20;  // frames of a movie that its colours and its eye are chosen by
const ChildProgram ffmpeg{"ffmpeg", "movies need ffmpeg, which is not installed here: install the package ffmpeg"};

// --- options

struct Angles {
    double azimuth, elevation;  // degrees
};

const std::map<std::string, Angles>& namedViews() {
    static const std::map<std::string, Angles> views{{"front", {-90, 0}}, {"back", {90, 0}},  {"left", {180, 0}},
                                                     {"right", {0, 0}},   {"top", {-90, 90}}, {"bottom", {-90, -90}},
                                                     {"iso", {-60, 20}}};
    return views;
}

std::optional<double> numberOf(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
    return value;
}

Angles anglesOf(const std::string& view) {
    const auto named = namedViews().find(view);
    if (named != namedViews().end()) return named->second;
    const std::size_t comma = view.find(',');
    if (comma != std::string::npos) {
        const std::string_view text = view;
        const auto azimuth = numberOf(text.substr(0, comma)), elevation = numberOf(text.substr(comma + 1));
        if (azimuth && elevation && std::abs(*elevation) <= 90) return {*azimuth, *elevation};
    }
    std::vector<std::string> names;
    for (const auto& [name, angles] : namedViews()) names.push_back(name);
    throw InputError(
        fmt::format("view: must be one of {}, or two angles in degrees, as in -60,20 (the second from -90 to 90), got "
                    "'{}'{}",
                    fmt::join(names, ", "), view, didYouMean(view, names)));
}

PictureSettings settingsOf(const PictureOptions& options) {
    const Angles angles = anglesOf(options.view);
    if (options.range && !(options.range->first < options.range->second))
        throw InputError(fmt::format("range: must go from a lower to a higher value, got {:g} to {:g}",
                                     options.range->first, options.range->second));
    return {.width = options.width,
            .height = options.height,
            .projection = options.perspective ? Projection::perspective : Projection::orthographic,
            .azimuth = angles.azimuth,
            .elevation = angles.elevation,
            .background = options.transparent ? Background::clear : Background::light};
}

// --- what a run says about itself

json parsed(const fs::path& file) {
    if (!fs::exists(file)) return json::object();
    const json value = json::parse(readInput(file, {.name = "a run", .mostMebibytes = 64}), nullptr, false);
    return value.is_object() ? value : json::object();
}

std::vector<std::string> namesIn(const json& run, const char* key) {
    std::vector<std::string> names;
    const auto list = run.find(key);
    if (list == run.end() || !list->is_array()) return names;
    for (const json& name : *list) names.push_back(name.is_string() ? name.get<std::string>() : "?");
    return names;
}

std::optional<Vec3> vectorIn(const json& object, const char* key) {
    const auto list = object.find(key);
    if (list == object.end() || !list->is_array() || list->size() != 3) return {};
    Vec3 vector;
    for (int k = 0; k < 3; ++k) {
        const json& number = (*list)[static_cast<std::size_t>(k)];
        if (!number.is_number()) return {};
        vector[k] = number.get<double>();
    }
    return vector;
}

// Read from the scene as it is kept, so that files which it names need not be there any more.
FrameSurroundings surroundingsIn(const json& run) {
    FrameSurroundings around;
    const json scene = run.value("scene", json::object());
    if (!scene.is_object()) return around;
    around.gravity = vectorIn(scene, "gravity").value_or(around.gravity);
    const auto planar = scene.find("planar");
    if (planar != scene.end() && *planar == "xy") around.planarAxis = 2;
    if (planar != scene.end() && *planar == "xz") around.planarAxis = 1;
    if (planar != scene.end() && *planar == "yz") around.planarAxis = 0;
    const json domain = scene.value("domain", json::object());
    const auto low = domain.is_object() ? vectorIn(domain, "low") : std::nullopt;
    const auto high = domain.is_object() ? vectorIn(domain, "high") : std::nullopt;
    if (!low || !high) return around;
    around.domain = {*low, *high, {}};
    for (const std::string& axis : namesIn(domain, "periodic")) {
        if (axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z')
            around.domain.periodic[static_cast<std::size_t>(axis[0] - 'x')] = true;
    }
    return around;
}

// --- colours

struct Colouring {
    FrameField field;
    ColourScale scale;
};

Colouring colouringOf(const PictureOptions& options) {
    mapColour(0, options.map);  // told at once if there is none
    Colouring colouring{.field = {options.colour, options.colour, ""}, .scale = {.map = options.map}};
    for (const FrameField& field : allFrameFields()) {
        if (field.name == options.colour) colouring.field = field;
    }
    colouring.scale.isCategory = colouring.field.isCategory;
    return colouring;
}

// Of the bodies that are no walls.
std::vector<double> countedValues(const std::vector<double>& values, const PictureScene& scene) {
    std::vector<double> counted;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (!scene.isWall[k]) counted.push_back(values[k]);
    }
    return counted;
}

std::vector<Colour> coloursOf(const Colouring& colouring, const std::vector<double>& values,
                              const PictureScene& scene) {
    std::vector<Colour> colours;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const bool isGrey = scene.isWall[k] && !colouring.scale.isCategory;
        colours.push_back(isGrey ? wallColour() : colourOf(colouring.scale, values[k]));
    }
    return colours;
}

Legend legendOf(const Colouring& colouring, const std::vector<double>& values, const FrameNames& names, double time) {
    const FrameField& field = colouring.field;
    Legend legend{.title = field.unit.empty() ? field.label : fmt::format("{} [{}]", field.label, field.unit),
                  .scale = colouring.scale,
                  .names = {},
                  .note = fmt::format("t = {:.4g} s", time)};
    if (!field.isCategory) return legend;
    const std::vector<std::string>& known = field.name == "group" ? names.groups : names.materials;
    for (const double value : std::set<double>(values.begin(), values.end())) {
        const auto number = static_cast<std::size_t>(value);
        const bool hasName = number < known.size() && !known[number].empty();
        legend.names.emplace_back(value, hasName ? known[number] : fmt::format("{} {}", field.name, number));
    }
    return legend;
}

// Numbers of at most `most` of `count` frames, spread evenly, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
    std::vector<std::size_t> chosen;
    const std::size_t left = std::min(count, most);
    for (std::size_t k = 0; k < left; ++k) chosen.push_back(left == 1 ? count - 1 : k * (count - 1) / (left - 1));
    return chosen;
}

// The pictures of a movie while they are made.
struct MovieFolder {
    explicit MovieFolder(const fs::path& movie) : path(movie.string() + ".frames") { makeFolder(path); }
    ~MovieFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    MovieFolder(const MovieFolder&) = delete;
    MovieFolder& operator=(const MovieFolder&) = delete;
    fs::path path;
};

void checkMovie(const fs::path& file, const MovieOptions& movie) {
    const std::vector<std::string> kinds{".mp4", ".webm", ".mkv", ".mov", ".gif"};
    if (std::find(kinds.begin(), kinds.end(), file.extension()) == kinds.end())
        throw InputError(fmt::format("a movie is a file of the kind {}, got '{}'", fmt::join(kinds, ", "),
                                     file.filename().string()));
    if (!(movie.framesPerSecond > 0 && movie.framesPerSecond <= 1000))
        throw InputError(
            fmt::format("frames per second: must be more than 0 and at most 1000, got {:g}", movie.framesPerSecond));
    requireProgram(ffmpeg);
}

}  // namespace

struct Pictures::State {
    std::vector<FrameFiles> files;
    std::optional<Frame> only;  // of a scene
    FrameNames names;
    FrameSurroundings surroundings;

    std::size_t count() const { return only ? 1 : files.size(); }
    Frame frame(std::size_t number, std::string_view field) const {
        if (only) return *only;
        const FrameWish wish{.contacts = false,
                             .bodyArrays = {{"id", "radius", "shape", "held", std::string(arrayOfField(field))}}};
        return readFrame(files[number], wish);
    }

    std::size_t nearest(double time) const {
        std::size_t best = 0;
        for (std::size_t k = 1; k < files.size(); ++k) {
            if (std::abs(files[k].time - time) < std::abs(files[best].time - time)) best = k;
        }
        return best;
    }
};

Pictures::Pictures(const fs::path& folder) : state_(std::make_unique<State>()) {
    if (!fs::is_directory(folder)) throw InputError(fmt::format("{}: is no folder", folder.string()));
    state_->files = listFrames(folder);
    if (state_->files.empty())
        throw InputError(fmt::format("{}: has no frames to draw (output.frames in the scene)", folder.string()));
    const json run = parsed(folder / "run.json");
    state_->names = {namesIn(run, "groups"), namesIn(run, "materials")};
    state_->surroundings = surroundingsIn(run);
}

Pictures::Pictures(const Scene& scene) : state_(std::make_unique<State>()) {
    SceneLook look = lookAtScene(scene);
    state_->only = std::move(look.frame);
    state_->names = std::move(look.names);
    state_->surroundings = surroundingsOf(scene);
}

Pictures::~Pictures() = default;
Pictures::Pictures(Pictures&&) noexcept = default;

double Pictures::draw(const fs::path& file, const PictureOptions& options, std::optional<double> time) const {
    const PictureSettings settings = settingsOf(options);
    Colouring colouring = colouringOf(options);
    const Frame frame = state_->frame(time ? state_->nearest(*time) : state_->count() - 1, options.colour);
    const PictureScene scene = pictureSceneOf(frame, state_->surroundings);
    const std::vector<double> values = fieldValues(frame.bodies, options.colour);
    fitEnds(colouring.scale, countedValues(values, scene), isSkewed(options.colour));
    if (options.range) std::tie(colouring.scale.low, colouring.scale.high) = *options.range;
    std::optional<Legend> legend;
    if (options.legend) legend = legendOf(colouring, values, state_->names, frame.time);
    const Canvas canvas = drawScene(scene, coloursOf(colouring, values, scene), shownPoints(scene), settings, legend);
    if (file.has_parent_path()) makeFolder(file.parent_path());
    writeCanvas(file, canvas, settings.background);
    return frame.time;
}

void Pictures::film(const fs::path& file, const PictureOptions& options, const MovieOptions& movie) const {
    checkMovie(file, movie);
    PictureSettings settings = settingsOf(options);
    settings.background = Background::light;  // movies have no clear pixels
    Colouring colouring = colouringOf(options);

    // The same eye and colours for all.
    std::vector<Vec3> shown;
    std::vector<double> seen;
    for (const std::size_t number : spread(state_->count(), mostSamples)) {
        const Frame frame = state_->frame(number, options.colour);
        const PictureScene scene = pictureSceneOf(frame, state_->surroundings);
        for (const Vec3& point : shownPoints(scene)) shown.push_back(point);
        for (const double value : countedValues(fieldValues(frame.bodies, options.colour), scene))
            seen.push_back(value);
    }
    fitEnds(colouring.scale, std::move(seen), isSkewed(options.colour));
    if (options.range) std::tie(colouring.scale.low, colouring.scale.high) = *options.range;

    const fs::path whole = fs::absolute(file);
    const MovieFolder folder(whole);
    for (std::size_t k = 0; k < state_->count(); ++k) {
        stopIfAsked();
        movie.progress(k, state_->count());
        const Frame frame = state_->frame(k, options.colour);
        const PictureScene scene = pictureSceneOf(frame, state_->surroundings);
        const std::vector<double> values = fieldValues(frame.bodies, options.colour);
        std::optional<Legend> legend;
        if (options.legend) legend = legendOf(colouring, values, state_->names, frame.time);
        writeCanvas(folder.path / fmt::format("{:06}.png", k),
                    drawScene(scene, coloursOf(colouring, values, scene), shown, settings, legend),
                    settings.background);
    }
    movie.progress(state_->count(), state_->count());
    const std::string made = "movie" + whole.extension().string();
    std::vector<std::string> words{"-y", "-loglevel", "error", "-framerate", fmt::format("{:g}", movie.framesPerSecond),
                                   "-i", "%06d.png"};
    // Most players want even sides and this kind of colours.
    if (whole.extension() != ".gif")
        words.insert(words.end(), {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"});
    words.push_back(made);
    runProgram(ffmpeg, words, folder.path, fmt::format("make {}", file.string()));
    fs::rename(folder.path / made, whole);
}

}  // namespace talus
