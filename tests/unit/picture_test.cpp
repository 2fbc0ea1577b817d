#include "io/results/picture/picture.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <png.h>
#include <stdlib.h>

#include <numbers>

#include "base/parallel.hpp"
#include "io/results/picture/colours.hpp"
#include "io/results/plots.hpp"
#include "talus/error.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using namespace output_samples;

struct Image {
    int width = 0, height = 0;
    std::vector<unsigned char> bytes;

    int channel(int x, int y, int k) const { return bytes.at(static_cast<std::size_t>(3 * (y * width + x) + k)); }
    bool isColoured(int x, int y) const { return std::abs(channel(x, y, 0) - channel(x, y, 2)) > 30; }
};

Image readPng(const std::filesystem::path& file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, file.c_str()) == 0) return {};
    image.format = PNG_FORMAT_RGB;
    Image result{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    result.bytes.resize(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, result.bytes.data(), 0, nullptr);
    return result;
}

WorldState oneGrain(const Vec3& position, double radius) {
    WorldState w;
    w.materials.list = {{.name = "glass"}};
    addGrains(w, {{.radius = radius, .position = position, .velocity = {1, 0, 0}}});
    return w;
}

// Pixels of the middle row that belong to grains: first and last.
std::pair<int, int> extentInMiddleRow(const Image& image) {
    int first = -1, last = -1;
    for (int x = 0; x < image.width; ++x) {
        if (!image.isColoured(x, image.height / 2)) continue;
        if (first < 0) first = x;
        last = x;
    }
    return {first, last};
}

TEST(Picture, ASphereIsADiscInTheMiddle) {
    const TemporaryFolder folder;
    for (const Projection projection : {Projection::perspective, Projection::orthographic}) {
        renderPicture(oneGrain({3, -4, 5}, 0.01), folder / "a.png",
                      {.width = 300, .height = 200, .projection = projection});
        const Image image = readPng(folder / "a.png");
        ASSERT_EQ(image.width, 300);
        ASSERT_EQ(image.height, 200);
        const auto [first, last] = extentInMiddleRow(image);
        EXPECT_NEAR(0.5 * (first + last + 1), 150, 1.0);
        EXPECT_GT(last - first, 60);
        EXPECT_FALSE(image.isColoured(2, 2));
        EXPECT_FALSE(image.isColoured(first - 3, 10));
    }
}

// Planar: the eye is on the z axis, and the picture shows a square of edge 2 upright or turned by 45 degrees.
Image pictureOfSquare(double angle) {
    const TemporaryFolder folder;
    WorldState w;
    w.materials.list = {{.name = "glass"}};
    w.linearFreedom = {1, 1, 0};
    w.shapes.add(PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, 0});
    addGrains(
        w, {{.shape = 1, .radius = std::sqrt(2.0), .orientation = rotationBy({0, 0, angle}), .velocity = {1, 0, 0}}});
    renderPicture(w, folder / "a.png", {.width = 200, .height = 200});
    return readPng(folder / "a.png");
}

TEST(Picture, APolygonIsDrawnAsItIsTurned) {
    // 92 % of the picture are used: the square reaches from 8 to 192 either way.
    const Image upright = pictureOfSquare(0), turned = pictureOfSquare(std::numbers::pi / 4);
    for (const auto& [x, y] : {std::pair{100, 100}, {14, 14}, {186, 14}, {14, 186}}) {
        EXPECT_TRUE(upright.isColoured(x, y)) << x << " " << y;
        EXPECT_EQ(turned.isColoured(x, y), x == 100) << x << " " << y;
    }
    EXPECT_TRUE(turned.isColoured(100, 14));
    EXPECT_TRUE(turned.isColoured(186, 100));
}

TEST(Picture, ABoxHidesWhatIsBehindItAndNotWhatIsBeside) {
    const TemporaryFolder folder;
    WorldState w = oneGrain({0, 0, 0}, 0.5);
    w.groupNames = {"a", "b"};
    w.linearFreedom = {1, 1, 0};
    w.shapes.add(BoxShape{{0.2, 0.2, 0.2}, 0});
    addGrains(w, {{.shape = 1, .radius = 0.2 * std::sqrt(3.0), .position = {0, 0, 2}, .group = 1}});
    const auto redOverBlue = [&] {
        renderPicture(w, folder / "a.png", {.width = 200, .height = 200, .colour = PictureColour::group});
        const Image image = readPng(folder / "a.png");
        return std::pair{image.channel(100, 100, 0) - image.channel(100, 100, 2),
                         image.channel(100, 30, 0) - image.channel(100, 30, 2)};
    };
    EXPECT_GT(redOverBlue().first, 50) << "the orange box in front of the blue sphere";
    EXPECT_LT(redOverBlue().second, -50) << "and the sphere around it";
    w.bodies.position[1].z = -2;
    EXPECT_LT(redOverBlue().first, -50) << "the blue sphere in front";
}

TEST(Picture, TheNearerGrainHidesTheOther) {
    const TemporaryFolder folder;
    WorldState w = oneGrain({0, 0, 0}, 1);
    w.groupNames = {"a", "b"};
    // Planar scene: the eye is on the z axis. Two discs overlap in the view; the nearer is of group 1, orange.
    w.linearFreedom = {1, 1, 0};
    addGrains(w, {{.radius = 0.5, .position = {0, 0, 2}, .group = 1}});
    renderPicture(w, folder / "a.png", {.width = 200, .height = 200, .colour = PictureColour::group});
    Image image = readPng(folder / "a.png");
    EXPECT_GT(image.channel(100, 100, 0), image.channel(100, 100, 2) + 50) << "orange in front";
    w.bodies.position[1].z = -2;
    renderPicture(w, folder / "a.png", {.width = 200, .height = 200, .colour = PictureColour::group});
    image = readPng(folder / "a.png");
    EXPECT_LT(image.channel(100, 100, 0), image.channel(100, 100, 2) - 50) << "blue in front";
}

TEST(Picture, DoesNotDependOnTheNumberOfThreads) {
    const TemporaryFolder folder;
    const WorldState w = settledWorld(4);
    const int before = threadCount();
    setThreadCount(1);
    renderPicture(w, folder / "a.png", {.width = 160, .height = 120});
    setThreadCount(3);
    renderPicture(w, folder / "b.png", {.width = 160, .height = 120});
    setThreadCount(before);
    EXPECT_EQ(contentOf(folder / "a.png"), contentOf(folder / "b.png"));
}

TEST(Picture, WorldsWithoutGrainsOrWithOddOnesAreDrawnToo) {
    const TemporaryFolder folder;
    WorldState none = emptyScene();
    none.gravity = {0, 0, 0};
    renderPicture(none, folder / "none.png", {.width = 80, .height = 60});
    EXPECT_EQ(readPng(folder / "none.png").width, 80);
    WorldState w = oneGrain({1e6, 0, 0}, 1e-6);
    w.domain = {.low = {0, 0, 0}, .high = {1, 1, 1}, .periodic = {true, false, true}};
    renderPicture(w, folder / "far.png", {.width = 80, .height = 60, .elevation = 90});
    EXPECT_EQ(readPng(folder / "far.png").height, 60);
    EXPECT_THROW(renderPicture(w, folder / "x.png", {.width = 0}), InputError);
}

TEST(ColourMap, BecomesLighterFromEndToEnd) {
    double last = -1;
    for (int k = 0; k <= 100; ++k) {
        const Colour c = mapColour(k / 100.0);
        const double lightness = 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
        EXPECT_GT(lightness, last);
        last = lightness;
    }
    EXPECT_EQ(toSrgb(mapColour(-5)), (std::array<unsigned char, 3>{68, 1, 84}));
    EXPECT_EQ(toSrgb(mapColour(1)), (std::array<unsigned char, 3>{253, 231, 37}));
}

// Two are told apart if some channel differs by a twelfth of its range, or more.
TEST(GroupColours, AreToldApartForEighteenGroups) {
    for (std::size_t a = 0; a < 18; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const auto first = toSrgb(groupColour(a)), second = toSrgb(groupColour(b));
            int difference = 0;
            for (std::size_t k = 0; k < 3; ++k) difference = std::max(difference, std::abs(first[k] - second[k]));
            EXPECT_GE(difference, 255 / 12) << a << " and " << b;
        }
    }
    EXPECT_EQ(toSrgb(groupColour(0)), (std::array<unsigned char, 3>{86, 180, 233}));
}

TEST(Plots, GroupsColumnsByNameAndUnit) {
    const Series series{{{"time", "s"},
                         {"energy_kinetic", "J"},
                         {"energy_error", "J"},
                         {"energy_elastic", "J"},
                         {"contacts", ""},
                         {"energy_error_relative", ""},
                         {"swelling", "m"}},
                        {}};
    std::vector<std::string> files;
    for (const PlotGroup& group : groupColumns(series)) files.push_back(group.file);
    EXPECT_EQ(files,
              (std::vector<std::string>{"energy_error", "energy", "contacts", "energy_error_relative", "swelling"}));
    EXPECT_EQ(groupColumns(series)[1].columns, (std::vector<std::size_t>{1, 3}));
}

TEST(Plots, DrawsAPictureForEveryGroupThatIsNotZero) {
    if (std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "needs gnuplot";
    const TemporaryFolder folder;
    {
        SeriesWriter series(folder / "series.csv",
                            {{"energy_kinetic", "J"}, {"it's, \"odd\"", "m"}, {"nothing", "kg"}});
        series.write(0, {1, 1, 0});
        series.write(1, {std::nan(""), 0, 0});
        series.write(2, {3, 0, 0});
    }
    const auto pictures = plotRun(folder.path());
    ASSERT_EQ(pictures.size(), 2u);
    for (const auto& picture : pictures) EXPECT_EQ(readPng(picture).width, 1000) << picture;
    EXPECT_FALSE(std::filesystem::exists(folder / "plots/gnuplot.log"));
}

std::size_t countIn(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(Plots, TellManyLinesApartAndLeaveOutThoseThatAreZero) {
    if (std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "needs gnuplot";
    const TemporaryFolder folder;
    std::vector<SeriesColumn> columns{{"energy_of_nothing", "J"}};
    std::vector<double> values{0};
    for (int k = 0; k < 20; ++k) {
        columns.push_back({"energy_" + std::to_string(k), "J"});
        values.push_back(k + 1);
    }
    SeriesWriter series(folder / "series.csv", columns);
    for (int row = 0; row < 3; ++row) series.write(row, values);
    plotRun(folder.path());
    const std::string script = contentOf(folder / "plots/plots.gp");
    EXPECT_EQ(script.find("of nothing"), std::string::npos);
    EXPECT_EQ(countIn(script, "using 1:"), 20u);
    for (int line = 0; line < 20; ++line) {
        EXPECT_EQ(countIn(script, fmt::format(" ls {} dt {} ", line % 9 + 1, line / 9 + 1)), 1u) << line;
    }
}

TEST(Plots, ALogThatSomebodyLeftIsNotWrittenThrough) {
    if (std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "needs gnuplot";
    const TemporaryFolder folder;
    SeriesWriter series(folder / "series.csv", {{"contacts", ""}});
    series.write(0, {1});
    std::ofstream(folder / "precious") << "precious";
    std::filesystem::create_directory(folder / "plots");
    std::filesystem::create_symlink("../precious", folder / "plots/gnuplot.log");
    plotRun(folder.path());
    EXPECT_EQ(contentOf(folder / "precious"), "precious");
}

TEST(Plots, OneRowIsEnoughAndNoneGivesNone) {
    if (std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "needs gnuplot";
    const TemporaryFolder folder;
    SeriesWriter series(folder / "series.csv", {{"contacts", ""}});
    EXPECT_TRUE(plotRun(folder.path()).empty());
    series.write(0, {1});
    EXPECT_EQ(plotRun(folder.path()).size(), 1u);
}

TEST(Plots, SaysWhichPackageIsMissing) {
    const TemporaryFolder folder;
    SeriesWriter series(folder / "series.csv", {{"contacts", ""}});
    series.write(0, {1});
    const std::string path = ::getenv("PATH");
    ::setenv("PATH", folder.path().c_str(), 1);
    try {
        plotRun(folder.path());
        ADD_FAILURE() << "gnuplot was found in an empty folder";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("gnuplot-nox"), std::string::npos) << error.what();
    }
    ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace talus
