#include "experiments/unger2002/ringing.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>

namespace talus::reproduce {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct Points {
    Vector time, value;  // time from the first point on
};

// Columns: 1, exp(-t/tau) sin(omega t), exp(-t/tau) cos(omega t).
Matrix basis(const Points& p, double omega, double damping) {
    const Vector decay = (-damping * p.time).array().exp();
    Matrix columns(p.time.size(), 3);
    columns.col(0).setOnes();
    columns.col(1) = decay.array() * (omega * p.time).array().sin();
    columns.col(2) = decay.array() * (omega * p.time).array().cos();
    return columns;
}

Vector linearPart(const Points& p, double omega, double damping) {
    const Matrix columns = basis(p, omega, damping);
    return (columns.transpose() * columns).ldlt().solve(columns.transpose() * p.value);
}

double misfit(const Points& p, double omega, double damping) {
    return (p.value - basis(p, omega, damping) * linearPart(p, omega, damping)).squaredNorm();
}

// The best of a grid of frequencies, from half a period in all to eight points per period, and of damping rates.
Eigen::Vector2d roughly(const Points& p) {
    const double span = p.time[p.time.size() - 1], step = span / static_cast<double>(p.time.size() - 1);
    const double low = std::numbers::pi / span, high = 2 * std::numbers::pi / (8 * step);
    double best = std::numeric_limits<double>::infinity();
    Eigen::Vector2d found{low, 0};
    for (double omega = low; omega < high; omega *= 1.03) {
        for (double damping = 0.02 * omega; damping < 2 * omega; damping *= 1.5) {
            const double here = misfit(p, omega, damping);
            if (here < best) best = here, found = {omega, damping};
        }
    }
    return found;
}

// Gauss-Newton for all five numbers at once, with steps halved until they help.
Eigen::Vector2d refine(const Points& p, Eigen::Vector2d guess) {
    for (int iteration = 0; iteration < 100; ++iteration) {
        const double omega = guess[0], damping = guess[1];
        const Matrix columns = basis(p, omega, damping);
        const Vector linear = linearPart(p, omega, damping);
        Matrix slopes(p.time.size(), 5);
        slopes.leftCols(3) = columns;
        slopes.col(3) = p.time.array() * (linear[1] * columns.col(2) - linear[2] * columns.col(1)).array();
        slopes.col(4) = -p.time.array() * (linear[1] * columns.col(1) + linear[2] * columns.col(2)).array();
        const Vector residual = p.value - columns * linear;
        const Vector change = slopes.colPivHouseholderQr().solve(residual);
        Eigen::Vector2d step = change.tail(2);
        const double before = misfit(p, omega, damping);
        while (step.norm() > 1e-12 * guess.norm() && !(misfit(p, omega + step[0], damping + step[1]) <= before))
            step /= 2;
        guess += step;
        if (step.norm() < 1e-10 * guess.norm()) break;
    }
    return guess;
}

}  // namespace

double Ringing::at(double time) const {
    return offset + std::exp(-time / tau) * (sine * std::sin(omega * time) + cosine * std::cos(omega * time));
}

Ringing fitRinging(const std::vector<double>& time, const std::vector<double>& value) {
    const auto count = static_cast<Eigen::Index>(time.size());
    const double start = time.front();
    Points p{Eigen::Map<const Vector>(time.data(), count).array() - start,
             Eigen::Map<const Vector>(value.data(), count)};
    const Eigen::Vector2d best = refine(p, roughly(p));
    const Vector linear = linearPart(p, best[0], best[1]);

    // Back to the user's origin of time.
    Ringing r{.omega = best[0], .tau = 1 / best[1], .offset = linear[0]};
    const double growth = std::exp(start / r.tau), sine = std::sin(r.omega * start), cosine = std::cos(r.omega * start);
    r.sine = growth * (linear[1] * cosine + linear[2] * sine);
    r.cosine = growth * (linear[2] * cosine - linear[1] * sine);
    r.error = std::sqrt(misfit(p, best[0], best[1]) / (p.value.array() - r.offset).matrix().squaredNorm());
    return r;
}

double fittedExponent(const std::vector<double>& x, const std::vector<double>& y) {
    const auto count = static_cast<Eigen::Index>(x.size());
    Matrix columns(count, 2);
    columns.col(0).setOnes();
    columns.col(1) = Eigen::Map<const Vector>(x.data(), count).array().log();
    const Vector right = Eigen::Map<const Vector>(y.data(), count).array().log();
    return columns.colPivHouseholderQr().solve(right)[1];
}

}  // namespace talus::reproduce
