// What the energies of a run say about it at its end, in words.
//
// Contacts or joints may give more energy than they take: the balance closes all the same, what they create stands
// there as negative heat. Or the balance does not close (measure/energy.hpp): then no mechanism accounts for what is
// missing.
#pragma once

#include <string>

#include "measure/energy.hpp"
#include "talus/contact_dynamics.hpp"
#include "talus/simulation.hpp"

namespace talus {

// Empty unless some heat is negative by more than a hundredth of the turnover (J, the largest so far). Contacts that
// slide by the associated law open against their load: there only the sum of their heats tells.
std::string describeCreatedEnergy(const EnergyBalance& now, double turnover, FrictionLaw law);

// Its numbers, for programs.
EnergyState asEnergyState(const EnergyBalance& balance);

// The two answers to a balance that does not close: the largest error so far as a share of the turnover, against what
// the scene allows (run.max_energy_error). Each is empty unless it is the one to be told: a warning from a hundredth
// on, a failure beyond the limit.
std::string describeOpenLedger(double error, double allowed);
std::string describeBrokenLedger(double error, double allowed);

}  // namespace talus
