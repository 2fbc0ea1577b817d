#include "solvers/interior/slip_path.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr double leastLeft = 0.05;  // -, of the distance to the border of a cone, after a step
constexpr double shorter = 0.8;     // by which steps are shortened until they fit
constexpr double tiniestStep = 1e-10;
constexpr double lowered = 0.3;                    // -, of m: the next one
constexpr double nearPath = 2, smallGap = 0.1;     // -, of m and of its root: where it may be lowered
constexpr double rounded = 10;                     // -, of m
constexpr double shortStep = 0.3, longStep = 0.8;  // -, that tell the pace
constexpr double slower = 0.5, faster = 3, onward = 1.2;
constexpr double leastPace = 0.05, mostPace = 1e8;

}  // namespace

SlipPath::SlipPath(const ContactProblem& problem, double care, ContactSystem& system, SlipPathWorkspace& ws)
    : problem_(problem), care_(care), system_(system), ws_(ws), entries_(problem.contactCount()) {
    system_.load(problem);
    start();
}

bool SlipPath::fits(const ContactProblem& p) {
    return p.skew.empty() &&
           std::all_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& s) { return s.isConical(); });
}

void SlipPath::start() {
    // What an earlier problem left there must not count.
    for (auto* v : {&ws_.x, &ws_.z, &ws_.reactions, &ws_.velocities, &ws_.drive, &ws_.away, &ws_.right, &ws_.dg}) {
        v->assign(size(), Vec3{});
    }
    for (SlipDirection* d : {&ws_.straight, &ws_.bend}) {
        for (auto* v : {&d->x, &d->z, &d->velocity}) v->assign(size(), Vec3{});
        d->shift.assign(size(), 0.0);
    }
    for (auto* v : {&ws_.shift, &ws_.slipError, &ws_.follow}) v->assign(size(), 0.0);
    for (auto* v : {&ws_.forth, &ws_.back, &ws_.slope, &ws_.unslope, &ws_.compliance, &ws_.softened}) {
        v->assign(size(), identity3());
    }
    ws_.stiffness.assign(size(), {});
    double energy = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        entries_[i] = StandardContact(problem_.sets[i], problem_.diagonal(i));
        if (!isFree(i)) ++cones_;
        energy += normSquared(standardVelocity(i, problem_.offset[i]));
    }
    // All contacts in the middle of their cones, with an energy like that of the first velocities.
    const double middle = energy > 0 ? std::sqrt(energy / static_cast<double>(size())) : 1.0;
    for (std::size_t i = 0; i < size(); ++i) ws_.x[i] = ws_.z[i] = isFree(i) ? Vec3{} : Vec3{middle, 0, 0};
}

Vec3 SlipPath::gap(std::size_t i) const {
    const Vec3 u = standardVelocity(i, ws_.velocities[i]);
    return isFree(i) ? u : u + Vec3{ws_.shift[i], 0, 0} - ws_.z[i];
}

void SlipPath::evaluate() {
    const std::size_t n = size();
    parallelFor(n, [&](std::size_t i) { ws_.reactions[i] = reaction(i); });
    relativeVelocities(problem_, ws_.reactions, ws_.velocities);
    const auto sum = [&](const auto& term) { return parallelSum(n, 0.0, term); };
    const double count = std::max(1.0, static_cast<double>(n)), pairs = std::max(1.0, static_cast<double>(cones_));
    mean_ = sum([&](std::size_t i) { return dot(ws_.x[i], ws_.z[i]); }) / pairs;
    unit_ = std::sqrt(sum([&](std::size_t i) { return normSquared(ws_.x[i]); }) / count);
    roundness_ = rounded * mean_ / unit_;
    parallelFor(n, [&](std::size_t i) {
        if (entries_[i].kind != ConeKind::cone) return;
        ws_.slipError[i] = slip(standardVelocity(i, ws_.velocities[i])) - roundness_ - ws_.shift[i];
    });
    gapNorm_ = std::sqrt(sum([&](std::size_t i) { return normSquared(gap(i)); }) / count);
    slipNorm_ = std::sqrt(sum([&](std::size_t i) { return ws_.slipError[i] * ws_.slipError[i]; }) / count);
}

void SlipPath::prepareContact(std::size_t i) {
    const StandardContact& e = entries_[i];
    const Mat3* own = problem_.compliance.empty() ? nullptr : &problem_.compliance[i];
    LinearContact c;
    if (e.kind == ConeKind::free) {
        c = lineariseFree(e, own);
    } else {
        const cone::Spectral n = cone::scaling(ws_.x[i], ws_.z[i]);
        ws_.forth[i] = n.matrix();
        ws_.back[i] = n.each([](double a) { return 1 / a; }).matrix();
        if (e.kind == ConeKind::cone) findSlope(i);
        c = linearise(e, n, {ws_.slope[i], ws_.unslope[i]}, own);
    }
    ws_.compliance[i] = c.compliance;
    ws_.softened[i] = c.softened;
    ws_.stiffness[i] = c.stiffness;
}

void SlipPath::findSlope(std::size_t i) {
    const Vec3 u = standardVelocity(i, ws_.velocities[i]);
    const double part = pace_ / (1 + pace_) / slip(u);
    Mat3 &slope = ws_.slope[i], &unslope = ws_.unslope[i];
    unslope(0, 1) = part * u.y;
    unslope(0, 2) = part * u.z;
    slope(0, 1) = -unslope(0, 1);
    slope(0, 2) = -unslope(0, 2);
}

// How far x o z is from m e, in units of m.
double SlipPath::offCentre() const {
    const double sum = parallelSum(size(), 0.0, [&](std::size_t i) {
        if (isFree(i)) return 0.0;
        const Vec3 l = ws_.forth[i] * ws_.z[i];
        return normSquared(cone::product(l, l) - Vec3{mean_, 0, 0});
    });
    return std::sqrt(sum / std::max(1.0, static_cast<double>(cones_))) / mean_;
}

void SlipPath::findStraight(double part) {
    parallelFor(size(), [&](std::size_t i) {
        ws_.away[i] = gap(i);
        ws_.follow[i] = pace_ / (1 + pace_) * ws_.slipError[i];
        if (isFree(i)) return;
        const Vec3 l = ws_.forth[i] * ws_.z[i];
        ws_.drive[i] = ws_.back[i] * cone::divide(Vec3{part * mean_, 0, 0} - cone::product(l, l), l);
    });
    solve(ws_.straight);
}

void SlipPath::findBend() {
    const SlipDirection& d = ws_.straight;
    parallelFor(size(), [&](std::size_t i) {
        ws_.away[i] = Vec3{};
        ws_.follow[i] = 0;
        if (isFree(i)) return;
        const Vec3 l = ws_.forth[i] * ws_.z[i];
        ws_.drive[i] = -(ws_.back[i] * cone::divide(cone::product(ws_.back[i] * d.x[i], ws_.forth[i] * d.z[i]), l));
        if (entries_[i].kind != ConeKind::cone) return;
        const Vec3 u = standardVelocity(i, ws_.velocities[i]), du = standardVelocity(i, d.velocity[i]);
        const double length = slip(u), along = (u.y * du.y + u.z * du.z) / length;
        ws_.follow[i] = 0.5 * pace_ / (1 + pace_) * (du.y * du.y + du.z * du.z - along * along) / length;
    });
    solve(ws_.bend);
}

void SlipPath::solve(SlipDirection& d) {
    parallelFor(size(), [&](std::size_t i) {
        const Vec3 right = ws_.drive[i] - ws_.away[i] - Vec3{ws_.follow[i], 0, 0};
        ws_.right[i] = physicalVelocity(i, ws_.slope[i] * right);
    });
    system_.solveRefined(ws_.right, ws_.compliance, ws_.dg);
    relativeVelocities(problem_, ws_.dg, d.velocity);
    parallelFor(size(), [&](std::size_t i) {
        const StandardContact& e = entries_[i];
        const Vec3& dg = ws_.dg[i];
        d.velocity[i] -= problem_.offset[i];  // W dg is left
        d.x[i] = {dg.x * e.friction / e.root, dg.y / e.root, dg.z / e.root};
        if (isFree(i)) return;
        const Vec3 change = standardVelocity(i, d.velocity[i]);
        d.shift[i] = ws_.unslope[i](0, 1) * change.y + ws_.unslope[i](0, 2) * change.z + ws_.follow[i];
        // From whichever makes it exact in relation to itself: x o z where the contact holds and z is small.
        if (cone::determinant(ws_.x[i]) > cone::determinant(ws_.z[i])) {
            d.z[i] = ws_.drive[i] - ws_.back[i] * (ws_.back[i] * d.x[i]);
        } else {
            d.z[i] = ws_.away[i] + change + Vec3{d.shift[i], 0, 0};
        }
        if (e.kind == ConeKind::halfLine) d.x[i].y = d.x[i].z = d.z[i].y = d.z[i].z = 0;
    });
}

bool SlipPath::isInside(double step, double square) const {
    const SlipDirection &a = ws_.straight, &b = ws_.bend;
    return parallelMax(size(), [&](std::size_t i) {
               if (isFree(i)) return 0.0;
               const Vec3 x = ws_.x[i] + step * a.x[i] + square * b.x[i];
               const Vec3 z = ws_.z[i] + step * a.z[i] + square * b.z[i];
               const bool isIn = cone::least(x) > leastLeft * cone::least(ws_.x[i]) &&
                                 cone::least(z) > leastLeft * cone::least(ws_.z[i]);
               return isIn ? 0.0 : 1.0;
           }) == 0.0;
}

double SlipPath::longestStep(double bent) const {
    double step = 1;
    while (step > tiniestStep && !isInside(step, bent * step * step)) step *= shorter;
    return step;
}

void SlipPath::aim(double part) {
    findStraight(part);
    findBend();
    const double straight = longestStep(0), bent = longestStep(1);
    bent_ = bent > straight || bent == 1 ? 1 : 0;
    step_ = std::max(bent, straight);
}

bool SlipPath::move() {
    constexpr double tooShort = 0.1;
    parallelFor(size(), [&](std::size_t i) { prepareContact(i); });
    if (!system_.factorise(ws_.stiffness, ws_.softened, Symmetry::general)) return false;
    const bool isNear =
        offCentre() < nearPath && gapNorm_ < smallGap * std::sqrt(mean_) && slipNorm_ < care_ * mean_ / unit_;
    aim(isNear ? lowered : 1.0);
    if (isNear && step_ < tooShort) aim(1);
    pace_ *= step_ < shortStep ? slower : step_ > longStep ? faster : onward;
    pace_ = std::clamp(pace_, leastPace, mostPace);
    const double square = bent_ * step_ * step_;
    parallelFor(size(), [&](std::size_t i) {
        ws_.x[i] += step_ * ws_.straight.x[i] + square * ws_.bend.x[i];
        ws_.z[i] += step_ * ws_.straight.z[i] + square * ws_.bend.z[i];
        ws_.shift[i] += step_ * ws_.straight.shift[i] + square * ws_.bend.shift[i];
    });
    return true;
}

}  // namespace talus
