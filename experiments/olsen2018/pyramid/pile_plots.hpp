// The pictures of the pyramid: floor pressure (the paper's figure 19) and histograms of contact forces (8 to 18).
#pragma once

#include "experiments/olsen2018/pyramid/pile.hpp"

namespace talus::reproduce {

// Classic contact dynamics, which knows no law.
struct ClassicForces {
    PileForces apgd, gaussSeidel;
    PileForces otherOrder;  // Gauss-Seidel with sweeps in random order
};

struct LawForces {
    PileLaw law;
    PileForces penalty, compatible, minimum;
    PileForces augmented;  // compatible, by the gradient steps of the paper's Algorithm 1
};

// floor.csv and floor.png: one map per law and method.
void plotFloor(Trial& trial, const std::vector<LawForces>& laws, const ClassicForces& classic);

// histograms.csv and histograms.png: contacts by force, for each law and method.
void plotHistograms(Trial& trial, const std::vector<LawForces>& laws, const ClassicForces& classic);

}  // namespace talus::reproduce
