// Pictures of runs and of scenes as PNG files, and movies: without a screen, a graphics card or a browser.
//
//   talus::Pictures pictures("out/settle");
//   pictures.draw("side.png", {.view = "front", .colour = "pressure"}, 0.2);  // the frame nearest to 0.2 s
//   pictures.film("settle.mp4", {.width = 1280, .height = 720});              // needs ffmpeg
//
// They are for looking: there is no scale in them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "talus/scene.hpp"

namespace talus {

struct PictureOptions {
    int width = 1200, height = 900;  // pixels
    // front, back, left, right, top, bottom, iso, or degrees of the eye about the upward axis and above the horizon, as
    // in "-60,20". The front is seen along +y. Up is against gravity. A planar scene is seen straight on.
    std::string view = "iso";
    std::string colour = "speed";                    // a field of frames (talus/frames.hpp)
    std::string map = "viridis";                     // or cividis, inferno, grey
    std::optional<std::pair<double, double>> range;  // values at the ends of the map; else those that fit
    bool perspective = true;
    bool legend = true;        // what the colours mean, and the time
    bool transparent = false;  // what nothing covers
};

struct MovieOptions {
    double framesPerSecond = 12;
    std::function<void(std::size_t done, std::size_t of)> progress = [](std::size_t, std::size_t) {};
};

class Pictures {
public:
    // Of the frames in the folder of a run. InputError if it has none.
    explicit Pictures(const std::filesystem::path& folder);
    // Of a scene before it runs.
    explicit Pictures(const Scene& scene);
    ~Pictures();
    Pictures(Pictures&&) noexcept;

    // The frame nearest to a time, s, else the last one; returns its time. InputError for options that cannot be,
    // RunError if the file cannot be written.
    double draw(const std::filesystem::path& file, const PictureOptions& options,
                std::optional<double> time = {}) const;

    // All frames, with the same eye and the same colours throughout, those that fit up to twenty of them. The end of
    // the name says what kind of file: mp4, webm, mkv, mov or gif. RunError if ffmpeg is missing or fails.
    void film(const std::filesystem::path& file, const PictureOptions& options, const MovieOptions& movie = {}) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace talus
