// Joints in scene files: what is read, what each mistake is called, and what becomes of names and pairs.
#include <gtest/gtest.h>

#include "contacts/table/neighbour_lists.hpp"
#include "io/scene/build_world.hpp"
#include "measure/series.hpp"
#include "talus/error.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

const std::string start = R"(materials: {steel: {density: 7800}}
bodies:
  - {shape: plane, name: floor, point: [0, 0, -1]}
  - {shape: sphere, name: hub, radius: 1 cm, position: [0, 0, 0], fixed: true}
  - {shape: sphere, name: bob, radius: 1 cm, position: [10 cm, 0, 0]}
  - {shape: sphere, name: tip, radius: 1 cm, position: [12.1 cm, 0, 0]}
  - {generate: lattice, lattice: sc, radius: 1 cm, count: [1, 1, 1], origin: [1, 1, 1]}
run: {time: 0.1 s}
joints:
)";

Scene parse(const std::string& joints, const std::vector<std::string>& overrides = {}) {
    return parseScene(start + joints, "scene.yaml", ".", overrides);
}

std::string errorOf(const std::string& joints, const std::vector<std::string>& overrides = {}) {
    try {
        buildWorld(parse(joints, overrides));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

void expectError(const std::string& joints, const std::string& part, const std::vector<std::string>& overrides = {}) {
    const std::string error = errorOf(joints, overrides);
    EXPECT_NE(error.find(part), std::string::npos) << joints << "gives: " << error;
}

const std::string hinge = "  - {name: hinge, type: revolute, between: [bob, hub], point: [0, 0, 0], axis: [0, 1, 0]}\n";

TEST(JointScene, KnowsEveryKindAndKey) {
    const WorldState world = buildWorld(parse(
        "  - {name: a, type: fixed, between: [tip, bob]}\n"
        "  - name: b\n    type: cylindrical\n    between: [bob, world]\n    axis: [0, 0, 2]\n"
        "    limits: {lower: -2 cm, upper: 3 cm}\n    turn_limits: {lower: -90 deg, upper: 1}\n"
        "    spring: {stiffness: 2 kN/m, damping: 3 N s/m, rest: 1 mm}\n"
        "    torsion_spring: {stiffness: 4 N m/rad, damping: 0.5 N m s/rad}\n"
        "    drive: {type: angle, times: [0, 1 s], angles: [0, 30 deg], response_time: 10 ms, max_torque: 2 N m}\n"
        "  - {name: c, type: distance, between: [tip, hub], limits: {upper: 20 cm}}\n"));
    ASSERT_EQ(world.joints.size(), 3u);
    const Joint& b = world.joints.list[1];
    EXPECT_EQ(b.kind, JointKind::cylindrical);
    EXPECT_EQ(b.second, theWorld);
    EXPECT_DOUBLE_EQ(b.slide.lower, -0.02);
    EXPECT_DOUBLE_EQ(b.turn.lower, -M_PI / 2);
    EXPECT_DOUBLE_EQ(b.slide.stiffness, 2000);
    EXPECT_DOUBLE_EQ(b.slide.rest, 0.001);
    EXPECT_DOUBLE_EQ(b.turn.damping, 0.5);
    EXPECT_EQ(b.turn.drive, DriveKind::position);
    EXPECT_DOUBLE_EQ(b.turn.target.value[1], M_PI / 6);
    EXPECT_DOUBLE_EQ(b.turn.mostForce, 2);
    EXPECT_FALSE(world.joints.list[2].isRod);
}

TEST(JointScene, LimitedDrivesGoTogetherWithDilation) {
    const std::string drive =
        "  - {name: push, type: prismatic, between: [tip, world], axis: [1, 0, 0],"
        " drive: {type: speed, speed: 1, max_force: 5}}\n";
    const std::vector<std::string> dilating{"method=contact-dynamics",
                                            "contact_dynamics={friction_law: associated, solver: auto}",
                                            "materials.steel.friction=0.5", "materials.steel.dilation_angle=0.1"};
    EXPECT_EQ(errorOf(hinge, dilating), "accepted");
    EXPECT_EQ(errorOf(hinge + drive, dilating), "accepted");
}

TEST(JointScene, IsWrittenBackAsItWasRead) {
    const std::string text = hinge +
                             "  - {name: push, type: prismatic, between: [tip, world], axis: [1, 0, 0],"
                             " drive: {type: speed, times: [0, 1], speeds: [0, 2], max_force: 5}, collide: true}\n";
    const std::string once = writeScene(parse(text));
    EXPECT_EQ(writeScene(parseScene(once, "again.yaml", ".")), once);
    EXPECT_EQ(sceneAsJson(parseScene(once, "again.yaml", ".")), sceneAsJson(parse(text)));
}

TEST(JointScene, NamesEveryMistake) {
    const std::string between = ", axis: [0, 1, 0], point: [0, 0, 0]";
    const auto joint = [&](const std::string& type, const std::string& names, const std::string& rest) {
        return "  - {name: a, type: " + type + ", between: " + names + between + rest + "}\n";
    };
    EXPECT_EQ(errorOf(hinge), "accepted");
    expectError(joint("revolute", "[bib, hub]", ""), R"(there is no body "bib"; did you mean 'bob'?)");
    expectError(joint("revolute", "[bob, bob]", ""), "cannot be joined to itself");
    expectError(joint("revolute", "[floor, hub]", ""), R"(neither "floor" nor "hub" can move)");
    expectError(joint("revolute", "[world, hub]", ""), R"(neither "world" nor "hub" can move)");
    expectError("  - {name: a, type: revolute, between: [bob, hub], point: [0, 0, 0], axis: [0, 0, 0]}\n",
                "a direction must not be zero");
    expectError("  - {name: a, type: spherical, between: [bob, hub]}\n", "the key 'point' is missing");
    expectError("  - {name: a, type: distance, between: [bob, world]}\n", "the key 'point2' is missing");
    expectError("  - {name: a, type: distance, between: [bob, hub], point: [0, 0, 0]}\n", "in one place");
    expectError(joint("revolute", "[bob, hub]", ", turn_limits: {lower: 2, upper: 1}"), "lower must not exceed upper");
    expectError(joint("revolute", "[bob, hub]", ", turn_limits: {lower: 0.1}"), "at 0 at the start");
    expectError(joint("revolute", "[bob, hub]", ", limits: {lower: -1}"), "a revolute joint does not slide");
    expectError(joint("prismatic", "[bob, hub]", ", torsion_spring: {stiffness: 1}"), "has no one turn");
    expectError(joint("revolute", "[bob, hub]", ", drive: {type: speed, speed: 1}"), "has spin, angle or torque");
    expectError(joint("prismatic", "[bob, hub]", ", drive: {type: spin, rate: 1}"), "has speed, position or force");
    expectError(joint("spherical", "[bob, hub]", ", drive: {type: spin, rate: 1}"), "has no drive");
    expectError(joint("revolute", "[bob, hub]", ", drive: {type: spin}"), "give either 'rate', or 'times' and 'rates'");
    expectError(joint("revolute", "[bob, hub]", ", drive: {type: spin, times: [0, 1], rates: [1]}"), "equally many");
    expectError(joint("revolute", "[bob, hub]", ", drive: {type: spin, times: [1, 1], rates: [1, 2]}"),
                "must increase");
    expectError(joint("prismatic", "[bob, hub]", ", spring: {rest: 1}"), "give it a stiffness, a damping or both");
    expectError(joint("prismatic", "[bob, hub]", ", spring: {stiffness: 1 N}"), "stiffness");
    expectError(hinge + hinge, R"("hinge" is used twice)");
    expectError("  - {name: a, type: distance, between: [tip, hub], limits: {upper: 1 cm}}\n", "is outside");
}

TEST(JointScene, RefusesMethodsThatKnowNoJoints) {
    expectError(hinge, "quasi-static knows none", {"method=quasi-static", "contact_law.normal=hooke"});
    expectError(hinge, "must be 1 with joints", {"method=contact-dynamics", "contact_dynamics.theta=0.5"});
    expectError(hinge, "compatible knows no joints", {"method=contact-dynamics", "contact_dynamics.forces=compatible"});
    expectError(hinge, "cannot express joints", {"method=contact-dynamics", "output.problems=0.01"});
}

TEST(JointScene, RefusesNamesThatAreNone) {
    const auto named = [](const std::string& name) {
        return "materials: {steel: {}}\nbodies:\n  - {shape: sphere, name: " + name +
               ", radius: 1, position: [0, 0, 0]}\n  - {shape: sphere, name: b, radius: 1, position: [5, 0, 0]}\nrun: "
               "{time: 1}\n";
    };
    const auto error = [&](const std::string& text) {
        try {
            buildWorld(parseScene(text, "scene.yaml", "."));
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(error(named("a")), "accepted");
    EXPECT_NE(error(named("b")).find(R"("b" is used twice)"), std::string::npos);
    EXPECT_NE(error(named("world")).find("choose another name"), std::string::npos);
    EXPECT_NE(error("materials: {steel: {}}\nbodies:\n  - {generate: pyramid, name: p, base: 2, radius: 1}\nrun: "
                    "{time: 1}\n")
                  .find("is for a single body"),
              std::string::npos);
}

TEST(JointScene, JoinedBodiesDoNotTouchUnlessToldTo) {
    const auto pairs = [](bool collide) {
        WorldState world = buildWorld(parse("  - {name: a, type: fixed, between: [tip, bob], collide: " +
                                            std::string(collide ? "true" : "false") + "}\n"));
        NeighbourWorkspace workspace;
        rebuildLists(world, workspace);
        return world.contacts.grains.partner.size();
    };
    EXPECT_EQ(pairs(true), 1u);
    EXPECT_EQ(pairs(false), 0u);
}

TEST(JointScene, OverlapsOfJoinedSpheresAreNoMistake) {
    const std::vector<std::string> deep{"bodies[3].position=[11.2 cm, 0, 0]"};
    EXPECT_EQ(errorOf("  - {name: a, type: fixed, between: [tip, bob]}\n", deep), "accepted");
    expectError("  - {name: a, type: fixed, between: [tip, bob], collide: true}\n", "overlaps", deep);
}

TEST(JointScene, SeriesHaveTheColumnsOfEachJoint) {
    WorldState world = buildWorld(parse(
        "  - {name: a, type: revolute, between: [bob, hub], point: [0, 0, 0], axis: [0, 1, 0], drive: {type: spin, "
        "rate: 1}}\n  - {name: r, type: distance, between: [tip, hub]}\n"));
    NeighbourWorkspace workspace;
    rebuildLists(world, workspace);
    SeriesMemory memory = startMeasuring(world, {}, {});
    std::vector<std::string> names;
    for (const SeriesValue& value : measureSeries(world, {}, {}, memory)) names.push_back(value.name);
    for (const char* name : {"joint_force_x_a", "joint_torque_z_a", "turn_a", "turn_speed_a", "turn_drive_a",
                             "joint_force_z_r", "energy_joint_springs", "energy_dissipated_joints"}) {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    }
    EXPECT_EQ(std::count(names.begin(), names.end(), "slide_r"), 0);  // a rod has no coordinate
}

}  // namespace
}  // namespace talus
