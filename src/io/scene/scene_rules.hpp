// Rules between settings: what a field list cannot say about one of them alone.
#pragma once

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

bool isWallKind(const BodyKind& kind);

// Springs of Hooke's law that a contact problem solves for.
bool hasElasticContacts(const Scene& scene);

// Elastic ones of contact dynamics that are damped, hold on or yield (laws/yield_law.hpp).
bool hasYieldingContacts(const Scene& scene);

// Some contacts have a dilation angle of their own.
bool hasDilation(const Scene& scene);

// Sets those properties that are given.
void applyOverrides(const ContactOverrides& set, ContactProperties& contact);

// What holds between two materials: mixed from both, or as set for the pair.
ContactProperties contactBetween(const Scene& scene, const std::string& nameA, const std::string& nameB);

// What is wrong with a velocity or a spin at the start in a planar scene, which would stay as it is for ever; "" if
// nothing is. Grains move within the plane and turn about the axis across it.
std::string velocityFault(Planar planar, const Vec3& velocity);
std::string spinFault(Planar planar, const Vec3& spin);

// What is wrong with a vector as a direction; "" if nothing is.
std::string directionFault(const Vec3& direction);

}  // namespace talus
