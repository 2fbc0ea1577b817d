// Moves a world step by step.
//
//   Stepper stepper(ContactDynamics{.step = 1e-3, .tolerance = 1e-6});
//   stepper.addForce([=](const World& w, Forces& f) { f.add(ball, {0.1 * std::sin(w.time()), 0, 0}); });
//   while (world.time() < 0.2) {
//       StepReport report = stepper.step(world);
//       if (!report.solve.converged()) warn(report.solve.residual);
//   }
//
// A Stepper is a method with its settings (method.hpp), the user's own forces and scratch memory. It holds no state of
// the world: it can be thrown away between any two steps, and another one like it goes on with the same bits.
//
// Own forces are evaluated at the state they act on. The penalty method asks for them at the start and at the end of
// each step, contact dynamics and quasi-static loading once, at its start. Their work enters the energy ledger. The
// calls are made one after the other in the order of addForce(); a force that depends on nothing but the world gives
// the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "talus/method.hpp"
#include "talus/world.hpp"

namespace talus {

struct ContactProblem;

// Forces and torques of the user's own on bodies, added up.
class Forces {
public:
    // N at the centre of mass, N m about it. On bodies that forces do not move, nothing happens.
    void add(BodyId body, const Vec3& force, const Vec3& torque = {});
    // N at a point of the body (m, world frame).
    void addAt(BodyId body, const Vec3& point, const Vec3& force);
    // The whole arrays, in the order of World::positions(): to be added to.
    std::span<Vec3> force();
    std::span<Vec3> torque();

    struct Data;
    explicit Forces(Data& data) : data_(data) {}

private:
    Data& data_;
};

using OwnForce = std::function<void(const World&, Forces&)>;

// How the contact problem of a step was solved; nothing of it for the penalty method, which solves none.
struct SolveSummary {
    std::string status;      // converged, stalled, iteration limit, time limit, numerical error, infeasible; not run
    std::string solver;      // that gave the answer
    double residual = 0;     // -, natural map (docs/contact-problems.md), computed anew from the answer
    double penetration = 0;  // m/s, fastest closing of a contact; 0 at a solution
    std::uint64_t iterations = 0;
    double seconds = 0;  // s of wall clock
    bool converged() const { return status == "converged" || status == "not run"; }
};

// How near to equilibrium an increment of quasi-static loading ended.
struct EquilibriumSummary {
    bool reached = true;
    std::uint64_t iterations = 0;
    double unbalanced = 0;  // -, largest unbalanced force on a body over the mean contact force
    BodyId worst;           // the body least in balance
};

// A drive of a joint against bodies that cannot give way.
struct JammedJoint {
    JointId joint;
    double force = 0;  // N or N m, with which it pushes
};

struct StepReport {
    SolveSummary solve;
    std::size_t contacts = 0;  // in the problem
    EquilibriumSummary equilibrium;
    std::optional<JammedJoint> jammed;
    std::vector<std::string> warnings;  // for people: what is odd about this step; mostly none
};

// On which steps run; 0: one per core. The bits do not depend on it.
void useThreads(int count);

class Stepper {
public:
    explicit Stepper(StepMethod method, StepperSettings settings = {});
    ~Stepper();
    Stepper(Stepper&&) noexcept;
    Stepper& operator=(Stepper&&) noexcept;

    void addForce(OwnForce force);

    // One step. The first one, and one after changes by hand, brings contact lists and forces in line with the world.
    // InputError for a world that cannot start like this; RunError if numbers go bad, a grain is lost, overlaps grow
    // too large or nothing carries a load: the message says what to try.
    StepReport step(World& world);
    // That many, until one of them has something to tell; the report of the last one.
    StepReport advance(World& world, std::uint64_t steps);

    // The contact problem of the last step, and the reactions it found (N s); valid until the next one. Nothing before
    // the first step, and with the penalty method, which solves none.
    const ContactProblem* problem() const;
    const std::vector<Vec3>& reactions() const;

    double stepLength() const;              // s, of the last step
    const std::string& stepReason() const;  // how it was chosen

private:
    struct Workspace;
    std::unique_ptr<Workspace> workspace_;
};

}  // namespace talus
