#include "experiments/olsen2018/pyramid/elastic_minimum.hpp"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "talus/error.hpp"

namespace talus::reproduce {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

// The network in units of its largest load and largest stiffness.
struct Equilibrium {
    Matrix shortening;  // c = shortening * u, free bodies only
    Vector stiffness, load;
    double power = 2;

    Vector forces(const Vector& u) const { return stiffness.array() * (shortening * u).array().max(0).pow(power - 1); }
    double energy(const Vector& u) const {
        const Vector c = (shortening * u).array().max(0);
        return (stiffness.array() * c.array().pow(power)).sum() / power - load.dot(u);
    }
    Vector unbalanced(const Vector& u) const { return load - shortening.transpose() * forces(u); }
    // Derivative of each force; open springs keep a little, so that the matrix can always be factorised.
    Vector slopes(const Vector& u) const {
        const Vector c = (shortening * u).array().max(0);
        const Vector slope =
            (power - 1) * stiffness.array() * c.array().pow(power - 2) * (c.array() > 0).cast<double>();
        return slope.array().max(1e-10 * slope.maxCoeff());
    }
    Matrix stiffnessMatrix(const Vector& slope) const {
        return shortening.transpose() * slope.asDiagonal() * shortening;
    }
};

std::vector<int> numberFreeBodies(const SpringNetwork& network) {
    std::vector<int> number(network.fixed.size(), -1);
    int count = 0;
    for (std::size_t k = 0; k < number.size(); ++k) {
        if (!network.fixed[k]) number[k] = count++;
    }
    return number;
}

Equilibrium equilibriumOf(const SpringNetwork& network, double unitLoad) {
    const std::vector<int> number = numberFreeBodies(network);
    const int unknowns = 3 * (*std::max_element(number.begin(), number.end()) + 1);
    std::vector<Eigen::Triplet<double>> entries;
    Equilibrium e;
    e.power = network.power;
    e.stiffness.resize(static_cast<Eigen::Index>(network.springs.size()));
    e.load = Vector::Zero(unknowns);
    const auto addBody = [&](int row, std::size_t body, const Vec3& direction) {
        if (number[body] < 0) return;
        for (int axis = 0; axis < 3; ++axis) entries.emplace_back(row, 3 * number[body] + axis, direction[axis]);
    };
    for (std::size_t k = 0; k < network.springs.size(); ++k) {
        const Spring& s = network.springs[k];
        addBody(static_cast<int>(k), s.a, -s.normal);
        addBody(static_cast<int>(k), s.b, s.normal);
        e.stiffness[static_cast<Eigen::Index>(k)] = s.stiffness;
    }
    for (std::size_t body = 0; body < number.size(); ++body) {
        if (number[body] < 0) continue;
        for (int axis = 0; axis < 3; ++axis) e.load[3 * number[body] + axis] = network.load[body][axis] / unitLoad;
    }
    e.stiffness /= e.stiffness.maxCoeff();
    e.shortening.resize(static_cast<int>(network.springs.size()), unknowns);
    e.shortening.setFromTriplets(entries.begin(), entries.end());
    return e;
}

double largestLoad(const SpringNetwork& network) {
    double largest = 0;
    for (std::size_t k = 0; k < network.load.size(); ++k) {
        if (!network.fixed[k]) largest = std::max(largest, norm(network.load[k]));
    }
    return largest;
}

class Factor {
public:
    Vector solve(const Matrix& matrix, const Vector& right) {
        if (!analysed_) cholesky_.analyzePattern(matrix);
        analysed_ = true;
        cholesky_.factorize(matrix);
        if (cholesky_.info() != Eigen::Success) {
            throw RunError("the network of springs has a body that nothing holds: its stiffness cannot be factorised");
        }
        return cholesky_.solve(right);
    }

private:
    Eigen::SimplicialLDLT<Matrix> cholesky_;
    bool analysed_ = false;
};

// The longest of the steps 1, 1/2, 1/4, ... along `way` that lowers the energy enough.
double stepLength(const Equilibrium& e, const Vector& u, const Vector& way, const Vector& unbalanced) {
    const double before = e.energy(u), slope = -unbalanced.dot(way);
    // Near the minimum energies differ by round-off only; there the full step is right.
    const double noise = 1e-13 * std::abs(before);
    double length = 1;
    while (length > 1e-6 && e.energy(u + length * way) > before + 1e-4 * length * slope + noise) length /= 2;
    return length;
}

}  // namespace

NetworkForces minimiseElasticEnergy(const SpringNetwork& network) {
    constexpr int mostIterations = 200;
    constexpr double balanced = 1e-13;
    const double unitLoad = largestLoad(network);
    const Equilibrium e = equilibriumOf(network, unitLoad);
    Factor factor;

    // Springs that could pull give a first guess; then Newton's steps until every body is in balance.
    Vector u = factor.solve(e.stiffnessMatrix(e.stiffness), e.load);
    NetworkForces answer;
    double best = std::numeric_limits<double>::infinity();
    for (; answer.iterations < mostIterations; ++answer.iterations) {
        const Vector unbalanced = e.unbalanced(u);
        const double worst = unbalanced.lpNorm<Eigen::Infinity>();
        if (worst < best) {
            best = answer.unbalanced = worst;
            const Vector forces = unitLoad * e.forces(u);
            answer.force.assign(forces.begin(), forces.end());
        }
        if (worst < balanced) break;
        const Vector way = factor.solve(e.stiffnessMatrix(e.slopes(u)), unbalanced);
        u += stepLength(e, u, way, unbalanced) * way;
    }
    return answer;
}

}  // namespace talus::reproduce
