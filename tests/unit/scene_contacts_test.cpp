// Contact values that do not fit each other, the method, the law or the solver.
#include <gtest/gtest.h>

#include "io/scene/scene_rules.hpp"
#include "unit/scene_samples.hpp"

namespace talus {
namespace {

TEST(Scene, YieldingContactsNeedSpringsAndLimitsThatFit) {
    const auto with = [](const std::vector<std::string>& more) {
        std::vector<std::string> all{"method=contact-dynamics", "contact_dynamics.contacts=elastic",
                                     "contact_law.normal=hooke", "contact_law.cohesion=constant",
                                     "materials.glass.cohesion_force=2"};
        all.insert(all.end(), more.begin(), more.end());
        return errorOf(smallScene, all);
    };
    const auto names = [](const std::string& error, const std::string& key) {
        return error.find(key) != std::string::npos;
    };
    EXPECT_EQ(with({}), "accepted");
    EXPECT_EQ(with({"materials.glass.cap=5", "materials.glass.rounding=1", "materials.glass.damping_time=0.1",
                    "materials.glass.bond_stretch=1e-4", "materials.glass.cohesion_hardening=-10",
                    "contact_dynamics.friction_law=associated"}),
              "accepted");
    EXPECT_TRUE(names(with({"materials.glass.cap=1.5"}), "materials.glass.cap"));
    EXPECT_TRUE(names(with({"materials.glass.cap=2.5", "materials.glass.rounding=1"}), "materials.glass.cap"));
    EXPECT_TRUE(names(with({"materials.glass.stiffness=-1"}), "materials.glass.stiffness"));
    EXPECT_TRUE(names(with({"materials.glass.damping_time=-1"}), "materials.glass.damping_time"));
    EXPECT_TRUE(names(with({"materials.glass.cap_hardening=1"}), "cap_hardening"));
    EXPECT_TRUE(names(with({"materials.glass.rounding_hardening=1"}), "rounding_hardening"));
    EXPECT_TRUE(names(with({"materials.glass.rounding=1"}), "contact_dynamics.friction_law"));
    EXPECT_TRUE(names(with({"contact_law.cohesion=none", "materials.glass.bond_stretch=1e-4"}), "bond_stretch"));
    EXPECT_TRUE(names(with({"contact_dynamics.theta=0.5"}), "contact_dynamics.theta"));
    EXPECT_EQ(with({"materials.glass.cap=5", "contact_dynamics.solver=interior-point"}), "accepted");
    EXPECT_EQ(with({"materials.glass.cap=5", "contact_dynamics.solver=newton"}), "accepted");
    EXPECT_EQ(with({"materials.glass.cap_stress=5 MPa", "materials.glass.cohesion_stress=10 kPa",
                    "materials.glass.damping_rate=10 Hz"}),
              "accepted");
    EXPECT_TRUE(names(with({"materials.glass.cap_stress=5", "materials.glass.cohesion_stress=6"}), "cap_stress"));
    EXPECT_TRUE(names(with({"materials.glass.cohesion_stress=6", "contact_law.cohesion=dmt"}), "cohesion_stress"));
    EXPECT_TRUE(names(with({"materials.glass.rounding_stress=6"}), "contact_dynamics.friction_law"));
    EXPECT_TRUE(names(with({"materials.glass.damping_rate=1", "contact_dynamics.contacts=rigid"}), "damping_rate"));
    EXPECT_TRUE(names(with({"materials.glass.damping_time=0.1", "contact_dynamics.contacts=rigid"}), "damping_time"));
    EXPECT_TRUE(names(with({"materials.glass.cap=5", "method=quasi-static"}), "materials.glass.cap"));
}

TEST(Scene, RollingResistanceOfContactDynamicsIsConstant) {
    const auto with = [](const std::vector<std::string>& more) {
        std::vector<std::string> all{"method=contact-dynamics", "materials.glass.rolling_friction=0.1",
                                     "contact_law.rolling=constant"};
        all.insert(all.end(), more.begin(), more.end());
        return errorOf(smallScene, all);
    };
    EXPECT_EQ(with({}), "accepted");
    EXPECT_NE(with({"contact_law.rolling=spring"}).find("contact_law.rolling"), std::string::npos);
    EXPECT_EQ(with({"contact_dynamics.solver=interior-point"}), "accepted");
    EXPECT_NE(with({"contact_dynamics.forces=compatible"}).find("contact_dynamics.forces"), std::string::npos);
    EXPECT_NE(with({"method=quasi-static", "contact_law.normal=hooke"}).find("contact_law.rolling"), std::string::npos);
}

TEST(Scene, ADilationAngleNeedsTheLawAndTheSolverThatKnowIt) {
    const std::vector<std::string> all{"method=contact-dynamics", "contact_dynamics.friction_law=associated",
                                       "contact_dynamics.solver=interior-point", "materials.glass.dilation_angle=0.1"};
    const auto with = [&](const std::string& last) {
        std::vector<std::string> changed = all;
        if (!last.empty()) changed.push_back(last);
        return errorOf(smallScene, changed);
    };
    EXPECT_EQ(with(""), "accepted");
    EXPECT_EQ(with("contact_dynamics.solver=auto"), "accepted");
    EXPECT_NE(with("materials.glass.dilation_angle=0.4").find("friction angle"), std::string::npos);
    EXPECT_NE(with("contact_dynamics.friction_law=coulomb").find("friction_law"), std::string::npos);
    EXPECT_NE(with("contact_dynamics.solver=apgd").find("contact_dynamics.solver"), std::string::npos);
}

// Limits of unlike materials are mixed, and then must fit each other again.
TEST(Scene, MixedContactsKeepTheRulesOfContacts) {
    const std::string scene = R"(method: contact-dynamics
contact_law: {normal: hooke, cohesion: constant}
contact_dynamics: {contacts: elastic}
materials:
  clay: {cohesion_force: 100 N, cap: 200 N}
  sand: {cohesion_force: 1 N, cap: 2 N}
bodies:
  - {shape: sphere, radius: 2 mm, position: [0, 0, 1 cm], material: clay}
run: {time: 0.5 s}
)";
    EXPECT_NE(errorOf(scene).find("pairs[clay, sand].cap: must be above"), std::string::npos) << errorOf(scene);
    EXPECT_EQ(errorOf(scene, {"pairs=[{between: [sand, clay], cap: 20 N}]"}), "accepted");
    EXPECT_NE(errorOf(scene, {"pairs=[{between: [sand, clay], cap: 9 N}]"}).find("pairs[0].cap"), std::string::npos);
}

// 1 kPa is 3 mN between two of the grains, and 13 mN on a plane.
TEST(Scene, ACapAsAForceIsComparedWithStressesForTheGrainsThereAre) {
    const auto with = [](const std::string& cap) {
        return errorOf(smallScene, {"method=contact-dynamics", "contact_law={normal: hooke, cohesion: constant}",
                                    "contact_dynamics.contacts=elastic", "materials.glass.cohesion_stress=1 kPa",
                                    "materials.glass.cap=" + cap});
    };
    EXPECT_EQ(with("13 mN"), "accepted");
    EXPECT_NE(with("12 mN").find("materials.glass.cap: must be above what contacts bear in tension"),
              std::string::npos);
}

TEST(Scene, MixedContactsDilateNoMoreThanTheyRub) {
    const std::string scene = R"(method: contact-dynamics
contact_dynamics: {friction_law: associated, solver: auto}
materials:
  rough: {friction: 1, dilation_angle: 0.7}
  smooth: {friction: 0}
bodies:
  - {shape: sphere, radius: 2 mm, position: [0, 0, 1 cm], material: rough}
run: {time: 0.5 s}
)";
    const Scene read = parse(scene);
    EXPECT_EQ(
        contactBetween(materialsOf(read), materialIndex(read, "rough"), materialIndex(read, "smooth")).dilationAngle,
        0);
    EXPECT_NEAR(
        contactBetween(materialsOf(read), materialIndex(read, "rough"), materialIndex(read, "rough")).dilationAngle,
        0.7, 1e-15);
    EXPECT_EQ(errorOf(scene), "accepted");
}

TEST(Scene, ElasticContactsOfAProblemMustBeLinear) {
    const std::string wanted = "contact_law.normal";
    EXPECT_NE(errorOf(smallScene, {"method=quasi-static"}).find(wanted), std::string::npos);
    EXPECT_NE(errorOf(smallScene, {"method=contact-dynamics", "contact_dynamics.contacts=elastic"}).find(wanted),
              std::string::npos);
    EXPECT_EQ(errorOf(smallScene, {"method=quasi-static", "contact_law.normal=hooke"}), "accepted");
    EXPECT_EQ(errorOf(smallScene, {"method=contact-dynamics"}), "accepted");
    EXPECT_NE(errorOf(smallScene, {"method=contact-dynamics", "contact_dynamics.theta=0.4"}), "accepted");
}

}  // namespace
}  // namespace talus
