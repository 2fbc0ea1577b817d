#include <algorithm>

#include "solvers/first_order/sphere_cone.hpp"
#include "solvers/first_order/sweepers.hpp"

namespace talus {
namespace {

// As compliant in one tangent as in the other, and not across.
bool isAxial(const Mat3& e) { return e == diagonal3({e(0, 0), e(1, 1), e(1, 1)}); }

// Whether round rows are what the closed form knows: with plain cones, rigid or alike in all tangents.
bool haveClosedForm(const ContactProblem& p, const BodyContacts& contacts) {
    const auto isPlain = [&](std::size_t i) {
        return p.sets[i].isPlainCone() && (p.compliance.empty() || isAxial(p.compliance[i]));
    };
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        if (contacts.kind(i) == RowKind::round && !isPlain(i)) return false;
    }
    return true;
}

}  // namespace

void BodySweeper::load(const ContactProblem& problem, const BodyContacts& contacts, FrictionLaw law,
                       const std::vector<std::uint32_t>& order) {
    problem_ = &problem;
    contacts_ = &contacts;
    law_ = law;
    order_ = &order;
    generals_.clear();
    give_.clear();
    if (haveClosedForm(problem, contacts)) {
        rows_.resize(order.size());
        const bool isCompliant = std::any_of(problem.compliance.begin(), problem.compliance.end(),
                                             [](const Mat3& e) { return e != Mat3{}; });
        if (isCompliant) give_.resize(order.size());
        for (std::size_t k = 0; k < order.size() && !contacts.isRound(); ++k) {
            if (contacts.kind(order[k]) == RowKind::round) continue;
            rows_[k].general = static_cast<std::uint32_t>(generals_.size());
            generals_.push_back({order[k], {}, {}});
        }
        parallelFor(order.size(), [&](std::size_t k) { makeRow(k); });
    } else {
        rows_.clear();
        for (const std::uint32_t contact : order) generals_.push_back({contact, {}, {}});
    }
    parallelFor(generals_.size(),
                [&](std::size_t k) { generals_[k].metric = regularDiagonal(problem, generals_[k].contact); });
    findJoints();
}

void BodySweeper::findJoints() {
    held_.clear();
    heldContacts_.clear();
    for (std::uint32_t k = 0; k < generals_.size(); ++k) {
        if (!problem_->sets[generals_[k].contact].bilateral) continue;
        held_.push_back(k);
        heldContacts_.push_back(generals_[k].contact);
    }
    joints_.build(*problem_, *contacts_, heldContacts_);
}

void BodySweeper::makeRow(std::size_t place) {
    const std::uint32_t i = (*order_)[place];
    Row& row = rows_[place];
    row.contact = contacts_->contacts[i];
    if (contacts_->kind(i) != RowKind::round) return;
    const Mat3 w = problem_->diagonal(i);
    if (!give_.empty()) give_[place] = {problem_->compliance[i](0, 0), problem_->compliance[i](1, 1)};
    row.offset = contactFrame(row.contact.normal).toWorld(problem_->offset[i]);
    row.byNormal = 1 / w(0, 0);
    row.byTangent = 1 / w(1, 1);
    row.friction = problem_->sets[i].friction;
    row.general = none;
}

void BodySweeper::start(const std::vector<Vec3>& reactions) {
    parallelFor(generals_.size(), [&](std::size_t k) { generals_[k].reaction = reactions[generals_[k].contact]; });
    parallelFor(rows_.size(), [&](std::size_t k) {
        Row& row = rows_[k];
        if (row.general == none) row.reaction = contactFrame(row.contact.normal).toWorld(reactions[(*order_)[k]]);
    });
    contacts_->start(reactions, state_);
}

void BodySweeper::store(std::vector<Vec3>& reactions) const {
    reactions.resize(order_->size());
    parallelFor(generals_.size(), [&](std::size_t k) { reactions[generals_[k].contact] = generals_[k].reaction; });
    parallelFor(rows_.size(), [&](std::size_t k) {
        const Row& row = rows_[k];
        if (row.general == none) reactions[(*order_)[k]] = contactFrame(row.contact.normal).toLocal(row.reaction);
    });
}

void BodySweeper::velocities(std::vector<Vec3>& velocities) const {
    velocities.resize(order_->size());
    parallelFor(generals_.size(), [&](std::size_t k) { velocities[generals_[k].contact] = velocityOf(generals_[k]); });
    parallelFor(rows_.size(), [&](std::size_t k) {
        const Row& row = rows_[k];
        if (row.general != none) return;
        const Vec3 world = velocityOf(row) + (give_.empty() ? Vec3{} : give_[k].velocity(row));
        velocities[(*order_)[k]] = contactFrame(row.contact.normal).toLocal(world);
    });
}

Vec3 BodySweeper::velocityOf(const General& row) const {
    const std::uint32_t i = row.contact;
    return contacts_->velocity(state_, i) + problem_->offset[i] + problem_->complianceTimes(i, row.reaction);
}

template <FrictionLaw law, bool isCompliant>
void BodySweeper::sweepRows(std::size_t begin, std::size_t end) {
    const double reach = std::max(1.0, relaxation);
    for (std::size_t k = begin; k < end; ++k) {
        Row& row = rows_[k];
        if (row.general != none) {
            sweepGeneral(generals_[row.general]);
            continue;
        }
        const Vec3& n = row.contact.normal;
        Vec3 u = velocityOf(row);
        if constexpr (isCompliant) u += give_[k].velocity(row);
        const double opening = dot(u, n);
        const Vec3 slip = u - opening * n;
        const Vec3 free = row.reaction - (reach * row.byNormal * opening) * n - (reach * row.byTangent) * slip;
        Vec3 fresh = admissible<law>(free, n, row.friction, row.byNormal, row.byTangent);
        if (relaxation < 1) fresh = row.reaction + relaxation * (fresh - row.reaction);
        const Vec3 change = fresh - row.reaction;
        if (change == Vec3{}) continue;
        row.reaction = fresh;
        contacts_->push(state_, row.contact, change);
    }
}

void BodySweeper::sweepGeneral(General& row) {
    const std::uint32_t i = row.contact;
    const Vec3 old = row.reaction;
    const double reach = std::max(1.0, relaxation);
    Vec3 fresh = solveContact(problem_->sets[i], law_, row.metric, reach * velocityOf(row) - row.metric * old);
    if (relaxation < 1) fresh = old + relaxation * (fresh - old);
    if (fresh == old) return;
    row.reaction = fresh;
    contacts_->change(state_, i, fresh - old);
}

void BodySweeper::sweepJoints() {
    if (joints_.empty()) return;
    heldVelocity_.clear();
    for (const std::uint32_t k : held_) heldVelocity_.push_back(velocityOf(generals_[k]));
    joints_.solve(heldVelocity_, heldChange_);
    for (std::size_t k = 0; k < held_.size(); ++k) {
        General& row = generals_[held_[k]];
        const Vec3 change = relaxation * heldChange_[k];
        row.reaction += change;
        contacts_->change(state_, row.contact, change);
    }
}

void BodySweeper::sweep(std::size_t begin, std::size_t end) {
    if (rows_.empty()) {
        for (std::size_t k = begin; k < end; ++k) sweepGeneral(generals_[k]);
    } else if (law_ == FrictionLaw::coulomb) {
        give_.empty() ? sweepRows<FrictionLaw::coulomb, false>(begin, end)
                      : sweepRows<FrictionLaw::coulomb, true>(begin, end);
    } else {
        give_.empty() ? sweepRows<FrictionLaw::associated, false>(begin, end)
                      : sweepRows<FrictionLaw::associated, true>(begin, end);
    }
}

}  // namespace talus
