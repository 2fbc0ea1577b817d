#include "geometry/mesh/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/mass/polyhedron_mass.hpp"
#include "geometry/mesh/mesh_shells.hpp"
#include "geometry/mesh/mesh_surface.hpp"
#include "geometry/mesh/mesh_topology.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double leastHeight = 1e-12;  // -, of a triangle over its longest side
constexpr double leastVolume = 1e-12;  // -, of a closed surface over the cube of its extent
constexpr std::size_t mostTriangles = 200'000'000;

std::string placeOf(const MeshFile& file, std::size_t triangle) {
    if (file.lines.empty()) return fmt::format("{}: triangle {}", file.name, triangle + 1);
    return fmt::format("{}:{}: triangle {}", file.name, file.lines[triangle], triangle + 1);
}

std::string sideOf(const MeshFile& file, const TriangleSide& place) {
    const CornerTriple& t = file.triangles[place.triangle];
    const Vec3 &a = file.corners[t[place.side]], &b = file.corners[t[(place.side + 1) % 3]];
    return fmt::format("the edge from [{:g}, {:g}, {:g}] to [{:g}, {:g}, {:g}]", a.x, a.y, a.z, b.x, b.y, b.z);
}

[[noreturn]] void refuse(const MeshFile& file, std::size_t triangle, const std::string& why) {
    throw InputError(placeOf(file, triangle) + ": " + why);
}

void checkTriangle(const MeshFile& file, std::size_t t) {
    const CornerTriple& corners = file.triangles[t];
    for (const std::uint32_t c : corners) {
        if (c >= file.corners.size()) {
            refuse(file, t, fmt::format("corner {} does not exist: there are {}", c + 1, file.corners.size()));
        }
        if (!isUsable(file.corners[c])) refuse(file, t, farAway(file.corners[c]));
    }
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
        longest = std::max(longest, normSquared(file.corners[corners[k]] - file.corners[corners[(k + 1) % 3]]));
    }
    const double area = norm(areaVector(file.corners, corners));
    if (!(area > leastHeight * longest) || !(area > 0)) {
        refuse(file, t, "it has no area: remove degenerate triangles from the file");
    }
}

void checkTriangles(const MeshFile& file) {
    if (file.triangles.empty()) throw InputError(file.name + ": has no triangles");
    if (file.triangles.size() > mostTriangles) {
        throw InputError(fmt::format("{}: has more than {} triangles", file.name, mostTriangles));
    }
    for (std::size_t t = 0; t < file.triangles.size(); ++t) checkTriangle(file, t);
}

void refuseSharedEdge(const MeshFile& file, const SurfaceFaults& faults) {
    if (!faults.shared) return;
    refuse(file, faults.shared->triangle,
           sideOf(file, *faults.shared) +
               " belongs to more than two triangles: a surface cannot branch or touch itself "
               "along an edge; make bodies of the branches");
}

void checkClosed(const MeshFile& file, const SurfaceFaults& faults) {
    if (faults.turned) {
        refuse(file, faults.turned->triangle,
               sideOf(file, *faults.turned) +
                   " runs the same way in its neighbour: one of the two is turned over; "
                   "orient all triangles against the clock seen from outside");
    }
    if (faults.open) {
        refuse(file, faults.open->triangle,
               sideOf(file, *faults.open) +
                   " has no neighbour: the surface has a hole and bounds no body; close it, or "
                   "use it as an open surface");
    }
}

void checkShells(const MeshFile& file, const Neighbours& neighbours) {
    const std::optional<ShellFault> fault = findShellFault(file.corners, file.triangles, neighbours);
    if (!fault) return;
    refuse(file, fault->triangle,
           fault->inward
               ? "the shell it belongs to is inside out and lies in no other, where it could be a hollow: turn "
                 "the triangles of this shell over"
               : "the shell it belongs to lies within another, whose space would count twice: remove it, or "
                 "turn its triangles over if it is a hollow");
}

// The corners that triangles use, in their order.
TriangleMesh usedPart(const MeshFile& file) {
    std::vector<std::uint32_t> number(file.corners.size(), nothing);
    for (const CornerTriple& t : file.triangles) {
        for (const std::uint32_t c : t) number[c] = 0;
    }
    TriangleMesh mesh;
    for (std::size_t c = 0; c < number.size(); ++c) {
        if (number[c] == nothing) continue;
        number[c] = static_cast<std::uint32_t>(mesh.corners.size());
        mesh.corners.push_back(file.corners[c]);
    }
    for (const CornerTriple& t : file.triangles) mesh.triangles.push_back({number[t[0]], number[t[1]], number[t[2]]});
    return mesh;
}

double largestExtent(const std::vector<Vec3>& points) {
    BoundingBox box{points.front(), points.front()};
    for (const Vec3& p : points) extend(box, p);
    const Vec3 size = box.high - box.low;
    return std::max({size.x, size.y, size.z});
}

BoundingTree treeOf(const TriangleMesh& mesh) {
    std::vector<BoundingBox> boxes;
    boxes.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) {
        BoundingBox box{mesh.corners[t[0]], mesh.corners[t[0]]};
        extend(box, mesh.corners[t[1]]);
        extend(box, mesh.corners[t[2]]);
        boxes.push_back(box);
    }
    return buildTree(boxes);
}

// Moves the corners into the frame and fills all that follows from them.
MeshInPlace finish(TriangleMesh&& mesh, const Pose& pose) {
    for (Vec3& corner : mesh.corners) {
        corner = intoFrame(pose, corner);
        mesh.radius = std::max(mesh.radius, norm(corner));
    }
    describeSurface(mesh, patchTolerance * largestExtent(mesh.corners));
    mesh.tree = treeOf(mesh);
    return {{std::make_shared<const TriangleMesh>(std::move(mesh))}, pose};
}

}  // namespace

bool isUsable(const Vec3& p) {
    const auto isNear = [](double coordinate) { return std::abs(coordinate) <= farthestCorner; };
    return isNear(p.x) && isNear(p.y) && isNear(p.z);
}

std::string farAway(const Vec3& p) {
    const bool isNumber = !std::isnan(p.x) && !std::isnan(p.y) && !std::isnan(p.z);
    if (!isNumber) return fmt::format("the corner [{:g}, {:g}, {:g}] is not a number", p.x, p.y, p.z);
    return fmt::format("the corner [{:g}, {:g}, {:g}] is not within {:g} m of the origin", p.x, p.y, p.z,
                       farthestCorner);
}

MeshInPlace makeMesh(const MeshFile& file) {
    checkTriangles(file);
    SurfaceFaults faults;
    Neighbours neighbours = findNeighbours(file.triangles, faults);
    refuseSharedEdge(file, faults);
    checkClosed(file, faults);
    TriangleMesh mesh = usedPart(file);
    mesh.neighbours = std::move(neighbours);
    mesh.closed = true;
    const double volume = polyhedronMoments(mesh.corners, mesh.triangles, middleOf(mesh.corners)).volume;
    const double extent = largestExtent(mesh.corners);
    if (std::abs(volume) <= leastVolume * extent * extent * extent) {
        throw InputError(file.name +
                         ": the surface bounds no volume: it lies in a plane, or triangles cancel each other");
    }
    if (volume < 0) {
        throw InputError(
            fmt::format("{}: the surface is inside out (its volume is {:g} m^3): turn all triangles over, so "
                        "that their corners run against the clock seen from outside",
                        file.name, volume));
    }
    checkShells(file, mesh.neighbours);
    const PrincipalFrame frame = polyhedronFrame(mesh.corners, mesh.triangles);
    mesh.mass = frame.mass;
    return finish(std::move(mesh), frame.pose);
}

MeshInPlace makeSurface(const MeshFile& file) {
    checkTriangles(file);
    SurfaceFaults faults;
    Neighbours neighbours = findNeighbours(file.triangles, faults);
    refuseSharedEdge(file, faults);
    TriangleMesh mesh = usedPart(file);
    if (faults.turned) {
        // Both sides act alike, so which way a triangle is turned matters to nobody but its neighbours.
        orientAlike(mesh.triangles, neighbours);
        neighbours = findNeighbours(mesh.triangles, faults);
    }
    mesh.neighbours = std::move(neighbours);
    const Pose pose{middleOf(mesh.corners), {}};
    return finish(std::move(mesh), pose);
}

NearestOnMesh nearestOnMesh(const TriangleMesh& mesh, const Vec3& point, double within) {
    NearestOnMesh best;
    double square = within * within;
    const auto isNear = [&](const BoundingBox& box) { return squaredDistance(box, point) < square; };
    forEachItem(mesh.tree, isNear, [&](std::uint32_t t) {
        const NearestOnTriangle place = nearestOnTriangle(mesh, t, point);
        const double distance = normSquared(point - place.point);
        if (distance >= square) return;
        square = distance;
        best = {t, place, 0};
    });
    best.distance = std::sqrt(square);
    return best;
}

}  // namespace talus
