// From a scene to the world at time 0: materials and their laws, walls, grains, sources and sinks; and the bodies that
// its stages bring later. The making itself is in build/; here are names, order and places of mistakes.
//
// Checks what only the bodies can tell: overlaps, grains outside the domain or behind a wall, absurd sizes, too many
// bodies for the machine. Throws InputError naming the entries of the scene.
#pragma once

#include <map>
#include <string>

#include "model/world.hpp"
#include "talus/scene.hpp"

namespace talus {

WorldState buildWorld(const Scene& scene);

// A body that comes with a stage. Shapes, groups, loads and laws of motion are in the world from the start, so that
// the scene alone fixes their numbers.
struct LaterBody {
    BodyDefinition definition;
    std::uint16_t law = noMotion;   // of its motion, in WorldState::motionLaws
    std::optional<std::string> on;  // walls: the group to which it is moved
};

// What a stage does to a group, by numbers of the world.
struct LaterChange {
    std::uint16_t group = 0, law = noMotion, load = noLoad;
    BodyDefinition free;  // mass, guide and velocity of bodies that become free
};

struct StagePlan {
    std::vector<LaterBody> walls, grains;
    std::vector<LaterChange> changes;   // one per entry of StageSettings::change
    std::vector<std::uint16_t> remove;  // groups
};

struct BuiltScene {
    WorldState world;
    std::vector<StagePlan> stages;               // one per stage of the scene
    std::map<std::string, std::uint32_t> named;  // ids of the bodies that have names
};
BuiltScene buildScene(const Scene& scene);

// The materials of the scene with the laws of their pairs, as they hold in a stage (sceneInStage()).
Materials makeMaterials(const Scene& scene);

// Throws an InputError for a path of the scene, with its line.
[[noreturn]] void failAt(const Scene& scene, const std::string& path, const std::string& message);

}  // namespace talus
