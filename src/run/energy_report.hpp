// Whether contacts or joints gave more energy than they took, in words for the end of a run. The balance closes all the
// same: what they create stands there as negative heat.
#pragma once

#include <string>

#include "measure/energy.hpp"
#include "talus/contact_dynamics.hpp"
#include "talus/simulation.hpp"

namespace talus {

// Empty unless some heat is negative by more than a hundredth of the turnover (J, the largest so far). Contacts that
// slide by the associated law open against their load: there only the sum of their heats tells.
std::string describeCreatedEnergy(const EnergyBalance& now, double turnover, FrictionLaw law);

// The same numbers for programs.
EnergyState asEnergyState(const EnergyBalance& balance);

}  // namespace talus
