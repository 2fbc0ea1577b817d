#include "solvers/interior/central_path.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "solvers/interior/interior_point.hpp"

namespace talus {
namespace {

constexpr double nearlyAll = 0.99;   // -, of the way to the border of a cone
constexpr double centrality = 1e-3;  // -, least l^2 of a contact over the mean
constexpr double shortStep = 0.2;    // -, below which the path is looked for again first
constexpr int fewShortSteps = 3;     // in a row, before m is raised
constexpr double tiniestStep = 1e-10;
constexpr double smallestMean = 1e-11;  // -, of the first m: near round-off
constexpr double roundOff = 1e-11;      // -, of the first error of u = f(z)

}  // namespace

CentralPath::CentralPath(const ContactProblem& problem, FrictionLaw law, InteriorPointWorkspace& ws)
    : problem_(problem), law_(law), ws_(ws), entries_(problem.contactCount()) {
    ws_.system.load(problem);
    start();
}

void CentralPath::evaluate() {
    parallelFor(size(), [&](std::size_t i) { ws_.reactions[i] = reaction(i, ws_.x[i]); });
    relativeVelocities(problem_, ws_.reactions, ws_.velocities);
    gapNorm_ = norm(0);
    mean_ = meanProduct(0);
    if (firstGap_ == 0) {
        firstGap_ = gapNorm_;
        firstMean_ = mean_;
        mostGap_ = 10 * gapNorm_ / mean_;
    }
}

bool CentralPath::isNearRoundOff() const { return !limits_.empty() && mean_ <= smallestMean * firstMean_; }

bool CentralPath::move(Aim aim) {
    if (!factorise()) return false;
    if (aim == Aim::middle) {
        centre(1);
    } else {
        const double left = predict();
        correct(left * left * left);
    }
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

bool CentralPath::factorise() {
    parallelFor(size(), [&](std::size_t i) { prepareContact(i); });
    const bool isSymmetric = law_ == FrictionLaw::associated && unskews_.empty();
    return ws_.system.factorise(ws_.stiffness, ws_.softened, isSymmetric ? Symmetry::symmetric : Symmetry::general);
}

double CentralPath::predict() {
    for (LimitPart& limit : limits_) limit.forgetSecondOrder();
    driveLimits(0);
    findDirection([](const Vec3& l, std::size_t) { return -cone::product(l, l); });
    const double left = meanProduct(std::min(1.0, toBorder())) / mean_;
    return std::clamp(left, 0.0, 1.0);
}

void CentralPath::correct(double part) {
    // What the corrector adds is made of the predictor's direction, which it then replaces.
    parallelFor(size(),
                [&](std::size_t i) { ws_.drive[i] = cone::product(back_[i] * ws_.dx[i], forth_[i] * ws_.dz[i]); });
    for (LimitPart& limit : limits_) limit.noteSecondOrder();
    driveLimits(part * mean_);
    findDirection([&](const Vec3& l, std::size_t i) {
        return Vec3{part * mean_, 0, 0} - cone::product(l, l) - ws_.drive[i];
    });
}

void CentralPath::centre(double part) {
    for (LimitPart& limit : limits_) limit.forgetSecondOrder();
    driveLimits(part * mean_);
    findDirection([&](const Vec3& l, std::size_t) { return Vec3{part * mean_, 0, 0} - cone::product(l, l); });
}

double CentralPath::longestStep() const {
    double step = std::min(1.0, nearlyAll * toBorder());
    while (step > tiniestStep && !isGood(step)) step *= 0.7;
    return step;
}

void CentralPath::advance(double step) {
    parallelFor(size(), [&](std::size_t i) {
        ws_.x[i] += step * ws_.dx[i];
        ws_.z[i] += step * ws_.dz[i];
        if (isLimited(i)) limits_[i].advance(step);
    });
}

void CentralPath::driveLimits(double target) {
    parallelFor(limits_.size(), [&](std::size_t i) { limits_[i].drive(target); });
}

Vec3 CentralPath::reaction(std::size_t i, const Vec3& x) const {
    const Vec3 ofCone = entries_[i].reaction(x);
    return isRound(i) ? ofCone + entries_[i].root * limits_[i].x.rest : ofCone;
}

Vec3 CentralPath::withoutShift(std::size_t i, const Vec3& z, double push) const {
    Vec3 u = slides(i) ? Vec3{z.x - (z.y * z.y + z.z * z.z) / z.x, z.y, z.z} : z;
    u.x -= push;
    return unskews_.empty() ? u : unskews_[i] * u;
}

void CentralPath::findSlope(std::size_t i, const Vec3& z) {
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
    if (isLimited(i)) limits_[i].shiftSlope = d(0, 0);
    slopes_[i] = unskews_.empty() ? d : unskews_[i] * d;
    unslopes_[i] = unskews_.empty() ? back : back * inverse(unskews_[i]);
}

void CentralPath::start() {
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
        StandardContact& e = entries_[i];
        e = StandardContact(s, problem_.diagonal(i));
        if (e.isConical()) ++cones_;
        energy += normSquared(s.ball > 0 ? e.root * problem_.offset[i] : standardVelocity(i, problem_.offset[i]));
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
    startLimits(middle);
}

void CentralPath::startLimits(double middle) {
    const bool any =
        std::any_of(problem_.sets.begin(), problem_.sets.end(), [](const ReactionSet& s) { return !s.isConical(); });
    limits_.assign(any ? size() : 0, {});
    for (std::size_t i = 0; i < limits_.size(); ++i) {
        const ReactionSet& s = problem_.sets[i];
        if (s.isConical()) continue;
        const StandardContact& e = entries_[i];
        LimitPart& part = limits_[i];
        part.isRound = s.isRounded();
        part.isCapped = s.isCapped();
        if (part.isCapped) {
            const double top = e.friction * (s.cap + s.cohesion) / e.root;
            ws_.x[i].x = std::min(middle, 0.5 * top);
            ws_.z[i].x = middle * middle / ws_.x[i].x;
            part.slack = top - ws_.x[i].x;
        }
        part.start(s.ball / e.root, middle * middle);
        cones_ += part.pairs();
    }
}

Vec3 CentralPath::gap(std::size_t i, double step) const {
    const Vec3 u = standardVelocity(i, ws_.velocities[i] + step * change_[i]);
    if (entries_[i].kind == ConeKind::point) return {};
    const double push = isCapped(i) ? limits_[i].pushAt(step) : 0.0;
    return isConical(i) ? u - withoutShift(i, ws_.z[i] + step * ws_.dz[i], push) : u;
}

Vec3 CentralPath::ballGap(std::size_t i, double step) const {
    return skewed(i, ws_.velocities[i] + step * change_[i]) - limits_[i].velocityAt(step);
}

Vec3 CentralPath::skewed(std::size_t i, const Vec3& u) const {
    return entries_[i].root * (problem_.skew.empty() ? u : problem_.skew[i] * u);
}

double CentralPath::norm(double step) const {
    return std::sqrt(parallelSum(size(), 0.0, [&](std::size_t i) {
        const double ofCone = normSquared(gap(i, step));
        return isRound(i) ? ofCone + normSquared(ballGap(i, step)) : ofCone;
    }));
}

double CentralPath::meanProduct(double step) const {
    if (cones_ == 0) return 1;
    const double sum = parallelSum(size(), 0.0, [&](std::size_t i) {
        const double ofCone = dot(ws_.x[i] + step * ws_.dx[i], ws_.z[i] + step * ws_.dz[i]);
        return isLimited(i) ? ofCone + limits_[i].products(step) : ofCone;
    });
    return sum / static_cast<double>(cones_);
}

void CentralPath::prepareContact(std::size_t i) {
    const StandardContact& e = entries_[i];
    const Mat3* own = problem_.compliance.empty() ? nullptr : &problem_.compliance[i];
    if (e.kind == ConeKind::free) return keep(i, lineariseFree(e, own));
    if (e.kind == ConeKind::point) return isRound(i) ? preparePoint(i) : keep(i, lineariseLocked(e));
    const cone::Spectral n = cone::scaling(ws_.x[i], ws_.z[i]);
    forth_[i] = n.matrix();
    back_[i] = n.each([](double a) { return 1 / a; }).matrix();
    findSlope(i, ws_.z[i]);
    if (isLimited(i)) return prepareLimited(i, n);
    keep(i, linearise(e, n, {slopes_[i], unslopes_[i]}, own));
}

void CentralPath::keep(std::size_t i, const LinearContact& c) {
    ws_.compliance[i] = c.compliance;
    ws_.softened[i] = c.softened;
    ws_.stiffness[i] = c.stiffness;
}

void CentralPath::preparePoint(std::size_t i) {
    findSlope(i, {});
    finishLimited(i);
}

void CentralPath::prepareLimited(std::size_t i, const cone::Spectral& n) {
    limits_[i].ofScaling = n;
    if (entries_[i].kind == ConeKind::cone) limits_[i].measureCone();
    if (entries_[i].kind == ConeKind::halfLine) limits_[i].measureHalfLine();
    finishLimited(i);
}

void CentralPath::finishLimited(std::size_t i) {
    const StandardContact& e = entries_[i];
    const Mat3 own = problem_.compliance.empty() ? Mat3{} : problem_.compliance[i];
    LimitPart& part = limits_[i];
    part.measureBall(e.friction);
    part.addUp(e.lockedCompliance);
    const Mat3 stretch = e.stretch(), unstretch = e.unstretch();
    const Mat3 &slope = slopes_[i], &unslope = unslopes_[i], &basis = part.basis, along = transpose(basis);
    ws_.compliance[i] = stretch * slope * basis * part.compliance() * along * stretch + own;
    ws_.softened[i] = ws_.compliance[i] + e.softness * (stretch * slope * stretch);
    const Mat3 more = along * (unslope * unstretch * own * unstretch) * basis + e.softness * identity3();
    const LimitPart::Product inner = part.stiffnessWith(more);
    ws_.stiffness[i] = {unstretch * basis * inner.left, inner.right * along * unslope * unstretch};
}

template <class Target>
void CentralPath::findDirection(const Target& target) {
    parallelFor(size(), [&](std::size_t i) {
        Vec3 right = -gap(i, 0);
        if (isConical(i)) {
            const Vec3 l = forth_[i] * ws_.z[i];
            const Vec3 push = cone::divide(target(l, i), l);
            ws_.drive[i] = back_[i] * push;
            if (isLimited(i)) limits_[i].conePush = push;
            right += slopes_[i] * ws_.drive[i];
        }
        if (isLimited(i)) right = rightOfLimited(i, right);
        ws_.right[i] = physicalVelocity(i, right);
    });
    ws_.system.solveRefined(ws_.right, ws_.compliance, ws_.dg);

    // dz from whichever of x o z and u = f(z) makes it exact in relation to itself: the first where the contact
    // holds and z is small, the second where it is open.
    relativeVelocities(problem_, ws_.dg, change_);
    parallelFor(size(), [&](std::size_t i) {
        const StandardContact& e = entries_[i];
        const Vec3& dg = ws_.dg[i];
        change_[i] -= problem_.offset[i];  // W dg is left
        ws_.dx[i] = {dg.x * e.friction / e.root, dg.y / e.root, dg.z / e.root};
        ws_.dz[i] = Vec3{};  // of free reactions
        if (isLimited(i)) return moveLimited(i);
        if (!isConical(i)) return;
        if (cone::determinant(ws_.x[i]) > cone::determinant(ws_.z[i])) {
            ws_.dz[i] = ws_.drive[i] - back_[i] * (back_[i] * ws_.dx[i]);
        } else {
            ws_.dz[i] = unslopes_[i] * (gap(i, 0) + standardVelocity(i, change_[i]));
        }
        if (e.kind == ConeKind::halfLine) ws_.dx[i].y = ws_.dx[i].z = ws_.dz[i].y = ws_.dz[i].z = 0;
    });
}

Vec3 CentralPath::rightOfLimited(std::size_t i, Vec3 ofCone) {
    LimitPart& part = limits_[i];
    const Vec3 capDrive{isCapped(i) ? part.capDrive : 0.0, 0, 0};
    ofCone -= unskews_.empty() ? capDrive : unskews_[i] * capDrive;
    if (!part.isRound) return ofCone;
    const Mat3 along = transpose(part.basis);
    const Vec3 ofBall = part.ballDrive.rest - ballGap(i, 0);
    part.coneRight = along * (unslopes_[i] * ofCone);
    part.ballRight = along * Vec3{ofBall.x / entries_[i].friction, ofBall.y, ofBall.z};
    return slopes_[i] * (part.basis * part.right());
}

void CentralPath::moveLimited(std::size_t i) {
    const StandardContact& e = entries_[i];
    LimitPart& part = limits_[i];
    Vec3 &dx = ws_.dx[i], &dz = ws_.dz[i];
    if (part.isRound) {
        const Vec3 whole = dx;
        dx = part.basis * part.shareOfCone(transpose(part.basis) * whole);
        if (e.kind == ConeKind::halfLine) dx.y = dx.z = 0;
        if (e.kind == ConeKind::point) dx = Vec3{};
        const Vec3 rest = whole - dx;
        part.moveBall({rest.x / e.friction, rest.y, rest.z}, ballGap(i, 0), skewed(i, change_[i]));
    }
    if (!isConical(i)) return;
    const Vec3 seen = unslopes_[i] * (gap(i, 0) + standardVelocity(i, change_[i]));
    if (e.kind == ConeKind::cone) {
        dz = part.moveCone(dx, seen);
    } else {
        dx.y = dx.z = 0;
        dz = {part.moveHalfLine(dx.x, seen.x), 0, 0};
    }
}

double CentralPath::toBorder() const {
    return 1 / parallelMax(size(), [&](std::size_t i) {
               const double ofLimits = isLimited(i) ? 1 / limits_[i].toBorder() : 0.0;
               if (!isConical(i)) return ofLimits;
               const double ofCone =
                   std::min(cone::longestStep(ws_.x[i], ws_.dx[i]), cone::longestStep(ws_.z[i], ws_.dz[i]));
               return std::max(1 / ofCone, ofLimits);
           });
}

bool CentralPath::isGood(double step) const {
    const double mean = meanProduct(step);
    const double farthest = parallelMax(size(), [&](std::size_t i) {
        const double ofLimits = isLimited(i) ? mean / limits_[i].leastProduct(step) : 0.0;
        if (!isConical(i)) return ofLimits;
        const Vec3 x = ws_.x[i] + step * ws_.dx[i], z = ws_.z[i] + step * ws_.dz[i];
        if (!(cone::determinant(x) > 0 && cone::determinant(z) > 0)) return std::numeric_limits<double>::infinity();
        const double l = cone::least(cone::scaling(x, z).matrix() * z);
        return std::max(mean / (l * l), ofLimits);
    });
    return farthest * centrality < 1 &&
           norm(step) <= std::max({(1 - 0.01 * step) * gapNorm_, mostGap_ * mean, roundOff * firstGap_});
}

}  // namespace talus
