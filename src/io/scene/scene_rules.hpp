// Rules between settings: what a field list cannot say about one of them alone.
#pragma once

#include "build/body_maker.hpp"
#include "build/materials.hpp"
#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

// True for entries that make many bodies.
bool isGenerated(const BodyKind& kind);

// Names appear in headers of tables, in paths of --set and in file names.
bool isPlainName(const std::string& name);

// Fills in what follows from the rest: the only material, the groups, that walls are fixed.
void completeScene(Scene& scene);

// Adds a finding for every broken rule. Works on settings only; bodies are checked when they are made.
void checkScene(const Scene& scene, Problems& problems);

// Springs of Hooke's law that a contact problem solves for.
bool hasElasticContacts(const Scene& scene);

// Elastic ones of contact dynamics that are damped, hold on or yield (laws/yield_law.hpp).
bool hasYieldingContacts(const Scene& scene);

// What contacts remember, without candidates.
ContactMemory memoryOf(const Scene& scene);

// Some contacts have a dilation angle of their own.
bool hasDilation(const Scene& scene);

// In the order of their names, as the world numbers them.
MaterialTable materialsOf(const Scene& scene);
std::uint16_t materialIndex(const Scene& scene, const std::string& name);

// What is wrong with a vector as a direction; "" if nothing is.
std::string directionFault(const Vec3& direction);

}  // namespace talus
