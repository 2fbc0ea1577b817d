// The example of talus/stepper.hpp: steps, a force of one's own, and what a step reports.
#include <fmt/core.h>

#include <cmath>

#include <talus/stepper.hpp>

using namespace talus;

int main() {
    int warnings = 0;
    const auto warn = [&](double residual) {
        ++warnings;
        fmt::print("left at {:.1e}\n", residual);
    };
    World world;
    const MaterialId glass = world.addMaterial({.density = 2500, .friction = 0.5});
    world.addWall(Plane{}, {.material = glass});
    const BodyId ball = world.addBody(Sphere{5e-3}, {.position = {0, 0, 5e-3}, .material = glass});

    Stepper stepper(ContactDynamics{.step = 1e-3, .tolerance = 1e-6});
    stepper.addForce([=](const World& w, Forces& f) { f.add(ball, {0.1 * std::sin(w.time()), 0, 0}); });
    while (world.time() < 0.2) {
        StepReport report = stepper.step(world);
        if (!report.solve.converged()) warn(report.solve.residual);
    }
    fmt::print("{} steps of {} s, the ball at x = {:.4g} m\n", world.stepCount(), stepper.stepLength(),
               world.position(ball).x);
    return warnings;
}
