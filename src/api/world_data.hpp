// What is behind a public World: the state that steps move, and what calls need to change it.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "build/body_maker.hpp"
#include "build/materials.hpp"
#include "io/scene/form_files.hpp"
#include "model/world.hpp"
#include "talus/method.hpp"
#include "talus/scene.hpp"
#include "talus/world.hpp"

namespace talus {

// How the last step was taken. Another Stepper goes on with it if it asks for nothing else.
struct Going {
    std::size_t method = 0;  // index of the alternative of StepMethod
    std::size_t model = 0;   // of ContactMemory
    double theta = 1;
    double dt = 0;  // s
    bool chosen = false;
    std::string reason;
};

// Names for ever of the entries of a list that loses some: the id of each, in the order of the list.
struct EntryIds {
    std::vector<std::uint32_t> ids;
    std::uint32_t next = 0;

    std::uint32_t add();
    // Where it is; InputError if it is not there: "joint: there is no joint 3".
    std::size_t find(std::uint32_t id, const char* call, const char* what) const;
    void remove(std::size_t place);
};

// What a snapshot keeps.
struct WorldParts {
    WorldState state;
    ShapeLibrary shapes;
    MaterialTable materials;
    std::map<std::string, std::uint32_t> names;                      // of bodies
    std::vector<std::pair<std::uint32_t, std::uint32_t>> generated;  // ids [first, last) of grains made many at once
    std::uint32_t entries = 0;                                       // calls that made bodies
    EntryIds joints, sources, sinks;
    std::vector<char> jointsIgnore;  // of each joint: its bodies do not touch each other
    Scene facts;                     // what the rules between settings ask for: plane, materials, walls

    bool changed = true;           // by hand, since the last step
    bool grown = true;             // bodies or materials came since the step was chosen
    std::optional<Going> going;    // nothing before the first step
    std::optional<double> energy;  // J, mechanical, before the changes by hand
};

struct World::Data {
    explicit Data(const WorldSettings& settings);

    WorldParts parts;
    GrainFormFiles files;
    std::uint64_t serial = newSerial();  // another one after each restore: scratch of steppers is for one serial

    WorldState& state() { return parts.state; }
    const WorldState& state() const { return parts.state; }
    BodyMaker maker() { return {parts.state, parts.shapes, files}; }

    // Where a body is in the arrays, or their size if it is not there.
    std::size_t find(BodyId body) const;
    // Its index; InputError if it is not there, which begins with the name of the call.
    std::size_t indexOf(BodyId body, const char* call) const;

    static std::uint64_t newSerial();

private:
    // Index of each id, as of the lists it was made for.
    struct Place {
        std::vector<std::uint32_t> index;
        std::uint64_t rebuilds = ~std::uint64_t{0};
        std::size_t bodies = 0;
        std::uint32_t nextId = 0;
    };
    mutable Place place_;
};

// Energy of motion, height and springs, J.
double mechanicalEnergy(const WorldState& world);

}  // namespace talus
