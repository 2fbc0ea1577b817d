#include "talus/state_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/world_data.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// Calls visit(array) for one array of the bodies.
template <class BodiesType, class Visit>
auto withArray(BodiesType& b, StateArray array, Visit&& visit) {
    switch (array) {
        case StateArray::position:
            return visit(b.position);
        case StateArray::orientation:
            return visit(b.orientation);
        case StateArray::velocity:
            return visit(b.velocity);
        case StateArray::spin:
            return visit(b.spin);
        case StateArray::force:
            return visit(b.force);
        case StateArray::torque:
            return visit(b.torque);
        case StateArray::radius:
            return visit(b.radius);
        case StateArray::inverseMass:
            return visit(b.inverseMass);
        case StateArray::id:
            return visit(b.id);
    }
    throw InputError("there is no such array");
}

// Sets what differs in one array of `Item`, body by body; all of it or nothing.
template <class Item, class Set>
void assignItems(World& world, std::span<const Item> present, std::span<const double> numbers, Set&& set) {
    constexpr std::size_t size = sizeof(Item) / sizeof(double);
    if (numbers.size() != size * present.size()) {
        throw InputError(fmt::format("assign: {} numbers are wanted, {} for each of {} bodies, got {}",
                                     size * present.size(), size, present.size(), numbers.size()));
    }
    const std::span<const Item> items(reinterpret_cast<const Item*>(numbers.data()), present.size());
    const Bodies before = world.data().state().bodies;
    const bool wasChanged = world.data().parts.changed;
    try {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!(items[i] == present[i])) set(BodyId{before.id[i]}, items[i]);
        }
    } catch (const InputError&) {
        world.data().state().bodies = before;
        world.data().parts.changed = wasChanged;
        throw;
    }
}

}  // namespace

std::span<const double> numbersOf(const World& world, StateArray array) {
    return withArray(world.data().state().bodies, array, []<class Item>(const std::vector<Item>& items) {
        if constexpr (sizeof(Item) % sizeof(double) == 0) {
            return std::span<const double>(reinterpret_cast<const double*>(items.data()),
                                           items.size() * (sizeof(Item) / sizeof(double)));
        } else {
            return std::span<const double>();
        }
    });
}

std::shared_ptr<void> takeMemory(World& world, StateArray array) {
    return withArray(world.data().state().bodies, array, []<class Item>(std::vector<Item>& items) {
        auto kept = std::make_shared<std::vector<Item>>(items);
        kept->swap(items);
        return std::shared_ptr<void>(std::move(kept));
    });
}

bool giveMemory(World& world, StateArray array, const std::shared_ptr<void>& memory) {
    return withArray(world.data().state().bodies, array, [&]<class Item>(std::vector<Item>& items) {
        auto& kept = *static_cast<std::vector<Item>*>(memory.get());
        if (kept.size() != items.size()) return false;
        std::copy(items.begin(), items.end(), kept.begin());
        kept.swap(items);
        return true;
    });
}

void assign(World& world, StateArray array, std::span<const double> numbers) {
    switch (array) {
        case StateArray::position:
            return assignItems(world, world.positions(), numbers,
                               [&](BodyId body, const Vec3& x) { world.setPosition(body, x); });
        case StateArray::orientation:
            return assignItems(world, world.orientations(), numbers,
                               [&](BodyId body, const Quat& q) { world.setOrientation(body, q); });
        case StateArray::velocity:
            return assignItems(world, world.velocities(), numbers,
                               [&](BodyId body, const Vec3& v) { world.setVelocity(body, v); });
        case StateArray::spin:
            return assignItems(world, world.spins(), numbers,
                               [&](BodyId body, const Vec3& w) { world.setSpin(body, w); });
        default:
            throw InputError("assign: only position, orientation, velocity and spin can be set");
    }
}

}  // namespace talus
