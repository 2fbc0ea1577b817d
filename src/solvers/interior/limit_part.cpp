#include "solvers/interior/limit_part.hpp"

#include <array>

namespace talus {
namespace {

// A matrix with its rows and columns scaled.
Mat3 scaled(const Vec3& rows, const Mat3& a, const Vec3& columns) {
    Mat3 b;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) b(row, column) = rows[row] * a(row, column) * columns[column];
    }
    return b;
}

Vec3 columnOf(const Mat3& a, int k) { return {a(0, k), a(1, k), a(2, k)}; }

template <class Function>
Vec3 each(const Vec3& a, const Function& f) {
    return {f(a.x), f(a.y), f(a.z)};
}

}  // namespace

void LimitPart::start(double bound, double product) {
    if (isCapped) push = product / slack;
    if (!isRound) return;
    x = {bound, {}};
    z = {product / bound, {}};
}

double LimitPart::products(double step) const {
    double sum = 0;
    if (isCapped) sum += (slack + step * slackChange) * (push + step * pushChange);
    if (isRound) sum += cone::dot(x + step * dx, z + step * dz);
    return sum;
}

// (N^-2 + k n n^T)^-1, without differences.
void LimitPart::measureCone() {
    const cone::Spectral& n = ofScaling;
    const double plus = 1 / (n.plus * n.plus), minus = 1 / (n.minus * n.minus), k = capResistance();
    ofCone = Mat3{};
    ofCone(2, 2) = n.across * n.across;
    if (k <= std::max(plus, minus)) {
        const double determinant = plus * minus + 0.5 * k * (plus + minus);
        basis = n.axes();
        ofCone(0, 0) = (minus + 0.5 * k) / determinant;
        ofCone(1, 1) = (plus + 0.5 * k) / determinant;
        ofCone(0, 1) = ofCone(1, 0) = -0.5 * k / determinant;
    } else {
        const double mean = 0.5 * (plus + minus), determinant = plus * minus + k * mean;
        basis = {{1, 0, 0, 0, n.ty, -n.tz, 0, n.tz, n.ty}};
        ofCone(0, 0) = mean / determinant;
        ofCone(1, 1) = (mean + k) / determinant;
        ofCone(0, 1) = ofCone(1, 0) = 0.5 * (minus - plus) / determinant;
    }
}

void LimitPart::measureHalfLine() {
    basis = identity3();
    ofCone = diagonal3({1 / (1 / (ofScaling.across * ofScaling.across) + capResistance()), 0, 0});
}

void LimitPart::measureBall(double friction) {
    ofBall = Mat3{};
    if (!isRound) return;
    scaling = cone::scaling(x, z);
    const Vec3 stretch{friction, 1, 1};
    ofBall = transpose(basis) * scaled(stretch, scaling.stiffness(), stretch) * basis;
}

// By the method of Cholesky, what is stiffest first, so that it does not blur what is soft.
void LimitPart::addUp(double largestCompliance) {
    const Mat3 sum = ofCone + ofBall;
    Mat3 rest = sum;
    half = unhalf = Mat3{};
    std::array<int, 3> left{0, 1, 2};
    for (int k = 0; k < 3; ++k) {
        const auto stiffer = [&](int a, int b) { return rest(a, a) > rest(b, b); };
        std::sort(left.begin() + k, left.end(), stiffer);
        const int pivot = left[static_cast<std::size_t>(k)];
        unhalf(k, pivot) = 1;
        for (int earlier = 0; earlier < k; ++earlier) {
            for (int column = 0; column < 3; ++column) {
                unhalf(k, column) -= half(pivot, earlier) * unhalf(earlier, column);
            }
        }
        const double least = std::numeric_limits<double>::epsilon() * sum(pivot, pivot);
        const double root = std::sqrt(std::max(rest(pivot, pivot), least));
        for (int column = 0; column < 3; ++column)
            unhalf(k, column) *= root > 0 ? 1 / root : std::sqrt(largestCompliance);
        if (root == 0) continue;
        half(pivot, k) = root;
        for (int later = k + 1; later < 3; ++later) {
            const int row = left[static_cast<std::size_t>(later)];
            half(row, k) = rest(row, pivot) / root;
        }
        rest = rest - outer(columnOf(half, k), columnOf(half, k));
    }
}

LimitPart::Product LimitPart::stiffnessWith(const Mat3& own) const {
    const Mat3 inner = identity3() + transpose(half) * own * half;
    const Vec3 shrink = each(Vec3{inner(0, 0), inner(1, 1), inner(2, 2)}, [](double a) { return 1 / std::sqrt(a); });
    const Mat3 shrunk = half * diagonal3(shrink);
    return {shrunk * inverse(scaled(shrink, inner, shrink)), transpose(shrunk)};
}

void LimitPart::noteSecondOrder() {
    capTerm = slackChange * pushChange;
    if (isRound) ballTerm = cone::product(scaling.back(dx), scaling.forth(dz));
}

void LimitPart::drive(double target) {
    if (isCapped) capDrive = (target - slack * push - capTerm) / slack;
    if (!isRound) return;
    const cone::Tall l = scaling.forth(z);
    ballPush = cone::divide(cone::Tall{target, {}} - cone::product(l, l) - ballTerm, l);
    ballDrive = scaling.back(ballPush);
}

Vec3 LimitPart::right() const { return compliance() * (ofCone * coneRight + ofBall * ballRight); }

Vec3 LimitPart::shareOfCone(const Vec3& change) const {
    return ofCone * (compliance() * (change + ofBall * (coneRight - ballRight)));
}

void LimitPart::moveCap(double normalChange) {
    if (!isCapped) return;
    slackChange = -normalChange;
    pushChange = capDrive + push / slack * normalChange;
}

// Along each axis of N either the product of x and z or u = f(z) - l n makes dz exact in relation to itself: the first
// where x is large beside z. Where the cap holds its push is as large as it is because of u.
Vec3 LimitPart::moveCone(const Vec3& change, const Vec3& seen) {
    const Mat3 axes = ofScaling.axes(), along = transpose(axes);
    const Vec3 n = ofScaling.eigenvalues(), moved = along * change, pushed = along * conePush, known = along * seen;
    const Vec3 normal = along * Vec3{1, 0, 0};
    const auto driven = [&](int k) { return (pushed[k] - moved[k] / n[k]) / n[k]; };
    moveCap(change.x);
    if (isCapped && push > slack) pushChange = shiftSlope * (driven(0) - known[0]) / normal[0];
    const double pushedBack = isCapped ? pushChange / shiftSlope : 0.0;
    Vec3 answer;
    for (int k = 0; k < 3; ++k) answer[k] = n[k] >= 1 ? driven(k) : known[k] + normal[k] * pushedBack;
    return axes * answer;
}

double LimitPart::moveHalfLine(double change, double seen) {
    const double n = ofScaling.across, driven = (conePush.x - change / n) / n;
    moveCap(change);
    if (isCapped && push > slack) {
        pushChange = driven - seen;
        return driven;
    }
    return n >= 1 ? driven : seen + pushAt(1) - pushAt(0);
}

void LimitPart::moveBall(const Vec3& change, const Vec3& gap, const Vec3& velocityChange) {
    dx = {0, change};
    const double size = norm(scaling.w.rest);
    if (size < 1) {
        dz = ballDrive - scaling.back(scaling.back(dx));
        return;
    }
    // Near the border products make only ds + w.dv/|w| well known, the rest is as large as it is because u = v.
    const Vec3 outward = (1 / size) * scaling.w.rest;
    const double most = scaling.stretch * (scaling.w.top + size);
    dz.rest = gap + velocityChange;
    dz.top = (ballPush.top + dot(outward, ballPush.rest) - dot(outward, change) / most) / most - dot(outward, dz.rest);
}

void LimitPart::advance(double step) {
    slack += step * slackChange;
    push += step * pushChange;
    x = x + step * dx;
    z = z + step * dz;
}

double LimitPart::toBorder() const {
    double step = std::numeric_limits<double>::infinity();
    const auto bound = [&](double at, double change) {
        if (change < 0) step = std::min(step, -at / change);
    };
    if (isCapped) {
        bound(slack, slackChange);
        bound(push, pushChange);
    }
    if (isRound) step = std::min({step, cone::longestStep(x, dx), cone::longestStep(z, dz)});
    return step;
}

double LimitPart::leastProduct(double step) const {
    double least = std::numeric_limits<double>::infinity();
    if (isCapped) {
        const double r = slack + step * slackChange, l = push + step * pushChange;
        least = r > 0 && l > 0 ? r * l : 0.0;
    }
    if (!isRound) return least;
    const cone::Tall a = x + step * dx, b = z + step * dz;
    if (!(cone::determinant(a) > 0 && cone::determinant(b) > 0)) return 0;
    const double l = cone::least(cone::scaling(a, b).forth(b));
    return std::min(least, l * l);
}

}  // namespace talus
