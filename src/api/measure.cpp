#include "talus/measure.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "api/world_data.hpp"
#include "io/results/frames.hpp"
#include "io/results/picture/picture.hpp"
#include "io/results/series.hpp"
#include "measure/fabric.hpp"
#include "measure/series.hpp"
#include "measure/stress.hpp"
#include "measure/wall_force.hpp"
#include "run/energy_report.hpp"
#include "talus/error.hpp"
#include "talus/results.hpp"
#include "talus/suggest.hpp"
#include "talus/version.hpp"

namespace talus {
namespace {

SeriesSettings settingsFor(const WorldState& world) {
    SeriesSettings settings;
    settings.loadGroups = findFixedGroups(world);
    settings.movingGroups = findMovingGroups(world);
    return settings;
}

std::vector<SeriesValue> rowOf(const WorldState& world) {
    const std::vector<ContactSample> samples = sampleContacts(world);
    const SeriesSettings settings = settingsFor(world);
    SeriesMemory memory = startMeasuring(world, samples, settings);
    return measureSeries(world, samples, settings, memory);
}

// What frames mean by their numbers of groups and materials, as `talus run` keeps it.
std::string namesAsJson(const WorldState& world) {
    const FrameNames names = frameNames(world);
    const nlohmann::json facts{{"version", version()}, {"groups", names.groups}, {"materials", names.materials}};
    return facts.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

EnergyState energyOf(const World& world) {
    const WorldState& w = world.data().state();
    return asEnergyState(measureEnergy(w, sampleContacts(w)));
}

Mat3 stressIn(const World& world, const BoxRegion& region) {
    for (int axis = 0; axis < 3; ++axis) {
        if (region.low[axis] < region.high[axis]) continue;
        throw InputError(fmt::format("stressIn: low must be below high along {}, got {} and {} m", "xyz"[axis],
                                     region.low[axis], region.high[axis]));
    }
    const WorldState& w = world.data().state();
    return measureStress(w, sampleContacts(w), MeasureBox{"", region.low, region.high});
}

FabricState fabricOf(const World& world) {
    const WorldState& w = world.data().state();
    const Fabric fabric = measureFabric(w, sampleContacts(w));
    return {fabric.tensor, fabric.contacts, fabric.anisotropy};
}

double measureColumn(const World& world, const std::string& column) {
    std::vector<std::string> names;
    for (const SeriesValue& value : rowOf(world.data().state())) {
        if (value.name == column) return value.value;
        names.push_back(value.name);
    }
    throw InputError(fmt::format("the series has no column '{}'{}", column, didYouMean(column, names)));
}

void drawPicture(const World& world, const std::filesystem::path& file, const PictureView& view) {
    renderPicture(world.data().state(), file,
                  {.width = view.width, .height = view.height, .azimuth = view.azimuth, .elevation = view.elevation});
}

struct ResultWriter::State {
    explicit State(const std::filesystem::path& where) : folder(where), frames(where) {}

    std::filesystem::path folder;
    FrameWriter frames;
    std::string names;  // run.json as it was written last
    std::vector<SeriesColumn> columns;
    std::optional<SeriesWriter> series;
};

ResultWriter::ResultWriter(const std::filesystem::path& folder) {
    for (const char* kept : {"checkpoint.h5", "summary.json"}) {
        if (!std::filesystem::exists(folder / kept)) continue;
        throw InputError(
            fmt::format("{}: has the results of a run ({}); write into another folder, or remove them first",
                        folder.string(), kept));
    }
    makeResultFolder(folder);
    state_ = std::make_unique<State>(folder);
}
ResultWriter::~ResultWriter() = default;
ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;
ResultWriter& ResultWriter::operator=(ResultWriter&&) noexcept = default;

void ResultWriter::writeFrame(const World& world) {
    const WorldState& w = world.data().state();
    state_->frames.write(w, sampleContacts(w));
    state_->frames.flush();
    // Groups come with bodies.
    if (std::string names = namesAsJson(w); names != state_->names) {
        writeResultFile(state_->folder / "run.json", names);
        state_->names = std::move(names);
    }
}

void ResultWriter::writeRow(const World& world) {
    const WorldState& w = world.data().state();
    std::vector<SeriesColumn> columns;
    std::vector<double> values;
    for (const SeriesValue& value : rowOf(w)) {
        if (value.name == "time") continue;
        columns.push_back({value.name, value.unit});
        values.push_back(value.value);
    }
    if (!state_->series) {
        state_->columns = columns;
        state_->series.emplace(state_->folder / "series.csv", columns);
    }
    if (columns.size() != state_->columns.size()) {
        throw InputError(
            "writeRow: the world has other groups of held bodies than when the series began; begin another "
            "folder");
    }
    state_->series->write(w.time, values);
}

}  // namespace talus
