#include "geometry/solids/tessellation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "geometry/mesh/mesh.hpp"
#include "geometry/nurbs/outline_triangles.hpp"
#include "geometry/nurbs/surface_body.hpp"
#include "geometry/solids/compound.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

using std::numbers::pi;
using Index = std::uint32_t;

Index addCorner(SurfaceTriangles& surface, const Vec3& corner) {
    surface.corners.push_back(corner);
    return static_cast<Index>(surface.corners.size() - 1);
}

void addQuad(SurfaceTriangles& surface, Index a, Index b, Index c, Index d) {
    surface.triangles.push_back({a, b, c});
    surface.triangles.push_back({a, c, d});
}

// --- cubes of grid points, moved onto the surface ------------------------------------------------------------------

// The surface of a box cut into a grid: `ticks` are the coordinates along each axis, in rising order. Corners shared
// by faces are made once.
class GridCube {
public:
    explicit GridCube(std::array<std::vector<double>, 3> ticks) : ticks_(std::move(ticks)) {
        for (int axis = 0; axis < 3; ++axis) {
            addFace(axis, 0);
            addFace(axis, last(axis));
        }
    }

    SurfaceTriangles surface;

private:
    using Place = std::array<std::size_t, 3>;

    std::size_t last(int axis) const { return ticks_[static_cast<std::size_t>(axis)].size() - 1; }

    Index cornerAt(const Place& place) {
        const auto [found, isNew] = numbers_.emplace(place, static_cast<Index>(surface.corners.size()));
        if (isNew) addCorner(surface, {ticks_[0][place[0]], ticks_[1][place[1]], ticks_[2][place[2]]});
        return found->second;
    }

    void addFace(int axis, std::size_t level) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const auto corner = [&](std::size_t i, std::size_t j) {
            Place place{};
            place[static_cast<std::size_t>(axis)] = level;
            place[static_cast<std::size_t>(u)] = i;
            place[static_cast<std::size_t>(v)] = j;
            return cornerAt(place);
        };
        for (std::size_t i = 0; i < last(u); ++i) {
            for (std::size_t j = 0; j < last(v); ++j) {
                const Index a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
                level > 0 ? addQuad(surface, a, b, c, d) : addQuad(surface, a, d, c, b);
            }
        }
    }

    std::array<std::vector<double>, 3> ticks_;
    std::map<Place, Index> numbers_;
};

// Coordinates on the faces of a cube of half size 1 that look even from its centre: an eighth of a circle each side.
std::vector<double> evenAngles(int steps) {
    std::vector<double> ticks;
    for (int k = 0; k <= steps; ++k) ticks.push_back(std::tan(pi / 4 * (2.0 * k / steps - 1)));
    ticks.front() = -1, ticks.back() = 1;
    return ticks;
}

// A cube whose corners are pushed out or in along rays from the centre by a factor of the place.
template <class Factor>
SurfaceTriangles radial(const Vec3& semiAxes, int steps, Factor&& factor) {
    const std::vector<double> ticks = evenAngles(steps);
    GridCube cube({ticks, ticks, ticks});
    for (Vec3& corner : cube.surface.corners) corner = hadamard(semiAxes, factor(corner) * corner);
    return std::move(cube.surface);
}

SurfaceTriangles tessellateEllipsoid(const Vec3& semiAxes, int steps) {
    return radial(semiAxes, steps, [](const Vec3& p) { return 1 / norm(p); });
}

double superquadricFactor(const SuperquadricShape& s, const Vec3& p) {
    const double equator = std::pow(std::abs(p.x), s.equator) + std::pow(std::abs(p.y), s.equator);
    const double all = std::pow(equator, s.meridian / s.equator) + std::pow(std::abs(p.z), s.meridian);
    return std::pow(all, -1 / s.meridian);
}

// Ticks of a rounded box along one axis: the arc, the flat part, the arc. A corner of the grid belongs to the nearest
// point of the core and is moved to `rounding` from it.
std::vector<double> roundedTicks(double half, double rounding, int steps) {
    if (rounding == 0) return {-half, half};
    const int parts = std::max(1, steps / 2);
    std::vector<double> arc;  // 0 to 1 in steps that look even
    for (int k = 0; k <= parts; ++k) arc.push_back(std::tan(pi / 4 * k / parts));
    std::vector<double> ticks;
    for (int k = parts; k >= 0; --k) ticks.push_back(-half - rounding * arc[static_cast<std::size_t>(k)]);
    for (int k = 0; k <= parts; ++k) ticks.push_back(half + rounding * arc[static_cast<std::size_t>(k)]);
    return ticks;
}

SurfaceTriangles tessellateBox(const BoxShape& box, int steps) {
    const Vec3& h = box.halfSize;
    GridCube cube({roundedTicks(h.x, box.rounding, steps), roundedTicks(h.y, box.rounding, steps),
                   roundedTicks(h.z, box.rounding, steps)});
    if (box.rounding == 0) return std::move(cube.surface);
    for (Vec3& corner : cube.surface.corners) {
        Vec3 core;
        for (int axis = 0; axis < 3; ++axis) core[axis] = std::clamp(corner[axis], -h[axis], h[axis]);
        corner = core + box.rounding * normalized(corner - core);
    }
    return std::move(cube.surface);
}

// --- bodies of revolution ------------------------------------------------------------------------------------------

struct ProfilePoint {
    double radius, z;  // m
};

// Triangles between rings of corners, from the low to the high end; a ring of one corner is a tip.
void joinRings(SurfaceTriangles& surface, const std::vector<std::vector<Index>>& rings, std::size_t sectors) {
    for (std::size_t r = 0; r + 1 < rings.size(); ++r) {
        const std::vector<Index>&low = rings[r], &high = rings[r + 1];
        for (std::size_t k = 0; k < sectors; ++k) {
            const std::size_t next = (k + 1) % sectors;
            if (low.size() > 1 && high.size() > 1) {
                addQuad(surface, low[k], low[next], high[next], high[k]);
            } else if (high.size() > 1) {
                surface.triangles.push_back({low[0], high[next], high[k]});
            } else if (low.size() > 1) {
                surface.triangles.push_back({low[k], low[next], high[0]});
            }
        }
    }
}

// Turns a line from the low to the high end of the z axis about it. Points on the axis are one corner each.
SurfaceTriangles revolve(const std::vector<ProfilePoint>& profile, int steps) {
    const int sectors = 4 * steps;
    SurfaceTriangles surface;
    std::vector<std::vector<Index>> rings;
    for (const ProfilePoint& point : profile) {
        std::vector<Index>& ring = rings.emplace_back();
        for (int k = 0; k < sectors && (k == 0 || point.radius > 0); ++k) {
            const double angle = 2 * pi * k / sectors;
            ring.push_back(
                addCorner(surface, {point.radius * std::cos(angle), point.radius * std::sin(angle), point.z}));
        }
    }
    joinRings(surface, rings, static_cast<std::size_t>(sectors));
    return surface;
}

// Adds points of the circle about a point of the profile, between two angles from the downward axis.
void addArc(std::vector<ProfilePoint>& profile, const ProfilePoint& centre, double radius, double from, double to,
            int steps) {
    const int parts = radius > 0 ? std::max(1, static_cast<int>(std::ceil((to - from) / (pi / 2) * steps - 1e-9))) : 0;
    for (int k = 0; k <= parts; ++k) {
        const double angle = parts > 0 ? from + (to - from) * k / parts : from;
        const double r = centre.radius + radius * std::sin(angle);
        // The ends of a line from the axis are on it exactly.
        profile.push_back({r > 1e-12 * radius ? r : 0, centre.z - radius * std::cos(angle)});
    }
}

// A frustum with round edges: flat cap, arc, mantle, arc, flat cap; parts of no size are left out.
SurfaceTriangles tessellateCone(const ConeShape& cone, int steps) {
    const double slope = std::atan2(cone.lowRadius - cone.highRadius, cone.high - cone.low);  // of the mantle's normal
    std::vector<ProfilePoint> profile;
    if (cone.lowRadius > 0) profile.push_back({0, cone.low - cone.rounding});
    addArc(profile, {cone.lowRadius, cone.low}, cone.rounding, 0, pi / 2 + slope, steps);
    addArc(profile, {cone.highRadius, cone.high}, cone.rounding, pi / 2 + slope, pi, steps);
    if (cone.highRadius > 0) profile.push_back({0, cone.high + cone.rounding});
    return revolve(profile, steps);
}

// --- NURBS surfaces ------------------------------------------------------------------------------------------------

// A grid of the parameters with as many steps to a span as the whole needs; each pole is one corner.
SurfaceTriangles tessellateSurface(const NurbsSurface& s, int steps) {
    const auto partsOf = [](std::size_t spans, int wanted) {
        const int n = static_cast<int>(spans);
        return n * std::max(1, (wanted + n - 1) / n);
    };
    std::size_t spansU = 0;
    while (spansU < s.patches().size() && s.patches()[spansU].beginV == s.patches()[0].beginV) ++spansU;
    const int round = partsOf(spansU, 4 * steps), up = partsOf(s.patches().size() / spansU, 2 * steps);
    // Spans may be of any length: equal parts of each.
    const auto at = [&](int i, int j) {
        const int perU = round / static_cast<int>(spansU),
                  perV = up * static_cast<int>(spansU) / int(s.patches().size());
        const std::size_t column = static_cast<std::size_t>(std::min(i / perU, int(spansU) - 1));
        const std::size_t row = static_cast<std::size_t>(std::min(j / perV, up / perV - 1));
        const BezierPatch& patch = s.patches()[row * spansU + column];
        return positionAt(patch, double(i - int(column) * perU) / perU, double(j - int(row) * perV) / perV);
    };
    SurfaceTriangles surface;
    std::vector<std::vector<Index>> rings;
    for (int j = 0; j <= up; ++j) {
        std::vector<Index>& ring = rings.emplace_back();
        for (int i = 0; i < (j == 0 || j == up ? 1 : round); ++i) ring.push_back(addCorner(surface, at(i, j)));
    }
    joinRings(surface, rings, static_cast<std::size_t>(round));
    return surface;
}

// --- polyhedra -----------------------------------------------------------------------------------------------------

void addFan(SurfaceTriangles& surface, const std::vector<Index>& corners) {
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        surface.triangles.push_back({corners[0], corners[k], corners[k + 1]});
    }
}

// A polyhedron with round edges: faces moved outward, a strip of a cylinder along each edge, a piece of a ball at each
// corner. Every face has its own copy of its corners; strips and balls join them.
class RoundedHull {
public:
    RoundedHull(const ConvexHull& hull, double rounding, int steps)
        : hull_(hull), rounding_(rounding), parts_(std::max(1, steps / 2)) {
        addFaces();
        addEdges();
        for (Index corner = 0; corner < hull.corners.size(); ++corner) addBall(corner);
    }

    SurfaceTriangles surface;

private:
    static std::size_t placeIn(const ConvexHull::Face& face, Index corner) {
        return static_cast<std::size_t>(std::find(face.corners.begin(), face.corners.end(), corner) -
                                        face.corners.begin());
    }

    Index copyOf(Index face, Index corner) const {
        return firstOfFace_[face] + static_cast<Index>(placeIn(hull_.faces[face], corner));
    }

    void addFaces() {
        for (const ConvexHull::Face& face : hull_.faces) {
            firstOfFace_.push_back(static_cast<Index>(surface.corners.size()));
            std::vector<Index> corners;
            for (const Index corner : face.corners) {
                corners.push_back(addCorner(surface, hull_.corners[corner] + rounding_ * face.normal));
            }
            addFan(surface, corners);
        }
    }

    // Corners of the mesh from the copy of a corner on one face to that on another, about the corner.
    std::vector<Index> makeArc(Index corner, Index from, Index to) {
        const Vec3 &a = hull_.faces[from].normal, &b = hull_.faces[to].normal;
        const double angle = std::atan2(norm(cross(a, b)), dot(a, b));
        std::vector<Index> arc{copyOf(from, corner)};
        for (int k = 1; k < parts_; ++k) {
            const double t = static_cast<double>(k) / parts_;
            const Vec3 direction = std::sin((1 - t) * angle) * a + std::sin(t * angle) * b;
            arc.push_back(addCorner(surface, hull_.corners[corner] + rounding_ * normalized(direction)));
        }
        arc.push_back(copyOf(to, corner));
        return arc;
    }

    void addEdges() {
        for (Index face = 0; face < hull_.faces.size(); ++face) {
            const ConvexHull::Face& f = hull_.faces[face];
            for (std::size_t k = 0; k < f.corners.size(); ++k) {
                const Index other = f.neighbour[k];
                if (other < face) continue;
                const Index a = f.corners[k], b = f.corners[(k + 1) % f.corners.size()];
                const std::vector<Index> low = makeArc(a, face, other), high = makeArc(b, face, other);
                for (std::size_t s = 0; s + 1 < low.size(); ++s)
                    addQuad(surface, low[s], low[s + 1], high[s + 1], high[s]);
                arcs_[{a, face, other}] = low;
                arcs_[{a, other, face}] = {low.rbegin(), low.rend()};
                arcs_[{b, face, other}] = high;
                arcs_[{b, other, face}] = {high.rbegin(), high.rend()};
            }
        }
    }

    // The faces about a corner, against the clock.
    std::vector<Index> facesAround(Index corner) const {
        Index face = 0;
        while (placeIn(hull_.faces[face], corner) == hull_.faces[face].corners.size()) ++face;
        std::vector<Index> faces;
        const Index first = face;
        do {
            faces.push_back(face);
            const ConvexHull::Face& f = hull_.faces[face];
            const std::size_t place = placeIn(f, corner);
            face = f.neighbour[(place + f.corners.size() - 1) % f.corners.size()];
        } while (face != first);
        return faces;
    }

    // Rings from a point in the middle of the normals to the arcs around.
    void addBall(Index corner) {
        const std::vector<Index> faces = facesAround(corner);
        std::vector<Index> rim;
        Vec3 sum;
        for (std::size_t k = 0; k < faces.size(); ++k) {
            const std::vector<Index>& arc = arcs_.at({corner, faces[k], faces[(k + 1) % faces.size()]});
            rim.insert(rim.end(), arc.begin(), arc.end() - 1);
            sum += hull_.faces[faces[k]].normal;
        }
        const Vec3 centre = hull_.corners[corner], middle = normalized(sum);
        const Index top = addCorner(surface, centre + rounding_ * middle);
        std::vector<Index> inner(rim.size(), top);
        for (int level = 1; level <= parts_; ++level) {
            std::vector<Index> ring = rim;
            for (std::size_t k = 0; level < parts_ && k < rim.size(); ++k) {
                const Vec3 outward = normalized(surface.corners[rim[k]] - centre);
                const double t = static_cast<double>(level) / parts_;
                ring[k] = addCorner(surface, centre + rounding_ * normalized((1 - t) * middle + t * outward));
            }
            for (std::size_t k = 0; k < rim.size(); ++k) {
                const std::size_t next = (k + 1) % rim.size();
                if (level == 1) {
                    surface.triangles.push_back({top, ring[k], ring[next]});
                } else {
                    addQuad(surface, inner[k], ring[k], ring[next], inner[next]);
                }
            }
            inner = std::move(ring);
        }
    }

    const ConvexHull& hull_;
    double rounding_;
    int parts_;  // of an arc
    std::vector<Index> firstOfFace_;
    std::map<std::array<Index, 3>, std::vector<Index>> arcs_;  // of a corner from face to face
};

// A convex polygon with round corners, flat: a fan over arcs about the corners.
SurfaceTriangles tessellatePolygon(const PolygonShape& polygon, int steps) {
    SurfaceTriangles surface;
    const std::size_t count = polygon.corners.size();
    std::vector<Index> rim;
    for (std::size_t k = 0; k < count; ++k) {
        const auto &before = polygon.corners[(k + count - 1) % count], &here = polygon.corners[k],
                   &after = polygon.corners[(k + 1) % count];
        if (polygon.rounding == 0) {
            rim.push_back(addCorner(surface, {here.x, here.y, 0}));
            continue;
        }
        // Directions of the outward normals before and after the corner; a lone corner is a whole circle.
        const double from = count == 1 ? 0 : std::atan2(before.x - here.x, here.y - before.y);
        double to = count == 1 ? 2 * pi : std::atan2(here.x - after.x, after.y - here.y);
        if (to < from) to += 2 * pi;
        const int parts = std::max(1, static_cast<int>(std::ceil((to - from) / (pi / 2) * steps - 1e-9)));
        for (int s = 0; s < parts + (count > 1 ? 1 : 0); ++s) {
            const double angle = from + (to - from) * s / parts;
            rim.push_back(addCorner(surface, {here.x + polygon.rounding * std::cos(angle),
                                              here.y + polygon.rounding * std::sin(angle), 0}));
        }
    }
    addFan(surface, rim);
    return surface;
}

// --- one function per shape ----------------------------------------------------------------------------------------

template <OfKind<ShapeKind::wall> Wall>
SurfaceTriangles make(const Wall&, int) {
    return {};
}
// Where the normal has the direction of a corner of the cube.
template <SmoothSolid S>
SurfaceTriangles make(const S& s, int steps) {
    const std::vector<double> ticks = evenAngles(2 * steps);
    GridCube cube({ticks, ticks, ticks});
    for (Vec3& corner : cube.surface.corners) corner = s.support(corner);
    return std::move(cube.surface);
}
SurfaceTriangles make(const SphereShape&, int steps) { return tessellateEllipsoid({1, 1, 1}, steps); }
SurfaceTriangles make(const BoxShape& s, int steps) { return tessellateBox(s, steps); }
SurfaceTriangles make(const CylinderShape& s, int steps) {
    return tessellateCone({s.radius, s.radius, -s.halfLength, s.halfLength, s.rounding}, steps);
}
SurfaceTriangles make(const ConeShape& s, int steps) { return tessellateCone(s, steps); }
SurfaceTriangles make(const CapsuleShape& s, int steps) {
    return tessellateCone({0, 0, -s.halfLength, s.halfLength, s.radius}, steps);
}
SurfaceTriangles make(const EllipsoidShape& s, int steps) { return tessellateEllipsoid(s.semiAxes, steps); }
SurfaceTriangles make(const SuperquadricShape& s, int steps) {
    return radial(s.semiAxes, 2 * steps, [&](const Vec3& p) { return superquadricFactor(s, p); });
}
SurfaceTriangles make(const PolygonShape& s, int steps) { return tessellatePolygon(s, steps); }
SurfaceTriangles make(const HullShape& s, int steps) {
    if (s.rounding > 0) return std::move(RoundedHull(*s.hull, s.rounding, steps).surface);
    SurfaceTriangles surface{s.hull->corners, {}};
    for (const ConvexHull::Face& face : s.hull->faces) addFan(surface, face.corners);
    return surface;
}
SurfaceTriangles make(const SurfaceShape& s, int steps) { return tessellateSurface(s.body->tree.surface(), steps); }
SurfaceTriangles make(const MeshShape& s, int) { return {s.mesh->corners, s.mesh->triangles}; }
SurfaceTriangles make(const OutlineShape& s, int) { return triangulate(*s.outline); }
SurfaceTriangles make(const CompoundShape& s, int steps) {
    SurfaceTriangles whole;
    for (const CompoundBody::Part& part : s.parts->parts) {
        const SurfaceTriangles piece = tessellate(part.shape, steps);
        const auto first = static_cast<Index>(whole.corners.size());
        for (const Vec3& corner : piece.corners) {
            whole.corners.push_back(part.pose.position + rotate(part.pose.orientation, part.scale * corner));
        }
        for (const auto& [a, b, c] : piece.triangles) whole.triangles.push_back({first + a, first + b, first + c});
    }
    return whole;
}

}  // namespace

SurfaceTriangles tessellate(const Shape& shape, int steps) {
    return std::visit([&](const auto& s) { return make(s, std::max(1, steps)); }, shape);
}

double enclosedVolume(const SurfaceTriangles& surface) {
    double sixfold = 0;
    for (const auto& [a, b, c] : surface.triangles) {
        sixfold += dot(surface.corners[a], cross(surface.corners[b], surface.corners[c]));
    }
    return sixfold / 6;
}

}  // namespace talus
