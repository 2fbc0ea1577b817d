// A ball falls freely; prints its height, m, after 10 ms.
#include <talus/talus.hpp>

#include <cstdio>

int main() {
    talus::World world({.gravity = {0, 0, -9.81}});
    const talus::MaterialId glass = world.addMaterial({.density = 2500});
    const talus::BodyId ball = world.addBody(talus::Sphere{5e-3}, {.position = {0, 0, 0.02}, .material = glass});
    talus::Stepper stepper(talus::Penalty{.step = 1e-5});
    stepper.advance(world, 1000);
    std::printf("%.9f\n", world.position(ball).z);
    try {
        world.addBody(talus::Sphere{-1}, {.material = glass});
    } catch (const talus::InputError&) {
        return 0;  // errors cross the border of the library as what they are
    }
    return 1;
}
