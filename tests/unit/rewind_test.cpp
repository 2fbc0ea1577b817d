// A step that was stopped in the middle has not been: the world is as before, and goes on with the same bits.
#include <gtest/gtest.h>

#include "base/stop.hpp"
#include "measure/contact_sample.hpp"
#include "run/course.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

const std::string rigid = R"(
method: contact-dynamics
materials: {glass: {density: 2500, friction: 0.4}}
bodies:
  - {shape: container, centre: [0, 0, 10 mm], size: [8 mm, 8 mm, 20 mm], open: [+z], material: glass}
  - generate: lattice
    lattice: sc
    radius: 0.9 mm
    spacing: 2 mm
    origin: [-4 mm, -4 mm, 0]
    count: [4, 4, 5]
    velocity: [0, 0, -0.3]
    random_velocity: 0.1
    material: glass
run: {time: 40 ms, step: 0.2 ms}
)";

const std::string poured = R"(
method: contact-dynamics
materials: {glass: {density: 2500, friction: 0.4}}
bodies:
  - {shape: container, centre: [0, 0, 10 mm], size: [8 mm, 8 mm, 20 mm], open: [+z], material: glass}
sources:
  - {region: {low: [-3 mm, -3 mm, 1 mm], high: [3 mm, 3 mm, 10 mm]}, rate: 10000, radius: 0.8 mm, material: glass, velocity: [0, 0, -0.5]}
run: {time: 40 ms, step: 0.2 ms}
)";

const std::string squeezed = R"(
method: quasi-static
gravity: [0, 0, 0]
materials: {m: {density: 2000, youngs_modulus: 1 MPa, friction: 0.3}}
contact_law: {normal: hooke}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}
  - {generate: lattice, lattice: sc, radius: 1 mm, origin: [0, 0, 0], count: [2, 2, 2]}
  - {shape: plane, point: [0, 0, 4 mm], normal: [0, 0, -1], motion: {type: constant, velocity: [0, 0, -0.01]}}
run: {time: 4 ms, step: 0.1 ms}
)";

class StoppedSteps : public testing::TestWithParam<std::string> {
protected:
    ~StoppedSteps() override { forgetStop(); }
};

TEST_P(StoppedSteps, AreUndoneAndNoOthers) {
    Course whole(parseScene(GetParam(), "test.yaml", ".")), stopped(parseScene(GetParam(), "test.yaml", "."));
    for (int k = 0; k < 60; ++k) {
        whole.takeStep();
        if (k % 20 == 15) {
            const std::uint64_t before = stateHash(stopped.world()), step = stopped.world().step;
            askToStop();
            EXPECT_FALSE(stopped.takeStepUnlessStopped()) << "step " << k;
            forgetStop();
            EXPECT_EQ(stateHash(stopped.world()), before) << "step " << k;
            EXPECT_EQ(stopped.world().step, step);
        }
        ASSERT_TRUE(stopped.takeStepUnlessStopped());
        EXPECT_EQ(stateHash(stopped.world()), stateHash(whole.world())) << "step " << k;
    }
    EXPECT_GT(whole.world().bodies.grainCount, 5u);
    EXPECT_FALSE(sampleContacts(whole.world()).empty()) << "nothing was solved for";
}

INSTANTIATE_TEST_SUITE_P(Rigid, StoppedSteps, testing::Values(rigid));
INSTANTIATE_TEST_SUITE_P(Poured, StoppedSteps, testing::Values(poured));
INSTANTIATE_TEST_SUITE_P(Squeezed, StoppedSteps, testing::Values(squeezed));

}  // namespace
}  // namespace talus
