// Contact problems of spheres made for tests: piles at rest under gravity for one step, and other ways to write them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "problem/contact_problem.hpp"

namespace talus {

struct SpherePile {
    double friction = 0.5;
    double step = 1e-3;         // s
    double radius = 5e-3;       // m
    double density = 2500;      // kg/m^3
    double jitter = 0;          // -, of the radius: shifts of the centres, so that normals differ
    Vec3 gravity{0, 0, -9.81};  // m/s^2
    Vec3 velocity;              // m/s, of all spheres before the step
};

// Pairs (i, j), i < j, of centres nearer than `reach`, by i; centre 0 is no sphere.
inline std::vector<std::pair<std::uint32_t, std::uint32_t>> findPairs(const std::vector<Vec3>& centre, double reach) {
    using Cell = std::array<int, 3>;
    const auto cellOf = [&](const Vec3& c) {
        return Cell{int(std::floor(c.x / reach)), int(std::floor(c.y / reach)), int(std::floor(c.z / reach))};
    };
    std::map<Cell, std::vector<std::uint32_t>> cells;
    for (std::uint32_t i = 1; i < centre.size(); ++i) cells[cellOf(centre[i])].push_back(i);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 1; i < centre.size(); ++i) {
        const std::size_t first = pairs.size();
        const Cell at = cellOf(centre[i]);
        for (int k = 0; k < 27; ++k) {
            const auto cell = cells.find({at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1});
            if (cell == cells.end()) continue;
            for (const std::uint32_t j : cell->second) {
                if (j > i && norm(centre[i] - centre[j]) < reach) pairs.emplace_back(i, j);
            }
        }
        std::sort(pairs.begin() + std::ptrdiff_t(first), pairs.end());
    }
    return pairs;
}

// Spheres of a body-centred lattice of nx x ny x nz cells in a box without lid; every pair nearer than a twentieth of
// a diameter is a contact, as are spheres near a wall. Body 0 is the box.
inline ContactProblem makeLatticePile(const SpherePile& pile, int nx, int ny, int nz) {
    const double r = pile.radius, cell = 4 * r / std::sqrt(3.0), mass = pile.density * 4.1887902047863905 * r * r * r;
    std::vector<Vec3> centre{{}};
    Random random(3, 1);
    for (int z = 0; z < nz; ++z) {
        for (int y = 0; y < ny; ++y) {
            for (int x = 0; x < nx; ++x) {
                for (const double half : {0.0, 0.5}) {
                    const Vec3 site{cell * (x + half), cell * (y + half), cell * (z + half)};
                    centre.push_back(site + Vec3{r, r, r} + (pile.jitter * r) * random.inBox({-1, -1, -1}, {1, 1, 1}));
                }
            }
        }
    }
    BodyContacts contacts;
    contacts.inverseMass.assign(centre.size(), 1 / mass);
    contacts.inverseInertia.assign(centre.size(), 2.5 / (mass * r * r));
    contacts.inverseMass[0] = contacts.inverseInertia[0] = 0;

    ContactProblem p;
    const double margin = 0.1 * r;
    const auto add = [&](std::uint32_t a, std::uint32_t b, const Vec3& normal, double gap) {
        contacts.contacts.push_back({normal, r, b == 0 ? 0.0 : r, a, b});
        p.sets.push_back(ReactionSet::coulomb(pile.friction));
        const Vec3 free = pile.velocity + pile.step * pile.gravity;  // both spheres of a pair have it
        const Vec3 relative = b == 0 ? contactFrame(normal).toLocal(free) : Vec3{};
        p.offset.push_back(relative + Vec3{std::max(0.0, gap) / pile.step, 0, 0});
    };
    const Vec3 high{cell * (nx - 0.5) + 2 * r, cell * (ny - 0.5) + 2 * r, 1e30};
    const auto pairs = findPairs(centre, 2 * r + margin);
    auto pair = pairs.begin();
    for (std::uint32_t i = 1; i < centre.size(); ++i) {
        for (; pair != pairs.end() && pair->first == i; ++pair) {
            const Vec3 d = centre[i] - centre[pair->second];
            const double distance = norm(d);
            add(i, pair->second, d / distance, distance - 2 * r);
        }
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 n;
            n[axis] = 1;
            if (centre[i][axis] - r < margin) add(i, 0, n, centre[i][axis] - r);
            if (high[axis] - r - centre[i][axis] < margin) add(i, 0, -n, high[axis] - r - centre[i][axis]);
        }
    }
    contacts.finish();
    p.contacts = std::move(contacts);
    return p;
}

// The same contacts with a full block per contact and body.
inline BodyContacts asBlocks(const BodyContacts& spheres) {
    BodyContacts bodies;
    // Bodies that cannot move have no number there.
    std::vector<std::uint32_t> number(spheres.bodyCount(), BodyContacts::noBody);
    for (std::size_t i = 0; i < spheres.bodyCount(); ++i) {
        if (spheres.inverseMass[i] == 0) continue;
        MassBlock block{};
        for (int axis = 0; axis < 3; ++axis) {
            block[7 * axis] = spheres.linearFreedom[axis] * spheres.inverseMass[i];
            block[7 * (3 + axis)] = spheres.angularFreedom[axis] * spheres.inverseInertia[i];
        }
        number[i] = bodies.addBody(block);
    }
    const auto blockOf = [](const ContactRow& c, double sign, double lever) {
        const ContactFrame frame = contactFrame(c.normal);
        const Vec3 rows[] = {frame.normal, frame.first, frame.second};
        JacobianBlock block{};
        for (int row = 0; row < 3; ++row) {
            const Vec3 turn = lever * cross(rows[row], c.normal);  // row.(lever n x w) = lever (row x n).w
            for (int axis = 0; axis < 3; ++axis) {
                block[6 * row + axis] = sign * rows[row][axis];
                block[6 * row + 3 + axis] = turn[axis];
            }
        }
        return block;
    };
    for (const ContactRow& c : spheres.contacts) {
        bodies.add(BlockRow{number[c.a], number[c.b], blockOf(c, 1, c.leverA), blockOf(c, -1, c.leverB)});
    }
    bodies.finish();
    return bodies;
}

// The same contacts with arms; every `step`th of the spheres passes for a body of any shape, from the first that moves.
inline BodyContacts asArms(const BodyContacts& spheres, std::size_t step = 1) {
    BodyContacts bodies;
    bodies.linearFreedom = spheres.linearFreedom;
    bodies.angularFreedom = spheres.angularFreedom;
    for (std::size_t i = 0; i < spheres.bodyCount(); ++i) {
        const double mass = spheres.inverseMass[i], inertia = spheres.inverseInertia[i];
        if (mass == 0) {
            bodies.addFixed();
        } else if (i % step != 1 % step) {
            bodies.addSphere(1 / mass, std::sqrt(2.5 * mass / inertia));
        } else {
            MassBlock block{};
            for (int axis = 0; axis < 3; ++axis) {
                block[7 * axis] = spheres.linearFreedom[axis] * mass;
                block[7 * (3 + axis)] = spheres.angularFreedom[axis] * inertia;
            }
            bodies.addBody(block);
        }
    }
    for (const ContactRow& c : spheres.contacts) {
        bodies.add(ContactAt{c.normal, -c.leverA * c.normal, c.leverB * c.normal, c.a, c.b});
    }
    bodies.finish();
    return bodies;
}

// W without E, column by column.
template <ContactOperator Operator>
std::vector<Mat3> denseMatrix(const Operator& op) {
    const std::size_t n = op.contactCount();
    std::vector<Mat3> dense(n * n);
    std::vector<Vec3> unit(n);
    typename Operator::State state;
    for (std::size_t column = 0; column < n; ++column) {
        for (int axis = 0; axis < 3; ++axis) {
            unit[column][axis] = 1;
            op.start(unit, state);
            for (std::size_t row = 0; row < n; ++row) {
                const Vec3 u = op.velocity(state, row);
                for (int k = 0; k < 3; ++k) dense[row * n + column](k, axis) = u[k];
            }
            unit[column] = {};
        }
    }
    return dense;
}

template <ContactOperator Operator>
BlockMatrix asBlockMatrix(const Operator& op) {
    const std::size_t n = op.contactCount();
    const std::vector<Mat3> dense = denseMatrix(op);
    BlockMatrix matrix;
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t column = 0; column < n; ++column) {
            if (dense[row * n + column] == Mat3{} && row != column) continue;
            matrix.column.push_back(static_cast<std::uint32_t>(column));
            matrix.block.push_back(dense[row * n + column]);
        }
        matrix.rowStart.push_back(static_cast<std::uint32_t>(matrix.column.size()));
    }
    matrix.finish();
    return matrix;
}

// Two discs on a floor and one on both, in the plane z = 0: motions out of it are switched off.
inline ContactProblem makePlanarPile(double friction) {
    BodyContacts contacts;
    contacts.linearFreedom = {1, 1, 0};
    contacts.angularFreedom = {0, 0, 1};
    contacts.inverseMass = {0, 2, 2, 1};
    contacts.inverseInertia = {0, 8, 8, 2};
    contacts.contacts = {{{0, 1, 0}, 0.5, 0, 1, 0},
                         {{0, 1, 0}, 0.5, 0, 2, 0},
                         {normalized(Vec3{1, 2, 0}), 0.8, 0.5, 3, 1},
                         {normalized(Vec3{-1, 2, 0}), 0.8, 0.5, 3, 2}};
    contacts.finish();
    ContactProblem p;
    p.sets.assign(4, ReactionSet::coulomb(friction));
    const Vec3 falling{0.3, -1, 0};
    for (const ContactRow& c : contacts.contacts) {
        p.offset.push_back(c.b == 0 ? contactFrame(c.normal).toLocal(falling) : Vec3{});
    }
    p.contacts = std::move(contacts);
    return p;
}

// Reactions without any order in them, about as large as those of the problem.
inline std::vector<Vec3> randomVectors(std::size_t n, std::uint32_t stream) {
    Random random(11, stream);
    std::vector<Vec3> vectors(n);
    for (Vec3& v : vectors) v = random.inBox({-1, -1, -1}, {1, 1, 1});
    return vectors;
}

}  // namespace talus
