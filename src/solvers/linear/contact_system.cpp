#include "solvers/linear/contact_system.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/parallel.hpp"
#include "talus/error.hpp"
#include "talus/solver.hpp"

namespace talus {

class ContactSystem::Form {
public:
    virtual ~Form() = default;
    virtual bool factorise(const std::vector<ContactStiffness>& stiffness, const std::vector<Mat3>& compliance,
                           Symmetry symmetry) = 0;
    virtual void solve(const std::vector<Vec3>& right, std::vector<Vec3>& x) = 0;   // as factorised
    virtual void velocities(const std::vector<Vec3>& x, std::vector<Vec3>& u) = 0;  // W x
    virtual void resistedVelocities(const std::vector<Vec3>& impulses, std::vector<Vec3>& u) = 0;
    virtual FactorReport factors() const = 0;
};

namespace {

constexpr std::uint32_t noNode = 0xFFFFFFFF;
constexpr int refinements = 2;

template <int B>
void checkMemory(const BlockFactor<B>& factor) {
    const auto bytes = static_cast<double>(factor.mostBytes());
    const double most = 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (bytes <= most) return;
    throw InputError(
        fmt::format("solver: the factors would take {:.1f} GB, more than half of the memory; use apgd", 1e-9 * bytes));
}

template <int B>
using Rows = std::array<double, 3 * B>;  // 3 x B, row by row: F of one contact and body

// What a contact sees of its two bodies.
template <int B>
struct Link {
    std::array<std::uint32_t, 2> node{noNode, noNode};
    std::array<Rows<B>, 2> rows{};
};

// u += F y
template <int B>
void addVelocity(const Rows<B>& f, const std::array<double, B>& y, Vec3& u) {
    for (int k = 0; k < B; ++k) u += y[k] * Vec3{f[k], f[B + k], f[2 * B + k]};
}

// y += F^T g
template <int B>
void addTransposed(const Rows<B>& f, const Vec3& g, std::array<double, B>& y) {
    for (int k = 0; k < B; ++k) y[k] += f[k] * g.x + f[B + k] * g.y + f[2 * B + k] * g.z;
}

// M F
template <int B>
Rows<B> product(const Mat3& m, const Rows<B>& f) {
    Rows<B> mf{};
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) {
            for (int column = 0; column < B; ++column) mf[B * row + column] += m(row, k) * f[B * k + column];
        }
    }
    return mf;
}

// c += F^T S G
template <int B>
void addProduct(const Rows<B>& f, const ContactStiffness& s, const Rows<B>& g, std::array<double, B * B>& c) {
    const Rows<B> left = product<B>(transpose(s.left), f), right = product<B>(s.right, g);
    for (int row = 0; row < B; ++row) {
        for (int k = 0; k < 3; ++k) {
            for (int column = 0; column < B; ++column) c[B * row + column] += left[B * k + row] * right[B * k + column];
        }
    }
}

template <int B>
FactorReport sizeOf(const BlockFactor<B>& factor) {
    const BlockPattern& pattern = factor.pattern();
    return {.nodes = pattern.nodeCount(),
            .matrixBlocks = pattern.slotCount(),
            .blocks = pattern.blockCount(),
            .bytes = factor.bytes()};
}

// --- over the bodies ------------------------------------------------------------------------------------------------

enum class Rotation { counts, leftOut };

// The directions in which some body can move, among three translations and three rotations: three in planar scenes, or
// where rotations of spheres do not count.
std::vector<int> freeDirections(const BodyContacts& op, Rotation rotation) {
    const bool anySphere = op.masses.size() < op.bodyCount();
    std::vector<int> directions;
    for (int d = 0; d < 6; ++d) {
        if (d >= 3 && rotation == Rotation::leftOut) continue;
        const bool ofSpheres = anySphere && (d < 3 ? op.linearFreedom[d] : op.angularFreedom[d - 3]) != 0;
        const bool ofOthers = std::any_of(op.masses.begin(), op.masses.end(),
                                          [&](const MassBlock& m) { return m[static_cast<std::size_t>(7 * d)] != 0; });
        if (ofSpheres || ofOthers) directions.push_back(d);
    }
    return directions;
}

// A^-1/2 of one body over these directions: of a sphere the roots of its numbers, of others from the eigenvectors of
// A^-1. What cannot move gives zero columns.
template <int B>
Eigen::Matrix<double, B, B> rootOf(const BodyContacts& op, std::size_t body, const std::vector<int>& directions) {
    using Square = Eigen::Matrix<double, B, B>;
    const MassBlock inverseMass = op.inverseMassOf(body);
    Square m = Square::Zero();
    for (std::size_t row = 0; row < directions.size(); ++row) {
        for (std::size_t column = 0; column < directions.size(); ++column) {
            m(static_cast<int>(row), static_cast<int>(column)) =
                inverseMass[static_cast<std::size_t>(6 * directions[row] + directions[column])];
        }
    }
    if (op.isSphere(body)) return m.cwiseSqrt();
    const Eigen::SelfAdjointEigenSolver<Square> eigen(m);
    const Eigen::Matrix<double, B, 1> root = eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    return eigen.eigenvectors() * root.asDiagonal();
}

// Of a contact's block the columns of these directions.
template <int B>
Eigen::Matrix<double, 3, B> columnsOf(const JacobianBlock& block, const std::vector<int>& directions) {
    Eigen::Matrix<double, 3, B> columns = Eigen::Matrix<double, 3, B>::Zero();
    for (int row = 0; row < 3; ++row) {
        for (std::size_t k = 0; k < directions.size(); ++k) {
            columns(row, static_cast<int>(k)) = block[static_cast<std::size_t>(6 * row + directions[k])];
        }
    }
    return columns;
}

template <int B>
class BodyForm final : public ContactSystem::Form {
public:
    void load(const BodyContacts& op, const std::vector<int>& directions);

    bool factorise(const std::vector<ContactStiffness>& stiffness, const std::vector<Mat3>& compliance,
                   Symmetry symmetry) override;
    void solve(const std::vector<Vec3>& right, std::vector<Vec3>& x) override;
    void velocities(const std::vector<Vec3>& x, std::vector<Vec3>& u) override;
    void resistedVelocities(const std::vector<Vec3>& impulses, std::vector<Vec3>& u) override;
    FactorReport factors() const override { return sizeOf(factor_); }

private:
    using Segment = typename BlockFactor<B>::Segment;

    // Two touching bodies and their contacts [first, last) of pairContacts_.
    struct Pair {
        std::uint64_t slot;
        std::size_t first, last;
    };

    void connect(const BodyContacts& op);
    void writeRound(const BodyContacts& op, const std::vector<int>& directions, std::size_t contact);
    void finishLinks();
    void gather(const std::vector<Vec3>& impulses, std::vector<Segment>& y) const;
    Vec3 velocity(const std::vector<Segment>& y, std::size_t contact) const;

    std::vector<Link<B>> links_;
    Incidence incidence_;                      // of the nodes
    std::vector<BlockPattern::Pair> graph_;    // of each contact, (noNode, noNode) if it has less than two nodes
    std::vector<std::uint32_t> pairContacts_;  // contacts between two nodes, by slot
    std::vector<Pair> pairs_;
    std::size_t nodes_ = 0;
    BlockFactor<B> factor_;
    std::vector<ContactStiffness> stiffness_;
    std::vector<Segment> y_;
};

// Offers the links of a system to Incidence::build().
template <int B>
struct LinkedContacts {
    const std::vector<Link<B>>& links;
    template <class Visit>
    void forEachMovable(std::size_t contact, Visit&& visit) const {
        for (std::uint32_t side = 0; side < 2; ++side) {
            if (links[contact].node[side] != noNode) visit(links[contact].node[side], side);
        }
    }
};

template <int B>
void BodyForm<B>::connect(const BodyContacts& op) {
    // Number the bodies that something pushes and that can move.
    std::vector<std::uint32_t> node(op.bodyCount(), noNode);
    nodes_ = 0;
    for (std::size_t i = 0; i < op.bodyCount(); ++i) {
        if (!op.incidence().of(i).empty()) node[i] = static_cast<std::uint32_t>(nodes_++);
    }
    links_.assign(op.contactCount(), {});
    for (std::size_t k = 0; k < op.contactCount(); ++k) {
        op.forEachMovable(k, [&](std::uint32_t body, std::uint32_t side) { links_[k].node[side] = node[body]; });
    }

    // Order anew only if the graph is another one.
    std::vector<BlockPattern::Pair> graph, pairs;
    for (const Link<B>& link : links_) {
        const auto [a, b] = link.node;
        const bool isPair = a != noNode && b != noNode && a != b;
        graph.emplace_back(isPair ? a : noNode, isPair ? b : noNode);
        if (isPair) pairs.emplace_back(a, b);
    }
    if (graph == graph_ && nodes_ == factor_.pattern().nodeCount()) return;
    graph_ = std::move(graph);
    factor_.analyse(nodes_, pairs);
    checkMemory(factor_);

    std::vector<std::pair<std::uint64_t, std::uint32_t>> bySlot;
    for (std::uint32_t k = 0; k < links_.size(); ++k) {
        if (graph_[k].first != noNode)
            bySlot.emplace_back(factor_.pattern().slot(graph_[k].first, graph_[k].second), k);
    }
    std::sort(bySlot.begin(), bySlot.end());
    pairContacts_.clear();
    pairs_.clear();
    for (const auto& [slot, contact] : bySlot) {
        if (pairs_.empty() || pairs_.back().slot != slot) pairs_.push_back({slot, pairContacts_.size(), 0});
        pairContacts_.push_back(contact);
        pairs_.back().last = pairContacts_.size();
    }
}

// A body that touches itself, through a periodic border, is one side.
template <int B>
void BodyForm<B>::finishLinks() {
    for (Link<B>& link : links_) {
        if (link.node[0] == noNode || link.node[0] != link.node[1]) continue;
        for (int k = 0; k < 3 * B; ++k) link.rows[0][k] += link.rows[1][k];
        link.node[1] = noNode;
    }
    incidence_.build(nodes_, links_.size(), LinkedContacts<B>{links_});
}

template <int B>
void BodyForm<B>::writeRound(const BodyContacts& op, const std::vector<int>& directions, std::size_t k) {
    const ContactRow& c = op.contacts[k];
    const ContactFrame frame = contactFrame(c.normal);
    for (int side = 0; side < 2; ++side) {
        if (links_[k].node[side] == noNode) continue;
        const std::uint32_t body = side == 0 ? c.a : c.b;
        const double sign = side == 0 ? 1 : -1, lever = side == 0 ? c.leverA : c.leverB;
        const double root = std::sqrt(op.inverseMass[body]), turning = std::sqrt(op.inverseInertia[body]);
        for (std::size_t d = 0; d < directions.size(); ++d) {
            const int axis = directions[d] % 3;
            const bool along = directions[d] < 3;
            Vec3 unit;
            unit[axis] = along ? op.linearFreedom[axis] : op.angularFreedom[axis];
            const Vec3 moved = along ? (sign * root) * unit : (-turning * lever) * cross(unit, c.normal);
            const Vec3 local = frame.toLocal(moved);
            for (int row = 0; row < 3; ++row) links_[k].rows[side][B * row + d] = local[row];
        }
    }
}

template <int B>
void BodyForm<B>::load(const BodyContacts& op, const std::vector<int>& directions) {
    connect(op);
    std::vector<Eigen::Matrix<double, B, B>> root(op.isRound() ? 0 : op.bodyCount());
    parallelFor(root.size(), [&](std::size_t i) { root[i] = rootOf<B>(op, i, directions); });
    parallelFor(links_.size(), [&](std::size_t k) {
        if (op.kind(k) == RowKind::round) return writeRound(op, directions, k);
        op.forEachMovable(k, [&](std::uint32_t body, std::uint32_t side) {
            Eigen::Map<Eigen::Matrix<double, 3, B, Eigen::RowMajor>>(links_[k].rows[side].data()) =
                columnsOf<B>(op.blockOf(k, side), directions) * root[body];
        });
    });
    finishLinks();
}

template <int B>
bool BodyForm<B>::factorise(const std::vector<ContactStiffness>& stiffness, const std::vector<Mat3>&,
                            Symmetry symmetry) {
    stiffness_ = stiffness;
    factor_.clear(symmetry);
    parallelFor(nodes_, [&](std::size_t i) {
        auto& block = factor_.diagonal(static_cast<std::uint32_t>(i));
        for (int k = 0; k < B; ++k) block[(B + 1) * k] = 1;
        for (const Incidence::Entry& e : incidence_.of(i)) {
            const Rows<B>& f = links_[e.contact()].rows[e.side()];
            addProduct<B>(f, stiffness[e.contact()], f, block);
        }
    });
    parallelFor(pairs_.size(), [&](std::size_t p) {
        for (std::size_t k = pairs_[p].first; k < pairs_[p].last; ++k) {
            const std::uint32_t contact = pairContacts_[k];
            const Link<B>& link = links_[contact];
            const bool secondIsLater = factor_.pattern().place(link.node[1]) > factor_.pattern().place(link.node[0]);
            const Rows<B>&later = link.rows[secondIsLater], &earlier = link.rows[!secondIsLater];
            addProduct<B>(later, stiffness[contact], earlier, factor_.below(pairs_[p].slot));
            if (symmetry == Symmetry::general) {
                addProduct<B>(earlier, stiffness[contact], later, factor_.above(pairs_[p].slot));
            }
        }
    });
    return factor_.factorise();
}

// y = F^T g
template <int B>
void BodyForm<B>::gather(const std::vector<Vec3>& impulses, std::vector<Segment>& y) const {
    y.resize(nodes_);
    parallelFor(nodes_, [&](std::size_t i) {
        y[i] = {};
        for (const Incidence::Entry& e : incidence_.of(i)) {
            addTransposed<B>(links_[e.contact()].rows[e.side()], impulses[e.contact()], y[i]);
        }
    });
}

template <int B>
Vec3 BodyForm<B>::velocity(const std::vector<Segment>& y, std::size_t contact) const {
    Vec3 u;
    for (int side = 0; side < 2; ++side) {
        if (const std::uint32_t node = links_[contact].node[side]; node != noNode) {
            addVelocity<B>(links_[contact].rows[side], y[node], u);
        }
    }
    return u;
}

template <int B>
void BodyForm<B>::solve(const std::vector<Vec3>& right, std::vector<Vec3>& x) {
    const std::size_t n = links_.size();
    x.resize(n);
    parallelFor(n, [&](std::size_t k) { x[k] = stiffness_[k] * right[k]; });
    gather(x, y_);
    factor_.solve(y_);
    parallelFor(n, [&](std::size_t k) { x[k] = stiffness_[k] * (right[k] - velocity(y_, k)); });
}

template <int B>
void BodyForm<B>::velocities(const std::vector<Vec3>& x, std::vector<Vec3>& u) {
    gather(x, y_);
    u.resize(x.size());
    parallelFor(x.size(), [&](std::size_t k) { u[k] = velocity(y_, k); });
}

// F (1 + F^T S F)^-1 F^T g
template <int B>
void BodyForm<B>::resistedVelocities(const std::vector<Vec3>& impulses, std::vector<Vec3>& u) {
    gather(impulses, y_);
    factor_.solve(y_);
    u.resize(impulses.size());
    parallelFor(impulses.size(), [&](std::size_t k) { u[k] = velocity(y_, k); });
}

// --- over the contacts ----------------------------------------------------------------------------------------------

class MatrixForm final : public ContactSystem::Form {
public:
    void load(const BlockMatrix& matrix);
    bool factorise(const std::vector<ContactStiffness>& stiffness, const std::vector<Mat3>& compliance,
                   Symmetry symmetry) override;
    void solve(const std::vector<Vec3>& right, std::vector<Vec3>& x) override;
    void velocities(const std::vector<Vec3>& x, std::vector<Vec3>& u) override;
    void resistedVelocities(const std::vector<Vec3>& impulses, std::vector<Vec3>& u) override;
    FactorReport factors() const override { return sizeOf(factor_); }

private:
    BlockMatrix matrix_;
    bool isSymmetric_ = true;
    std::vector<std::uint64_t> slot_;  // of each block of the matrix off the diagonal
    BlockFactor<3> factor_;
    std::vector<BlockFactor<3>::Segment> segments_;
    std::vector<Vec3> x_;
};

// Up to round-off; that of some programs is not.
bool isSymmetric(const BlockMatrix& matrix) {
    for (std::uint32_t row = 0; row < matrix.contactCount(); ++row) {
        for (std::uint32_t k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; ++k) {
            const std::uint32_t column = matrix.column[k];
            const auto begin = matrix.column.begin() + matrix.rowStart[column];
            const auto end = matrix.column.begin() + matrix.rowStart[column + 1];
            const auto across = std::lower_bound(begin, end, row);
            if (across == end || *across != row) return false;
            const Mat3 difference =
                matrix.block[k] - transpose(matrix.block[static_cast<std::size_t>(across - matrix.column.begin())]);
            const double scale = trace(matrix.diagonal(row)) + trace(matrix.diagonal(column));
            for (const double entry : difference.m) {
                if (std::abs(entry) > 1e-13 * scale) return false;
            }
        }
    }
    return true;
}

void MatrixForm::load(const BlockMatrix& matrix) {
    const bool same = matrix.rowStart == matrix_.rowStart && matrix.column == matrix_.column;
    matrix_ = matrix;
    isSymmetric_ = isSymmetric(matrix);
    if (same) return;
    std::vector<BlockPattern::Pair> pairs;
    for (std::uint32_t row = 0; row < matrix.contactCount(); ++row) {
        for (std::uint32_t k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; ++k) {
            if (matrix.column[k] != row) pairs.emplace_back(row, matrix.column[k]);
        }
    }
    factor_.analyse(matrix.contactCount(), pairs);
    checkMemory(factor_);
    slot_.assign(matrix.block.size(), 0);
    for (std::uint32_t row = 0; row < matrix.contactCount(); ++row) {
        for (std::uint32_t k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; ++k) {
            if (matrix.column[k] != row) slot_[k] = factor_.pattern().slot(row, matrix.column[k]);
        }
    }
}

bool MatrixForm::factorise(const std::vector<ContactStiffness>&, const std::vector<Mat3>& compliance,
                           Symmetry symmetry) {
    if (!isSymmetric_) symmetry = Symmetry::general;
    factor_.clear(symmetry);
    for (std::uint32_t row = 0; row < matrix_.contactCount(); ++row) {
        const std::uint32_t placeOfRow = factor_.pattern().place(row);
        for (std::uint32_t k = matrix_.rowStart[row]; k < matrix_.rowStart[row + 1]; ++k) {
            const std::uint32_t column = matrix_.column[k];
            const Mat3& w = matrix_.block[k];
            if (column == row) {
                const Mat3 own = (symmetry == Symmetry::symmetric ? 0.5 * (w + transpose(w)) : w) + compliance[row];
                factor_.diagonal(row) = own.m;
                continue;
            }
            // Half of W_ij and half of W_ji make a symmetric block, wherever they stand.
            const bool isBelow = placeOfRow > factor_.pattern().place(column);
            if (symmetry == Symmetry::general) {
                (isBelow ? factor_.below(slot_[k]) : factor_.above(slot_[k])) = w.m;
            } else {
                const Mat3 part = 0.5 * (isBelow ? w : transpose(w));
                for (int c = 0; c < 9; ++c) factor_.below(slot_[k])[c] += part.m[c];
            }
        }
    }
    return factor_.factorise();
}

void MatrixForm::solve(const std::vector<Vec3>& right, std::vector<Vec3>& x) {
    segments_.resize(right.size());
    x.resize(right.size());
    for (std::size_t i = 0; i < right.size(); ++i) segments_[i] = {right[i].x, right[i].y, right[i].z};
    factor_.solve(segments_);
    for (std::size_t i = 0; i < right.size(); ++i) x[i] = {segments_[i][0], segments_[i][1], segments_[i][2]};
}

void MatrixForm::velocities(const std::vector<Vec3>& x, std::vector<Vec3>& u) {
    u.resize(x.size());
    parallelFor(x.size(), [&](std::size_t i) { u[i] = matrix_.velocity(x, i); });
}

// W (g - x) with (W + S^-1) x = W g
void MatrixForm::resistedVelocities(const std::vector<Vec3>& impulses, std::vector<Vec3>& u) {
    velocities(impulses, u);
    solve(u, x_);
    parallelFor(x_.size(), [&](std::size_t i) { x_[i] = impulses[i] - x_[i]; });
    velocities(x_, u);
}

// Else spheres do not turn.
bool anyActsAcross(const ContactProblem& p) {
    return std::any_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& s) { return s.actsAcross(); });
}

// The form of a kind that is there already, so that its ordering may serve again; else a new one.
template <class Kind>
Kind& take(std::unique_ptr<ContactSystem::Form>& form) {
    if (auto* kept = dynamic_cast<Kind*>(form.get())) return *kept;
    auto fresh = std::make_unique<Kind>();
    Kind& reference = *fresh;
    form = std::move(fresh);
    return reference;
}

// Small blocks where they do, as in planar scenes.
void loadBodies(const BodyContacts& op, const std::vector<int>& directions,
                std::unique_ptr<ContactSystem::Form>& form) {
    if (directions.size() <= 3) {
        take<BodyForm<3>>(form).load(op, directions);
    } else {
        take<BodyForm<6>>(form).load(op, directions);
    }
}

}  // namespace

ContactSystem::ContactSystem() = default;
ContactSystem::~ContactSystem() = default;
ContactSystem::ContactSystem(ContactSystem&&) noexcept = default;
ContactSystem& ContactSystem::operator=(ContactSystem&&) noexcept = default;

void ContactSystem::load(const ContactProblem& problem) {
    if (const auto* bodies = std::get_if<BodyContacts>(&problem.contacts)) {
        const bool turnNothing = bodies->isRound() && !anyActsAcross(problem);
        loadBodies(*bodies, freeDirections(*bodies, turnNothing ? Rotation::leftOut : Rotation::counts), form_);
    } else {
        take<MatrixForm>(form_).load(std::get<BlockMatrix>(problem.contacts));
    }
}

bool ContactSystem::factorise(const std::vector<ContactStiffness>& stiffness, const std::vector<Mat3>& compliance,
                              Symmetry symmetry) {
    const auto start = std::chrono::steady_clock::now();
    const bool done = form_->factorise(stiffness, compliance, symmetry);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++count_;
    return done;
}
void ContactSystem::solve(const std::vector<Vec3>& right, std::vector<Vec3>& x) { form_->solve(right, x); }
void ContactSystem::resistedVelocities(const std::vector<Vec3>& impulses, std::vector<Vec3>& u) {
    form_->resistedVelocities(impulses, u);
}

void ContactSystem::solveRefined(const std::vector<Vec3>& right, const std::vector<Mat3>& compliance,
                                 std::vector<Vec3>& x) {
    form_->solve(right, x);
    for (int round = 0; round < refinements; ++round) {
        form_->velocities(x, rest_);
        parallelFor(x.size(), [&](std::size_t i) { rest_[i] = right[i] - rest_[i] - compliance[i] * x[i]; });
        form_->solve(rest_, change_);
        parallelFor(x.size(), [&](std::size_t i) { x[i] += change_[i]; });
    }
}
FactorReport ContactSystem::factors() const {
    FactorReport report = form_ ? form_->factors() : FactorReport{};
    report.count = count_;
    report.seconds = seconds_;
    return report;
}

}  // namespace talus
