// Bodies made of several shapes: clumps of spheres, non-convex bodies of convex parts.
#pragma once

#include <vector>

#include "shapes/shape.hpp"

namespace talus {

struct Compound {
    struct Part {
        Shape shape;       // no wall, no compound
        double scale = 1;  // -
        Pose pose;         // in the frame of the body
    };
    std::vector<Part> parts;
    // Of the whole for unit density, since parts may overlap: who makes the compound knows.
    MassProperties mass;
    double radius = 0;  // m, of a ball about the origin that holds it
};

}  // namespace talus
