// Sums of products of doubles without rounding errors, for signs that must be right.
//
// A number is kept as parts of falling size that do not overlap in their bits: an expansion, as in Shewchuk, "Adaptive
// precision floating-point arithmetic and fast robust geometric predicates", Discrete & Computational Geometry 18,
// 1997. Right as long as no product is smaller than 1e-290 or larger than 1e300. Slow: ask only where doubles cannot
// tell.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "base/check.hpp"

namespace talus {

// A number that takes two doubles: the rounded one and what it lacks.
struct TwoParts {
    double whole, rest;
};
inline TwoParts exactSum(double x, double y) {
    const double whole = x + y, ofY = whole - x;
    return {whole, (x - (whole - ofY)) + (y - ofY)};
}
inline TwoParts exactProduct(double x, double y) {
    const double whole = x * y;
    return {whole, std::fma(x, y, -whole)};
}

class ExactSum {
public:
    void add(double x) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < count_; ++k) {
            const TwoParts s = exactSum(x, parts_[k]);
            if (s.rest != 0) parts_[kept++] = s.rest;
            x = s.whole;
        }
        count_ = kept;
        if (x == 0) return;
        ENGINE_CHECK(count_ < parts_.size());
        parts_[count_++] = x;
    }
    void addProduct(double x, double y) {
        const TwoParts p = exactProduct(x, y);
        add(p.rest);
        add(p.whole);
    }
    void addProduct(double x, double y, double z) {
        const TwoParts p = exactProduct(x, y);
        addProduct(p.rest, z);
        addProduct(p.whole, z);
    }

    // The last part is larger than all others together.
    int sign() const { return count_ == 0 ? 0 : parts_[count_ - 1] > 0 ? 1 : -1; }
    // Rounded.
    double value() const {
        double sum = 0;
        for (std::size_t k = 0; k < count_; ++k) sum += parts_[k];
        return sum;
    }

private:
    std::array<double, 256> parts_;  // the smallest first
    std::size_t count_ = 0;
};

}  // namespace talus
