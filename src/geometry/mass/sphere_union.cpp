#include "geometry/mass/sphere_union.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace talus {
namespace {

using std::numbers::pi;

// Nodes and weights on [-1, 1]; one half, the rest by symmetry.
struct GaussNode {
    double place, weight;
};
constexpr std::array<GaussNode, 4> gauss8{{{0.1834346424956498, 0.3626837833783620},
                                           {0.5255324099163290, 0.3137066458778873},
                                           {0.7966664774136267, 0.2223810344533745},
                                           {0.9602898564975363, 0.1012285362903763}}};

// Sum of weight * visit(place) over the eight nodes of an interval.
template <class Integrand>
void integrate(double low, double high, Integrand&& add) {
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    for (const GaussNode& node : gauss8) {
        add(middle - half * node.place, half * node.weight);
        add(middle + half * node.place, half * node.weight);
    }
}

struct Disc {
    double x, y, radius;  // m
};
struct Arc {
    double from, to;  // rad
};

// Angles of circle i that lie within another disc, as arcs within [0, 2 pi]; false if all of it does.
bool coveredArcs(const std::vector<Disc>& discs, std::size_t i, std::vector<Arc>& covered) {
    const Disc& a = discs[i];
    covered.clear();
    for (std::size_t j = 0; j < discs.size(); ++j) {
        if (j == i) continue;
        const Disc& b = discs[j];
        const double dx = b.x - a.x, dy = b.y - a.y, distance = std::hypot(dx, dy);
        // If discs are equal, the first one counts.
        const bool isWithin = distance + a.radius <= b.radius && (distance + b.radius > a.radius || j < i);
        if (isWithin) return false;
        if (distance >= a.radius + b.radius || distance + b.radius <= a.radius) continue;
        const double cosine =
            (a.radius * a.radius + distance * distance - b.radius * b.radius) / (2 * a.radius * distance);
        const double half = std::acos(std::clamp(cosine, -1.0, 1.0)), middle = std::atan2(dy, dx);
        const double from = std::fmod(middle - half + 4 * pi, 2 * pi), to = from + 2 * half;
        covered.push_back({from, std::min(to, 2 * pi)});
        if (to > 2 * pi) covered.push_back({0, to - 2 * pi});
    }
    std::sort(covered.begin(), covered.end(), [](const Arc& p, const Arc& q) { return p.from < q.from; });
    return true;
}

// Adds what an arc of a circle contributes to the moments of the section at height z, times the weight:
// area = 1/2 int (x dy - y dx), int x = 1/2 int x^2 dy, int x^2 = 1/3 int x^3 dy, int x y = 1/2 int x^2 y dy, ...
void addArc(const Disc& disc, const Arc& arc, double z, double weight, MassMoments& sum) {
    const int pieces = std::max(1, static_cast<int>(std::ceil((arc.to - arc.from) / (0.25 * pi))));
    const double step = (arc.to - arc.from) / pieces;
    for (int k = 0; k < pieces; ++k) {
        integrate(arc.from + k * step, arc.from + (k + 1) * step, [&](double angle, double part) {
            const double c = std::cos(angle), s = std::sin(angle), w = weight * part;
            const double x = disc.x + disc.radius * c, y = disc.y + disc.radius * s;
            const double dx = -disc.radius * s, dy = disc.radius * c;
            const double area = 0.5 * w * (x * dy - y * dx);
            const double momentX = 0.5 * w * x * x * dy, momentY = -0.5 * w * y * y * dx;
            sum.volume += area;
            sum.firstMoment += {momentX, momentY, area * z};
            const double xx = w / 3 * x * x * x * dy, yy = -w / 3 * y * y * y * dx, xy = 0.5 * w * x * x * y * dy;
            sum.secondMoment +=
                Mat3{{xx, xy, momentX * z, xy, yy, momentY * z, momentX * z, momentY * z, area * z * z}};
        });
    }
}

class UnionIntegral {
public:
    explicit UnionIntegral(const std::vector<Ball>& balls) : balls_(balls) {}

    MassMoments integral() {
        const std::vector<double> heights = breakHeights();
        double volumes = 0;
        for (const Ball& b : balls_) volumes += 4.0 / 3 * pi * b.radius * b.radius * b.radius;
        tolerance_ = 1e-10 * volumes;
        MassMoments sum;
        for (std::size_t k = 1; k < heights.size(); ++k) {
            if (heights[k] > heights[k - 1]) sum += refined(heights[k - 1], heights[k], 0);
        }
        return sum;
    }

private:
    // Heights at which a section gets or loses a disc, or a pair of discs that cross.
    std::vector<double> breakHeights() const {
        std::vector<double> heights;
        for (std::size_t i = 0; i < balls_.size(); ++i) {
            const Ball& a = balls_[i];
            heights.insert(heights.end(), {a.centre.z - a.radius, a.centre.z + a.radius});
            for (std::size_t j = 0; j < i; ++j) {
                const Ball& b = balls_[j];
                const Vec3 d = b.centre - a.centre;
                const double square = normSquared(d);
                if (square == 0) continue;
                const double along = 0.5 * (1 + (a.radius * a.radius - b.radius * b.radius) / square);
                const double ring = a.radius * a.radius - along * along * square;
                if (ring <= 0) continue;
                const double middle = a.centre.z + along * d.z;
                const double reach = std::sqrt(ring * std::max(0.0, 1 - d.z * d.z / square));
                heights.insert(heights.end(), {middle - reach, middle + reach});
            }
        }
        std::sort(heights.begin(), heights.end());
        return heights;
    }

    MassMoments section(double z, double weight) {
        discs_.clear();
        for (const Ball& b : balls_) {
            const double square = b.radius * b.radius - (z - b.centre.z) * (z - b.centre.z);
            if (square > 0) discs_.push_back({b.centre.x, b.centre.y, std::sqrt(square)});
        }
        MassMoments sum;
        for (std::size_t i = 0; i < discs_.size(); ++i) {
            if (!coveredArcs(discs_, i, covered_)) continue;
            double reached = 0;
            for (const Arc& arc : covered_) {
                if (arc.from > reached) addArc(discs_[i], {reached, arc.from}, z, weight, sum);
                reached = std::max(reached, arc.to);
            }
            if (reached < 2 * pi) addArc(discs_[i], {reached, 2 * pi}, z, weight, sum);
        }
        return sum;
    }

    // With z = middle + half (3 t - t^3)/2 the nodes crowd at the ends, where sections change like a power 3/2.
    MassMoments byOneRule(double low, double high) {
        const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
        MassMoments sum;
        integrate(-1, 1, [&](double t, double weight) {
            sum += section(middle + half * 0.5 * t * (3 - t * t), weight * half * 1.5 * (1 - t * t));
        });
        return sum;
    }

    MassMoments refined(double low, double high, int depth) {
        constexpr int deepest = 10;
        const double middle = 0.5 * (low + high);
        MassMoments halves = byOneRule(low, middle);
        halves += byOneRule(middle, high);
        const double error = std::abs(halves.volume - byOneRule(low, high).volume);
        if (error <= tolerance_ || depth == deepest) return halves;
        MassMoments sum = refined(low, middle, depth + 1);
        sum += refined(middle, high, depth + 1);
        return sum;
    }

    const std::vector<Ball>& balls_;
    double tolerance_ = 0;  // m^3, of one piece
    std::vector<Disc> discs_;
    std::vector<Arc> covered_;
};

}  // namespace

MassMoments unionOfBalls(const std::vector<Ball>& balls) { return UnionIntegral(balls).integral(); }

}  // namespace talus
