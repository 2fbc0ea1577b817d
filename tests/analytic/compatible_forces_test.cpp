// contact_dynamics.forces: compatible, from a scene to the forces of its contacts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>

#include "talus/error.hpp"
#include "talus/simulation.hpp"

namespace talus {
namespace {

struct PyramidScene {
    std::string normal = "hooke";
    double friction = 0;
    std::string contactDynamics = "forces: compatible";
    int base = 4;
};

// Spheres of radius 1, hard and soft ones like the fields of a chessboard, on a fixed layer.
std::string pyramidScene(const PyramidScene& s) {
    std::string bodies;
    for (int layer = 0; layer < s.base; ++layer) {
        for (int y = 0; y < s.base - layer; ++y) {
            for (int x = 0; x < s.base - layer; ++x) {
                bodies += fmt::format("  - {{shape: sphere, radius: 1, position: [{}, {}, {:.17g}], material: {}{}}}\n",
                                      2 * x + layer, 2 * y + layer, layer * std::sqrt(2.0),
                                      (x + y) % 2 == 0 ? "hard" : "soft", layer == 0 ? ", fixed: true" : "");
            }
        }
    }
    return fmt::format(R"(
method: contact-dynamics
contact_dynamics: {{{}}}
contact_law: {{normal: {}}}
materials:
  hard: {{friction: {}, restitution: 0, youngs_modulus: 1 GPa, poisson_ratio: 0.2, density: 1000}}
  soft: {{friction: {}, restitution: 0, youngs_modulus: 0.1 GPa, poisson_ratio: 0.2, density: 500}}
bodies:
{}run: {{time: 1, step: 1 ms, threads: 1}}
)",
                       s.contactDynamics, s.normal, s.friction, s.friction, bodies);
}

Simulation afterOneStep(const std::string& scene) {
    Simulation simulation(parseScene(scene, "pyramid", {}));
    simulation.advance(1);
    return simulation;
}

// Relative stiffness of two touching spheres of radius 1, by the ids of their materials: hooke 4 E* R, hertz 4/3 E*
// sqrt(R); of which only E* differs.
double effectiveModulus(bool hardA, bool hardB) {
    const auto modulus = [](bool hard) { return (hard ? 1e9 : 1e8) / (1 - 0.2 * 0.2); };
    return 1 / (1 / modulus(hardA) + 1 / modulus(hardB));
}

// Least squares with which forces follow from a displacement of the free spheres: c_i = (f_i/k_i)^(1/(p-1)) must be
// one.
double incompatibility(const Simulation& simulation, double power, const std::map<std::uint32_t, bool>& isHard) {
    const std::vector<BodyState> bodies = simulation.bodies();
    std::vector<ContactState> loaded;
    for (const ContactState& c : simulation.contacts()) {
        if (dot(c.force, c.normal) > 0) loaded.push_back(c);
    }
    Eigen::MatrixXd closing =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(loaded.size()), 3 * static_cast<Eigen::Index>(bodies.size()));
    Eigen::VectorXd compression(closing.rows());
    for (Eigen::Index i = 0; i < closing.rows(); ++i) {
        const ContactState& c = loaded[static_cast<std::size_t>(i)];
        for (int axis = 0; axis < 3; ++axis) {
            if (bodies[c.owner].mass > 0) closing(i, 3 * c.owner + axis) = -c.normal[axis];
            if (bodies[c.partner].mass > 0) closing(i, 3 * c.partner + axis) = c.normal[axis];
        }
        const double k = effectiveModulus(isHard.at(c.owner), isHard.at(c.partner));
        compression[i] = std::pow(dot(c.force, c.normal) / k, 1 / (power - 1));
    }
    const Eigen::VectorXd displacement = closing.completeOrthogonalDecomposition().solve(compression);
    return (closing * displacement - compression).norm() / compression.norm();
}

std::map<std::uint32_t, bool> hardness(const Simulation& simulation) {
    std::map<std::uint32_t, bool> isHard;
    for (const BodyState& b : simulation.bodies()) {
        const double layer = std::round(b.position.z / std::sqrt(2.0));
        const long x = std::lround(0.5 * (b.position.x - layer)), y = std::lround(0.5 * (b.position.y - layer));
        isHard[b.id] = (x + y) % 2 == 0;
    }
    return isHard;
}

TEST(CompatibleScene, HasForcesOfOneDisplacementOfItsSpheres) {
    for (const auto& [normal, power] : {std::pair{"hooke", 2.0}, std::pair{"hertz", 2.5}}) {
        for (const char* method : {"newton", "augmented-lagrangian"}) {
            const Simulation simulation = afterOneStep(
                pyramidScene({.normal = normal,
                              .contactDynamics = fmt::format("forces: compatible, compatible_method: {}", method)}));
            EXPECT_LT(incompatibility(simulation, power, hardness(simulation)), 1e-7) << normal << ' ' << method;
            const double wrong = power == 2 ? 2.5 : 2;
            EXPECT_GT(incompatibility(simulation, wrong, hardness(simulation)), 1e-3) << "cannot tell laws apart";
        }
    }
    const Simulation classic = afterOneStep(pyramidScene({.contactDynamics = "forces: solver"}));
    EXPECT_GT(incompatibility(classic, 2, hardness(classic)), 1e-2) << "is compatible anyway";
}

TEST(CompatibleScene, BalancesTheWeightOfEverySphere) {
    const Simulation simulation = afterOneStep(pyramidScene({.normal = "hertz", .base = 5}));
    for (const BodyState& b : simulation.bodies()) {
        if (b.mass == 0) continue;
        EXPECT_NEAR(norm(b.force - Vec3{0, 0, 9.81 * b.mass}), 0, 1e-8 * b.mass);
        EXPECT_LT(norm(b.velocity), 1e-12);
    }
}

TEST(CompatibleScene, DoesNotDependOnTheSolver) {
    std::vector<std::vector<ContactState>> found;
    for (const char* solver : {"gauss-seidel", "apgd", "interior-point"}) {
        const auto settings = fmt::format("forces: compatible, solver: {}", solver);
        found.push_back(afterOneStep(pyramidScene({.normal = "hertz", .contactDynamics = settings})).contacts());
    }
    ASSERT_FALSE(found[0].empty());
    for (const auto& other : found) {
        ASSERT_EQ(other.size(), found[0].size());
        for (std::size_t i = 0; i < other.size(); ++i) {
            EXPECT_LT(norm(other[i].force - found[0][i].force), 1e-6);  // of some 1e4 N
        }
    }
}

// So near each other that they are contacts of the problem, but nothing pushes them together.
TEST(CompatibleScene, LetsGrainsThatTouchNothingFly) {
    for (const char* normal : {"hooke", "hertz"}) {
        Simulation simulation(parseScene(fmt::format(R"(
method: contact-dynamics
contact_dynamics: {{forces: compatible}}
contact_law: {{normal: {}}}
materials:
  glass: {{friction: 0.5, restitution: 0, youngs_modulus: 1 GPa, poisson_ratio: 0.2, density: 1000}}
bodies:
  - {{shape: sphere, radius: 1, position: [0, 0, 0], velocity: [0.1, 0, 0]}}
  - {{shape: sphere, radius: 1, position: [2.001, 0, 0], velocity: [0.1, 0, 0]}}
run: {{time: 1, step: 1 ms, threads: 1}}
)",
                                                     normal),
                                         "flight", {}));
        simulation.advance(3);
        for (const BodyState& b : simulation.bodies()) EXPECT_NEAR(b.velocity.z, -9.81 * 3e-3, 1e-12) << normal;
    }
}

TEST(CompatibleScene, WithFrictionHoldsTheWeightToo) {
    for (const char* normal : {"hooke", "hertz"}) {
        const Simulation simulation = afterOneStep(pyramidScene({.normal = normal, .friction = 0.3, .base = 3}));
        for (const BodyState& b : simulation.bodies()) {
            if (b.mass == 0) continue;
            EXPECT_NEAR(norm(b.force - Vec3{0, 0, 9.81 * b.mass}), 0, 1e-4 * 9.81 * b.mass) << normal;
        }
    }
}

// A pyramid of 14 spheres on a floor without a rim, which Coulomb's law lets stand or fall apart: springs that are
// loaded bit by bit let it stand from a friction of 0.7 on.
TEST(CompatibleScene, StandsWhereStiffSpringsDo) {
    for (const double friction : {0.8, 0.9, 1.0}) {
        Simulation simulation(parseScene(fmt::format(R"(
method: contact-dynamics
contact_dynamics: {{solver: interior-point, tolerance: 1e-8, forces: compatible, restitution: none}}
contact_law: {{normal: hooke}}
materials: {{glass: {{friction: {}, tangential_ratio: 0.4, stiffness: 1e6}}}}
bodies: [{{shape: plane}}, {{generate: pyramid, base: 3, radius: 0.01}}]
run: {{time: 1, step: 1 ms, threads: 1}}
)",
                                                     friction),
                                         "heap", {}));
        simulation.advance(3);
        for (const BodyState& b : simulation.bodies()) EXPECT_LT(norm(b.velocity), 1e-8) << friction;
    }
}

TEST(CompatibleScene, IsRefusedWhereContactsAreElastic) {
    const std::string elastic = pyramidScene({.contactDynamics = "forces: compatible, contacts: elastic"});
    EXPECT_THROW(parseScene(elastic, "pyramid", {}), InputError);
    std::string quasiStatic = pyramidScene({});
    quasiStatic.replace(quasiStatic.find("contact-dynamics"), std::string("contact-dynamics").size(), "quasi-static");
    EXPECT_THROW(parseScene(quasiStatic, "pyramid", {}), InputError);
}

}  // namespace
}  // namespace talus
