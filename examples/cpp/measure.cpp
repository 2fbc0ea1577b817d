// The example of talus/measure.hpp: energies, stress and columns of a pile that settles.
#include <fmt/core.h>

#include <filesystem>

#include <talus/measure.hpp>
#include <talus/stepper.hpp>

using namespace talus;

int main() {
    World world;
    const MaterialId glass = world.addMaterial({.density = 2500, .friction = 0.5});
    world.addWall(Container{.centre = {0.05, 0.05, 0.05}, .size = {0.1, 0.1, 0.1}, .open = {BoxFace::highZ}},
                  {.material = glass});
    world.addLattice(
        {.lattice = Lattice::sc, .radius = 5e-3, .origin = {0, 0, 0}, .count = {{8, 8, 4}}, .jitter = 0.01},
        {.material = glass});
    Stepper stepper(ContactDynamics{.step = 1e-3});
    stepper.advance(world, 300);

    EnergyState energy = energyOf(world);
    Mat3 stress = stressIn(world, {{0, 0, 0}, {0.1, 0.1, 0.1}});
    double vertical = stress(2, 2);
    double coordination = measureColumn(world, "coordination");
    fmt::print("{:.2g} J in motion, {:.3g} Pa upright, {:.3g} contacts per grain\n", energy.kinetic, vertical,
               coordination);

    ResultWriter writer(std::filesystem::temp_directory_path() / "talus-example-measure");
    writer.writeFrame(world);
    writer.writeRow(world);
    return coordination > 2 ? 0 : 1;
}
