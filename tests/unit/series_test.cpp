#include "io/results/series.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstring>

#include "talus/error.hpp"
#include "talus/results.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::contentOf;
using output_samples::oddNumber;
using output_samples::TemporaryFolder;

const std::vector<SeriesColumn> columns{{"energy_kinetic", "J"}, {"contacts", ""}};

// Rows of a run at times 0, 0.1, 0.2, ... from `first` on.
void writeRows(SeriesWriter& series, int first, int end) {
    for (int k = first; k < end; ++k) series.write(0.1 * k, {oddNumber(static_cast<std::size_t>(k)), 3.0 * k});
}

TEST(Series, NamesColumnsWithUnits) {
    EXPECT_EQ(seriesHeader(columns), "time [s],energy_kinetic [J],contacts\n");
    EXPECT_EQ(seriesHeader({{"force, \"left\"", "N"}}), "time [s],\"force, \"\"left\"\" [N]\"\n");
}

TEST(Series, NumbersReadBackToTheSameBits) {
    for (std::size_t k = 0; k < 20; ++k) {
        const double value = std::strtod(shortestNumber(oddNumber(k)).c_str(), nullptr);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(oddNumber(k)));
    }
    EXPECT_EQ(shortestNumber(0.1), "0.1");
}

TEST(Series, ReadsBackWhatWasWritten) {
    const TemporaryFolder folder;
    SeriesWriter series(folder / "series.csv", columns);
    writeRows(series, 0, 5);
    const Series read = readSeries(folder / "series.csv");
    ASSERT_EQ(read.rows(), 5u);
    EXPECT_EQ(read.columns[1].name, "energy_kinetic");
    EXPECT_EQ(read.columns[1].unit, "J");
    EXPECT_EQ(read.columns[2].unit, "");
    EXPECT_EQ(read.values[0][3], 0.1 * 3);
    EXPECT_EQ(read.values[1][4], oddNumber(4));
}

TEST(Series, GivesColumnsByName) {
    const TemporaryFolder folder;
    SeriesWriter series(folder / "series.csv", columns);
    writeRows(series, 0, 3);
    const std::vector<std::vector<double>> read = readSeriesColumns(folder / "", {"contacts", "time"});
    EXPECT_EQ(read, (std::vector<std::vector<double>>{{0, 3, 6}, {0, 0.1, 0.2}}));
    EXPECT_THROW(readSeriesColumns(folder / "", {"contact"}), InputError);
    EXPECT_THROW(readSeriesColumns(folder / "elsewhere", {"time"}), InputError);
}

TEST(Series, AResumedFileIsThatOfAnUninterruptedRun) {
    const TemporaryFolder folder;
    SeriesWriter whole(folder / "whole.csv", columns);
    writeRows(whole, 0, 10);
    {
        SeriesWriter killed(folder / "series.csv", columns);
        writeRows(killed, 0, 7);
    }
    // The kill came in the middle of a row, after the checkpoint at row 4.
    std::ofstream(folder / "series.csv", std::ios::app) << "0.70000000000000";
    SeriesWriter resumed(folder / "series.csv", columns, 0.1 * 4);
    writeRows(resumed, 4, 10);  // row 4 is there already
    EXPECT_EQ(contentOf(folder / "series.csv"), contentOf(folder / "whole.csv"));
}

TEST(Series, AnUnfinishedRowIsCutEvenIfItsTimeIsEarlyEnough) {
    const TemporaryFolder folder;
    {
        SeriesWriter killed(folder / "series.csv", columns);
        writeRows(killed, 0, 3);
    }
    const std::string good = contentOf(folder / "series.csv");
    const std::vector<std::string> tails{"0.30000000000000004,1", "0.3,1,2", std::string(64, '\0')};
    for (const std::string& tail : tails) {
        std::ofstream(folder / "series.csv", std::ios::app) << tail;
        SeriesWriter resumed(folder / "series.csv", columns, 10.0);
        EXPECT_EQ(contentOf(folder / "series.csv"), good) << tail;
    }
}

TEST(Series, RefusesAFileWithOtherColumns) {
    const TemporaryFolder folder;
    { SeriesWriter series(folder / "series.csv", columns); }
    EXPECT_THROW(SeriesWriter(folder / "series.csv", {{"contacts", ""}}, 1.0), InputError);
}

std::string refusalToGoOn(const TemporaryFolder& folder, const std::string& rows) {
    const std::string before = seriesHeader(columns) + rows;
    std::ofstream(folder / "series.csv") << before;
    try {
        SeriesWriter resumed(folder / "series.csv", columns, 0.35);
    } catch (const InputError& error) {
        EXPECT_EQ(contentOf(folder / "series.csv"), before) << "a refused file stays as it is";
        return error.what();
    }
    return "";
}

TEST(Series, WhoseTimesDoNotIncreaseIsNotGoneOnWith) {
    const TemporaryFolder folder;
    const std::vector<std::string> bad{"0,1,1\n0.2,1,1\n0.1,1,1\n", "0,1,1\n0.1,1,1\n0.1,1,1\n0.2,1,1\n",
                                       "0,1,1\nnan,1,1\n0.1,1,1\n", "0,1,1\n5,1,1\n0.1,1,1\n"};
    for (const std::string& rows : bad) {
        const std::string message = refusalToGoOn(folder, rows);
        EXPECT_NE(message.find("times must increase"), std::string::npos) << rows << message;
        EXPECT_NE(message.find("series.csv:"), std::string::npos) << message;
    }
    EXPECT_NE(refusalToGoOn(folder, "0,1,1\nbroken\n0.1,1,1\n").find("series.csv:3: is no row"), std::string::npos);
    EXPECT_EQ(refusalToGoOn(folder, "0,1,1\n0.1,1,1\n0.9,1,1\nhalf a r"), "");
    EXPECT_EQ(contentOf(folder / "series.csv"), seriesHeader(columns) + "0,1,1\n0.1,1,1\n");
}

TEST(Series, ThatIsRemovedMovedOrReplacedIsMadeAnewWithAllRows) {
    const TemporaryFolder folder;
    SeriesWriter whole(folder / "whole.csv", columns), series(folder / "series.csv", columns);
    writeRows(whole, 0, 4);
    writeRows(series, 0, 1);
    EXPECT_FALSE(series.restoreIfGone());
    std::filesystem::remove(folder / "series.csv");
    writeRows(series, 1, 2);
    EXPECT_TRUE(series.restoreIfGone());
    std::filesystem::rename(folder / "series.csv", folder / "moved.csv");
    EXPECT_TRUE(series.restoreIfGone());
    writeRows(series, 2, 3);
    std::filesystem::remove(folder / "series.csv");
    std::ofstream(folder / "series.csv") << "of somebody else";
    EXPECT_TRUE(series.restoreIfGone());
    writeRows(series, 3, 4);
    EXPECT_FALSE(series.restoreIfGone());
    EXPECT_EQ(contentOf(folder / "series.csv"), contentOf(folder / "whole.csv"));
}

TEST(Series, AFullDiskLeavesNoHalfRow) {
    const TemporaryFolder folder;
    SeriesWriter series(folder / "series.csv", columns);
    writeRows(series, 0, 3);
    const std::string before = contentOf(folder / "series.csv");
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{before.size() + 5, before.size() + 5};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        try {
            writeRows(series, 3, 4);
        } catch (const RunError& error) {
            ::_exit(std::strstr(error.what(), "series.csv") != nullptr ? 0 : 2);
        }
        ::_exit(1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(contentOf(folder / "series.csv"), before);
}

TEST(Series, ReadingNamesTheLineOfAWrongValue) {
    const TemporaryFolder folder;
    std::ofstream(folder / "series.csv") << "time [s],contacts\n0,1\n1,many\n";
    try {
        readSeries(folder / "series.csv");
        FAIL() << "a word is not a number";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("series.csv:3: column 'contacts'"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace talus
