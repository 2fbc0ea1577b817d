// How much passes through a plane: net mass and number of grains, in the direction of its normal.
//
// The meter remembers by id on which side each free grain's centre was at the last call, so what goes through and
// comes back is not counted, and a call every step or every hundredth gives the same sum. Grains that are new are
// counted from where they are first seen. Call update() before grains are removed (a sink behind an orifice):
// whoever crosses and is removed between two calls is missed. Not seen either: a grain that travels more than half
// a period between two calls.
//
// If the normal points along a periodic axis the plane has images one period apart, and a grain that leaves through
// one border and comes in at the other has not crossed the plane on its way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/world.hpp"

namespace talus {

struct FlowPlane {
    std::string name;
    Vec3 point;            // m
    Vec3 normal{0, 0, 1};  // any length > 0
};

// All that a meter remembers, as plain numbers: a meter made from it goes on with the same bits.
struct FlowMeterState {
    std::int64_t grains = 0;        // net number that went through
    double mass = 0;                // kg, likewise
    std::vector<std::uint32_t> id;  // known grains, rising
    std::vector<double> distance;   // m, of each from the plane, positive in front of it
    bool operator==(const FlowMeterState&) const = default;
    static constexpr auto fields() {
        return std::tuple{Field{"grains", &FlowMeterState::grains}, Field{"mass", &FlowMeterState::mass},
                          Field{"id", &FlowMeterState::id}, Field{"distance", &FlowMeterState::distance}};
    }
};

class FlowMeter {
public:
    // Throws InputError if the normal is zero, or neither along nor across a periodic axis.
    FlowMeter(const FlowPlane& plane, const Domain& domain);
    FlowMeter(const FlowPlane& plane, const Domain& domain, const FlowMeterState& state);

    // Counts what crossed since the last call.
    void update(const WorldState& world);

    std::int64_t grains() const { return grains_; }
    double mass() const { return mass_; }
    FlowMeterState state() const;

private:
    struct Crossing {
        std::uint32_t id;
        int count;    // net crossings
        double mass;  // kg, of the grain
    };
    int crossings(double before, double now) const;
    void add(std::vector<Crossing> crossed);

    Vec3 point_, normal_;
    double period_;  // m, between images of the plane; infinite if there are none
    std::int64_t grains_ = 0;
    double mass_ = 0;
    std::vector<double> distance_;  // by id; not a number for grains not known
    std::vector<double> previous_;  // the same at the last call
};

}  // namespace talus
