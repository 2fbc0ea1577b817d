// What the calls that change a World share: each happens whole or not at all, by the rules of scenes.
#pragma once

#include <string>

#include "api/world_data.hpp"
#include "io/scene/field_checker.hpp"
#include "talus/error.hpp"

namespace talus {

// What a call adds to tables of the world goes again if the call fails.
class Change {
public:
    explicit Change(World::Data& data);
    ~Change();
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

    void done();

private:
    World::Data& data_;
    std::array<std::size_t, 5> sizes_;
    bool isDone_ = false;
};

// The error as one of this call: "addBody: ...".
[[noreturn]] void throwFrom(const char* call, const InputError& error);

// What a call does to the world: a step that was chosen is chosen anew once it has grown.
enum class Growth { none, grown };

template <class Action>
auto change(World::Data& data, const char* call, Action&& action, Growth growth = Growth::none) {
    Change guard(data);
    data.parts.grown = data.parts.grown || growth == Growth::grown;
    try {
        if constexpr (std::is_void_v<decltype(action())>) {
            action();
            guard.done();
        } else {
            auto result = action();
            guard.done();
            return result;
        }
    } catch (const InputError& error) {
        throwFrom(call, error);
    }
}

// Ranges of all settings of a struct.
template <class Settings>
void checkRanges(const char* call, Settings settings) {
    const SceneSource noSource;
    Problems problems(noSource);
    FieldChecker check(call, problems);
    fields(check, settings);
    problems.throwIfAny();
}

// InputErrors that begin with the call, if it is not so.
std::string nameOfMaterial(const World::Data& data, MaterialId material, const char* call);
void requireFinite(const char* call, const Vec3& v);
// "" is the fault that is none.
void requireNone(const char* call, const std::string& fault);
// All bodies of a planar world are in the plane of the first.
void requirePlane(const WorldState& world, const char* call, const Vec3& position, double radius);

}  // namespace talus
