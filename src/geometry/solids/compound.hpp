// Bodies made of several shapes: clumps of spheres, non-convex bodies of convex parts.
#pragma once

#include <vector>

#include "geometry/mesh/bounding_tree.hpp"
#include "geometry/shape.hpp"

namespace talus {

struct CompoundBody {
    struct Part {
        Shape shape;       // no wall, no compound
        double scale = 1;  // -
        Pose pose;         // in the frame of the body
    };
    std::vector<Part> parts;
    // The mass of the whole for unit density. Parts may overlap: who makes the compound knows how they count.
    MassProperties mass;
    double radius = 0;  // m, of a ball about the origin that holds it
    BoundingTree tree;  // of the balls that hold the parts
};

// What the mass of a compound is.
enum class MassMode {
    sumOfParts,      // exact sum; where parts overlap, mass counts twice
    unionOfSpheres,  // of the space that the parts, all spheres, fill together; to about 1e-9 of the whole
};

struct CompoundInPlace {
    CompoundShape shape;
    Pose pose;  // of the shape's frame in the frame in which the parts were given
};

// Origin at the centre of mass, principal axes as axes. Throws InputError naming the part (from 1) that cannot be one.
CompoundInPlace makeCompound(std::vector<CompoundBody::Part> parts, MassMode mode = MassMode::sumOfParts);

}  // namespace talus
