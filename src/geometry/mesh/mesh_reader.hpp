// Readers of triangle meshes: Wavefront OBJ, and STL as text or binary.
//
// Whatever the bytes are, a reader returns a list of triangles whose corners exist and are finite, or throws an
// InputError that names the file and the line (of text) or the triangle. Whether the triangles form a sound surface is
// checked by makeMesh() and makeSurface() (geometry/mesh/mesh.hpp). The readers are our own: tinyobjloader reads "v 1
// abc 2" as 1 0 2 and lets faces through whose corners do not exist.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "geometry/mesh/mesh.hpp"

namespace talus {

// By the name's end, .obj or .stl. All lengths are multiplied by the scale: 0.001 for a file in millimetres.
MeshFile readMesh(const std::filesystem::path& file, double scale = 1);

// Faces with more than three corners are cut into triangles and must be convex. Only v and f count.
MeshFile readObj(std::string_view bytes, const std::string& name, double scale = 1);

// STL has no common corners: those within cornerTolerance are made one, and triangles that vanish thereby are left out.
MeshFile readStl(std::string_view bytes, const std::string& name, double scale = 1);

// Part of the largest extent of the mesh.
inline constexpr double cornerTolerance = 1e-6;

}  // namespace talus
