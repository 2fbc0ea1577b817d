#include "solvers/interior_point.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "solvers/second_order_cone.hpp"

namespace talus {
namespace {

constexpr double nearlyAll = 0.99;         // -, of the way to the border of a cone
constexpr double centrality = 1e-3;        // -, least l^2 of a contact over the mean
constexpr double shortStep = 0.2;          // -, below which the path is looked for again first
constexpr double softness = 1e-9;          // -, of W_ii, least compliance in the factors; refinement removes it
constexpr double lockedCompliance = 1e12;  // -, of W_ii, for directions in which no reaction acts
constexpr int fewShortSteps = 3;           // in a row, before m is raised
constexpr int patience = 12;  // steps without a better residual or less of an error of u = f(z), to give a path up
constexpr int mostShifts = 4;
constexpr double tiniestStep = 1e-10;
constexpr double roundOff = 1e-11;  // -, of the first error of u = f(z)

// How a contact enters: its unit of mass, its friction coefficient, and what its variables may be.
struct Entry {
    enum class Kind { cone, halfLine, free } kind = Kind::cone;
    double root = 1;      // sqrt(kg), of m
    double friction = 1;  // -, 1 for half-lines and free reactions
    double cohesion = 0;  // N s
};

class Path {
public:
    Path(const ContactProblem& problem, FrictionLaw law, InteriorPointWorkspace& ws)
        : problem_(problem), law_(law), ws_(ws), entries_(problem.contactCount()) {
        ws_.system.load(problem);
        start();
    }

    // Reactions and velocities of the present point.
    void evaluate() {
        parallelFor(size(), [&](std::size_t i) { ws_.reactions[i] = reaction(i, ws_.x[i]); });
        relativeVelocities(problem_, ws_.reactions, ws_.velocities);
        gapNorm_ = norm(0);
        mean_ = meanProduct(0);
        if (firstGap_ == 0) {
            firstGap_ = gapNorm_;
            mostGap_ = 10 * gapNorm_ / mean_;
        }
    }

    double error() const { return gapNorm_; }

    // One step along the path; false if there are no factors.
    bool move() {
        if (!factorise()) return false;
        const double left = predict();
        correct(left * left * left);
        double step = longestStep();
        // Too near the border: aim for the middle, at about the same m or, if that has not helped for a while, a larger
        // one.
        const auto aimFor = [&](double part) {
            if (step >= shortStep) return;
            centre(part);
            step = longestStep();
        };
        aimFor(0.8);
        shortSteps_ = step < shortStep ? shortSteps_ + 1 : 0;
        if (shortSteps_ >= fewShortSteps) {
            aimFor(3);
            aimFor(30);
        }
        advance(step);
        return true;
    }

private:
    bool factorise() {
        parallelFor(size(), [&](std::size_t i) { prepareContact(i); });
        const bool isSymmetric = law_ == FrictionLaw::associated && unskews_.empty();
        return ws_.system.factorise(ws_.stiffness, ws_.softened, isSymmetric ? Symmetry::symmetric : Symmetry::general);
    }

    // Straight to m = 0; returns the part of m that would be left at the border.
    double predict() {
        findDirection([](const Vec3& l, std::size_t) { return -cone::product(l, l); });
        const double left = meanProduct(std::min(1.0, toBorder())) / mean_;
        return std::clamp(left, 0.0, 1.0);
    }

    // To m = part of the present one, with what the predictor saw of second order.
    void correct(double part) {
        // What the corrector adds is made of the predictor's direction, which it then replaces.
        parallelFor(size(),
                    [&](std::size_t i) { ws_.drive[i] = cone::product(back_[i] * ws_.dx[i], forth_[i] * ws_.dz[i]); });
        findDirection([&](const Vec3& l, std::size_t i) {
            return Vec3{part * mean_, 0, 0} - cone::product(l, l) - ws_.drive[i];
        });
    }

    // Back to the middle, at nearly the same m.
    void centre(double part) {
        findDirection([&](const Vec3& l, std::size_t) { return Vec3{part * mean_, 0, 0} - cone::product(l, l); });
    }

    // The longest step that stays inside, near the path, and leaves no larger error of u = f(z) behind.
    double longestStep() const {
        double step = std::min(1.0, nearlyAll * toBorder());
        while (step > tiniestStep && !isGood(step)) step *= 0.7;
        return step;
    }

    void advance(double step) {
        parallelFor(size(), [&](std::size_t i) {
            ws_.x[i] += step * ws_.dx[i];
            ws_.z[i] += step * ws_.dz[i];
        });
    }

    std::size_t size() const { return entries_.size(); }
    bool isConical(std::size_t i) const { return entries_[i].kind != Entry::Kind::free; }

    // Standard variables and back: x = T (g + c n)/root with T = diag(mu, 1, 1), velocities the other way round.
    Vec3 reaction(std::size_t i, const Vec3& x) const {
        const Entry& e = entries_[i];
        return {e.root * x.x / e.friction - e.cohesion, e.root * x.y, e.root * x.z};
    }
    Vec3 standardVelocity(std::size_t i, const Vec3& u) const {
        const Entry& e = entries_[i];
        const double tangential = e.kind == Entry::Kind::halfLine ? 0.0 : e.root;
        return {e.root * u.x / e.friction, tangential * u.y, tangential * u.z};
    }
    Vec3 physicalVelocity(std::size_t i, const Vec3& u) const {
        const Entry& e = entries_[i];
        return {u.x * e.friction / e.root, u.y / e.root, u.z / e.root};
    }

    Vec3 withoutShift(std::size_t i, const Vec3& z) const {  // f(z)
        const Vec3 u = slides(i) ? Vec3{z.x - (z.y * z.y + z.z * z.z) / z.x, z.y, z.z} : z;
        return unskews_.empty() ? u : unskews_[i] * u;
    }
    // f' and its inverse.
    void findSlope(std::size_t i, const Vec3& z) {
        Mat3 d = identity3(), back = identity3();
        if (slides(i)) {
            const double slip = (z.y * z.y + z.z * z.z) / (z.x * z.x);
            d(0, 0) = 1 + slip;
            d(0, 1) = -2 * z.y / z.x;
            d(0, 2) = -2 * z.z / z.x;
            back(0, 0) = 1 / d(0, 0);
            back(0, 1) = -d(0, 1) / d(0, 0);
            back(0, 2) = -d(0, 2) / d(0, 0);
        }
        slopes_[i] = unskews_.empty() ? d : unskews_[i] * d;
        unslopes_[i] = unskews_.empty() ? back : back * inverse(unskews_[i]);
    }
    bool slides(std::size_t i) const { return law_ == FrictionLaw::coulomb && entries_[i].kind == Entry::Kind::cone; }

    // All contacts in the middle of their cones, with an energy like that of the first velocities.
    void start() {
        // What an earlier problem left there must not count.
        for (auto* v : {&ws_.x, &ws_.z, &ws_.right, &ws_.reactions, &ws_.dx, &ws_.dz, &ws_.drive}) {
            v->assign(size(), Vec3{});
        }
        ws_.stiffness.resize(size());
        ws_.compliance.resize(size());
        ws_.softened.resize(size());
        forth_.resize(size());
        back_.resize(size());
        slopes_.resize(size());
        unslopes_.resize(size());
        change_.resize(size());
        double energy = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            const ReactionSet& s = problem_.sets[i];
            Entry& e = entries_[i];
            e.root = std::sqrt(3 / trace(problem_.diagonal(i)));
            if (s.bilateral) {
                e.kind = Entry::Kind::free;
            } else {
                e.cohesion = s.cohesion;
                if (s.friction == 0) e.kind = Entry::Kind::halfLine;
                if (s.friction > 0) e.friction = s.friction;
                ++cones_;
            }
            energy += normSquared(standardVelocity(i, problem_.offset[i]));
        }
        for (std::size_t i = 0; i < problem_.skew.size(); ++i) {
            const Mat3 stretch = diagonal3({entries_[i].friction, 1, 1}),
                       unstretch = diagonal3({1 / entries_[i].friction, 1, 1});
            unskews_.push_back(unstretch * inverse(problem_.skew[i]) * stretch);
        }
        const double middle = energy > 0 ? std::sqrt(energy / static_cast<double>(size())) : 1.0;
        for (std::size_t i = 0; i < size(); ++i) {
            ws_.x[i] = ws_.z[i] = isConical(i) ? Vec3{middle, 0, 0} : Vec3{};
        }
    }

    // The error of u = f(z) at a step along the direction.
    Vec3 gap(std::size_t i, double step) const {
        const Vec3 u = standardVelocity(i, ws_.velocities[i] + step * change_[i]);
        return isConical(i) ? u - withoutShift(i, ws_.z[i] + step * ws_.dz[i]) : u;
    }
    double norm(double step) const {
        return std::sqrt(parallelSum(size(), 0.0, [&](std::size_t i) { return normSquared(gap(i, step)); }));
    }
    double meanProduct(double step) const {
        if (cones_ == 0) return 1;
        return parallelSum(
                   size(), 0.0,
                   [&](std::size_t i) { return dot(ws_.x[i] + step * ws_.dx[i], ws_.z[i] + step * ws_.dz[i]); }) /
               static_cast<double>(cones_);
    }

    // R + E of a contact, and the inverse of that for the factors, where nothing is stiffer than softness allows.
    void prepareContact(std::size_t i) {
        const Entry& e = entries_[i];
        const double mass = e.root * e.root;
        const Mat3 own = problem_.compliance.empty() ? Mat3{} : problem_.compliance[i];
        Mat3 &compliance = ws_.compliance[i], &softened = ws_.softened[i];
        ContactStiffness& stiffness = ws_.stiffness[i];
        if (e.kind == Entry::Kind::free) {
            compliance = own;
            softened = own + (softness / mass) * identity3();
            stiffness = {inverse(softened)};
            return;
        }
        const cone::Spectral n = cone::scaling(ws_.x[i], ws_.z[i]);
        forth_[i] = n.matrix();
        back_[i] = n.each([](double a) { return 1 / a; }).matrix();
        findSlope(i, ws_.z[i]);
        if (e.kind == Entry::Kind::halfLine) {
            compliance = (lockedCompliance / mass) * identity3();
            compliance(0, 0) = slopes_[i](0, 0) * back_[i](0, 0) * back_[i](0, 0) / mass + own(0, 0);
            softened = compliance + (softness / mass) * identity3();
            stiffness = {diagonal3({1 / softened(0, 0), 0, 0})};
            return;
        }
        const cone::Spectral soft = n.each([](double a) { return a / std::sqrt(1 + softness * a * a); });
        const Mat3 softForth = soft.matrix(), softBack = soft.each([](double a) { return 1 / a; }).matrix();
        const Mat3 stretch = (1 / e.root) * diagonal3({e.friction, 1, 1});
        const Mat3 unstretch = e.root * diagonal3({1 / e.friction, 1, 1});
        compliance = stretch * slopes_[i] * back_[i] * back_[i] * stretch + own;
        softened = stretch * slopes_[i] * softBack * softBack * stretch + own;
        const Mat3& unslope = unslopes_[i];
        stiffness = problem_.compliance.empty()
                        ? ContactStiffness{unstretch * softForth, softForth * unslope * unstretch}
                        : withCompliance(soft, unslope * unstretch * own * unstretch, unstretch, unslope);
    }

    // (R + E)^-1 = U (N^-2 + E')^-1 f'^-1 U, with U from standard variables and E' = f'^-1 U E U: taken along the axes
    // of N, where large and small stand apart, and with a unit diagonal.
    static ContactStiffness withCompliance(const cone::Spectral& n, const Mat3& own, const Mat3& unstretch,
                                           const Mat3& unslope) {
        const Mat3 axes = n.axes(), along = transpose(axes) * own * axes;
        const Vec3 d = n.eigenvalues();
        Vec3 unit;
        Mat3 inner;
        for (int k = 0; k < 3; ++k) unit[k] = 1 / std::sqrt(1 + d[k] * d[k] * along(k, k));
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                const double identity = row == column ? 1.0 : 0.0;
                inner(row, column) = unit[row] * (identity + d[row] * along(row, column) * d[column]) * unit[column];
            }
        }
        const Mat3 scaled = diagonal3(hadamard(unit, d));
        return {unstretch * axes * scaled * inverse(inner), scaled * transpose(axes) * unslope * unstretch};
    }

    // The direction that brings x o z to where target(l, contact), in scaled variables, points.
    template <class Target>
    void findDirection(const Target& target) {
        parallelFor(size(), [&](std::size_t i) {
            Vec3 right = -gap(i, 0);
            if (isConical(i)) {
                const Vec3 l = forth_[i] * ws_.z[i];
                ws_.drive[i] = back_[i] * cone::divide(target(l, i), l);
                right += slopes_[i] * ws_.drive[i];
            }
            ws_.right[i] = physicalVelocity(i, right);
        });
        ws_.system.solveRefined(ws_.right, ws_.compliance, ws_.dg);

        // dz from whichever of x o z and u = f(z) makes it exact in relation to itself: the first where the contact
        // holds and z is small, the second where it is open.
        relativeVelocities(problem_, ws_.dg, change_);
        parallelFor(size(), [&](std::size_t i) {
            const Entry& e = entries_[i];
            const Vec3& dg = ws_.dg[i];
            change_[i] -= problem_.offset[i];  // W dg is left
            ws_.dx[i] = {dg.x * e.friction / e.root, dg.y / e.root, dg.z / e.root};
            ws_.dz[i] = Vec3{};  // of free reactions
            if (!isConical(i)) return;
            if (cone::determinant(ws_.x[i]) > cone::determinant(ws_.z[i])) {
                ws_.dz[i] = ws_.drive[i] - back_[i] * (back_[i] * ws_.dx[i]);
            } else {
                ws_.dz[i] = unslopes_[i] * (gap(i, 0) + standardVelocity(i, change_[i]));
            }
            if (e.kind == Entry::Kind::halfLine) ws_.dx[i].y = ws_.dx[i].z = ws_.dz[i].y = ws_.dz[i].z = 0;
        });
    }

    double toBorder() const {
        return 1 / parallelMax(size(), [&](std::size_t i) {
                   if (!isConical(i)) return 0.0;
                   return 1 / std::min(cone::longestStep(ws_.x[i], ws_.dx[i]), cone::longestStep(ws_.z[i], ws_.dz[i]));
               });
    }

    bool isGood(double step) const {
        const double mean = meanProduct(step);
        const double farthest = parallelMax(size(), [&](std::size_t i) {
            if (!isConical(i)) return 0.0;
            const Vec3 x = ws_.x[i] + step * ws_.dx[i], z = ws_.z[i] + step * ws_.dz[i];
            if (!(cone::determinant(x) > 0 && cone::determinant(z) > 0)) return std::numeric_limits<double>::infinity();
            const double l = cone::least(cone::scaling(x, z).matrix() * z);
            return mean / (l * l);
        });
        return farthest * centrality < 1 &&
               norm(step) <= std::max({(1 - 0.01 * step) * gapNorm_, mostGap_ * mean, roundOff * firstGap_});
    }

    const ContactProblem& problem_;
    FrictionLaw law_;
    InteriorPointWorkspace& ws_;
    std::vector<Entry> entries_;
    std::vector<Mat3> forth_, back_;       // N at the present point and its inverse
    std::vector<Mat3> slopes_, unslopes_;  // f' there and its inverse
    std::vector<Mat3> unskews_;            // H^-1 in standard variables; empty: 1
    std::vector<Vec3> change_;             // of the velocities along the direction
    std::size_t cones_ = 0;
    int shortSteps_ = 0;
    double gapNorm_ = 0, mean_ = 1, firstGap_ = 0, mostGap_ = 0;
};

// The best reactions seen so far, judged by the problem that is to be solved.
class BestAnswer {
public:
    BestAnswer(const ContactProblem& problem, const SolverSettings& s, std::vector<Vec3>& reactions,
               std::vector<Vec3>& velocities, SolveReport& report)
        : problem_(problem),
          law_(s.law),
          reactions_(reactions),
          velocities_(velocities),
          report_(report),
          stopping_(s, report, Pace::every) {
        diagonals_.measure(problem);
    }

    // True if it is time to stop.
    bool offer(const std::vector<Vec3>& g) {
        relativeVelocities(problem_, g, fresh_);
        const Residuals residuals = measureResiduals(problem_, law_, diagonals_, g, fresh_);
        if (iteration_ == 0 || residuals.naturalMap < report_.residuals.naturalMap) {
            report_.residuals = residuals;
            reactions_ = g;
            velocities_ = fresh_;
            found_ = iteration_ > 0;
        }
        status_ = stopping_.check(iteration_++, residuals.naturalMap);
        // Numbers that go bad on the way do not spoil what was found before.
        if (status_ == SolveStatus::numericalError && found_) status_ = SolveStatus::stalled;
        return status_.has_value();
    }

    double residual() const { return report_.residuals.naturalMap; }
    std::optional<SolveStatus> status() const { return status_; }

private:
    const ContactProblem& problem_;
    FrictionLaw law_;
    Diagonals diagonals_;
    std::vector<Vec3>&reactions_, &velocities_, fresh_;
    SolveReport& report_;
    Stopping stopping_;
    std::uint64_t iteration_ = 0;
    bool found_ = false;  // something better than the guess
    std::optional<SolveStatus> status_;
};

// To the end of the path of a problem, or until it gets no better; true if that was enough.
bool followPath(const ContactProblem& problem, FrictionLaw law, double tolerance, InteriorPointWorkspace& ws,
                BestAnswer& best) {
    Path path(problem, law, ws);
    Diagonals diagonals;
    diagonals.measure(problem);
    double lowest = std::numeric_limits<double>::infinity(), leastError = lowest;
    for (int waited = 0; waited < patience; ++waited) {
        path.evaluate();
        if (best.offer(ws.reactions)) return true;
        const double here = measureResiduals(problem, law, diagonals, ws.reactions, ws.velocities).naturalMap;
        if (here <= tolerance) return false;
        if (here < 0.9 * lowest || path.error() < 0.9 * leastError) waited = 0;
        lowest = std::min(lowest, here);
        leastError = std::min(leastError, path.error());
        if (!path.move()) return false;
    }
    return false;
}

// Coulomb's law as a sequence of convex problems, each with the shift mu |u_t| of the last answer; the first has none.
void followShifts(const ContactProblem& problem, double tolerance, InteriorPointWorkspace& ws, BestAnswer& best) {
    ContactProblem shifted = problem;
    for (int round = 0; round < mostShifts; ++round) {
        const double before = best.residual();
        if (followPath(shifted, FrictionLaw::associated, 0.1 * tolerance, ws, best)) return;
        if (round > 0 && best.residual() > 0.7 * before) return;
        for (std::size_t i = 0; i < problem.contactCount(); ++i) {
            shifted.offset[i].x = problem.offset[i].x + slipShift(problem.sets[i], ws.velocities[i]);
        }
    }
}

// Reactions of contacts that are all open.
std::vector<Vec3> apexes(const ContactProblem& p) {
    std::vector<Vec3> g(p.contactCount());
    for (std::size_t i = 0; i < g.size(); ++i) g[i].x = p.sets[i].bilateral ? 0.0 : -p.sets[i].cohesion;
    return g;
}

}  // namespace

void solveInteriorPoint(const ContactProblem& problem, const SolverSettings& s, InteriorPointWorkspace& ws,
                        std::vector<Vec3>& reactions, std::vector<Vec3>& velocities, SolveReport& report) {
    refuseCapsAndBalls(problem, SolverKind::interiorPoint);
    const bool warm = std::any_of(reactions.begin(), reactions.end(), [](const Vec3& g) { return g != Vec3{}; });
    BestAnswer best(problem, s, reactions, velocities, report);
    // A guess cannot be started from, since it lies on the border, but it may do; so may no reactions at all, of which
    // the inside of the cones falls short.
    bool done = best.offer(ws.reactions = reactions);
    if (!done && warm) done = best.offer(ws.reactions = apexes(problem));
    if (!done) {
        done = followPath(problem, s.law, s.tolerance, ws, best);
        if (!done && s.law == FrictionLaw::coulomb) followShifts(problem, s.tolerance, ws, best);
    }
    report.status = best.status().value_or(SolveStatus::stalled);
    report.factorBytes = ws.system.size().bytes;
}

}  // namespace talus
