// Problems without friction whose contacts are redundant, and compatible forces of small ones by other means.
#pragma once

#include <Eigen/Dense>
#include <limits>

#include "problems/problem_collection.hpp"
#include "solvers/compatible/compatible.hpp"

namespace talus {

// A cannonball pyramid of unit spheres on a square base, at rest under gravity for one step of 0.1 s. The base is
// fixed, or stands on a floor and may spread. Masses are 10^x with x within +- massSpread at random.
inline ContactProblem makePyramid(int base, bool isBaseFixed = true, double massSpread = 0) {
    std::vector<Vec3> centre{{}};
    std::vector<int> layerOf{-1};
    for (int layer = 0; layer < base; ++layer) {
        for (int y = 0; y < base - layer; ++y) {
            for (int x = 0; x < base - layer; ++x) {
                centre.push_back({x + 0.5 * layer, y + 0.5 * layer, 0.5 + layer * std::sqrt(0.5)});
                layerOf.push_back(layer);
            }
        }
    }
    BodyContacts contacts;
    contacts.inverseMass.assign(centre.size(), 0.0);
    contacts.inverseInertia.assign(centre.size(), 0.0);
    Random random(5, 1);
    for (std::size_t i = 1; i < centre.size(); ++i) {
        if (isBaseFixed && layerOf[i] == 0) continue;
        contacts.inverseMass[i] = std::pow(10.0, random.uniform(-massSpread, massSpread));
        contacts.inverseInertia[i] = 10 * contacts.inverseMass[i];
    }
    ContactProblem p;
    const auto add = [&](std::uint32_t a, std::uint32_t b, const Vec3& normal) {
        const double freeA = contacts.inverseMass[a] != 0, freeB = contacts.inverseMass[b] != 0;
        if (freeA == 0 && freeB == 0) return;
        contacts.contacts.push_back({normal, 0.5, b == 0 ? 0.0 : 0.5, a, b});
        p.sets.push_back(ReactionSet::frictionless());
        p.offset.push_back(contactFrame(normal).toLocal((freeA - freeB) * Vec3{0, 0, -1}));
    };
    for (const auto& [i, j] : findPairs(centre, 1.0001)) add(i, j, normalized(centre[i] - centre[j]));
    for (std::uint32_t i = 1; i < centre.size(); ++i) {
        if (layerOf[i] == 0) add(i, 0, {0, 0, 1});
    }
    contacts.finish();
    p.contacts = std::move(contacts);
    return p;
}

inline std::vector<RelativeStiffness> randomStiffness(std::size_t n, double decades, std::uint32_t stream = 3) {
    Random random(7, stream);
    std::vector<RelativeStiffness> k(n);
    for (RelativeStiffness& one : k) one.normal = std::pow(10.0, random.uniform(-decades, decades));
    return k;
}

inline std::vector<Vec3> solveBy(SolverKind kind, const ContactProblem& p, double tolerance) {
    return solve(p, {.kind = kind, .law = FrictionLaw::associated, .tolerance = tolerance, .maxIterations = 200'000})
        .reactions;
}

// Columns are contacts, rows the free motions of spheres: what unit normal forces add up to.
inline Eigen::MatrixXd balanceMatrix(const BodyContacts& spheres) {
    const auto n = static_cast<Eigen::Index>(spheres.contactCount());
    Eigen::MatrixXd balance = Eigen::MatrixXd::Zero(3 * static_cast<Eigen::Index>(spheres.bodyCount()), n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const ContactRow& c = spheres.contacts[static_cast<std::size_t>(i)];
        const Vec3 normal = hadamard(spheres.linearFreedom, c.normal);
        for (int axis = 0; axis < 3; ++axis) {
            if (spheres.inverseMass[c.a] != 0) balance(3 * c.a + axis, i) += normal[axis];
            if (spheres.inverseMass[c.b] != 0) balance(3 * c.b + axis, i) -= normal[axis];
        }
    }
    return balance;
}

inline Eigen::VectorXd normalParts(const std::vector<Vec3>& g) {
    Eigen::VectorXd f(static_cast<Eigen::Index>(g.size()));
    for (std::size_t i = 0; i < g.size(); ++i) f[static_cast<Eigen::Index>(i)] = g[i].x;
    return f;
}

// min |A x - b| over x >= 0 (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23).
inline Eigen::VectorXd nonNegativeLeastSquares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
    const Eigen::Index n = a.cols();
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    std::vector<bool> isFree(static_cast<std::size_t>(n), false);
    const auto leastSquares = [&] {
        std::vector<Eigen::Index> columns;
        for (Eigen::Index i = 0; i < n; ++i) {
            if (isFree[static_cast<std::size_t>(i)]) columns.push_back(i);
        }
        const Eigen::MatrixXd part = a(Eigen::all, columns);
        const Eigen::VectorXd solved = part.colPivHouseholderQr().solve(b);
        Eigen::VectorXd s = Eigen::VectorXd::Zero(n);
        for (std::size_t k = 0; k < columns.size(); ++k) s[columns[k]] = solved[static_cast<Eigen::Index>(k)];
        return s;
    };
    for (int round = 0; round < 10 * n; ++round) {
        const Eigen::VectorXd slope = a.transpose() * (b - a * x);
        Eigen::Index best = -1;
        for (Eigen::Index i = 0; i < n; ++i) {
            if (!isFree[static_cast<std::size_t>(i)] && slope[i] > 1e-13 && (best < 0 || slope[i] > slope[best]))
                best = i;
        }
        if (best < 0) break;
        isFree[static_cast<std::size_t>(best)] = true;
        for (Eigen::VectorXd s = leastSquares();; s = leastSquares()) {
            double length = 1;
            for (Eigen::Index i = 0; i < n; ++i) {
                if (isFree[static_cast<std::size_t>(i)] && s[i] <= 0) length = std::min(length, x[i] / (x[i] - s[i]));
            }
            x += length * (s - x);
            if (length == 1) break;
            for (Eigen::Index i = 0; i < n; ++i) {
                if (isFree[static_cast<std::size_t>(i)] && x[i] <= 1e-14)
                    isFree[static_cast<std::size_t>(i)] = false, x[i] = 0;
            }
        }
    }
    return x;
}

// Compatible forces of linear springs: least sum of f^2/k with the balance weighted so much more that it is exact.
inline Eigen::VectorXd denseCompatibleForces(const BodyContacts& spheres, const std::vector<RelativeStiffness>& k,
                                             const Eigen::VectorXd& classic) {
    const Eigen::MatrixXd balance = balanceMatrix(spheres);
    const Eigen::Index rows = balance.rows(), n = balance.cols();
    const double weight = 1e5;
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(rows + n, n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(rows + n);
    a.topRows(rows) = weight * balance;
    b.head(rows) = weight * (balance * classic);
    for (Eigen::Index i = 0; i < n; ++i) a(rows + i, i) = 1 / std::sqrt(k[static_cast<std::size_t>(i)].normal);
    return nonNegativeLeastSquares(a, b);
}

// How much some displacement z0 + N y must at least press contacts that bear nothing: 0 if there is one that opens all.
inline double leastPressing(const Eigen::MatrixXd& loaded, const Eigen::MatrixXd& others, const Eigen::VectorXd& z0) {
    const Eigen::FullPivLU<Eigen::MatrixXd> factors = Eigen::FullPivLU<Eigen::MatrixXd>(loaded).setThreshold(1e-10);
    const Eigen::VectorXd pressed = others * z0;
    if (factors.dimensionOfKernel() == 0) return std::max(0.0, pressed.maxCoeff());
    const Eigen::MatrixXd free = others * factors.kernel();
    Eigen::MatrixXd a(others.rows(), 2 * free.cols() + others.rows());
    a << free, -free, Eigen::MatrixXd::Identity(others.rows(), others.rows());
    return (a * nonNegativeLeastSquares(a, -pressed) + pressed).cwiseAbs().maxCoeff();
}

// How far forces are from the conditions of compatibility, relative to the largest force and compression: momentum as
// given, forces >= 0, and one displacement of the bodies that compresses loaded contacts by (f/k)^(1/(p-1)) and no
// other.
struct CompatibilityErrors {
    double balance = 0, tension = 0, compression = 0, pressing = 0;
    double worst() const { return std::max({balance, tension, compression, pressing}); }
};

inline CompatibilityErrors compatibilityErrors(const BodyContacts& spheres, const std::vector<RelativeStiffness>& k,
                                               double power, const Eigen::VectorXd& classic, const Eigen::VectorXd& f) {
    const Eigen::MatrixXd all = balanceMatrix(spheres);
    std::vector<Eigen::Index> movable, loaded, others;
    for (Eigen::Index row = 0; row < all.rows(); ++row) {
        if (all.row(row).cwiseAbs().maxCoeff() > 0) movable.push_back(row);
    }
    const Eigen::MatrixXd balance = all(movable, Eigen::all);
    for (Eigen::Index i = 0; i < f.size(); ++i) (f[i] > 0 ? loaded : others).push_back(i);
    Eigen::VectorXd wanted(static_cast<Eigen::Index>(loaded.size()));
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        wanted[static_cast<Eigen::Index>(i)] =
            std::pow(f[loaded[i]] / k[static_cast<std::size_t>(loaded[i])].normal, 1 / (power - 1));
    }
    const Eigen::MatrixXd of = balance(Eigen::all, loaded).transpose();
    const Eigen::VectorXd displacement = of.completeOrthogonalDecomposition().solve(wanted);
    const double force = classic.cwiseAbs().maxCoeff(), way = wanted.maxCoeff();
    CompatibilityErrors e;
    e.balance = (balance * (f - classic)).cwiseAbs().maxCoeff() / force;
    e.tension = std::max(0.0, -f.minCoeff()) / force;
    e.compression = (of * displacement - wanted).cwiseAbs().maxCoeff() / way;
    const Eigen::MatrixXd unloaded = balance(Eigen::all, others).transpose();
    if (!others.empty()) e.pressing = leastPressing(of, unloaded, displacement) / way;
    return e;
}

}  // namespace talus
