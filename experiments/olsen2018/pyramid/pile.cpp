#include "experiments/olsen2018/pyramid/pile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/results.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

constexpr std::uint64_t partsOfRun = 50;  // between which progress is shown

Scene sceneOfSize(const Trial& trial) {
    Scene scene = trial.scene("pyramid.yaml");
    kindOf<PyramidBodies>(scene, 0).base = trial.pick(6, 20);
    return scene;
}

// Even places of the list are soft.
bool isSoft(const PileLaw& law, std::size_t index) { return law.twoSpecies && index % 2 == 0; }

std::string tableOfSpheres(const PileLaw& law, const std::vector<BodyState>& bodies) {
    std::string table = "x,y,z,radius,material,fixed\n";
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const BodyState& b = bodies[k];
        table += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g},{},{}\n", b.position.x, b.position.y, b.position.z,
                             b.radius, isSoft(law, k) ? "soft" : "glass", b.mass == 0 ? 1 : 0);
    }
    return table;
}

PileForces measure(const Simulation& simulation) {
    PileForces found;
    for (const BodyState& body : simulation.bodies()) {
        if (body.mass == 0) found.floor.push_back(-body.force.z);
        found.fastest = std::max(found.fastest, norm(body.velocity));
    }
    for (const ContactState& c : simulation.contacts()) {
        found.contacts[std::minmax(c.owner, c.partner)] = dot(c.force, c.normal);
    }
    return found;
}

// Relative stiffness of a contact: springs in series.
double relativeStiffness(const Scene& scene, const PileLaw& law, std::size_t a, std::size_t b) {
    const auto compliance = [&](std::size_t k) {
        return 1 / scene.materials.at(isSoft(law, k) ? "soft" : "glass").elastic.youngsModulus;
    };
    return 1 / (compliance(a) + compliance(b));
}

std::vector<Spring> springsOf(const std::vector<BodyState>& bodies) {
    std::vector<Spring> springs;
    for (std::size_t a = 0; a < bodies.size(); ++a) {
        for (std::size_t b = a + 1; b < bodies.size(); ++b) {
            const Vec3 branch = bodies[a].position - bodies[b].position;
            const double touching = bodies[a].radius + bodies[b].radius;
            const bool bothFixed = bodies[a].mass == 0 && bodies[b].mass == 0;
            if (bothFixed || norm(branch) > touching * (1 + 1e-9)) continue;
            springs.push_back({a, b, normalized(branch)});
        }
    }
    return springs;
}

}  // namespace

Scene pileScene(const Trial& trial, const PileLaw& law) {
    Scene scene = sceneOfSize(trial);
    scene.contactLaw.kinds.normal = law.normal;
    if (law.twoSpecies) {
        writeResultFile(trial.folder() / "spheres.csv", tableOfSpheres(law, Simulation(scene).bodies()));
        scene.bodies.front() = {.kind = CsvBodies{"spheres.csv"}, .material = "glass"};
    }
    return scene;
}

PileForces settle(const Trial& trial, const Scene& scene, const std::string& what, double begin, double end) {
    Simulation simulation(scene);
    const auto steps = static_cast<std::uint64_t>(std::llround(scene.run.time / simulation.stepLength()));
    for (std::uint64_t part = 0; part < partsOfRun; ++part) {
        trial.progress(fmt::format("{}, {:.4f} s", what, simulation.time()),
                       begin + (end - begin) * static_cast<double>(part) / partsOfRun);
        simulation.advance(steps * (part + 1) / partsOfRun - steps * part / partsOfRun);
    }
    return measure(simulation);
}

PileForces minimumOfPile(const Trial& trial, const PileLaw& law) {
    Scene scene = sceneOfSize(trial);
    kindOf<PyramidBodies>(scene, 0).layerGap = 0;
    const std::vector<BodyState> bodies = Simulation(scene).bodies();
    SpringNetwork network{.springs = springsOf(bodies), .power = law.normal == NormalLaw::hertz ? 2.5 : 2.0};
    for (const BodyState& body : bodies) {
        network.load.push_back(body.mass * scene.gravity);
        network.fixed.push_back(body.mass == 0);
    }
    for (Spring& s : network.springs) s.stiffness = relativeStiffness(scene, law, s.a, s.b);

    const NetworkForces answer = minimiseElasticEnergy(network);
    PileForces found;
    std::vector<double> floor(bodies.size(), 0.0);
    for (std::size_t k = 0; k < network.springs.size(); ++k) {
        const Spring& s = network.springs[k];
        found.contacts[{bodies[s.a].id, bodies[s.b].id}] = answer.force[k];
        floor[s.a] -= answer.force[k] * s.normal.z;
        floor[s.b] += answer.force[k] * s.normal.z;
    }
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        if (bodies[k].mass == 0) found.floor.push_back(floor[k]);
    }
    return found;
}

double relativeError(const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0, size = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
        difference += (a.at(k) - b[k]) * (a.at(k) - b[k]);
        size += b[k] * b[k];
    }
    return std::sqrt(difference / size);
}

double relativeError(const std::map<BodyPair, double>& a, const std::map<BodyPair, double>& b) {
    // Contacts that one of them does not have carry nothing there.
    std::map<BodyPair, double> difference = a;
    for (const auto& [pair, force] : b) difference[pair] -= force;
    const auto size = [](const std::map<BodyPair, double>& forces) {
        double sum = 0;
        for (const auto& [pair, force] : forces) sum += force * force;
        return std::sqrt(sum);
    };
    return size(difference) / size(b);
}

double largestForce(const PileForces& forces) {
    double largest = 0;
    for (const auto& [pair, force] : forces.contacts) largest = std::max(largest, force);
    return largest;
}

}  // namespace talus::reproduce
