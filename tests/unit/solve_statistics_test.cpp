#include "run/solve_statistics.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

SolveStatistics statistics(double worstResidual) {
    SolveStatistics s;
    s.steps = 100;
    s.unconverged = 7;
    s.unconvergedIterations = 700;
    s.worstResidual = worstResidual;
    return s;
}

TEST(SolveStatistics, NamesTheResidualOfStepsAboveTheTolerance) {
    const std::string text = describeUnconverged(statistics(3e-5), {.tolerance = 1e-6});
    EXPECT_NE(text.find("7 of 100 steps stopped above the tolerance, after 100 iterations"), std::string::npos) << text;
    EXPECT_NE(text.find("3.0e-05"), std::string::npos) << text;
}

// Forces of rigid contacts that no elastic ones lead to: the steps themselves are as exact as asked for.
TEST(SolveStatistics, SpeaksOfCompatibleForcesWhereResidualsMeetTheTolerance) {
    const std::string text =
        describeUnconverged(statistics(9e-9), {.tolerance = 1e-8, .forces = ForceRule::compatible});
    EXPECT_NE(text.find("in 7 of 100 steps no compatible forces were found"), std::string::npos) << text;
    EXPECT_EQ(text.find("above the tolerance"), std::string::npos) << text;
}

}  // namespace
}  // namespace talus
