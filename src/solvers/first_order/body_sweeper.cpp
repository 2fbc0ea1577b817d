#include <algorithm>
#include <cmath>
#include <optional>

#include "solvers/compatible/sphere_cone.hpp"
#include "solvers/first_order/sweepers.hpp"

namespace talus {
namespace {

constexpr double roundOff = 1e-12;  // -, of the largest entry: what turning a sphere's inertia leaves

Vec3 velocityIn(const Twist& v) { return {v[0], v[1], v[2]}; }
Vec3 spinIn(const Twist& v) { return {v[3], v[4], v[5]}; }

// The linear and the angular part of a row of a block.
Vec3 linearPart(const JacobianBlock& block, std::size_t row) {
    return {block[6 * row], block[6 * row + 1], block[6 * row + 2]};
}
Vec3 angularPart(const JacobianBlock& block, std::size_t row) {
    return {block[6 * row + 3], block[6 * row + 4], block[6 * row + 5]};
}

// Whether the matrix is diag(m, m, m, i, i, i).
bool isRound(const MassBlock& matrix) {
    for (std::size_t row = 0; row < 6; ++row) {
        for (std::size_t column = 0; column < 6; ++column) {
            const double scale = matrix[row < 3 || column < 3 ? 0 : 21];
            const double wanted = row != column ? 0.0 : row < 3 ? matrix[0] : matrix[21];
            if (std::abs(matrix[6 * row + column] - wanted) > roundOff * scale) return false;
        }
    }
    return true;
}

// One side of a contact with the frame (n, t1, t2), if it moves as a sphere with its centre on the line of the normal:
// rows sign (n, 0), sign (t1, ...), sign (t2, ...) with -l t2 and l t1 for the rotations, for either sign.
std::optional<BodySweeper::RoundBody> roundBody(const BodyContacts& contacts, std::uint32_t body,
                                                const JacobianBlock& block, const ContactFrame& frame, double sign) {
    if (body == BodyContacts::noBody) return BodySweeper::RoundBody{};
    const MassBlock& mass = contacts.inverseMass[body];
    if (!isRound(mass)) return std::nullopt;
    const double lever = -dot(angularPart(block, 1), frame.second);
    const Vec3 axes[3] = {frame.normal, frame.first, frame.second};
    const Vec3 turns[3] = {{}, -lever * frame.second, lever * frame.first};
    for (std::size_t row = 0; row < 3; ++row) {
        if (norm(linearPart(block, row) - sign * axes[row]) > roundOff) return std::nullopt;
        if (norm(angularPart(block, row) - turns[row]) > roundOff * std::abs(lever)) return std::nullopt;
    }
    return BodySweeper::RoundBody{body, lever, mass[0], mass[21]};
}

// What one side adds to the relative velocity, world frame.
Vec3 velocityOf(const BodyContacts::State& state, const BodySweeper::RoundBody& side, const Vec3& normal, double sign) {
    const Twist& v = state[side.body];
    return sign * velocityIn(v) - side.lever * cross(spinIn(v), normal);
}

void push(BodyContacts::State& state, const BodySweeper::RoundBody& side, const Vec3& impulse, const Vec3& turning) {
    Twist& v = state[side.body];
    const double turn = side.inverseInertia * side.lever;
    for (int k = 0; k < 3; ++k) {
        v[static_cast<std::size_t>(k)] += side.inverseMass * impulse[k];
        v[static_cast<std::size_t>(k + 3)] += turn * turning[k];
    }
}

}  // namespace

BodySweeper::Row BodySweeper::rowOf(std::uint32_t contact) const {
    Row row;
    const BodyContacts::Contact& c = contacts_->contacts[contact];
    if (!problem_->compliance.empty() || !problem_->sets[contact].isPlainCone()) return row;
    const bool first = c.a != BodyContacts::noBody;
    const ContactFrame frame = contactFrame(first ? linearPart(c.blockA, 0) : -linearPart(c.blockB, 0));
    const auto a = roundBody(*contacts_, c.a, c.blockA, frame, 1), b = roundBody(*contacts_, c.b, c.blockB, frame, -1);
    if (!a || !b) return row;
    const auto bySide = [](const RoundBody& s) { return s.inverseMass + s.inverseInertia * s.lever * s.lever; };
    return {.normal = frame.normal,
            .a = *a,
            .b = *b,
            .offset = frame.toWorld(problem_->offset[contact]),
            .reaction = {},
            .byNormal = 1 / (a->inverseMass + b->inverseMass),
            .byTangent = 1 / (bySide(*a) + bySide(*b)),
            .friction = problem_->sets[contact].friction,
            .isRound = true};
}

void BodySweeper::load(const ContactProblem& problem, const BodyContacts& contacts, FrictionLaw law,
                       const std::vector<std::uint32_t>& order) {
    problem_ = &problem;
    contacts_ = &contacts;
    law_ = law;
    order_ = &order;
    rows_.resize(order.size());
    metric_.resize(order.size());
    reactions_.resize(order.size());
    parallelFor(order.size(), [&](std::size_t k) {
        rows_[k] = rowOf(order[k]);
        if (!rows_[k].isRound) metric_[k] = regularDiagonal(problem, order[k]);
    });
}

void BodySweeper::start(const std::vector<Vec3>& reactions) {
    parallelFor(rows_.size(), [&](std::size_t k) {
        reactions_[k] = reactions[(*order_)[k]];
        if (rows_[k].isRound) rows_[k].reaction = contactFrame(rows_[k].normal).toWorld(reactions_[k]);
    });
    contacts_->start(reactions, state_);
}

void BodySweeper::store(std::vector<Vec3>& reactions) const {
    reactions.resize(rows_.size());
    parallelFor(rows_.size(), [&](std::size_t k) {
        const Row& row = rows_[k];
        reactions[(*order_)[k]] = row.isRound ? contactFrame(row.normal).toLocal(row.reaction) : reactions_[k];
    });
}

void BodySweeper::velocities(std::vector<Vec3>& velocities) const {
    velocities.resize(rows_.size());
    parallelFor(rows_.size(), [&](std::size_t k) {
        const std::uint32_t i = (*order_)[k];
        velocities[i] =
            contacts_->velocity(state_, i) + problem_->offset[i] + problem_->complianceTimes(i, reactions_[k]);
    });
}

template <FrictionLaw law>
void BodySweeper::sweepRound(Row& row) {
    const Vec3& n = row.normal;
    Vec3 u = row.offset;
    if (row.a.body != BodyContacts::noBody) u += velocityOf(state_, row.a, n, 1);
    if (row.b.body != BodyContacts::noBody) u += velocityOf(state_, row.b, n, -1);
    const double opening = dot(u, n);
    const Vec3 slip = u - opening * n;
    const Vec3 free = row.reaction - (row.byNormal * opening) * n - row.byTangent * slip;
    Vec3 fresh = admissible<law>(free, n, row.friction, row.byNormal, row.byTangent);
    if (relaxation != 1) fresh = row.reaction + relaxation * (fresh - row.reaction);
    const Vec3 change = fresh - row.reaction;
    if (change == Vec3{}) return;
    row.reaction = fresh;
    const Vec3 turning = cross(change, n);
    if (row.a.body != BodyContacts::noBody) push(state_, row.a, change, turning);
    if (row.b.body != BodyContacts::noBody) push(state_, row.b, -change, turning);
}

void BodySweeper::sweepGeneral(std::size_t place) {
    const std::uint32_t i = (*order_)[place];
    const Vec3 old = reactions_[place];
    const Vec3 velocity = contacts_->velocity(state_, i) + problem_->offset[i] + problem_->complianceTimes(i, old);
    Vec3 fresh = solveContact(problem_->sets[i], law_, metric_[place], velocity - metric_[place] * old);
    if (relaxation != 1) fresh = old + relaxation * (fresh - old);
    if (fresh == old) return;
    reactions_[place] = fresh;
    contacts_->change(state_, i, fresh - old);
}

void BodySweeper::sweep(std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place) {
        if (!rows_[place].isRound) {
            sweepGeneral(place);
        } else if (law_ == FrictionLaw::coulomb) {
            sweepRound<FrictionLaw::coulomb>(rows_[place]);
        } else {
            sweepRound<FrictionLaw::associated>(rows_[place]);
        }
    }
}

}  // namespace talus
