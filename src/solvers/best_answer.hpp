// The best reactions that a solver has come by so far, judged by the problem that is to be solved.
#pragma once

#include "problem/residual.hpp"
#include "talus/solver.hpp"

namespace talus {

class BestAnswer {
public:
    // Its reactions, velocities and residuals become those of the best answer.
    BestAnswer(const ContactProblem& problem, FrictionLaw law, Solution& solution)
        : problem_(problem), law_(law), solution_(solution) {
        diagonals_.measure(problem);
    }

    // Reactions with the velocities that belong to them; returns their natural map.
    double offer(const std::vector<Vec3>& g, const std::vector<Vec3>& u) {
        const Residuals residuals = measureResiduals(problem_, law_, diagonals_, g, u);
        lastIsBest_ = !hasAny_ || residuals.naturalMap < residual();
        hasAny_ = true;
        if (lastIsBest_) {
            solution_.report.residuals = residuals;
            solution_.reactions = g;
            solution_.velocities = u;
        }
        return residuals.naturalMap;
    }

    // Whether what was offered last is the best.
    bool lastIsBest() const { return lastIsBest_; }
    double residual() const { return solution_.report.residuals.naturalMap; }
    const ContactProblem& problem() const { return problem_; }
    const Diagonals& diagonals() const { return diagonals_; }

private:
    const ContactProblem& problem_;
    FrictionLaw law_;
    Solution& solution_;
    Diagonals diagonals_;
    bool hasAny_ = false, lastIsBest_ = false;
};

}  // namespace talus
