#include "contacts/narrow/convex/difference_body.hpp"

#include <algorithm>
#include <limits>

namespace talus {
namespace {

// Some of the points of a simplex with the weights of their nearest point.
struct Part {
    std::array<int, 3> index{};
    std::array<double, 3> weight{};
    int count = 0;
};

Part cornerPart(int i) { return {{i, 0, 0}, {1, 0, 0}, 1}; }

Part nearestOfSegment(const Simplex& s, int i, int j) {
    const Vec3 &p = s.points[i].w, edge = s.points[j].w - p;
    const double length = normSquared(edge), along = -dot(p, edge);
    if (along <= 0 || length == 0) return cornerPart(i);
    if (along >= length) return cornerPart(j);
    return {{i, j, 0}, {1 - along / length, along / length, 0}, 2};
}

Vec3 pointOf(const Simplex& s, const Part& part) {
    Vec3 p;
    for (int k = 0; k < part.count; ++k) p += part.weight[k] * s.points[part.index[k]].w;
    return p;
}

Part nearer(const Simplex& s, const Part& a, const Part& b) {
    return normSquared(pointOf(s, b)) < normSquared(pointOf(s, a)) ? b : a;
}

// Inside the triangle by the signs of the areas that the origin's foot makes with its edges, else on an edge.
Part nearestOfTriangle(const Simplex& s, int i, int j, int k) {
    const Vec3 &p = s.points[i].w, &q = s.points[j].w, &r = s.points[k].w;
    const Vec3 normal = cross(q - p, r - p);
    const double area = normSquared(normal);
    const double wi = dot(normal, cross(q, r)), wj = dot(normal, cross(r, p)), wk = dot(normal, cross(p, q));
    if (area > 0 && wi > 0 && wj > 0 && wk > 0) {
        const double sum = wi + wj + wk;
        return {{i, j, k}, {wi / sum, wj / sum, wk / sum}, 3};
    }
    const Part ij = nearestOfSegment(s, i, j), jk = nearestOfSegment(s, j, k), ki = nearestOfSegment(s, k, i);
    return nearer(s, nearer(s, ij, jk), ki);
}

// True if the origin is on the same side of the triangle as the fourth point.
bool originInside(const Simplex& s, int i, int j, int k, int fourth) {
    const Vec3& p = s.points[i].w;
    const Vec3 normal = cross(s.points[j].w - p, s.points[k].w - p);
    return dot(normal, s.points[fourth].w - p) * dot(normal, p) < 0;
}

void keep(Simplex& s, const Part& part) {
    Simplex kept;
    kept.count = part.count;
    for (int k = 0; k < part.count; ++k) {
        kept.points[k] = s.points[part.index[k]];
        kept.weight[k] = part.weight[k];
    }
    s = kept;
}

constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};  // three corners, the fourth

// m^2, of the least height of a corner over the face across from it.
double squaredThickness(const Simplex& s) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& f : faces) {
        const Vec3& p = s.points[f[0]].w;
        const Vec3 normal = cross(s.points[f[1]].w - p, s.points[f[2]].w - p);
        const double height = dot(normal, s.points[f[3]].w - p), area = normSquared(normal);
        least = std::min(least, area > 0 ? height * height / area : 0.0);
    }
    return least;
}

bool reduceTetrahedron(Simplex& s) {
    bool inside = true;
    for (const auto& f : faces) inside = inside && originInside(s, f[0], f[1], f[2], f[3]);
    // All faces, not only those that the origin is outside of: of flat tetrahedra the sides are not sure.
    Part best = nearestOfTriangle(s, 0, 1, 2);
    for (const auto& f : faces) best = nearer(s, best, nearestOfTriangle(s, f[0], f[1], f[2]));
    // Nor is the inside: what is in a tetrahedron is no farther from its surface than the tetrahedron is thick.
    if (inside && normSquared(pointOf(s, best)) <= squaredThickness(s)) return false;
    keep(s, best);
    return true;
}

}  // namespace

Vec3 Simplex::nearest() const {
    Vec3 p;
    for (int k = 0; k < count; ++k) p += weight[k] * points[k].w;
    return p;
}

bool Simplex::reduce() {
    if (count == 4) return reduceTetrahedron(*this);
    if (count == 3) {
        keep(*this, nearestOfTriangle(*this, 0, 1, 2));
    } else if (count == 2) {
        keep(*this, nearestOfSegment(*this, 0, 1));
    } else {
        weight[0] = 1;
    }
    return true;
}

}  // namespace talus
