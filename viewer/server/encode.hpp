// Frames as the page reads them: compact arrays with a JSON head.
//
//   "TLF1", length of the head (uint32), head (JSON, padded to whole words), arrays (each from a whole word on)
//
// The head has the time, the origin that all points are relative to, and for each array its type, components, count and
// place: {"time": 0.1, "origin": [0, 0, 0], "arrays": {"spheres": {"type": "f32", "components": 4, ...}}}. All numbers
// are little-endian.
//
// spheres           f32 x 4  centre [m] and radius [m], in the order of the frame; radius 0 for bodies of other shapes
// value             f32      the field asked for, of each body; not a number for solids held in place, which are walls
// velocity          f32 x 3  m/s, of each body, if asked for
// contacts          f32 x 7  the two ends of the branch [m] and the normal force [N], if asked for
// wallPoints, wallCorners, wallEnds         polygons, as in FramePart
// solidBody, solidShape (u32), solidTurn (f32 x 4: x, y, z, w), solidScale (f32)  of each body that is no sphere: its
//                   place among the bodies, number of its shape, how it is turned, and radius of its bounding sphere
//                   [m]
// meshPoints (f32 x 3), meshTriangles (u32 x 3)  meshes of the shapes that the page does not have yet, one after the
//                   other as the head lists them ("meshes": [{"shape": 1, "points": 8, "triangles": 12}, ...]), in
//                   units of the radius of the bounding sphere
// joints            f32 x 9  centre of one body, point of the joint, centre of the other (the point again if it is the
//                   world)
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "talus/frames.hpp"

namespace talus::view {

struct Wanted {
    std::string field = "speed";
    bool velocity = false, contacts = false;
    std::set<std::uint32_t> knownShapes;  // whose meshes the page has
    std::size_t mostBodies = 0;           // 0: all; else every n-th, so that no more are left
};
std::string encodeFrame(const Frame& frame, const Wanted& wanted);
// What it reads of the frame.
FrameWish wishFor(const Wanted& wanted);

// What a page asks about a body: all its values and its contacts, as JSON text.
std::string describeBody(const Frame& frame, const FrameNames& names, std::size_t index);
// Index of the body with this id; the count of bodies if there is none.
std::size_t findBody(const FramePart& bodies, double id);

}  // namespace talus::view
