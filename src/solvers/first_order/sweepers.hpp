// What Gauss-Seidel does to one contact: solve it exactly with its neighbours held, and tell the bodies.
//
// A sweeper holds the contacts in the order of the sweep, so that a sweep reads memory from front to back:
//     load(problem, law, order)          the problem, contact order[k] at place k
//     start(reactions), store(reactions) from and to the order of the problem
//     velocities(velocities)             of the reactions it was started with, in the order of the problem
//     sweep(begin, end)                  the contacts at these places, one after the other
//     sweepAt(place)                     one contact
//     sweepJoints()                      what joints hold, all of it at once, where there are bodies
//     relaxation                         how far a contact goes: a part of the way to its new reaction, or, above 1, so
//                                        many times the step that would stop it, and then to the nearest reaction of
//                                        its set
// Contacts that move no common body may be swept by several threads at once.
#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "problem/contact_problem.hpp"
#include "solvers/first_order/joint_block.hpp"

namespace talus {

// A problem that gives W itself: the exact solution of a 3 x 3 problem everywhere.
class MatrixSweeper {
public:
    double relaxation = 1;

    void load(const ContactProblem& problem, const BlockMatrix& matrix, FrictionLaw law,
              const std::vector<std::uint32_t>& order) {
        problem_ = &problem;
        matrix_ = &matrix;
        law_ = law;
        order_ = &order;
        metric_.resize(order.size());
        parallelFor(order.size(), [&](std::size_t k) { metric_[k] = regularDiagonal(problem, order[k]); });
    }

    void start(const std::vector<Vec3>& reactions) { reactions_ = reactions; }
    void store(std::vector<Vec3>& reactions) const { reactions = reactions_; }
    void velocities(std::vector<Vec3>& velocities) const {
        velocities.resize(reactions_.size());
        parallelFor(velocities.size(), [&](std::size_t i) { velocities[i] = velocityAt(i); });
    }

    void sweepAt(std::size_t place) {
        const std::uint32_t i = (*order_)[place];
        const Vec3 old = reactions_[i];
        const Vec3 linear = std::max(1.0, relaxation) * velocityAt(i) - metric_[place] * old;
        const Vec3 fresh = solveContact(problem_->sets[i], law_, metric_[place], linear);
        reactions_[i] = relaxation >= 1 ? fresh : old + relaxation * (fresh - old);
    }

    void sweep(std::size_t begin, std::size_t end) {
        for (std::size_t place = begin; place < end; ++place) sweepAt(place);
    }
    void sweepJoints() {}

private:
    Vec3 velocityAt(std::size_t i) const {
        return matrix_->velocity(reactions_, i) + problem_->offset[i] + problem_->complianceTimes(i, reactions_[i]);
    }

    const ContactProblem* problem_ = nullptr;
    const BlockMatrix* matrix_ = nullptr;
    const std::vector<std::uint32_t>* order_ = nullptr;
    FrictionLaw law_ = FrictionLaw::coulomb;
    std::vector<Mat3> metric_;
    std::vector<Vec3> reactions_;
};

// Contacts of bodies. Round rows with a plain cone, rigid or as compliant in one tangent as in the other, have a closed
// form in the world frame, two cache lines per contact; the others, of boxes, joints, free walls, take the exact
// solution of a 3 x 3 problem. Where a single round row of the problem is of another kind, all take that.
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
    void sweepJoints();

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    struct alignas(64) Row {
        ContactRow contact;
        Vec3 offset, reaction;               // world frame
        double byNormal = 0, byTangent = 0;  // kg, inverses of the diagonal of W
        double friction = 0;
        std::uint32_t general = none;  // which one of those without closed form, if it is
    };
    // What a compliant row moves by itself: E g, world frame.
    struct Give {
        double normal = 0, tangent = 0;  // s/kg
        Vec3 velocity(const Row& row) const {
            const Vec3& n = row.contact.normal;
            return tangent * row.reaction + ((normal - tangent) * dot(row.reaction, n)) * n;
        }
    };
    struct General {
        std::uint32_t contact;
        Mat3 metric;  // W_ii
        Vec3 reaction;
    };
    void findJoints();
    void makeRow(std::size_t place);
    template <FrictionLaw law, bool isCompliant>
    void sweepRows(std::size_t begin, std::size_t end);
    void sweepGeneral(General& row);
    Vec3 velocityOf(const General& row) const;
    // Without what the row itself gives way.
    Vec3 velocityOf(const Row& row) const { return BodyContacts::worldVelocity(state_, row.contact) + row.offset; }

    const ContactProblem* problem_ = nullptr;
    const BodyContacts* contacts_ = nullptr;
    const std::vector<std::uint32_t>* order_ = nullptr;
    FrictionLaw law_ = FrictionLaw::coulomb;
    std::vector<Row> rows_;                           // by place; empty if none has a closed form
    std::vector<Give> give_;                          // of rows, by place; empty if all are rigid
    std::vector<General> generals_;                   // by place then, else by Row::general
    std::vector<std::uint32_t> held_, heldContacts_;  // of these, what joints hold
    JointBlock joints_;
    std::vector<Vec3> heldVelocity_, heldChange_;
    BodyContacts::State state_;
};

}  // namespace talus
