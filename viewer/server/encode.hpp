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
// wallPoints, wallCorners, wallEnds       polygons, as in FramePart
// shapePoints, shapeTriangles, shapeBody  triangles of the bodies that are no spheres, and which body each is of
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "talus/frames.hpp"

namespace talus::view {

// What bodies can be coloured by.
struct Field {
    std::string name, label, unit;
    bool isCategory = false;  // numbers that stand for names
};
const std::vector<Field>& allFields();
// Those that the bodies of a frame have.
std::vector<Field> fieldsOf(const FramePart& bodies);
// One value per body; InputError for a field that the frame lacks.
std::vector<double> valuesOf(const FramePart& bodies, std::string_view field);

struct Wanted {
    std::string field = "speed";
    bool velocity = false, contacts = false;
    std::size_t mostBodies = 0;  // 0: all; else every n-th, so that no more are left
};
std::string encodeFrame(const Frame& frame, const Wanted& wanted);

// What a page asks about a body: all its values and its contacts, as JSON text.
std::string describeBody(const Frame& frame, const FrameNames& names, std::size_t index);
// Index of the body with this id; the count of bodies if there is none.
std::size_t findBody(const FramePart& bodies, double id);

}  // namespace talus::view
