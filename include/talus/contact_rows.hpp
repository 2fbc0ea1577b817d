// The matrices of a contact problem (talus/problem.hpp): which bodies each contact moves, and how.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

// Which contacts a body has: for sums over the contacts of each body in a fixed order, and for colouring.
class Incidence {
public:
    // A contact and the side of it at which the body is.
    struct Entry {
        std::uint32_t code;
        std::uint32_t contact() const { return code >> 1; }
        std::uint32_t side() const { return code & 1; }
        double sign() const { return 1.0 - 2.0 * side(); }  // 1 at the first side, -1 at the second
    };

    // Contacts is any type with forEachMovable(contact, visit(body, side)).
    template <class Contacts>
    void build(std::size_t bodies, std::size_t contactCount, const Contacts& contacts) {
        contactCount_ = contactCount;
        rowStart_.assign(bodies + 1, 0);
        for (std::size_t i = 0; i < contactCount; ++i) {
            contacts.forEachMovable(i, [&](std::uint32_t body, std::uint32_t) { ++rowStart_[body + 1]; });
        }
        for (std::size_t body = 0; body < bodies; ++body) rowStart_[body + 1] += rowStart_[body];
        entries_.resize(rowStart_[bodies]);
        next_.assign(rowStart_.begin(), rowStart_.end());
        for (std::size_t i = 0; i < contactCount; ++i) {
            contacts.forEachMovable(i, [&](std::uint32_t body, std::uint32_t side) {
                entries_[next_[body]++] = {static_cast<std::uint32_t>(i << 1 | side)};
            });
        }
    }

    std::span<const Entry> of(std::size_t body) const {
        return {entries_.data() + rowStart_[body], entries_.data() + rowStart_[body + 1]};
    }

    std::size_t contactCount() const { return contactCount_; }

private:
    std::size_t contactCount_ = 0;
    std::vector<std::uint32_t> rowStart_, next_;
    std::vector<Entry> entries_;
};

struct ContactFrame {
    Vec3 normal, first, second;

    Vec3 toLocal(const Vec3& v) const { return {dot(normal, v), dot(first, v), dot(second, v)}; }
    Vec3 toWorld(const Vec3& v) const { return v.x * normal + v.y * first + v.z * second; }
};

// The frame of a contact follows from its normal alone, so that it is not stored. Right-handed, without a branch (Duff
// et al., J. Comput. Graph. Tech. 6, 2017).
inline ContactFrame contactFrame(const Vec3& n) {
    const double sign = std::copysign(1.0, n.z);
    const double a = -1.0 / (sign + n.z);
    const double b = n.x * n.y * a;
    return {n, {1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

using JacobianBlock = std::array<double, 18>;  // 3 x 6, row by row
using MassBlock = std::array<double, 36>;      // 6 x 6, symmetric

// Contacts of bodies: D row by row, A^-1 body by body. With the arms r from the centres of bodies a and b to the
// contact point, the relative velocity in the world frame is
//
//     v_a + w_a x r_a - v_b - w_b x r_b.
//
// A row has a kind:
//
//     round   both bodies are spheres, or cannot move: r_a = -l_a n, r_b = l_b n, two lever arms say all
//     arms    a body of any inertia is among them: two arms
//     block   whatever is linear in the velocities, as joints and rolling resistance need it: two blocks of 3 x 6
//
// A round row takes 48 bytes, and 4 more where there are others; a sphere 16, any other body 308 (its A^-1). Spheres
// among boxes cost what they cost alone.
//
// State holds the velocities that reactions give to the bodies, A^-1 D g; what acts besides them is in the problem's
// offset.
enum class RowKind { round, arms, block };

// Where two bodies touch, in the words of a program.
struct ContactAt {
    Vec3 normal;                 // unit, from b to a
    Vec3 armA, armB;             // m, from the centres to the contact point
    std::uint32_t a = 0, b = 0;  // bodies
};

struct ContactRow {
    Vec3 normal;                    // unit, from b to a; of kinds round and arms
    double leverA = 0, leverB = 0;  // m, of kind round
    std::uint32_t a = 0, b = 0;     // bodies
};

// A row of kind block. Rows of a block are those of the contact; columns the body's three translations and three
// rotations. It gives the velocity of the body at the contact, with its sign: u = J_a v_a + J_b v_b.
struct BlockRow {
    static constexpr std::uint32_t noBody = 0xFFFFFFFF;

    std::uint32_t a = noBody, b = noBody;  // noBody: something that cannot move
    JacobianBlock blockA{}, blockB{};
};

// The velocity of a body, with a sign, at `arm` from its centre in the frame of a contact.
JacobianBlock velocityBlock(const ContactFrame& frame, const Vec3& arm, double sign);

class BodyContacts {
public:
    static constexpr std::uint32_t noBody = BlockRow::noBody;

    // A row's kind, and which one of the arms or blocks is its own.
    struct Detail {
        std::uint32_t code = 0;
        static Detail of(RowKind kind, std::size_t index) {
            return {static_cast<std::uint32_t>(index << 2) | static_cast<std::uint32_t>(kind)};
        }
        RowKind kind() const { return static_cast<RowKind>(code & 3); }
        std::size_t index() const { return code >> 2; }
    };
    struct Arms {
        Vec3 a, b;  // m
    };
    struct Blocks {
        JacobianBlock a{}, b{};
    };
    struct alignas(64) Body {
        Vec3 velocity, spin;                         // m/s, rad/s, by the reactions
        double inverseMass = 0, inverseInertia = 0;  // 1/kg, 1/(kg m^2), of a sphere; 0: nothing moves this body
    };
    using State = std::vector<Body>;

    // Fill these, by hand or by the functions below; then call finish().
    std::vector<ContactRow> contacts;
    std::vector<Detail> detail;  // of each row; empty: all are round
    std::vector<Arms> arms;
    std::vector<Blocks> blocks;
    std::vector<double> inverseMass, inverseInertia;       // per body; 1/kg 0: it cannot move
    Vec3 linearFreedom{1, 1, 1}, angularFreedom{1, 1, 1};  // of spheres; 0 switches a motion off: planar scenes
    std::vector<std::uint32_t> general;                    // of each body, its mass block; empty: all are spheres
    std::vector<MassBlock> masses;                         // A^-1 of bodies that are no spheres
    static constexpr std::uint32_t sphere = 0xFFFFFFFF;    // in `general`: none, a sphere or what cannot move

    void clear();

    // Bodies: their numbers are the order in which they come.
    std::uint32_t addSphere(double mass, double radius);
    std::uint32_t addBody(const MassBlock& inverse);
    std::uint32_t addBody(double mass, const Mat3& inverseInertia);  // world frame
    std::uint32_t addFixed();

    // Contacts: the next one of the problem, of the kind that its bodies make it.
    void add(const ContactAt& contact);
    void add(const BlockRow& row);

    // Call when contacts and bodies are complete.
    void finish();
    bool isFinished() const { return incidence_.contactCount() == contacts.size(); }

    std::size_t contactCount() const { return contacts.size(); }
    std::size_t bodyCount() const { return inverseMass.size(); }
    const Incidence& incidence() const { return incidence_; }

    bool isRound() const { return detail.empty(); }  // every row
    RowKind kind(std::size_t contact) const { return detail.empty() ? RowKind::round : detail[contact].kind(); }
    bool moves(std::uint32_t body) const { return body != noBody && inverseMass[body] != 0; }
    bool isSphere(std::size_t body) const { return general.empty() || general[body] == sphere; }

    // A^-1 of a body of any kind, and what a contact sees of its body at side 0 (a) or 1 (b).
    MassBlock inverseMassOf(std::size_t body) const;
    JacobianBlock blockOf(std::size_t contact, std::uint32_t side) const;

    // The bodies of a contact that reactions can move, as calls visit(body, side), side 0 for a and 1 for b.
    template <class Visit>
    void forEachMovable(std::size_t contact, Visit&& visit) const {
        const ContactRow& c = contacts[contact];
        if (moves(c.a)) visit(c.a, 0u);
        if (moves(c.b)) visit(c.b, 1u);
    }

    void start(const std::vector<Vec3>& reactions, State& state) const;

    // W_ii; diag(normal, tangent, tangent) of a round row, whose motions that are switched off count as free: along
    // them velocities are zero whatever the block says.
    Mat3 diagonal(std::size_t contact) const;

    // (W g)_i of the reactions in the state.
    Vec3 velocity(const State& state, std::size_t contact) const {
        if (!detail.empty() && detail[contact].kind() != RowKind::round) return generalVelocity(state, contact);
        const ContactRow& c = contacts[contact];
        return contactFrame(c.normal).toLocal(worldVelocity(state, c));
    }

    // The state of other reactions: g_i + change.
    void change(State& state, std::size_t contact, const Vec3& change) const {
        if (!detail.empty() && detail[contact].kind() != RowKind::round) return generalChange(state, contact, change);
        const ContactRow& c = contacts[contact];
        push(state, c, contactFrame(c.normal).toWorld(change));
    }

    // The same of round rows, world frame.
    static Vec3 worldVelocity(const State& state, const ContactRow& c) {
        const Body &a = state[c.a], &b = state[c.b];
        return a.velocity - b.velocity - cross(c.leverA * a.spin + c.leverB * b.spin, c.normal);
    }
    void push(State& state, const ContactRow& c, const Vec3& impulse) const {
        const Vec3 linear = hadamard(linearFreedom, impulse);
        const Vec3 turning = hadamard(angularFreedom, cross(impulse, c.normal));
        Body &a = state[c.a], &b = state[c.b];
        if (a.inverseMass != 0) {
            a.velocity += a.inverseMass * linear;
            a.spin += (a.inverseInertia * c.leverA) * turning;
        }
        if (b.inverseMass != 0) {
            b.velocity -= b.inverseMass * linear;
            b.spin += (b.inverseInertia * c.leverB) * turning;
        }
    }

private:
    void startSphere(const std::vector<Vec3>& reactions, std::size_t body, State& state) const;
    void startGeneral(const std::vector<Vec3>& reactions, std::size_t body, State& state) const;
    Vec3 generalVelocity(const State& state, std::size_t contact) const;
    void generalChange(State& state, std::size_t contact, const Vec3& change) const;

    Incidence incidence_;
};

// The Delassus matrix W = D^T A^-1 D itself, sparse, in 3 x 3 blocks: for problems that come without bodies.
class BlockMatrix {
public:
    using State = std::vector<Vec3>;  // the reactions themselves

    // Rows of blocks, columns ascending; every row holds its diagonal block.
    std::vector<std::uint32_t> rowStart{0};
    std::vector<std::uint32_t> column;
    std::vector<Mat3> block;

    // Call when the rows are complete.
    void finish();

    std::size_t contactCount() const { return rowStart.size() - 1; }

    void start(const std::vector<Vec3>& reactions, State& state) const { state = reactions; }
    const Mat3& diagonal(std::size_t contact) const { return block[diagonal_[contact]]; }

    Vec3 velocity(const State& state, std::size_t contact) const {
        Vec3 u;
        for (std::uint32_t k = rowStart[contact]; k < rowStart[contact + 1]; ++k) u += block[k] * state[column[k]];
        return u;
    }

    void change(State& state, std::size_t contact, const Vec3& change) const { state[contact] += change; }

private:
    std::vector<std::uint32_t> diagonal_;  // where each row has its diagonal block
};

}  // namespace talus
