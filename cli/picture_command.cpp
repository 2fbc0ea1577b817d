// talus picture: a run, or a scene before it runs, as a picture or a movie.
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "talus/error.hpp"
#include "talus/picture.hpp"
#include "talus/simulation.hpp"

namespace talus::cli {
namespace {

namespace fs = std::filesystem;

struct PictureArguments {
    std::string target, file, movie, size, range, time;
    std::vector<std::string> overrides;
    PictureOptions options;
    MovieOptions film;
    bool isFlat = false, hasNoLegend = false;
};

// Two numbers with a sign between them.
template <class Number>
std::pair<Number, Number> twoNumbers(const char* option, const std::string& text, char sign, const char* example) {
    std::pair<Number, Number> both;
    const char *begin = text.data(), *end = begin + text.size();
    const auto [middle, firstError] = std::from_chars(begin, end, both.first);
    if (firstError == std::errc{} && middle != end && *middle == sign) {
        const auto [last, secondError] = std::from_chars(middle + 1, end, both.second);
        if (secondError == std::errc{} && last == end) return both;
    }
    throw InputError(fmt::format("{}: must be two numbers as in {}, got '{}'", option, example, text));
}

PictureOptions optionsOf(const PictureArguments& a) {
    PictureOptions options = a.options;
    if (!a.size.empty()) std::tie(options.width, options.height) = twoNumbers<int>("--size", a.size, 'x', "1200x900");
    if (!a.range.empty()) options.range = twoNumbers<double>("--range", a.range, ':', "0:0.5");
    options.perspective = !a.isFlat;
    options.legend = !a.hasNoLegend;
    return options;
}

Pictures picturesOf(const PictureArguments& a) {
    const bool isFolder = fs::is_directory(a.target);
    if (isFolder && !a.overrides.empty()) throw InputError("--set is for scenes; a run is shown as it was");
    if (isFolder) return Pictures(fs::path(a.target));
    return Pictures(loadScene(a.target, a.overrides));
}

int film(const Pictures& pictures, const PictureArguments& a) {
    MovieOptions options = a.film;
    const ProgressLine line;
    options.progress = [&](std::size_t done, std::size_t of) {
        line.show(done < of ? fmt::format("frame {} of {}", done + 1, of) : "ffmpeg joins the frames");
    };
    pictures.film(a.movie, optionsOf(a), options);
    line.show("");
    print("{}\n", a.movie);
    return 0;
}

int picture(const PictureArguments& a) {
    std::optional<double> time;
    if (!a.time.empty()) {
        try {
            time = parseDuration(a.time);
        } catch (const InputError& error) {
            throw InputError(fmt::format("--time {}: {}", a.time, error.what()));
        }
    }
    if (!a.movie.empty() && (time || !a.file.empty() || a.options.transparent))
        throw InputError("--movie draws all frames into one file: it goes without --time, --output and --transparent");
    const Pictures pictures = picturesOf(a);
    if (!a.movie.empty()) return film(pictures, a);
    const fs::path file = a.file.empty() ? fs::path("picture.png") : fs::path(a.file);
    const double shown = pictures.draw(file, optionsOf(a), time);
    print("{}\n", file.string());
    if (time && std::abs(shown - *time) > 1e-9 * (1 + std::abs(*time)))
        say(fmt::format("the frame nearest to {} is that at {:g} s", a.time, shown));
    return 0;
}

}  // namespace

void addPictureCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<PictureArguments>();
    CLI::App* sub = command(app, "picture", "draw a run, or a scene before it runs, as a PNG file or a movie", status,
                            [a] { return picture(*a); });
    sub->add_option("DIR|SCENE", a->target, "folder of a run, or a scene file")->required();
    sub->add_option("-o,--output", a->file, "the picture; default: picture.png")->type_name("FILE");
    sub->add_option("--time", a->time, "of the frame, e.g. '0.2 s': the nearest one is drawn; default: the last")
        ->type_name("TIME");
    sub->add_option("--view", a->options.view,
                    "front, back, left, right, top, bottom, iso, or two angles in degrees, as in -60,20: about the "
                    "upward axis and above the horizon; default: iso")
        ->type_name("VIEW");
    sub->add_option("--colour,--color", a->options.colour,
                    "speed, force, pressure, coordination, radius, mass, spin, x, y, z, group, material or id; "
                    "default: speed")
        ->type_name("FIELD");
    sub->add_option("--map", a->options.map, "viridis, cividis, inferno or grey; default: viridis")->type_name("NAME");
    sub->add_option("--range", a->range, "values at the ends of the map; default: those that fit")
        ->type_name("LOW:HIGH");
    sub->add_option("--size", a->size, "pixels; default: 1200x900")->type_name("WxH");
    sub->add_flag("--flat", a->isFlat, "without perspective");
    sub->add_flag("--transparent", a->options.transparent, "clear where there is nothing");
    sub->add_flag("--no-legend", a->hasNoLegend, "leave out what the colours mean, and the time");
    sub->add_option("--movie", a->movie, "all frames, as an mp4, webm, mkv, mov or gif (needs ffmpeg)")
        ->type_name("FILE");
    sub->add_option("--fps", a->film.framesPerSecond, "frames per second of a movie; default: 12")->type_name("NUMBER");
    sub->add_option("--set", a->overrides, "override a key of the scene (may be repeated)")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

}  // namespace talus::cli
