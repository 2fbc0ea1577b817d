// The network of springs behind compatible reactions: no tension, one spring along the normal of each closed contact.
//
// Compressions c_i are those of a displacement of the bodies, c = F z with F = D^T A^-1/2 (contact_system.hpp; signs
// are in z). A spring of power p answers with
//
//     f_i = k_i max(c_i, 0)^(p-1),          c_i = (f_i / k_i)^(1/(p-1)) where it is loaded,
//
// p = 2 for Hooke and 5/2 for Hertz. In balance f moves the bodies as the load g does: F^T f = F^T g.
#pragma once

#include <cmath>
#include <vector>

#include "problem/contact_problem.hpp"

namespace talus {

struct ElasticNetwork {
    ContactProblem problem;           // with masses of its own: the balance of forces knows none
    double power = 2;                 // -, p > 1
    std::vector<double> stiffness;    // k, N s at unit compression; 0: open, bears nothing
    std::vector<double> load;         // g, N s, normal reactions >= 0 whose effect is to be kept; 0 where open
    std::vector<double> inverseMass;  // 1/kg, normal diagonal of W
    std::vector<double> effect;       // m/s, W g along the normals
    double effectSize = 0;            // sqrt(J), its size in the norm of imbalance()

    std::size_t size() const { return load.size(); }
    bool isClosed(std::size_t i) const { return stiffness[i] > 0; }

    double force(std::size_t i, double compression) const {
        return compression > 0 ? stiffness[i] * std::pow(compression, power - 1) : 0.0;
    }
    // df/dc for a compression > 0.
    double tangent(std::size_t i, double compression) const {
        return stiffness[i] * (power - 1) * std::pow(compression, power - 2);
    }
    double compression(std::size_t i, double force) const {
        return force > 0 ? std::pow(force / stiffness[i], 1 / (power - 1)) : 0.0;
    }
};

// W f for impulses along the normals.
class NormalMotion {
public:
    void velocities(const ContactProblem& problem, const std::vector<double>& impulses, std::vector<double>& u);

private:
    OperatorStates states_;
    std::vector<Vec3> reactions_;
};

// The network of a problem's closed contacts, in units in which forces and compressions are about one in the mean.
// Stiffness 0 marks open contacts.
ElasticNetwork makeNetwork(const ContactProblem& problem, double power, std::vector<double> stiffness,
                           std::vector<double> load, NormalMotion& motion);

// How far forces are from moving the bodies as the load does: |W (f - g)| / |W g|, each contact in its own unit of
// mass.
double imbalance(const ElasticNetwork& network, const std::vector<double>& velocityOfDifference);

// What a method found.
struct NetworkForces {
    std::vector<double> force;  // N s
    double imbalance = 0;       // -
    std::uint64_t iterations = 0;
    bool isExact = false;  // as near to balance as the method is meant to come
};

}  // namespace talus
