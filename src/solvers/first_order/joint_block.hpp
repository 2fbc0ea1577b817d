// What joints hold, solved for all at once.
//
// Rows that bear any reaction are linear: with the others held, their reactions are those for which
//
//     S x = -u,     S = J A^-1 J^T + E of these rows,     x the change of the reactions
//
// Sweeps row by row pass a velocity on from body to body, and where a light link stands between heavy bodies each sweep
// takes away only about the ratio of their masses of what is wrong. Where joints hold twice, S is singular: what a
// row before it holds already is left to that row.
#pragma once

#include <vector>

#include "problem/contact_problem.hpp"

namespace talus {

class JointBlock {
public:
    // For these contacts of the problem. More than some hundred rows are too many: then it is empty.
    void build(const ContactProblem& problem, const BodyContacts& bodies, const std::vector<std::uint32_t>& contacts);
    bool empty() const { return size_ == 0; }

    // The changes that bring these velocities, of the contacts in order, to 0.
    void solve(const std::vector<Vec3>& velocities, std::vector<Vec3>& changes) const;

private:
    void invert();
    void eliminate(std::size_t pivot);

    std::size_t size_ = 0;         // rows of S
    std::vector<double> inverse_;  // of S, row by row; 0 for rows that hold nothing which others do not
    std::vector<double> own_;      // 1/kg, the diagonal of S
    std::vector<char> isOpen_;     // per row: not eliminated yet
};

}  // namespace talus
