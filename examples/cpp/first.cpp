// A ball falls onto a plane and is pushed to and fro: the first program of docs/library.md.
#include <fmt/core.h>

#include <talus/talus.hpp>

int main() {
    using namespace talus;
    World world({.gravity = {0, 0, -9.81}});
    MaterialId glass = world.addMaterial({.density = 2500, .friction = 0.5});
    world.addWall(Plane{}, {.material = glass});
    BodyId ball = world.addBody(Sphere{5e-3}, {.position = {0, 0, 0.02}, .material = glass});
    Stepper stepper(ContactDynamics{.step = 1e-3, .tolerance = 1e-6});
    stepper.addForce([=](const World& w, Forces& f) { f.add(ball, {0.1 * std::sin(w.time()), 0, 0}); });
    while (world.time() < 0.2) {
        StepReport report = stepper.step(world);
        fmt::print("{:.4f} {:.1e}\n", world.position(ball).z, report.solve.residual);
    }
}
