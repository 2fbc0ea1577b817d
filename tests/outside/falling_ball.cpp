// A ball falls freely; prints its height, m, after 10 ms.
#include <talus/error.hpp>
#include <talus/simulation.hpp>

#include <cstdio>

int main() {
    const talus::Scene scene = talus::parseScene(R"(
materials: {glass: {}}
bodies: [{shape: sphere, radius: 5 mm, position: [0, 0, 20 mm]}]
run: {time: 10 ms, step: 10 us}
)",
                                                 "ball.yaml", ".");
    talus::Simulation simulation(scene);
    simulation.advance(1000);
    std::printf("%.9f\n", simulation.bodies().at(0).position.z);
    try {
        talus::parseScene("bodies: 1", "wrong.yaml", ".");
    } catch (const talus::InputError&) {
        return 0;  // errors cross the border of the library as what they are
    }
    return 1;
}
