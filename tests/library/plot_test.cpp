// Plots of columns against each other.
#include "talus/plot.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>

#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

class ColumnPlots : public testing::Test {
protected:
    ColumnPlots() {
        std::string pattern = (fs::temp_directory_path() / "talus-plot-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder = pattern;
        std::ofstream(folder / "series.csv") << "time [s],strain,stress [Pa],pressure [Pa],nothing [Pa],force [N]\n"
                                                "0,0.001,1,5,0,1\n0.1,0.01,100,-6,0,2\n0.2,0.1,5000,7,0,3\n";
    }
    ~ColumnPlots() override {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    std::string scriptOf(const fs::path& picture) const {
        std::ifstream in(fs::path(picture).replace_extension(".gp"));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path folder;
};

TEST_F(ColumnPlots, ShowStressAgainstStrain) {
    const fs::path picture = plotColumns(folder, {.against = "strain", .columns = {"stress"}});
    EXPECT_EQ(picture, folder / "plots/stress-against-strain.png");
    EXPECT_GT(fs::file_size(picture), 1000u);
    const std::string script = scriptOf(picture);
    EXPECT_NE(script.find("using 2:3"), std::string::npos);
    EXPECT_NE(script.find("'stress [Pa]'"), std::string::npos);
    EXPECT_EQ(script.find("logscale"), std::string::npos);
}

TEST_F(ColumnPlots, HaveLogarithmicAxesWhereDataSpanDecades) {
    const auto fitting = [&](const std::string& column) {
        return scriptOf(plotColumns(folder, {.columns = {column}, .y = AxisKind::fitting}));
    };
    EXPECT_NE(fitting("stress").find("set logscale y"), std::string::npos);
    EXPECT_EQ(fitting("strain").find("set logscale"), std::string::npos);    // two decades
    EXPECT_EQ(fitting("pressure").find("set logscale"), std::string::npos);  // below zero
}

TEST_F(ColumnPlots, LeaveOutWhatIsZeroThroughout) {
    const std::string script = scriptOf(plotColumns(folder, {.columns = {"stress", "nothing", "pressure"}}));
    EXPECT_NE(script.find("using 1:3"), std::string::npos);
    EXPECT_NE(script.find("using 1:4"), std::string::npos);
    EXPECT_EQ(script.find("using 1:5"), std::string::npos);
    EXPECT_THROW(plotColumns(folder, {.columns = {"nothing"}}), InputError);
}

TEST_F(ColumnPlots, TellWhatIsMissingAndWhatDoesNotGoTogether) {
    try {
        plotColumns(folder, {.columns = {"stres"}});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'stress'"), std::string::npos) << error.what();
    }
    EXPECT_THROW(plotColumns(folder, {.columns = {"stress", "force"}}), InputError);
    EXPECT_THROW(plotColumns(folder, {.columns = {}}), InputError);
    EXPECT_THROW(plotColumns(folder, {.columns = {"nothing"}, .y = AxisKind::logarithmic}), InputError);
}

}  // namespace
}  // namespace talus
