// What validate and run say before the first step.
#include <gtest/gtest.h>

#include "talus/simulation.hpp"

namespace talus {
namespace {

const char* const twoBalls = R"(
materials: {glass: {density: 2500, youngs_modulus: 5 MPa}}
gravity: [0, 0, 0]
bodies:
  - {shape: sphere, radius: 1 mm, position: [0, 0, 0]}
  - {shape: sphere, radius: 1 mm, position: [1.95 mm, 0, 0], group: second}
run: {time: 1 ms}
)";

std::string described(const std::vector<std::string>& overrides) {
    return describeScene(parseScene(twoBalls, "test.yaml", ".", overrides));
}

TEST(StartNotes, NameThePairThatStartsDeepInEachOther) {
    const std::string text = described({});
    EXPECT_NE(text.find("note: body 0 "), std::string::npos) << text;
    EXPECT_NE(text.find("starts 5 % of the smaller radius deep in body 1 ('second') at (0.00195, 0, 0) m"),
              std::string::npos)
        << text;
}

TEST(StartNotes, SayNothingOfBodiesThatJustTouch) {
    EXPECT_EQ(described({"bodies[1].position=[1.999 mm, 0, 0]"}).find("note:"), std::string::npos);
}

TEST(StartNotes, SayThatHeldBodiesNeverPushEachOther) {
    const std::string apart = "bodies[1].position=[3 mm, 0, 0]", held = "bodies[0].fixed=true";
    const std::string led = "bodies[1].motion={type: constant, velocity: [-1, 0, 0]}";
    const std::string text = described({apart, held, led});
    EXPECT_NE(text.find("two held bodies never push each other"), std::string::npos) << text;
    EXPECT_EQ(described({apart, held}).find("note:"), std::string::npos);
}

TEST(StartNotes, SayThatAStepOfAFemtosecondIsFarTooShort) {
    const std::string apart = "bodies[1].position=[3 mm, 0, 0]";
    const std::string text = described({apart, "run.step=1 fs", "run.time=1 ps"});
    EXPECT_NE(text.find("run.step: 1e-15 s is "), std::string::npos) << text;
    EXPECT_NE(text.find("times shorter than the automatic step"), std::string::npos) << text;
    EXPECT_EQ(described({apart, "run.step=100 ns", "run.time=1 us"}).find("note:"), std::string::npos);
}

TEST(StartNotes, SayThatHertzianContactsHaveNoStiffnessOfTheirOwn) {
    const std::string apart = "bodies[1].position=[3 mm, 0, 0]", stiff = "materials.glass.stiffness=1 kN/m";
    const std::string text = described({apart, stiff});
    EXPECT_NE(text.find("materials.glass.stiffness: has no effect without contact_law.normal: hooke"),
              std::string::npos)
        << text;
    EXPECT_EQ(described({apart, stiff, "contact_law.normal=hooke"}).find("note:"), std::string::npos);
}

TEST(StartNotes, NameNoContactTimeWhereNothingMoves) {
    const std::string text = described({"bodies[1].position=[3 mm, 0, 0]"});
    EXPECT_EQ(text.find("inf"), std::string::npos) << text;
    EXPECT_NE(text.find("of the Rayleigh time"), std::string::npos) << text;
}

}  // namespace
}  // namespace talus
