// A box of grains that fall and collide, made without a scene file: for tests of the step itself.
#pragma once

#include "base/random.hpp"
#include "laws/pair_law.hpp"
#include "model/world.hpp"

namespace talus::test {

struct FallingGrains {
    int perEdge = 8;       // grains along each edge of the starting lattice
    double radius = 1e-3;  // m, largest; the smallest is 0.8 of it
    double speed = 0.5;    // m/s, largest component at the start
    double restitution = 0.6;
    LawKinds kinds;
    bool walls = true;          // a box around the lattice
    Vec3 gravity{0, 0, -9.81};  // m/s^2
};

inline Materials makeGlass(const LawKinds& kinds, double restitution) {
    const ElasticProperties elastic{.youngsModulus = 2e6};
    const ContactProperties contact{
        .friction = 0.4, .restitution = restitution, .rollingFriction = 0.1, .adhesionWork = 0.02};
    return {.list = {{.name = "glass", .density = 2500, .youngsModulus = elastic.youngsModulus}},
            .laws = {makePairLaw(kinds, DampingLaw::restitution, elastic, elastic, contact)},
            .kinds = kinds};
}

inline WorldState makeFallingGrains(const FallingGrains& choice) {
    WorldState world;
    world.gravity = choice.gravity;
    world.materials = makeGlass(choice.kinds, choice.restitution);
    Random random(7, 0);
    const double spacing = 2.02 * choice.radius, edge = spacing * choice.perEdge;
    std::vector<BodyDefinition> grains;
    for (int k = 0; k < choice.perEdge * choice.perEdge * choice.perEdge; ++k) {
        const int x = k % choice.perEdge, y = k / choice.perEdge % choice.perEdge,
                  z = k / choice.perEdge / choice.perEdge;
        const Vec3 most{choice.speed, choice.speed, choice.speed};
        BodyDefinition grain;
        grain.radius = choice.radius * random.uniform(0.8, 1.0);
        grain.position = spacing * Vec3{x + 0.5, y + 0.5, z + 0.5};
        grain.velocity = random.inBox(-most, most);
        grain.spin = (0.2 / choice.radius) * random.inBox(-most, most);
        grains.push_back(grain);
    }
    addGrains(world, grains);
    if (choice.walls) {
        world.shapes.add(BoxWall{.halfSize = {edge / 2, edge / 2, edge / 2}});
        addBody(world, {.shape = 1, .position = {edge / 2, edge / 2, edge / 2}});
    }
    return world;
}

}  // namespace talus::test
