// Bodies: one array per quantity.
//
// Grains (finite bodies) come first, sorted in space by sortInSpace() each time the neighbour lists are rebuilt;
// walls follow in the order in which they were made. An index is valid until the next rebuild; an id for ever.
#pragma once

#include <cstdint>
#include <vector>

#include "base/fields.hpp"
#include "talus/vec3.hpp"

namespace talus {

inline constexpr std::uint16_t noMotion = 0xFFFF, noLoad = 0xFFFF, noGuide = 0xFFFF;
inline constexpr std::uint32_t noRow = 0xFFFFFFFF;

struct Bodies {
    std::vector<Vec3> position;           // m, centre of mass
    std::vector<Quat> orientation;        // body to world
    std::vector<Vec3> velocity;           // m/s
    std::vector<Vec3> spin;               // rad/s, world frame
    std::vector<Vec3> midVelocity;        // m/s, at the middle of the last step; filled by the integration
    std::vector<Vec3> midSpin;            // rad/s, likewise
    std::vector<Vec3> force;              // N, by contacts; the mean of the step in contact dynamics
    std::vector<Vec3> torque;             // N m, about the centre, world frame
    std::vector<double> dashpotShare;     // -, of its contacts' dashpots, what the next step bears; penalty method
    std::vector<double> radius;           // m; of the bounding sphere if not a sphere; 0 for walls
    std::vector<double> inverseMass;      // 1/kg; 0 means fixed or prescribed motion
    std::vector<Vec3> inverseInertia;     // 1/(kg m^2), principal, body frame
    std::vector<std::uint16_t> material;  // index into Materials
    std::vector<std::uint16_t> shape;     // index into WorldState::shapes
    std::vector<std::uint16_t> motion;    // index into WorldState::motions, or noMotion
    std::vector<std::uint16_t> load;      // index into WorldState::loads, or noLoad
    std::vector<std::uint16_t> guide;     // index into WorldState::guides, or noGuide: it goes where the scene lets it
    std::vector<std::uint16_t> group;     // index into WorldState::groupNames; what the user calls these bodies
    std::vector<std::uint32_t> id;        // never reused within a run
    std::vector<std::uint32_t> row;       // where the contact lists know this grain, or noRow if it is new

    std::size_t grainCount = 0;  // bodies [0, grainCount) are grains, the rest walls

    std::size_t size() const { return position.size(); }
    std::size_t wallCount() const { return size() - grainCount; }

    // Arrays and, not hashed, numbers of places: sorting, removal, checkpoint and hash go by this list
    // (base/fields.hpp).
    static constexpr auto fields() {
        return std::tuple{Field{"position", &Bodies::position},
                          Field{"orientation", &Bodies::orientation},
                          Field{"velocity", &Bodies::velocity},
                          Field{"spin", &Bodies::spin},
                          Field{"midVelocity", &Bodies::midVelocity},
                          Field{"midSpin", &Bodies::midSpin},
                          Field{"force", &Bodies::force},
                          Field{"torque", &Bodies::torque},
                          Field{"dashpotShare", &Bodies::dashpotShare, Hashed::no},  // hashed where it is not 1
                          Field{"radius", &Bodies::radius},
                          Field{"inverseMass", &Bodies::inverseMass},
                          Field{"inverseInertia", &Bodies::inverseInertia},
                          Field{"material", &Bodies::material},
                          Field{"shape", &Bodies::shape},
                          Field{"motion", &Bodies::motion},
                          Field{"load", &Bodies::load},
                          Field{"guide", &Bodies::guide, Hashed::no},
                          Field{"group", &Bodies::group},
                          Field{"id", &Bodies::id},
                          Field{"row", &Bodies::row, Hashed::no},
                          Field{"grainCount", &Bodies::grainCount, Hashed::no}};
    }
};

}  // namespace talus
