// How far an answer is from a solution in units to judge by, and where: what the residual (talus/problem.hpp) is in
// N s and m/s.
//
//     r_i = g_i - P_Y(g_i - (u_i + s_i n)/w_i)                  N s, w_i the mean diagonal of W_ii
//
// is by how much a contact's reaction is off as it would see it by itself, and w_i |r_i| the velocity that is. Both are
// 0 at a solution. They tell what is wrong locally: where many contacts are off the same way the true distance may be
// larger, as an error may be spread over a whole packing.
#pragma once

#include <cstdint>
#include <string>

#include "talus/problem.hpp"

namespace talus {

struct AnswerError {
    double impulse = 0, velocity = 0;             // N s, m/s: the largest |r_i| and w_i |r_i|
    std::uint64_t impulseAt = 0, velocityAt = 0;  // the contacts where they are
    double largestReaction = 0;                   // N s, of all contacts, to compare with
    std::uint64_t contacts = 0,
                  contactsOfMost = 0;  // how many there are, and the fewest that have 90 % of sum w_i |r_i|^2
};

AnswerError measureAnswerError(const ContactProblem& problem, FrictionLaw law, const std::vector<Vec3>& reactions);

// "forces are off by up to 3.1e-05 N s (contact 12; the largest is 0.15 N s), velocities by 4e-06 m/s (contact 7); 90 %
// of it in 214 of 9574 contacts"
std::string asText(const AnswerError& error);

}  // namespace talus
