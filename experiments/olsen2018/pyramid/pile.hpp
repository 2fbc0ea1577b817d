// The pile of the experiment: how it is laid, and what each method finds when it has come to rest.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment.hpp"
#include "experiments/olsen2018/pyramid/elastic_minimum.hpp"

namespace talus::reproduce {

using BodyPair = std::pair<std::uint32_t, std::uint32_t>;  // ids, the smaller first

// Forces at rest.
struct PileForces {
    std::map<BodyPair, double> contacts;  // N, normal force of each contact
    std::vector<double> floor;            // N, downward force on each sphere of the lowest layer, row by row
    double fastest = 0;                   // m/s, of any sphere
};

// Three laws of contact, as in the paper.
struct PileLaw {
    std::string name, title;
    NormalLaw normal = NormalLaw::hooke;
    bool twoSpecies = false;  // soft spheres at even places of the list, stiff ones at odd places
};

// The scene of the pile with this law, penalty method. Writes the table of the two species.
Scene pileScene(const Trial& trial, const PileLaw& law);

// Runs the scene for this time and measures. Shares of progress run from `begin` to `end`.
PileForces settle(const Trial& trial, const Scene& scene, const std::string& what, double begin, double end);

// The forces of the same contacts as springs of vanishing compliance, by minimising their energy.
PileForces minimumOfPile(const Trial& trial, const PileLaw& law);

// |a - b| / |b|
double relativeError(const std::vector<double>& a, const std::vector<double>& b);
double relativeError(const std::map<BodyPair, double>& a, const std::map<BodyPair, double>& b);

double largestForce(const PileForces& forces);

}  // namespace talus::reproduce
