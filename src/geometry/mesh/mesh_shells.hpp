// The shells of a closed surface: parts of it that no edge joins. Together they are one body, so each of them must
// bound matter on its inner side, once: a shell that looks outward is a body of its own and lies in no other, unless
// within a hollow; one that looks inward is a hollow and lies in matter.
//
// Shells are judged by a few of their triangles: those that cut each other are not found out, and the space that they
// have in common counts twice.
#pragma once

#include <optional>
#include <vector>

#include "geometry/mesh/mesh_topology.hpp"

namespace talus {

struct ShellFault {
    std::uint32_t triangle;  // the first one of the shell
    bool inward;             // it is turned over and lies in no other shell; else it lies in another and is none
};

// The first shell, in order of triangles, that is not as it should be. The surface is closed.
std::optional<ShellFault> findShellFault(const std::vector<Vec3>& corners, const std::vector<CornerTriple>& triangles,
                                         const Neighbours& neighbours);

}  // namespace talus
