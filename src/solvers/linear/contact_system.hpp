// The linear system behind the second-order solvers: given a stiffness S per contact (3 x 3, >= 0), find x with
//
//     x = S (r - W x),     W = D^T A^-1 D                    that is (W + S^-1) x = r where S is regular.
//
// Solved over the bodies, with F = D^T A^-1/2 (one block per contact and body) as
//
//     (1 + F^T S F) y = F^T S r,      x = S (r - F y),
//
// one dense block per body and pair of touching bodies, positive definite however many contacts there are too many.
// Masses are inside F, so that light and heavy bodies, and those that cannot move in some directions, need no special
// treatment. A problem that gives W itself has no bodies; then W + S^-1 is taken apart, one block per contact.
#pragma once

#include <memory>

#include "problem/contact_problem.hpp"
#include "solvers/linear/block_factor.hpp"
#include "talus/factor_report.hpp"

namespace talus {

// S of a contact as a product, S v = left (right v): near a solution S is large in some directions and small in others,
// which one matrix of nine numbers would not keep apart.
struct ContactStiffness {
    Mat3 left, right = identity3();
    Vec3 operator*(const Vec3& v) const { return left * (right * v); }
};

class ContactSystem {
public:
    ContactSystem();
    ~ContactSystem();
    ContactSystem(ContactSystem&&) noexcept;
    ContactSystem& operator=(ContactSystem&&) noexcept;

    // The graph of a problem. The ordering is kept as long as the graph is the same. Throws InputError if the factors
    // would not fit into half of the machine's memory.
    void load(const ContactProblem& problem);

    // S and its inverse, which has large entries where S is singular. General: S need not be symmetric, and W is taken
    // as it is. False if the matrix is singular.
    bool factorise(const std::vector<ContactStiffness>& stiffness, const std::vector<Mat3>& compliance,
                   Symmetry symmetry);

    void solve(const std::vector<Vec3>& right, std::vector<Vec3>& x);

    // (W + R) x = right, with the factors as a first guess and refined from there: R may be somewhat less than S^-1.
    void solveRefined(const std::vector<Vec3>& right, const std::vector<Mat3>& compliance, std::vector<Vec3>& x);

    // The velocities u that impulses g make where the contacts answer with x = S u: u = W (g - x), from the factors.
    void resistedVelocities(const std::vector<Vec3>& impulses, std::vector<Vec3>& u);

    FactorReport factors() const;
    // What factors cost is counted from here on.
    void startCount() { count_ = 0, seconds_ = 0; }

    class Form;  // over bodies or over contacts

private:
    std::unique_ptr<Form> form_;
    std::vector<Vec3> rest_, change_;
    std::uint64_t count_ = 0;
    double seconds_ = 0;
};

}  // namespace talus
