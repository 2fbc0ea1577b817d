#include "solvers/first_order/joint_block.hpp"

#include <Eigen/Dense>

namespace talus {
namespace {

using Jacobian = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;
using Mass = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

constexpr std::size_t mostRows = 300;
constexpr double independent = 1e-9;  // -, of the scaled matrix, what a row holds beside those before it

Jacobian blockOf(const BodyContacts& bodies, std::size_t contact, std::uint32_t side) {
    const JacobianBlock block = bodies.blockOf(contact, side);
    return Eigen::Map<const Jacobian>(block.data());
}

Eigen::MatrixXd matrixOf(const ContactProblem& problem, const BodyContacts& bodies,
                         const std::vector<std::uint32_t>& contacts) {
    const auto rows = static_cast<Eigen::Index>(3 * contacts.size());
    Eigen::MatrixXd s = Eigen::MatrixXd::Zero(rows, rows);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(3 * i);
        bodies.forEachMovable(contacts[i], [&](std::uint32_t body, std::uint32_t side) {
            const MassBlock inverse = bodies.inverseMassOf(body);
            const Jacobian moved = blockOf(bodies, contacts[i], side) * Eigen::Map<const Mass>(inverse.data());
            for (std::size_t j = 0; j < contacts.size(); ++j) {
                bodies.forEachMovable(contacts[j], [&](std::uint32_t other, std::uint32_t otherSide) {
                    if (other != body) return;
                    s.block<3, 3>(row, static_cast<Eigen::Index>(3 * j)) +=
                        moved * blockOf(bodies, contacts[j], otherSide).transpose();
                });
            }
        });
        if (problem.compliance.empty()) continue;
        const Mat3& compliance = problem.compliance[contacts[i]];
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) s(row + a, row + b) += compliance(a, b);
        }
    }
    return s;
}

}  // namespace

void JointBlock::build(const ContactProblem& problem, const BodyContacts& bodies,
                       const std::vector<std::uint32_t>& contacts) {
    inverse_.clear();
    if (contacts.empty() || 3 * contacts.size() > mostRows) return;
    Eigen::MatrixXd s = matrixOf(problem, bodies, contacts);

    // Rows of metres and of radians in the same unit; those that hold nothing stay out.
    const auto unitOf = [](double diagonal) { return diagonal > 0 ? 1 / std::sqrt(diagonal) : 0.0; };
    const Eigen::VectorXd unit = s.diagonal().unaryExpr(unitOf);
    s = unit.asDiagonal() * s * unit.asDiagonal();

    const Eigen::LDLT<Eigen::MatrixXd> factor(s);
    const auto part = [](double pivot) { return pivot > independent ? 1 / pivot : 0.0; };
    const Eigen::VectorXd pivots = factor.vectorD().unaryExpr(part);
    Eigen::MatrixXd inverse = factor.transpositionsP() * Eigen::MatrixXd::Identity(s.rows(), s.cols());
    factor.matrixL().solveInPlace(inverse);
    inverse = pivots.asDiagonal() * inverse;
    factor.matrixU().solveInPlace(inverse);
    inverse = factor.transpositionsP().transpose() * inverse;
    inverse = unit.asDiagonal() * inverse * unit.asDiagonal();

    const auto size = static_cast<std::size_t>(s.rows());
    inverse_.resize(size * size);
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(inverse_.data(), s.rows(),
                                                                                       s.cols()) = inverse;
}

void JointBlock::solve(const std::vector<Vec3>& velocities, std::vector<Vec3>& changes) const {
    const std::size_t count = velocities.size();
    changes.assign(count, {});
    for (std::size_t row = 0; row < 3 * count; ++row) {
        const double* entry = inverse_.data() + row * 3 * count;
        double sum = 0;
        for (std::size_t k = 0; k < count; ++k, entry += 3) {
            sum += entry[0] * velocities[k].x + entry[1] * velocities[k].y + entry[2] * velocities[k].z;
        }
        changes[row / 3][static_cast<int>(row % 3)] = -sum;
    }
}

}  // namespace talus
