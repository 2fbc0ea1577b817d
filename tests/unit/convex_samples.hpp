// Convex solids, placements and independent answers for the tests of shapes and their contacts.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "build/make_shape.hpp"
#include "contacts/narrow/convex/convex_core.hpp"
#include "geometry/solids/hull.hpp"

namespace talus::samples {

inline Vec3 randomDirection(Random& random) {
    while (true) {
        const Vec3 v = random.inBox({-1, -1, -1}, {1, 1, 1});
        if (norm(v) < 1 && norm(v) > 0.1) return normalized(v);
    }
}
inline Quat randomOrientation(Random& random) {
    return rotationBy(random.uniform(0, std::numbers::pi) * randomDirection(random));
}

// The convex hull of few points in general position or not, by trying all planes through three of them.
inline std::shared_ptr<const ConvexHull> hullOf(std::vector<Vec3> points) {
    auto hull = std::make_shared<ConvexHull>();
    hull->corners = std::move(points);
    const auto& c = hull->corners;
    const auto count = std::uint32_t(c.size());
    const auto sameFace = [&](const Vec3& n, double d) {
        return std::any_of(hull->faces.begin(), hull->faces.end(), [&](const ConvexHull::Face& f) {
            return dot(f.normal, n) > 1 - 1e-9 && std::abs(f.distance - d) < 1e-9;
        });
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t j = 0; j < count; ++j) {
            for (std::uint32_t k = 0; k < count; ++k) {
                if (i == j || j == k || i == k || norm(cross(c[j] - c[i], c[k] - c[i])) < 1e-9) continue;
                const Vec3 n = normalized(cross(c[j] - c[i], c[k] - c[i]));
                const double d = dot(n, c[i]);
                ConvexHull::Face face{n, d, {}, {}};
                bool outermost = true;
                for (std::uint32_t m = 0; m < count; ++m) {
                    outermost = outermost && dot(n, c[m]) < d + 1e-9;
                    if (std::abs(dot(n, c[m]) - d) < 1e-9) face.corners.push_back(m);
                }
                if (!outermost || sameFace(n, d)) continue;
                Vec3 middle;
                for (const std::uint32_t m : face.corners) middle += c[m] / double(face.corners.size());
                const Vec3 x = normalized(c[face.corners[0]] - middle), y = cross(n, x);
                const auto angle = [&](std::uint32_t m) {
                    return std::atan2(dot(y, c[m] - middle), dot(x, c[m] - middle));
                };
                std::sort(face.corners.begin(), face.corners.end(),
                          [&](std::uint32_t p, std::uint32_t q) { return angle(p) < angle(q); });
                hull->faces.push_back(face);
            }
        }
    }
    hull->around.resize(count);
    const auto has = [&](std::uint32_t face, std::uint32_t from, std::uint32_t to) {
        const auto& corners = hull->faces[face].corners;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            if (corners[k] == from && corners[(k + 1) % corners.size()] == to) return true;
        }
        return false;
    };
    for (std::uint32_t f = 0; f < hull->faces.size(); ++f) {
        auto& face = hull->faces[f];
        for (std::size_t k = 0; k < face.corners.size(); ++k) {
            const std::uint32_t from = face.corners[k], to = face.corners[(k + 1) % face.corners.size()];
            for (std::uint32_t g = 0; g < hull->faces.size(); ++g) {
                if (!has(g, to, from)) continue;
                face.neighbour.push_back(g);
                if (from < to) hull->edges.push_back({from, to, f, g});
            }
            hull->around[from].push_back(to);
        }
    }
    for (const Vec3& p : c) hull->radius = std::max(hull->radius, norm(p));
    return hull;
}

inline std::shared_ptr<const ConvexHull> boxHull(const Vec3& half) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back(hadamard({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0}, half));
    return hullOf(corners);
}

inline std::shared_ptr<const ConvexHull> randomHull(Random& random, int points) {
    std::vector<Vec3> corners;
    for (int k = 0; k < points; ++k) corners.push_back(random.uniform(0.8, 1) * randomDirection(random));
    // Only the corners of the hull are kept.
    const auto all = hullOf(corners);
    std::vector<Vec3> outer;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        if (!all->around[k].empty()) outer.push_back(corners[k]);
    }
    return hullOf(outer);
}

struct NoFiles : FormFiles {
    NoFiles() : FormFiles(".") {}
    std::vector<Outline> outlines(const Outline&) const override { return {}; }
    SurfaceDefinition surface(const Surface&) const override { return {}; }
};
inline Shape polyEllipsoid(const Vec3& low, const Vec3& high) {
    return makeShape(PolyEllipsoid{low, high}, NoFiles()).shape;
}

struct NamedShape {
    std::string name;
    Shape shape;
};

// One or more of every convex solid.
inline const std::vector<NamedShape>& convexSolids() {
    static const std::vector<NamedShape> solids = [] {
        Random random(17, 3);
        return std::vector<NamedShape>{{"sphere", SphereShape{}},
                                       {"box", BoxShape{{0.5, 0.3, 0.8}}},
                                       {"rounded box", BoxShape{{0.5, 0.3, 0.8}, 0.1}},
                                       {"cylinder", CylinderShape{0.5, 0.7}},
                                       {"rounded cylinder", CylinderShape{0.5, 0.2, 0.1}},
                                       {"frustum", ConeShape{0.6, 0.2, -0.4, 0.5}},
                                       {"cone", ConeShape{0.6, 0, -0.3, 0.6}},
                                       {"rounded cone", ConeShape{0.5, 0, -0.3, 0.6, 0.1}},
                                       {"capsule", CapsuleShape{0.3, 0.6}},
                                       {"ellipsoid", EllipsoidShape{{0.9, 0.5, 0.3}}},
                                       {"flat ellipsoid", EllipsoidShape{{1, 1, 0.1}}},
                                       {"superquadric", SuperquadricShape{{0.8, 0.5, 0.6}, 4, 4}},
                                       {"pointed superquadric", SuperquadricShape{{0.8, 0.5, 0.6}, 1.5, 3}},
                                       {"poly-ellipsoid", polyEllipsoid({0.9, 0.4, 0.3}, {0.4, 0.6, 0.7})},
                                       {"hull", HullShape{randomHull(random, 12)}},
                                       {"rounded hull", HullShape{randomHull(random, 8), 0.1}}};
    }();
    return solids;
}

// s(n) of core_distance.hpp, less the roundings: what the solids are apart along n at least.
inline double separation(const ShapeInPlace& a, const ShapeInPlace& b, const Vec3& n) {
    const ConvexCore coreA(a), coreB(b);
    return dot(n, coreA.support(-n) - coreB.support(n)) - coreA.rounding - coreB.rounding;
}

inline double leastGap(const std::vector<ContactPoint>& points) {
    double least = 1e300;
    for (const ContactPoint& p : points) least = std::min(least, p.gap);
    return least;
}

// The greatest separation over all directions, by brute force: a net of directions, then the best are improved by
// shrinking steps. Never above the truth; where s has ridges a little below it.
inline double bruteForceSeparation(const ShapeInPlace& a, const ShapeInPlace& b, int directions = 600) {
    std::vector<std::pair<double, Vec3>> tried;
    for (int k = 0; k < directions; ++k) {
        const double z = 1 - 2 * (k + 0.5) / directions, angle = 2.399963229728653 * k, s = std::sqrt(1 - z * z);
        const Vec3 n{s * std::cos(angle), s * std::sin(angle), z};
        tried.push_back({separation(a, b, n), n});
    }
    std::sort(tried.begin(), tried.end(), [](const auto& p, const auto& q) { return p.first > q.first; });
    double best = tried[0].first;
    for (int start = 0; start < 3; ++start) {
        auto [s, n] = tried[start];
        int tries = 0;
        for (double step = 0.1; step > 1e-7 && tries < 400;) {
            const Vec3 u = normalized(cross(n, std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0})), v = cross(n, u);
            bool risen = false;
            for (int k = 0; k < 8 && !risen; ++k, ++tries) {
                const double angle = k * std::numbers::pi / 4;
                const Vec3 m = normalized(n + step * (std::cos(angle) * u + std::sin(angle) * v));
                const double sm = separation(a, b, m);
                if (sm > s) s = sm, n = m, risen = true;
            }
            if (!risen) step *= 0.5;
        }
        best = std::max(best, s);
    }
    return best;
}

}  // namespace talus::samples
