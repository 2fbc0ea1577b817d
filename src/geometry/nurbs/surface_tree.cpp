#include "geometry/nurbs/surface_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/matrix3.hpp"

namespace talus {
namespace {

constexpr double thinness = 0.6;        // -, of the tolerance
constexpr int mostHalvings = 40;        // of a patch
constexpr double sameFoot = 1e-11;      // -, of the size: feet that are nearer to each other are one
constexpr double straightAbove = 1e-6;  // -, sideways part of the way to a foot at which the normal is that of the cell
constexpr double lastStep = 1e-7;       // -, of the size: a Newton step so short is the last one
constexpr double nearFocus = 0.8;       // -, distance over radius of curvature above which a cell may have more minima

// Where two control points of a row are farthest apart, and how far one is off the middle of its neighbours.
struct Extent {
    double longest = 0, bend = 0;
};
template <class PointAt>
void extendBy(Extent& extent, int degree, const PointAt& at) {
    for (int k = 1; k <= degree; ++k) extent.longest = std::max(extent.longest, norm(at(k) - at(0)));
    for (int k = 1; k < degree; ++k) extent.bend = std::max(extent.bend, norm(at(k - 1) - 2 * at(k) + at(k + 1)));
}

// How small cells are made.
struct Fineness {
    double thickest, widest;  // m
};

bool halveAlongU(const BezierPatch& p) {
    Extent u, v;
    for (int j = 0; j <= p.degreeV; ++j) extendBy(u, p.degreeU, [&](int k) { return p.at(k, j).point(); });
    for (int i = 0; i <= p.degreeU; ++i) extendBy(v, p.degreeV, [&](int k) { return p.at(i, k).point(); });
    if (u.longest > 2 * v.longest) return true;
    if (v.longest > 2 * u.longest) return false;
    return u.bend != v.bend ? u.bend > v.bend : u.longest >= v.longest;
}

// Outward, of unit length. At a pole, where S_u is 0, S_u / (v - v_pole) has the limit S_uv; where S_v is 0 as well,
// the normal is that of a place a hundredth of the range `across` (of t) away from the pole.
Vec3 normalOf(const BezierPatch& patch, const SurfacePoint& p, double s, double t, double across) {
    const double inward = t < 0.5 ? 1 : -1;
    const Vec3 n = cross(p.du, p.dv), atPole = inward * cross(p.duv, p.dv);
    if (norm(n) > 1e-9 * norm(p.duv) * norm(p.dv) && norm(n) > 0) return normalized(n);
    if (norm(atPole) > 1e-9 * norm(p.duv) * norm(p.dvv)) return normalized(atPole);
    const SurfacePoint beside = evaluate(patch, s, t + 0.01 * inward * across);
    return normalized(cross(beside.du, beside.dv));
}

bool isFine(const BezierPatch& part, const Fineness& wanted) {
    const SurfacePoint p = evaluate(part, 0.5, 0.5);
    const Vec3 normal = normalOf(part, p, 0.5, 0.5, 1);
    double low = 0, high = 0, radius = 0;
    forEachControlPoint(part, [&](const Vec3& point) {
        const double height = dot(point - p.position, normal);
        low = std::min(low, height), high = std::max(high, height);
        radius = std::max(radius, norm(point - p.position));
    });
    return high - low <= wanted.thickest && radius <= wanted.widest;
}

// Halves a part until it is fine and calls visit(part) for what it comes to, until that is false.
template <class Visit>
bool cutFine(const BezierPatch& part, const Fineness& wanted, int halvings, const Visit& visit) {
    if (halvings == 0 || isFine(part, wanted)) return visit(part);
    const auto [low, high] = halveAlongU(part) ? halvesAlongU(part) : halvesAlongV(part);
    return cutFine(low, wanted, halvings - 1, visit) && cutFine(high, wanted, halvings - 1, visit);
}

// --- which side of a place that several cells share ----------------------------------------------------------------

constexpr double atEnd = 1e-9;       // -, of the range of a cell: nearer to an end is at the end
constexpr double sameNormal = 1e-6;  // -, normals that differ less are one

// Into the cell: 1 from a low end, -1 from a high one, 0 between them.
int inwardFrom(double x, double low, double high) {
    return x - low <= atEnd * (high - low) ? 1 : high - x <= atEnd * (high - low) ? -1 : 0;
}

double angleBetween(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

// A place of the surface as one of the cells that share it sees it.
class PlaceInCell {
public:
    // at: what evaluate() says there.
    PlaceInCell(const BezierPatch& patch, const SurfaceCell& cell, double s, double t, const SurfacePoint& at,
                double size)
        : patch_(patch), cell_(cell), s_(s), t_(t), at_(at) {
        intoS_ = inwardFrom(s, cell.s0, cell.s1);
        intoT_ = inwardFrom(t, cell.t0, cell.t1);
        isPole_ = intoT_ != 0 && norm(at_.du) < 1e-9 * size;
    }

    Vec3 normal() const { return normalOf(patch_, at_, s_, t_, cell_.t1 - cell_.t0); }

    // False on a crease or tip: the cell has a normal other than this there.
    bool hasOnly(const Vec3& n) const {
        if (!isPole_) return norm(normal() - n) < sameNormal;
        for (const double s : {cell_.s0, 0.5 * (cell_.s0 + cell_.s1), cell_.s1}) {
            if (!(norm(normalAtPole(s) - n) < sameNormal)) return false;
        }
        return true;
    }

    // The outward normal times the angle that the cell takes up around the place. Summed over all cells that share the
    // place, it tells for every point whose nearest place this is on which side it lies (J. A. Baerentzen, H. Aanaes,
    // IEEE Trans. Vis. Comput. Graph. 11, 2005, for meshes; near a place a smooth cell is as flat as a triangle).
    Vec3 weighedNormal() const {
        if (isPole_) return normalAroundPole();
        double angle = 2 * std::numbers::pi;
        if (intoS_ != 0 || intoT_ != 0) angle = std::numbers::pi;
        if (intoS_ != 0 && intoT_ != 0) angle = angleBetween(intoS_ * at_.du, intoT_ * at_.dv);
        return angle * normal();
    }

private:
    Vec3 normalAtPole(double s) const { return normalOf(patch_, evaluate(patch_, s, t_), s, t_, cell_.t1 - cell_.t0); }

    // Part by part of the angle of the cell there, each with its own normal.
    Vec3 normalAroundPole() const {
        constexpr int parts = 16;
        const double step = (cell_.s1 - cell_.s0) / parts, beside = t_ + 0.01 * intoT_ * (cell_.t1 - cell_.t0);
        const auto away = [&](double s) { return positionAt(patch_, s, beside) - at_.position; };
        Vec3 sum;
        for (int k = 0; k < parts; ++k) {
            const double from = cell_.s0 + k * step;
            sum += angleBetween(away(from), away(from + step)) * normalAtPole(from + 0.5 * step);
        }
        return sum;
    }

    const BezierPatch& patch_;
    const SurfaceCell& cell_;
    double s_, t_;
    const SurfacePoint& at_;
    int intoS_, intoT_;
    bool isPole_;
};

// The derivative of the unit normal along the surface.
Mat3 bendAt(const SurfacePoint& p) {
    const Vec3 n = normalized(cross(p.du, p.dv));
    const double e = normSquared(p.du), f = dot(p.du, p.dv), g = normSquared(p.dv), det = e * g - f * f;
    // The dual tangents: a.S_u = 1, a.S_v = 0, and b the other way round.
    const Vec3 a = (g * p.du - f * p.dv) / det, b = (e * p.dv - f * p.du) / det;
    Mat3 m = dot(n, p.duu) * outer(a, a);
    m += dot(n, p.duv) * (outer(a, b) + outer(b, a));
    m += dot(n, p.dvv) * outer(b, b);
    return -1.0 * m;
}

// Principal curvatures, the larger first: the eigenvalues of the bend other than the 0 of the normal.
struct Curvatures {
    double most, least;
};
Curvatures curvaturesOf(const Mat3& bend) {
    const double sum = trace(bend);
    double squares = 0;
    for (const double value : bend.m) squares += value * value;
    const double half = std::sqrt(std::max(0.0, 0.5 * squares - 0.25 * sum * sum));
    return {0.5 * sum + half, 0.5 * sum - half};
}

struct Start {
    double s, t;
};

// A minimum of the distance from a point within a cell.
class CellDescent {
public:
    CellDescent(const BezierPatch& patch, const SurfaceCell& cell, const Vec3& x, double size)
        : patch_(patch), cell_(cell), x_(x), size_(size) {}

    double s = 0, t = 0, square = 0;
    SurfacePoint at;

    void from(const Start& start) { from(start, evaluate(patch_, start.s, start.t)); }
    // from where evaluate() has this to say
    void from(const Start& start, const SurfacePoint& there) {
        moveTo(start.s, start.t, there);
        for (int step = 0; step < 60; ++step) {
            if (!goDown()) return;
        }
    }

private:
    struct Step {
        double s = 0, t = 0;
    };

    void moveTo(double newS, double newT) { moveTo(newS, newT, evaluate(patch_, newS, newT)); }
    void moveTo(double newS, double newT, const SurfacePoint& there) {
        s = newS, t = newT;
        at = there;
        square = normSquared(at.position - x_);
    }

    // Parameters that are not held at an end of the cell by the slope.
    struct Free {
        bool s, t;
    };
    Free freeAt(double slopeS, double slopeT) const {
        const bool isFlatS = normSquared(at.du) < 1e-24 * size_ * size_;
        return {!isFlatS && !(s <= cell_.s0 && slopeS > 0) && !(s >= cell_.s1 && slopeS < 0),
                !(t <= cell_.t0 && slopeT > 0) && !(t >= cell_.t1 && slopeT < 0)};
    }

    static Step newtonStep(const Free& isFree, double slopeS, double slopeT, double ss, double st, double tt) {
        if (!isFree.s) return {0, -slopeT / tt};
        if (!isFree.t) return {-slopeS / ss, 0};
        const double det = ss * tt - st * st;
        return {-(tt * slopeS - st * slopeT) / det, -(ss * slopeT - st * slopeS) / det};
    }

    // One step that makes the distance smaller; false if there is none that counts.
    bool goDown() {
        const Vec3 r = at.position - x_;
        const double slopeS = dot(r, at.du), slopeT = dot(r, at.dv);
        const Free isFree = freeAt(slopeS, slopeT);
        if (!isFree.s && !isFree.t) return false;
        const double e = normSquared(at.du), f = dot(at.du, at.dv), g = normSquared(at.dv);
        const double ss = e + dot(r, at.duu), st = f + dot(r, at.duv), tt = g + dot(r, at.dvv);
        const bool isConvex = (!isFree.s || ss > 1e-3 * e) && (!isFree.t || tt > 1e-3 * g) &&
                              (!isFree.s || !isFree.t || ss * tt - st * st > 1e-6 * e * g);
        // The metric alone, with a little more on its diagonal, goes downhill from anywhere.
        const Step step = isConvex ? newtonStep(isFree, slopeS, slopeT, ss, st, tt)
                                   : newtonStep(isFree, slopeS, slopeT, 1.001 * e, f, 1.001 * g);
        const double way = std::sqrt(e) * std::abs(step.s) + std::sqrt(g) * std::abs(step.t);
        if (isConvex && way < lastStep * size_) {
            // So near, distances no longer tell which place is better, but the step does.
            moveTo(std::clamp(s + step.s, cell_.s0, cell_.s1), std::clamp(t + step.t, cell_.t0, cell_.t1));
            return false;
        }
        if (search(step)) return true;
        // Cut off at the ends of the cell a step may lead uphill; those along the parameters do not.
        return search({isFree.s ? -slopeS / e : 0, 0}) || search({0, isFree.t ? -slopeT / g : 0});
    }

    bool search(const Step& step) {
        if (step.s == 0 && step.t == 0) return false;
        const CellDescent before = *this;
        double share = 1;
        for (int k = 0; k < 12; ++k, share *= 0.5) {
            const double newS = std::clamp(before.s + share * step.s, cell_.s0, cell_.s1);
            const double newT = std::clamp(before.t + share * step.t, cell_.t0, cell_.t1);
            if (newS == before.s && newT == before.t) break;
            moveTo(newS, newT);
            if (square < before.square * (1 - 1e-15)) return true;
        }
        s = before.s, t = before.t, at = before.at, square = before.square;
        return false;
    }

    const BezierPatch& patch_;
    const SurfaceCell& cell_;
    const Vec3& x_;
    double size_;
};

double squaredDistance(const SurfaceCell& c, const Vec3& x) {
    const Vec3 way = x - c.middle;
    return squaredDistance(BoundingBox{c.low, c.high}, Vec3{dot(way, c.along), dot(way, c.across), dot(way, c.normal)});
}

// False if the distance of a point this far from the surface has one minimum in the cell.
bool mayHaveMore(const SurfaceCell& c, const Vec3& x, double distance) {
    const bool outside = dot(x - c.middle, c.normal) > 0;
    return distance * (outside ? c.hollow : c.bulge) > nearFocus;
}

}  // namespace

// The search for the nearest point, cell by cell, the nearest boxes first.
class NearestSearch {
public:
    NearestSearch(const SurfaceTree& tree, const Vec3& x) : tree_(tree), x_(x), tie_(sameFoot * tree.surface().size()) {
        sharers_.clear();
        near_.clear();
    }

    SurfaceFoot find(std::uint32_t hint) {
        const double fromHint = hint < tree_.cells_.size() ? descend(hint) : 0;
        gatherCells();
        for (const NearCell& next : near_) {
            if (next.square > limit()) break;
            const double distance = next.cell == hint ? fromHint : descend(next.cell);
            if (next.square <= limit()) descendFromMore(next.cell, distance);
        }
        return foot();
    }

private:
    struct NearCell {
        std::uint32_t cell;
        double square;  // m^2, of the distance of its box
    };

    // A cell that has the foot, and where in its patch.
    struct Sharer {
        std::uint32_t cell;
        double s, t;
        SurfacePoint at;
    };

    static double squareBeyond(double distance, double tie) { return (distance + tie) * (distance + tie); }
    double limit() const { return squareBeyond(distance_, tie_); }

    // Those that can hold the nearest point, by the distance of their boxes. Their middles are on the surface: no cell
    // whose box is farther than one of these counts.
    void gatherCells() {
        const auto& nodes = tree_.boxes_.nodes;
        const auto square = [&](std::uint32_t node) { return squaredDistance(nodes[node].box, x_); };
        struct Waiting {
            std::uint32_t node;
            double square;
        };
        std::array<Waiting, BoundingTree::mostDepth> stack;
        std::size_t waiting = 0;
        stack[waiting++] = {0, square(0)};
        for (double bound = limit(); waiting > 0;) {
            const Waiting next = stack[--waiting];
            if (next.square > bound) continue;
            const BoundingTree::Node& node = nodes[next.node];
            for (std::uint32_t k = 0; k < node.count; ++k) {
                bound = std::min(bound, addIfNear(tree_.boxes_.order[node.first + k], bound));
            }
            if (node.count > 0) continue;
            Waiting left{node.first, square(node.first)}, right{node.first + 1, square(node.first + 1)};
            if (left.square < right.square) std::swap(left, right);
            stack[waiting++] = left;
            stack[waiting++] = right;
        }
        std::sort(near_.begin(), near_.end(), [](const NearCell& a, const NearCell& b) {
            return a.square != b.square ? a.square < b.square : a.cell < b.cell;
        });
    }

    // Returns a bound of the square of the distance that counts.
    double addIfNear(std::uint32_t number, double bound) {
        const SurfaceCell& c = tree_.cells_[number];
        const double square = squaredDistance(c, x_);
        if (square > bound) return bound;
        near_.push_back({number, square});
        return squareBeyond(norm(x_ - c.middle), tie_);
    }

    CellDescent descentIn(const SurfaceCell& c) const { return {tree_.patchOf(c), c, x_, tree_.surface_.size()}; }

    // To the nearest point of one cell, from its middle; returns its distance.
    double descend(std::uint32_t number) {
        const SurfaceCell& c = tree_.cells_[number];
        CellDescent descent = descentIn(c);
        descent.from({0.5 * (c.s0 + c.s1), 0.5 * (c.t0 + c.t1)}, tree_.middles_[number]);
        keep(number, descent);
        return std::sqrt(descent.square);
    }

    // From other places, if the cell may have more minima than the one found at this distance.
    void descendFromMore(std::uint32_t number, double distance) {
        const SurfaceCell& c = tree_.cells_[number];
        if (!mayHaveMore(c, x_, distance)) return;
        CellDescent descent = descentIn(c);
        for (const double a : {0.1, 0.5, 0.9}) {
            for (const double b : {0.1, 0.5, 0.9}) {
                if (a == 0.5 && b == 0.5) continue;
                descent.from({c.s0 + a * (c.s1 - c.s0), c.t0 + b * (c.t1 - c.t0)});
                keep(number, descent);
            }
        }
    }

    void keep(std::uint32_t number, const CellDescent& d) {
        const double distance = std::sqrt(d.square);
        if (distance > distance_ + tie_) return;
        const bool isSame = norm(d.at.position - best_.point) <= tie_;
        const bool isNearer = distance < distance_ - tie_ || (distance < distance_ && !isSame);
        if (!isNearer && !isSame) return;
        if (isNearer) sharers_.clear();
        const bool isKnown =
            std::any_of(sharers_.begin(), sharers_.end(), [&](const Sharer& s) { return s.cell == number; });
        if (!isKnown) sharers_.push_back({number, d.s, d.t, d.at});
        if (distance >= distance_) return;
        distance_ = distance;
        best_.point = d.at.position;
        best_.cell = number;
        best_.s = d.s, best_.t = d.t;
        bestAt_ = d.at;
    }

    SurfaceFoot foot() {
        const Vec3 way = x_ - best_.point;
        const Vec3 own = placeIn(best_.cell, best_.s, best_.t, bestAt_).normal();
        const bool isSmooth =
            std::all_of(sharers_.begin(), sharers_.end(), [&](const Sharer& s) { return placeIn(s).hasOnly(own); });
        best_.normal = isSmooth ? own : meanNormal();
        const double height = dot(way, best_.normal), sideways = norm(way - height * best_.normal);
        best_.gap = height < 0 ? -distance_ : distance_;
        const bool isAbove = isSmooth && sideways <= straightAbove * distance_;
        if (!isAbove && sideways > tie_) best_.normal = way / best_.gap;
        return best_;
    }

    PlaceInCell placeIn(std::uint32_t cell, double s, double t, const SurfacePoint& at) const {
        const SurfaceCell& c = tree_.cells_[cell];
        return {tree_.patchOf(c), c, s, t, at, tree_.surface_.size()};
    }
    PlaceInCell placeIn(const Sharer& sharer) const { return placeIn(sharer.cell, sharer.s, sharer.t, sharer.at); }

    Vec3 meanNormal() const {
        Vec3 sum;
        for (const Sharer& s : sharers_) sum += placeIn(s).weighedNormal();
        return normalized(sum);
    }

    const SurfaceTree& tree_;
    const Vec3 x_;
    double tie_;  // m
    double distance_ = std::numeric_limits<double>::infinity();
    SurfaceFoot best_;
    SurfacePoint bestAt_;

    // The cells that have the foot, each once, in the order they were looked at. Kept from search to search, as the
    // cells nearby: no memory is asked for in a step.
    static thread_local std::vector<Sharer> sharers_;
    static thread_local std::vector<NearCell> near_;
};
thread_local std::vector<NearestSearch::Sharer> NearestSearch::sharers_;
thread_local std::vector<NearestSearch::NearCell> NearestSearch::near_;

SurfaceTree::SurfaceTree(NurbsSurface surface, double tolerance, double widest) : surface_(std::move(surface)) {
    const std::span<const BezierPatch> patches = surface_.patches();
    for (std::uint32_t k = 0; k < patches.size(); ++k) {
        cutFine(patches[k], {thinness * tolerance, widest}, mostHalvings, [&](const BezierPatch& part) {
            const SurfaceCell& c = cells_.emplace_back(cellOf(k, part));
            middles_.push_back(evaluate(patches[k], 0.5 * (c.s0 + c.s1), 0.5 * (c.t0 + c.t1)));
            return true;
        });
    }
    std::vector<BoundingBox> boxes;
    for (const SurfaceCell& c : cells_) {
        // The corners of the thin box.
        BoundingBox box{c.middle, c.middle};
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 p{corner & 1 ? c.low.x : c.high.x, corner & 2 ? c.low.y : c.high.y,
                         corner & 4 ? c.low.z : c.high.z};
            extend(box, c.middle + p.x * c.along + p.y * c.across + p.z * c.normal);
        }
        boxes.push_back(box);
    }
    boxes_ = buildTree(boxes);
}

SurfaceCell SurfaceTree::cellOf(std::uint32_t patch, const BezierPatch& part) const {
    const BezierPatch& whole = surface_.patches()[patch];
    const double rangeU = whole.endU - whole.beginU, rangeV = whole.endV - whole.beginV;
    SurfaceCell c{.patch = patch};
    c.s0 = (part.beginU - whole.beginU) / rangeU, c.s1 = (part.endU - whole.beginU) / rangeU;
    c.t0 = (part.beginV - whole.beginV) / rangeV, c.t1 = (part.endV - whole.beginV) / rangeV;
    const SurfacePoint p = evaluate(part, 0.5, 0.5);
    c.middle = p.position;
    c.normal = normalOf(part, p, 0.5, 0.5, 1);
    c.along = normalized(p.du - dot(p.du, c.normal) * c.normal);
    c.across = cross(c.normal, c.along);
    forEachControlPoint(part, [&](const Vec3& point) {
        const Vec3 way = point - c.middle;
        c.radius = std::max(c.radius, norm(way));
        const Vec3 local{dot(way, c.along), dot(way, c.across), dot(way, c.normal)};
        for (int k = 0; k < 3; ++k) c.low[k] = std::min(c.low[k], local[k]), c.high[k] = std::max(c.high[k], local[k]);
    });
    for (const double s : {0.1, 0.5, 0.9}) {
        for (const double t : {0.1, 0.5, 0.9}) {
            const Curvatures k = curvaturesOf(bendAt(evaluate(part, s, t)));
            c.bulge = std::max(c.bulge, k.most);
            c.hollow = std::max(c.hollow, -k.least);
        }
    }
    return c;
}

std::size_t SurfaceTree::cellsNeeded(const NurbsSurface& surface, double tolerance, double widest, std::size_t most) {
    std::size_t cells = 0;
    const auto count = [&](const BezierPatch&) { return ++cells <= most; };
    for (const BezierPatch& patch : surface.patches()) {
        if (!cutFine(patch, {thinness * tolerance, widest}, mostHalvings, count)) break;
    }
    return cells;
}

SurfaceFoot SurfaceTree::closestPoint(const Vec3& x, std::uint32_t hint) const {
    return NearestSearch(*this, x).find(hint);
}

Mat3 SurfaceTree::bend(const SurfaceFoot& foot) const {
    const SurfaceCell& c = cells_[foot.cell];
    SurfacePoint p = evaluate(patchOf(c), foot.s, foot.t);
    // A hundredth of the cell away from a pole.
    const double away = 0.01 * (c.t1 - c.t0);
    if (norm(cross(p.du, p.dv)) <= 0.1 * away * norm(p.duv) * norm(p.dv)) {
        p = evaluate(patchOf(c), foot.s, std::clamp(foot.t, c.t0 + away, c.t1 - away));
    }
    const Mat3 bend = bendAt(p);
    for (const double value : bend.m) {
        if (!std::isfinite(value)) return {};
    }
    return bend;
}

}  // namespace talus
