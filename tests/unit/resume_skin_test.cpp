// A skin that the user asked for holds in a resumed run, too.
#include <gtest/gtest.h>

#include "io/checkpoint/checkpoint.hpp"
#include "run/course.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;

TEST(ResumedCourse, RebuildsItsListsWithTheSkinOfTheScene) {
    const Scene scene = parseScene(R"(method: contact-dynamics
materials: {glass: {density: 2500, friction: 0.4, restitution: 0.2}}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}
  - {generate: lattice, lattice: sc, radius: 1 mm, spacing: 2.2 mm, jitter: 0.04, origin: [0, 0, 0.1 mm], count: [3, 3, 3],
     random_velocity: 0.3}
run: {time: 20 ms, step: 0.2 ms, skin: 0.7 mm, threads: 1}
)",
                                   "skin.yaml", ".");
    Course whole(scene);
    for (int k = 0; k < 30; ++k) whole.takeStep();
    whole.complete();
    const TemporaryFolder folder;
    saveCheckpoint(folder / "c.h5", whole.world(), {});
    Course resumed(scene, whole.state(), folder / "c.h5");
    const std::uint64_t rebuilds = whole.world().contacts.rebuilds;
    for (int k = 0; k < 60; ++k) {
        whole.takeStep();
        resumed.takeStep();
    }
    EXPECT_GT(whole.world().contacts.rebuilds, rebuilds);
    EXPECT_EQ(resumed.world().contacts.skin, whole.world().contacts.skin);
    EXPECT_EQ(stateHash(resumed.world()), stateHash(whole.world()));
}

}  // namespace
}  // namespace talus
