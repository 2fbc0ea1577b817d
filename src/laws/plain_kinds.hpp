// Loops over contacts for laws that the compiler knows.
#pragma once

#include "laws/contact_law.hpp"

namespace talus {

// Calls visit(kinds) with kinds that the compiler knows if the law is one of the four plain ones, Hooke or Hertz with
// or without friction; else with the law as it is.
template <Dashpots Limits = Dashpots::limited, class Visit>
inline void withPlainKinds(const LawKinds& kinds, Visit&& visit) {
    const bool plain = kinds.rolling == RollingLaw::none && kinds.cohesion == CohesionLaw::none;
    const bool hertz = kinds.normal == NormalLaw::hertz, frictional = kinds.tangential == TangentialLaw::mindlin;
    if (plain && hertz && frictional) {
        visit(FixedKinds<NormalLaw::hertz, TangentialLaw::mindlin, Limits>{});
    } else if (plain && hertz) {
        visit(FixedKinds<NormalLaw::hertz, TangentialLaw::none, Limits>{});
    } else if (plain && frictional) {
        visit(FixedKinds<NormalLaw::hooke, TangentialLaw::mindlin, Limits>{});
    } else if (plain) {
        visit(FixedKinds<NormalLaw::hooke, TangentialLaw::none, Limits>{});
    } else {
        visit(kinds);
    }
}

}  // namespace talus
