// Bodies are shot at others: whatever they meet, and however long the step, none gets to the other side unseen. Rows
// are so far apart that only a look at every step can tell.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "talus/simulation.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;

const char* const ball = "shape: sphere, radius: 1 mm";
const char* const cube = "shape: box, size: [2 mm, 2 mm, 2 mm]";
const char* const flake = "shape: box, size: [0.2 mm, 10 mm, 10 mm]";
const char* const farBall = "shape: sphere, radius: 1 mm, position: [10 mm, 0, 0], fixed: true";
const char* const plate = "shape: box, size: [0.2 mm, 40 mm, 40 mm], position: [10 mm, 0, 0], fixed: true";
const char* const slab = "shape: mesh, file: slab.obj, scale: 1 mm, position: [10 mm, 0, 0], fixed: true";
const char* const sheet =
    "shape: mesh, file: sheet.obj, scale: 1 mm, surface: true, position: [10 mm, 0, 0], fixed: true";
const char* const farFlake = "shape: box, size: [0.2 mm, 10 mm, 10 mm], position: [10 mm, 0, 0], fixed: true";
const char* const plane = "shape: plane, point: [10 mm, 0, 0], normal: [-1, 0, 0]";
const char* const drum = "shape: drum, centre: [0, 0, 0], axis: [0, 0, 1], radius: 10 mm, length: 100 mm";
const char* const container = "shape: container, centre: [0, 0, 0], size: [20 mm, 60 mm, 60 mm]";

// Soft: the contact cannot stop the body. Long step: it goes 5.7 mm in one, though so soft that the step would do.
enum class Method { soft, longStep, bouncing, inelastic };

struct Shot {
    const char* name;
    const char* body;
    const char* target;
    Method how;
};

std::string settingsOf(Method how) {
    switch (how) {
        case Method::soft:
            return "method: penalty\nmaterials: {m: {youngs_modulus: 100 kPa, restitution: 0.9}}\n";
        case Method::longStep:
            return "method: penalty\nmaterials: {m: {youngs_modulus: 50 kPa, restitution: 0.9}}\n";
        case Method::bouncing:
            return "method: contact-dynamics\nmaterials: {m: {restitution: 0.9}}\n";
        case Method::inelastic:
            break;
    }
    return "method: contact-dynamics\nmaterials: {m: {restitution: 0}}\n";
}

void writeMeshes(const std::filesystem::path& folder) {
    std::ofstream(folder / "sheet.obj") << "v 0 -20 -20\nv 0 20 -20\nv 0 20 20\nv 0 -20 20\nf 1 2 3\nf 1 3 4\n";
    std::ofstream out(folder / "slab.obj");
    for (int k = 0; k < 8; ++k) {
        out << "v " << (k & 4 ? 0.1 : -0.1) << ' ' << (k & 2 ? 20 : -20) << ' ' << (k & 1 ? 20 : -20) << '\n';
    }
    out << "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 "
           "4\n";
}

RunOutcome shoot(const Shot& shot, double from, const std::filesystem::path& folder) {
    writeMeshes(folder);
    const std::string step = shot.how == Method::soft ? "" : ", step: 0.285 ms";
    const std::string text = "gravity: [0, 0, 0]\n" + settingsOf(shot.how) + "bodies:\n  - {" + shot.body +
                             ", position: [" + std::to_string(from) + ", 0, 0], velocity: [20, 0, 0]}\n  - {" +
                             shot.target + ", group: target}\nrun: {time: 30 ms" + step +
                             "}\nmeasure: {planes: [{name: behind, point: [12 mm, 0, 0], normal: [1, 0, 0]}]}\n"
                             "output: {frames: 0, plots: false, series: 1, checkpoint: 0}\n";
    return runScene(parseScene(text, "shot.yaml", folder), {.folder = folder / "out", .overwrite = true});
}

class ThinWalls : public testing::TestWithParam<Shot> {};

TEST_P(ThinWalls, LetNothingThroughUnseen) {
    const TemporaryFolder folder;
    for (const double from : {-5e-3, -3.8e-3, -3.5e-3}) {
        const RunOutcome outcome = shoot(GetParam(), from, folder.path());
        if (outcome.status == "failed") {
            EXPECT_NE(outcome.message.find("run.step"), std::string::npos) << outcome.message;
            EXPECT_NE(outcome.message.find("t = "), std::string::npos) << outcome.message;
            continue;
        }
        EXPECT_EQ(outcome.status, "finished");
        EXPECT_EQ(nlohmann::json::parse(outcome.summary).at("results").at("grains_through_behind"), 0) << from;
    }
}

constexpr auto soft = Method::soft, longStep = Method::longStep, bouncing = Method::bouncing,
               inelastic = Method::inelastic;

INSTANTIATE_TEST_SUITE_P(
    Shots, ThinWalls,
    testing::Values(Shot{"SoftBallAtBall", ball, farBall, soft}, Shot{"SoftBallAtPlate", ball, plate, soft},
                    Shot{"SoftBallAtSlabMesh", ball, slab, soft}, Shot{"SoftBallAtSheet", ball, sheet, soft},
                    Shot{"SoftBallAtPlane", ball, plane, soft}, Shot{"SoftBallAtDrum", ball, drum, soft},
                    Shot{"SoftCubeAtPlate", cube, plate, soft}, Shot{"SoftCubeAtSheet", cube, sheet, soft},
                    Shot{"SoftFlakeAtFlake", flake, farFlake, soft}, Shot{"SoftFlakeAtPlate", flake, plate, soft},
                    Shot{"SoftFlakeAtSheet", flake, sheet, soft}, Shot{"FastBallAtBall", ball, farBall, longStep},
                    Shot{"FastBallAtPlate", ball, plate, longStep}, Shot{"FastCubeAtSheet", cube, sheet, longStep},
                    Shot{"FastBallAtContainer", ball, container, longStep},
                    Shot{"BouncingBallAtBall", ball, farBall, bouncing},
                    Shot{"BouncingBallAtPlate", ball, plate, bouncing},
                    Shot{"BouncingCubeAtSheet", cube, sheet, bouncing},
                    Shot{"BouncingBallAtDrum", ball, drum, bouncing}),
    [](const auto& shot) { return shot.param.name; });

// Contact dynamics foresees contacts that do not bounce, at any speed: those need no stop.
class ForeseenContacts : public testing::TestWithParam<Shot> {};

TEST_P(ForeseenContacts, StopWhateverComes) {
    const TemporaryFolder folder;
    for (const double from : {-5e-3, -3.8e-3, -3.5e-3}) {
        const RunOutcome outcome = shoot(GetParam(), from, folder.path());
        EXPECT_EQ(outcome.status, "finished") << outcome.message;
        EXPECT_EQ(nlohmann::json::parse(outcome.summary).at("results").at("grains_through_behind"), 0) << from;
    }
}

INSTANTIATE_TEST_SUITE_P(Shots, ForeseenContacts,
                         testing::Values(Shot{"BallAtBall", ball, farBall, inelastic},
                                         Shot{"BallAtPlate", ball, plate, inelastic},
                                         Shot{"BallAtSheet", ball, sheet, inelastic},
                                         Shot{"CubeAtSlabMesh", cube, slab, inelastic},
                                         Shot{"FlakeAtFlake", flake, farFlake, inelastic}),
                         [](const auto& shot) { return shot.param.name; });

}  // namespace
}  // namespace talus
