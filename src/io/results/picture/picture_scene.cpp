#include "io/results/picture/picture_scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "build/body_maker.hpp"
#include "model/joint_geometry.hpp"

namespace talus {
namespace {

constexpr double creaseCosine = 0.9;  // faces of walls that meet at more than 26 degrees have an edge between them

Vec3 upwardAxis(const Vec3& gravity) { return norm(gravity) > 0 ? normalized(-gravity) : Vec3{0, 0, 1}; }

// Seen so that x points to the right.
Vec3 towardsEye(int planarAxis) {
    Vec3 normal;
    normal[planarAxis] = planarAxis == 1 ? -1 : 1;
    return normal;
}

std::optional<int> planarAxisOf(const WorldState& world) {
    for (int axis = 0; axis < 3; ++axis) {
        if (world.linearFreedom[axis] == 0) return axis;
    }
    return {};
}

void addEdges(PictureScene& scene, const std::vector<Segment>& edges) {
    for (const Segment& edge : edges) scene.edges.push_back({.segment = edge, .firstNormal = {}, .secondNormal = {}});
}

// The edges of a periodic domain, as far as it has ends.
std::vector<Segment> domainEdges(const Domain& domain, const Bounds& bodies) {
    if (!domain.anyPeriodic()) return {};
    Bounds box = bodies;
    for (int axis = 0; axis < 3; ++axis) {
        if (!domain.periodic[static_cast<std::size_t>(axis)]) continue;
        box.low[axis] = domain.low[axis];
        box.high[axis] = domain.high[axis];
    }
    WorldState frame;  // drawn as a box wall
    frame.materials.list.resize(1);
    const std::uint16_t shape = frame.shapes.add(BoxWall{.halfSize = 0.5 * (box.high - box.low)});
    addBody(frame, {.shape = shape, .position = box.centre()});
    return wallEdges(frame);
}

using Polygon = std::vector<Vec3>;

Vec3 normalOf(const Polygon& polygon) {
    Vec3 sum;
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
        sum += cross(polygon[k] - polygon[0], polygon[k + 1] - polygon[0]);
    return norm(sum) > 0 ? normalized(sum) : Vec3{0, 0, 1};
}

// A plane comes as a square about the foot of the bodies' centre, half as long as 0.6 of their extent. One to stand on
// becomes a ground; others would hide what is behind them, and are outlines.
void addPlane(PictureScene& scene, const Polygon& square) {
    constexpr double steepest = 0.7;  // cosine between the normal and up
    const Vec3 normal = normalOf(square), foot = 0.5 * (square[0] + square[2]);
    if (!scene.planarNormal && dot(normal, scene.up) > steepest) {
        scene.grounds.push_back({foot, normal, 1.1 / 0.6 * 0.5 * norm(square[1] - square[0])});
        return;
    }
    for (std::size_t k = 0; k < square.size(); ++k)
        scene.outlines.push_back({square[k], square[(k + 1) % square.size()]});
}

// --- of a world

bool isPlane(const WorldState& world, std::size_t body) {
    return std::holds_alternative<PlaneWall>(world.shapes[world.bodies.shape[body]]);
}

void addPlanes(PictureScene& scene, const WorldState& world) {
    for (const WallPolygon& polygon : wallPolygons(world, scene.bounds)) {
        if (isPlane(world, polygon.wall)) addPlane(scene, polygon.corners);
    }
}

void addJoints(PictureScene& scene, const WorldState& world) {
    const auto endAt = [&](std::uint32_t id) {
        return id == theWorld ? JointEnd{} : endOf(world.bodies, indexOf(world.bodies, id));
    };
    for (const Joint& joint : world.joints.list) {
        const JointEnd first = endAt(joint.first), second = endAt(joint.second);
        const JointPlace place = placeOf(joint, first, second, world.domain.period());
        scene.joints.push_back({first.position, first.position + place.firstArm});
        if (joint.second != theWorld) scene.joints.push_back({second.position, second.position + place.secondArm});
    }
}

// --- of a frame

std::vector<double> column(const FramePart& part, std::string_view name) {
    const FrameArray* array = part.find(name);
    return array == nullptr ? std::vector<double>() : array->values;
}

Vec3 vectorAt(const FrameArray& array, std::size_t k) {
    return {array.values[3 * k], array.values[3 * k + 1], array.values[3 * k + 2]};
}

using IndexOfId = std::unordered_map<std::uint32_t, std::uint32_t>;

IndexOfId indicesOf(const FramePart& bodies) {
    IndexOfId indices;
    const std::vector<double> ids = column(bodies, "id");
    for (std::uint32_t k = 0; k < ids.size(); ++k) indices.emplace(static_cast<std::uint32_t>(ids[k]), k);
    return indices;
}

void addBodies(PictureScene& scene, const FramePart& bodies) {
    const std::vector<double> radius = column(bodies, "radius"), shape = column(bodies, "shape"),
                              held = column(bodies, "held");
    scene.centre = bodies.points;
    scene.radius.assign(bodies.points.size(), 0);
    scene.isWall.assign(bodies.points.size(), false);
    for (std::size_t k = 0; k < bodies.points.size(); ++k) {
        const bool isSphere = shape.empty() || shape[k] == 0;
        if (isSphere && !radius.empty()) scene.radius[k] = radius[k];
        scene.isWall[k] = !isSphere && !held.empty() && held[k] != 0;
    }
}

void addSurfaces(PictureScene& scene, const FramePart& shapes, const IndexOfId& indices) {
    const std::vector<double> ids = column(shapes, "id");
    scene.surfaces.corners = shapes.points;
    for (std::size_t k = 0; k < shapes.ends.size() && k < ids.size(); ++k) {
        const std::size_t first = k == 0 ? 0 : shapes.ends[k - 1];
        const auto body = indices.find(static_cast<std::uint32_t>(ids[k]));
        if (shapes.ends[k] - first != 3 || body == indices.end()) continue;  // ours are triangles
        const std::uint32_t* c = shapes.corners.data() + first;
        scene.surfaces.triangles.push_back({c[0], c[1], c[2]});
        scene.surfaces.body.push_back(body->second);
    }
}

Bounds boundsOf(const PictureScene& scene) {
    Bounds bounds{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    const auto include = [&](const Vec3& point, double radius) {
        for (int axis = 0; axis < 3; ++axis) {
            bounds.low[axis] = std::min(bounds.low[axis], point[axis] - radius);
            bounds.high[axis] = std::max(bounds.high[axis], point[axis] + radius);
        }
    };
    for (std::size_t k = 0; k < scene.centre.size(); ++k) {
        if (scene.radius[k] > 0) include(scene.centre[k], scene.radius[k]);
    }
    for (const auto& triangle : scene.surfaces.triangles) {
        for (const std::uint32_t corner : triangle) include(scene.surfaces.corners[corner], 0);
    }
    if (bounds.low.x > bounds.high.x) return {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    return bounds;
}

bool isPlane(const std::vector<Polygon>& faces) { return faces.size() == 1 && faces[0].size() == 4; }

// Points of neighbouring faces are the same but for round-off.
using Lattice = std::array<std::int64_t, 3>;

Lattice latticeOf(const Vec3& point, double cell) {
    return {std::llround(point.x / cell), std::llround(point.y / cell), std::llround(point.z / cell)};
}

void addWallEdges(PictureScene& scene, const std::vector<Polygon>& faces) {
    double size = 0;
    for (const Polygon& face : faces) {
        for (const Vec3& corner : face) size = std::max(size, norm(corner - faces[0][0]));
    }
    const double cell = std::max(1e-6 * size, 1e-300);
    std::map<std::pair<Lattice, Lattice>, std::size_t> known;  // index of an edge by its ends
    const std::size_t before = scene.edges.size();
    for (const Polygon& face : faces) {
        const Vec3 normal = normalOf(face);
        for (std::size_t k = 0; k < face.size(); ++k) {
            const Segment edge{face[k], face[(k + 1) % face.size()]};
            const Lattice a = latticeOf(edge.from - faces[0][0], cell), b = latticeOf(edge.to - faces[0][0], cell);
            const auto [found, isNew] = known.try_emplace(std::minmax(a, b), scene.edges.size());
            if (isNew) {
                scene.edges.push_back({.segment = edge, .firstNormal = normal, .secondNormal = {}});
            } else {
                scene.edges[found->second].secondNormal = normal;
            }
        }
    }
    for (std::size_t k = before; k < scene.edges.size(); ++k) {
        WallEdge& edge = scene.edges[k];
        const bool isRim = norm(edge.secondNormal) == 0;
        edge.isAlwaysDrawn = isRim || std::abs(dot(edge.firstNormal, edge.secondNormal)) < creaseCosine;
    }
}

void addWalls(PictureScene& scene, const FramePart& walls) {
    std::map<std::uint32_t, std::vector<Polygon>> byWall;
    const std::vector<double> ids = column(walls, "id");
    for (std::size_t k = 0; k < walls.ends.size() && k < ids.size(); ++k) {
        Polygon polygon;
        for (std::size_t c = k == 0 ? 0 : walls.ends[k - 1]; c < walls.ends[k]; ++c)
            polygon.push_back(walls.points[walls.corners[c]]);
        if (polygon.size() >= 3) byWall[static_cast<std::uint32_t>(ids[k])].push_back(std::move(polygon));
    }
    for (const auto& [wall, faces] : byWall) {
        if (!isPlane(faces)) {
            addWallEdges(scene, faces);
        } else {
            addPlane(scene, faces[0]);
        }
    }
}

void addJoints(PictureScene& scene, const FramePart& joints) {
    const FrameArray *firstArm = joints.find("first_arm"), *secondArm = joints.find("second_arm");
    const std::vector<double> second = column(joints, "second");
    if (firstArm == nullptr || secondArm == nullptr) return;
    for (std::size_t k = 0; k < joints.points.size(); ++k) {
        const Vec3& point = joints.points[k];
        scene.joints.push_back({point - vectorAt(*firstArm, k), point});
        if (k < second.size() && second[k] != static_cast<double>(theWorld))
            scene.joints.push_back({point - vectorAt(*secondArm, k), point});
    }
}

}  // namespace

PictureScene pictureSceneOf(const WorldState& world) {
    const Bodies& b = world.bodies;
    PictureScene scene{.up = upwardAxis(world.gravity), .bounds = boundsOfGrains(world)};
    if (const std::optional<int> axis = planarAxisOf(world)) scene.planarNormal = towardsEye(*axis);
    scene.centre.assign(b.position.begin(), b.position.begin() + static_cast<std::ptrdiff_t>(b.grainCount));
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const bool isSphere = !hasSurface(world, i);
        scene.radius.push_back(isSphere ? b.radius[i] : 0);
        scene.isWall.push_back(!isSphere && b.inverseMass[i] == 0);
    }
    scene.surfaces = bodySurfaces(world);
    addPlanes(scene, world);
    addEdges(scene, wallEdges(world));
    addEdges(scene, domainEdges(world.domain, scene.bounds));
    addJoints(scene, world);
    return scene;
}

FrameSurroundings surroundingsOf(const Scene& scene) {
    FrameSurroundings around{.gravity = scene.gravity};
    if (const int axis = acrossAxis(scene.planar); axis >= 0) around.planarAxis = axis;
    if (scene.domain) around.domain = makeDomain(*scene.domain);
    return around;
}

PictureScene pictureSceneOf(const Frame& frame, const FrameSurroundings& surroundings) {
    PictureScene scene{.up = upwardAxis(surroundings.gravity)};
    if (surroundings.planarAxis) scene.planarNormal = towardsEye(*surroundings.planarAxis);
    addBodies(scene, frame.bodies);
    addSurfaces(scene, frame.shapes, indicesOf(frame.bodies));
    scene.bounds = boundsOf(scene);
    addWalls(scene, frame.walls);
    addEdges(scene, domainEdges(surroundings.domain, scene.bounds));
    addJoints(scene, frame.joints);
    return scene;
}

}  // namespace talus
