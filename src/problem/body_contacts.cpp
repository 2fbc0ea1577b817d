#include "problem/body_contacts.hpp"

#include "base/parallel.hpp"

namespace talus {
namespace {

Vec3 velocityOf(const JacobianBlock& j, const Twist& v) {
    Vec3 u;
    for (int k = 0; k < 6; ++k) u += v[k] * Vec3{j[k], j[6 + k], j[12 + k]};
    return u;
}

void addTransposed(const JacobianBlock& j, const Vec3& g, Twist& impulse) {
    for (int k = 0; k < 6; ++k) impulse[k] += j[k] * g.x + j[6 + k] * g.y + j[12 + k] * g.z;
}

Twist multiply(const MassBlock& m, const Twist& impulse) {
    Twist v{};
    for (int row = 0; row < 6; ++row) {
        for (int k = 0; k < 6; ++k) v[row] += m[6 * row + k] * impulse[k];
    }
    return v;
}

void addDiagonal(const JacobianBlock& j, const MassBlock& inverseMass, Mat3& w) {
    for (int column = 0; column < 3; ++column) {
        Twist impulse{};
        Vec3 unit;
        unit[column] = 1;
        addTransposed(j, unit, impulse);
        const Vec3 u = velocityOf(j, multiply(inverseMass, impulse));
        for (int row = 0; row < 3; ++row) w(row, column) += u[row];
    }
}

}  // namespace

void BodyContacts::start(const std::vector<Vec3>& reactions, State& state) const {
    state.resize(bodyCount());
    parallelFor(bodyCount(), [&](std::size_t i) {
        Twist impulse{};
        for (const Incidence::Entry& e : incidence_.of(i)) {
            const Contact& c = contacts[e.contact()];
            addTransposed(e.side() == 0 ? c.blockA : c.blockB, reactions[e.contact()], impulse);
        }
        state[i] = multiply(inverseMass[i], impulse);
    });
}

Mat3 BodyContacts::diagonal(std::size_t contact) const {
    const Contact& c = contacts[contact];
    Mat3 w;
    if (c.a != noBody) addDiagonal(c.blockA, inverseMass[c.a], w);
    if (c.b != noBody) addDiagonal(c.blockB, inverseMass[c.b], w);
    return w;
}

Vec3 BodyContacts::velocity(const State& state, std::size_t contact) const {
    const Contact& c = contacts[contact];
    Vec3 u;
    if (c.a != noBody) u += velocityOf(c.blockA, state[c.a]);
    if (c.b != noBody) u += velocityOf(c.blockB, state[c.b]);
    return u;
}

void BodyContacts::change(State& state, std::size_t contact, const Vec3& change) const {
    const Contact& c = contacts[contact];
    const auto push = [&](std::uint32_t body, const JacobianBlock& block) {
        if (body == noBody) return;
        Twist impulse{};
        addTransposed(block, change, impulse);
        const Twist velocity = multiply(inverseMass[body], impulse);
        for (int k = 0; k < 6; ++k) state[body][k] += velocity[k];
    };
    push(c.a, c.blockA);
    push(c.b, c.blockB);
}

}  // namespace talus
