// Points of the difference body A - B of two cores, and the simplex of GJK made of them.
#pragma once

#include <array>

#include "contacts/narrow/convex/convex_core.hpp"

namespace talus {

struct DifferencePoint {
    Vec3 a, b;  // m, of the cores
    Vec3 w;     // m, a - b
};

inline DifferencePoint differenceSupport(const ConvexCore& a, const ConvexCore& b, const Vec3& direction) {
    DifferencePoint p{a.support(direction), b.support(-direction), {}};
    p.w = p.a - p.b;
    return p;
}

// Up to four points; the weights make the point nearest to the origin of them.
struct Simplex {
    std::array<DifferencePoint, 4> points;
    std::array<double, 4> weight{};
    int count = 0;

    Vec3 nearest() const;
    // Keeps the fewest points whose hull has the point nearest to the origin. False if the origin is inside of four.
    bool reduce();
};

}  // namespace talus
