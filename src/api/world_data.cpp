#include "api/world_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/scene/field_checker.hpp"
#include "measure/contact_sample.hpp"
#include "measure/energy.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr std::uint32_t nowhere = 0xFFFFFFFF;

void checkSettings(const WorldSettings& settings) {
    const SceneSource noSource;
    Problems problems(noSource);
    FieldChecker check("World", problems);
    Vec3 gravity = settings.gravity;
    check({"gravity", "", unit::acceleration, speedRange}, gravity);
    std::optional<DomainSettings> domain = settings.domain;
    check({"domain", ""}, domain);
    double skin = settings.skin;
    check({"skin", "", unit::length, bounds::nonNegative}, skin);
    for (int axis = 0; domain && axis < 3; ++axis) {
        if (domain->low[axis] < domain->high[axis]) continue;
        problems.add("World.domain", fmt::format("low must be below high along {}, got {} and {} m", "xyz"[axis],
                                                 domain -> low[axis], domain -> high[axis]));
    }
    const LawKinds& kinds = settings.contactLaw.kinds;
    if (kinds.cohesion == CohesionLaw::jkr && kinds.normal != NormalLaw::hertz) {
        problems.add("World.contactLaw", "cohesion jkr needs the normal law hertz; use dmt or constant with hooke");
    }
    problems.throwIfAny();
}

}  // namespace

World::Data::Data(const WorldSettings& settings) : files(settings.folder) {
    checkSettings(settings);
    WorldState& w = parts.state;
    w.seed = settings.seed;
    w.gravity = settings.gravity;
    if (settings.domain) w.domain = makeDomain(*settings.domain);
    makePlanar(w, settings.planar);
    w.contacts.leastSkin = settings.skin;
    w.materials.kinds = settings.contactLaw.kinds;
    parts.materials.law = settings.contactLaw;
    parts.facts.planar = settings.planar;
    parts.facts.contactLaw = settings.contactLaw;
}

std::uint64_t World::Data::newSerial() {
    static std::atomic<std::uint64_t> next{1};
    return next.fetch_add(1);
}

std::size_t World::Data::find(BodyId body) const {
    const WorldState& w = parts.state;
    const Bodies& b = w.bodies;
    const auto isThere = [&] {
        return body.value < place_.index.size() && place_.index[body.value] < b.size() &&
               b.id[place_.index[body.value]] == body.value;
    };
    if (isThere()) return place_.index[body.value];
    // What was just made is last of its kind.
    for (const std::size_t last : {b.grainCount, b.size()}) {
        if (last > 0 && b.id[last - 1] == body.value) return last - 1;
    }
    const bool isCurrent = place_.rebuilds == w.contacts.rebuilds && place_.bodies == b.size() &&
                           place_.nextId == w.nextId && !w.contacts.stale;
    if (!isCurrent) {
        place_.index.assign(w.nextId, nowhere);
        for (std::size_t i = 0; i < b.size(); ++i) place_.index[b.id[i]] = static_cast<std::uint32_t>(i);
        place_.rebuilds = w.contacts.rebuilds;
        place_.bodies = b.size();
        place_.nextId = w.nextId;
    }
    return isThere() ? place_.index[body.value] : b.size();
}

std::size_t World::Data::indexOf(BodyId body, const char* call) const {
    const std::size_t index = find(body);
    if (index < parts.state.bodies.size()) return index;
    if (body == theWorldItself) throw InputError(fmt::format("{}: the world itself is no body", call));
    const bool wasThere = body.value < parts.state.nextId;
    throw InputError(fmt::format("{}: {}", call,
                                 wasThere ? fmt::format("body {} is gone: it was removed, or left through a sink; ask "
                                                        "contains() first",
                                                        body.value)
                                          : fmt::format("there is no body {}: {} were made so far; use the ids that "
                                                        "addBody() and its like return",
                                                        body.value, parts.state.nextId)));
}

std::uint32_t EntryIds::add() {
    ids.push_back(next);
    return next++;
}

std::size_t EntryIds::find(std::uint32_t id, const char* call, const char* what) const {
    const auto place = std::lower_bound(ids.begin(), ids.end(), id);
    if (place != ids.end() && *place == id) return static_cast<std::size_t>(place - ids.begin());
    if (id < next) throw InputError(fmt::format("{}: the {} {} was removed", call, what, id));
    throw InputError(fmt::format("{}: there is no {} {}; {} were added", call, what, id, next));
}

void EntryIds::remove(std::size_t place) { ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(place)); }

double mechanicalEnergy(const WorldState& world) { return measureEnergy(world, sampleContacts(world)).mechanical(); }

}  // namespace talus
