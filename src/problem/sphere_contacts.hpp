// Contacts between spheres (and of spheres with walls): the matrices D and A^-1 of the contact program in their most
// compact form, 48 bytes per contact and 64 per body.
//
// For body a at one side, b at the other, unit normal n from b to a and lever arms l_a, l_b (distance of the centres
// from the contact point), the relative velocity in the world frame is
//     v_a - v_b - (l_a w_a + l_b w_b) x n.
// The contact frame (n, t1, t2) follows from n alone (contactFrame()), so that it is not stored.
//
// State holds the velocities that reactions give to the bodies, A^-1 D g; what acts besides them is in the problem's
// offset.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "problem/incidence.hpp"
#include "talus/vec3.hpp"

namespace talus {

struct ContactFrame {
    Vec3 normal, first, second;

    Vec3 toLocal(const Vec3& v) const { return {dot(normal, v), dot(first, v), dot(second, v)}; }
    Vec3 toWorld(const Vec3& v) const { return v.x * normal + v.y * first + v.z * second; }
};

// Right-handed, without a branch (Duff et al., J. Comput. Graph. Tech. 6, 2017).
inline ContactFrame contactFrame(const Vec3& n) {
    const double sign = std::copysign(1.0, n.z);
    const double a = -1.0 / (sign + n.z);
    const double b = n.x * n.y * a;
    return {n, {1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

struct SphereContact {
    Vec3 normal;                    // unit, from b to a
    double leverA = 0, leverB = 0;  // m
    std::uint32_t a = 0, b = 0;     // bodies
};

class SphereContacts {
public:
    struct alignas(64) Body {
        Vec3 velocity, spin;                         // m/s, rad/s, by the reactions
        double inverseMass = 0, inverseInertia = 0;  // 1/kg, 1/(kg m^2); 0: nothing moves this body
    };
    using State = std::vector<Body>;

    std::vector<SphereContact> contacts;
    std::vector<double> inverseMass, inverseInertia;       // per body
    Vec3 linearFreedom{1, 1, 1}, angularFreedom{1, 1, 1};  // 0 switches a motion off: planar scenes

    // Call when contacts and bodies are complete.
    void finish() { incidence_.build(bodyCount(), contacts.size(), *this); }

    std::size_t contactCount() const { return contacts.size(); }
    std::size_t bodyCount() const { return inverseMass.size(); }
    const Incidence& incidence() const { return incidence_; }

    // The bodies of a contact that reactions can move, as calls visit(body, side), side 0 for a and 1 for b.
    template <class Visit>
    void forEachMovable(std::size_t contact, Visit&& visit) const {
        const SphereContact& c = contacts[contact];
        if (inverseMass[c.a] != 0) visit(c.a, 0u);
        if (inverseMass[c.b] != 0) visit(c.b, 1u);
    }

    void start(const std::vector<Vec3>& reactions, State& state) const;

    // W_ii = diag(normal, tangent, tangent). Motions that are switched off count as free: along them velocities are
    // zero whatever the block says.
    Mat3 diagonal(std::size_t contact) const;

    // (W g)_i of the reactions in the state.
    Vec3 velocity(const State& state, std::size_t contact) const {
        const SphereContact& c = contacts[contact];
        return contactFrame(c.normal).toLocal(worldVelocity(state, c));
    }

    // The state of other reactions: g_i + change.
    void change(State& state, std::size_t contact, const Vec3& change) const {
        const SphereContact& c = contacts[contact];
        push(state, c, contactFrame(c.normal).toWorld(change));
    }

    static Vec3 worldVelocity(const State& state, const SphereContact& c) {
        const Body &a = state[c.a], &b = state[c.b];
        return a.velocity - b.velocity - cross(c.leverA * a.spin + c.leverB * b.spin, c.normal);
    }

    void push(State& state, const SphereContact& c, const Vec3& impulse) const {
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
    Incidence incidence_;
};

}  // namespace talus
