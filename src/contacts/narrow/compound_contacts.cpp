#include "contacts/narrow/compound_contacts.hpp"

#include <algorithm>

#include "contacts/narrow/convex/features.hpp"
#include "geometry/mass/principal_axes.hpp"
#include "geometry/solids/compound.hpp"

namespace talus {
namespace {

const CompoundBody* compoundOf(const ShapeInPlace& body) {
    const auto* shape = std::get_if<CompoundShape>(body.shape);
    return shape == nullptr ? nullptr : shape->parts.get();
}

ShapeInPlace partInPlace(const ShapeInPlace& body, const CompoundBody::Part& part) {
    return {&part.shape,
            body.scale * part.scale,
            {outOfFrame(body.pose, body.scale * part.pose.position), body.pose.orientation * part.pose.orientation}};
}

// Calls visit(number, part) for the parts whose balls come within the margin of the ball of the other body.
template <class Visit>
void forEachPartNear(const ShapeInPlace& body, const ShapeInPlace& other, double margin, Visit&& visit) {
    const CompoundBody& compound = *compoundOf(body);
    const auto visitPart = [&](std::uint32_t k) { visit(k, partInPlace(body, compound.parts[k])); };
    if (isWall(*other.shape)) {
        for (std::uint32_t k = 0; k < compound.parts.size(); ++k) visitPart(k);
        return;
    }
    const Vec3 centre = intoFrame(body.pose, other.pose.position) / body.scale;
    const double reach = (other.scale * boundingRadius(*other.shape) + margin) / body.scale;
    forEachItemWithin(compound.tree, centre, reach, visitPart);
}

}  // namespace

void findCompoundContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                          std::vector<ContactPoint>& points, OutlinePlaces places) {
    const std::size_t start = points.size();
    // If both are compounds, a goes first; the parts of b are then found by this function again.
    const bool isFirst = compoundOf(a) != nullptr;
    forEachPartNear(isFirst ? a : b, isFirst ? b : a, margin, [&](std::uint32_t number, const ShapeInPlace& part) {
        const std::size_t first = points.size();
        findContactPoints(isFirst ? part : a, isFirst ? b : part, margin, points, places);
        for (std::size_t k = first; k < points.size(); ++k) {
            points[k].feature = joinedFeature(number, points[k].feature);
        }
    });
    orderByFeature(points, start);
}

double leastCompoundDistance(const ShapeInPlace& a, const ShapeInPlace& b) {
    const bool isFirst = compoundOf(a) != nullptr;
    const ShapeInPlace &body = isFirst ? a : b, &other = isFirst ? b : a;
    const CompoundBody& compound = *compoundOf(body);
    const Vec3 centre = intoFrame(body.pose, other.pose.position) / body.scale;
    const double limit = norm(centre) + compound.radius;
    const double toParts = body.scale * leastDistanceTo(compound.tree, centre, limit);
    return std::max(0.0, toParts - other.scale * boundingRadius(*other.shape));
}

}  // namespace talus
