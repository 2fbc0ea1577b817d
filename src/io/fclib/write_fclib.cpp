#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "base/atomic_file.hpp"
#include "io/fclib/fclib.hpp"
#include "io/fclib/fclib_hdf5.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostEntries = std::numeric_limits<std::int32_t>::max();

// In which order a file lists the contacts: those with friction, then the bilateral ones.
struct Order {
    FclibLayout layout;
    std::vector<std::size_t> firstRow;  // of each contact, among the rows of r and l
    std::vector<double> friction;       // of those that have it

    explicit Order(const ContactProblem& problem) : firstRow(problem.contactCount()) {
        for (std::size_t i = 0; i < firstRow.size(); ++i) {
            const ReactionSet& set = problem.sets[i];
            if (set.bilateral) continue;
            if (!set.isPlainCone()) {
                throw InputError(fmt::format(
                    "contact {}: FCLIB knows plain friction cones and bilateral contacts only; this one has {}", i,
                    set.cohesion != 0 ? "cohesion"
                    : set.ball != 0   ? "a ball"
                                      : "a cap"));
            }
            firstRow[i] = 3 * friction.size();
            friction.push_back(set.friction);
        }
        layout.contacts = friction.size();
        layout.bilateralRows = 3 * (firstRow.size() - friction.size());
        std::size_t next = layout.contactRows();
        for (std::size_t i = 0; i < firstRow.size(); ++i) {
            if (!problem.sets[i].bilateral) continue;
            firstRow[i] = next;
            next += 3;
        }
        if (layout.rows() > mostEntries) throw InputError("the problem has too many contacts for FCLIB");
    }

    std::vector<double> toRows(const std::vector<Vec3>& values) const {
        std::vector<double> rows(layout.rows());
        for (std::size_t i = 0; i < values.size(); ++i) {
            for (int k = 0; k < 3; ++k) rows[firstRow[i] + static_cast<std::size_t>(k)] = values[i][k];
        }
        return rows;
    }
};

void addBlock(SparseMatrix& matrix, std::size_t row, std::size_t column, const Mat3& block) {
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            if (block(a, b) == 0 && row != column) continue;
            matrix.add(row + static_cast<std::size_t>(a), column + static_cast<std::size_t>(b), block(a, b));
        }
    }
    if (matrix.entries.size() > mostEntries) throw InputError("the problem has too many entries for FCLIB");
}

// --- W, block by block ----------------------------------------------------------------------------------------------

template <class Visit>
void forEachBlock(const BlockMatrix& w, Visit&& visit) {
    for (std::size_t i = 0; i < w.contactCount(); ++i) {
        for (std::uint32_t k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k) visit(i, w.column[k], w.block[k]);
    }
}

// Column by column: a unit reaction at a contact moves its bodies, and what other contacts of these see is a block.
template <class Contacts, class Visit>
void forEachBlock(const Contacts& contacts, Visit&& visit) {
    typename Contacts::State state;
    contacts.start(std::vector<Vec3>(contacts.contactCount()), state);
    std::vector<std::size_t> neighbours;
    for (std::size_t j = 0; j < contacts.contactCount(); ++j) {
        neighbours.clear();
        contacts.forEachMovable(j, [&](std::uint32_t body, std::uint32_t) {
            for (const Incidence::Entry& e : contacts.incidence().of(body)) neighbours.push_back(e.contact());
        });
        std::sort(neighbours.begin(), neighbours.end());
        neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
        std::vector<Mat3> blocks(neighbours.size());
        for (int column = 0; column < 3; ++column) {
            Vec3 unit;
            unit[column] = 1;
            contacts.change(state, j, unit);
            for (std::size_t k = 0; k < neighbours.size(); ++k) {
                const Vec3 u = contacts.velocity(state, neighbours[k]);
                for (int row = 0; row < 3; ++row) blocks[k](row, column) = u[row];
            }
            contacts.change(state, j, -unit);
        }
        for (std::size_t k = 0; k < neighbours.size(); ++k) visit(neighbours[k], j, blocks[k]);
    }
}

LocalMatrices localMatrices(const ContactProblem& problem, const Order& order) {
    const std::size_t contactRows = order.layout.contactRows(), bilateralRows = order.layout.bilateralRows;
    LocalMatrices result{.contacts = {contactRows, contactRows, {}},
                         .coupling = {contactRows, bilateralRows, {}},
                         .bilateral = {bilateralRows, bilateralRows, {}},
                         .contactOffset = order.toRows(problem.offset),
                         .bilateralOffset = {}};
    const auto add = [&](std::size_t i, std::size_t j, const Mat3& block) {
        const std::size_t row = order.firstRow[i], column = order.firstRow[j];
        if (row < contactRows && column < contactRows) addBlock(result.contacts, row, column, block);
        if (row < contactRows && column >= contactRows) addBlock(result.coupling, row, column - contactRows, block);
        if (row >= contactRows && column >= contactRows) {
            addBlock(result.bilateral, row - contactRows, column - contactRows, block);
        }
    };
    std::visit([&](const auto& contacts) { forEachBlock(contacts, add); }, problem.contacts);
    for (std::size_t i = 0; i < problem.compliance.size(); ++i) add(i, i, problem.compliance[i]);
    const auto split = result.contactOffset.begin() + static_cast<std::ptrdiff_t>(contactRows);
    result.bilateralOffset.assign(split, result.contactOffset.end());
    result.contactOffset.erase(split, result.contactOffset.end());
    return result;
}

// --- M, H and G -----------------------------------------------------------------------------------------------------

using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

Matrix6 inverseMassOf(const BodyContacts& contacts, std::size_t body) {
    return Eigen::Map<const Matrix6>(contacts.inverseMass[body].data());
}

Matrix6 inverseMassOf(const SphereContacts& contacts, std::size_t body) {
    Matrix6 result = Matrix6::Zero();
    for (int k = 0; k < 3; ++k) {
        result(k, k) = contacts.inverseMass[body] * contacts.linearFreedom[k];
        result(3 + k, 3 + k) = contacts.inverseInertia[body] * contacts.angularFreedom[k];
    }
    return result;
}

double& freedomOf(std::vector<Twist>& state, std::size_t body, int freedom) {
    return state[body][static_cast<std::size_t>(freedom)];
}

double& freedomOf(std::vector<SphereContacts::Body>& state, std::size_t body, int freedom) {
    return freedom < 3 ? state[body].velocity[freedom] : state[body].spin[freedom - 3];
}

// What a freedom that nothing moves has for a mass is of no consequence: it stands in no other matrix.
Matrix6 massOf(Matrix6 inverse) {
    for (int k = 0; k < 6; ++k) {
        if (inverse(k, k) == 0) inverse(k, k) = 1;
    }
    Matrix6 mass = inverse.partialPivLu().inverse();
    return 0.5 * (mass + mass.transpose());
}

template <class Contacts>
GlobalMatrices globalMatrices(const Contacts& contacts, const ContactProblem& problem, const Order& order) {
    // Bodies that nothing can move are left out.
    constexpr std::size_t leftOut = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> firstRow(contacts.bodyCount(), leftOut);
    GlobalMatrices result;
    std::size_t rows = 0;
    for (std::size_t body = 0; body < firstRow.size(); ++body) {
        const Matrix6 inverse = inverseMassOf(contacts, body);
        if (inverse.isZero(0)) continue;
        firstRow[body] = rows;
        const Matrix6 mass = massOf(inverse);
        for (int k = 0; k < 36; ++k) {
            const int row = k / 6, column = k % 6;
            if (mass(row, column) == 0) continue;
            result.mass.add(rows + static_cast<std::size_t>(row), rows + static_cast<std::size_t>(column),
                            mass(row, column));
        }
        rows += 6;
        if (rows > mostEntries / 6) throw InputError("the problem has too many bodies for FCLIB");
    }
    result.mass.rows = result.mass.columns = rows;
    result.contacts = {rows, order.layout.contactRows(), {}};
    result.bilateral = {rows, order.layout.bilateralRows, {}};

    // The velocity that a contact sees of a body that moves along one freedom is a column of its Jacobian.
    typename Contacts::State state;
    contacts.start(std::vector<Vec3>(contacts.contactCount()), state);
    for (std::size_t i = 0; i < contacts.contactCount(); ++i) {
        contacts.forEachMovable(i, [&](std::uint32_t body, std::uint32_t) {
            if (firstRow[body] == leftOut) return;
            const Matrix6 inverse = inverseMassOf(contacts, body);
            for (int freedom = 0; freedom < 6; ++freedom) {
                if (inverse(freedom, freedom) == 0) continue;
                freedomOf(state, body, freedom) = 1;
                const Vec3 u = contacts.velocity(state, i);
                freedomOf(state, body, freedom) = 0;
                const std::size_t row = firstRow[body] + static_cast<std::size_t>(freedom);
                const std::size_t first = order.firstRow[i], contactRows = order.layout.contactRows();
                for (int k = 0; k < 3; ++k) {
                    const std::size_t column = first + static_cast<std::size_t>(k);
                    if (u[k] == 0) continue;
                    if (first < contactRows) result.contacts.add(row, column, u[k]);
                    if (first >= contactRows) result.bilateral.add(row, column - contactRows, u[k]);
                }
            }
        });
    }
    const std::vector<double> offset = order.toRows(problem.offset);
    const auto split = offset.begin() + static_cast<std::ptrdiff_t>(order.layout.contactRows());
    result.force.assign(rows, 0.0);
    result.contactOffset.assign(offset.begin(), split);
    result.bilateralOffset.assign(split, offset.end());
    return result;
}

GlobalMatrices globalMatrices(const BlockMatrix&, const ContactProblem&, const Order&) {
    throw InputError("a problem without bodies has no global form; write it in the local one");
}

GlobalMatrices globalMatrices(const ContactProblem& problem, const Order& order) {
    if (!problem.compliance.empty()) {
        throw InputError("FCLIB's global form has no compliance; write the problem in the local one");
    }
    return std::visit([&](const auto& contacts) { return globalMatrices(contacts, problem, order); }, problem.contacts);
}

// --- answers --------------------------------------------------------------------------------------------------------

// In the order of the file.
FclibVectors orderedVectors(const ContactProblem& problem, const Order& order, const GlobalSystem* bodies,
                            const Reactions& reactions) {
    if (reactions.size() != problem.contactCount()) {
        throw InputError(
            fmt::format("there are {} reactions for {} contacts", reactions.size(), problem.contactCount()));
    }
    std::vector<Vec3> velocities;
    relativeVelocities(problem, reactions, velocities);
    return splitVectors(order.layout, order.toRows(reactions), order.toRows(velocities), bodies);
}

void writeAnswers(Hdf5File& file, const std::vector<FclibVectors>& guesses,
                  const std::optional<FclibVectors>& solution) {
    if (!guesses.empty()) writeInteger(file, "/guesses/number_of_guesses", static_cast<int>(guesses.size()));
    for (std::size_t k = 0; k < guesses.size(); ++k) writeVectors(file, fmt::format("/guesses/{}", k + 1), guesses[k]);
    if (solution) writeVectors(file, "/solution", *solution);
}

// HDF5's own failures while writing are those of the disk.
template <class Write>
void writeWhole(const fs::path& path, Write&& write) {
    try {
        replaceFileAtomically(path, write);
    } catch (const Hdf5Error& error) {
        throw RunError(fmt::format("cannot write {}: {}; check the disk and the folder", path.string(), error.what()));
    }
}

}  // namespace

void writeFclib(const fs::path& path, const ContactProblem& problem, const FclibContent& content) {
    validate(problem);
    const Order order(problem);
    const FclibHead head{.friction = order.friction, .info = content.info};
    writeWhole(path, [&](const fs::path& temporary) {
        Hdf5File file = Hdf5File::create(temporary, 0);
        std::shared_ptr<const GlobalSystem> bodies;
        if (content.form == FclibForm::local) {
            writeProblem(file, head, localMatrices(problem, order));
        } else {
            bodies = std::make_shared<GlobalSystem>(globalMatrices(problem, order));
            writeProblem(file, head, bodies->matrices());
        }
        const auto vectors = [&](const Reactions& r) { return orderedVectors(problem, order, bodies.get(), r); };
        std::vector<FclibVectors> guesses;
        for (const Reactions& guess : content.guesses) guesses.push_back(vectors(guess));
        writeAnswers(file, guesses, content.solution ? std::optional(vectors(*content.solution)) : std::nullopt);
        file.close();
    });
}

void writeFclibSolution(const fs::path& path, const FclibFile& read, const Reactions& reactions) {
    FclibHead head{.dimension = read.layout.dimension, .info = read.info};
    for (std::size_t i = 0; i < read.layout.contacts; ++i) head.friction.push_back(read.problem.sets[i].friction);
    const auto vectors = [&](const Reactions& r) {
        std::vector<Vec3> velocities;
        relativeVelocities(read.problem, r, velocities);
        return splitVectors(read.layout, read.layout.toRows(r), read.layout.toRows(velocities), read.bodies.get());
    };
    std::vector<FclibVectors> guesses;
    for (const Reactions& guess : read.guesses) guesses.push_back(vectors(guess));
    writeWhole(path, [&](const fs::path& temporary) {
        Hdf5File file = Hdf5File::create(temporary, 0);
        if (read.form == FclibForm::local) writeProblem(file, head, *read.local);
        if (read.form == FclibForm::global) writeProblem(file, head, read.bodies->matrices());
        writeAnswers(file, guesses, vectors(reactions));
        file.close();
    });
}

}  // namespace talus
