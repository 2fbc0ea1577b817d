// Regions that follow walls: a box that planes, containers and plates cut, wherever they are by then.
//
// A compression test so has the void ratio of what is between its plates. A plane that stands across an axis cuts the
// box where it is, on the side that its normal looks away from; a container cuts it at those of its faces that are
// closed. A plate, any convex solid that is held, prescribed, steered or guided, cuts it along the axis along which it
// is thinnest, with the face that looks at the grains: at their mean position in the box. Walls are taken as if they
// stood along the axes exactly: who turns them should not measure between them.
#pragma once

#include "measure/region.hpp"

namespace talus {

// The region as its walls leave it now; flat, with no volume, where they have passed each other.
MeasureBox betweenWalls(const WorldState& world, const MeasureBox& region);

}  // namespace talus
