// The hash of what decides the next bits: the fields that WorldState and its parts list, bodies in order of id.
#include <algorithm>
#include <numeric>

#include "base/hash.hpp"
#include "model/world.hpp"

namespace talus {
namespace {

class StateHash {
public:
    explicit StateHash(const WorldState& world) : world_(world), byId_(world.bodies.size()) {
        const std::vector<std::uint32_t>& id = world.bodies.id;
        std::iota(byId_.begin(), byId_.end(), 0u);
        std::sort(byId_.begin(), byId_.end(), [&](auto i, auto j) { return id[i] < id[j]; });
        addFields(world);
    }
    std::uint64_t value() const { return hash_.value(); }

private:
    template <class T>
    void addFields(const T& object) {
        visitFields(
            [&](const auto& field, const auto& part) {
                if (field.hashed == Hashed::yes) add(part);
            },
            object);
    }
    template <class T>
    void add(const T& part) {
        if constexpr (Row<T>) {
            hash_.add(part);
        } else {
            addFields(part);
        }
    }
    template <class T>
    void add(const std::vector<T>& parts) {
        for (const T& part : parts) add(part);
    }
    void add(const Bodies& bodies) {
        visitFields(
            [&](const auto& field, const auto& array) {
                if constexpr (isVector<std::remove_cvref_t<decltype(array)>>) {
                    if (field.hashed == Hashed::no) return;
                    for (const std::uint32_t i : byId_) add(array[i]);
                }
            },
            bodies);
    }
    // Other motions than servos are functions of time alone.
    void add(const std::vector<Motion>& motions) {
        for (const Motion& motion : motions) {
            if (isServo(motion)) addFields(motion);
        }
    }
    // Walls without a mantle have none to tell.
    void add(const std::vector<Mantle>& mantles) {
        for (const Mantle& mantle : mantles) {
            if (mantle.radius != 0) add(mantle.radius);
        }
    }
    // Those that bodies go in, and what steps do not bear of dashpots.
    void add(const std::vector<Freedom>& guides) {
        for (const std::uint32_t i : byId_) {
            if (isGuided(world_, i)) add(guides[world_.bodies.guide[i]]);
        }
        for (const std::uint32_t i : byId_) {
            if (world_.bodies.dashpotShare[i] < 1) add(world_.bodies.dashpotShare[i]);
        }
    }
    // In the order of the lists, which is part of what decides the next bits.
    void add(const ContactMemory& memory) {
        const Contacts& contacts = world_.contacts;
        if (contacts.stale) return;
        const auto addRow = [&](const auto& model, std::size_t row) {
            forEachInRow(contacts, row, [&](std::uint32_t k, const auto& candidate) {
                if (!model.isActive(k)) return;
                addNames(candidate);
                visitArrays(
                    [&](const auto& array) {
                        if (!array.empty()) add(array[k]);
                    },
                    model);
            });
        };
        for (std::size_t row = 0; row < contacts.rows(); ++row) {
            std::visit([&](const auto& model) { addRow(model, row); }, memory);
        }
    }

    void addNames(const SpherePair& c) {
        add(world_.bodies.id[c.owner]);
        add(world_.bodies.id[c.partner]);
    }
    void addNames(const WallCandidate& c) {
        add(world_.bodies.id[c.grain]);
        add(c.wall * std::uint32_t{8} + c.face);
    }
    void addNames(const PointOfPair& c) {
        add(c.pair.idA);
        add(c.pair.idB);
    }

    const WorldState& world_;
    std::vector<std::uint32_t> byId_;  // indices of the bodies in this order
    Hash hash_;
};

}  // namespace

std::uint64_t stateHash(const WorldState& world) { return StateHash(world).value(); }

}  // namespace talus
