#include "grains/fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

#include "geometry/nurbs/closest_point.hpp"
#include "grains/corners.hpp"

namespace talus {
namespace {

constexpr int degree = 3;
constexpr std::size_t firstSpans = 8;  // of an outline without corners
constexpr double pointsPerSpan = 3;    // at least, or a span is not halved
constexpr int rounds = 30;             // of new knots
constexpr int corrections = 4;         // of parameters, per round
constexpr double cornerWeight = 1e3;   // against 1 of a traced point
constexpr double samePart = 3;         // -, see project()
constexpr double coarse = 6;           // -, of the distance between points
constexpr double smoothing = 1e-6;     // weight of differences of control points, where points are few

// A knot within [0, 1), repeated three times at a corner.
struct Break {
    double at = 0;
    int multiplicity = 1;
    Vec2 corner;
};

struct Sample {
    Vec2 place;
    double parameter = 0;
    double unsure = 0;
};

// Knots of a curve that closes after 1: one period and `degree` more on both sides.
std::vector<double> periodicKnots(const std::vector<Break>& breaks) {
    std::vector<double> period;
    for (const Break& b : breaks) period.insert(period.end(), static_cast<std::size_t>(b.multiplicity), b.at);
    const std::size_t m = period.size();
    std::vector<double> knots;
    for (std::size_t k = 0; k < m + 2 * degree + 1; ++k) knots.push_back(period[k % m] + static_cast<double>(k / m));
    return knots;
}

class Fitter {
public:
    Fitter(const std::vector<Vec2>& points, const std::vector<double>& unsure, const FitSettings& settings)
        : settings_(settings) {
        const ClosedPath path(points);
        length_ = path.length();
        const auto rough = std::count_if(unsure.begin(), unsure.end(), [](double u) { return u > 0; });
        const bool isRough = 2 * static_cast<std::size_t>(rough) > unsure.size();
        for (const TracedCorner& corner :
             findCorners(path, settings.cornerAngle, isRough ? Edge::rough : Edge::smooth)) {
            breaks_.push_back({corner.along / path.length(), degree, corner.place});
        }
        corners_ = static_cast<int>(breaks_.size());
        addFirstBreaks();
        for (std::size_t k = 0; k < points.size(); ++k) {
            samples_.push_back({points[k], path.along(k) / path.length(), unsure[k]});
        }
    }

    CurveFit fit() {
        CurveFit best;
        for (int round = 0; round < rounds; ++round) {
            CurveFit now = solveWithCorrections();
            const bool better = round == 0 || now.largestMiss < best.largestMiss;
            if (better) best = now;
            if (now.withinTolerance || !addBreaks()) break;
        }
        return best;
    }

private:
    void addFirstBreaks() {
        const std::size_t parts = corners_ == 0 ? firstSpans : 1;
        if (corners_ == 0) {
            for (std::size_t k = 0; k < parts; ++k) breaks_.push_back({static_cast<double>(k) / firstSpans, 1, {}});
        }
        // Few corners leave long stretches; the curve needs as many control points as a periodic one of its degree.
        while (breaks_.size() < 3) {
            std::vector<Break> more;
            for (std::size_t k = 0; k < breaks_.size(); ++k) {
                const double next = k + 1 < breaks_.size() ? breaks_[k + 1].at : breaks_[0].at + 1;
                more.push_back(breaks_[k]);
                more.push_back({0.5 * (breaks_[k].at + next), 1, {}});
            }
            breaks_ = more;
            sortBreaks();
        }
    }

    void sortBreaks() {
        for (Break& b : breaks_) b.at -= std::floor(b.at);
        std::sort(breaks_.begin(), breaks_.end(), [](const Break& a, const Break& b) { return a.at < b.at; });
    }

    CurveFit solveWithCorrections() {
        CurveFit result;
        for (int k = 0; k <= corrections; ++k) {
            NurbsDefinition definition = solve();
            const NurbsCurve curve(definition);
            CurveFit now{.curve = std::move(definition), .corners = corners_};
            project(curve, now);
            if (k == 0 || now.largestMiss < result.largestMiss) result = std::move(now);
            if (result.withinTolerance) break;
        }
        return result;
    }

    NurbsDefinition solve() const {
        const std::vector<double> knots = periodicKnots(breaks_);
        const std::size_t m = knots.size() - 2 * degree - 1;
        const double origin = knots[degree];
        Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(m));
        Eigen::MatrixXd right = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(m), 2);
        const auto add = [&](const Vec2& place, double parameter, double weight) {
            const double u = parameter - std::floor(parameter - origin);
            const BasisFunctions basis = basisFunctions(knots, degree, u);
            for (std::size_t i = 0; i <= degree; ++i) {
                const auto row = static_cast<Eigen::Index>((basis.first + i) % m);
                right(row, 0) += weight * basis.value[i] * place.x;
                right(row, 1) += weight * basis.value[i] * place.y;
                for (std::size_t j = 0; j <= degree; ++j) {
                    normal(row, static_cast<Eigen::Index>((basis.first + j) % m)) +=
                        weight * basis.value[i] * basis.value[j];
                }
            }
        };
        for (const Sample& s : samples_) add(s.place, s.parameter, 1);
        for (const Break& b : breaks_) {
            if (b.multiplicity > 1) add(b.corner, b.at, cornerWeight);
        }
        for (std::size_t k = 0; k < m; ++k) {
            const auto a = static_cast<Eigen::Index>(k), b = static_cast<Eigen::Index>((k + 1) % m);
            normal(a, a) += smoothing, normal(b, b) += smoothing;
            normal(a, b) -= smoothing, normal(b, a) -= smoothing;
        }
        const Eigen::MatrixXd control = normal.ldlt().solve(right);
        NurbsDefinition d{.degree = degree, .knots = knots};
        for (std::size_t k = 0; k < m + degree; ++k) {
            const auto row = static_cast<Eigen::Index>(k % m);
            d.points.push_back({control(row, 0), control(row, 1)});
        }
        return d;
    }

    // Moves each parameter to where the curve is nearest, unless that is on another part of it that comes near. On the
    // same part it is about twice as far along, at most, as the point is from the place it has now. Of a curve that is
    // still coarse nothing is to be learnt.
    void project(const NurbsCurve& curve, CurveFit& result) {
        const CurveTree tree(curve);
        const double spacing = length_ / static_cast<double>(samples_.size());
        double squares = 0;
        misses_.clear();
        for (Sample& s : samples_) {
            const ClosestPoint c = tree.closestPoint(s.place, s.parameter);
            const double change = c.parameter - s.parameter, short_ = change - std::round(change);
            double error = norm(curve.at(s.parameter) - s.place);
            if (error <= coarse * spacing && std::abs(short_) * length_ <= samePart * (error + spacing)) {
                s.parameter += short_;
                error = std::abs(c.gap);
            }
            misses_.push_back(std::sqrt(std::max(0.0, error * error - s.unsure * s.unsure)));
            squares += error * error;
            result.largestError = std::max(result.largestError, error);
            result.largestMiss = std::max(result.largestMiss, misses_.back());
        }
        result.meanError = std::sqrt(squares / static_cast<double>(samples_.size()));
        result.withinTolerance = result.largestMiss <= settings_.tolerance;
    }

    // Halves every span in which a point is too far away and that has points enough; false if there is none.
    bool addBreaks() {
        std::vector<double> far(breaks_.size(), 0), count(breaks_.size(), 0);
        for (std::size_t k = 0; k < samples_.size(); ++k) {
            const double u = samples_[k].parameter - std::floor(samples_[k].parameter);
            const auto after =
                std::upper_bound(breaks_.begin(), breaks_.end(), u, [](double v, const Break& b) { return v < b.at; });
            const std::size_t span =
                after == breaks_.begin() ? breaks_.size() - 1 : static_cast<std::size_t>(after - breaks_.begin()) - 1;
            far[span] = std::max(far[span], misses_[k]);
            count[span] += 1;
        }
        const std::size_t before = breaks_.size();
        for (std::size_t k = 0; k < before; ++k) {
            if (far[k] <= settings_.tolerance || count[k] < 2 * pointsPerSpan) continue;
            const double next = k + 1 < before ? breaks_[k + 1].at : breaks_[0].at + 1;
            breaks_.push_back({0.5 * (breaks_[k].at + next), 1, {}});
        }
        const bool added = breaks_.size() > before;
        sortBreaks();
        return added;
    }

    FitSettings settings_;
    std::vector<Break> breaks_;  // in order
    std::vector<Sample> samples_;
    std::vector<double> misses_;  // of the samples, see CurveFit::largestMiss
    double length_ = 0;           // of the outline
    int corners_ = 0;
};

}  // namespace

CurveFit fitClosedCurve(const std::vector<Vec2>& points, const std::vector<double>& unsure,
                        const FitSettings& settings) {
    return Fitter(points, unsure, settings).fit();
}

}  // namespace talus
