// Rolling and spinning resistance in contact dynamics, as further entries of the contact problem.
//
// A contact of effective radius R that bore the normal impulse N in the last step resists relative turning w of its
// bodies by a couple of R g, with
//
//     |g| <= mur N,    u = R w,    minus u normal to that ball at g,
//
// so turning stops where less does, and the couple opposes it with mur R N otherwise. The limit follows the normal
// force with a delay of one step. Entries come after the contacts; their three directions are axes of the world.
#pragma once

#include "step/assembly/build_problem.hpp"

namespace talus {

bool hasRolling(const WorldState& world);

// What a contact resists with; by addContact().
RollingResistance rollingResistance(const WorldState& world, const ContactPlace& contact, const PairLaw& law,
                                    double radius, const Vec3& impulse);

// Adds the entries to a problem whose contacts are complete.
void addRollingEntries(const WorldState& world, ProblemWorkspace& workspace);

// J, of the entry, when the answer is found and findChanges() done.
double rollingLoss(const TimeScheme& time, const ProblemWorkspace& workspace, std::size_t entry);

// N s m, of the entry on the owner of its contact.
Vec3 rollingCouple(const WorldState& world, const ProblemWorkspace& workspace, std::size_t entry);

}  // namespace talus
