// The example of talus/method.hpp: the same world moved by three methods, one after the other.
#include <fmt/core.h>

#include <talus/stepper.hpp>

using namespace talus;

int main() {
    World world({.contactLaw = {.kinds = {.normal = NormalLaw::hooke}}});
    const MaterialId glass = world.addMaterial({.density = 2500, .friction = 0.5, .stiffness = 1e4});
    world.addWall(Plane{}, {.material = glass});
    const BodyId ball = world.addBody(Sphere{5e-3}, {.position = {0, 0, 4.9995e-3}, .material = glass});

    Stepper soft(Penalty{.step = 2e-6});                              // soft contacts, short steps
    Stepper rigid(ContactDynamics{.step = 1e-3, .tolerance = 1e-6});  // rigid contacts, long steps
    Stepper slow(QuasiStatic{.equilibrium = {.tolerance = 1e-5}});    // equilibrium, no inertia
    for (Stepper* stepper : {&soft, &rigid, &slow}) {
        stepper->advance(world, 10);
        fmt::print("{}: z = {:.6g} m\n", stepper->stepReason(), world.position(ball).z);
    }
}
