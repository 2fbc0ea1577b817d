#include "solvers/interior/standard_contact.hpp"

namespace talus {
namespace {

// (R + E)^-1 = U^-1 (N^-2 + E')^-1 f'^-1 U^-1 with E' = f'^-1 U^-1 E U^-1: taken along the axes of N, where large and
// small stand apart, and with a unit diagonal.
ContactStiffness withCompliance(const cone::Spectral& n, const Mat3& own, const Mat3& unstretch, const Mat3& unslope) {
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

LinearContact lineariseHalfLine(const StandardContact& e, const cone::Spectral& n, const ShiftSlope& shift,
                                const Mat3* own) {
    const double mass = e.root * e.root, back = n.each([](double a) { return 1 / a; }).matrix()(0, 0);
    LinearContact c;
    c.compliance = (e.lockedCompliance / mass) * identity3();
    c.compliance(0, 0) = shift.slope(0, 0) * back * back / mass + (own != nullptr ? (*own)(0, 0) : 0.0);
    c.softened = c.compliance + (e.softness / mass) * identity3();
    c.stiffness = {diagonal3({1 / c.softened(0, 0), 0, 0})};
    return c;
}

}  // namespace

LinearContact linearise(const StandardContact& e, const cone::Spectral& n, const ShiftSlope& shift, const Mat3* own) {
    if (e.kind == ConeKind::halfLine) return lineariseHalfLine(e, n, shift, own);
    const auto inverted = [](double a) { return 1 / a; };
    const cone::Spectral soft = n.each([](double a) { return a / std::sqrt(1 + StandardContact::softness * a * a); });
    const Mat3 back = n.each(inverted).matrix(), softForth = soft.matrix(), softBack = soft.each(inverted).matrix();
    const Mat3 stretch = e.stretch(), unstretch = e.unstretch();
    LinearContact c;
    c.compliance = stretch * shift.slope * back * back * stretch;
    c.softened = stretch * shift.slope * softBack * softBack * stretch;
    if (own == nullptr) {
        c.stiffness = {unstretch * softForth, softForth * shift.unslope * unstretch};
        return c;
    }
    c.compliance += *own;
    c.softened += *own;
    c.stiffness = withCompliance(soft, shift.unslope * unstretch * *own * unstretch, unstretch, shift.unslope);
    return c;
}

LinearContact lineariseFree(const StandardContact& e, const Mat3* own) {
    LinearContact c;
    if (own != nullptr) c.compliance = *own;
    c.softened = c.compliance + (e.softness / (e.root * e.root)) * identity3();
    c.stiffness = {inverse(c.softened)};
    return c;
}

LinearContact lineariseLocked(const StandardContact& e) {
    LinearContact c;
    c.compliance = c.softened = (e.lockedCompliance / (e.root * e.root)) * identity3();
    c.stiffness = {Mat3{}};
    return c;
}

}  // namespace talus
