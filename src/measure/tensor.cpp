#include "measure/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace talus {
namespace {

// Turns the axes p and q so that element (p, q) of the symmetric matrix becomes zero.
void eliminate(Mat3& a, int p, int q) {
    if (a(p, q) == 0) return;
    const double theta = 0.5 * (a(q, q) - a(p, p)) / a(p, q);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1.0 / std::hypot(t, 1.0), s = t * c;
    const int r = 3 - p - q;
    const double shift = t * a(p, q), rp = a(r, p), rq = a(r, q);
    a(p, p) -= shift;
    a(q, q) += shift;
    a(p, q) = a(q, p) = 0;
    a(r, p) = a(p, r) = c * rp - s * rq;
    a(r, q) = a(q, r) = s * rp + c * rq;
}

}  // namespace

double meanOf(const Mat3& tensor, std::optional<int> planarAxis) {
    if (planarAxis) return 0.5 * (trace(tensor) - tensor(*planarAxis, *planarAxis));
    return trace(tensor) / 3.0;
}

double deviatorOf(const Mat3& tensor, std::optional<int> planarAxis) {
    const Mat3 a = symmetricPart(tensor);
    const double mean = meanOf(tensor, planarAxis);
    double square = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (planarAxis && (i == *planarAxis || j == *planarAxis)) continue;
            const double s = a(i, j) - (i == j ? mean : 0.0);
            square += s * s;
        }
    }
    return std::sqrt((planarAxis ? 0.5 : 1.5) * square);
}

Mat3 symmetricPart(const Mat3& tensor) {
    Mat3 result;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) result(i, j) = 0.5 * (tensor(i, j) + tensor(j, i));
    }
    return result;
}

std::array<double, 3> principalValues(const Mat3& tensor) {
    // Jacobi's method; it converges quadratically, so that a handful of sweeps reaches round-off.
    Mat3 a = symmetricPart(tensor);
    for (int sweep = 0; sweep < 12; ++sweep) {
        eliminate(a, 0, 1);
        eliminate(a, 0, 2);
        eliminate(a, 1, 2);
    }
    std::array<double, 3> values{a(0, 0), a(1, 1), a(2, 2)};
    std::sort(values.begin(), values.end(), std::greater<>{});
    return values;
}

}  // namespace talus
