// Pictures of runs and scenes, judged by their pixels.
#include "talus/picture.hpp"

#include <gtest/gtest.h>
#include <png.h>
#include <stdlib.h>

#include <cmath>
#include <fstream>

#include "talus/error.hpp"
#include "talus/simulation.hpp"
#include "temporary_folder.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

// A sphere that flies to the right, and a box beside it; no gravity, so that places are known at all times.
const char* const flight = R"(
gravity: [0, 0, 0]
materials: {glass: {density: 2500, youngs_modulus: 2 MPa}, stone: {density: 2600, youngs_modulus: 2 MPa}}
bodies:
  - {shape: sphere, radius: 5 mm, position: [-20 mm, 0, 0], velocity: [1, 0, 0], material: glass, group: ball}
  - {shape: box, size: [8 mm, 8 mm, 8 mm], position: [0, 0, 20 mm], material: stone, group: brick}
  - {shape: container, centre: [0, 0, 0], size: [80 mm, 40 mm, 60 mm], open: [+z], material: stone}
run: {time: 20 ms, step: 0.1 ms}
output: {frames: 2 ms, plots: false}
)";

struct Image {
    int width = 0, height = 0;
    std::vector<unsigned char> bytes;  // red, green, blue, opacity

    const unsigned char* at(int x, int y) const { return &bytes.at(static_cast<std::size_t>(4 * (y * width + x))); }
    template <class Test>
    int count(Test test) const {
        int pixels = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) pixels += test(at(x, y)) ? 1 : 0;
        }
        return pixels;
    }
    // The middle of those that are so coloured, from the left, in pixels.
    template <class Test>
    double middle(Test test) const {
        double sum = 0;
        int pixels = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                if (!test(at(x, y))) continue;
                sum += x + 0.5;
                ++pixels;
            }
        }
        return sum / pixels;
    }
};

Image readImage(const fs::path& file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, file.c_str()) == 0) return {};
    image.format = PNG_FORMAT_RGBA;
    Image result{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    result.bytes.resize(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, result.bytes.data(), 0, nullptr);
    return result;
}

// The first and the second colour of groups, sky blue and orange, in any light.
bool isBlue(const unsigned char* p) { return p[2] > 1.25 * p[0] && p[3] > 200; }
bool isOrange(const unsigned char* p) { return p[0] > 1.25 * p[2] && p[3] > 200; }

Scene sceneOf(const char* text) { return parseScene(text, "flight.yaml", "."); }

class PicturesOfAFlight : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(runScene(sceneOf(flight), {.folder = folder_.path / "run", .threads = 1}).status, "finished");
    }
    Image draw(const PictureOptions& options, std::optional<double> time = {}) {
        const fs::path file = folder_.path / "a.png";
        shown_ = Pictures(folder_.path / "run").draw(file, options, time);
        return readImage(file);
    }
    test::TemporaryFolder folder_;
    double shown_ = 0;
};

TEST_F(PicturesOfAFlight, ShowBodiesAsLargeAsTheyAreAndWhereTheyAre) {
    const PictureOptions options{
        .width = 500, .height = 400, .view = "front", .colour = "group", .perspective = false, .legend = false};
    const Image first = draw(options, 0), last = draw(options);
    EXPECT_NEAR(shown_, 0.02, 1e-9);
    ASSERT_EQ(first.width, 500);
    ASSERT_EQ(first.height, 400);
    // Areas of a disc and of a square; the disc has moved by 20 mm, which is 2.5 edges of the square.
    const double square = first.count(isOrange), disc = first.count(isBlue);
    EXPECT_NEAR(disc / square, M_PI * 25 / 64, 0.06);
    EXPECT_NEAR((last.middle(isBlue) - first.middle(isBlue)) / std::sqrt(square), 20.0 / 8, 0.06);
    EXPECT_NEAR(last.middle(isBlue), last.middle(isOrange), 0.5) << "below the box by now";
    draw(options, 0.0091);
    EXPECT_NEAR(shown_, 0.01, 1e-9) << "the nearest frame";
}

TEST_F(PicturesOfAFlight, AreSeenFromWhereOneAsks) {
    const auto ratio = [&](const std::string& view) {
        const Image image = draw(
            {.width = 400, .height = 400, .view = view, .colour = "group", .perspective = false, .legend = false}, 0);
        return std::pair{image.middle(isBlue) - image.middle(isOrange), image.count(isOrange)};
    };
    EXPECT_LT(ratio("front").first, -10);
    EXPECT_GT(ratio("back").first, 10);
    EXPECT_NEAR(ratio("right").first, 0, 1.0);
    EXPECT_LT(ratio("top").first, -10);
    EXPECT_NEAR(ratio("-90,0").first, ratio("front").first, 0.1);
    EXPECT_GT(ratio("-45,0").second, 1.2 * ratio("front").second) << "the box over its edge";
}

TEST_F(PicturesOfAFlight, CanBeClearWhereNothingIs) {
    const Image image = draw({.width = 300, .height = 200, .legend = false, .transparent = true});
    EXPECT_EQ(image.at(1, 1)[3], 0);
    EXPECT_GT(image.count([](const unsigned char* p) { return p[3] == 255; }), 100);
    const Image filled = draw({.width = 300, .height = 200, .legend = false});
    EXPECT_EQ(filled.count([](const unsigned char* p) { return p[3] != 255; }), 0);
}

TEST_F(PicturesOfAFlight, SayWhatTheColoursMean) {
    const PictureOptions bare{.width = 600, .height = 400, .colour = "radius", .legend = false, .transparent = true};
    PictureOptions told = bare;
    told.legend = true;
    const auto isCovered = [](const unsigned char* p) { return p[3] > 100; };
    EXPECT_GT(draw(told).count(isCovered), draw(bare).count(isCovered) + 400);
    // Groups have a patch each, in the colour that the body has from the side of the light.
    told.colour = "group";
    const Image groups = draw(told);
    int blue = 0, orange = 0;
    for (int y = 0; y < 100; ++y) {
        for (int x = 0; x < 30; ++x) {
            blue += isBlue(groups.at(x, y)) ? 1 : 0;
            orange += isOrange(groups.at(x, y)) ? 1 : 0;
        }
    }
    EXPECT_GT(blue, 20);
    EXPECT_GT(orange, 20);
}

TEST_F(PicturesOfAFlight, HaveTheColoursOfTheRangeAskedFor) {
    PictureOptions options{.width = 300, .height = 300, .colour = "speed", .legend = false};
    options.range = std::pair{0.0, 1.0};  // the sphere has the lightest colour of the map: yellow
    const auto isYellow = [](const unsigned char* p) { return p[0] > 150 && p[1] > 150 && p[2] < 120; };
    EXPECT_GT(draw(options).count(isYellow), 50);
    options.range = std::pair{0.0, 1e3};
    EXPECT_EQ(draw(options).count(isYellow), 0);
}

TEST_F(PicturesOfAFlight, RefuseWhatCannotBe) {
    EXPECT_THROW(draw({.view = "frnt"}), InputError);
    EXPECT_THROW(draw({.view = "0,91"}), InputError);
    EXPECT_THROW(draw({.colour = "taste"}), InputError);
    EXPECT_THROW(draw({.map = "jet"}), InputError);
    EXPECT_THROW(draw({.width = 0}), InputError);
    PictureOptions turned;
    turned.range = std::pair{1.0, 0.0};
    EXPECT_THROW(draw(turned), InputError);
    EXPECT_THROW(Pictures(folder_.path), InputError) << "a folder without frames";
    EXPECT_THROW(Pictures(folder_.path / "run").film(folder_.path / "a.txt", {}), InputError);
}

TEST(Pictures, OfASceneNeedNoRun) {
    const test::TemporaryFolder folder;
    Pictures(sceneOf(flight)).draw(folder.path / "deep" / "a.png", {.width = 200, .height = 150, .colour = "group"});
    EXPECT_GT(readImage(folder.path / "deep" / "a.png").count(isBlue), 50);
}

TEST(Pictures, ShowJointsWithWhatTheyJoin) {
    const test::TemporaryFolder folder;
    const char* const pendulum = R"(
materials: {steel: {density: 7800, youngs_modulus: 2 MPa}}
bodies: [{shape: sphere, radius: 2 mm, position: [20 mm, 0, 0], name: bob}]
joints: [{name: hook, type: spherical, between: [bob, world], point: [0, 0, 0]}]
run: {time: 1 ms}
output: {plots: false}
)";
    const Scene scene = parseScene(pendulum, "pendulum.yaml", ".");
    Pictures(scene).draw(folder.path / "a.png", {.width = 300, .height = 200, .legend = false});
    const auto isJoint = [](const unsigned char* p) { return p[0] > 150 && p[1] < 110 && p[2] > 70 && p[2] < 200; };
    EXPECT_GT(readImage(folder.path / "a.png").count(isJoint), 30);
}

TEST_F(PicturesOfAFlight, BecomeAMovieOrSayWhatThatNeeds) {
    const fs::path movie = folder_.path / "flight.mp4";
    const Pictures pictures(folder_.path / "run");
    std::size_t frames = 0;
    const MovieOptions options{.progress = [&](std::size_t, std::size_t of) { frames = of; }};
    const PictureOptions small{.width = 161, .height = 121};  // odd sides
    if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) {
        try {
            pictures.film(movie, small, options);
            FAIL() << "without ffmpeg";
        } catch (const RunError& error) {
            EXPECT_NE(std::string(error.what()).find("install the package ffmpeg"), std::string::npos);
        }
        EXPECT_EQ(frames, 0u) << "said before anything is drawn";
    } else {
        pictures.film(movie, small, options);
        EXPECT_EQ(frames, 11u);
        EXPECT_GT(fs::file_size(movie), 1000u);
    }
    EXPECT_FALSE(fs::exists(movie.string() + ".frames")) << "nothing is left over";
}

}  // namespace
}  // namespace talus
