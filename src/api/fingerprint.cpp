#include "api/fingerprint.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "geometry/shape_digest.hpp"
#include "io/scene/field_writer.hpp"
#include "io/scene/scene_fields.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using nlohmann::json;

json asJson(const Going& going) {
    return {{"method", going.method}, {"model", going.model},   {"theta", going.theta},
            {"step", going.dt},       {"chosen", going.chosen}, {"reason", going.reason}};
}

Going goingFrom(const json& j) {
    return {j.at("method").get<std::size_t>(), j.at("model").get<std::size_t>(), j.at("theta").get<double>(),
            j.at("step").get<double>(),        j.at("chosen").get<bool>(),       j.at("reason").get<std::string>()};
}

}  // namespace

std::string digestOfCalls(const WorldParts& parts) {
    const WorldState& w = parts.state;
    Hash hash;
    const auto addText = [&](const std::string& text) {
        hash.add(text.size());
        for (const char c : text) hash.add(c);
    };
    for (const Shape& shape : w.shapes) {
        hash.add(shape.index());
        hash.add(digestOf(shape));
        hash.add(boundingRadius(shape));
        hash.add(massProperties(shape).inertia);
    }
    for (MaterialTable::Entry entry : parts.materials.list) addText(FieldWriter::toJson(entry.settings).dump());
    for (MaterialTable::Pair pair : parts.materials.pairs) {
        PairSettings settings{.contact = pair.contact};
        addText(fmt::format("{} {} {}", pair.first, pair.second, FieldWriter::toJson(settings).dump()));
    }
    for (const std::string& name : w.groupNames) addText(name);
    for (MotionLaw law : w.motionLaws) addText(FieldWriter::toJson(law).dump());
    for (ForceLaw law : w.loads) addText(FieldWriter::toJson(law).dump());
    for (const Joint& joint : w.joints.list) {
        addText(joint.name);
        for (const CoordinateLaw* law : {&joint.slide, &joint.turn}) hash.add(law->target.constant.value_or(0.0));
    }
    hash.add(w.sources.size());
    hash.add(w.sinks.size());
    return fmt::format("{:016x}", hash.value());
}

std::string fingerprintOf(const WorldParts& parts) {
    json j = {{"calls", digestOfCalls(parts)},
              {"names", parts.names},
              {"generated", parts.generated},
              {"entries", parts.entries},
              {"changed", parts.changed},
              {"grown", parts.grown},
              {"gravity", {parts.state.gravity.x, parts.state.gravity.y, parts.state.gravity.z}}};
    if (parts.going) j["going"] = asJson(*parts.going);
    return j.dump();
}

void adoptFingerprint(const std::string& text, const std::string& file, WorldParts& parts) {
    const json j = json::parse(text, nullptr, false);
    if (!j.is_object() || !j.contains("calls")) {
        throw InputError(
            fmt::format("{}: is a checkpoint of a run, not of a World; go on with it by 'talus resume', or "
                        "make a World and save() that",
                        file));
    }
    if (j.at("calls") != digestOfCalls(parts)) {
        throw InputError(fmt::format(
            "{}: is of a world that was made by other calls; add the same materials, walls, forms, motions, "
            "loads, joints, sources and sinks in the same order before load()",
            file));
    }
    try {
        parts.names = j.at("names").get<std::map<std::string, std::uint32_t>>();
        parts.generated = j.at("generated").get<std::vector<std::pair<std::uint32_t, std::uint32_t>>>();
        parts.entries = j.at("entries").get<std::uint32_t>();
        parts.changed = j.at("changed").get<bool>();
        parts.grown = j.at("grown").get<bool>();
        for (int axis = 0; axis < 3; ++axis) {
            parts.state.gravity[axis] = j.at("gravity").at(static_cast<std::size_t>(axis)).get<double>();
        }
        parts.going.reset();
        if (j.contains("going")) parts.going = goingFrom(j.at("going"));
    } catch (const json::exception&) {
        throw InputError(fmt::format("{}: what it says of the world cannot be read", file));
    }
    adoptLaws(parts);
}

void adoptLaws(WorldParts& parts) {
    if (!parts.going) return;
    const bool dilating = parts.going->method == 1 && hasDilation(parts.materials);
    Contacts& c = parts.state.contacts;
    if (c.memory.index() != parts.going->model) c.memory = emptyMemory(parts.going->model);
    parts.state.materials =
        makeMaterials(parts.materials, c.areYielding() || dilating ? YieldLaws::made : YieldLaws::none);
}

}  // namespace talus
