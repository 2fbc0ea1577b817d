#include "geometry/nurbs/closest_point.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talus {
namespace {

constexpr double straightness = 0.05;  // -, thickness of a piece, of its length
constexpr double finestPiece = 1e-4;   // -, of the size of the curve
constexpr double cornerAngle = 1e-4;   // rad

// ---- polynomials by their Bernstein coefficients, when a tree is made

using Polynomial = std::vector<double>;

double binomial(std::size_t n, std::size_t k) {
    double result = 1;
    for (std::size_t i = 1; i <= k; ++i) result = result * static_cast<double>(n - k + i) / static_cast<double>(i);
    return result;
}

Polynomial product(const Polynomial& f, const Polynomial& g) {
    const std::size_t m = f.size() - 1, n = g.size() - 1;
    Polynomial result(m + n + 1, 0.0);
    for (std::size_t i = 0; i <= m; ++i) {
        for (std::size_t j = 0; j <= n; ++j) {
            result[i + j] += binomial(m, i) * binomial(n, j) / binomial(m + n, i + j) * f[i] * g[j];
        }
    }
    return result;
}

Polynomial derivative(const Polynomial& f) {
    Polynomial result(f.size() - 1);
    for (std::size_t i = 0; i + 1 < f.size(); ++i) result[i] = static_cast<double>(f.size() - 1) * (f[i + 1] - f[i]);
    return result;
}

Polynomial combined(const Polynomial& f, double factor, const Polynomial& g) {
    Polynomial result(f.size());
    for (std::size_t i = 0; i < f.size(); ++i) result[i] = f[i] + factor * g[i];
    return result;
}

bool isConstant(const Polynomial& f) {
    return std::all_of(f.begin(), f.end(), [&](double v) { return v == f[0]; });
}

// ---- the polynomial g of one query

constexpr std::size_t mostSlopes = 3 * highestDegree;
constexpr int mostHalvings = 45;

// Coefficients over a part [from, to] of a piece.
struct Slope {
    std::array<double, mostSlopes> value;
    std::size_t count;
    double from = 0, to = 1;
};

struct ValueAndRate {
    double value, rate;
};

ValueAndRate evaluateSlope(const Slope& g, double t) {
    std::array<double, mostSlopes> b = g.value;
    std::size_t rows = g.count - 1;
    for (; rows > 1; --rows) {
        for (std::size_t i = 0; i < rows; ++i) b[i] += t * (b[i + 1] - b[i]);
    }
    const double difference = b[1] - b[0];
    return {b[0] + t * difference, static_cast<double>(g.count - 1) * difference};
}

// The only root, of coefficients that go from negative to positive: Newton steps, kept in the bracket.
double onlyRoot(const Slope& g) {
    const double first = g.value[0], last = g.value[g.count - 1];
    double low = 0, high = 1, t = first < 0 && last > 0 ? first / (first - last) : 0.5;
    for (int iteration = 0; iteration < 60; ++iteration) {
        const auto [value, rate] = evaluateSlope(g, t);
        if (value == 0) break;
        (value < 0 ? low : high) = t;
        const double newton = t - value / rate;
        const bool inside = newton > low && newton < high;
        const double next = inside ? newton : 0.5 * (low + high), step = std::abs(next - t);
        t = next;
        // Newton doubles the digits: after a step this short the rest is round-off.
        if ((inside && step < 1e-8) || high - low < 1e-15) break;
    }
    return g.from + t * (g.to - g.from);
}

std::pair<Slope, Slope> halves(const Slope& g) {
    std::pair<Slope, Slope> parts{g, g};
    auto& [before, after] = parts;
    before.to = after.from = 0.5 * (g.from + g.to);
    for (std::size_t row = 0; row + 1 < g.count; ++row) {
        for (std::size_t i = 0; i + 1 < g.count - row; ++i)
            after.value[i] = 0.5 * (after.value[i] + after.value[i + 1]);
        before.value[row + 1] = after.value[0];
    }
    return parts;
}

struct Signs {
    int changes = 0;
    double first = 0;  // first coefficient that is not 0
};

Signs signsOf(const Slope& g) {
    Signs signs;
    double last = 0;
    for (std::size_t k = 0; k < g.count; ++k) {
        const double v = g.value[k];
        if (v == 0) continue;
        if (last == 0) signs.first = v;
        signs.changes += last != 0 && (v < 0) != (last < 0);
        last = v;
    }
    return signs;
}

double squaredDistanceToBox(const Vec2& x, const Vec2& low, const Vec2& high) {
    const double dx = std::max({low.x - x.x, 0.0, x.x - high.x}), dy = std::max({low.y - x.y, 0.0, x.y - high.y});
    return dx * dx + dy * dy;
}

}  // namespace

// ---- one query

class ClosestSearch {
public:
    ClosestSearch(const CurveTree& tree, const Vec2& x) : tree_(tree), x_(x) {}

    // Some point of the curve is this near.
    void startFrom(double hint) {
        const auto after = std::upper_bound(tree_.pieces_.begin(), tree_.pieces_.end(), hint,
                                            [](double u, const CurveTree::Piece& p) { return u < p.arc.begin; });
        const BezierArc& arc = (after == tree_.pieces_.begin() ? after : after - 1)->arc;
        const double t = std::clamp((hint - arc.begin) / (arc.end - arc.begin), 0.0, 1.0);
        limit_ = withRoundOff(normSquared(positionAt(arc, t) - x_));
    }

    void run() {
        struct Waiting {
            std::uint32_t node;
            double squared;
        };
        std::array<Waiting, 64> stack;
        std::size_t waiting = 0;
        stack[waiting++] = {0, 0};
        while (waiting > 0) {
            const Waiting next = stack[--waiting];
            if (next.squared > limit_) continue;
            const CurveTree::Node& node = tree_.nodes_[next.node];
            if (node.piece != CurveTree::Node::none) {
                visit(node.piece);
                continue;
            }
            Waiting near{node.child, squaredDistance(node.child)}, far{node.child + 1, squaredDistance(node.child + 1)};
            if (far.squared < near.squared) std::swap(near, far);
            stack[waiting++] = far;
            stack[waiting++] = near;
        }
    }

    ClosestPoint answer() const {
        const CurveTree::Piece& piece = tree_.pieces_[piece_];
        ClosestPoint answer{.parameter = parameter_, .point = point_};
        const Vec2 offset = x_ - point_;
        const double distance = norm(offset);
        if (t_ > 0 && t_ < 1) {
            const Vec2 tangent = evaluate(piece.arc, t_).first;
            answer.normal = turnedRight(normSquared(tangent) > 0 ? normalized(tangent) : piece.firstTangent);
            answer.gap = dot(offset, answer.normal) < 0 ? -distance : distance;
            return answer;
        }
        // Between two pieces: which side is told by the mean of their normals (exact also at corners).
        const std::size_t count = tree_.pieces_.size(), after = t_ > 0 ? (piece_ + 1) % count : piece_;
        const Vec2 in = tree_.pieces_[(after + count - 1) % count].lastTangent, out = tree_.pieces_[after].firstTangent;
        answer.normal = turnedRight(normalized(in + out));
        answer.atCorner = std::abs(angleBetween(in, out)) > cornerAngle;
        const double side = dot(offset, answer.normal) < 0 ? -1.0 : 1.0;
        answer.gap = side * distance;
        if (answer.atCorner && distance > 1e-12 * tree_.size_) answer.normal = side / distance * offset;
        return answer;
    }

private:
    static double withRoundOff(double squared) { return squared * (1 + 1e-12); }

    double squaredDistance(std::uint32_t node) const {
        return squaredDistanceToBox(x_, tree_.nodes_[node].low, tree_.nodes_[node].high);
    }

    void visit(std::uint32_t index) {
        const CurveTree::Piece& piece = tree_.pieces_[index];
        const double least = distanceToSegment(x_, piece.from, piece.to) - piece.thickness;
        if (least > 0 && least * least > limit_) return;
        Slope g;
        g.count = piece.slopeCount;
        const Vec2 x = x_ - piece.from;
        for (std::size_t k = 0; k < g.count; ++k) {
            const Vec3& s = tree_.slopes_[piece.slope + k];
            const double value = s.x - (s.y * x.x + s.z * x.y);
            // What round-off may have made counts as 0.
            const double roundOff = 4e-16 * (std::abs(s.x) + std::abs(s.y * x.x) + std::abs(s.z * x.y));
            g.value[k] = std::abs(value) > roundOff ? value : 0.0;
        }
        search(index, g, mostHalvings);
    }

    void search(std::uint32_t piece, const Slope& g, int halvings) {
        const Signs signs = signsOf(g);
        if (signs.changes == 0) {
            if (signs.first >= 0) consider(piece, g.from);
            if (signs.first <= 0) consider(piece, g.to);
        } else if (signs.changes == 1 && signs.first < 0) {
            consider(piece, onlyRoot(g));
        } else if (signs.changes == 1) {
            consider(piece, g.from);
            consider(piece, g.to);
        } else if (halvings == 0) {
            consider(piece, 0.5 * (g.from + g.to));
        } else {
            const auto [before, after] = halves(g);
            search(piece, before, halvings - 1);
            search(piece, after, halvings - 1);
        }
    }

    void consider(std::uint32_t index, double t) {
        const CurveTree::Piece& piece = tree_.pieces_[index];
        const Vec2 point = t <= 0 ? piece.from : t >= 1 ? piece.to : positionAt(piece.arc, t);
        const double squared = normSquared(point - x_);
        if (squared > squared_) return;
        const double parameter = parameterOf(index, t);
        if (squared == squared_ && parameter >= parameter_) return;
        squared_ = squared;
        parameter_ = parameter;
        point_ = point;
        piece_ = index;
        t_ = t;
        limit_ = std::min(limit_, withRoundOff(squared));
    }

    // The end of a piece is the begin of the next.
    double parameterOf(std::uint32_t index, double t) const {
        if (t < 1) return tree_.pieces_[index].arc.parameter(std::max(t, 0.0));
        return tree_.pieces_[(index + 1) % tree_.pieces_.size()].arc.begin;
    }

    const CurveTree& tree_;
    Vec2 x_;
    double limit_ = std::numeric_limits<double>::infinity();  // m^2, what is farther is left out
    double squared_ = std::numeric_limits<double>::infinity();
    double parameter_ = 0, t_ = 0;
    Vec2 point_;
    std::uint32_t piece_ = 0;
};

ClosestPoint CurveTree::closestPoint(const Vec2& x, double hint) const {
    ClosestSearch search(*this, x);
    if (!std::isnan(hint)) search.startFrom(hint);
    search.run();
    return search.answer();
}

// ---- making the tree

CurveTree::CurveTree(const NurbsCurve& curve) : size_(curve.size()) {
    for (const BezierArc& arc : curve.arcs()) addPieces(arc, finestPiece * curve.size());
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
        Piece& piece = pieces_[k];
        piece.to = pieces_[(k + 1) % pieces_.size()].from;
        addSlopes(piece);
    }
    nodes_.resize(1);
    build(0, 0, static_cast<std::uint32_t>(pieces_.size()));
}

void CurveTree::addPieces(const BezierArc& arc, double finest) {
    const double length = norm(arc.last() - arc.first()), thick = thickness(arc);
    if (thick > straightness * length && std::max(length, thick) > finest) {
        const auto [before, after] = split(arc, 0.5);
        addPieces(before, finest);
        addPieces(after, finest);
        return;
    }
    // A little more than what was found, since the ends are moved together by round-off.
    pieces_.push_back({.arc = arc,
                       .from = arc.first(),
                       .thickness = thick + 1e-14 * size_,
                       .firstTangent = firstTangent(arc),
                       .lastTangent = lastTangent(arc)});
}

void CurveTree::addSlopes(Piece& piece) {
    const std::size_t degree = static_cast<std::size_t>(piece.arc.degree);
    Polynomial x(degree + 1), y(degree + 1), w(degree + 1);
    for (std::size_t k = 0; k <= degree; ++k) {
        const Vec3& c = piece.arc.control[k];
        w[k] = c.z / piece.arc.control[0].z;
        x[k] = (c.x / c.z - piece.from.x) * w[k];
        y[k] = (c.y / c.z - piece.from.y) * w[k];
    }
    // Without weights, g has a lower degree.
    const bool rational = !isConstant(w);
    const auto numerator = [&](const Polynomial& a) {
        return rational ? combined(product(derivative(a), w), -1, product(a, derivative(w))) : derivative(a);
    };
    const Polynomial dx = numerator(x), dy = numerator(y);
    const Polynomial g0 = combined(product(x, dx), 1, product(y, dy)), g1x = product(w, dx), g1y = product(w, dy);
    ENGINE_CHECK(g0.size() <= mostSlopes);
    piece.slope = static_cast<std::uint32_t>(slopes_.size());
    piece.slopeCount = static_cast<std::uint32_t>(g0.size());
    for (std::size_t k = 0; k < g0.size(); ++k) slopes_.push_back({g0[k], g1x[k], g1y[k]});
}

void CurveTree::build(std::uint32_t node, std::uint32_t first, std::uint32_t last) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Vec2 low{infinity, infinity}, high{-infinity, -infinity};
    for (std::uint32_t k = first; k < last; ++k) {
        for (int j = 0; j <= pieces_[k].arc.degree; ++j) {
            const Vec2 p = pieces_[k].arc.point(j);
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
    }
    const Vec2 roundOff{1e-14 * size_, 1e-14 * size_};
    nodes_[node].low = low - roundOff;
    nodes_[node].high = high + roundOff;
    if (last - first == 1) {
        nodes_[node].piece = first;
        return;
    }
    const std::uint32_t child = static_cast<std::uint32_t>(nodes_.size()), middle = first + (last - first) / 2;
    nodes_[node].child = child;
    nodes_.resize(nodes_.size() + 2);
    build(child, first, middle);
    build(child + 1, middle, last);
}

}  // namespace talus
