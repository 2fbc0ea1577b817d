#include "solvers/first_order/joint_block.hpp"

#include <algorithm>

namespace talus {
namespace {

constexpr std::size_t mostRows = 300;
constexpr double independent = 1e-9;  // -, of a row's own inverse mass, what is left of it with those before held

// J_i A^-1 J_j^T of one body, added to the block of a matrix with rows of this length.
void addBlock(const JacobianBlock& first, const MassBlock& inverseMass, const JacobianBlock& second, std::size_t length,
              double* block) {
    for (std::size_t a = 0; a < 3; ++a) {
        std::array<double, 6> moved{};
        for (std::size_t k = 0; k < 36; ++k) moved[k % 6] += first[6 * a + k / 6] * inverseMass[k];
        for (std::size_t b = 0; b < 3; ++b) {
            for (std::size_t k = 0; k < 6; ++k) block[a * length + b] += moved[k] * second[6 * b + k];
        }
    }
}

}  // namespace

void JointBlock::build(const ContactProblem& problem, const BodyContacts& bodies,
                       const std::vector<std::uint32_t>& contacts) {
    size_ = 3 * contacts.size() <= mostRows ? 3 * contacts.size() : 0;
    if (size_ == 0) return;
    inverse_.assign(size_ * size_, 0.0);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        bodies.forEachMovable(contacts[i], [&](std::uint32_t body, std::uint32_t side) {
            const JacobianBlock mine = bodies.blockOf(contacts[i], side);
            const MassBlock inverseMass = bodies.inverseMassOf(body);
            for (std::size_t j = 0; j < contacts.size(); ++j) {
                bodies.forEachMovable(contacts[j], [&](std::uint32_t other, std::uint32_t otherSide) {
                    if (other != body) return;
                    addBlock(mine, inverseMass, bodies.blockOf(contacts[j], otherSide), size_,
                             &inverse_[3 * i * size_ + 3 * j]);
                });
            }
        });
        if (problem.compliance.empty()) continue;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
                const std::size_t row = 3 * i + static_cast<std::size_t>(a),
                                  column = 3 * i + static_cast<std::size_t>(b);
                inverse_[row * size_ + column] += problem.compliance[contacts[i]](a, b);
            }
        }
    }
    invert();
}

// Gauss-Jordan elimination in place. The pivot is the row of which those before have left the largest part: it stays
// positive as long as there is something that they do not hold.
void JointBlock::invert() {
    own_.resize(size_);
    for (std::size_t row = 0; row < size_; ++row) own_[row] = inverse_[row * size_ + row];
    isOpen_.assign(size_, 1);
    const auto left = [&](std::size_t row) {
        return isOpen_[row] != 0 && own_[row] > 0 ? inverse_[row * size_ + row] / own_[row] : 0.0;
    };
    while (true) {
        std::size_t pivot = 0;
        for (std::size_t row = 1; row < size_; ++row) {
            if (left(row) > left(pivot)) pivot = row;
        }
        if (!(left(pivot) > independent)) break;
        eliminate(pivot);
        isOpen_[pivot] = 0;
    }
    for (std::size_t row = 0; row < size_; ++row) {
        for (std::size_t column = 0; column < size_; ++column) {
            if (isOpen_[row] != 0 || isOpen_[column] != 0) inverse_[row * size_ + column] = 0;
        }
    }
}

void JointBlock::eliminate(std::size_t pivot) {
    double* const pivotRow = &inverse_[pivot * size_];
    const double factor = 1 / pivotRow[pivot];
    pivotRow[pivot] = 1;
    for (std::size_t k = 0; k < size_; ++k) pivotRow[k] *= factor;
    for (std::size_t row = 0; row < size_; ++row) {
        double* const entries = &inverse_[row * size_];
        const double share = entries[pivot];
        if (row == pivot || share == 0) continue;
        entries[pivot] = 0;
        for (std::size_t k = 0; k < size_; ++k) entries[k] -= share * pivotRow[k];
    }
}

void JointBlock::solve(const std::vector<Vec3>& velocities, std::vector<Vec3>& changes) const {
    changes.assign(velocities.size(), {});
    for (std::size_t row = 0; row < size_; ++row) {
        const double* entry = &inverse_[row * size_];
        double sum = 0;
        for (const Vec3& u : velocities) {
            sum += entry[0] * u.x + entry[1] * u.y + entry[2] * u.z;
            entry += 3;
        }
        changes[row / 3][static_cast<int>(row % 3)] = -sum;
    }
}

}  // namespace talus
