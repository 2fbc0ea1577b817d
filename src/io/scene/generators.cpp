#include "io/scene/generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace talus {
namespace {

// A rectangular cell with its sites, in units of the distance between nearest neighbours.
struct Cell {
    Vec3 edges;
    std::vector<Vec3> sites;  // in units of the edges
};

Cell cellOf(Lattice lattice) {
    const double third = 1.0 / 3.0;
    switch (lattice) {
        case Lattice::sc:
            return {{1, 1, 1}, {{0, 0, 0}}};
        case Lattice::bcc: {
            const double edge = 2 / std::sqrt(3.0);
            return {{edge, edge, edge}, {{0, 0, 0}, {0.5, 0.5, 0.5}}};
        }
        case Lattice::fcc: {
            const double edge = std::sqrt(2.0);
            return {{edge, edge, edge}, {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};
        }
        case Lattice::hcp:
            return {{1, std::sqrt(3.0), std::sqrt(8.0 / 3.0)},
                    {{0, 0, 0}, {0.5, 0.5, 0}, {0, third, 0.5}, {0.5, 0.5 + third, 0.5}}};
        default:
            return {{1, std::sqrt(3.0), 1}, {{0, 0, 0}, {0.5, 0.5, 0}}};
    }
}

// A vector of the cell's frame in the scene's: a planar scene has its layers in its own plane.
Vec3 turnedIntoPlane(const Vec3& v, Planar planar) {
    if (planar == Planar::xz) return {v.x, v.z, v.y};
    if (planar == Planar::yz) return {v.z, v.x, v.y};
    return v;
}

struct LatticeFrame {
    Vec3 first;  // m, centre of the first sphere
    Vec3 edges;  // m, of a cell
    Cell cell;
    Vec3 last;         // m, no centre beyond this
    double slack = 0;  // m, a sphere that fits exactly must not fail by round-off
    std::array<std::uint64_t, 3> cells{};
};

LatticeFrame frameOf(const LatticeBodies& lattice, Planar planar) {
    const double radius = *lattice.radius, spacing = lattice.spacing.value_or(2 * radius);
    LatticeFrame frame;
    frame.cell = cellOf(lattice.lattice);
    frame.edges = spacing * turnedIntoPlane(frame.cell.edges, planar);
    const Vec3 corner = lattice.region ? lattice.region->low : lattice.origin;
    const double far = std::numeric_limits<double>::infinity();
    frame.last = lattice.region ? lattice.region->high - Vec3{1, 1, 1} * radius : Vec3{far, far, far};
    frame.first = corner + Vec3{1, 1, 1} * radius;
    frame.slack = 1e-9 * radius;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        if (axis == acrossAxis(planar)) {
            frame.first[axis] = lattice.region ? 0.5 * (corner[axis] + lattice.region->high[axis]) : corner[axis];
            frame.last[axis] = frame.first[axis];
            frame.cells[k] = 1;
        } else if (lattice.region) {
            const double room = frame.last[axis] - frame.first[axis] + frame.slack;
            frame.cells[k] = room < 0 ? 0 : static_cast<std::uint64_t>(std::min(1e9, room / frame.edges[axis])) + 1;
        } else {
            frame.cells[k] = (*lattice.count)[k];
        }
    }
    return frame;
}

}  // namespace

int acrossAxis(Planar planar) {
    switch (planar) {
        case Planar::xy:
            return 2;
        case Planar::xz:
            return 1;
        case Planar::yz:
            return 0;
        default:
            return -1;
    }
}

Quat turnFromZ(const Vec3& direction) {
    const Vec3 axis = normalized(direction);
    const Vec3 about = cross({0, 0, 1}, axis);
    const double sine = norm(about);
    if (sine > 0) return rotationBy((std::atan2(sine, axis.z) / sine) * about);
    return axis.z > 0 ? Quat{} : Quat{0, 1, 0, 0};
}

double countLatticeSites(const LatticeBodies& lattice, Planar planar) {
    const LatticeFrame frame = frameOf(lattice, planar);
    double count = static_cast<double>(frame.cell.sites.size());
    for (const std::uint64_t cells : frame.cells) count *= static_cast<double>(cells);
    return count;
}

std::vector<Vec3> latticeCentres(const LatticeBodies& lattice, Planar planar) {
    const LatticeFrame frame = frameOf(lattice, planar);
    std::vector<Vec3> centres;
    for (std::uint64_t k = 0; k < frame.cells[2]; ++k) {
        for (std::uint64_t j = 0; j < frame.cells[1]; ++j) {
            for (std::uint64_t i = 0; i < frame.cells[0]; ++i) {
                const Vec3 cell{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
                for (const Vec3& site : frame.cell.sites) {
                    const Vec3 c = frame.first + hadamard(frame.edges, cell + turnedIntoPlane(site, planar));
                    const Vec3 over = c - frame.last;
                    if (std::max({over.x, over.y, over.z}) <= frame.slack) centres.push_back(c);
                }
            }
        }
    }
    return centres;
}

Vec3 CentreBox::nearest(const Vec3& p) const {
    return {std::clamp(p.x, low.x, high.x), std::clamp(p.y, low.y, high.y), std::clamp(p.z, low.z, high.z)};
}

CentreBox centreBox(const LatticeBodies& lattice, const std::vector<Vec3>& centres) {
    const Vec3 radius = Vec3{1, 1, 1} * *lattice.radius;
    CentreBox box{centres.front(), centres.front()};
    for (const Vec3& c : centres) {
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::min(box.low[axis], c[axis]);
            box.high[axis] = std::max(box.high[axis], c[axis]);
        }
    }
    if (!lattice.region) return box;
    for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] = std::min(box.low[axis], lattice.region->low[axis] + radius[axis]);
        box.high[axis] = std::max(box.high[axis], lattice.region->high[axis] - radius[axis]);
    }
    return box;
}

std::vector<Vec3> pyramidCentres(const PyramidBodies& pyramid) {
    const double r = pyramid.radius;
    std::vector<Vec3> centres;
    for (std::uint64_t layer = 0; layer < pyramid.base; ++layer) {
        // Each sphere rests in the dimple of four: half a diameter further in, sqrt(2) radii higher.
        const double level = static_cast<double>(layer);
        const double inset = r * (1 + level);
        const double height = r + level * (std::sqrt(2.0) * r + pyramid.layerGap);
        for (std::uint64_t j = 0; j < pyramid.base - layer; ++j) {
            for (std::uint64_t i = 0; i < pyramid.base - layer; ++i) {
                centres.push_back(pyramid.origin + Vec3{inset + 2 * r * static_cast<double>(i),
                                                        inset + 2 * r * static_cast<double>(j), height});
            }
        }
    }
    return centres;
}

}  // namespace talus
