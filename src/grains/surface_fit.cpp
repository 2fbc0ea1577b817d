#include "grains/surface_fit.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/nurbs/nurbs_curve.hpp"
#include "geometry/nurbs/surface_tree.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using std::numbers::pi;

constexpr std::size_t fewestPoints = 50;
constexpr int degree = 3;
constexpr double smoothness = 1e-5;             // -, weight of second differences beside that of a point
constexpr std::size_t mostEntries = 1'000'000;  // of the matrix that wait, 16 bytes each
constexpr double steepest = 10;                 // -, slope of the radius over the way along the sphere: 84 degrees

struct Grid {
    std::size_t round, up;  // functions round the axis, and from pole to pole
};
constexpr std::array<Grid, 7> grids{{{8, 7}, {12, 9}, {16, 12}, {24, 16}, {32, 22}, {44, 30}, {60, 40}}};

[[noreturn]] void refuse(std::string_view path, const std::string& reason) {
    throw InputError(fmt::format("{}: {}", path, reason));
}

// A point as seen from the middle.
struct Seen {
    Vec3 direction;  // unit
    double radius;   // m
};

std::vector<Seen> lookAt(const std::vector<Vec3>& points, const Vec3& middle, std::string_view path) {
    std::vector<Seen> seen;
    for (const Vec3& p : points) {
        const double radius = norm(p - middle);
        if (!(radius > 0)) refuse(path, "a point is in the middle of all the others");
        seen.push_back({(p - middle) / radius, radius});
    }
    return seen;
}

BoundingTree treeOf(const std::vector<Seen>& seen) {
    std::vector<BoundingBox> boxes;
    for (const Seen& s : seen) boxes.push_back({s.direction, s.direction});
    return buildTree(boxes);
}

// No direction of a coarse net may be far from all points.
void checkHoles(const std::vector<Seen>& seen, const BoundingTree& tree, std::string_view path) {
    const double widest = std::max(0.4, 4 / std::sqrt(static_cast<double>(seen.size())));
    constexpr int rings = 12, spokes = 24;
    for (int j = 0; j <= rings; ++j) {
        for (int i = 0; i < spokes; ++i) {
            const double up = pi * j / rings, round = 2 * pi * i / spokes;
            const Vec3 d{std::sin(up) * std::cos(round), std::sin(up) * std::sin(round), std::cos(up)};
            bool isMet = false;
            forEachItemWithin(tree, d, widest,
                              [&](std::uint32_t k) { isMet = isMet || norm(seen[k].direction - d) <= widest; });
            if (isMet) continue;
            refuse(path, fmt::format("they leave a hole: none is seen from their middle within {:.2g} rad of the "
                                     "direction ({:.2g}, {:.2g}, {:.2g}); points all around the body are needed",
                                     widest, d.x, d.y, d.z));
        }
    }
}

// Two points in nearly the same direction must have nearly the same distance.
void checkStar(const std::vector<Seen>& seen, const BoundingTree& tree, double tolerance, std::string_view path) {
    const double near = std::min(0.05, 2 / std::sqrt(static_cast<double>(seen.size())));
    for (std::uint32_t k = 0; k < seen.size(); ++k) {
        forEachItemWithin(tree, seen[k].direction, near, [&](std::uint32_t j) {
            const double apart = norm(seen[j].direction - seen[k].direction);
            const double step = seen[j].radius - seen[k].radius;
            if (apart > near || !(step > 4 * tolerance + steepest * apart * seen[j].radius)) return;
            refuse(path,
                   fmt::format("not star-shaped: points {} and {} (from 1) are seen in nearly the same direction from "
                               "the middle, but {:.4g} and {:.4g} m away; use a mesh, or a NURBS file",
                               k + 1, j + 1, seen[k].radius, seen[j].radius));
        });
    }
}

// The unknowns of a grid: at each pole its place and two vectors, between them one per control point.
class FitProblem {
public:
    FitProblem(const Grid& grid) : grid_(grid) {
        for (std::size_t k = 0; k < grid.round + 7; ++k) knotsU_.push_back(static_cast<double>(k) - 3);
        knotsV_.assign(4, 0);
        for (std::size_t k = 1; k + 3 < grid.up; ++k) knotsV_.push_back(static_cast<double>(k));
        knotsV_.insert(knotsV_.end(), 4, static_cast<double>(grid.up - 3));
        size_ = static_cast<int>(6 + grid.round * (grid.up - 4));
        matrix_.resize(size_, size_);
    }

    int size() const { return size_; }

    SurfaceDefinition solve(const std::vector<Seen>& seen, const Vec3& middle) {
        std::vector<Entry> row;
        right_ = Eigen::MatrixXd::Zero(size_, 3);
        for (const Seen& s : seen) {
            rowOf(s, row);
            add(row, 1, s.radius * s.direction);
        }
        smoothen();
        gather();
        const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix_);
        const Eigen::MatrixXd answer = factor.solve(right_);
        return surfaceOf(answer, middle);
    }

private:
    struct Entry {
        int unknown;
        double weight;
    };

    // A control point as a sum of unknowns.
    void control(std::size_t i, std::size_t j, double weight, std::vector<Entry>& row) const {
        const bool isSouth = j < 2, isNorth = j + 2 >= grid_.up;
        if (!isSouth && !isNorth) {
            row.push_back({static_cast<int>(6 + (j - 2) * grid_.round + i % grid_.round), weight});
            return;
        }
        const int first = isSouth ? 0 : 3;
        row.push_back({first, weight});
        if (j == 0 || j + 1 == grid_.up) return;
        // Function i has its middle at the parameter i - 1.
        const double angle = 2 * pi * (static_cast<double>(i) - 1) / static_cast<double>(grid_.round);
        row.push_back({first + 1, weight * std::cos(angle)});
        row.push_back({first + 2, weight * std::sin(angle)});
    }

    void rowOf(const Seen& s, std::vector<Entry>& row) const {
        const double turn = std::atan2(s.direction.y, s.direction.x) / (2 * pi);
        const double u = (turn < 0 ? turn + 1 : turn) * static_cast<double>(grid_.round);
        const double v =
            (0.5 + std::asin(std::clamp(s.direction.z, -1.0, 1.0)) / pi) * static_cast<double>(grid_.up - 3);
        const BasisFunctions along = basisFunctions(knotsU_, degree, u), across = basisFunctions(knotsV_, degree, v);
        row.clear();
        for (std::size_t j = 0; j <= degree; ++j) {
            for (std::size_t i = 0; i <= degree; ++i) {
                control(along.first + i, across.first + j, along.value[i] * across.value[j], row);
            }
        }
    }

    // One equation with a weight, into the normal equations.
    void add(const std::vector<Entry>& row, double weight, const Vec3& value) {
        for (const Entry& a : row) {
            for (const Entry& b : row) entries_.emplace_back(a.unknown, b.unknown, weight * a.weight * b.weight);
            for (int k = 0; k < 3; ++k) right_(a.unknown, k) += weight * a.weight * value[k];
        }
        if (entries_.size() > mostEntries) gather();
    }

    // Entries go into the matrix, which has one per pair of unknowns however many points there are.
    void gather() {
        Eigen::SparseMatrix<double> part(size_, size_);
        part.setFromTriplets(entries_.begin(), entries_.end());
        matrix_ += part;
        entries_.clear();
    }

    // Second differences of control points along both directions.
    void smoothen() {
        std::vector<Entry> row;
        for (std::size_t j = 0; j < grid_.up; ++j) {
            for (std::size_t i = 0; i < grid_.round; ++i) {
                row.clear();
                control(i, j, 1, row);
                control(i + 1, j, -2, row);
                control(i + 2, j, 1, row);
                add(row, smoothness, {});
                if (j + 2 >= grid_.up) continue;
                row.clear();
                control(i, j, 1, row);
                control(i, j + 1, -2, row);
                control(i, j + 2, 1, row);
                add(row, smoothness, {});
            }
        }
    }

    SurfaceDefinition surfaceOf(const Eigen::MatrixXd& answer, const Vec3& middle) const {
        SurfaceDefinition d{.degreeU = degree,
                            .degreeV = degree,
                            .columns = grid_.round + 3,
                            .points = {},
                            .weights = {},
                            .knotsU = knotsU_,
                            .knotsV = knotsV_};
        std::vector<Entry> row;
        for (std::size_t j = 0; j < grid_.up; ++j) {
            for (std::size_t i = 0; i < d.columns; ++i) {
                row.clear();
                control(i % grid_.round, j, 1, row);
                Vec3 point = middle;
                for (const Entry& e : row) {
                    point += e.weight * Vec3{answer(e.unknown, 0), answer(e.unknown, 1), answer(e.unknown, 2)};
                }
                d.points.push_back(point);
            }
        }
        return d;
    }

    Grid grid_;
    std::vector<double> knotsU_, knotsV_;
    int size_;
    std::vector<Eigen::Triplet<double>> entries_;  // not in the matrix yet
    Eigen::SparseMatrix<double> matrix_;
    Eigen::MatrixXd right_;
};

// The distances of the points from the surface; the place of the largest.
struct FitError {
    double largest = 0, mean = 0;
    std::size_t worst = 0;
};
FitError errorOf(const SurfaceDefinition& d, const std::vector<Vec3>& points) {
    const NurbsSurface surface(d);
    const SurfaceTree tree(surface, 0.01 * surface.size(), 0.2 * surface.size());
    FitError error;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const double distance = std::abs(tree.closestPoint(points[k]).gap);
        error.mean += distance / static_cast<double>(points.size());
        if (distance > error.largest) error.largest = distance, error.worst = k;
    }
    return error;
}

Vec3 middleOf(const std::vector<Vec3>& points) {
    Vec3 sum;
    for (const Vec3& p : points) sum += p;
    return sum / static_cast<double>(points.size());
}

}  // namespace

SurfaceFit fitClosedSurface(const std::vector<Vec3>& points, double tolerance, std::string_view path) {
    if (!(tolerance > 0) || !std::isfinite(tolerance)) {
        refuse(path, fmt::format("the tolerance must be > 0 m, got {}", tolerance));
    }
    if (points.size() < fewestPoints) {
        refuse(path, fmt::format("at least {} points are needed, got {}", fewestPoints, points.size()));
    }
    const Vec3 middle = middleOf(points);
    const std::vector<Seen> seen = lookAt(points, middle, path);
    const BoundingTree tree = treeOf(seen);
    checkHoles(seen, tree, path);
    checkStar(seen, tree, tolerance, path);
    FitError last;
    for (const Grid& grid : grids) {
        FitProblem problem(grid);
        // More unknowns than points would follow anything.
        if (static_cast<std::size_t>(problem.size()) > points.size()) break;
        SurfaceFit fit{.surface = problem.solve(seen, middle)};
        last = errorOf(fit.surface, points);
        fit.largestError = last.largest, fit.meanError = last.mean;
        if (last.largest <= tolerance) return fit;
    }
    const Vec3& worst = points[last.worst];
    refuse(path,
           fmt::format("no surface within {:g} m of all points was found; the best one is {:.3g} m off at point {}, "
                       "({:.4g}, {:.4g}, {:.4g}): allow more, give more points, or look whether the body is "
                       "star-shaped about their middle",
                       tolerance, last.largest, last.worst + 1, worst.x, worst.y, worst.z));
}

}  // namespace talus
