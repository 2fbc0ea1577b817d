#include <algorithm>

#include "solvers/compatible/sphere_cone.hpp"
#include "solvers/first_order/sweepers.hpp"

namespace talus {
bool SphereSweeper::fits(const ContactProblem& p) {
    return p.compliance.empty() &&
           std::all_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& s) { return s.isPlainCone(); });
}

void SphereSweeper::load(const ContactProblem& p, const SphereContacts& contacts, FrictionLaw law,
                         const std::vector<std::uint32_t>& order) {
    contacts_ = &contacts;
    law_ = law;
    order_ = &order;
    rows_.resize(order.size());
    parallelFor(order.size(), [&](std::size_t k) {
        const std::uint32_t i = order[k];
        const Mat3 w = contacts.diagonal(i);
        Row& row = rows_[k];
        row.contact = contacts.contacts[i];
        row.offset = contactFrame(row.contact.normal).toWorld(p.offset[i]);
        row.byNormal = 1 / w(0, 0);
        row.byTangent = 1 / w(1, 1);
        row.friction = p.sets[i].friction;
    });
}

void SphereSweeper::start(const std::vector<Vec3>& reactions) {
    parallelFor(rows_.size(), [&](std::size_t k) {
        rows_[k].reaction = contactFrame(rows_[k].contact.normal).toWorld(reactions[(*order_)[k]]);
    });
    contacts_->start(reactions, state_);
}

void SphereSweeper::store(std::vector<Vec3>& reactions) const {
    reactions.resize(rows_.size());
    parallelFor(rows_.size(), [&](std::size_t k) {
        reactions[(*order_)[k]] = contactFrame(rows_[k].contact.normal).toLocal(rows_[k].reaction);
    });
}

void SphereSweeper::velocities(std::vector<Vec3>& velocities) const {
    velocities.resize(rows_.size());
    parallelFor(rows_.size(), [&](std::size_t k) {
        const Row& row = rows_[k];
        const Vec3 world = SphereContacts::worldVelocity(state_, row.contact) + row.offset;
        velocities[(*order_)[k]] = contactFrame(row.contact.normal).toLocal(world);
    });
}

template <FrictionLaw law>
void SphereSweeper::sweepRows(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
        Row& row = rows_[k];
        const Vec3& n = row.contact.normal;
        const Vec3 u = SphereContacts::worldVelocity(state_, row.contact) + row.offset;
        const double opening = dot(u, n);
        const Vec3 slip = u - opening * n;
        const Vec3 free = row.reaction - (row.byNormal * opening) * n - row.byTangent * slip;
        Vec3 fresh = admissible<law>(free, n, row.friction, row.byNormal, row.byTangent);
        if (relaxation != 1) fresh = row.reaction + relaxation * (fresh - row.reaction);
        const Vec3 change = fresh - row.reaction;
        if (change == Vec3{}) continue;
        row.reaction = fresh;
        contacts_->push(state_, row.contact, change);
    }
}

void SphereSweeper::sweep(std::size_t begin, std::size_t end) {
    if (law_ == FrictionLaw::coulomb) {
        sweepRows<FrictionLaw::coulomb>(begin, end);
    } else {
        sweepRows<FrictionLaw::associated>(begin, end);
    }
}

}  // namespace talus
