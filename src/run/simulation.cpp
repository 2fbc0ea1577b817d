#include "talus/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/units.hpp"
#include "measure/energy.hpp"
#include "run/course.hpp"
#include "run/energy_report.hpp"
#include "run/setup.hpp"
#include "run/solve_statistics.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {

struct Simulation::State {
    explicit State(const Scene& scene) : course(scene) {}

    Course course;
    SolveStatistics solves;
};

namespace {

void goToNextStage(Course& course) {
    if (!course.stageIsOver()) return;
    if (const std::string message = course.unfinished(); !message.empty()) throw RunError(message);
    if (course.hasNextStage()) course.beginNextStage();
}

}  // namespace

Simulation::Simulation(const Scene& scene) {
    setThreadCount(static_cast<int>(scene.run.threads));
    state_ = std::make_unique<State>(scene);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::advance(std::uint64_t steps) {
    Course& course = state_->course;
    for (std::uint64_t k = 1; k <= steps; ++k) {
        goToNextStage(course);
        const TakenStep taken = course.takeStep();
        if (course.inForce().method != Method::penalty) {
            state_->solves.add(taken.outcome, taken.found, course.step().dt);
        }
    }
    course.check();
}

bool Simulation::finished() const { return state_->course.stageIsOver() && !state_->course.hasNextStage(); }
std::vector<StageResult> Simulation::stages() const { return state_->course.results(); }

double Simulation::measured(const std::string& column) const {
    const Course& course = state_->course;
    std::vector<SeriesValue> row = course.peek(sampleContacts(course.world()));
    if (course.inForce().method != Method::penalty) addSolveColumns(state_->solves, row);
    if (course.inForce().method == Method::quasiStatic) addEquilibriumColumns(state_->solves, row);
    std::vector<std::string> names;
    for (const SeriesValue& value : row) {
        if (value.name == column) return value.value;
        names.push_back(value.name);
    }
    throw InputError(fmt::format("the series has no column '{}'{}", column, didYouMean(column, names)));
}

double Simulation::time() const { return state_->course.world().time; }
double Simulation::stepLength() const { return state_->course.step().dt; }
std::uint64_t Simulation::stepCount() const { return state_->course.world().step; }
const std::string& Simulation::stepReason() const { return state_->course.stepReason(); }
std::uint64_t Simulation::stateHash() const { return talus::stateHash(state_->course.world()); }

std::vector<BodyState> Simulation::bodies() const {
    const WorldState& w = state_->course.world();
    const Bodies& b = w.bodies;
    std::vector<std::size_t> order(b.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return b.id[i] < b.id[j]; });
    std::vector<BodyState> result;
    result.reserve(order.size());
    for (const std::size_t i : order) {
        result.push_back({.id = b.id[i],
                          .group = w.groupNames[b.group[i]],
                          .radius = b.radius[i],
                          .mass = b.inverseMass[i] > 0 ? 1 / b.inverseMass[i] : 0.0,
                          .position = b.position[i],
                          .orientation = b.orientation[i],
                          .velocity = b.velocity[i],
                          .spin = b.spin[i],
                          .force = b.force[i],
                          .torque = b.torque[i]});
    }
    return result;
}

std::vector<ContactState> Simulation::contacts() const {
    const WorldState& w = state_->course.world();
    std::vector<ContactState> result;
    for (const ContactSample& c : sampleContacts(w)) {
        result.push_back({w.bodies.id[c.owner], w.bodies.id[c.partner], c.point, c.normal, c.force, c.overlap});
    }
    return result;
}

EnergyState Simulation::energy() const {
    const WorldState& w = state_->course.world();
    return asEnergyState(measureEnergy(w, sampleContacts(w)));
}

double parseDuration(const std::string& text) { return parseQuantity(text, unit::time); }

std::string describeScene(const Scene& scene) {
    const Course course(scene);
    const WorldState& w = course.world();
    std::string text = fmt::format("{} grains, {} walls, {} materials\n{}\n", w.bodies.grainCount, w.bodies.wallCount(),
                                   w.materials.list.size(), course.stepReason());
    if (scene.stages.empty()) {
        text += fmt::format("{} steps to {:.6g} s\n", stepsIn(scene.run.time, course.step().dt), scene.run.time);
    }
    for (const StageSettings& stage : scene.stages) {
        const std::string until = stage.until.empty() ? "" : ", at most, until " + describeConditions(stage);
        text += fmt::format("stage {}: {:.6g} s{}\n", stage.name, stage.time, until);
    }
    for (const std::string& note : notesAtStart(scene, w)) text += fmt::format("note: {}\n", note);
    return text;
}

}  // namespace talus
