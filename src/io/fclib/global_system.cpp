#include "io/fclib/global_system.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "io/fclib/recognise_spheres.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using EigenMatrix = Eigen::SparseMatrix<double>;
using EigenVector = Eigen::VectorXd;
using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

constexpr double roundOff = 1e-12;  // an M that differs no more than this from its transpose is symmetric

EigenMatrix toEigen(const SparseMatrix& a) {
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(a.entries.size());
    for (const SparseEntry& e : a.entries) triplets.emplace_back(e.row, e.column, e.value);
    EigenMatrix result(static_cast<Eigen::Index>(a.rows), static_cast<Eigen::Index>(a.columns));
    result.setFromTriplets(triplets.begin(), triplets.end());
    return result;
}

// [H G]
EigenMatrix sideBySide(const SparseMatrix& h, const SparseMatrix& g) {
    SparseMatrix both{h.rows, h.columns + g.columns, h.entries};
    for (const SparseEntry& e : g.entries) {
        both.add(static_cast<std::size_t>(e.row), h.columns + static_cast<std::size_t>(e.column), e.value);
    }
    return toEigen(both);
}

EigenVector toEigen(const std::vector<double>& values) {
    return Eigen::Map<const EigenVector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> toVector(const EigenVector& values) { return {values.data(), values.data() + values.size()}; }

bool isSymmetric(const EigenMatrix& m) {
    const EigenMatrix difference = m - EigenMatrix(m.transpose());
    return difference.norm() <= roundOff * m.norm();
}

// The inverse of each block of M on its diagonal; none if something stands outside of the blocks.
std::optional<std::vector<MassBlock>> invertBlocks(const SparseMatrix& mass, std::size_t size) {
    const std::size_t bodies = mass.rows / size;
    std::vector<Matrix6> blocks(bodies, Matrix6::Zero());
    for (Matrix6& block : blocks) block.diagonal().tail(static_cast<Eigen::Index>(6 - size)).setOnes();
    for (const SparseEntry& e : mass.entries) {
        const auto row = static_cast<std::size_t>(e.row), column = static_cast<std::size_t>(e.column);
        if (row / size != column / size) {
            if (e.value != 0) return std::nullopt;
            continue;
        }
        blocks[row / size](static_cast<Eigen::Index>(row % size), static_cast<Eigen::Index>(column % size)) += e.value;
    }
    std::vector<MassBlock> inverses(bodies);
    for (std::size_t i = 0; i < bodies; ++i) {
        Matrix6 inverse = blocks[i].partialPivLu().inverse();
        if (blocks[i] == blocks[i].transpose()) inverse = 0.5 * (inverse + inverse.transpose()).eval();
        for (std::size_t k = 0; k < 36; ++k) {
            const auto row = static_cast<Eigen::Index>(k / 6), column = static_cast<Eigen::Index>(k % 6);
            if (!std::isfinite(inverse(row, column))) return std::nullopt;
            // A body of three has nothing in the other three.
            const bool real = k / 6 < size && k % 6 < size;
            inverses[i][k] = real ? inverse(row, column) : 0.0;
        }
    }
    return inverses;
}

// Adds an entry of H to the side of the contact that this body has; false if it is a third body.
bool addToSide(BlockRow& c, std::uint32_t body, std::size_t place, double value) {
    if (c.a == BodyContacts::noBody || c.a == body) {
        c.a = body;
        c.blockA[place] += value;
        return true;
    }
    if (c.b != BodyContacts::noBody && c.b != body) return false;
    c.b = body;
    c.blockB[place] += value;
    return true;
}

std::optional<BodyContacts> asBodiesOf(const GlobalMatrices& m, const FclibLayout& layout, std::size_t size) {
    if (m.mass.rows % size != 0) return std::nullopt;
    auto inverses = invertBlocks(m.mass, size);
    if (!inverses) return std::nullopt;
    BodyContacts result;
    for (const MassBlock& inverse : *inverses) result.addBody(inverse);
    std::vector<BlockRow> rows(layout.contacts);
    for (const SparseEntry& e : m.contacts.entries) {
        if (e.value == 0) continue;
        const FclibLayout::Place at = layout.place(static_cast<std::size_t>(e.column));
        const auto row = static_cast<std::size_t>(e.row);
        const std::size_t place = 6 * static_cast<std::size_t>(at.component) + row % size;
        if (!addToSide(rows[at.block], static_cast<std::uint32_t>(row / size), place, e.value)) {
            return std::nullopt;
        }
    }
    for (const BlockRow& row : rows) result.add(row);
    result.finish();
    return result;
}

}  // namespace

struct GlobalSystem::Factor {
    EigenMatrix both;  // [H G]
    Eigen::SimplicialLDLT<EigenMatrix> symmetric;
    Eigen::SparseLU<EigenMatrix> general;
    bool isSymmetric = true;

    template <class Right>
    Right solve(const Right& right) const {
        return isSymmetric ? Right(symmetric.solve(right)) : Right(general.solve(right));
    }
};

GlobalSystem::GlobalSystem(GlobalMatrices matrices)
    : matrices_(std::move(matrices)), factor_(std::make_unique<Factor>()) {
    factor_->both = sideBySide(matrices_.contacts, matrices_.bilateral);
    EigenMatrix mass = toEigen(matrices_.mass);
    factor_->isSymmetric = isSymmetric(mass);
    if (factor_->isSymmetric) {
        factor_->symmetric.compute(mass);
        if (factor_->symmetric.info() != Eigen::Success || !(factor_->symmetric.vectorD().array() > 0).all()) {
            throw InputError("M is not positive definite");
        }
    } else {
        mass.makeCompressed();
        factor_->general.compute(mass);
        if (factor_->general.info() != Eigen::Success) throw InputError("M has no inverse");
    }
}

GlobalSystem::~GlobalSystem() = default;

std::vector<double> GlobalSystem::offset() const {
    const EigenVector free = factor_->solve(toEigen(matrices_.force));
    std::vector<double> result = toVector(factor_->both.transpose() * free);
    const std::size_t contactRows = matrices_.contactOffset.size();
    for (std::size_t k = 0; k < result.size(); ++k) {
        result[k] += k < contactRows ? matrices_.contactOffset[k] : matrices_.bilateralOffset[k - contactRows];
    }
    return result;
}

SparseMatrix GlobalSystem::delassus() const {
    const EigenMatrix moved = factor_->solve(factor_->both);
    const EigenMatrix w = EigenMatrix(factor_->both.transpose()) * moved;
    SparseMatrix result{static_cast<std::size_t>(w.rows()), static_cast<std::size_t>(w.cols()), {}};
    result.entries.reserve(static_cast<std::size_t>(w.nonZeros()));
    for (Eigen::Index column = 0; column < w.outerSize(); ++column) {
        for (EigenMatrix::InnerIterator it(w, column); it; ++it) {
            result.add(static_cast<std::size_t>(it.row()), static_cast<std::size_t>(column), it.value());
        }
    }
    return result;
}

std::vector<double> GlobalSystem::velocity(const std::vector<double>& reactions) const {
    const EigenVector impulse = factor_->both * toEigen(reactions) + toEigen(matrices_.force);
    return toVector(factor_->solve(impulse));
}

std::optional<BodyContacts> GlobalSystem::asBodies(const FclibLayout& layout) const {
    if (layout.bilateralRows > 0) return std::nullopt;
    // Three in the plane; two bodies of three may also pass for one of six, which is just as exact.
    const std::size_t sizes[] = {layout.dimension == 2 ? 3u : 6u, layout.dimension == 2 ? 6u : 3u};
    for (const std::size_t size : sizes) {
        auto bodies = asBodiesOf(matrices_, layout, size);
        if (!bodies) continue;
        auto spheres = recogniseSpheres(*bodies);
        return spheres ? spheres : bodies;
    }
    return std::nullopt;
}

}  // namespace talus
