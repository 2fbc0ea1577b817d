// Ears are cut off one by one (G. H. Meisters, "Polygons have ears", 1975): an ear is a convex corner whose triangle
// with its two neighbours holds no other corner.
#include "geometry/nurbs/outline_triangles.hpp"

#include <algorithm>
#include <numeric>

#include "geometry/nurbs/outline.hpp"

namespace talus {
namespace {

class EarCutter {
public:
    explicit EarCutter(const std::vector<OutlineBody::Knot>& knots) : knots_(knots), left_(knots.size()) {
        std::iota(left_.begin(), left_.end(), 0u);
    }

    // Corners that lie straight between their neighbours make no triangle.
    std::vector<std::array<std::uint32_t, 3>> cut() {
        std::vector<std::array<std::uint32_t, 3>> triangles;
        while (left_.size() > 2) {
            const std::size_t k = nextEar();
            if (twiceArea(k) > 0) triangles.push_back({before(k), left_[k], after(k)});
            left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k));
        }
        return triangles;
    }

private:
    std::uint32_t before(std::size_t k) const { return left_[(k + left_.size() - 1) % left_.size()]; }
    std::uint32_t after(std::size_t k) const { return left_[(k + 1) % left_.size()]; }
    const Vec2& at(std::uint32_t corner) const { return knots_[corner].position; }

    static double twiceArea(const Vec2& a, const Vec2& b, const Vec2& c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    }
    double twiceArea(std::size_t k) const { return twiceArea(at(before(k)), at(left_[k]), at(after(k))); }

    bool isEar(std::size_t k) const {
        if (!(twiceArea(k) > 0)) return false;
        const Vec2 &a = at(before(k)), &b = at(left_[k]), &c = at(after(k));
        return std::none_of(left_.begin(), left_.end(), [&](std::uint32_t other) {
            if (other == before(k) || other == left_[k] || other == after(k)) return false;
            const Vec2& p = at(other);
            return twiceArea(a, b, p) >= 0 && twiceArea(b, c, p) >= 0 && twiceArea(c, a, p) >= 0;
        });
    }

    // If round-off hides all ears, the flattest corner goes.
    std::size_t nextEar() const {
        for (std::size_t k = 0; k < left_.size(); ++k) {
            if (isEar(k)) return k;
        }
        std::size_t flattest = 0;
        for (std::size_t k = 1; k < left_.size(); ++k) {
            if (std::abs(twiceArea(k)) < std::abs(twiceArea(flattest))) flattest = k;
        }
        return flattest;
    }

    const std::vector<OutlineBody::Knot>& knots_;
    std::vector<std::uint32_t> left_;  // knots not cut off yet, in order
};

}  // namespace

SurfaceTriangles triangulate(const OutlineBody& outline) {
    SurfaceTriangles surface;
    for (const OutlineBody::Knot& knot : outline.knots)
        surface.corners.push_back({knot.position.x, knot.position.y, 0});
    for (const auto& [a, b, c] : EarCutter(outline.knots).cut()) surface.triangles.push_back({a, b, c});
    return surface;
}

}  // namespace talus
