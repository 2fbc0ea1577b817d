// How two bodies of any shape move at a contact point: what the penalty laws want to know.
#pragma once

#include "collision/narrow/spheres.hpp"

namespace talus {

// From the positions of the two bodies (the nearest image of the second) to the point, m.
struct PointArms {
    Vec3 a, b;
};

inline PointArms pointArms(const World& world, const ShapePair& pair, const ContactPoint& point) {
    const Bodies& b = world.bodies;
    const Vec3 period = pair.b < b.grainCount ? world.domain.period() : noPeriod;
    const Vec3 arm = point.position - b.position[pair.a];
    return {arm, arm + nearestImage(b.position[pair.a] - b.position[pair.b], period)};
}

// The normal at mid step is that of its end: memory was turned with the contact when the point was found.
PairGeometry pointGeometry(const LawKinds& kinds, const BodyView& bodies, const ShapePair& pair,
                           const ContactPoint& point, const PointArms& arms, double dt);

}  // namespace talus
