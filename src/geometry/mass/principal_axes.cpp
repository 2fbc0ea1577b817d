#include "geometry/mass/principal_axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace talus {
namespace {

// Moments that differ by less than this part of their sum count as equal; it is far above the round-off of the
// integrals and far below what the motion of a body can show.
constexpr double equalMoments = 1e-10;

Vec3 column(const Mat3& a, int k) { return {a(0, k), a(1, k), a(2, k)}; }

void setColumn(Mat3& a, int k, const Vec3& v) {
    for (int row = 0; row < 3; ++row) a(row, k) = v[row];
}

// One rotation of Jacobi's method: makes element (p, q) of the matrix zero and turns the axes along.
void rotatePlane(Mat3& a, Mat3& axes, int p, int q) {
    const double theta = 0.5 * (a(q, q) - a(p, p)) / a(p, q);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
    const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
    Mat3 turn = identity3();
    turn(p, p) = turn(q, q) = c;
    turn(p, q) = s;
    turn(q, p) = -s;
    a = transpose(turn) * a * turn;
    a(p, q) = a(q, p) = 0;
    axes = axes * turn;
}

// Elements off the diagonal that are round-off are left alone: of equal moments they would choose the axes.
PrincipalAxes jacobi(Mat3 a) {
    const double small = 1e-15 * std::abs(trace(a));
    Mat3 axes = identity3();
    for (int sweep = 0; sweep < 30; ++sweep) {
        bool changed = false;
        for (const auto [p, q] : {std::array{0, 1}, std::array{0, 2}, std::array{1, 2}}) {
            if (std::abs(a(p, q)) <= small) continue;
            rotatePlane(a, axes, p, q);
            changed = true;
        }
        if (!changed) break;
    }
    return {axes, {a(0, 0), a(1, 1), a(2, 2)}};
}

// The axis of the frame that lies most in the plane across w, made to lie in it wholly; the first of equal ones.
Vec3 axisAcross(const Vec3& w) {
    int best = 0;
    for (int k = 1; k < 3; ++k) {
        if (std::abs(w[k]) < std::abs(w[best]) - 1e-6) best = k;
    }
    Vec3 axis;
    axis[best] = 1;
    return normalized(axis - w[best] * w);
}

// Where two or three moments are equal, their axes are chosen by the axes of the frame.
void settleEqualMoments(PrincipalAxes& p) {
    const double same = equalMoments * (std::abs(p.values.x) + std::abs(p.values.y) + std::abs(p.values.z));
    const auto equal = [&](int i, int j) { return std::abs(p.values[i] - p.values[j]) <= same; };
    const bool any01 = equal(0, 1), any12 = equal(1, 2), any02 = equal(0, 2);
    if (any01 + any12 + any02 >= 2) {
        p.axes = identity3();
    } else if (any01 || any12 || any02) {
        const int single = any01 ? 2 : any12 ? 0 : 1;
        const Vec3 w = normalized(column(p.axes, single)), u = axisAcross(w);
        setColumn(p.axes, single, w);
        setColumn(p.axes, (single + 1) % 3, u);
        setColumn(p.axes, (single + 2) % 3, cross(w, u));
    }
}

// Names and signs of the axes such that they are near to those of the frame.
PrincipalAxes nearestToFrame(const PrincipalAxes& p) {
    std::array<int, 3> order{0, 1, 2}, best = order;
    double most = -1;
    do {
        const double sum =
            std::abs(p.axes(0, order[0])) + std::abs(p.axes(1, order[1])) + std::abs(p.axes(2, order[2]));
        if (sum > most + 1e-9) {
            most = sum;
            best = order;
        }
    } while (std::next_permutation(order.begin(), order.end()));

    PrincipalAxes result;
    int weakest = 0;
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = column(p.axes, best[k]);
        setColumn(result.axes, k, axis[k] < 0 ? -axis : axis);
        result.values[k] = p.values[best[k]];
        if (std::abs(axis[k]) < result.axes(weakest, weakest) - 1e-9) weakest = k;
    }
    const bool rightHanded = dot(cross(column(result.axes, 0), column(result.axes, 1)), column(result.axes, 2)) > 0;
    if (!rightHanded) setColumn(result.axes, weakest, -column(result.axes, weakest));
    return result;
}

}  // namespace

MassMoments& MassMoments::operator+=(const MassMoments& b) {
    volume += b.volume;
    firstMoment += b.firstMoment;
    secondMoment += b.secondMoment;
    return *this;
}

MassMoments momentsInPlace(const MassProperties& properties, const Pose& pose) {
    const Vec3& i = properties.inertia;
    const double half = 0.5 * (i.x + i.y + i.z);
    MassMoments m;
    m.volume = properties.volume;
    m.firstMoment = properties.volume * pose.position;
    m.secondMoment = properties.volume * outer(pose.position, pose.position);
    for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        axis = rotate(pose.orientation, axis);
        m.secondMoment += (half - i[k]) * outer(axis, axis);
    }
    return m;
}

PrincipalAxes principalAxes(const Mat3& symmetric) {
    PrincipalAxes found = jacobi(symmetric);
    settleEqualMoments(found);
    return nearestToFrame(found);
}

Quat rotationWithColumns(const Mat3& r) {
    // The largest of the four is at least 1/2, so nothing small is divided by.
    const std::array<double, 4> squares{1 + r(0, 0) + r(1, 1) + r(2, 2), 1 + r(0, 0) - r(1, 1) - r(2, 2),
                                        1 - r(0, 0) + r(1, 1) - r(2, 2), 1 - r(0, 0) - r(1, 1) + r(2, 2)};
    const Vec3 odd{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
    const Vec3 even{r(2, 1) + r(1, 2), r(0, 2) + r(2, 0), r(1, 0) + r(0, 1)};
    switch (std::max_element(squares.begin(), squares.end()) - squares.begin()) {
        case 0:
            return normalized(Quat{squares[0], odd.x, odd.y, odd.z});
        case 1:
            return normalized(Quat{odd.x, squares[1], even.z, even.y});
        case 2:
            return normalized(Quat{odd.y, even.z, squares[2], even.x});
        default:
            return normalized(Quat{odd.z, even.y, even.x, squares[3]});
    }
}

PrincipalFrame principalFrame(const MassMoments& moments) {
    const Vec3 centre = moments.firstMoment / moments.volume;
    const Mat3 central = moments.secondMoment - moments.volume * outer(centre, centre);
    const PrincipalAxes p = principalAxes(central);
    PrincipalFrame frame;
    frame.pose = {centre, rotationWithColumns(p.axes)};
    frame.mass = {moments.volume, {p.values.y + p.values.z, p.values.z + p.values.x, p.values.x + p.values.y}};
    return frame;
}

}  // namespace talus
