// Pairs of polyhedra that touch to round-off: a face, edge or corner of one at one of the other.
//
// A unit normal n is chosen that both features have, the second is turned and shifted until its feature meets that of
// the first, and a gap along n is left between them. As often as not the two are lined up as blocks of a wall or an
// arch are: edge along edge, corner at corner, or face on face of the same form. Then rounding errors decide which of
// many axes separates most, and on which side of an edge a corner lies.
#pragma once

#include <utility>

#include "convex_samples.hpp"
#include "exact_separation.hpp"
#include "geometry/mass/principal_axes.hpp"

namespace talus::samples {

// A polyhedron with its faces and edges; the shape may be a hull or a box, or the corners are those of a prism.
struct Polyhedron {
    Shape shape;
    std::shared_ptr<const ConvexHull> hull;
    bool isPrism = false;
};

inline Polyhedron asHull(const std::vector<Vec3>& points) {
    const HullShape shape = makeHull(points).shape;
    return {shape, shape.hull};
}
inline Polyhedron asBox(const Vec3& half) { return {BoxShape{half}, boxHull(half)}; }

// A part of a ring, as arches are built of: half its opening angle, inner and outer radius, half its length.
inline std::vector<Vec3> voussoirPoints(double angle, double inner, double outer, double half) {
    std::vector<Vec3> points;
    for (const double y : {-half, half}) {
        for (const double radius : {inner, outer}) {
            for (const double sign : {-1.0, 1.0}) {
                points.push_back({radius * std::sin(sign * angle), y, radius * std::cos(angle)});
            }
        }
    }
    return points;
}
// A regular polygon of this many corners, drawn up.
inline std::vector<Vec3> columnPoints(int corners, double radius, double half) {
    std::vector<Vec3> points;
    for (int k = 0; k < corners; ++k) {
        const double angle = 2 * std::numbers::pi * k / corners;
        for (const double z : {-half, half}) points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
    return points;
}

inline std::vector<Vec3> scatteredPoints(Random& random, int count) {
    std::vector<Vec3> points;
    for (int k = 0; k < count; ++k) points.push_back(random.uniform(0.6, 1) * randomDirection(random));
    return points;
}

// Hulls with few faces of all these kinds.
inline std::vector<Polyhedron> someHulls(Random& random, int count) {
    std::vector<Polyhedron> hulls;
    for (int k = 0; k < count; ++k) {
        const auto any = [&](double low, double high) { return random.uniform(low, high); };
        if (k % 4 == 0) hulls.push_back(asHull(voussoirPoints(any(0.05, 0.5), any(0.5, 0.95), 1, any(0.1, 1))));
        if (k % 4 == 1) hulls.push_back(asHull(columnPoints(3 + k / 4 % 8, 1, any(0.1, 1.5))));
        if (k % 4 == 2) hulls.push_back(asHull(scatteredPoints(random, 4 + k / 4 % 12)));
        if (k % 4 == 3) hulls.push_back(asHull(boxHull(random.inBox({0.2, 0.2, 0.2}, {1, 1, 1}))->corners));
    }
    return hulls;
}
inline std::vector<Polyhedron> someBoxes(Random& random, int count) {
    std::vector<Polyhedron> boxes;
    for (int k = 0; k < count; ++k) boxes.push_back(asBox(random.inBox({0.2, 0.2, 0.2}, {1, 1, 1})));
    return boxes;
}
// More faces than the search by separating axes takes.
inline std::vector<Polyhedron> manyFacedHulls(Random& random, int count) {
    std::vector<Polyhedron> hulls;
    for (int k = 0; k < count; ++k) {
        hulls.push_back(asHull(k % 2 == 0 ? columnPoints(65 + 8 * k, 1, random.uniform(0.1, 1))
                                          : scatteredPoints(random, 60 + 10 * k)));
    }
    return hulls;
}

// What stands for a triangle of a mesh: the triangle, and the same farther in.
inline std::vector<Polyhedron> somePrisms(Random& random, int count) {
    std::vector<Polyhedron> prisms;
    for (int k = 0; k < count; ++k) {
        std::vector<Vec3> corners;
        for (int c = 0; c < 3; ++c) {
            const double angle = 2 * std::numbers::pi * (c + random.uniform(0, 0.8)) / 3;
            corners.push_back({std::cos(angle), std::sin(angle), 0.5});
        }
        for (int c = 0; c < 3; ++c) corners.push_back(corners[std::size_t(c)] - Vec3{0, 0, 1});
        const auto hull = hullOf(corners);
        prisms.push_back({HullShape{hull}, hull, true});
    }
    return prisms;
}

// A place on a polyhedron, in its frame: a point, a direction that leads out there, and one along the surface.
struct Place {
    Vec3 point, outward, along;
};

inline Vec3 weighted(Random& random, const std::vector<Vec3>& points) {
    Vec3 sum;
    double all = 0;
    for (const Vec3& p : points) {
        const double share = random.uniform(0.05, 1);
        sum += share * p, all += share;
    }
    return sum / all;
}

inline Place placeOnFace(const ConvexHull& hull, std::size_t number, Random& random) {
    const ConvexHull::Face& face = hull.faces[number];
    std::vector<Vec3> corners;
    for (const std::uint32_t c : face.corners) corners.push_back(hull.corners[c]);
    const std::size_t k = std::size_t(random.uniform() * double(corners.size()));
    const Vec3 first = corners[k], next = corners[(k + 1) % corners.size()];
    const double kind = random.uniform();
    const Vec3 point = kind < 0.5 ? weighted(random, corners) : kind < 0.75 ? first : 0.5 * (first + next);
    return {point, face.normal, normalized(next - first)};
}

inline Place placeOnEdge(const ConvexHull& hull, std::size_t number, Random& random) {
    const ConvexHull::Edge& edge = hull.edges[number];
    const Vec3 from = hull.corners[edge.from], to = hull.corners[edge.to];
    const double share = random.uniform(), at = random.uniform() < 0.5 ? random.uniform() : 0.0;
    return {(1 - at) * from + at * to,
            normalized((1 - share) * hull.faces[edge.left].normal + share * hull.faces[edge.right].normal),
            normalized(to - from)};
}

inline Place placeOnCorner(const ConvexHull& hull, std::uint32_t number, Random& random) {
    std::vector<Vec3> normals;
    for (const ConvexHull::Face& face : hull.faces) {
        if (std::count(face.corners.begin(), face.corners.end(), number) > 0) normals.push_back(face.normal);
    }
    const Vec3 other = hull.corners[hull.around[number].front()];
    return {hull.corners[number], normalized(weighted(random, normals)), normalized(other - hull.corners[number])};
}

// Faces twice as often as edges and corners.
inline Place somePlace(const ConvexHull& hull, Random& random) {
    const double kind = random.uniform();
    const auto any = [&](std::size_t count) { return std::size_t(random.uniform() * double(count)); };
    if (kind < 0.5) return placeOnFace(hull, any(hull.faces.size()), random);
    if (kind < 0.75) return placeOnEdge(hull, any(hull.edges.size()), random);
    return placeOnCorner(hull, std::uint32_t(any(hull.corners.size())), random);
}

inline Mat3 frameOf(const Vec3& n, const Vec3& along) {
    const Vec3 t = normalized(along - dot(along, n) * n), s = cross(n, t);
    return {{n.x, t.x, s.x, n.y, t.y, s.y, n.z, t.z, s.z}};
}

struct TouchingPair {
    const Polyhedron *first, *second;
    ShapeInPlace a, b;
    double gap;  // m, that was left along the normal
};

// 0, or 1e-18 to 1e-9 with either sign, and some up to a hundredth: of the size.
inline double smallGap(Random& random) {
    const double kind = random.uniform(), sign = random.uniform() < 0.5 ? -1 : 1;
    if (kind < 0.2) return 0;
    return sign * std::pow(10, kind < 0.8 ? random.uniform(-18, -9) : random.uniform(-9, -2));
}

inline TouchingPair touchingPair(const Polyhedron& first, const Polyhedron& second, Random& random) {
    const double size = std::pow(10, random.uniform(-3, 3));
    const double scaleB = &first == &second || random.uniform() < 0.5 ? 1 : random.uniform(0.3, 3);
    // Face on face of the same form is a case of its own: all corners meet at once.
    const bool twins = first.hull == second.hull && random.uniform() < 0.5;
    Place ofA = somePlace(*first.hull, random), ofB = twins ? ofA : somePlace(*second.hull, random);
    const double turn = random.uniform() < 0.5 ? 0 : random.uniform(0, 2 * std::numbers::pi);
    const bool opposite = random.uniform() < 0.5;

    const Quat orientation = random.uniform() < 0.25 ? Quat{} : randomOrientation(random);
    const Vec3 n = -rotate(orientation, ofA.outward);
    const Vec3 along = rotate(rotationBy(turn * n), rotate(orientation, opposite ? -ofA.along : ofA.along));
    const Mat3 turned = frameOf(n, along) * transpose(frameOf(ofB.outward, ofB.along));
    const Pose poseB{{}, normalized(rotationWithColumns(turned))};

    TouchingPair pair{&first,
                      &second,
                      {&first.shape, size, {{}, orientation}},
                      {&second.shape, size * scaleB, poseB},
                      size * smallGap(random)};
    // The point where they meet is the origin, or anywhere.
    const Vec3 point = random.uniform() < 0.3 ? Vec3{} : 5 * size * random.inBox({-1, -1, -1}, {1, 1, 1});
    pair.a.pose.position = point + 0.5 * pair.gap * n - rotate(orientation, pair.a.scale * ofA.point);
    pair.b.pose.position = point - 0.5 * pair.gap * n - rotate(poseB.orientation, pair.b.scale * ofB.point);
    return pair;
}

// Pairs of one kind, each with a number of its own.
struct TouchingPairs {
    enum class Search { quick, general };  // which of the searches is asked
    std::string name;
    std::vector<Polyhedron> firsts, seconds;
    Search search;
    std::uint32_t stream;  // of random numbers

    TouchingPair pair(std::uint64_t number) const {
        Random random(99, stream, 1000 * number);
        const auto any = [&](const std::vector<Polyhedron>& list) -> const Polyhedron& {
            return list[std::size_t(random.uniform() * double(list.size()))];
        };
        const Polyhedron& first = any(firsts);
        const bool twins = firsts.front().hull == seconds.front().hull && random.uniform() < 0.3;
        return touchingPair(first, twins ? first : any(seconds), random);
    }
};

}  // namespace talus::samples
