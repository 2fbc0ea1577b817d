// Runs in stages: when a stage ends, what it changes, and that a resumed run goes on as if never interrupted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/results/series.hpp"
#include "run/course.hpp"
#include "talus/error.hpp"
#include "talus/simulation.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::contentOf;
using output_samples::TemporaryFolder;

Scene sceneOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parseScene(text, "test.yaml", ".", overrides);
}

std::string errorOf(const std::string& text) {
    try {
        describeScene(sceneOf(text));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Grains in a box, with room for a lid above.
const std::string box = R"(
materials: {glass: {density: 2500, youngs_modulus: 5 MPa, friction: 0.4, restitution: 0.2}}
bodies:
  - {shape: container, centre: [0, 0, 1 cm], size: [1 cm, 1 cm, 2 cm], open: [+z]}
  - {generate: lattice, lattice: sc, radius: 1 mm, jitter: 0.02, spacing: 2.2 mm,
     region: {low: [-5 mm, -5 mm, 0.2 mm], high: [5 mm, 5 mm, 8 mm]}}
)";

// A ball falls onto a gate; the gate goes; the ball falls on.
const std::string gate = R"(
materials: {steel: {density: 7800, youngs_modulus: 10 MPa, restitution: 0.2}}
bodies:
  - {shape: plane, point: [0, 0, 0], group: gate}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 6 mm]}
stages:
  - name: settle
    time: 1 s
    until: [{quantity: max_speed, below: 1 mm/s, for: 10 ms}]
    check: 1 ms
  - {name: fall, time: 20 ms, remove: [gate]}
)";

void finish(Simulation& sim) {
    while (!sim.finished()) sim.advance();
}

TEST(Stage, EndsByItsConditionsAndTheNextBegins) {
    Simulation sim(sceneOf(gate));
    finish(sim);
    const std::vector<StageResult> stages = sim.stages();
    ASSERT_EQ(stages.size(), 2u);
    EXPECT_EQ(stages[0].ended, "conditions");
    EXPECT_GT(stages[0].time, 0.01);
    EXPECT_LT(stages[0].time, 0.9);
    EXPECT_EQ(stages[1].ended, "time");
    EXPECT_DOUBLE_EQ(stages[1].start, stages[0].time);
    EXPECT_NEAR(stages[1].time, 0.02, 1e-9);
    // Without the gate nothing is in the way.
    EXPECT_EQ(sim.bodies().size(), 1u);
    EXPECT_NEAR(sim.bodies()[0].velocity.z, -9.81 * 0.02, 1.1e-3);
}

TEST(Stage, EndsAtTheFirstLookAtWhichItsConditionHolds) {
    // 2 m/s upwards falls below 1 m/s after 1/9.81 s.
    const std::string text = R"(
materials: {a: {}}
bodies: [{shape: sphere, radius: 1 mm, position: [0, 0, 0], velocity: [0, 0, 2]}]
run: {step: 1 ms}
stages:
  - {name: up, time: 1 s, until: [{quantity: max_speed, below: 1 m/s}], check: 10 ms}
  - {name: on, time: 5 ms}
)";
    Simulation sim(sceneOf(text));
    finish(sim);
    EXPECT_EQ(sim.stages()[0].steps, 110u);
    EXPECT_EQ(sim.stages()[1].steps, 5u);
    EXPECT_NEAR(sim.time(), 0.115, 1e-12);
}

TEST(Stage, WithoutConditionsLastsForItsTimeToTheStep) {
    Simulation sim(
        sceneOf(box + "run: {step: 10 us}\nstages: [{name: a, time: 1 ms}, {name: b, time: 0.5 ms, step: 5 us}]"));
    finish(sim);
    EXPECT_EQ(sim.stages()[0].steps, 100u);
    EXPECT_EQ(sim.stages()[1].steps, 100u);
    EXPECT_NEAR(sim.time(), 1.5e-3, 1e-15);
}

TEST(Stage, ThatRunsOutOfTimeIsAnErrorUnlessItSaysOtherwise) {
    const std::string text = box + R"(
stages:
  - {name: settle, time: 0.1 ms, until: [{quantity: max_speed, above: 1 km/s}]}
  - {name: next, time: 0.1 ms}
)";
    Simulation strict(sceneOf(text));
    try {
        finish(strict);
        strict.advance();
        FAIL() << "nothing was thrown";
    } catch (const RunError& error) {
        EXPECT_TRUE(contains(error.what(), "settle")) << error.what();
        EXPECT_TRUE(contains(error.what(), "max_speed above 1 km/s")) << error.what();
    }
    Simulation lenient(sceneOf(text, {"stages[0].unfinished=continue"}));
    finish(lenient);
    EXPECT_EQ(lenient.stages()[0].ended, "time");
    EXPECT_EQ(lenient.stages().size(), 2u);
}

TEST(Stage, IsCutByTheTimeOfTheRun) {
    Simulation sim(
        sceneOf(box + "run: {time: 0.3 ms, step: 0.1 ms}\nstages: [{name: a, time: 0.2 ms}, {name: b, time: 1}]"));
    finish(sim);
    EXPECT_EQ(sim.stepCount(), 3u);
    EXPECT_EQ(sim.stages()[1].ended, "run time");
}

TEST(Stage, StartsMotionsFromWhereBodiesAre) {
    const std::string text = R"(
materials: {a: {}}
gravity: [0, 0, 0]
bodies: [{shape: plane, group: wall, motion: {type: constant, velocity: [0, 0, 1]}}]
run: {step: 1 ms}
stages:
  - {name: up, time: 10 ms}
  - {name: rest, time: 10 ms, change: [{group: wall, fixed: true}]}
  - {name: aside, time: 10 ms, change: [{group: wall, motion: {type: table, points: [[0, 2, 0, 0]]}}]}
)";
    Simulation sim(sceneOf(text));
    sim.advance(10);
    EXPECT_NEAR(sim.bodies()[0].position.z, 0.01, 1e-15);
    sim.advance(10);
    EXPECT_NEAR(sim.bodies()[0].position.z, 0.01, 1e-15);
    sim.advance(10);
    EXPECT_NEAR(sim.bodies()[0].position.z, 0.01, 1e-15);
    EXPECT_NEAR(sim.bodies()[0].position.x, 0.02, 1e-15);
    EXPECT_NEAR(sim.measured("displacement_x_wall"), 0.02, 1e-15);
    EXPECT_EQ(sim.measured("stage"), 3);
}

TEST(Stage, FreesAndHoldsSpheres) {
    const std::string text = R"(
materials: {a: {}}
bodies: [{shape: sphere, radius: 1 mm, position: [0, 0, 0], fixed: true, group: ball}]
run: {step: 1 ms}
stages:
  - {name: held, time: 10 ms}
  - {name: free, time: 10 ms, change: [{group: ball, fixed: false, force: [1 mN, 0, 0]}]}
  - {name: held-again, time: 10 ms, change: [{group: ball, fixed: true}]}
)";
    Simulation sim(sceneOf(text));
    sim.advance(10);
    EXPECT_EQ(sim.bodies()[0].position, Vec3{});
    sim.advance(10);
    const double mass = sim.bodies()[0].mass, t = 0.01;
    EXPECT_GT(mass, 0);
    EXPECT_NEAR(sim.bodies()[0].position.z, -0.5 * 9.81 * t * t, 1e-12);
    EXPECT_NEAR(sim.bodies()[0].velocity.x, 1e-3 / mass * t, 1e-9);
    const Vec3 place = sim.bodies()[0].position;
    sim.advance(10);
    EXPECT_EQ(sim.bodies()[0].position, place);
}

TEST(Stage, ChangesFrictionAndGravity) {
    const std::string text = box + R"(
stages:
  - {name: smooth, time: 0.1 ms, materials: {glass: {friction: 0}}}
  - {name: rough, time: 0.1 ms, materials: {glass: {friction: 0.4}}, gravity: [0, 0, -1]}
)";
    Course course(sceneOf(text));
    EXPECT_EQ(course.world().materials.laws[0].friction, 0);
    EXPECT_EQ(course.world().gravity.z, -9.81);
    while (!course.stageIsOver()) course.takeStep();
    course.beginNextStage();
    EXPECT_EQ(course.world().materials.laws[0].friction, 0.4);
    EXPECT_EQ(course.world().gravity.z, -1);
}

TEST(Stage, PutsALidOnTheHighestGrain) {
    const std::string text = box + R"(
stages:
  - {name: settle, time: 2 ms}
  - name: cover
    time: 1 ms
    bodies: [{shape: plane, group: lid, point: [0, 0, 5 cm], normal: [0, 0, -1], on: grains, free: {mass: 1 g, axes: [z]}}]
)";
    Course course(sceneOf(text));
    while (!course.stageIsOver()) course.takeStep();
    course.beginNextStage();
    const Bodies& b = course.world().bodies;
    double top = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) top = std::max(top, b.position[i].z + b.radius[i]);
    EXPECT_EQ(b.wallCount(), 2u);
    EXPECT_NEAR(b.position.back().z, top, 1e-15);
    EXPECT_NEAR(1 / b.inverseMass.back(), 1e-3, 1e-15);
}

TEST(Stage, PutsALidOnTheSurfacesOfBodies) {
    const std::string text = R"(
materials: {a: {}}
bodies:
  - {shape: box, group: stones, size: [2 cm, 2 cm, 1 cm], position: [0, 0, 1 cm], fixed: true}
  - {shape: ellipsoid, group: stones, semi_axes: [3 cm, 3 cm, 1 mm], position: [10 cm, 0, 1 cm], fixed: true}
  - {shape: sphere, group: balls, radius: 5 cm, position: [20 cm, 0, 1 cm], fixed: true}
run: {step: 1 ms}
stages:
  - {name: wait, time: 1 ms}
  - {name: cover, time: 1 ms, bodies: [{shape: plane, group: lid, point: [0, 0, 1 m], normal: [0, 0, -1], on: stones}]}
)";
    for (const char* point : {"1 m", "-1 m"}) {  // from either side
        Course course(sceneOf(text, {std::string("stages[1].bodies[0].point=[0, 0, ") + point + "]"}));
        while (!course.stageIsOver()) course.takeStep();
        course.beginNextStage();
        EXPECT_NEAR(course.world().bodies.position.back().z, 0.015, 1e-12);
    }
}

TEST(Stage, RefusesNewBodiesWhereOthersAre) {
    Simulation sim(sceneOf(box + R"(
stages:
  - {name: settle, time: 0.1 ms}
  - {name: more, time: 0.1 ms, bodies: [{shape: sphere, radius: 1 mm, position: [0, 0, 4 mm]}]}
)"));
    EXPECT_THROW(finish(sim), RunError);
}

// The grains are lower than a post that the plane would cut.
TEST(Stage, RefusesALidThatWouldBePushedByAHeldBody) {
    const std::string text = R"(
materials: {a: {}}
bodies:
  - {shape: box, group: post, size: [1 cm, 1 cm, 4 cm], position: [3 cm, 0, 2 cm], fixed: true}
  - {shape: sphere, group: grains, radius: 5 mm, position: [0, 0, 5 mm], fixed: true}
run: {step: 1 ms}
stages:
  - {name: wait, time: 1 ms}
  - {name: cover, time: 1 ms, bodies: [{shape: plane, group: lid, point: [0, 0, 8 cm], normal: [0, 0, -1], on: grains}]}
)";
    Simulation held(sceneOf(text));
    EXPECT_NO_THROW(finish(held));
    Simulation free(sceneOf(text, {"stages[1].bodies[0].free={mass: 1 g, axes: [z]}"}));
    try {
        finish(free);
        ADD_FAILURE() << "the lid was put into the post";
    } catch (const RunError& error) {
        EXPECT_TRUE(contains(error.what(), "overlaps body 0 (post)")) << error.what();
    }
}

// Down the slope, though gravity points more to its surface.
TEST(Stage, LetsABodyDownAlongTheAxesInWhichItIsFree) {
    const std::string text = R"(
gravity: [0, -8, -4]
materials: {a: {}}
bodies:
  - {shape: sphere, group: grains, radius: 5 mm, position: [0, 0, 5 mm], fixed: true}
  - {shape: box, group: plate, size: [4 cm, 4 mm, 1 cm], position: [0, 0, 9 cm], fixed: true}
run: {step: 1 us}
stages:
  - {name: wait, time: 1 us}
  - {name: cover, time: 1 us, change: [{group: plate, on: grains, free: {mass: 1 g, axes: [x, z]}}]}
)";
    Course course(sceneOf(text));
    while (!course.stageIsOver()) course.takeStep();
    course.beginNextStage();
    const Bodies& b = course.world().bodies;
    const auto plate = static_cast<std::size_t>(std::find(b.id.begin(), b.id.end(), 1u) - b.id.begin());
    EXPECT_EQ(b.position[plate].y, 0);
    EXPECT_NEAR(b.position[plate].z, 0.015, 1e-5);
}

TEST(Stage, SwitchesSourcesOffAndOn) {
    const std::string text = R"(
materials: {a: {}}
gravity: [0, 0, 0]
sources: [{region: {low: [-1, -1, -1], high: [1, 1, 1]}, rate: 1 kHz, radius: 1 mm}]
run: {step: 1 ms}
stages:
  - {name: pour, time: 10 ms}
  - {name: wait, time: 10 ms, sources_on: false}
  - {name: more, time: 10 ms, sources_on: true}
)";
    Simulation sim(sceneOf(text));
    sim.advance(10);
    EXPECT_EQ(sim.bodies().size(), 10u);
    sim.advance(10);
    EXPECT_EQ(sim.bodies().size(), 10u);
    sim.advance(10);
    EXPECT_EQ(sim.bodies().size(), 20u);
}

// Fill without friction, go on with rigid contacts and friction, load by a servo, and back to springs.
const std::string everything = box + R"(
run: {threads: 1}
output: {series: 0.2 ms, frames: 0, checkpoint: 0.3 ms, plots: false}
stages:
  - {name: fill, time: 3 ms, materials: {glass: {friction: 0}}}
  - name: load
    time: 4 ms
    method: contact-dynamics
    step: 0.1 ms
    materials: {glass: {friction: 0.4}}
    contact_dynamics: {tolerance: 1e-4}
    bodies:
      - {shape: plane, group: lid, point: [0, 0, 5 cm], normal: [0, 0, -1], on: grains,
         motion: {type: servo, stress: 200, area: 1 cm^2, max_speed: 5 cm/s}}
  - {name: soft, time: 2 ms, method: penalty}
)";

TEST(StagedRun, IsTheSameForAnyNumberOfThreads) {
    std::vector<std::uint64_t> hashes;
    for (const char* threads : {"1", "2", "4"}) {
        Simulation sim(sceneOf(everything, {std::string("run.threads=") + threads}));
        finish(sim);
        hashes.push_back(sim.stateHash());
        EXPECT_EQ(sim.stages().size(), 3u);
    }
    setThreadCount(1);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

// The run is cut at several times by run.time, and its checkpoint is taken up by a run of the whole scene.
TEST(StagedRun, GoesOnBitForBitFromACheckpointInAnyStage) {
    const Scene scene = sceneOf(everything);
    const TemporaryFolder whole;
    RunOptions options;
    options.folder = whole / "run";
    const RunOutcome outcome = runScene(scene, options);
    ASSERT_EQ(outcome.status, "finished") << outcome.message;
    const std::string hash = nlohmann::json::parse(outcome.summary)["state_hash"];
    const nlohmann::json stages = nlohmann::json::parse(outcome.summary)["results"]["stages"];
    ASSERT_EQ(stages.size(), 3u);
    EXPECT_EQ(stages[1]["name"], "load");
    EXPECT_EQ(stages[1]["steps"], 40);

    for (const double stop : {1e-3, 3e-3, 5e-3, 8e-3}) {
        Course course(scene);
        while (course.world().time < stop * (1 - 1e-9)) {
            if (course.stageIsOver()) course.beginNextStage();
            course.takeStep();
        }
        course.complete();
        const TemporaryFolder folder;
        saveCheckpoint(folder / "c.h5", course.world(), {});
        Course resumed(scene, course.state(), folder / "c.h5");
        while (true) {
            if (resumed.stageIsOver() && !resumed.hasNextStage()) break;
            if (resumed.stageIsOver()) resumed.beginNextStage();
            resumed.takeStep();
        }
        resumed.complete();
        EXPECT_EQ(fmt::format("{:016x}", stateHash(resumed.world())), hash) << stop;
    }
}

TEST(StagedRun, NumbersItsStagesInTheSeries) {
    const TemporaryFolder folder;
    RunOptions options;
    options.folder = folder / "run";
    ASSERT_EQ(runScene(sceneOf(gate, {"output={frames: 0, plots: false}"}), options).status, "finished");
    const Series series = readSeries(folder / "run" / "series.csv");
    ASSERT_EQ(series.columns[2].name, "stage");
    EXPECT_EQ(series.values[2].front(), 1);
    EXPECT_EQ(series.values[2].back(), 2);
}

TEST(StageErrors, NameTheKeyAndSayWhatToDo) {
    const std::string ground = box + "stages:\n  - {name: a, time: 1 ms, ";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"until: [{quantity: max_sped, below: 1}]}", "stages[0].until[0].quantity: the series has no column"},
        {"until: [{quantity: max_speed, below: 1 N}]}", "stages[0].until[0].below: max_speed is in m/s, got '1 N'"},
        {"until: [{quantity: max_speed}]}", "stages[0].until[0]: give either 'above' or 'below'"},
        {"until: [{quantity: max_speed, below: fast}]}", "stages[0].until[0].below"},
        {"remove: [lid]}", "stages[0].remove[0]: there is no group \"lid\" before this stage"},
        {"change: [{group: container}]}", "stages[0].change[0]: says no change"},
        {"change: [{group: container, fixed: true, free: {mass: 1}}]}", "give only one of"},
        {"change: [{group: grains, motion: {type: servo, force: 1, max_speed: 1}}]}", "a servo moves walls"},
        {"change: [{group: container, motion: {type: servo, force: 1, max_speed: 1}}]}", "'direction' is missing"},
        {"change: [{group: container, motion: {type: radial-servo, stress: 1, max_speed: 1}}]}", "is for drums"},
        {"bodies: [{shape: sleeve, centre: [0, 0, 0], radius: 1, length: 1, motion: {type: radial-servo, stress: 1, "
         "max_speed: 1, ends: [lidd]}}]}",
         "stages[0].bodies[0].motion.ends[0]: there is no plane of the group \"lidd\""},
        {"bodies: [{shape: sleeve, centre: [0, 0, 0], radius: 1, length: 1}, {shape: box, size: [1, 1, 1], position: "
         "[0, 0, 0]}]}",
         "stages[0].bodies[1]: a sleeve confines spheres only"},
        {"bodies: [{shape: sleeve, name: hose, centre: [0, 0, 0], radius: 1, length: 1}]}",
         "stages[0].bodies[0].name: is for single bodies"},
        {"bodies: [{shape: sleeve, centre: [0, 0, 0], radius: 1, length: 1, free: {mass: 1}, force: [0, 0, 1]}]}",
         "stages[0].bodies[0].free: a sleeve is one wall per ring"},
        {"bodies: [{shape: sleeve, centre: [0, 0, 0], radius: 1, length: 1, motion: {type: servo, force: 1, direction: "
         "[0, 0, 1], max_speed: 1}}]}",
         "stages[0].bodies[0].motion: a servo moves planes, containers, drums and single bodies; use radial-servo"},
        {"bodies: [{shape: sleeve, centre: [0, 0, 0], radius: 1, length: 1, motion: {type: constant, spin: [1, 0, "
         "0]}}]}",
         "stages[0].bodies[0].motion.spin: each ring of a sleeve"},
        {"bodies: [{shape: plane, on: grain}]}", "stages[0].bodies[0].on: there is no group \"grain\" before this"},
        {"bodies: [{shape: plane, on: container}]}", "stages[0].bodies[0].on: the group \"container\" has only walls"},
        {"bodies: [{shape: plane, group: lid, on: lid}]}", "stages[0].bodies[0].on: there is no group \"lid\" before"},
        {"materials: {glas: {friction: 1}}}", "stages[0].materials: there is no material \"glas\""},
        {"materials: {glas: {friction: 1}}, change: [{group: grains, on: grains, fixed: false}]}",
         "stages[0].materials: there is no material \"glas\""},
        {"method: quasi-static}", "contact_law.normal: elastic contacts are linear"},
        {"step: 1 s}", "stages[0].step: must not exceed the time of the stage"},
        {"contact_dynamics: {tolerence: 1}}", "stages[0].contact_dynamics.tolerence: unknown key"},
        {"bodies: [{shape: sphere, radius: 1 mm}]}", "stages[0].bodies[0]: the key 'position' is missing"},
    };
    for (const auto& [text, error] : cases) {
        EXPECT_TRUE(contains(errorOf(ground + text), error)) << text << "\n" << errorOf(ground + text);
    }
    EXPECT_TRUE(contains(errorOf(ground + "}\n  - {name: a, time: 1}"), "stages[1].name: \"a\" is used twice"));
    EXPECT_TRUE(contains(errorOf(box + "  - {shape: plane, on: grains}\nrun: {time: 1}"), "bodies[2].on: is for new"));
}

TEST(SleeveErrors, NameWhatIsNotForSleeves) {
    const std::string sleeve = R"(
materials: {a: {}}
bodies:
  - {shape: sleeve, group: hose, centre: [0, 0, 0], radius: 1, length: 1}
  - {shape: sphere, radius: 1 cm, position: [0, 0, 0]}
  - {shape: box, group: plate, size: [1 cm, 1 cm, 1 cm], position: [0, 0, 0.2], fixed: true}
)";
    const std::string start = sleeve + "stages: [{name: a, time: 1 ms, ";
    EXPECT_EQ(errorOf(sleeve + "run: {time: 1}"), "accepted");
    const std::vector<std::pair<std::string, std::string>> cases = {
        {sleeve +
             "run: {time: 1}\nsources: [{region: {low: [0, 0, 0], high: [0.1, 0.1, 0.1]}, rate: 1, grains: [{shape: "
             "box, size: [1, 1, 1]}]}]",
         "sources[0].grains: a sleeve confines spheres only"},
        {start + "change: [{group: plate, fixed: false}]}]",
         "stages[0].change[0].fixed: a sleeve confines spheres only"},
        {start + "change: [{group: hose, free: {mass: 1}}]}]",
         "stages[0].change[0].free: a sleeve is one wall per ring"},
        {start + "change: [{group: hose, force: [0, 0, 1]}]}]", "stages[0].change[0].force: a sleeve is one wall"},
        {start + "change: [{group: hose, motion: {type: servo, force: 1, direction: [0, 0, 1], max_speed: 1}}]}]",
         "stages[0].change[0].motion: a servo moves planes, containers, drums and single bodies; use radial-servo"},
    };
    for (const auto& [text, error] : cases)
        EXPECT_TRUE(contains(errorOf(text), error)) << text << "\n" << errorOf(text);
}

TEST(StagedScene, ReadsBackAsItWasWritten) {
    const Scene scene = sceneOf(everything);
    const std::string text = writeScene(scene);
    EXPECT_EQ(writeScene(sceneOf(text)), text);
    EXPECT_TRUE(contains(text, "tolerance: 0.0001"));
    // Only what a stage changes is written with it.
    EXPECT_EQ(nlohmann::json::parse(sceneAsJson(scene))["stages"][1]["contact_dynamics"].size(), 1u);
}

}  // namespace
}  // namespace talus
