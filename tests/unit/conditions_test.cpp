#include "run/conditions.hpp"

#include <gtest/gtest.h>

#include "talus/error.hpp"

namespace talus {
namespace {

std::vector<SeriesValue> rowWith(double speed, double grains) {
    return {{"max_speed", "m/s", speed}, {"grains", "", grains}};
}

StageSettings stageWith(const std::vector<StopCondition>& until) {
    StageSettings stage;
    stage.until = until;
    return stage;
}

TEST(Conditions, ReadNumbersInTheUnitOfTheirColumn) {
    const StageSettings stage =
        stageWith({{"max_speed", {}, QuantityText{"20 mm/s"}}, {"grains", QuantityText{"5"}, {}, 0.1}});
    const std::vector<Condition> found = findConditions(stage, "stages[0]", rowWith(1, 1));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_DOUBLE_EQ(found[0].value, 0.02);
    EXPECT_FALSE(found[0].above);
    EXPECT_EQ(found[1].column, 1u);
    EXPECT_TRUE(found[1].above);
    EXPECT_EQ(describeConditions(stage), "max_speed below 20 mm/s, grains above 5 for 0.1 s");
}

TEST(Conditions, MustAllBeTrueAtOnce) {
    const std::vector<Condition> both{{0, 1, false, 0}, {1, 5, true, 0}};
    std::vector<double> held;
    EXPECT_FALSE(lookAtConditions(both, rowWith(0.5, 3), 0, held));
    EXPECT_FALSE(lookAtConditions(both, rowWith(2, 6), 1, held));
    EXPECT_TRUE(lookAtConditions(both, rowWith(0.5, 6), 2, held));
}

TEST(Conditions, CountTheirTimeFromTheLastBreak) {
    const std::vector<Condition> calm{{0, 1, false, 0.25}};
    std::vector<double> held;
    EXPECT_FALSE(lookAtConditions(calm, rowWith(0.5, 0), 0.1, held));
    EXPECT_FALSE(lookAtConditions(calm, rowWith(0.5, 0), 0.3, held));
    EXPECT_FALSE(lookAtConditions(calm, rowWith(1.5, 0), 0.34, held));
    EXPECT_FALSE(lookAtConditions(calm, rowWith(0.5, 0), 0.4, held));
    EXPECT_FALSE(lookAtConditions(calm, rowWith(0.5, 0), 0.6, held));
    EXPECT_TRUE(lookAtConditions(calm, rowWith(0.5, 0), 0.65, held));
}

TEST(Conditions, AreNeverTrueOfWhatIsNotANumber) {
    const double nan = std::nan("");
    std::vector<double> held;
    EXPECT_FALSE(lookAtConditions({{0, 1, false, 0}}, rowWith(nan, 0), 0, held));
    EXPECT_FALSE(lookAtConditions({{0, 1, true, 0}}, rowWith(nan, 0), 0, held));
    EXPECT_FALSE(lookAtConditions({}, rowWith(0, 0), 0, held)) << "no condition ends nothing";
}

TEST(Conditions, OfAnUnknownColumnSayWhichAreKnown) {
    const std::vector<SeriesValue> row{{"energy_kinetic", "J", 0}, {"max_speed", "m/s", 0}};
    const auto errorOf = [&](const char* quantity) -> std::string {
        try {
            findConditions(stageWith({{quantity, {}, QuantityText{"1"}}}), "stages[0]", row);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(errorOf("kinetic_energy"),
              "stages[0].until[0].quantity: the series has no column 'kinetic_energy'; did you mean 'energy_kinetic'?");
    EXPECT_EQ(errorOf("temperature"),
              "stages[0].until[0].quantity: the series has no column 'temperature'; it has energy_kinetic, max_speed");
}

TEST(Conditions, RefuseUnknownColumnsAndOtherUnits) {
    const auto errorOf = [](const StopCondition& condition) -> std::string {
        try {
            findConditions(stageWith({condition}), "stages[2]", rowWith(1, 1));
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(errorOf({"max_sped", QuantityText{"1"}, {}}),
              "stages[2].until[0].quantity: the series has no column 'max_sped'; did you mean 'max_speed'?");
    EXPECT_EQ(errorOf({"max_speed", QuantityText{"1 N"}, {}}),
              "stages[2].until[0].above: max_speed is in m/s, got '1 N'");
    EXPECT_EQ(errorOf({"grains", {}, QuantityText{"1 m"}}),
              "stages[2].until[0].below: grains is in plain numbers, got '1 m'");
}

}  // namespace
}  // namespace talus
