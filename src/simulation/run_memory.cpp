#include "simulation/run_memory.hpp"

#include <nlohmann/json.hpp>

#include "talus/error.hpp"

namespace talus {
namespace {

using nlohmann::json;

// Calls visit(name, field) for each number of the balance: the one list for writing and reading.
template <class Balance, class Visitor>
void forEachEnergy(Balance& e, Visitor&& visit) {
    visit("translation", e.translation);
    visit("rotation", e.rotation);
    visit("potential", e.potential);
    visit("elasticNormal", e.elastic.normal);
    visit("elasticCohesion", e.elastic.cohesion);
    visit("elasticTangential", e.elastic.tangential);
    visit("elasticRolling", e.elastic.rolling);
    visit("normalDamping", e.dissipated.normalDamping);
    visit("tangentialDamping", e.dissipated.tangentialDamping);
    visit("sliding", e.dissipated.sliding);
    visit("rolling", e.dissipated.rolling);
    visit("cohesion", e.dissipated.cohesion);
    visit("plastic", e.dissipated.plastic);
    visit("wallWork", e.wallWork);
    visit("inserted", e.inserted);
    visit("closes", e.closes);
}

json secondsAsJson(const StepSeconds& s) {
    return {{"collision", s.collision}, {"assembly", s.assembly}, {"solve", s.solve}, {"compatible", s.compatible}};
}

StepSeconds secondsFromJson(const json& j) {
    StepSeconds s;
    j.at("collision").get_to(s.collision);
    j.at("assembly").get_to(s.assembly);
    j.at("solve").get_to(s.solve);
    j.at("compatible").get_to(s.compatible);
    return s;
}

json meterAsJson(const FlowMeterState& m) {
    return {{"grains", m.grains}, {"mass", m.mass}, {"id", m.id}, {"distance", m.distance}};
}

FlowMeterState meterFromJson(const json& j) {
    FlowMeterState m;
    j.at("grains").get_to(m.grains);
    j.at("mass").get_to(m.mass);
    j.at("id").get_to(m.id);
    j.at("distance").get_to(m.distance);
    return m;
}

}  // namespace

std::string writeMemory(const RunMemory& memory) {
    json energy, meters = json::array();
    forEachEnergy(memory.series.initialEnergy, [&](const char* name, const auto& value) { energy[name] = value; });
    for (const FlowMeterState& meter : memory.series.meters) meters.push_back(meterAsJson(meter));
    const json j = {{"dt", memory.dt},
                    {"wallSeconds", memory.wallSeconds},
                    {"largestOverlap", memory.largestOverlap},
                    {"sceneFolder", memory.sceneFolder},
                    {"warnings", memory.warnings},
                    {"solves", asMemory(memory.solves)},
                    {"seconds", secondsAsJson(memory.seconds)},
                    {"initialEnergy", energy},
                    {"largestTurnover", memory.series.largestTurnover},
                    {"meters", meters}};
    return j.dump();
}

RunMemory readMemory(const std::string& text) {
    try {
        const json j = json::parse(text);
        RunMemory memory;
        j.at("dt").get_to(memory.dt);
        j.at("wallSeconds").get_to(memory.wallSeconds);
        j.at("largestOverlap").get_to(memory.largestOverlap);
        j.at("sceneFolder").get_to(memory.sceneFolder);
        j.at("warnings").get_to(memory.warnings);
        memory.solves = solveStatisticsFrom(j.at("solves"));
        memory.seconds = secondsFromJson(j.at("seconds"));
        forEachEnergy(memory.series.initialEnergy,
                      [&](const char* name, auto& value) { j.at("initialEnergy").at(name).get_to(value); });
        j.at("largestTurnover").get_to(memory.series.largestTurnover);
        for (const json& meter : j.at("meters")) memory.series.meters.push_back(meterFromJson(meter));
        if (!(memory.dt > 0)) throw InputError("checkpoint: the length of its step is not positive");
        return memory;
    } catch (const json::exception& e) {
        throw InputError(std::string("checkpoint: its record of the run cannot be read: ") + e.what());
    }
}

}  // namespace talus
