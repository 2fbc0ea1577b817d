// Corners that lie at the same place become one.
#pragma once

#include "geometry/mesh/mesh.hpp"

namespace talus {

// Equal corners are merged; if the tolerance (part of the largest extent) is positive, those within it too, and
// triangles of which nothing is left thereby are dropped. Corners keep the order of their first appearance.
void mergeEqualCorners(MeshFile& file, double tolerance);

}  // namespace talus
