#include "run/run_memory.hpp"

#include <nlohmann/json.hpp>

#include "base/utf8.hpp"
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
    visit("springs", e.springs);
    visit("normalDamping", e.dissipated.normalDamping);
    visit("tangentialDamping", e.dissipated.tangentialDamping);
    visit("sliding", e.dissipated.sliding);
    visit("rolling", e.dissipated.rolling);
    visit("cohesion", e.dissipated.cohesion);
    visit("plastic", e.dissipated.plastic);
    visit("jointLoss", e.jointLoss);
    visit("wallWork", e.wallWork);
    visit("inserted", e.inserted);
    visit("power", e.power);
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

json vectorsAsJson(const std::vector<Vec3>& vectors) {
    json list = json::array();
    for (const Vec3& v : vectors) list.push_back({v.x, v.y, v.z});
    return list;
}

std::vector<Vec3> vectorsFromJson(const json& list) {
    std::vector<Vec3> vectors;
    for (const json& v : list) vectors.push_back({v.at(0).get<double>(), v.at(1).get<double>(), v.at(2).get<double>()});
    return vectors;
}

json stagesAsJson(const CourseState& course) {
    json done = json::array();
    for (const StageResult& r : course.done) {
        done.push_back(
            {{"name", r.name}, {"start", r.start}, {"time", r.time}, {"steps", r.steps}, {"ended", r.ended}});
    }
    return {{"stage", course.stage}, {"ended", course.ended}, {"held", course.heldSince}, {"done", done}};
}

CourseState stagesFromJson(const json& j) {
    CourseState course;
    j.at("stage").get_to(course.stage);
    j.at("ended").get_to(course.ended);
    j.at("held").get_to(course.heldSince);
    for (const json& r : j.at("done")) {
        course.done.push_back({r.at("name").get<std::string>(), r.at("start").get<double>(), r.at("time").get<double>(),
                               r.at("steps").get<std::uint64_t>(), r.at("ended").get<std::string>()});
    }
    return course;
}

json watchAsJson(const WatchState& w) {
    return {{"overlap", w.overlap}, {"speed", w.speed}, {"judgedSpeed", w.judgedSpeed}, {"reach", w.reach}};
}

WatchState watchFrom(const json& j) {
    WatchState w;
    j.at("overlap").get_to(w.overlap);
    j.at("speed").get_to(w.speed);
    j.at("judgedSpeed").get_to(w.judgedSpeed);
    j.at("reach").get_to(w.reach);
    return w;
}

// ---- loads

json asJson(const LoadWatch::Stretch& stretch) {
    json j = {{"largestStrain", stretch.largestStrain}};
    forEachNumber(stretch.network, [&](const char* name, const auto& value) { j[name] = value; });
    return j;
}

LoadWatch::Stretch stretchFrom(const json& j) {
    LoadWatch::Stretch stretch;
    j.at("largestStrain").get_to(stretch.largestStrain);
    forEachNumber(stretch.network, [&](const char* name, auto& value) { j.at(name).get_to(value); });
    return stretch;
}

}  // namespace

std::string writeMemory(const RunMemory& memory) {
    json energy, meters = json::array();
    forEachEnergy(memory.course.series.initialEnergy,
                  [&](const char* name, const auto& value) { energy[name] = value; });
    for (const FlowMeterState& meter : memory.course.series.meters) meters.push_back(meterAsJson(meter));
    const json j = {
        {"dt", memory.course.dt},
        {"stepReason", memory.course.reason},
        {"stages", stagesAsJson(memory.course)},
        {"groupStart", vectorsAsJson(memory.course.series.groupStart)},
        {"wallSeconds", memory.wallSeconds},
        {"watch", watchAsJson(memory.course.watch)},
        {"sceneFolder", escapeBytes(memory.sceneFolder)},
        {"warnings", memory.warnings},
        {"solves", asMemory(memory.solves)},
        {"loads",
         {{"last", asJson(memory.loads.last)}, {"present", asJson(memory.loads.present)}, {"end", memory.loads.end}}},
        {"seconds", secondsAsJson(memory.seconds)},
        {"initialEnergy", energy},
        {"largestTurnover", memory.course.series.largestTurnover},
        {"largestClosure", memory.course.series.largestClosure},
        {"meters", meters}};
    // What people read may hold anything, and must not cost the checkpoint.
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

RunMemory readMemory(const std::string& text) {
    try {
        const json j = json::parse(text);
        RunMemory memory;
        memory.course = stagesFromJson(j.at("stages"));
        j.at("dt").get_to(memory.course.dt);
        j.at("stepReason").get_to(memory.course.reason);
        memory.course.series.groupStart = vectorsFromJson(j.at("groupStart"));
        j.at("wallSeconds").get_to(memory.wallSeconds);
        memory.course.watch = watchFrom(j.at("watch"));
        memory.sceneFolder = unescapeBytes(j.at("sceneFolder").get<std::string>());
        j.at("warnings").get_to(memory.warnings);
        memory.solves = solveStatisticsFrom(j.at("solves"));
        memory.loads = {stretchFrom(j.at("loads").at("last")), stretchFrom(j.at("loads").at("present")),
                        j.at("loads").at("end").get<std::uint64_t>()};
        memory.seconds = secondsFromJson(j.at("seconds"));
        forEachEnergy(memory.course.series.initialEnergy,
                      [&](const char* name, auto& value) { j.at("initialEnergy").at(name).get_to(value); });
        j.at("largestTurnover").get_to(memory.course.series.largestTurnover);
        j.at("largestClosure").get_to(memory.course.series.largestClosure);
        for (const json& meter : j.at("meters")) memory.course.series.meters.push_back(meterFromJson(meter));
        if (!(memory.course.dt > 0)) throw InputError("checkpoint: the length of its step is not positive");
        return memory;
    } catch (const json::exception& e) {
        throw InputError(std::string("checkpoint: its record of the run cannot be read: ") + e.what());
    }
}

}  // namespace talus
