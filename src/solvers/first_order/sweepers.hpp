// What Gauss-Seidel does to one contact: solve it exactly with its neighbours held, and tell the bodies.
//
// A sweeper holds the contacts in the order of the sweep, so that a sweep reads memory from front to back:
//     load(problem, law, order)          the problem, contact order[k] at place k
//     start(reactions), store(reactions) from and to the order of the problem
//     velocities(velocities)             of the reactions it was started with, in the order of the problem
//     sweep(begin, end)                  the contacts at these places, one after the other
//     sweepAt(place)                     one contact
//     relaxation                         the part of the way to its new reaction that a contact goes
// Contacts that move no common body may be swept by several threads at once.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "problem/contact_problem.hpp"

namespace talus {

// Any operator, any reaction sets: the exact solution of a 3 x 3 problem.
template <ContactOperator Operator>
class GeneralSweeper {
public:
    double relaxation = 1;

    void load(const ContactProblem& problem, const Operator& op, FrictionLaw law,
              const std::vector<std::uint32_t>& order) {
        problem_ = &problem;
        operator_ = &op;
        law_ = law;
        order_ = &order;
        metric_.resize(order.size());
        parallelFor(order.size(), [&](std::size_t k) { metric_[k] = regularDiagonal(problem, order[k]); });
    }

    void start(const std::vector<Vec3>& reactions) {
        reactions_ = reactions;
        operator_->start(reactions_, state_);
    }
    void store(std::vector<Vec3>& reactions) const { reactions = reactions_; }
    void velocities(std::vector<Vec3>& velocities) const {
        velocities.resize(reactions_.size());
        parallelFor(velocities.size(), [&](std::size_t i) { velocities[i] = velocityAt(i); });
    }

    void sweepAt(std::size_t place) {
        const std::uint32_t i = (*order_)[place];
        const Vec3 old = reactions_[i];
        const Vec3 linear = velocityAt(i) - metric_[place] * old;
        Vec3 fresh = solveContact(problem_->sets[i], law_, metric_[place], linear);
        if (relaxation != 1) fresh = old + relaxation * (fresh - old);
        if (fresh == old) return;
        reactions_[i] = fresh;
        operator_->change(state_, i, fresh - old);
    }

    void sweep(std::size_t begin, std::size_t end) {
        for (std::size_t place = begin; place < end; ++place) sweepAt(place);
    }

private:
    Vec3 velocityAt(std::size_t i) const {
        return operator_->velocity(state_, i) + problem_->offset[i] + problem_->complianceTimes(i, reactions_[i]);
    }

    const ContactProblem* problem_ = nullptr;
    const Operator* operator_ = nullptr;
    const std::vector<std::uint32_t>* order_ = nullptr;
    FrictionLaw law_ = FrictionLaw::coulomb;
    std::vector<Mat3> metric_;
    std::vector<Vec3> reactions_;
    typename Operator::State state_;
};

// Rigid contacts of spheres with plain cones: closed form, in the world frame, two cache lines per contact.
class SphereSweeper {
public:
    double relaxation = 1;

    static bool fits(const ContactProblem& problem);

    void load(const ContactProblem& problem, const SphereContacts& contacts, FrictionLaw law,
              const std::vector<std::uint32_t>& order);
    void start(const std::vector<Vec3>& reactions);
    void store(std::vector<Vec3>& reactions) const;
    void velocities(std::vector<Vec3>& velocities) const;
    void sweepAt(std::size_t place) { sweep(place, place + 1); }
    void sweep(std::size_t begin, std::size_t end);

private:
    struct alignas(64) Row {
        SphereContact contact;
        Vec3 offset, reaction;               // world frame
        double byNormal = 0, byTangent = 0;  // kg, inverses of the diagonal of W
        double friction = 0;
    };
    template <FrictionLaw law>
    void sweepRows(std::size_t begin, std::size_t end);

    const SphereContacts* contacts_ = nullptr;
    const std::vector<std::uint32_t>* order_ = nullptr;
    FrictionLaw law_ = FrictionLaw::coulomb;
    std::vector<Row> rows_;
    SphereContacts::State state_;
};

// Bodies of any shape. Where two bodies that are round to their contact meet, that is two spheres or a sphere and what
// cannot move, in a rigid contact with a plain cone, the closed form of SphereSweeper; the exact solution of a 3 x 3
// problem at the other contacts, of free walls, joints, boxes.
class BodySweeper {
public:
    double relaxation = 1;

    void load(const ContactProblem& problem, const BodyContacts& contacts, FrictionLaw law,
              const std::vector<std::uint32_t>& order);
    void start(const std::vector<Vec3>& reactions);
    void store(std::vector<Vec3>& reactions) const;
    void velocities(std::vector<Vec3>& velocities) const;
    void sweepAt(std::size_t place) { sweep(place, place + 1); }
    void sweep(std::size_t begin, std::size_t end);

    // How a round body answers to an impulse.
    struct RoundBody {
        std::uint32_t body = BodyContacts::noBody;
        double lever = 0;                            // m
        double inverseMass = 0, inverseInertia = 0;  // 1/kg, 1/(kg m^2)
    };

private:
    struct alignas(64) Row {
        Vec3 normal;
        RoundBody a, b;
        Vec3 offset, reaction;               // world frame
        double byNormal = 0, byTangent = 0;  // kg, inverses of the diagonal of W
        double friction = 0;
        bool isRound = false;
    };
    Row rowOf(std::uint32_t contact) const;
    template <FrictionLaw law>
    void sweepRound(Row& row);
    void sweepGeneral(std::size_t place);

    const ContactProblem* problem_ = nullptr;
    const BodyContacts* contacts_ = nullptr;
    const std::vector<std::uint32_t>* order_ = nullptr;
    FrictionLaw law_ = FrictionLaw::coulomb;
    std::vector<Row> rows_;
    std::vector<Mat3> metric_;     // W_ii, where contacts are not round
    std::vector<Vec3> reactions_;  // of those, in the order of the sweep
    BodyContacts::State state_;
};

}  // namespace talus
