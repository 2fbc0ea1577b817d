#include "step/assembly/joint_pull.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/matrix3.hpp"

namespace talus {
namespace {

constexpr double resolved = 0.05;   // -, (h w)^2 up to which a force may act with the arm of the start of the step
constexpr double slowWaves = 0.05;  // -, three times what long waves of a chain need, of which neighbours turn alike

// A symmetric matrix by its principal values and directions.
struct Principal {
    std::array<double, 3> value;
    std::array<Vec3, 3> direction;
};

Principal principalOf(const Mat3& m) {
    Eigen::Matrix3d dense;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) dense(i, j) = m(i, j);
    }
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
    solver.computeDirect(dense);
    Principal p;
    for (int k = 0; k < 3; ++k) {
        p.value[static_cast<std::size_t>(k)] = solver.eigenvalues()[k];
        p.direction[static_cast<std::size_t>(k)] = {solver.eigenvectors()(0, k), solver.eigenvectors()(1, k),
                                                    solver.eigenvectors()(2, k)};
    }
    return p;
}

// kg, of what has to follow a joint's point on one body: of the body itself, and of the other as it moves most easily.
double followingMass(const JointBody& body, const JointBody& other, const Vec3& armOnOther) {
    const auto most = [](const Vec3& v) { return std::max({v.x, v.y, v.z}); };
    const double ofOther = most(other.inverseMass) + trace(other.inverseInertia) * normSquared(armOnOther);
    return 1 / (most(body.inverseMass) + ofOther);
}

// `mass` follows the end of the arm.
void addArm(const Vec3& arm, const Vec3& force, double mass, PulledBody& pulled) {
    const double along = dot(arm, force);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            pulled.stiffness(i, j) += (i == j ? along : 0.0) - 0.5 * (arm[i] * force[j] + force[i] * arm[j]);
        }
    }
    if (mass * normSquared(arm) < pulled.mass * normSquared(pulled.arm)) return;
    pulled.arm = arm;
    pulled.mass = mass;
}

// Forces along directions that turn with the second body turn it by a couple that goes with it.
bool turnsWithSecond(const Joint& joint) {
    return joint.kind == JointKind::prismatic || joint.kind == JointKind::cylindrical ||
           joint.kind == JointKind::planar;
}

// Bodies that can only turn together.
bool locksTurning(const Joint& joint) { return joint.kind == JointKind::fixed || joint.kind == JointKind::prismatic; }

bool turnsAboutAxis(const Joint& joint) {
    return joint.kind == JointKind::revolute || joint.kind == JointKind::cylindrical || joint.kind == JointKind::planar;
}

// The bodies of joints, in the order of their indices; null for the world.
class PulledBodies {
public:
    explicit PulledBodies(std::vector<PulledBody>& list) : list_(list) { list_.clear(); }

    PulledBody* at(const JointBody& body) {
        if (body.index == theWorld) return nullptr;
        const auto place = std::lower_bound(list_.begin(), list_.end(), body.index,
                                            [](const PulledBody& p, std::uint32_t index) { return p.index < index; });
        return place != list_.end() && place->index == body.index ? &*place : nullptr;
    }

    // Before at().
    void add(const JointBody& body) {
        if (body.index == theWorld) return;
        list_.push_back({.index = body.index, .inverseInertia = body.inverseInertia});
    }
    void sort() {
        std::sort(list_.begin(), list_.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
        const auto last =
            std::unique(list_.begin(), list_.end(), [](const auto& a, const auto& b) { return a.index == b.index; });
        list_.erase(last, list_.end());
        for (std::size_t k = 0; k < list_.size(); ++k) list_[k].leader = k;
    }

    PulledBody& leaderOf(PulledBody& p) {
        std::size_t k = p.leader;
        while (list_[k].leader != k) k = list_[k].leader;
        return list_[k];
    }
    void join(PulledBody& a, PulledBody& b) {
        PulledBody &first = leaderOf(a), &second = leaderOf(b);
        if (&first == &second) return;
        (&first < &second ? second : first).leader = static_cast<std::size_t>(std::min(&first, &second) - list_.data());
    }
    // What a group of bodies that turn together has becomes its leader's.
    void gather() {
        for (PulledBody& p : list_) {
            PulledBody& leader = leaderOf(p);
            if (&leader == &p) continue;
            leader.stiffness += p.stiffness;
            leader.locked = leader.locked || p.locked;
            if (p.mass * normSquared(p.arm) <= leader.mass * normSquared(leader.arm)) continue;
            leader.arm = p.arm;
            leader.mass = p.mass;
        }
    }
    auto begin() { return list_.begin(); }
    auto end() { return list_.end(); }

private:
    std::vector<PulledBody>& list_;
};

// What exceeds the resolved share of a stiffness: in N m for an inertia, in N/m for a mass.
double excess(double stiffness, double inertia, double dt) {
    const double share = dt * dt * stiffness / inertia;
    return share > resolved ? (stiffness - resolved * inertia / (dt * dt)) * (1 + slowWaves * share) : 0.0;
}

// N m, of a body along each of its directions in which it can turn; the stiffness becomes what exceeds.
void keepExcess(double dt, PulledBody& p) {
    const Principal principal = principalOf(p.stiffness);
    const double turns = trace(p.inverseInertia);
    p.stiffness = {};
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& about = principal.direction[k];
        const double mobility = dot(about, p.inverseInertia * about);
        if (!(principal.value[k] > 0) || !(mobility > 1e-12 * turns)) continue;
        const double inertia = 1 / mobility + p.mass * normSquared(cross(about, p.arm));
        const double value = excess(principal.value[k], inertia, dt);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) p.stiffness(i, j) += value * about[i] * about[j];
        }
    }
}

JointEntry pullEntry(std::uint32_t joint, const JointPair& pair) {
    JointEntry e;
    e.joint = joint;
    e.part = JointPart::pull;
    e.set = ReactionSet::free();
    e.contact.a = pair[0].entry;
    e.contact.b = pair[1].entry;
    return e;
}

// One row more, with speeds before the step and without reactions.
void addRow(JointEntry& e, const JointTiming& timing, const Vec3& direction, double stiffness, double before,
            double free) {
    const auto at = static_cast<int>(e.rows);
    e.direction[e.rows++] = direction;
    e.compliance(at, at) = e.lever * e.lever / (timing.impulseTime * timing.dt * stiffness);
    e.before[at] = e.lever * before;
    e.free[at] = e.offset[at] = e.lever * free;
    e.guess[at] = -e.before[at] / e.compliance(at, at);
}

void write(std::uint32_t entry, JacobianBlock& block, std::size_t row, const Vec3& along, const Vec3& about) {
    if (entry == BodyContacts::noBody) return;
    for (int k = 0; k < 3; ++k) {
        block[6 * row + static_cast<std::size_t>(k)] = along[k];
        block[6 * row + 3 + static_cast<std::size_t>(k)] = about[k];
    }
}

// m, about the radius of gyration of the two.
double leverOf(const JointPair& pair) {
    const Vec3 along = pair[0].inverseMass + pair[1].inverseMass;
    const double moves = along.x + along.y + along.z;
    const double turns = trace(pair[0].inverseInertia) + trace(pair[1].inverseInertia);
    return moves > 0 && turns > 0 ? std::sqrt(moves / turns) : 1.0;
}

// Against turning of the two bodies of a joint relative to each other.
void addTurning(const JointTiming& timing, const JointPair& pair, const Principal& stiffness, std::uint32_t joint,
                std::vector<JointEntry>& entries) {
    const auto& [first, second] = pair;
    JointEntry e = pullEntry(joint, pair);
    e.turning = true;
    e.lever = leverOf(pair);
    const double most = std::max({stiffness.value[0], stiffness.value[1], stiffness.value[2]});
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& about = stiffness.direction[k];
        const double mobility = dot(about, (first.inverseInertia * about) + (second.inverseInertia * about));
        if (!(stiffness.value[k] > 1e-9 * most) || !(mobility > 0)) continue;
        write(e.contact.a, e.contact.blockA, e.rows, {}, e.lever * about);
        write(e.contact.b, e.contact.blockB, e.rows, {}, -e.lever * about);
        addRow(e, timing, about, stiffness.value[k], dot(about, first.start.spin - second.start.spin),
               dot(about, first.freeSpin - second.freeSpin));
    }
    if (e.rows > 0) entries.push_back(e);
}

// For a joint that keeps a distance, by whatever force: its ends across it.
void addAcross(const JointTiming& timing, const JointPair& pair, const JointPlace& place, double tension,
               std::uint32_t joint, std::vector<JointEntry>& entries) {
    const auto& [first, second] = pair;
    const Vec3 &armA = place.firstArm, armB = place.secondArm - place.offset;
    JointEntry e = pullEntry(joint, pair);
    e.firstArm = armA;
    e.secondArm = armB;
    const auto speed = [&](const Vec3& along, const Vec3& v1, const Vec3& w1, const Vec3& v2, const Vec3& w2) {
        return dot(along, v1 + cross(w1, armA) - v2 - cross(w2, armB));
    };
    const ContactFrame frame = contactFrame(place.axis);
    for (const Vec3& across : {frame.first, frame.second}) {
        const double mobility = dot(across, hadamard(first.inverseMass + second.inverseMass, across));
        const double stiffness = mobility > 0 ? excess(tension / norm(place.offset), 1 / mobility, timing.dt) : 0.0;
        if (!(stiffness > 0)) continue;
        write(e.contact.a, e.contact.blockA, e.rows, across, cross(armA, across));
        write(e.contact.b, e.contact.blockB, e.rows, -across, -cross(armB, across));
        addRow(e, timing, across, stiffness,
               speed(across, first.start.velocity, first.start.spin, second.start.velocity, second.start.spin),
               speed(across, first.freeVelocity, first.freeSpin, second.freeVelocity, second.freeSpin));
    }
    if (e.rows > 0) entries.push_back(e);
}

// How stiffly the pull of all joints turns the bodies, and which of them turn together.
void findPull(const WorldState& world, const std::vector<JointPair>& bodies, PulledBodies& pulled) {
    for (const JointPair& pair : bodies) {
        for (const JointBody& body : pair) pulled.add(body);
    }
    pulled.sort();
    for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Joint& joint = world.joints.list[j];
        const auto& [first, second] = bodies[j];
        const JointPlace place = placeOf(joint, first.start, second.start, world.domain.period());
        const Vec3 &force = world.joints.force[j], ownArm = place.secondArm - place.offset;
        PulledBody *a = pulled.at(first), *b = pulled.at(second);
        if (a != nullptr) addArm(place.firstArm, force, followingMass(first, second, ownArm), *a);
        if (b != nullptr && !turnsWithSecond(joint)) {
            addArm(ownArm, -force, followingMass(second, first, place.firstArm), *b);
        }
        if (!locksTurning(joint)) continue;
        if (a != nullptr && b != nullptr) pulled.join(*a, *b);
        if (a != nullptr && second.entry == BodyContacts::noBody) a->locked = true;
        if (b != nullptr && first.entry == BodyContacts::noBody) b->locked = true;
    }
    pulled.gather();
}

}  // namespace

void addPullEntries(const WorldState& world, const JointTiming& timing, const std::vector<JointPair>& bodies,
                    std::vector<PulledBody>& list, std::vector<JointEntry>& entries) {
    PulledBodies pulled(list);
    findPull(world, bodies, pulled);
    for (PulledBody& p : pulled) {
        if (&pulled.leaderOf(p) == &p) keepExcess(timing.dt, p);
    }
    const auto stiffnessOf = [&](const JointBody& body) {
        PulledBody* p = pulled.at(body);
        if (p == nullptr || pulled.leaderOf(*p).locked) return Mat3{};
        return pulled.leaderOf(*p).stiffness;
    };
    for (std::uint32_t j = 0; j < bodies.size(); ++j) {
        const Joint& joint = world.joints.list[j];
        const auto& [first, second] = bodies[j];
        const JointPlace place = placeOf(joint, first.start, second.start, world.domain.period());
        if (joint.kind == JointKind::distance) {
            const double tension = -dot(world.joints.force[j], place.axis);
            if (tension > 0) addAcross(timing, bodies[j], place, tension, j, entries);
        }
        const Mat3 stiffness = stiffnessOf(first) + stiffnessOf(second);
        if (locksTurning(joint) || !(trace(stiffness) > 0)) continue;
        if (turnsAboutAxis(joint)) {
            addTurning(timing, bodies[j], {{dot(place.axis, stiffness * place.axis)}, {place.axis}}, j, entries);
        } else {
            addTurning(timing, bodies[j], principalOf(stiffness), j, entries);
        }
    }
}

}  // namespace talus
