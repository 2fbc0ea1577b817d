// The example of talus/world.hpp: a world built and changed by calls, read as plain arrays.
#include <fmt/core.h>

#include <talus/stepper.hpp>
#include <talus/world.hpp>

using namespace talus;

int main() {
    Vec3 sum;
    const auto use = [&](const Vec3& force) { sum += force; };

    World world({.gravity = {0, 0, -9.81}});
    MaterialId glass = world.addMaterial({.density = 2500, .friction = 0.5});
    world.addWall(Plane{}, {.material = glass});
    BodyId ball = world.addBody(Sphere{5e-3}, {.position = {0, 0, 0.02}, .material = glass});
    world.fill(
        {.region = BoxRegion{{-0.05, -0.05, 0.05}, {0.05, 0.05, 0.1}}, .radius = UniformSize{2e-3, 4e-3}, .count = 100},
        {.material = glass});
    world.setVelocity(ball, {0.1, 0, 0});

    Stepper stepper(ContactDynamics{});  // the step is chosen: grains may fall fast
    while (world.time() < 0.2) stepper.step(world);
    for (const Contact& contact : world.contacts()) use(contact.force);
    fmt::print("{} bodies, {} contacts, {:.3g} N of weight carried\n", world.bodyCount(), world.contacts().size(),
               sum.z);
    return world.contacts().empty() ? 1 : 0;
}
