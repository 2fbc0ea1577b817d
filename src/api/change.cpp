#include "api/change.hpp"

#include <fmt/format.h>

#include "build/generators.hpp"

namespace talus {

Change::Change(World::Data& data)
    : data_(data),
      sizes_{data.state().shapes.size(), data.state().groupNames.size(), data.state().motionLaws.size(),
             data.state().motions.size(), data.state().loads.size()} {
    if (!data_.parts.changed && data_.parts.going) data_.parts.energy = mechanicalEnergy(data_.state());
}

Change::~Change() {
    if (isDone_) return;
    WorldState& w = data_.state();
    w.shapes.keepFirst(sizes_[0]);
    w.groupNames.resize(sizes_[1]);
    w.motionLaws.resize(sizes_[2]);
    w.motions.resize(sizes_[3]);
    w.loads.resize(sizes_[4]);
    data_.parts.shapes.forget(sizes_[0]);
}

void Change::done() {
    isDone_ = true;
    data_.parts.changed = true;
}

void throwFrom(const char* call, const InputError& error) {
    const std::string text = error.what();
    throw InputError(text.starts_with(call) ? text : fmt::format("{}: {}", call, text));
}

std::string nameOfMaterial(const World::Data& data, MaterialId material, const char* call) {
    const auto& list = data.parts.materials.list;
    if (material.value < list.size()) return list[material.value].name;
    throw InputError(list.empty() ? fmt::format("{}: there is no material yet; call addMaterial() first", call)
                                  : fmt::format("{}: there is no material {}: {} were added; use the ids that "
                                                "addMaterial() returns",
                                                call, material.value, list.size()));
}

void requireFinite(const char* call, const Vec3& v) {
    if (!isFinite(v)) throw InputError(fmt::format("{}: must be finite, got ({}, {}, {})", call, v.x, v.y, v.z));
}

void requireNone(const char* call, const std::string& fault) {
    if (!fault.empty()) throw InputError(fmt::format("{}: {}", call, fault));
}

void requirePlane(const WorldState& world, const char* call, const Vec3& position, double radius) {
    const int across = acrossAxis(planarOf(world));
    if (across < 0 || world.bodies.grainCount == 0) return;
    const double plane = world.bodies.position[0][across];
    if (std::abs(position[across] - plane) <= 1e-9 * radius) return;
    throw InputError(fmt::format("{}: a planar world has all bodies in one plane, at {} = {} m, got {} m", call,
                                 "xyz"[across], plane, position[across]));
}

}  // namespace talus
