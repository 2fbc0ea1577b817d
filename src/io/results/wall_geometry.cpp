#include "io/results/wall_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "geometry/solids/tessellation.hpp"

namespace talus {
namespace {

constexpr int strips = 64;  // of a cylinder's mantle

struct WallAt {
    std::uint32_t index;
    Vec3 position;
    Quat orientation;

    Vec3 toWorld(const Vec3& p) const { return position + rotate(orientation, p); }
};

Vec3 onCircle(double radius, int strip, double z) {
    const double angle = 2 * std::numbers::pi * strip / strips;
    return {radius * std::cos(angle), radius * std::sin(angle), z};
}

// Corners in the body frame, face by face.
using Faces = std::vector<WallPolygon>;

void addFace(Faces& faces, const WallAt& body, int face, std::vector<Vec3> corners) {
    for (Vec3& corner : corners) corner = body.toWorld(corner);
    faces.push_back({body.index, static_cast<std::uint16_t>(face), std::move(corners)});
}

template <NotOfKind<ShapeKind::wall> Solid>
void addFaces(const Solid&, const WallAt&, const Bounds&, Faces&) {}

// A square about the foot of the grains' centre, in the grains' size.
void addFaces(const PlaneWall&, const WallAt& body, const Bounds& bounds, Faces& faces) {
    const Vec3 foot = rotateBack(body.orientation, bounds.centre() - body.position);
    const double half = 0.6 * bounds.diagonal();
    addFace(faces, body, 0,
            {{foot.x - half, foot.y - half, 0},
             {foot.x + half, foot.y - half, 0},
             {foot.x + half, foot.y + half, 0},
             {foot.x - half, foot.y + half, 0}});
}

void addFaces(const BoxWall& box, const WallAt& body, const Bounds&, Faces& faces) {
    for (int face = 0; face < 6; ++face) {
        if (box.open[static_cast<std::size_t>(face)]) continue;
        const int axis = face / 2, next = (axis + 1) % 3, last = (axis + 2) % 3;
        std::vector<Vec3> corners(4);
        for (int k = 0; k < 4; ++k) {
            Vec3& c = corners[static_cast<std::size_t>(k)];
            c[axis] = (face % 2 == 0 ? -1 : 1) * box.halfSize[axis];
            c[next] = (k == 0 || k == 3 ? -1 : 1) * box.halfSize[next];
            c[last] = (k < 2 ? -1 : 1) * box.halfSize[last];
        }
        addFace(faces, body, face, std::move(corners));
    }
}

void addFaces(const CylinderWall& cylinder, const WallAt& body, const Bounds&, Faces& faces) {
    const double r = cylinder.radius, h = cylinder.halfLength;
    for (int k = 0; k < strips && !cylinder.open[0]; ++k) {
        addFace(faces, body, 0, {onCircle(r, k, -h), onCircle(r, k + 1, -h), onCircle(r, k + 1, h), onCircle(r, k, h)});
    }
    for (const int cap : {1, 2}) {
        if (cylinder.open[static_cast<std::size_t>(cap)]) continue;
        std::vector<Vec3> corners;
        for (int k = 0; k < strips; ++k) corners.push_back(onCircle(r, k, cap == 1 ? -h : h));
        addFace(faces, body, cap, std::move(corners));
    }
}

using Edges = std::vector<Segment>;

template <NotOfKind<ShapeKind::wall> Solid>
void addEdges(const Solid&, const WallAt&, Edges&) {}

void addEdges(const PlaneWall&, const WallAt&, Edges&) {}

void addEdges(const BoxWall& box, const WallAt& body, Edges& edges) {
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < 4; ++k) {
            Vec3 from = box.halfSize;
            from[(axis + 1) % 3] *= k % 2 == 0 ? -1 : 1;
            from[(axis + 2) % 3] *= k / 2 == 0 ? -1 : 1;
            Vec3 to = from;
            to[axis] = -to[axis];
            edges.push_back({body.toWorld(from), body.toWorld(to)});
        }
    }
}

// Both rims, and four lines along the mantle.
void addEdges(const CylinderWall& cylinder, const WallAt& body, Edges& edges) {
    const double r = cylinder.radius, h = cylinder.halfLength;
    for (int k = 0; k < strips; ++k) {
        for (const double z : {-h, h}) {
            edges.push_back({body.toWorld(onCircle(r, k, z)), body.toWorld(onCircle(r, k + 1, z))});
        }
        if (k % (strips / 4) == 0) edges.push_back({body.toWorld(onCircle(r, k, -h)), body.toWorld(onCircle(r, k, h))});
    }
}

template <class Visit>
void forEachWall(const WorldState& world, Visit&& visit) {
    const Bodies& b = world.bodies;
    for (std::size_t i = b.grainCount; i < b.size(); ++i) {
        const WallAt body{static_cast<std::uint32_t>(i), b.position[i], b.orientation[i]};
        if (const auto drum = drumOf(world, i)) {
            visit(*drum, body);
        } else {
            std::visit([&](const auto& shape) { visit(shape, body); }, world.shapes[b.shape[i]]);
        }
    }
}

}  // namespace

Bounds boundsOfGrains(const WorldState& world) {
    const Bodies& b = world.bodies;
    if (b.grainCount == 0) return {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    Bounds bounds{b.position[0], b.position[0]};
    const auto include = [&](const Vec3& point, double radius) {
        for (int axis = 0; axis < 3; ++axis) {
            bounds.low[axis] = std::min(bounds.low[axis], point[axis] - radius);
            bounds.high[axis] = std::max(bounds.high[axis], point[axis] + radius);
        }
    };
    std::map<std::uint16_t, SurfaceTriangles> ofShape;  // a coarse mesh of each shape but spheres
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (b.shape[i] == 0) {
            include(b.position[i], b.radius[i]);
            continue;
        }
        const auto [found, isNew] = ofShape.try_emplace(b.shape[i]);
        if (isNew) found->second = tessellate(world.shapes[b.shape[i]], 4);
        const double scale = scaleOf(world, i);
        for (const Vec3& corner : found->second.corners) {
            include(b.position[i] + rotate(b.orientation[i], scale * corner), 0);
        }
    }
    return bounds;
}

std::vector<WallPolygon> wallPolygons(const WorldState& world, const Bounds& bounds) {
    Faces faces;
    forEachWall(world, [&](const auto& shape, const WallAt& body) { addFaces(shape, body, bounds, faces); });
    return faces;
}

std::vector<Segment> wallEdges(const WorldState& world) {
    Edges edges;
    forEachWall(world, [&](const auto& shape, const WallAt& body) { addEdges(shape, body, edges); });
    return edges;
}

}  // namespace talus
