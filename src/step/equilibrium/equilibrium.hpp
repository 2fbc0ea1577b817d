// The proximal iterations of one increment of quasi-static loading (step/quasi_static.cpp): their parts, in the order
// in which stepQuasiStatic() takes them.
#pragma once

#include "step/equilibrium/balance.hpp"
#include "step/equilibrium/scales.hpp"
#include "step/step.hpp"

namespace talus {

class Equilibrium {
public:
    // Motions and loads of the increment are set; it ends at `end` (s).
    Equilibrium(WorldState& world, const StepSettings& settings, double end, StepWorkspace& workspace);

    // Not reached, and there are free bodies and iterations left.
    bool isSought() const;
    // Reactions for a move that no body makes too far. Where numbers went bad there is none.
    void solve();
    // Makes it.
    void move();
    // How near to balance that is.
    void judge();
    // Friction depends on the way since the last equilibrium, not on those of single iterations: until balance is
    // reached contacts remember what they would bear if they had not slid in this increment. Where bodies are on their
    // way to other places, the way itself counts.
    void remember();
    // The pseudo-time and the tolerance of the next iteration.
    void choosePace();

    // Bodies at rest, energies in the ledger; what the increment has to say.
    StepOutcome finish();

private:
    // Prescribed bodies go their whole way within the pseudo-time of the first iteration, and rest afterwards.
    bool isFirst() const { return report_.equilibrium.iterations <= 1; }
    bool failed() const { return report_.solve.status == SolveStatus::numericalError; }
    void predictPrescribed();
    void findContacts();
    Farthest solveOnce();
    double margin() const;
    double farEnough() const;
    double timeOf(double inertia) const;
    void chooseTau();
    double solverTolerance() const;
    bool isSlow() const;

    WorldState& world_;
    const StepSettings& settings_;
    const QuasiStaticSettings& wanted_;
    double end_;  // s
    StepWorkspace& ws_;
    Scales scales_;
    StoredEnergy before_;           // J, at the start
    double tau_ = 0, longest_ = 0;  // s
    Farthest farthest_;             // of the last solve
    double lastUnbalanced_;         // -, of the iteration before
    std::vector<Vec3> stuck_;       // N s, per contact
    bool isFresh_ = false;          // contacts are those of the present positions
    int balances_ = 0;              // iterations in a row at whose end forces balanced
    StepOutcome report_;
};

}  // namespace talus
