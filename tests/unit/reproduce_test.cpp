#include "talus/tools/reproduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "experiments/experiment.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using reproduce::atLeast, reproduce::atMost, reproduce::near, reproduce::sameOrder, reproduce::within;

std::string complaintOf(const std::vector<std::string>& words) {
    try {
        findExperiments(words);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(FindExperiments, NoWordsMeanAllAndAPaperMeansAllOfIts) {
    const std::vector<std::string> all = findExperiments({}), some = findExperiments({"unger2002"});
    EXPECT_EQ(all.size(), listExperiments().size());
    ASSERT_FALSE(some.empty());
    EXPECT_LT(some.size(), all.size());
    for (const std::string& id : some) EXPECT_TRUE(id.starts_with("unger2002/"));
}

TEST(FindExperiments, NameNoExperimentTwice) {
    EXPECT_EQ(findExperiments({"unger2002/chain", "unger2002", "unger2002/chain"}), findExperiments({"unger2002"}));
}

TEST(FindExperiments, AnUnknownWordIsToldWithTheLikelyOne) {
    EXPECT_NE(complaintOf({"unger2002/chian"}).find("did you mean 'unger2002/chain'"), std::string::npos);
    EXPECT_NE(complaintOf({"olsen2081"}).find("did you mean 'olsen2018'"), std::string::npos);
}

TEST(RunExperiment, AnUnknownScaleIsRefused) {
    EXPECT_THROW(runExperiment("unger2002/chain", {.scale = "huge"}), InputError);
}

TEST(ComparedRow, HoldsUpToItsToleranceAndNotBeyond) {
    EXPECT_TRUE(within("a", "", 2, 2.05, 0.03).pass);
    EXPECT_FALSE(within("a", "", 2, 2.07, 0.03).pass);
    EXPECT_TRUE(near("a", "", -1, -1.09, 0.1).pass);
    EXPECT_FALSE(near("a", "", -1, -1.11, 0.1).pass);
    EXPECT_TRUE(atMost("a", "", 1e-5, 1e-6).pass);
    EXPECT_FALSE(atMost("a", "", 1e-5, 1.1e-5).pass);
    EXPECT_TRUE(atLeast("a", "", 0.01, 0.2).pass);
    EXPECT_FALSE(atLeast("a", "", 0.01, 0.009).pass);
    EXPECT_TRUE(sameOrder("a", "", 0.2, 0.11, 2).pass);
    EXPECT_FALSE(sameOrder("a", "", 0.2, 0.09, 2).pass);
    EXPECT_FALSE(sameOrder("a", "", 0.2, 0.41, 2).pass);
}

TEST(ComparedRow, ANumberThatIsNoneNeverHolds) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(within("a", "", 1, none, 0.5).pass);
    EXPECT_FALSE(near("a", "", 1, none, 0.5).pass);
    EXPECT_FALSE(atMost("a", "", 1, none).pass);
    EXPECT_FALSE(atLeast("a", "", 1, none).pass);
    EXPECT_FALSE(sameOrder("a", "", 1, none, 2).pass);
}

TEST(ComparedRow, TheDifferenceOfWhatHoldsIsWithinItsTolerance) {
    const std::vector<ComparedRow> rows = {within("a", "", 2, 2.05, 0.03), near("a", "", -1, -1.09, 0.1),
                                           atMost("a", "", 1e-5, 1e-6), atLeast("a", "", 0.01, 0.2),
                                           sameOrder("a", "", 0.2, 0.11, 2)};
    for (const ComparedRow& row : rows) EXPECT_LE(std::abs(row.talus - row.paper), row.tolerance);
}

}  // namespace
}  // namespace talus
