// Where the energy of a run is, and whether it adds up.
//
//   kinetic      sum 1/2 m v^2 + 1/2 w.I w, with I in the body's principal frame
//   potential    sum -m g.x
//   elastic      stored in the springs of the contacts: normal (with cohesion), tangential, rolling
//   springs      stored in the springs of joints
//   closure      (mechanical + dissipated - wall work - inserted) now - the same at the start: 0 but for the error of
//                the time steps
//
// Fixed and prescribed bodies and servos carry no energy of their own; what they give to the grains is wall work.
// Dissipated energy, wall work and inserted energy come from WorldState::ledger, which the step fills.
//
// Along a periodic axis a height means nothing: a grain that falls through the border comes in again at the top, and
// gravity has done work that no position remembers. If gravity has a part along a periodic axis, that part is left
// out of the potential, `closes` is false, and there is no closure.
#pragma once

#include <vector>

#include "measure/contact_sample.hpp"
#include "model/world.hpp"

namespace talus {

struct EnergyBalance {
    double translation = 0, rotation = 0;  // J
    double potential = 0;                  // J
    StoredEnergy elastic;                  // J
    double springs = 0;                    // J, in the springs of joints
    DissipatedEnergy dissipated;           // J, by contacts, since the start of the run, as is what follows
    double jointLoss = 0;                  // J, dissipated by joints
    double wallWork = 0;                   // J, done on the grains
    double inserted = 0;                   // J, net
    double power = 0;                      // W, of gravity and applied forces on bodies that move freely
    bool closes = true;                    // false if gravity acts along a periodic axis
    double negligible = 0;                 // J, what gravity and loads do on a thousandth of each body's radius

    static constexpr auto fields() {
        using E = EnergyBalance;
        return std::tuple{Field{"translation", &E::translation}, Field{"rotation", &E::rotation},
                          Field{"potential", &E::potential},     Field{"elastic", &E::elastic},
                          Field{"springs", &E::springs},         Field{"dissipated", &E::dissipated},
                          Field{"jointLoss", &E::jointLoss},     Field{"wallWork", &E::wallWork},
                          Field{"inserted", &E::inserted},       Field{"power", &E::power},
                          Field{"closes", &E::closes},           Field{"negligible", &E::negligible}};
    }

    double kinetic() const { return translation + rotation; }
    double stored() const { return elastic.total() + springs; }
    double mechanical() const { return kinetic() + potential + stored(); }
    double lost() const { return dissipated.total() + jointLoss; }
};

EnergyBalance measureEnergy(const WorldState& world, const std::vector<ContactSample>& samples);

// J; not a number if the balance cannot close.
//
// The theta method moves bodies with theta v + (1 - theta) v0, so that the work of an outer force F in a step differs
// from the kinetic energy it gives by (theta - 1/2) dt F.(v - v0). Over the steps these add up to a function of the
// state, which is no error that grows: with `lead` = (theta - 1/2) dt (s) it is left out. A ball in free flight then
// closes to round-off.
double closure(const EnergyBalance& initial, const EnergyBalance& now, double lead = 0);

// J, an upper measure of how much energy has changed its form between the two: what closure() is to be compared with.
// Where all is at rest that would be round-off and what solvers leave of forces within their tolerance: so the energy
// that is negligible counts too.
double turnover(const EnergyBalance& initial, const EnergyBalance& now);

// J, of one free body: what an insertion brings in and a removal takes out, contacts aside.
double kineticEnergy(const Bodies& bodies, std::size_t index);
double potentialEnergy(const WorldState& world, std::size_t index);

}  // namespace talus
