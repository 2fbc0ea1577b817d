// The kinds of contacts that a scene can have, by the materials that meet.
#pragma once

#include "io/scene/problems.hpp"
#include "io/scene/scene_rules.hpp"

namespace talus {

// Where the scene sets the contacts of two materials, or could set them, where they are mixed.
std::string pathOfContacts(const Scene& scene, const std::string& a, const std::string& b);

// Calls visit(path, properties) for the contacts of each two materials and within each.
template <class Visit>
void forEachContactKind(const Scene& scene, Visit&& visit) {
    const MaterialTable table = materialsOf(scene);
    forEachContactKind(table, [&](std::size_t a, std::size_t b, const ContactProperties& properties) {
        visit(pathOfContacts(scene, table.list[a].name, table.list[b].name), properties);
    });
}

}  // namespace talus
