#include "measure/tensor.hpp"

#include <cmath>

namespace talus {

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

}  // namespace talus
