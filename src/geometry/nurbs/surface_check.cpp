// Whether a closed NURBS surface can bound a body.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/mesh/bounding_tree.hpp"
#include "geometry/nurbs/nurbs_surface.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr std::size_t leastRound = 64, leastUp = 32;  // quads round the axis, and from pole to pole

// Triangles between points of the surface on a grid of its parameters. Points at the seam and the poles are shared.
class FollowingTriangles {
public:
    explicit FollowingTriangles(const NurbsSurface& surface) : surface_(surface) {
        gridU_ = gridOf(surface.definition().knotsU, surface.beginU(), surface.endU(), leastRound);
        gridV_ = gridOf(surface.definition().knotsV, surface.beginV(), surface.endV(), leastUp);
        for (const double v : gridV_) {
            for (std::size_t i = 0; i + 1 < gridU_.size(); ++i) corners_.push_back(surface.at(gridU_[i], v).position);
        }
        for (std::size_t j = 0; j + 1 < gridV_.size(); ++j) {
            for (std::size_t i = 0; i + 1 < gridU_.size(); ++i) addQuad(i, j);
        }
    }

    struct Triangle {
        std::array<std::uint32_t, 3> corner;
        double u, v;  // within it
    };
    const std::vector<Triangle>& triangles() const { return triangles_; }
    const Vec3& at(const Triangle& t, std::size_t k) const { return corners_[t.corner[k]]; }

    BoundingBox boxOf(const Triangle& t) const {
        BoundingBox box{at(t, 0), at(t, 0)};
        extend(box, at(t, 1));
        extend(box, at(t, 2));
        return box;
    }

    // True if the triangle lies on the surface as it should: the normals look the same way.
    bool isUpright(const Triangle& t) const {
        const SurfacePoint p = surface_.at(t.u, t.v);
        return dot(cross(p.du, p.dv), cross(at(t, 1) - at(t, 0), at(t, 2) - at(t, 0))) > 0;
    }

private:
    // Every span cut into equal parts.
    static std::vector<double> gridOf(const std::vector<double>& knots, double begin, double end, std::size_t least) {
        std::vector<double> ends;
        for (const double k : knots) {
            if (k >= begin && k <= end && (ends.empty() || k > ends.back())) ends.push_back(k);
        }
        const std::size_t spans = ends.size() - 1, parts = std::max<std::size_t>(2, (least + spans - 1) / spans);
        std::vector<double> grid;
        for (std::size_t s = 0; s < spans; ++s) {
            for (std::size_t k = 0; k < parts; ++k) {
                grid.push_back(ends[s] + (ends[s + 1] - ends[s]) * static_cast<double>(k) / static_cast<double>(parts));
            }
        }
        grid.push_back(end);
        return grid;
    }

    std::uint32_t cornerAt(std::size_t i, std::size_t j) const {
        const std::size_t round = gridU_.size() - 1;
        const bool pole = j == 0 || j + 1 == gridV_.size();
        return static_cast<std::uint32_t>(j * round + (pole ? 0 : i % round));
    }

    void addQuad(std::size_t i, std::size_t j) {
        const std::uint32_t a = cornerAt(i, j), b = cornerAt(i + 1, j), c = cornerAt(i + 1, j + 1),
                            d = cornerAt(i, j + 1);
        const double du = gridU_[i + 1] - gridU_[i], dv = gridV_[j + 1] - gridV_[j];
        if (a != b) triangles_.push_back({{a, b, c}, gridU_[i] + 2 * du / 3, gridV_[j] + dv / 3});
        if (c != d) triangles_.push_back({{a, c, d}, gridU_[i] + du / 3, gridV_[j] + 2 * dv / 3});
    }

    const NurbsSurface& surface_;
    std::vector<double> gridU_, gridV_;
    std::vector<Vec3> corners_;
    std::vector<Triangle> triangles_;
};

using Triangle = FollowingTriangles::Triangle;

bool shareCorner(const Triangle& a, const Triangle& b) {
    return std::any_of(a.corner.begin(), a.corner.end(), [&](std::uint32_t k) {
        return std::find(b.corner.begin(), b.corner.end(), k) != b.corner.end();
    });
}

// True if the segment passes through the inside of the triangle.
bool pierces(const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& t) {
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    const double before = dot(normal, from - t[0]), after = dot(normal, to - t[0]);
    if (!(before * after < 0)) return false;
    const Vec3 place = from + (before / (before - after)) * (to - from);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 &a = t[k], &b = t[(k + 1) % 3];
        if (!(dot(normal, cross(b - a, place - a)) > 0)) return false;
    }
    return true;
}

bool doCross(const FollowingTriangles& mesh, const Triangle& a, const Triangle& b) {
    const std::array<Vec3, 3> cornersA{mesh.at(a, 0), mesh.at(a, 1), mesh.at(a, 2)};
    const std::array<Vec3, 3> cornersB{mesh.at(b, 0), mesh.at(b, 1), mesh.at(b, 2)};
    for (std::size_t k = 0; k < 3; ++k) {
        if (pierces(cornersA[k], cornersA[(k + 1) % 3], cornersB)) return true;
        if (pierces(cornersB[k], cornersB[(k + 1) % 3], cornersA)) return true;
    }
    return false;
}

[[noreturn]] void refuse(std::string_view path, const std::string& reason) {
    throw InputError(fmt::format("{}: {}", path, reason));
}

void checkFolds(const FollowingTriangles& mesh, std::string_view path) {
    for (const Triangle& t : mesh.triangles()) {
        if (mesh.isUpright(t)) continue;
        refuse(path, fmt::format("the surface folds back on itself, or has no normal, near u = {:.4g}, v = {:.4g}", t.u,
                                 t.v));
    }
}

void checkCrossings(const FollowingTriangles& mesh, std::string_view path) {
    std::vector<BoundingBox> boxes;
    for (const Triangle& t : mesh.triangles()) boxes.push_back(mesh.boxOf(t));
    const BoundingTree tree = buildTree(boxes);
    for (std::uint32_t k = 0; k < boxes.size(); ++k) {
        const Triangle& a = mesh.triangles()[k];
        forEachItemIn(tree, boxes[k], [&](std::uint32_t other) {
            const Triangle& b = mesh.triangles()[other];
            if (other <= k || !overlap(boxes[k], boxes[other]) || shareCorner(a, b) || !doCross(mesh, a, b)) return;
            refuse(path, fmt::format("the surface crosses itself: near u = {:.4g}, v = {:.4g} it meets u = {:.4g}, v = "
                                     "{:.4g}",
                                     a.u, a.v, b.u, b.v));
        });
    }
}

}  // namespace

void checkBody(const NurbsSurface& surface, std::string_view path) {
    const double size = surface.size(), volume = momentsOf(surface).volume;
    if (std::abs(volume) < 1e-9 * size * size * size) refuse(path, "the surface encloses no volume");
    if (volume < 0) refuse(path, "the surface is inside out: give the points of each row in the other order");
    const FollowingTriangles mesh(surface);
    checkFolds(mesh, path);
    checkCrossings(mesh, path);
}

}  // namespace talus
