// Where the surfaces of two bodies meet, or are about to.
#pragma once

#include <cstdint>

#include "base/fields.hpp"
#include "talus/vec3.hpp"

namespace talus {

struct ContactPoint {
    Vec3 position;              // m, half way between the two surfaces
    Vec3 normal;                // unit, out of b towards a
    double gap = 0;             // m, along the normal; negative: overlap
    double radius = 0;          // m, effective: 1/(sum of the mean curvatures); of flat and sharp places see
                                // contacts/narrow/ellipsoid/curvature.hpp
    std::uint64_t feature = 0;  // which parts of the surfaces meet; stays the same while a contact slides or rolls

    static constexpr auto fields() {
        return std::tuple{Field{"position", &ContactPoint::position}, Field{"normal", &ContactPoint::normal},
                          Field{"gap", &ContactPoint::gap}, Field{"radius", &ContactPoint::radius},
                          Field{"feature", &ContactPoint::feature}};
    }
};

}  // namespace talus
