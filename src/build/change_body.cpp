#include "build/change_body.hpp"

#include "model/prescribed_motion.hpp"

namespace talus {

void hold(WorldState& world, std::size_t i) {
    Bodies& b = world.bodies;
    b.motion[i] = noMotion;
    b.load[i] = noLoad;
    b.guide[i] = noGuide;
    b.inverseMass[i] = 0;
    b.velocity[i] = b.spin[i] = b.midVelocity[i] = b.midSpin[i] = b.inverseInertia[i] = Vec3{};
}

void letGo(WorldState& world, std::size_t i, const Vec3& velocity, const Vec3& spin) {
    Bodies& b = world.bodies;
    hold(world, i);
    giveMass(world, i);
    b.velocity[i] = b.midVelocity[i] = velocity;
    b.spin[i] = b.midSpin[i] = spin;
}

void letGoGuided(WorldState& world, std::size_t i, const BodyDefinition& free) {
    hold(world, i);
    setFree(world, i, free);
    world.bodies.velocity[i] = world.bodies.midVelocity[i] = free.velocity;
}

void follow(WorldState& world, std::size_t i, std::uint16_t law) {
    hold(world, i);
    world.bodies.motion[i] = startMotion(world, law, {world.bodies.position[i], world.bodies.orientation[i]});
}

void pushBy(WorldState& world, std::size_t i, std::uint16_t load) {
    world.bodies.load[i] = load;
    world.loadStart.resize(world.loads.size());
    world.loadStart[load] = world.time;
}

void dropUnusedMotions(WorldState& world) {
    std::vector<Motion> kept;
    for (std::uint16_t& motion : world.bodies.motion) {
        if (motion == noMotion) continue;
        kept.push_back(world.motions[motion]);
        motion = static_cast<std::uint16_t>(kept.size() - 1);
    }
    world.motions = std::move(kept);
}

}  // namespace talus
