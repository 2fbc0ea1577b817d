// How wrong the narrow phase is about two polyhedra that touch, next to the exact answer.
#pragma once

#include "contacts/narrow/convex/boxes.hpp"
#include "contacts/narrow/convex/convex_pairs.hpp"
#include "contacts/narrow/convex/hulls.hpp"
#include "touching_pairs.hpp"

namespace talus::samples {

// Kinds of pairs by the searches they need.
inline std::vector<TouchingPairs> touchingKinds() {
    Random random(5, 1);
    const auto hulls = someHulls(random, 48), boxes = someBoxes(random, 12), manyFaced = manyFacedHulls(random, 6),
               prisms = somePrisms(random, 12);
    using enum TouchingPairs::Search;
    return {
        {"hulls, by their axes", hulls, hulls, quick, 1}, {"hulls, by the general search", hulls, hulls, general, 2},
        {"boxes, by their axes", boxes, boxes, quick, 3}, {"boxes, by the general search", boxes, boxes, general, 4},
        {"box and hull", boxes, hulls, general, 5},       {"hull and prism", hulls, prisms, general, 6},
        {"box and prism", boxes, prisms, general, 7},     {"hulls of many faces", manyFaced, hulls, general, 8}};
}

// All in parts of the size of the two together.
struct TouchingErrors {
    double exact = 0;     // the greatest separation; negative: overlap
    double told = 0;      // what the search says it is
    double normal = 0;    // by how much the normal separates otherwise than is told
    double depth = 0;     // by how much another direction separates more than the normal does
    double ends = 0;      // of bodies apart: by how much the two nearest points are farther from each other
    double contacts = 0;  // by how much the least gap of the contacts is not the distance
};

// Below this the general search looks at faces of the difference body only, core_distance.cpp.
inline constexpr double touching = 1e-7;

// What errors may be, from how the searches work. Depth: axes of edges must be better than faces by 1e-6 (boxes.cpp,
// hulls.cpp); the growing polytope stops at 1e-11 and takes the last of what is as good within that; bodies less than
// 1e-7 apart have the separation of a face. Of bodies apart the direction is that of a vector which rounding errors of
// some 1e-15 turn, so that with 1e-7 some 1e-8 of the distance is missed. Contacts: manifold.cpp lets 2e-6 pass.
struct TouchingLimits {
    double normal = 1e-12, depth = 0, ends = 2e-8, contacts = 2.1e-6;

    TouchingLimits(TouchingPairs::Search search, double exact) {
        depth = search == TouchingPairs::Search::quick ? 1.01e-6 : exact > 0 ? 1.01 * touching : 4e-11;
    }
    bool allow(const TouchingErrors& e) const {
        return e.normal <= normal && e.depth <= depth && e.ends <= ends && e.contacts <= contacts;
    }
};

// A pair, ready to be searched.
class PlacedPair {
public:
    explicit PlacedPair(const TouchingPair& pair)
        : a_(pair.a), b_(pair.b), exactA_(*pair.first->hull, a_), exactB_(*pair.second->hull, b_) {
        if (pair.first->isPrism) a_ = ConvexCore(std::span<const Vec3, 6>(exactA_.corners.data(), 6));
        if (pair.second->isPrism) b_ = ConvexCore(std::span<const Vec3, 6>(exactB_.corners.data(), 6));
    }

    TouchingErrors errors(TouchingPairs::Search search) const {
        const double size = a_.size + b_.size;
        const CoreDistance found = search == TouchingPairs::Search::general ? coreDistance(a_, b_, 1e300) : quickly();
        const double separation = separationAlong(exactA_, exactB_, found.normal);
        TouchingErrors e;
        e.exact = ExactSeparation(exactA_, exactB_).greatest() / size;
        e.told = found.distance / size;
        e.normal = std::abs(separation - found.distance) / size;
        e.depth = e.exact - separation / size;
        if (e.told > touching) e.ends = norm(found.onA - found.onB) / size - e.told;
        e.contacts = std::abs(leastGapOfContacts(found) / size - e.told);
        return e;
    }

private:
    CoreDistance quickly() const {
        const bool boxes = std::holds_alternative<BoxShape>(*a_.shape) && std::holds_alternative<BoxShape>(*b_.shape);
        return boxes ? boxDistance(a_, b_, 1e300) : hullDistance(a_, b_, 1e300);
    }
    double leastGapOfContacts(const CoreDistance& found) const {
        std::vector<ContactPoint> points;
        addManifold(a_, b_, found, 0.1 * (a_.size + b_.size), points);
        return leastGap(points);
    }

    ConvexCore a_, b_;
    PlacedPolyhedron exactA_, exactB_;
};

}  // namespace talus::samples
