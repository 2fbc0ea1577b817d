// Space: its axes, the regions and the domain of a world.
#pragma once

#include <variant>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

enum class Planar { none, xy, xz, yz };
enum class Axis { x, y, z };

struct BoxRegion {
    Vec3 low, high;  // m
};

struct CylinderRegion {
    Vec3 centre;                    // m
    Vec3 axis{0, 0, 1};             // any length
    double radius = 0, length = 0;  // m
};

using Region = std::variant<BoxRegion, CylinderRegion>;

struct DomainSettings {
    Vec3 low, high;              // m; a grain that leaves stops the run
    std::vector<Axis> periodic;  // axes that wrap from high to low instead
};

}  // namespace talus
