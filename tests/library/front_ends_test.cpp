// What front ends in other languages need of the library: settings as texts, arrays whose memory outlives a step,
// scenes as worlds, problems in files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sample_worlds.hpp"
#include "talus/error.hpp"
#include "talus/measure.hpp"
#include "talus/problem_file.hpp"
#include "talus/scene_world.hpp"
#include "talus/settings_text.hpp"
#include "talus/solver.hpp"
#include "talus/state_memory.hpp"

namespace talus {
namespace {

TEST(SettingsText, ReadsWhatAnEntryOfASceneSays) {
    const auto body = parseSettings<BodySettings>("{shape: sphere, radius: 5 mm, position: [0, 0, 2 cm]}", "ball");
    EXPECT_EQ(std::get<SphereBody>(body.kind).radius, 5e-3);
    EXPECT_EQ(std::get<SphereBody>(body.kind).position.z, 0.02);
}

TEST(SettingsText, ReadsTheStepOfEveryMethod) {
    const auto penalty = parseSettings<StepMethod>("{method: penalty, step: 2 us}", "method");
    EXPECT_EQ(std::get<Penalty>(penalty).step, 2e-6);
    const auto dynamics =
        parseSettings<StepMethod>("{method: contact-dynamics, step: 1 ms, tolerance: 1e-6}", "method");
    EXPECT_EQ(std::get<ContactDynamics>(dynamics).step, 1e-3);
    EXPECT_EQ(std::get<ContactDynamics>(dynamics).tolerance, 1e-6);
    const auto slow = parseSettings<StepMethod>("{method: quasi-static, equilibrium: {tolerance: 1e-5}}", "method");
    EXPECT_FALSE(std::get<QuasiStatic>(slow).step);
    EXPECT_EQ(std::get<QuasiStatic>(slow).equilibrium.tolerance, 1e-5);
}

TEST(SettingsText, WritesWhatItReadsAgain) {
    const StepMethod method = ContactDynamics{.step = 1.0 / 3, .theta = 0.7};
    const auto again = parseSettings<StepMethod>(settingsAsJson(method), "method");
    EXPECT_EQ(std::get<ContactDynamics>(again).step, 1.0 / 3);
    EXPECT_EQ(std::get<ContactDynamics>(again).theta, 0.7);
}

TEST(SettingsText, TellsThePathOfWhatIsWrong) {
    const auto told = [](const std::string& text) {
        try {
            parseSettings<BodySettings>(text, "ball");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(told("{shape: sphere, radius: -1, position: [0, 0, 0]}").find("ball.radius: must be"), std::string::npos);
    EXPECT_NE(told("{shape: sphere, radius: 1 kg, position: [0, 0, 0]}").find("ball.radius"), std::string::npos);
    EXPECT_NE(told("{shape: sphere, radios: 1, position: [0, 0, 0]}").find("did you mean 'radius'"), std::string::npos);
}

TEST(SettingsText, KnowsQuantitiesByName) {
    EXPECT_EQ(parseQuantityOf("2.5 mm", "length"), 0.0025);
    EXPECT_THROW(parseQuantityOf("2.5 mm", "time"), InputError);
    EXPECT_THROW(parseQuantityOf("1", "lenght"), InputError);
}

TEST(StateMemory, StaysReadableWhileItIsHeldAndComesBackWithNewValues) {
    World world = settlingWorld();
    Stepper stepper(Penalty{.step = 5e-6});
    const Vec3* seen = world.positions().data();
    const Vec3 before = seen[0];
    const std::shared_ptr<void> memory = takeMemory(world, StateArray::position);
    stepper.advance(world, 2000);
    EXPECT_EQ(seen[0], before);
    EXPECT_NE(world.positions().data(), seen);
    ASSERT_TRUE(giveMemory(world, StateArray::position, memory));
    EXPECT_EQ(world.positions().data(), seen);
    EXPECT_NE(seen[0], before);
}

TEST(StateMemory, ChangesNoBits) {
    World world = settlingWorld(), other = settlingWorld();
    Stepper stepper(Penalty{.step = 5e-6}), another(Penalty{.step = 5e-6});
    for (int k = 0; k < 5; ++k) {
        const auto positions = takeMemory(world, StateArray::position), ids = takeMemory(world, StateArray::id);
        stepper.advance(world, 200);
        ASSERT_TRUE(giveMemory(world, StateArray::position, positions));
        ASSERT_TRUE(giveMemory(world, StateArray::id, ids));
        another.advance(other, 200);
    }
    EXPECT_EQ(world.stateHash(), other.stateHash());
}

TEST(StateMemory, IsNotTakenBackByAWorldWithOtherBodies) {
    BallWorld made;
    const auto memory = takeMemory(made.world, StateArray::velocity);
    made.world.remove(made.ball);
    EXPECT_FALSE(giveMemory(made.world, StateArray::velocity, memory));
}

TEST(StateMemory, IsAssignedByTheRulesOfSingleBodies) {
    World one = settlingWorld(), all = settlingWorld();
    const BodyId body{one.ids()[3]};
    one.setVelocity(body, {1, 2, 3});
    const auto numbers = numbersOf(all, StateArray::velocity);
    std::vector<double> values(numbers.begin(), numbers.end());
    values[9] = 1, values[10] = 2, values[11] = 3;
    assign(all, StateArray::velocity, values);
    Stepper a(Penalty{.step = 5e-6}), b(Penalty{.step = 5e-6});
    a.advance(one, 100);
    b.advance(all, 100);
    EXPECT_EQ(one.stateHash(), all.stateHash());
}

TEST(StateMemory, KeepsItsValuesIfOneOfThemIsRefused) {
    World world = settlingWorld();
    const std::uint64_t before = world.stateHash();
    std::vector<double> values(3 * world.bodyCount(), 1.0);  // the wall, too, which comes last
    EXPECT_THROW(assign(world, StateArray::velocity, values), InputError);
    EXPECT_EQ(world.stateHash(), before);
    EXPECT_THROW(assign(world, StateArray::velocity, std::vector<double>(2)), InputError);
    EXPECT_THROW(assign(world, StateArray::force, values), InputError);
}

TEST(SceneWorld, GoesOnWithTheBitsOfTheScene) {
    const std::string text = R"(
method: contact-dynamics
materials: {steel: {friction: 0.3}, rubber: {density: 1200}}
bodies:
  - {shape: plane, name: floor, material: steel}
  - {generate: lattice, lattice: sc, radius: 2 mm, origin: [0, 0, 0], count: [3, 3, 3], material: rubber}
  - {shape: box, name: lid, size: [0.02, 0.02, 0.01], position: [6 mm, 6 mm, 2 cm], material: steel}
run: {time: 0.2 s, step: 1 ms}
)";
    Simulation scene = simulate(text);
    SceneWorld made = worldOf(parseScene(text, "scene.yaml", "."));
    Stepper stepper(made.method, made.settings);
    scene.advance(200);
    while (made.world.time() < made.time - 1e-9) stepper.step(made.world);
    EXPECT_EQ(made.world.stateHash(), scene.stateHash());
    ASSERT_TRUE(made.world.find("lid"));
    EXPECT_GT(made.world.position(*made.world.find("lid")).z, 0);
    EXPECT_EQ(made.world.groupOf(*made.world.find("floor")), "plane");
    EXPECT_EQ(made.world.materialNames(), (std::vector<std::string>{"rubber", "steel"}));
}

TEST(SceneWorld, CanBeBuiltOn) {
    SceneWorld made = worldOf(parseScene(R"(
materials: {glass: {}}
bodies: [{shape: plane}, {shape: sphere, radius: 1 mm, position: [0, 0, 1 mm]}]
run: {time: 1 s, step: 1e-5}
)",
                                         "scene.yaml", "."));
    EXPECT_THROW(made.world.addMaterial({.name = "glass"}), InputError);
    const BodyId ball = made.world.addBody(Sphere{1e-3}, {.position = {0.01, 0, 5e-3}});
    Stepper(made.method, made.settings).advance(made.world, 100);
    EXPECT_LT(made.world.velocity(ball).z, 0);
}

TEST(StepperProblem, IsTheOneThatTheLastStepSolved) {
    BallWorld made;
    made.world.setPosition(made.ball, {0, 0, 5e-3});
    Stepper stepper(ContactDynamics{.step = 1e-3});
    EXPECT_EQ(stepper.problem(), nullptr);
    stepper.step(made.world);
    ASSERT_NE(stepper.problem(), nullptr);
    ASSERT_EQ(stepper.problem()->contactCount(), 1u);
    EXPECT_NEAR(stepper.reactions()[0].x, made.world.mass(made.ball) * 9.81e-3, 1e-9);
    const auto file = std::filesystem::temp_directory_path() / "talus-front-ends-problem.hdf5";
    writeProblem(file, *stepper.problem(), stepper.reactions());
    const SavedProblem saved = readProblem(file);
    std::filesystem::remove(file);
    ASSERT_EQ(saved.problem.contactCount(), 1u);
    EXPECT_EQ(saved.problem.sets[0].friction, 0.5);
    EXPECT_EQ(saved.solution->at(0), stepper.reactions()[0]);
}

TEST(Pictures, AreWritten) {
    const auto file = std::filesystem::temp_directory_path() / "talus-front-ends-picture.png";
    drawPicture(BallWorld().world, file, {.width = 100, .height = 80});
    EXPECT_GT(std::filesystem::file_size(file), 100u);
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace talus
