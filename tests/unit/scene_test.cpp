// Scene files: what is read, what each mistake is called, and that schema, reference and examples agree with the
// reader.
#include "talus/scene.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "io/scene/build_world.hpp"
#include "io/scene/scene_fields.hpp"
#include "io/scene/scene_rules.hpp"
#include "io/scene/yaml_tree.hpp"
#include "laws/pair_law.hpp"
#include "solvers/solver.hpp"
#include "source_folder.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

const std::string smallScene = R"(materials: {glass: {friction: 0.3}}
bodies:
  - {shape: sphere, radius: 2 mm, position: [0, 0, 1 cm]}
run: {time: 0.5 s}
)";

Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parseScene(text, "scene.yaml", ".", overrides);
}

std::string errorOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        buildWorld(parse(text, overrides));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::string readFile(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> exampleFiles() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(sourceFolder() / "examples")) {
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    }
    return files;
}

// --- reading -------------------------------------------------------------------------------------------------------

TEST(Scene, ReadsUnitsAndKeepsDefaults) {
    const Scene scene = parse(smallScene);
    const auto& sphere = std::get<SphereBody>(scene.bodies[0].kind);
    EXPECT_EQ(sphere.radius, 0.002);
    EXPECT_EQ(sphere.position, (Vec3{0, 0, 0.01}));
    EXPECT_EQ(scene.run.time, 0.5);
    EXPECT_EQ(scene.materials.at("glass").contact.friction, 0.3);
    EXPECT_EQ(scene.materials.at("glass").contact.restitution, ContactProperties{}.restitution);
    EXPECT_EQ(scene.gravity, (Vec3{0, 0, -9.81}));
    EXPECT_EQ(*scene.bodies[0].material, "glass");
    EXPECT_EQ(*scene.bodies[0].group, "grains");
    EXPECT_FALSE(scene.run.step.value.has_value());
}

TEST(Scene, OverridesReplaceAddAndAppend) {
    const Scene scene =
        parse(smallScene, {"run.time=2 s", "bodies[0].radius=3 mm", "materials.glass.friction=0.7",
                           "gravity=[0, 0, -1.62 m/s^2]", "output.plots=false", "bodies[1]={shape: plane}"});
    EXPECT_EQ(scene.run.time, 2);
    EXPECT_EQ(std::get<SphereBody>(scene.bodies[0].kind).radius, 0.003);
    EXPECT_EQ(scene.materials.at("glass").contact.friction, 0.7);
    EXPECT_EQ(scene.gravity.z, -1.62);
    EXPECT_FALSE(scene.output.plots);
    EXPECT_EQ(scene.bodies.size(), 2u);
}

TEST(Scene, JsonIsASceneToo) {
    const Scene scene = parse(sceneAsJson(parse(smallScene)));
    EXPECT_EQ(sceneAsJson(scene), sceneAsJson(parse(smallScene)));
}

TEST(Scene, EveryMotionAndSizeIsRead) {
    const Scene scene = parse(R"(materials: {m: {}}
bodies:
  - {shape: plane, motion: {type: constant, velocity: [1, 0, 0], spin: [0, 0, 60 rpm]}}
  - {shape: plane, point: [0, 0, -1], motion: {type: sine, amplitude: [0, 0, 1 mm], frequency: 50 Hz, phase: 90 deg}}
  - {shape: plane, point: [0, 0, -2], motion: {type: rotation, rate: 30 rpm}}
  - {shape: plane, point: [0, 0, -3], motion: {type: table, points: [[0, 0, 0, 0], [1 s, 0, 0, 2 cm/s]]}}
sources:
  - {region: {low: [0, 0, 0], high: [1, 1, 1]}, rate: 10, radius: 1 mm}
  - {region: {low: [0, 0, 0], high: [1, 1, 1]}, rate: 10,
     radius: {distribution: normal, mean: 2 mm, deviation: 0.1 mm, low: 1 mm, high: 3 mm}}
  - {region: {low: [0, 0, 0], high: [1, 1, 1]}, rate: 10,
     radius: {distribution: table, radii: [1 mm, 2 mm], weights: [1, 3]}}
run: {time: 1}
)");
    const double pi = std::numbers::pi;
    EXPECT_DOUBLE_EQ(std::get<ConstantMotion>(*scene.bodies[0].motion).spin.z, 2 * pi);
    EXPECT_DOUBLE_EQ(std::get<SineMotion>(*scene.bodies[1].motion).phase, pi / 2);
    EXPECT_DOUBLE_EQ(std::get<RotationMotion>(*scene.bodies[2].motion).rate, pi);
    EXPECT_EQ(std::get<TableMotion>(*scene.bodies[3].motion).velocity[1].z, 0.02);
    EXPECT_EQ(std::get<SingleSize>(*scene.sources[0].radius).radius, 0.001);
    EXPECT_EQ(std::get<NormalSize>(*scene.sources[1].radius).mean, 0.002);
    EXPECT_EQ(std::get<TableSize>(*scene.sources[2].radius).weights[1], 3);
    EXPECT_TRUE(*scene.bodies[0].fixed);
    EXPECT_EQ(*scene.bodies[0].group, "plane");
}

// --- mistakes ------------------------------------------------------------------------------------------------------

struct Mistake {
    const char* text;
    const char* message;
    bool isStructural = true;  // one that the schema must refuse as well
};

const Mistake mistakes[] = {
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: 1, radus: 2, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radus: unknown key; did you mean 'radius'?"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: 1, position: [0, 0, 0]}\nrun:\n  time: 3 mm",
     "scene.yaml:5: run.time: \"3 mm\" is a length, but a time is wanted (e.g. \"0.5 s\")", false},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0]: the key 'radius' is missing"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: spere, radius: 1, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].shape: must be sphere, box, cylinder, cone, capsule, ellipsoid, superquadric, hull, "
     "mesh, "
     "clump, compound, surface, disc, polygon, outline, plane, container, drum or sleeve, got \"spere\"; did you mean "
     "'sphere'?"},
    {"materials: {glass: {}}\nbodies:\n  - {radius: 1, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0]: the key 'shape' or 'generate' is missing"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: -1 mm, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radius: must be 1e-09 to 1e+06 m, got -0.001 m", false},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: 0, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radius: must be 1e-09 to 1e+06 m, got 0 m"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: [1], position: [0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radius: a length (e.g. \"2.5 mm\") is wanted, got a list\n"
     "scene.yaml:3: bodies[0].position: a list of 3 is wanted, got one of 2"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: big, position: [0, 0, .nan]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radius: \"big\" is not a number; a length (e.g. \"2.5 mm\") is wanted\n"
     "scene.yaml:3: bodies[0].position[2]: \".nan\" is not finite"},
    {"materials: {glass: {}}\nbodies: [{shape: plane}]\nrun: {time: 1, threads: 1.5}",
     "scene.yaml:3: run.threads: must be a whole number, got \"1.5\""},
    {"materials: {glass: {}}\nbodies: [{shape: plane}]\nrun: {time: 1, orientation: yes}",
     "scene.yaml:3: run.orientation: must be true or false, got \"yes\""},
    {"materials: {glass: {}}\nbodies: {shape: plane}\nrun: {time: 1}",
     "scene.yaml:2: bodies: a list is wanted, got a mapping"},
    {"materials: {glass: {}}\nbodies: [{shape: plane}]", "scene.yaml: run: the key 'time' is missing", false},
    {"materials: {glass: {}}\nbodies: [{shape: plane}]\nrun:\n",
     "scene.yaml:3: run: a mapping (key: value) is wanted, got nothing"},
    {"materials: {}\nbodies: [{shape: plane}]\nrun: {time: 1}",
     "scene.yaml:1: materials: at least one material is needed"},
    {"materials: {glass: {restitution: 0.01}}\nbodies: [{shape: plane}]\nrun: {time: 1}",
     "scene.yaml:1: materials.glass.restitution: must be 0.05 to 1, got 0.01; for stronger damping set "
     "contact_law.damping: viscous",
     false},
    {"materials: {a: {}, b: {}}\nbodies: [{shape: plane}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0]: the key 'material' is missing; there are several materials", false},
    {"materials: {glass: {}}\nbodies: [{shape: plane, material: glas}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].material: there is no material \"glas\"; did you mean 'glass'?", false},
    {"materials: {a: {}, b: {}}\npairs:\n  - {between: [a, b], friction: 1}\n  - {between: [b, a], friction: 2}\n"
     "bodies: [{shape: plane, material: a}]\nrun: {time: 1}",
     "scene.yaml:4: pairs[1].between: this pair is already set in pairs[0]", false},
    {"materials: {a: {}}\ncontact_law: {normal: hooke, cohesion: jkr}\nbodies: [{shape: plane}]\nrun: {time: 1}",
     "scene.yaml:2: contact_law.cohesion: jkr needs normal: hertz; use dmt or constant with hooke", false},
    {"materials: {a: {}}\nbodies: []\nrun: {time: 1}", "scene.yaml:2: bodies: the scene has no bodies and no sources",
     false},
    {"materials: {a: {}}\nbodies: [{shape: plane, normal: [0, 0, 0]}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].normal: a direction must not be zero, nor of absurd length", false},
    {"materials: {a: {}}\nbodies: [{shape: plane}]\ndomain: {low: [0, 0, 0], high: [1, 1, 0]}\nrun: {time: 1}",
     "scene.yaml:3: domain: low must be below high along z, got 0 and 0 m", false},
    {"materials: {a: {}}\nbodies:\n  - generate: random\n    region: {low: [0, 0, 0], high: [1, 1, 1]}\n    radius: "
     "0.1\n"
     "run: {time: 1}",
     "scene.yaml:3: bodies[0]: give either 'count' or 'volume_fraction'", false},
    {"materials: {a: {}}\nbodies:\n  - generate: random\n    region: {depth: 1}\n    radius: 0.1\n    count: 1\nrun: "
     "{time: 1}",
     "scene.yaml:4: bodies[0].region: must be a box with low, high or a cylinder with centre, radius, length"},
    {"materials: {a: {}}\nbodies:\n  - {shape: sphere, radius: 1, position: [0, 0, 0], fixed: true, velocity: [1, 0, "
     "0]}\n"
     "run: {time: 1}",
     "scene.yaml:3: bodies[0].velocity: a fixed body has no velocity of its own; use motion", false},
    {"materials: {a: {}}\nbodies:\n  - shape: plane\n    motion: {type: table, points: [[1, 0, 0, 0], [1, 0, 0, 0]]}\n"
     "run: {time: 1}",
     "scene.yaml:4: bodies[0].motion.points[1]: times must increase, got 1 s after 1 s", false},
    {"materials: {a: {}}\nbodies: [{shape: plane, hollow: [-z]}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].hollow: unknown key; known here: shape, generate, point, normal, on, name, material, "
     "group, "
     "fixed, "
     "motion, free, force"},
    {"materials: {a: {}}\nbodies: [{shape: plane, motion: {type: constant}, free: {mass: 1}}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].free: a body with prescribed motion cannot be free as well", false},
    {"materials: {a: {}}\nbodies: [{shape: plane, free: {mass: 1, axes: []}}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].free.axes: the wall could not move at all; name an axis, or leave out free to hold it",
     false},
    {"materials: {a: {}}\nbodies: [{shape: plane, free: {mass: 1, axes: [], turns: [y]}}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].free.turns: a wall that turns needs its moment of inertia, free.inertia", false},
    {"materials: {a: {}}\nbodies: [{shape: plane}]\nrun: {time: 1}\nmeasure: {regions: [{name: a b, low: [0, 0, 0], "
     "high: [1, 1, 1]}]}",
     "scene.yaml:4: measure.regions[0].name: a name has up to 64 letters, digits, '_' and '-', got \"a b\"", false},
    {"materials: {a: {}}\nbodies: [{generate: csv, file: nowhere.csv}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0]: ./nowhere.csv: cannot be opened", false},
};

TEST(Scene, EachMistakeIsNamedWithItsLine) {
    for (const Mistake& mistake : mistakes) EXPECT_EQ(errorOf(mistake.text), mistake.message) << mistake.text;
}

TEST(Scene, YamlMistakesHaveTheirLineToo) {
    EXPECT_EQ(errorOf("run: 1\nrun: 2\n"), "scene.yaml:2: the key \"run\" is given twice");
    EXPECT_EQ(errorOf("a: 1\n---\nb: 2\n"), "scene.yaml:3: a second YAML document; a scene is one");
    EXPECT_EQ(errorOf("run: [1\nbodies: x"), "scene.yaml:2: not valid YAML: end of sequence flow not found")
        << "the exact words are those of the parser";
    EXPECT_EQ(errorOf(""), "scene.yaml: a mapping (key: value) is wanted, got nothing");
}

TEST(Scene, AWrongOverrideIsNamedAsSuch) {
    EXPECT_EQ(errorOf(smallScene, {"run.time=3 mm"}),
              "--set run.time=3 mm: run.time: \"3 mm\" is a length, but a time is wanted (e.g. \"0.5 s\")");
    EXPECT_EQ(errorOf(smallScene, {"run={time: 1, stp: 2}"}),
              "--set run={time: 1, stp: 2}: run.stp: unknown key; did you mean 'step'?");
    EXPECT_EQ(errorOf(smallScene, {"bodies[7].radius=1"}),
              "--set bodies[7].radius=1: index 7 is past the end of a list of 1");
    EXPECT_EQ(errorOf(smallScene, {"run.time"}), "--set run.time: must look like run.time=2");
    EXPECT_EQ(errorOf(smallScene, {"run..time=1"}), "--set run..time=1: a key is missing in the path");
}

// A scene runs with both methods by switching `method` alone; what the other one does not use is told, not refused.
TEST(Scene, KeysOfTheOtherMethodAreNotedWithTheirPlace) {
    const std::string keys = "contact_dynamics:\n  solver: apgd\noutput: {problems: 0.1 s}\n";
    using Notes = std::vector<std::string>;
    EXPECT_EQ(sceneNotes(parse(smallScene)), Notes{});
    EXPECT_EQ(sceneNotes(parse(smallScene + keys, {"method=contact-dynamics"})), Notes{});
    const std::string withoutEffect = ": like all of contact_dynamics, has no effect with method: penalty";
    EXPECT_EQ(sceneNotes(parse(smallScene + keys)),
              (Notes{"scene.yaml:6: contact_dynamics.solver" + withoutEffect,
                     "scene.yaml:7: output.problems: nothing is saved: method: penalty solves no problems"}));
    EXPECT_EQ(sceneNotes(parse(smallScene, {"contact_dynamics.tolerance=1e-3"})),
              Notes{"--set contact_dynamics.tolerance=1e-3: contact_dynamics.tolerance" + withoutEffect});
}

TEST(Scene, KeysOfAnotherSolverAreNotedUnlessTheyAreAtTheirDefault) {
    const auto notesOf = [](const std::string& keys) {
        return sceneNotes(parse(smallScene + "method: contact-dynamics\ncontact_dynamics: {" + keys + "}\n"));
    };
    using Notes = std::vector<std::string>;
    const auto without = [](const std::string& key, const std::string& needed) {
        return Notes{"scene.yaml:6: contact_dynamics." + key + ": has no effect without " + needed};
    };
    EXPECT_EQ(notesOf("compatible_method: augmented-lagrangian"), without("compatible_method", "forces: compatible"));
    EXPECT_EQ(notesOf("sweep: random, solver: apgd"), without("sweep", "solver: gauss-seidel"));
    EXPECT_EQ(notesOf("relaxation: 0.5, solver: auto"), without("relaxation", "solver: jacobi"));
    EXPECT_EQ(notesOf("gradient_scaling: common"), without("gradient_scaling", "solver: apgd or spg"));
    EXPECT_EQ(notesOf("compatible_method: augmented-lagrangian, forces: compatible, contacts: rigid").size(), 2u)
        << "with friction neither this method nor the two-step form is taken";
    EXPECT_EQ(sceneNotes(parse(smallScene + "method: contact-dynamics\ncontact_dynamics: {forces: compatible, "
                                            "compatible_method: augmented-lagrangian}\n",
                               {"materials.glass.friction=0"})),
              Notes{});
    EXPECT_EQ(notesOf("sweep: random"), Notes{});
    EXPECT_EQ(notesOf("relaxation: 0.5, solver: jacobi"), Notes{});
    EXPECT_EQ(notesOf("gradient_scaling: common, sweep: random, solver: auto"), Notes{});
    EXPECT_EQ(notesOf("compatible_method: newton, relaxation: 0, gradient_scaling: contact"), Notes{});
}

TEST(Scene, WhatActsAcrossThePlaneOfAPlanarSceneIsNoted) {
    const std::string wall = "bodies[1]={shape: plane, normal: [0, 0, 1]}";
    const std::vector<std::string> notes = sceneNotes(parse(smallScene, {"planar=xy", wall}));
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_NE(notes[0].find("gravity: its part along z has no effect"), std::string::npos) << notes[0];
    EXPECT_NE(notes[1].find("bodies[1].normal: its part along z"), std::string::npos) << notes[1];
    EXPECT_EQ(sceneNotes(parse(smallScene, {"planar=xz", wall})), std::vector<std::string>{});
}

TEST(SceneReference, SpeaksOfNoNamesInTheSource) { EXPECT_EQ(sceneReference().find("::"), std::string::npos); }

TEST(Scene, AWallThatOnlyTurnsIsFree) {
    const std::string wall = "bodies[1]={shape: plane, free: {mass: 1, inertia: 1, axes: []}}";
    EXPECT_TRUE(parse(smallScene, {wall}).bodies[1].free->axes->empty());
}

TEST(Scene, ShowsTenMistakesAtOnceAndNoMore) {
    std::string text = "materials: {a: {}}\nrun: {time: 1}\nbodies:\n";
    for (int k = 0; k < 30; ++k) text += "  - {shape: circle}\n";
    const std::string error = errorOf(text);
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 9);
}

TEST(Scene, HostileTextIsRefusedNotObeyed) {
    EXPECT_NE(errorOf(std::string(1000000, '[')), "accepted");
    EXPECT_NE(errorOf(std::string(3000000, '[')), "accepted");
    std::string dashes, questions, bomb = "a: &a [1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (int k = 0; k < 100000; ++k) dashes += "- ", questions += "? ";
    for (char c = 'b'; c < 'z'; ++c) {
        const std::string last = std::string("*") + static_cast<char>(c - 1);
        bomb += std::string(1, c) + ": &" + c + " [" + last + ", " + last + ", " + last + ", " + last + "]\n";
    }
    EXPECT_NE(errorOf(dashes), "accepted");
    EXPECT_NE(errorOf(questions), "accepted");
    EXPECT_NE(errorOf(bomb).find("too many values"), std::string::npos);
    EXPECT_NE(errorOf("a: &a [*a]"), "accepted");
}

// --- bodies that cannot be -----------------------------------------------------------------------------------------

TEST(Scene, BodiesThatCannotBeAreNamedByTheirEntries) {
    const std::string head = "materials: {a: {}}\nrun: {time: 1}\nbodies:\n";
    const auto sphere = [](const std::string& rest) { return "  - {shape: sphere, " + rest + "}\n"; };
    EXPECT_EQ(errorOf(head + sphere("radius: 1, position: [0, 0, 0]") + sphere("radius: 1, position: [1, 0, 0]")),
              "scene.yaml:5: bodies[1]: a sphere at (1, 0, 0) m overlaps one of bodies[0] at (0, 0, 0) m by 1 m");
    EXPECT_EQ(errorOf(head + sphere("radius: 1, position: [0, 0, 0]") + sphere("radius: 1, position: [0, 0, 0]")),
              "scene.yaml:5: bodies[1]: a sphere at (0, 0, 0) m coincides with one of bodies[0] at (0, 0, 0) m");
    EXPECT_EQ(
        errorOf(head + "  - {shape: plane}\n" + sphere("radius: 1, position: [0, 0, -5]")),
        "scene.yaml:5: bodies[1]: a sphere of radius 1 m at (0, 0, -5) m is 6 m deep in or behind the wall bodies[0]");
    EXPECT_EQ(
        errorOf(head + sphere("radius: 1 nm, position: [0, 0, 0]") + sphere("radius: 1, position: [5, 0, 0]")),
        "scene.yaml:5: bodies[1]: a radius of 1 m beside one of 1e-09 m (bodies[0]): the ratio must be below 1e+06");
    EXPECT_EQ(errorOf(head + sphere("radius: 1 um, position: [1e6, 0, 0]")),
              "scene.yaml:4: bodies[0]: a sphere of radius 1e-06 m at (1e+06, 0, 0) m is too far from the origin for "
              "its size");
    EXPECT_EQ(
        errorOf("domain: {low: [0, 0, 0], high: [1, 1, 1]}\n" + head + sphere("radius: 0.1, position: [2, 0, 0]")),
        "scene.yaml:5: bodies[0]: a sphere at (2, 0, 0) m is outside the domain");
    EXPECT_EQ(errorOf("domain: {low: [0, 0, 0], high: [1, 1, 1], periodic: [x]}\n" + head +
                      sphere("radius: 0.3, position: [0.5, 0.5, 0.5]")),
              "scene.yaml:1: domain: the periodic edge along x must be at least two diameters of the largest sphere, "
              "1.2 m, got 1 m");
    EXPECT_EQ(errorOf("planar: xy\n" + head + sphere("radius: 1, position: [0, 0, 0]") +
                      sphere("radius: 1, position: [5, 0, 1]")),
              "scene.yaml:6: bodies[1]: a planar scene has all bodies in one plane, but one is at z = 1 m and another "
              "at 0 m");
    EXPECT_EQ(errorOf(head + "  - {generate: lattice, radius: 1, count: [10000, 10000, 10000]}\n"),
              "scene.yaml:4: bodies[0]: asks for 4e+12 grains; at most 1e+08");
}

// Nothing would ever change such a velocity: the grain would leave the plane with it, unseen by every contact.
TEST(Scene, NothingStartsOutOfThePlaneOfAPlanarScene) {
    const std::string head = "planar: xz\nmaterials: {a: {}}\nrun: {time: 1}\n";
    const std::string sphere = "bodies:\n  - {shape: sphere, radius: 1, position: [0, 0, 0], ";
    const std::string leaves = ": leaves the plane of the scene; set y to 0 instead of 2 m/s, or leave out planar: xz";
    for (const std::string method : {"penalty", "contact-dynamics"}) {
        const std::vector<std::string> set{"method=" + method};
        EXPECT_EQ(errorOf(head + sphere + "velocity: [1, 2, 3]}", set), "scene.yaml:5: bodies[0].velocity" + leaves);
        EXPECT_EQ(errorOf(head + sphere + "spin: [1, 2, 0]}", set),
                  "scene.yaml:5: bodies[0].spin: turns a body out of the plane of the scene; set x to 0 instead of "
                  "1 rad/s (spins are about y here), or leave out planar: xz");
        EXPECT_EQ(errorOf(head + sphere + "velocity: [1, 0, 3], spin: [0, 2, 0]}", set), "accepted");
    }
    EXPECT_EQ(errorOf(head + "bodies:\n  - generate: lattice\n    lattice: sc\n    radius: 1\n    count: [2, 1, 2]\n"
                             "    velocity: [0, 2, 0]"),
              "scene.yaml:9: bodies[0].velocity" + leaves);
    EXPECT_EQ(errorOf(head + "bodies:\n  - generate: random\n    region: {low: [0, 0, 0], high: [9, 0, 9]}\n"
                             "    radius: 1\n    count: 2\n    velocity: [0, 2, 0]"),
              "scene.yaml:9: bodies[0].velocity" + leaves);
    const std::string source = head + "bodies: []\nsources:\n  - rate: 1\n    radius: 1\n    region: ";
    EXPECT_EQ(errorOf(source + "{low: [0, 0, 0], high: [9, 0, 9]}\n    velocity: [0, 2, 0]"),
              "scene.yaml:9: sources[0].velocity" + leaves);
    EXPECT_EQ(errorOf(source + "{low: [0, -1, 0], high: [9, 1, 9]}"),
              "scene.yaml:8: sources[0].region: must be flat in a planar scene, with one y for low and high, got -1 "
              "and 1 m");
    EXPECT_EQ(errorOf(source + "{low: [0, 1, 0], high: [9, 1, 9]}",
                      {"bodies=[{shape: sphere, radius: 1, position: [0, 0, 0]}]"}),
              "scene.yaml:8: sources[0].region: a planar scene has all bodies in one plane, but new ones come at y = "
              "1 m and those of bodies are at 0 m");
}

TEST(Scene, SpheresThatMeetAcrossAPeriodicBoundaryOverlap) {
    EXPECT_NE(
        errorOf(
            "materials: {a: {}}\nrun: {time: 1}\ndomain: {low: [0, 0, 0], high: [9, 9, 9], periodic: [x]}\nbodies:\n"
            "  - {shape: sphere, radius: 1, position: [0.5, 5, 5]}\n"
            "  - {shape: sphere, radius: 1, position: [8.5, 5, 5]}\n")
            .find("overlaps"),
        std::string::npos);
}

// --- the world -----------------------------------------------------------------------------------------------------

TEST(Scene, YieldingContactsNeedSpringsAndLimitsThatFit) {
    const auto with = [](const std::vector<std::string>& more) {
        std::vector<std::string> all{"method=contact-dynamics", "contact_dynamics.contacts=elastic",
                                     "contact_law.normal=hooke", "contact_law.cohesion=constant",
                                     "materials.glass.cohesion_force=2"};
        all.insert(all.end(), more.begin(), more.end());
        return errorOf(smallScene, all);
    };
    const auto names = [](const std::string& error, const std::string& key) {
        return error.find(key) != std::string::npos;
    };
    EXPECT_EQ(with({}), "accepted");
    EXPECT_EQ(with({"materials.glass.cap=5", "materials.glass.rounding=1", "materials.glass.damping_time=0.1",
                    "materials.glass.bond_stretch=1e-4", "materials.glass.cohesion_hardening=-10",
                    "contact_dynamics.friction_law=associated"}),
              "accepted");
    EXPECT_TRUE(names(with({"materials.glass.cap=1.5"}), "materials.glass.cap"));
    EXPECT_TRUE(names(with({"materials.glass.cap=2.5", "materials.glass.rounding=1"}), "materials.glass.cap"));
    EXPECT_TRUE(names(with({"materials.glass.stiffness=-1"}), "materials.glass.stiffness"));
    EXPECT_TRUE(names(with({"materials.glass.damping_time=-1"}), "materials.glass.damping_time"));
    EXPECT_TRUE(names(with({"materials.glass.cap_hardening=1"}), "cap_hardening"));
    EXPECT_TRUE(names(with({"materials.glass.rounding_hardening=1"}), "rounding_hardening"));
    EXPECT_TRUE(names(with({"materials.glass.rounding=1"}), "contact_dynamics.friction_law"));
    EXPECT_TRUE(names(with({"contact_law.cohesion=none", "materials.glass.bond_stretch=1e-4"}), "bond_stretch"));
    EXPECT_TRUE(names(with({"contact_dynamics.theta=0.5"}), "contact_dynamics.theta"));
    EXPECT_EQ(with({"materials.glass.cap=5", "contact_dynamics.solver=interior-point"}), "accepted");
    EXPECT_EQ(with({"materials.glass.cap=5", "contact_dynamics.solver=newton"}), "accepted");
    EXPECT_EQ(with({"materials.glass.cap_stress=5 MPa", "materials.glass.cohesion_stress=10 kPa",
                    "materials.glass.damping_rate=10 Hz"}),
              "accepted");
    EXPECT_TRUE(names(with({"materials.glass.cap_stress=5", "materials.glass.cohesion_stress=6"}), "cap_stress"));
    EXPECT_TRUE(names(with({"materials.glass.cohesion_stress=6", "contact_law.cohesion=dmt"}), "cohesion_stress"));
    EXPECT_TRUE(names(with({"materials.glass.rounding_stress=6"}), "contact_dynamics.friction_law"));
    EXPECT_TRUE(names(with({"materials.glass.damping_rate=1", "contact_dynamics.contacts=rigid"}), "damping_rate"));
    EXPECT_TRUE(names(with({"materials.glass.damping_time=0.1", "contact_dynamics.contacts=rigid"}), "damping_time"));
    EXPECT_TRUE(names(with({"materials.glass.cap=5", "method=quasi-static"}), "materials.glass.cap"));
}

TEST(Scene, RollingResistanceOfContactDynamicsIsConstant) {
    const auto with = [](const std::vector<std::string>& more) {
        std::vector<std::string> all{"method=contact-dynamics", "materials.glass.rolling_friction=0.1",
                                     "contact_law.rolling=constant"};
        all.insert(all.end(), more.begin(), more.end());
        return errorOf(smallScene, all);
    };
    EXPECT_EQ(with({}), "accepted");
    EXPECT_NE(with({"contact_law.rolling=spring"}).find("contact_law.rolling"), std::string::npos);
    EXPECT_EQ(with({"contact_dynamics.solver=interior-point"}), "accepted");
    EXPECT_NE(with({"contact_dynamics.forces=compatible"}).find("contact_dynamics.forces"), std::string::npos);
    EXPECT_NE(with({"method=quasi-static", "contact_law.normal=hooke"}).find("contact_law.rolling"), std::string::npos);
}

TEST(Scene, ADilationAngleNeedsTheLawAndTheSolverThatKnowIt) {
    const std::vector<std::string> all{"method=contact-dynamics", "contact_dynamics.friction_law=associated",
                                       "contact_dynamics.solver=interior-point", "materials.glass.dilation_angle=0.1"};
    const auto with = [&](const std::string& last) {
        std::vector<std::string> changed = all;
        if (!last.empty()) changed.push_back(last);
        return errorOf(smallScene, changed);
    };
    EXPECT_EQ(with(""), "accepted");
    EXPECT_EQ(with("contact_dynamics.solver=auto"), "accepted");
    EXPECT_NE(with("materials.glass.dilation_angle=0.4").find("friction angle"), std::string::npos);
    EXPECT_NE(with("contact_dynamics.friction_law=coulomb").find("friction_law"), std::string::npos);
    EXPECT_NE(with("contact_dynamics.solver=apgd").find("contact_dynamics.solver"), std::string::npos);
}

// Limits of unlike materials are mixed, and then must fit each other again.
TEST(Scene, MixedContactsKeepTheRulesOfContacts) {
    const std::string scene = R"(method: contact-dynamics
contact_law: {normal: hooke, cohesion: constant}
contact_dynamics: {contacts: elastic}
materials:
  clay: {cohesion_force: 100 N, cap: 200 N}
  sand: {cohesion_force: 1 N, cap: 2 N}
bodies:
  - {shape: sphere, radius: 2 mm, position: [0, 0, 1 cm], material: clay}
run: {time: 0.5 s}
)";
    EXPECT_NE(errorOf(scene).find("pairs[clay, sand].cap: must be above"), std::string::npos) << errorOf(scene);
    EXPECT_EQ(errorOf(scene, {"pairs=[{between: [sand, clay], cap: 20 N}]"}), "accepted");
    EXPECT_NE(errorOf(scene, {"pairs=[{between: [sand, clay], cap: 9 N}]"}).find("pairs[0].cap"), std::string::npos);
}

// 1 kPa is 3 mN between two of the grains, and 13 mN on a plane.
TEST(Scene, ACapAsAForceIsComparedWithStressesForTheGrainsThereAre) {
    const auto with = [](const std::string& cap) {
        return errorOf(smallScene, {"method=contact-dynamics", "contact_law={normal: hooke, cohesion: constant}",
                                    "contact_dynamics.contacts=elastic", "materials.glass.cohesion_stress=1 kPa",
                                    "materials.glass.cap=" + cap});
    };
    EXPECT_EQ(with("13 mN"), "accepted");
    EXPECT_NE(with("12 mN").find("materials.glass.cap: must be above what contacts bear in tension"),
              std::string::npos);
}

TEST(Scene, MixedContactsDilateNoMoreThanTheyRub) {
    const std::string scene = R"(method: contact-dynamics
contact_dynamics: {friction_law: associated, solver: auto}
materials:
  rough: {friction: 1, dilation_angle: 0.7}
  smooth: {friction: 0}
bodies:
  - {shape: sphere, radius: 2 mm, position: [0, 0, 1 cm], material: rough}
run: {time: 0.5 s}
)";
    const Scene read = parse(scene);
    EXPECT_EQ(contactBetween(read, "rough", "smooth").dilationAngle, 0);
    EXPECT_NEAR(contactBetween(read, "rough", "rough").dilationAngle, 0.7, 1e-15);
    EXPECT_EQ(errorOf(scene), "accepted");
}

TEST(Scene, ElasticContactsOfAProblemMustBeLinear) {
    const std::string wanted = "contact_law.normal";
    EXPECT_NE(errorOf(smallScene, {"method=quasi-static"}).find(wanted), std::string::npos);
    EXPECT_NE(errorOf(smallScene, {"method=contact-dynamics", "contact_dynamics.contacts=elastic"}).find(wanted),
              std::string::npos);
    EXPECT_EQ(errorOf(smallScene, {"method=quasi-static", "contact_law.normal=hooke"}), "accepted");
    EXPECT_EQ(errorOf(smallScene, {"method=contact-dynamics"}), "accepted");
    EXPECT_NE(errorOf(smallScene, {"method=contact-dynamics", "contact_dynamics.theta=0.4"}), "accepted");
}

TEST(Scene, PairsOverrideWhatIsMixed) {
    const World world = buildWorld(parse(R"(materials: {a: {friction: 0.4}, b: {friction: 0.9}, c: {friction: 0.1}}
pairs: [{between: [b, a], friction: 0.77, restitution: 0.9}]
bodies: [{shape: plane, material: a}]
run: {time: 1}
)"));
    EXPECT_DOUBLE_EQ(world.materials.between(0, 1).friction, 0.77);
    EXPECT_DOUBLE_EQ(world.materials.between(1, 0).friction, 0.77);
    EXPECT_DOUBLE_EQ(world.materials.between(0, 2).friction, std::sqrt(0.4 * 0.1));
    EXPECT_NEAR(restitutionFor(NormalLaw::hertz, world.materials.between(0, 1).dampingRatio), 0.9, 1e-6);
}

TEST(Scene, WallsFaceTheirNormalsAndMotionsStartFromTheirPoses) {
    const World world = buildWorld(parse(R"(materials: {a: {density: 1000}}
bodies:
  - {shape: plane, point: [1, 0, 0], normal: [-2, 0, 0]}
  - {shape: plane, normal: [0, 0, -1], point: [0, 0, 50]}
  - {shape: drum, centre: [0, 0, 10], axis: [0, 1, 0], radius: 30, length: 60, open: [low],
     motion: {type: rotation, axis: [0, 2, 0], rate: 1}}
  - {shape: container, centre: [0, 0, 10], size: [40, 40, 50], open: [+x, +z], group: box}
  - {shape: sphere, radius: 0.5, position: [0, 0, 10], velocity: [1, 2, 3], spin: [0, 0, 1]}
  - {shape: sphere, radius: 0.5, position: [0, 3, 10], motion: {type: constant, velocity: [0, 1, 0]}}
run: {time: 1}
)"));
    const Bodies& b = world.bodies;
    ASSERT_EQ(b.grainCount, 2u);
    ASSERT_EQ(b.wallCount(), 4u);
    EXPECT_NEAR(rotate(b.orientation[2], {0, 0, 1}).x, -1, 1e-12);
    EXPECT_NEAR(rotate(b.orientation[3], {0, 0, 1}).z, -1, 1e-12);
    EXPECT_NEAR(rotate(b.orientation[4], {0, 0, 1}).y, 1, 1e-12);
    EXPECT_EQ(std::get<CylinderWall>(world.shapes[b.shape[4]]).open, (std::array<bool, 3>{false, true, false}));
    EXPECT_EQ(std::get<BoxWall>(world.shapes[b.shape[5]]).halfSize, (Vec3{20, 20, 25}));
    EXPECT_TRUE(std::get<BoxWall>(world.shapes[b.shape[5]]).open[1]);
    EXPECT_EQ(world.groupNames[b.group[5]], "box");
    EXPECT_DOUBLE_EQ(norm(std::get<RotationMotion>(world.motions[b.motion[4]].law).axis), 1);
    EXPECT_EQ(world.motions[b.motion[1]].start.position, (Vec3{0, 3, 10}));
    EXPECT_EQ(b.inverseMass[1], 0);
    EXPECT_NEAR(1 / b.inverseMass[0], 1000 * std::numbers::pi / 6, 1e-9);
    EXPECT_EQ(b.velocity[0], (Vec3{1, 2, 3}));
}

TEST(Scene, BodiesComeFromATableBesideTheSceneFile) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "talus_scene_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "beads.csv") << "x,y,z,radius,vz,material,fixed\n0,0,0,1,2,b,0\n5,0,0,1,0,,1\n";
    std::ofstream(folder / "scene.yaml") << "materials: {a: {}, b: {}}\nrun: {time: 1}\nbodies:\n"
                                            "  - {generate: csv, file: beads.csv, material: a}\n";
    const World world = buildWorld(loadScene(folder / "scene.yaml"));
    EXPECT_EQ(world.bodies.velocity[0].z, 2);
    EXPECT_EQ(world.materials.list[world.bodies.material[0]].name, "b");
    EXPECT_EQ(world.materials.list[world.bodies.material[1]].name, "a");
    EXPECT_EQ(world.bodies.inverseMass[1], 0);
    try {
        buildWorld(loadScene(folder / "scene.yaml", {"planar=xy"}));
        ADD_FAILURE() << "a sphere that leaves the plane was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("beads.csv:2: the velocity leaves the plane"), std::string::npos)
            << error.what();
    }
    std::filesystem::remove_all(folder);
    EXPECT_THROW(loadScene(folder / "scene.yaml"), InputError);
    EXPECT_THROW(loadScene(std::filesystem::temp_directory_path()), InputError);
}

// --- examples, schema, reference -----------------------------------------------------------------------------------

TEST(Examples, AreReadBuiltAndWrittenBackUnchanged) {
    ASSERT_GE(exampleFiles().size(), 5u);
    for (const auto& file : exampleFiles()) {
        const Scene scene = loadScene(file);
        const Scene again = parseScene(writeScene(scene), "again.yaml", file.parent_path());
        EXPECT_EQ(sceneAsJson(scene), sceneAsJson(again)) << file;
        EXPECT_EQ(stateHash(buildWorld(scene)), stateHash(buildWorld(again))) << file;
    }
}

nlohmann::json toJson(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::null) return nullptr;
    if (node.kind == YamlNode::Kind::scalar) {
        const nlohmann::json value = nlohmann::json::parse(node.text, nullptr, false);
        const bool isPlain = !node.quoted && (value.is_number() || value.is_boolean());
        return isPlain ? value : nlohmann::json(node.text);
    }
    nlohmann::json result = node.kind == YamlNode::Kind::list ? nlohmann::json::array() : nlohmann::json::object();
    for (std::size_t k = 0; k < node.items.size(); ++k) {
        if (node.kind == YamlNode::Kind::list)
            result.push_back(toJson(node.items[k]));
        else
            result[node.keys[k].text] = toJson(node.items[k]);
    }
    return result;
}

bool isValidBySchema(const nlohmann::json& document) {
    static const nlohmann::json text = nlohmann::json::parse(sceneSchema());
    static const auto schema = [] {
        auto parsed = std::make_unique<valijson::Schema>();
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), *parsed);
        return parsed;
    }();
    return valijson::Validator().validate(*schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
}

TEST(Schema, AcceptsEveryExampleAsWrittenAndInFull) {
    for (const auto& file : exampleFiles()) {
        EXPECT_TRUE(isValidBySchema(toJson(parseYaml(readFile(file), "example")))) << file;
        EXPECT_TRUE(isValidBySchema(nlohmann::json::parse(sceneAsJson(loadScene(file))))) << file;
    }
}

TEST(Schema, RefusesEveryStructuralMistake) {
    for (const Mistake& mistake : mistakes) {
        EXPECT_EQ(isValidBySchema(toJson(parseYaml(mistake.text, "mistake"))), !mistake.isStructural) << mistake.text;
    }
}

TEST(Schema, InTheRepositoryIsTheOneTheProgramWrites) {
    EXPECT_EQ(readFile(sourceFolder() / "schema/scene.schema.json"), sceneSchema()) << "run: talus schema";
}

TEST(Reference, InTheRepositoryIsTheOneTheProgramWrites) {
    EXPECT_EQ(readFile(sourceFolder() / "docs/reference/scene.md"), sceneReference()) << "run: talus reference";
}

TEST(Scene, SolversHaveTheNamesThatReportsGiveThem) {
    for (std::size_t k = 0; k < EnumNames<SolverKind>::names.size(); ++k) {
        EXPECT_EQ(EnumNames<SolverKind>::names[k], nameOf(static_cast<SolverKind>(k)));
    }
    for (std::size_t k = 0; k < EnumNames<FrictionLaw>::names.size(); ++k) {
        EXPECT_EQ(EnumNames<FrictionLaw>::names[k], nameOf(static_cast<FrictionLaw>(k)));
    }
}

}  // namespace
}  // namespace talus
