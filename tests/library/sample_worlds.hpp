// Worlds built by calls, and the same ones as scenes.
#pragma once

#include <string>

#include "talus/simulation.hpp"
#include "talus/stepper.hpp"
#include "talus/world.hpp"

namespace talus {

inline Simulation simulate(const std::string& scene) { return Simulation(parseScene(scene, "scene.yaml", ".")); }

// A ball of glass above a plane.
struct BallWorld {
    World world;
    MaterialId glass = world.addMaterial({.density = 2500, .friction = 0.5, .name = "glass"});
    BodyId floor = world.addWall(Plane{}, {.material = glass});
    BodyId ball = world.addBody(Sphere{5e-3}, {.position = {0, 0, 0.02}, .material = glass});
};

// Spheres of two sizes that fall into a box.
inline World settlingWorld() {
    World world;
    const MaterialId glass = world.addMaterial({.friction = 0.4, .name = "glass"});
    world.addWall(Container{.centre = {0.02, 0.02, 0.03}, .size = {0.04, 0.04, 0.06}, .open = {BoxFace::highZ}},
                  {.material = glass});
    world.fill({.region = BoxRegion{{0, 0, 0}, {0.04, 0.04, 0.05}}, .radius = UniformSize{2e-3, 3e-3}, .count = 60},
               {.material = glass});
    return world;
}

}  // namespace talus
