// The parts of a sweep that need no run: lists of values, names of folders, tables.
#include "talus/tools/sweep.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run/sweep/sweep_folder.hpp"
#include "run/sweep/variants.hpp"
#include "talus/error.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;
using Texts = std::vector<std::string>;

Texts valuesOf(const std::string& text) { return parseVariation(text).values; }

std::string refusal(const std::function<void()>& attempt) {
    try {
        attempt();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

Texts namesOf(const std::vector<Variation>& vary) {
    Texts names;
    for (const SweepVariant& v : makeVariants(vary)) names.push_back(v.name);
    return names;
}

TEST(Variations, AreCutAtCommasAndMayCarryUnits) {
    EXPECT_EQ(parseVariation("run.step=1 us, 2 us"), (Variation{"run.step", {"1 us", "2 us"}}));
    EXPECT_EQ(valuesOf("method=penalty"), Texts{"penalty"});
}

TEST(Variations, KeepCommasWithinBracketsAndQuotes) {
    EXPECT_EQ(valuesOf("gravity=[0, 0, -9.81],[1,0,0]"), (Texts{"[0, 0, -9.81]", "[1,0,0]"}));
    EXPECT_EQ(valuesOf("bodies[0].radius={low: 1, high: 2},3"), (Texts{"{low: 1, high: 2}", "3"}));
    EXPECT_EQ(valuesOf("name=\"a,b\",'c,d'"), (Texts{"\"a,b\"", "'c,d'"}));
}

TEST(Variations, WithoutKeyOrValueOrWithOneTwiceAreRefused) {
    for (const char* text : {"", "run.step", "=1,2"}) {
        EXPECT_NE(refusal([&] { parseVariation(text); }).find("must look like"), std::string::npos) << text;
    }
    EXPECT_NE(refusal([] { parseVariation("run.step="); }).find("has no values"), std::string::npos);
    EXPECT_NE(refusal([] { parseVariation("run.step=1,,2"); }).find("empty value"), std::string::npos);
    EXPECT_NE(refusal([] { parseVariation("run.step=1,2,1"); }).find("1 twice"), std::string::npos);
}

TEST(Variants, AreAllCombinationsTheLastKeyFastest) {
    EXPECT_EQ(
        namesOf({{"materials.glass.friction", {"0.1", "0.2"}}, {"run.step", {"1 us", "2 us"}}}),
        (Texts{"friction=0.1,step=1us", "friction=0.1,step=2us", "friction=0.2,step=1us", "friction=0.2,step=2us"}));
}

TEST(Variants, HaveNamesThatFileSystemsTakeAndThatDiffer) {
    EXPECT_EQ(namesOf({{"gravity", {"[0,0,-1]", "[0 0 -1]", "[0_0_-1]"}}}),
              (Texts{"gravity=_0_0_-1_", "gravity=_00-1_", "gravity=_0_0_-1_-2"}));
    EXPECT_EQ(namesOf({{"materials.a.friction", {"1"}}, {"materials.b.friction", {"2"}}}),
              Texts{"materials.a.friction=1,materials.b.friction=2"});
}

TEST(Variants, OfNoKeyOfOneKeyTwiceOrByTheThousandsAreRefused) {
    EXPECT_NE(refusal([] { makeVariants({}); }).find("--vary"), std::string::npos);
    EXPECT_NE(refusal([] { makeVariants({{"seed", {"1"}}, {"seed", {"2"}}}); }).find("twice"), std::string::npos);
    const Texts many(200, "1");
    EXPECT_NE(refusal([&] { makeVariants({{"a", many}, {"b", many}}); }).find("more than"), std::string::npos);
}

TEST(Variants, SetWhatIsSetForAllFirst) {
    SweepOptions options;
    options.overrides = {"run.time=1 s"};
    options.vary = {{"seed", {"1", "2"}}};
    EXPECT_EQ(settingsOf(options.overrides, options.vary, makeVariants(options.vary)[1]),
              (Texts{"run.time=1 s", "seed=2"}));
}

SweepOutcome someOutcome() {
    return {.keys = {"friction"},
            .variants = {{"friction=0.1", {"0.1"}, "finished", "", 2, {{"grains", 300}, {"pressure", 12.5}}},
                         {"friction=0.2", {"0.2"}, "failed", "a grain was lost", 1, {{"grains", 300}}}}};
}

TEST(SweepTable, HasARowPerVariantAndTellsWhatAllShareOnce) {
    EXPECT_EQ(sweepAsTable(someOutcome()),
              "friction  status    pressure\n"
              "0.1       finished  12.5\n"
              "0.2       failed    -\n"
              "\nthe same in all: grains 300\n"
              "friction=0.2: a grain was lost\n");
}

TEST(SweepTable, ShowsWhatIsChosenAndRefusesWhatNobodyHas) {
    EXPECT_EQ(sweepAsTable(someOutcome(), {"grains"}).substr(0, 26), "friction  status    grains");
    EXPECT_NE(refusal([] { sweepAsTable(someOutcome(), {"presure"}); }).find("did you mean 'pressure'"),
              std::string::npos);
}

TEST(SweepTable, IsCutIntoPartsThatFitAScreen) {
    SweepOutcome outcome = someOutcome();
    for (SweepVariant& v : outcome.variants) {
        for (int k = 0; k < 20; ++k) v.results.emplace_back("quantity_number_" + std::to_string(k), v.seconds + k);
    }
    const std::string table = sweepAsTable(outcome);
    std::size_t heads = 0;
    for (std::size_t begin = 0, end = 0; (end = table.find('\n', begin)) != std::string::npos; begin = end + 1) {
        EXPECT_LE(end - begin, 110u);
        heads += table.compare(begin, 8, "friction") == 0 && table[begin + 8] == ' ' ? 1 : 0;
    }
    EXPECT_GT(heads, 2u);
}

TEST(SweepTable, AsCsvQuotesListsAndLeavesOutWhatIsMissing) {
    SweepOutcome outcome = someOutcome();
    outcome.variants[0].values = {"[1, 2]"};
    EXPECT_EQ(sweepAsCsv(outcome),
              "variant,friction,status,seconds,grains,pressure\n"
              "friction=0.1,\"[1, 2]\",finished,2.000,300,12.5\n"
              "friction=0.2,0.2,failed,1.000,300,\n");
}

TEST(SweepTable, AsJsonHasEverything) {
    const auto list = nlohmann::json::parse(sweepAsJson(someOutcome()));
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0]["values"]["friction"], "0.1");
    EXPECT_EQ(list[0]["results"]["pressure"], 12.5);
    EXPECT_EQ(list[1]["message"], "a grain was lost");
}

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

TEST(SweepFolder, BelongsToOneSweepAtATime) {
    const TemporaryFolder folder;
    write(folder / "scene.yaml", "seed: 1\n");
    SweepOptions options;
    options.scene = folder / "scene.yaml";
    options.folder = folder / "out";
    options.vary = {{"seed", {"1", "2"}}};
    {
        const SweepFolder first(options);
        EXPECT_THROW(SweepFolder{options}, RunError);
    }
    EXPECT_NO_THROW(SweepFolder{options});
    SweepOptions other = options;
    other.vary = {{"seed", {"1", "3"}}};
    EXPECT_NE(refusal([&] { SweepFolder{other}; }).find("other values of --vary"), std::string::npos);
    other = options;
    other.overrides = {"run.time=1"};
    EXPECT_NE(refusal([&] { SweepFolder{other}; }).find("other values of --set"), std::string::npos);
    write(folder / "scene.yaml", "seed: 2\n");
    EXPECT_NE(refusal([&] { SweepFolder{options}; }).find("another text of the scene"), std::string::npos);
    options.folder = folder.path();
    EXPECT_NE(refusal([&] { SweepFolder{options}; }).find("something else than a sweep"), std::string::npos);
}

TEST(SweepFolder, TellsWhatAVariantHasLeft) {
    const TemporaryFolder folder;
    EXPECT_EQ(progressOf(folder.path()), Progressed::notAtAll);
    EXPECT_EQ(timeReached(folder.path()), 0);
    write(folder / "series.csv", "time [s],contacts\n0,3\n0.25,4\n");
    EXPECT_EQ(timeReached(folder.path()), 0.25);
    write(folder / "checkpoint.h5", "");
    EXPECT_EQ(progressOf(folder.path()), Progressed::toACheckpoint);
    write(folder / "summary.json",
          R"({"status": "finished", "wall_seconds": 2, "results": {"a": 1, "b": {"c": 2, "d": "text"}, "e": [3]}})");
    EXPECT_EQ(progressOf(folder.path()), Progressed::toTheEnd);
    SweepVariant variant;
    readSummary(folder.path(), variant);
    EXPECT_EQ(variant.status, "finished");
    EXPECT_EQ(variant.results, (std::vector<std::pair<std::string, double>>{{"a", 1}, {"b.c", 2}}));
}

TEST(SweepFolder, FindsTheLastErrorOfALog) {
    const TemporaryFolder folder;
    write(folder / "run.log", "300 grains\nerror: too deep\nfailed; results in out\n");
    EXPECT_EQ(endOfLog(folder / "run.log").words, "too deep");
    EXPECT_FALSE(endOfLog(folder / "run.log").isError);
    write(folder / "run.log", "300 grains\nerror: too deep\n\n");
    EXPECT_TRUE(endOfLog(folder / "run.log").isError);
}

SweepOptions sweepOfSeeds(const TemporaryFolder& folder) {
    write(folder / "scene.yaml",
          "materials: {glass: {density: 2500, youngs_modulus: 2 MPa}}\n"
          "bodies: [{shape: sphere, radius: 1 mm, position: [0, 0, 0]}]\nrun: {time: 1 ms}\n");
    SweepOptions options;
    options.scene = folder / "scene.yaml";
    options.folder = folder / "out";
    options.overrides = {"run.time=2 ms", "description=\"a\\\\b\""};
    options.vary = {{"seed", {"1", "2"}}};
    return options;
}

TEST(KeptSweep, IsTheSweepThatWasPreparedWhateverBecomesOfTheSceneFile) {
    const TemporaryFolder folder;
    const SweepOptions options = sweepOfSeeds(folder);
    EXPECT_EQ(prepareSweep(options), 2u);
    std::filesystem::remove(options.scene);
    const KeptSweep kept = readKeptSweep(options.folder);
    EXPECT_EQ(kept.overrides, options.overrides);
    EXPECT_EQ(kept.vary, options.vary);
    EXPECT_EQ(kept.sceneFolder, folder.path());
    EXPECT_EQ(kept.sceneOf(1).seed, 2u);
    EXPECT_EQ(kept.sceneOf(1).run.time, 2e-3);
    EXPECT_EQ(sweepTaskFolder(options.folder, 1), options.folder / "seed=2");
}

TEST(KeptSweep, ThatIsNoneOrWasChangedIsRefused) {
    const TemporaryFolder folder;
    EXPECT_NE(refusal([&] { readKeptSweep(folder.path()); }).find("holds no sweep"), std::string::npos);
    const SweepOptions options = sweepOfSeeds(folder);
    prepareSweep(options);
    EXPECT_NE(refusal([&] { sweepTaskFolder(options.folder, 2); }).find("from 0 to 1"), std::string::npos);
    write(options.folder / "scene.yaml", "seed: 2\n");
    EXPECT_NE(refusal([&] { readKeptSweep(options.folder); }).find("was changed"), std::string::npos);
    write(options.folder / "sweep.json", "{}");
    EXPECT_NE(refusal([&] { readKeptSweep(options.folder); }).find("cannot be read"), std::string::npos);
}

}  // namespace
}  // namespace talus
