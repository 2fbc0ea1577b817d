// One row of a run's time series: everything that is measured regularly, as named columns.
//
// Names and their order follow from the settings and the scene only, so every row of a run has the same columns.
// docs/observables.md explains each. What has to be remembered from row to row (the energy at the start, the flow
// meters) is in SeriesMemory, whose plain form SeriesState goes into checkpoints.
#pragma once

#include <string>
#include <vector>

#include "measure/contact_sample.hpp"
#include "measure/energy.hpp"
#include "measure/flow.hpp"
#include "measure/region.hpp"
#include "measure/wall_force.hpp"

namespace talus {

struct SeriesSettings {
    std::vector<MeasureBox> regions;          // packing, coordination and stress in each
    std::vector<FlowPlane> planes;            // what passes through each
    std::vector<std::uint16_t> loadGroups;    // groups whose walls and fixed bodies are weighed: findFixedGroups()
    std::vector<std::uint16_t> movingGroups;  // of these: those that move at some time beside those that do now
    std::vector<StressGroup> stressGroups;
    bool energy = true;  // the ledger; costs a sum over grains
    double lead = 0;     // s, of the positions of the time scheme: closure()
};

struct SeriesMemory {
    EnergyBalance initialEnergy;
    double largestTurnover = 0;     // J, by followEnergy(): the scale of energy_error
    double largestClosure = 0;      // J, either way, by followEnergy(); 0 if the balance cannot close
    std::vector<FlowMeter> meters;  // one per plane
    std::vector<Vec3> groupStart;   // m, of each load group: mean position when the stage began
};

// Starts to measure from this state on. Throws InputError for an impossible plane.
SeriesMemory startMeasuring(const WorldState& world, const std::vector<ContactSample>& samples,
                            const SeriesSettings& settings);

// Displacements count from here on.
void markStart(const WorldState& world, const SeriesSettings& settings, SeriesMemory& memory);

// To be called every few steps, and before grains are removed: see flow.hpp.
void followFlow(const WorldState& world, SeriesMemory& memory);

// Enters the balance of the present state into what it is later judged by. To be called on a schedule of its own, not
// when rows are written: what is found must not depend on output.
void followEnergy(const WorldState& world, const std::vector<ContactSample>& samples, const SeriesSettings& settings,
                  SeriesMemory& memory);

// The largest error of the balance so far over the largest turnover, that of the present state included.
double worstEnergyError(const SeriesMemory& memory);

struct SeriesValue {
    std::string name;
    std::string unit;  // empty for plain numbers
    double value = 0;
};

// The row of the present state; follows the flow up to it.
std::vector<SeriesValue> measureSeries(const WorldState& world, const std::vector<ContactSample>& samples,
                                       const SeriesSettings& settings, SeriesMemory& memory);

struct SeriesState {
    EnergyBalance initialEnergy;
    double largestTurnover = 0, largestClosure = 0;
    std::vector<FlowMeterState> meters;
    std::vector<Vec3> groupStart;

    static constexpr auto fields() {
        return std::tuple{Field{"initialEnergy", &SeriesState::initialEnergy},
                          Field{"largestTurnover", &SeriesState::largestTurnover},
                          Field{"largestClosure", &SeriesState::largestClosure}, Field{"meters", &SeriesState::meters},
                          Field{"groupStart", &SeriesState::groupStart}};
    }
};

SeriesState saveMemory(const SeriesMemory& memory);

// Throws InputError if the state does not fit the settings and the world.
SeriesMemory restoreMemory(const WorldState& world, const SeriesSettings& settings, const SeriesState& state);

}  // namespace talus
