// Where two bodies meet, as contact dynamics sees it. Shared by the parts that build problems and that use their
// answers.
#pragma once

#include "contacts/narrow/spheres.hpp"
#include "model/sleeve.hpp"
#include "model/world.hpp"
#include "step/assembly/build_problem.hpp"
#include "step/own_forces.hpp"

namespace talus {

// One candidate, touching or not.
struct FoundContact {
    ContactPlace place;
    double gap;  // m, negative: overlap
    const PairLaw* law;
    double radius;          // m, effective
    const YieldLaw* yield;  // none unless contacts yield
};

// Whether forces at contacts turn a body.
inline bool canTurn(const WorldState& world, std::uint32_t body) {
    return hadamard(angularFreedomOf(world, body), world.bodies.inverseInertia[body]) != Vec3{};
}

// Where forces act, of arms that end half way between the two surfaces. If both bodies can turn they stay there: action
// and reaction have one line, and angular momentum is kept to round-off. Else something holds one of them against any
// moment, and arms end on the surface of their own body: the overlap of rigid bodies is an error of the step, and no
// part of a lever. Elastic ones do give way by it.
inline void endArms(const WorldState& world, double gap, ContactPlace& place) {
    if (world.contacts.areElastic() || (canTurn(world, place.a) && canTurn(world, place.b))) return;
    place.armA += (0.5 * gap) * place.normal;
    place.armB -= (0.5 * gap) * place.normal;
}

// What the place of a contact has to tell of its wall's radius.
inline void findClosing(const WorldState& world, ContactPlace& place) {
    place.closes = closesByForce(world, place.b);
    const double speed = place.closes ? 1.0 : closingSpeed(world, place.b);
    if (speed != 0) place.closing = speed * closingAt(world, place.b, place.normal);
}

inline FoundContact lookAt(const WorldState& world, const BodyView& b, const Vec3& period, const SpherePair& pair) {
    const auto [i, j] = pair;
    const Vec3 separation = nearestImage(b.position[i] - b.position[j], period);
    const double distance = norm(separation), gap = distance - b.radius[i] - b.radius[j];
    const Vec3 normal = separation / distance;
    FoundContact found{{normal, -(b.radius[i] + 0.5 * gap) * normal, (b.radius[j] + 0.5 * gap) * normal, i, j},
                       gap,
                       &world.materials.between(b.material[i], b.material[j]),
                       b.radius[i] * b.radius[j] / (b.radius[i] + b.radius[j]),
                       world.materials.yieldBetween(b.material[i], b.material[j])};
    endArms(world, gap, found.place);
    return found;
}

inline FoundContact lookAt(const WorldState& world, const BodyView& b, const Vec3&, const WallCandidate& c) {
    const auto wall = static_cast<std::uint32_t>(world.bodies.grainCount + c.wall);
    const WallApproach a = wallApproach(b, wallNow(world, wall), wall, c.face, b.position[c.grain]);
    const double gap = a.distance - b.radius[c.grain];
    const Vec3 arm = -(b.radius[c.grain] + 0.5 * gap) * a.normal;
    FoundContact found{{a.normal, arm, b.position[c.grain] + arm - b.position[wall], c.grain, wall},
                       gap,
                       &world.materials.between(b.material[c.grain], b.material[wall]),
                       wallContactRadius(b.radius[c.grain], a.curvature),
                       world.materials.yieldBetween(b.material[c.grain], b.material[wall])};
    endArms(world, gap, found.place);
    findClosing(world, found.place);
    return found;
}

// As the point was found.
inline FoundContact lookAt(const WorldState& world, const BodyView& b, const Vec3& period, const PointOfPair& c) {
    const auto& [pair, point] = c;
    const Vec3 arm = point.position - b.position[pair.a];
    const Vec3 separation =
        nearestImage(b.position[pair.a] - b.position[pair.b], pair.b < world.bodies.grainCount ? period : noPeriod);
    FoundContact found{{point.normal, arm, arm + separation, pair.a, pair.b},
                       point.gap,
                       &world.materials.between(b.material[pair.a], b.material[pair.b]),
                       point.radius,
                       world.materials.yieldBetween(b.material[pair.a], b.material[pair.b])};
    endArms(world, point.gap, found.place);
    findClosing(world, found.place);
    return found;
}

// The candidate of a contact of the problem once more, as bodies are now.
inline FoundContact lookAgain(const WorldState& world, const BodyView& b, const Vec3& period, std::uint32_t candidate,
                              const ContactPlace& place) {
    const ContactTable& table = world.contacts;
    if (candidate < table.firstWall()) return lookAt(world, b, period, SpherePair{place.a, place.b});
    if (candidate < table.firstPoint())
        return lookAt(world, b, period, table.walls.candidate[candidate - table.firstWall()]);
    const ShapePair pair{place.a, place.b, 0, 0};
    return lookAt(world, b, period, PointOfPair{pair, table.shapes.point[candidate - table.firstPoint()]});
}

inline bool isPrescribed(const Bodies& b, std::uint32_t i) { return b.inverseMass[i] == 0; }

// At the contact point; prescribed bodies, and radii, move as they do on average during the step.
inline Vec3 relativeVelocity(const Bodies& b, const ContactPlace& c) {
    const auto velocityOf = [&](std::uint32_t k) { return isPrescribed(b, k) ? b.midVelocity[k] : b.velocity[k]; };
    const auto spinOf = [&](std::uint32_t k) { return isPrescribed(b, k) ? b.midSpin[k] : b.spin[k]; };
    if (c.closes) return velocityOf(c.a) + cross(spinOf(c.a), c.armA) - b.velocity[c.b].x * c.closing;
    return velocityOf(c.a) + cross(spinOf(c.a), c.armA) - velocityOf(c.b) - cross(spinOf(c.b), c.armB) - c.closing;
}

// What gravity and applied forces add to the relative velocity in this time.
inline Vec3 outerChange(const WorldState& world, double time, const ContactPlace& c) {
    const auto of = [&](std::uint32_t k) {
        return isPrescribed(world.bodies, k) ? Vec3{} : outerAcceleration(world, k);
    };
    const Vec3 change = time * (of(c.a) - (c.closes ? of(c.b).x * c.closing : of(c.b)));
    if (world.ownForces.empty()) return change;
    const auto turned = [&](std::uint32_t k) {
        return isPrescribed(world.bodies, k) ? Vec3{} : outerSpinRate(world, k);
    };
    return change + time * (cross(turned(c.a), c.armA) - cross(turned(c.b), c.armB));
}

}  // namespace talus
