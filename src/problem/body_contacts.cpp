#include "base/parallel.hpp"
#include "talus/contact_rows.hpp"

namespace talus {
namespace {

using Twist = std::array<double, 6>;  // velocity and spin of a body, or impulse and turning impulse

Vec3 velocityOf(const JacobianBlock& j, const BodyContacts::Body& body) {
    Vec3 u;
    for (int k = 0; k < 3; ++k) u += body.velocity[k] * Vec3{j[k], j[6 + k], j[12 + k]};
    for (int k = 0; k < 3; ++k) u += body.spin[k] * Vec3{j[3 + k], j[9 + k], j[15 + k]};
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

Vec3 linearOf(const Twist& v) { return {v[0], v[1], v[2]}; }
Vec3 angularOf(const Twist& v) { return {v[3], v[4], v[5]}; }

void addDiagonal(const JacobianBlock& j, const MassBlock& inverseMass, Mat3& w) {
    for (int column = 0; column < 3; ++column) {
        Twist impulse{};
        Vec3 unit;
        unit[column] = 1;
        addTransposed(j, unit, impulse);
        const Twist v = multiply(inverseMass, impulse);
        const Vec3 u = velocityOf(j, {linearOf(v), angularOf(v)});
        for (int row = 0; row < 3; ++row) w(row, column) += u[row];
    }
}

}  // namespace

JacobianBlock velocityBlock(const ContactFrame& frame, const Vec3& arm, double sign) {
    JacobianBlock block{};
    const std::array<Vec3, 3> axes{frame.normal, frame.first, frame.second};
    for (std::size_t row = 0; row < 3; ++row) {
        const Vec3 turning = cross(arm, axes[row]);
        for (int k = 0; k < 3; ++k) {
            block[6 * row + static_cast<std::size_t>(k)] = sign * axes[row][k];
            block[6 * row + 3 + static_cast<std::size_t>(k)] = sign * turning[k];
        }
    }
    return block;
}

void BodyContacts::clear() {
    contacts.clear();
    detail.clear();
    arms.clear();
    blocks.clear();
    inverseMass.clear();
    inverseInertia.clear();
    general.clear();
    masses.clear();
}

std::uint32_t BodyContacts::addSphere(double mass, double radius) {
    inverseMass.push_back(1 / mass);
    inverseInertia.push_back(2.5 / (mass * radius * radius));
    if (!general.empty()) general.push_back(sphere);
    return static_cast<std::uint32_t>(inverseMass.size() - 1);
}

std::uint32_t BodyContacts::addFixed() {
    inverseMass.push_back(0);
    inverseInertia.push_back(0);
    if (!general.empty()) general.push_back(sphere);
    return static_cast<std::uint32_t>(inverseMass.size() - 1);
}

std::uint32_t BodyContacts::addBody(const MassBlock& inverse) {
    general.resize(inverseMass.size(), sphere);
    general.push_back(static_cast<std::uint32_t>(masses.size()));
    masses.push_back(inverse);
    inverseMass.push_back(1);  // whatever it can do stands in its block
    inverseInertia.push_back(0);
    return static_cast<std::uint32_t>(inverseMass.size() - 1);
}

std::uint32_t BodyContacts::addBody(double mass, const Mat3& inverse) {
    MassBlock block{};
    for (std::size_t row = 0; row < 3; ++row) {
        block[7 * row] = 1 / mass;
        for (std::size_t column = 0; column < 3; ++column) {
            block[6 * (row + 3) + column + 3] = inverse(static_cast<int>(row), static_cast<int>(column));
        }
    }
    return addBody(block);
}

void BodyContacts::add(const ContactAt& c) {
    const bool round = isSphere(c.a) && isSphere(c.b);
    if (!round) {
        detail.resize(contacts.size());
        detail.push_back(Detail::of(RowKind::arms, arms.size()));
        arms.push_back({c.armA, c.armB});
    } else if (!detail.empty()) {
        detail.push_back({});
    }
    contacts.push_back({c.normal, -dot(c.armA, c.normal), dot(c.armB, c.normal), c.a, c.b});
}

void BodyContacts::add(const BlockRow& row) {
    detail.resize(contacts.size());
    detail.push_back(Detail::of(RowKind::block, blocks.size()));
    blocks.push_back({row.blockA, row.blockB});
    contacts.push_back({.normal = {}, .a = row.a, .b = row.b});
}

void BodyContacts::finish() {
    if (!detail.empty()) detail.resize(contacts.size());
    if (!general.empty()) general.resize(bodyCount(), sphere);
    incidence_.build(bodyCount(), contacts.size(), *this);
}

MassBlock BodyContacts::inverseMassOf(std::size_t body) const {
    if (!isSphere(body)) return masses[general[body]];
    MassBlock block{};
    for (int k = 0; k < 3; ++k) {
        block[static_cast<std::size_t>(7 * k)] = inverseMass[body] * linearFreedom[k];
        block[static_cast<std::size_t>(7 * (k + 3))] = inverseInertia[body] * angularFreedom[k];
    }
    return block;
}

JacobianBlock BodyContacts::blockOf(std::size_t contact, std::uint32_t side) const {
    const ContactRow& c = contacts[contact];
    const double sign = side == 0 ? 1 : -1;
    if (kind(contact) == RowKind::round) {
        return velocityBlock(contactFrame(c.normal), side == 0 ? -c.leverA * c.normal : c.leverB * c.normal, sign);
    }
    const std::size_t at = detail[contact].index();
    if (kind(contact) == RowKind::block) return side == 0 ? blocks[at].a : blocks[at].b;
    return velocityBlock(contactFrame(c.normal), side == 0 ? arms[at].a : arms[at].b, sign);
}

namespace {

// What a round row adds to the impulse and the turning impulse of the body at this side.
void addRound(const ContactRow& c, const Incidence::Entry& e, const Vec3& reaction, Vec3& impulse, Vec3& turning) {
    const Vec3 world = contactFrame(c.normal).toWorld(reaction);
    impulse += e.sign() * world;
    turning += (e.side() == 0 ? c.leverA : c.leverB) * cross(world, c.normal);
}

// Spheres among themselves: the loop that problems of spheres spend their time in.
void startRound(const BodyContacts& op, const std::vector<Vec3>& reactions, BodyContacts::State& state) {
    parallelFor(op.bodyCount(), [&](std::size_t i) {
        Vec3 impulse{}, turning{};
        for (const Incidence::Entry& e : op.incidence().of(i)) {
            addRound(op.contacts[e.contact()], e, reactions[e.contact()], impulse, turning);
        }
        BodyContacts::Body& body = state[i];
        body.inverseMass = op.inverseMass[i];
        body.inverseInertia = op.inverseInertia[i];
        body.velocity = body.inverseMass * hadamard(op.linearFreedom, impulse);
        body.spin = body.inverseInertia * hadamard(op.angularFreedom, turning);
    });
}

}  // namespace

// Each body sums over its own contacts in their order: the same bits for any number of threads.
void BodyContacts::start(const std::vector<Vec3>& reactions, State& state) const {
    state.resize(bodyCount());
    if (isRound() && general.empty()) return startRound(*this, reactions, state);
    parallelFor(bodyCount(), [&](std::size_t i) {
        if (isSphere(i)) {
            startSphere(reactions, i, state);
        } else {
            startGeneral(reactions, i, state);
        }
    });
}

void BodyContacts::startSphere(const std::vector<Vec3>& reactions, std::size_t i, State& state) const {
    Vec3 impulse{}, turning{};
    for (const Incidence::Entry& e : incidence_.of(i)) {
        if (kind(e.contact()) == RowKind::round) {
            addRound(contacts[e.contact()], e, reactions[e.contact()], impulse, turning);
        } else {
            Twist pushed{};
            addTransposed(blockOf(e.contact(), e.side()), reactions[e.contact()], pushed);
            impulse += linearOf(pushed);
            turning += angularOf(pushed);
        }
    }
    Body& body = state[i];
    body.inverseMass = inverseMass[i];
    body.inverseInertia = inverseInertia[i];
    body.velocity = body.inverseMass * hadamard(linearFreedom, impulse);
    body.spin = body.inverseInertia * hadamard(angularFreedom, turning);
}

void BodyContacts::startGeneral(const std::vector<Vec3>& reactions, std::size_t i, State& state) const {
    Twist impulse{};
    for (const Incidence::Entry& e : incidence_.of(i)) {
        addTransposed(blockOf(e.contact(), e.side()), reactions[e.contact()], impulse);
    }
    const Twist v = multiply(masses[general[i]], impulse);
    state[i] = {linearOf(v), angularOf(v), inverseMass[i], inverseInertia[i]};
}

Mat3 BodyContacts::diagonal(std::size_t contact) const {
    const ContactRow& c = contacts[contact];
    if (kind(contact) == RowKind::round) {
        const double normal = inverseMass[c.a] + inverseMass[c.b];
        const double tangent =
            normal + c.leverA * c.leverA * inverseInertia[c.a] + c.leverB * c.leverB * inverseInertia[c.b];
        return {{normal, 0, 0, 0, tangent, 0, 0, 0, tangent}};
    }
    Mat3 w;
    forEachMovable(contact, [&](std::uint32_t body, std::uint32_t side) {
        addDiagonal(blockOf(contact, side), inverseMassOf(body), w);
    });
    return w;
}

Vec3 BodyContacts::generalVelocity(const State& state, std::size_t contact) const {
    Vec3 u;
    forEachMovable(
        contact, [&](std::uint32_t body, std::uint32_t side) { u += velocityOf(blockOf(contact, side), state[body]); });
    return u;
}

void BodyContacts::generalChange(State& state, std::size_t contact, const Vec3& change) const {
    forEachMovable(contact, [&](std::uint32_t i, std::uint32_t side) {
        Twist impulse{};
        addTransposed(blockOf(contact, side), change, impulse);
        Body& body = state[i];
        if (isSphere(i)) {
            body.velocity += body.inverseMass * hadamard(linearFreedom, linearOf(impulse));
            body.spin += body.inverseInertia * hadamard(angularFreedom, angularOf(impulse));
            return;
        }
        const Twist v = multiply(masses[general[i]], impulse);
        body.velocity += linearOf(v);
        body.spin += angularOf(v);
    });
}

}  // namespace talus
