// Plates and lids: solids that a servo moves or that a guide leads, against closed forms in both methods.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "talus/simulation.hpp"

namespace talus {
namespace {

constexpr double stiffness = 1e5, radius = 0.01;                                    // N/m, m
constexpr double weight = 2500 * 4.0 / 3 * M_PI * radius * radius * radius * 9.81;  // N, of a sphere

struct Way {
    std::string method, contacts;
    double step;  // s
};
const std::vector<Way> ways = {
    {"penalty", "rigid", 2e-5}, {"contact-dynamics", "elastic", 2e-4}, {"contact-dynamics", "rigid", 1e-3}};

// Four spheres on a floor, at the corners of a square, and bodies beside them.
Simulation overFourSpheres(const Way& way, const std::string& bodies) {
    const std::string text = fmt::format(R"(
method: {}
contact_dynamics: {{contacts: {}, tolerance: 1e-10, max_iterations: 100000}}
contact_law: {{normal: hooke}}
materials: {{a: {{density: 2500, friction: 0.3, restitution: 0.2, stiffness: {}}}}}
bodies:
  - {{shape: plane, group: floor}}
  - {{generate: lattice, lattice: sc, radius: {}, spacing: 4 cm, origin: [-3 cm, -3 cm, 0], count: [2, 2, 1]}}
{}
run: {{time: 10 s, step: {}, threads: 1}}
)",
                                         way.method, way.contacts, stiffness, radius, bodies, way.step);
    return Simulation(parseScene(text, "test.yaml", "."));
}

void advanceTo(Simulation& simulation, double time) {
    while (simulation.time() < time) simulation.advance(10);
}

// 6 cm by 6 cm under 10 kPa: 36 N. Each sphere is a spring between floor and plate.
TEST(ServoPlate, ReachesItsStressOnFourSpheres) {
    const double push = 36;
    for (const Way& way : ways) {
        Simulation s =
            overFourSpheres(way,
                            "  - {shape: box, size: [6 cm, 6 cm, 1 cm], position: [0, 0, 26 mm], group: plate,"
                            " motion: {type: servo, stress: 10 kPa, direction: [0, 0, -1], max_speed: 5 cm/s}}");
        advanceTo(s, 0.6);
        EXPECT_NEAR(s.measured("stress_plate"), 1e4, 100) << way.method << way.contacts;
        EXPECT_NEAR(s.measured("force_z_plate"), push, 0.01 * push) << way.method << way.contacts;
        EXPECT_NEAR(s.measured("force_z_floor"), -push - 4 * weight, 0.01 * push) << way.method << way.contacts;
        const double compression = way.contacts == "rigid" && way.method != "penalty" ? 0 : 2 * push / 4 / stiffness;
        EXPECT_NEAR(s.measured("position_z_plate"), 2 * radius + 0.005 - compression, 1e-2 * compression + 2e-6)
            << way.method << way.contacts;
        EXPECT_NEAR(s.measured("velocity_z_plate"), 0, 1e-4);
        EXPECT_EQ(s.measured("position_x_plate"), 0);
    }
}

// The lid falls, is caught by the spheres, and is pushed sideways by a force that its guide takes.
TEST(GuidedLid, RestsWithItsMassOnFourSpheres) {
    const double load = 0.4 * 9.81;
    for (const Way& way : ways) {
        Simulation s = overFourSpheres(way,
                                       "  - {shape: box, size: [6 cm, 6 cm, 1 cm], position: [0, 0, 26 mm], group: lid,"
                                       " free: {mass: 400 g, axes: [z]}, force: [5 N, 0, 0]}");
        advanceTo(s, 0.01);
        EXPECT_NEAR(s.measured("velocity_z_lid"), -9.81 * s.time(), 1e-9) << way.method;
        advanceTo(s, 0.6);
        EXPECT_NEAR(s.measured("force_z_lid"), load, 1e-3 * load) << way.method << way.contacts;
        EXPECT_NEAR(s.measured("force_z_floor"), -load - 4 * weight, 1e-3 * load) << way.method << way.contacts;
        EXPECT_EQ(s.measured("position_x_lid"), 0);
        EXPECT_EQ(s.measured("displacement_y_lid"), 0);
        EXPECT_LT(std::abs(s.measured("energy_error")), 0.01) << way.method << way.contacts;
    }
}

// A sphere flies against the side of a box that can only go up and down: it comes back as from a wall, and the box
// stays. The force on the box counts although it cannot follow it.
TEST(GuidedBox, IsAWallAcrossItsGuide) {
    for (const Way& way : {ways[0], ways[2]}) {
        Simulation s =
            overFourSpheres(way,
                            "  - {shape: box, size: [2 cm, 10 cm, 10 cm], position: [20 cm, 0, 50 cm], group: "
                            "gate, free: {axes: [z]}}\n"
                            "  - {shape: sphere, radius: 1 cm, position: [17 cm, 0, 50 cm], velocity: [1, 0, 0]}");
        double largest = 0;
        while (s.time() < 0.05) {
            s.advance(1);
            largest = std::max(largest, s.measured("force_x_gate"));
        }
        const std::vector<BodyState> bodies = s.bodies();
        EXPECT_NEAR(bodies.back().velocity.x, -0.2, 0.02) << way.method;
        EXPECT_EQ(s.measured("position_x_gate"), 0.2) << way.method;
        EXPECT_NEAR(s.measured("velocity_z_gate"), -9.81 * s.time(), 0.02) << way.method;
        EXPECT_GT(largest, 0) << way.method;
    }
}

// A long box that lies askew would tumble; in its guide it keeps its spin about z, and its energy.
TEST(GuidedBox, TurnsAboutTheAxisLeftToIt) {
    for (const Way& way : {ways[0], ways[2]}) {
        Simulation s =
            overFourSpheres(way,
                            "  - {shape: box, size: [1 cm, 2 cm, 8 cm], position: [0, 0, 2 m], rotation: [0.5, "
                            "0.3, 0.2], spin: [0, 0, 10], group: stick, free: {axes: [x], turns: [z]}}");
        s.advance(1);
        const double energy = s.energy().kinetic;
        advanceTo(s, 0.2);
        const BodyState stick = s.bodies().back();
        EXPECT_NEAR(stick.spin.z, 10, 1e-9) << way.method;
        EXPECT_NEAR(norm(stick.spin), 10, 1e-9) << way.method;
        EXPECT_NEAR(s.energy().kinetic, energy, 1e-3 * energy) << way.method;
        EXPECT_EQ(stick.position.z, 2.0) << way.method;
        const Quat start = rotationBy({0.5, 0.3, 0.2}), turned = rotationBy({0, 0, 10 * s.time()}) * start;
        const double same = turned.w * stick.orientation.w + turned.x * stick.orientation.x +
                            turned.y * stick.orientation.y + turned.z * stick.orientation.z;
        EXPECT_NEAR(std::abs(same), 1, 1e-6) << way.method;
    }
}

// Two plates press on spheres between them, and a held frame: what is steered does not touch what is steered.
TEST(ServoPlate, PassesThroughOtherPlates) {
    for (const Way& way : ways) {
        Simulation s = overFourSpheres(
            way,
            "  - {shape: box, size: [6 cm, 6 cm, 1 cm], position: [0, 0, 26 mm], group: plate, motion: {type: servo, "
            "force: 20 N, direction: [0, 0, -1], max_speed: 5 cm/s}}\n"
            "  - {shape: box, size: [1 cm, 8 cm, 8 cm], position: [33 mm, 0, 2 cm], group: side, fixed: true}");
        advanceTo(s, 0.6);
        EXPECT_NEAR(s.measured("force_z_plate"), 20, 0.2) << way.method << way.contacts;
    }
}

}  // namespace
}  // namespace talus
