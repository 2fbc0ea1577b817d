// The bodies of WorldState::contacts.shapes as they are in this step, and which of its pairs need no look yet.
//
// Two surfaces that are a distance apart cannot touch before points of the two bodies have gone that far together. No
// point of a body goes farther than its centre, plus its radius times the angle of its turn. So a pair that was found
// apart rests until its bodies' travels since then, and the margin, have used up that distance. A pair at rest would
// give no points, so that results do not depend on who rests, and nothing here is state of the simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contacts/narrow/convex/convex_core.hpp"
#include "contacts/narrow/ellipsoid/ellipsoids.hpp"
#include "contacts/narrow/mesh/mesh_spheres.hpp"
#include "model/world.hpp"

namespace talus {

class PairWatch {
public:
    // Call in each step, before the rest: brings the bodies up to date. After a rebuild of the lists all pairs are
    // looked at.
    void follow(const WorldState& world);

    // True if the pair can have no point with a gap below the margin.
    bool rests(std::size_t pair, double margin) const {
        const Members& m = members_[pair];
        return travel_[m.a] + travel_[m.b] + margin < wakeUp_[pair];
    }
    // The pair has no points, and is this far apart at least (m).
    void letRest(const WorldState& world, std::size_t pair, double apart);
    void keepAwake(std::size_t pair) { wakeUp_[pair] = 0; }

    // The bodies of a pair if both are convex; without a shape if they are not. Not the nearest images.
    const ConvexCore& first(std::size_t pair) const { return core_[members_[pair].a]; }
    const ConvexCore& second(std::size_t pair) const { return core_[members_[pair].b]; }
    // The image of the second that is nearest to the first: that body itself, or a copy of it.
    const ConvexCore& secondNear(const WorldState& world, std::size_t pair, std::optional<ConvexCore>& copy) const;

    // Pairs of ellipsoids have a search of their own (narrow/ellipsoid/ellipsoids.hpp).
    bool anyEllipsoids() const { return !ellipsoid_.empty(); }
    bool areEllipsoids(std::size_t pair) const { return areEllipsoids_[pair] != 0; }
    const EllipsoidInPlace& firstEllipsoid(std::size_t pair) const { return ellipsoid_[members_[pair].a]; }
    const EllipsoidInPlace& secondEllipsoid(std::size_t pair) const { return ellipsoid_[members_[pair].b]; }

    // What is kept of a pair of which one is a mesh, now.
    SurroundingsNow surroundings(const WorldState& world, std::size_t pair) {
        // Seen from a body that turns, points near it go farther than its own: not by more than twice, for others that
        // are no larger than it.
        const Members& m = members_[pair];
        return {surroundings_[pair], 3 * (travel_[m.a] + travel_[m.b]), world.contacts.skin};
    }

private:
    void beginAnew(const WorldState& world);
    void measureShapes(const WorldState& world);
    void followBody(const WorldState& world, std::size_t member);

    struct Members {
        std::uint32_t a, b;
    };
    std::uint64_t rebuild_ = 0;        // of the lists that the members are from
    std::vector<double> ballRadius_;   // m, of each shape at scale 1 (curvature.hpp); 0 of those that are not convex
    std::vector<std::uint32_t> body_;  // of each member: index into Bodies
    std::vector<Members> members_;     // of each pair
    std::vector<ConvexCore> core_;     // of each member
    std::vector<EllipsoidInPlace> ellipsoid_;     // of each member, if there are any; else empty
    std::vector<char> areEllipsoids_;             // of each pair, if there are any: whether both are
    std::vector<Pose> pose_;                      // of each member, when last looked at
    std::vector<double> travel_;                  // m, of each member since the lists were built
    std::vector<MeshSurroundings> surroundings_;  // of each pair; empty if there is no mesh
    std::vector<double> wakeUp_;                  // m, of each pair: rests while travels and margin are less
};

}  // namespace talus
