// What each mistake in a scene file is called, and what is noted of a scene that is no mistake.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <numbers>

#include "io/scene/scene_rules.hpp"
#include "unit/scene_samples.hpp"

namespace talus {
namespace {

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

TEST(Scene, ATabInTheIndentationIsCalledOne) {
    EXPECT_EQ(errorOf("materials:\n  a: {}\nbodies:\n\t- {shape: plane}\n  - {shape: plane}\nrun: {time: 1}\n"),
              "scene.yaml:4: begins with a tab; YAML is indented with spaces");
    EXPECT_EQ(errorOf("run:\n  \ttime: 1\n\tstep: 2\n"),
              "scene.yaml:2: begins with a tab; YAML is indented with spaces");
    EXPECT_EQ(errorOf("run: [1\nbodies: x\t"), "scene.yaml:2: not valid YAML: end of sequence flow not found");
}

TEST(Scene, AVelocityBesideAGuideIsSentIntoIt) {
    EXPECT_EQ(
        errorOf("materials: {a: {}}\nrun: {}\nbodies:\n"
                "  - {shape: sphere, group: ball, radius: 1, position: [0, 0, 0], fixed: true}\nstages:\n"
                "  - name: go\n    time: 1\n    change: [{group: ball, free: {axes: [z]}, velocity: [0, 0, -5]}]\n"),
        "scene.yaml:8: stages[0].change[0].velocity: stands within 'free' for bodies in a guide: free: {velocity: "
        "[x, y, z]}");
}

TEST(Scene, ALatticeOfAPlanarSceneHasOneLayer) {
    const std::string scene =
        "planar: xz\nmaterials: {a: {}}\nrun: {time: 1}\nbodies:\n"
        "  - {generate: lattice, lattice: sc, radius: 1, count: [2, 5, 2]}\n";
    EXPECT_EQ(errorOf(scene), "scene.yaml:5: bodies[0].count[1]: must be 1: a planar scene has one layer along y");
    EXPECT_EQ(errorOf(scene, {"bodies[0].count=[2, 1, 2]"}), "accepted");
}

// In processor time, which other programs do not lengthen: eight times the bodies were 35 times the work once.
TEST(Scene, ManyBodiesAreReadInTimeInProportion) {
    const auto secondsFor = [](int count) {
        std::string text = "materials: {a: {}}\nrun: {time: 1}\nbodies:\n";
        for (int k = 0; k < count; ++k) text += "  - {shape: sphere, radius: 1, position: [0, 0, 0]}\n";
        const std::clock_t start = std::clock();
        parse(text);
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    const double few = std::min(secondsFor(5000), secondsFor(5000));
    EXPECT_LT(secondsFor(40000), 16 * few);
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

TEST(Scene, AMaterialOfNothingIsNoted) {
    const std::string text =
        "materials: {glass: {}, glas: {friction: 0.1}}\nbodies: [{shape: sphere, material: glass, radius: 1, position: "
        "[0, 0, 0]}]\nrun: {time: 1}\n";
    EXPECT_EQ(sceneNotes(parse(text)), std::vector<std::string>{"scene.yaml:1: materials.glas: nothing is made of it"});
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
    EXPECT_EQ(notesOf("gradient_scaling: common, solver: gauss-seidel"),
              without("gradient_scaling", "solver: apgd or spg"));
    EXPECT_EQ(notesOf("gradient_scaling: common"), Notes{}) << "the bodies decide which solver is taken";
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

TEST(Scene, ContactValuesOfALawThatIsNotChosenAreNoted) {
    const auto notesOf = [](const std::string& value, const std::vector<std::string>& more = {}) {
        std::vector<std::string> changes{"materials.glass." + value};
        changes.insert(changes.end(), more.begin(), more.end());
        return sceneNotes(parse(smallScene, changes));
    };
    for (const char* value : {"cohesion_force=1 N", "adhesion_work=0.1", "rolling_friction=0.1", "viscosity=0.5"}) {
        ASSERT_EQ(notesOf(value).size(), 1u) << value;
        EXPECT_NE(notesOf(value)[0].find("has no effect without contact_law."), std::string::npos) << value;
    }
    EXPECT_TRUE(notesOf("cohesion_force=0 N").empty()) << "as talus validate prints it";
    EXPECT_TRUE(notesOf("cohesion_force=1 N", {"contact_law.cohesion=constant"}).empty());
    EXPECT_TRUE(notesOf("adhesion_work=0.1", {"contact_law.cohesion=jkr"}).empty());
    EXPECT_TRUE(notesOf("rolling_friction=0.1", {"contact_law.rolling=spring"}).empty());
    EXPECT_TRUE(notesOf("viscosity=0.5", {"contact_law.damping=viscous"}).empty());
}

TEST(Scene, WhatActsAcrossThePlaneOfAPlanarSceneIsNoted) {
    const std::string wall = "bodies[1]={shape: plane, normal: [0, 0, 1]}";
    const std::vector<std::string> notes = sceneNotes(parse(smallScene, {"planar=xy", wall}));
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_NE(notes[0].find("gravity: its part along z has no effect"), std::string::npos) << notes[0];
    EXPECT_NE(notes[1].find("bodies[1].normal: its part along z"), std::string::npos) << notes[1];
    EXPECT_EQ(sceneNotes(parse(smallScene, {"planar=xz", wall})), std::vector<std::string>{});
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
    EXPECT_EQ(
        errorOf("domain: {low: [0, 0, 0], high: [6, 6, 6], periodic: [x]}\n" + head +
                "  - {shape: box, size: [4, 2, 4], position: [3, 3, 3], fixed: true}\n"),
        "scene.yaml:1: domain: the periodic edge along x must be at least two diameters of the sphere around the "
        "largest body (a box in bodies[0]), 12 m, got 6 m; across the whole domain a plane does what a plate would");
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

}  // namespace
}  // namespace talus
