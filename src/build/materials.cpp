#include "build/materials.hpp"

#include "laws/pair_law.hpp"

namespace talus {
namespace {

PairLaw lawBetween(const MaterialTable& table, std::size_t a, std::size_t b) {
    return makePairLaw(table.law.kinds, table.law.damping, table.list[a].settings.elastic,
                       table.list[b].settings.elastic, contactBetween(table, a, b));
}

}  // namespace

void applyOverrides(const ContactOverrides& set, ContactProperties& contact) {
    constexpr auto from = ContactOverrides::members();
    constexpr auto to = ContactProperties::members();
    const auto apply = [&](auto ofSet, auto ofContact) {
        contact.*ofContact = (set.*ofSet).value_or(contact.*ofContact);
    };
    [&]<std::size_t... k>(std::index_sequence<k...>) { (apply(std::get<k>(from), std::get<k>(to)), ...); }
    (std::make_index_sequence<std::tuple_size_v<decltype(to)>>());
}

ContactProperties contactBetween(const MaterialTable& table, std::size_t a, std::size_t b) {
    ContactProperties contact = mix(table.list[a].settings.contact, table.list[b].settings.contact);
    for (const MaterialTable::Pair& pair : table.pairs) {
        const bool isThis = (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
        if (isThis) applyOverrides(pair.contact, contact);
    }
    return contact;
}

bool hasDilation(const MaterialTable& table) {
    bool any = false;
    forEachContactKind(table, [&](auto, auto, const ContactProperties& c) { any = any || c.dilationAngle > 0; });
    return any;
}

bool hasYielding(const MaterialTable& table) {
    bool any = table.law.kinds.cohesion != CohesionLaw::none || hasDilation(table);
    forEachContactKind(table, [&](auto, auto, const ContactProperties& c) { any = any || yields(c); });
    return any;
}

Materials makeMaterials(const MaterialTable& table, YieldLaws yields) {
    Materials materials;
    materials.kinds = table.law.kinds;
    const std::size_t count = table.list.size();
    materials.laws.resize(count * count);
    if (yields == YieldLaws::made) materials.yields.resize(count * count);
    for (const auto& [name, m] : table.list) {
        materials.list.push_back({name, m.density, m.elastic.youngsModulus, m.elastic.poissonRatio});
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i; j < count; ++j) {
            materials.laws[i * count + j] = materials.laws[j * count + i] = lawBetween(table, i, j);
            if (materials.yields.empty()) continue;
            const YieldLaw yield = makeYieldLaw(contactBetween(table, i, j));
            materials.yields[i * count + j] = materials.yields[j * count + i] = yield;
        }
    }
    return materials;
}

}  // namespace talus
