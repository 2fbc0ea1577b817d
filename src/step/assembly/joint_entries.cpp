#include "step/assembly/joint_entries.hpp"

#include <algorithm>
#include <cmath>

#include "step/rotation.hpp"

namespace talus {
namespace {

constexpr double resolvedSpring = 0.1;  // -, (h omega)^2 up to which a spring acts with the force of the start
constexpr double nearStop = 0.01;       // rad, or share of the lever, up to which a stop counts whatever the speed
constexpr double immovable = 1e-12;     // -, of the largest mobility

Mat3 inverseInertiaInWorld(const WorldState& world, std::uint32_t i) {
    const Bodies& b = world.bodies;
    const Vec3& freedom = angularFreedomOf(world, i);
    Mat3 m;
    for (int column = 0; column < 3; ++column) {
        Vec3 unit;
        unit[column] = freedom[column];
        const Vec3 v = hadamard(freedom, applyInBodyFrame(b.orientation[i], b.inverseInertia[i], unit));
        for (int row = 0; row < 3; ++row) m(row, column) = v[row];
    }
    return m;
}

// One direction of a joint, along which or about which it acts.
struct Row {
    Vec3 direction;
    double error = 0;  // m or rad: of what is held; or the coordinate
    double going = 0;  // the same, if both bodies go on as they do
};

// The other coordinate of a joint, in the same words.
struct Coordinate {
    const CoordinateLaw& law;
    bool turning;
    Row row;
    Vec3 remembered;  // N or N m: stop, spring, drive
};

// Makes the entries of one joint.
class EntryMaker {
public:
    EntryMaker(const WorldState& world, const JointTiming& timing, double correction, std::uint32_t joint,
               const JointPair& bodies)
        : joint_(world.joints.list[joint]),
          joints_(world.joints),
          index_(joint),
          timing_(timing),
          correction_(correction),
          first_(bodies[0]),
          second_(bodies[1]),
          place_(placeOf(joint_, first_.start, second_.start, world.domain.period())),
          goingPlace_(placeOf(joint_, first_.on, second_.on, world.domain.period())),
          lever_(leverOf(first_, second_)) {}

    void addTo(std::vector<JointEntry>& entries) const {
        addHeld(heldDirections(joint_, place_), heldDirections(joint_, goingPlace_), false, entries);
        addHeld(heldTurns(joint_, place_), heldTurns(joint_, goingPlace_), true, entries);
        forEachCoordinate([&](const Coordinate& c) {
            addStop(c, 1, c.row.error - c.law.lower, entries);
            addStop(c, -1, c.law.upper - c.row.error, entries);
            addSpring(c, entries);
            addDrive(c, entries);
        });
    }

    void addTo(std::vector<KnownForce>& forces) const {
        forEachCoordinate([&](const Coordinate& c) {
            const auto add = [&](JointPart part, double value) {
                forces.push_back({index_, part, c.turning, value, c.row.direction, place_.firstArm, place_.secondArm});
            };
            if (c.law.drive == DriveKind::force) add(JointPart::drive, valueAt(c.law.target, timing_.loadTime));
            if (c.law.stiffness > 0 && isResolved(c)) {
                add(JointPart::spring, -c.law.stiffness * (c.row.error - c.law.rest));
            }
        });
    }

private:
    // m, about the radius of gyration; 1 where nothing moves along or nothing turns.
    static double leverOf(const JointBody& a, const JointBody& b) {
        const Vec3 along = a.inverseMass + b.inverseMass;
        const double about = trace(a.inverseInertia) + trace(b.inverseInertia), sum = along.x + along.y + along.z;
        return sum > 0 && about > 0 ? std::sqrt(sum / about) : 1.0;
    }

    template <class Visit>
    void forEachCoordinate(Visit&& visit) const {
        if (canSlide(joint_)) {
            visit(Coordinate{joint_.slide,
                             false,
                             {place_.axis, slideOf(joint_, place_), slideOf(joint_, goingPlace_)},
                             joints_.slideForce[index_]});
        }
        if (canTurn(joint_)) {
            const double turn = turnOf(place_, joints_.turn[index_]);
            visit(Coordinate{
                joint_.turn, true, {place_.axis, turn, turnOf(goingPlace_, turn)}, joints_.turnCouple[index_]});
        }
    }

    double speed(const Vec3& direction, bool turning, const JointEnd& a, const JointEnd& b) const {
        return turning ? speedAbout(direction, a, b) : speedAlong(direction, place_, a, b);
    }
    double speedBefore(const Row& row, bool turning) const {
        return speed(row.direction, turning, first_.start, second_.start);
    }
    double freeSpeed(const Row& row, bool turning) const {
        return speed(row.direction, turning, {{}, {}, first_.freeVelocity, first_.freeSpin},
                     {{}, {}, second_.freeVelocity, second_.freeSpin});
    }
    double goingSpeed(const Row& row, bool turning) const {
        return speed(row.direction, turning, first_.going, second_.going);
    }
    // k: how fast the error changes beside its speed.
    double curvature(const Row& row, bool turning) const {
        return (row.going - row.error) / timing_.dt - goingSpeed(row, turning);
    }

    // 1/kg or 1/(kg m^2): the speed that a unit impulse gives.
    double mobility(const Vec3& direction, bool turning) const {
        const auto of = [&](const JointBody& body, const Vec3& arm) {
            const Vec3 about = turning ? direction : cross(arm, direction);
            const double along = turning ? 0.0 : dot(direction, hadamard(body.inverseMass, direction));
            return along + dot(about, body.inverseInertia * about);
        };
        return of(first_, place_.firstArm) + of(second_, place_.secondArm);
    }

    // What no direction exceeds.
    double largestMobility(bool turning) const {
        const auto of = [&](const JointBody& body, const Vec3& arm) {
            const double about = trace(body.inverseInertia), along = norm(body.inverseMass);
            return turning ? about : along + about * normSquared(arm);
        };
        return of(first_, place_.firstArm) + of(second_, place_.secondArm);
    }

    bool isResolved(const Coordinate& c) const {
        const double oscillation = c.law.stiffness * mobility(c.row.direction, c.turning);
        return oscillation * timing_.dt * timing_.dt <= resolvedSpring;
    }

    JointEntry entryFor(JointPart part, bool turning) const {
        JointEntry e;
        e.joint = index_;
        e.part = part;
        e.turning = turning;
        e.lever = turning ? lever_ : 1.0;
        e.firstArm = place_.firstArm;
        e.secondArm = place_.secondArm;
        e.contact.a = first_.entry;
        e.contact.b = second_.entry;
        return e;
    }

    // Speeds along or about the direction, times the lever, become the next row of an entry. `bias`: b.
    void addRow(JointEntry& e, const Row& row, double bias) const {
        const std::size_t r = e.rows++;
        const auto at = static_cast<int>(r);
        const auto write = [&](JacobianBlock& block, const Vec3& arm, double sign) {
            const Vec3 along = e.turning ? Vec3{} : row.direction;
            const Vec3 about = e.turning ? e.lever * row.direction : cross(arm, row.direction);
            for (int k = 0; k < 3; ++k) {
                block[6 * r + static_cast<std::size_t>(k)] = sign * along[k];
                block[6 * r + 3 + static_cast<std::size_t>(k)] = sign * about[k];
            }
        };
        if (e.contact.a != BodyContacts::noBody) write(e.contact.blockA, e.firstArm, 1);
        if (e.contact.b != BodyContacts::noBody) write(e.contact.blockB, e.secondArm, -1);
        e.direction[r] = row.direction;
        e.before[at] = e.lever * speedBefore(row, e.turning);
        e.free[at] = e.lever * freeSpeed(row, e.turning);
        e.offset[at] = e.free[at] + e.lever * bias;
    }

    double toReaction(const JointEntry& e, double force) const { return force * timing_.impulseTime / e.lever; }

    // Rows along which nothing can move are left out: planar scenes, guided walls.
    void addHeld(const HeldRows& now, const HeldRows& going, bool turning, std::vector<JointEntry>& entries) const {
        JointEntry e = entryFor(JointPart::held, turning);
        const double least = immovable * largestMobility(turning);
        for (std::size_t k = 0; k < now.count; ++k) {
            if (mobility(now.direction[k], turning) <= least) continue;
            const Row row{now.direction[k], now.error[k], going.error[k]};
            addRow(e, row, correction_ * row.error / timing_.dt + curvature(row, turning));
        }
        if (e.rows == 0) return;
        e.set = ReactionSet::free();
        const Vec3& remembered = (turning ? joints_.holdingCouple : joints_.holdingForce)[index_];
        for (int k = 0; k < 3; ++k) e.guess[k] = toReaction(e, remembered[k]);
        entries.push_back(e);
    }

    bool isMovable(const Coordinate& c) const {
        return mobility(c.row.direction, c.turning) > immovable * largestMobility(c.turning);
    }

    // Where it is within reach. The coordinate must not fall (sign 1) or rise (-1) further than the gap.
    void addStop(const Coordinate& c, double sign, double gap, std::vector<JointEntry>& entries) const {
        const double speed = std::abs(freeSpeed(c.row, c.turning)) + std::abs(goingSpeed(c.row, c.turning));
        const double reach = 2 * timing_.dt * speed + nearStop * (c.turning ? 1.0 : lever_);
        const bool pushes = sign * c.remembered.x > 0;
        if (!(gap <= reach || pushes) || !isMovable(c)) return;
        JointEntry e = entryFor(JointPart::stop, c.turning);
        const Row row{sign * c.row.direction, sign * c.row.error, sign * c.row.going};
        const double share = gap > 0 ? 1.0 : correction_;
        addRow(e, row, share * gap / timing_.dt + curvature(row, c.turning));
        e.back = sign < 0;
        e.set = ReactionSet::frictionless();
        e.guess.x = toReaction(e, std::max(0.0, sign * c.remembered.x));
        entries.push_back(e);
    }

    void addSpring(const Coordinate& c, std::vector<JointEntry>& entries) const {
        const double stiffness = c.law.stiffness > 0 && !isResolved(c) ? c.law.stiffness : 0.0;
        const double resistance = stiffness * timing_.springWay + c.law.damping;  // N s/m or N m s
        if (resistance == 0 || !isMovable(c)) return;
        JointEntry e = entryFor(JointPart::spring, c.turning);
        addRow(e, c.row, stiffness * (c.row.error - c.law.rest) / resistance);
        e.set = ReactionSet::free();
        e.compliance(0, 0) = e.lever * e.lever / (timing_.impulseTime * resistance);
        e.guess.x = toReaction(e, c.remembered.y);
        e.stores = stiffness > 0;
        entries.push_back(e);
    }

    void addDrive(const Coordinate& c, std::vector<JointEntry>& entries) const {
        const CoordinateLaw& law = c.law;
        if ((law.drive != DriveKind::speed && law.drive != DriveKind::position) || !isMovable(c)) return;
        JointEntry e = entryFor(JointPart::drive, c.turning);
        addRow(e, c.row, -wantedSpeed(c));
        e.set = std::isfinite(law.mostForce) ? ReactionSet::ballOf(toReaction(e, law.mostForce)) : ReactionSet::free();
        e.guess.x = toReaction(e, c.remembered.z);
        entries.push_back(e);
    }

    double wantedSpeed(const Coordinate& c) const {
        const CoordinateLaw& law = c.law;
        if (law.drive == DriveKind::speed) return valueAt(law.target, timing_.time + 0.5 * timing_.dt);
        const double now = valueAt(law.target, timing_.time), end = valueAt(law.target, timing_.time + timing_.dt);
        const double response = std::max(law.responseTime, timing_.dt);
        return (end - now) / timing_.dt + (now - c.row.error) / response - curvature(c.row, c.turning);
    }

    const Joint& joint_;
    const Joints& joints_;
    std::uint32_t index_;
    const JointTiming& timing_;
    double correction_;
    const JointBody &first_, &second_;
    JointPlace place_, goingPlace_;
    double lever_;
};

}  // namespace

void setMobility(const WorldState& world, JointBody& body) {
    const Bodies& b = world.bodies;
    if (body.index == theWorld || b.inverseMass[body.index] == 0) return;
    body.inverseMass = b.inverseMass[body.index] * linearFreedomOf(world, body.index);
    body.inverseInertia = inverseInertiaInWorld(world, body.index);
}

void findJointEntries(const WorldState& world, const JointTiming& timing, double correction,
                      const std::vector<JointPair>& bodies, std::vector<JointEntry>& entries) {
    entries.clear();
    for (std::uint32_t j = 0; j < bodies.size(); ++j) {
        EntryMaker(world, timing, correction, j, bodies[j]).addTo(entries);
    }
}

void findKnownForces(const WorldState& world, const JointTiming& timing, const std::vector<JointPair>& bodies,
                     std::vector<KnownForce>& forces) {
    forces.clear();
    for (std::uint32_t j = 0; j < bodies.size(); ++j) {
        EntryMaker(world, timing, 1.0, j, bodies[j]).addTo(forces);
    }
}

double valueAt(const TimedValue& v, double time) {
    if (v.constant) return *v.constant;
    const auto after = std::upper_bound(v.time.begin(), v.time.end(), time);
    if (after == v.time.begin()) return v.value.front();
    if (after == v.time.end()) return v.value.back();
    const auto k = static_cast<std::size_t>(after - v.time.begin());
    return std::lerp(v.value[k - 1], v.value[k], (time - v.time[k - 1]) / (v.time[k] - v.time[k - 1]));
}

JointLoad loadOf(const JointEntry& e, const Vec3& reaction) {
    Vec3 sum;
    for (std::size_t k = 0; k < e.rows; ++k) sum += (e.lever * reaction[static_cast<int>(k)]) * e.direction[k];
    return e.turning ? JointLoad{{}, sum} : JointLoad{sum, {}};
}

JointLoad loadOf(const KnownForce& f) {
    const Vec3 sum = f.value * f.direction;
    return f.turning ? JointLoad{{}, sum} : JointLoad{sum, {}};
}

void addToFirst(const JointLoad& load, const Vec3& arm, Vec3& force, Vec3& torque) {
    force += load.force;
    torque += cross(arm, load.force) + load.couple;
}

void addToSecond(const JointLoad& load, const Vec3& arm, Vec3& force, Vec3& torque) {
    force -= load.force;
    torque -= cross(arm, load.force) + load.couple;
}

void forgetJointForces(Joints& joints) {
    for (auto* array : {&joints.holdingForce, &joints.holdingCouple, &joints.slideForce, &joints.turnCouple,
                        &joints.force, &joints.torque}) {
        std::fill(array->begin(), array->end(), Vec3{});
    }
}

namespace {

void rememberAlong(Joints& joints, std::uint32_t joint, JointPart part, bool turning, double value) {
    Vec3& forces = (turning ? joints.turnCouple : joints.slideForce)[joint];
    (part == JointPart::stop ? forces.x : part == JointPart::spring ? forces.y : forces.z) += value;
}

}  // namespace

void rememberJointForce(Joints& joints, const JointEntry& e, const Vec3& force) {
    if (e.part == JointPart::pull) return;  // no force of its own, but how those of joints turn in the step
    const JointLoad load = loadOf(e, force);
    joints.force[e.joint] += load.force;
    joints.torque[e.joint] += load.couple;
    if (e.part == JointPart::held) {
        (e.turning ? joints.holdingCouple : joints.holdingForce)[e.joint] = e.lever * force;
        return;
    }
    rememberAlong(joints, e.joint, e.part, e.turning, (e.back ? -1 : 1) * e.lever * force.x);
}

void rememberJointForce(Joints& joints, const KnownForce& f) {
    const JointLoad load = loadOf(f);
    joints.force[f.joint] += load.force;
    joints.torque[f.joint] += load.couple;
    rememberAlong(joints, f.joint, f.part, f.turning, f.value);
}

void noteCoordinates(const WorldState& world, JointWorkspace& ws) {
    ws.before.resize(world.joints.size());
    for (std::size_t j = 0; j < ws.before.size(); ++j) ws.before[j] = coordinatesOf(world, j, ws.indices[j]);
}

void followTurns(WorldState& world, const std::vector<JointIndices>& indices) {
    for (std::size_t j = 0; j < world.joints.size(); ++j) {
        if (canTurn(world.joints.list[j])) world.joints.turn[j] = coordinatesOf(world, j, indices[j]).turn;
    }
}

}  // namespace talus
