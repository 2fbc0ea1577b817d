// Integrals over an interval by Gauss-Legendre rules of ten points, halved until they agree.
//
// Exact but for round-off for polynomials up to degree 19, the highest that moments of B-splines of degree 5 need.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace talus {

template <std::size_t count>
using Integrals = std::array<double, count>;

template <std::size_t count, class Function>
Integrals<count> gaussRule(const Function& f, double from, double to) {
    constexpr std::array node = {0.148874338981631211, 0.433395394129247191, 0.679409568299024406, 0.865063366688984511,
                                 0.973906528517171720};
    constexpr std::array weight = {0.295524224714752870, 0.269266719309996355, 0.219086362515982044,
                                   0.149451349150580593, 0.066671344308688138};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    Integrals<count> sum{};
    for (std::size_t k = 0; k < node.size(); ++k) {
        const Integrals<count> low = f(middle - half * node[k]), high = f(middle + half * node[k]);
        for (std::size_t i = 0; i < count; ++i) sum[i] += half * weight[k] * (low[i] + high[i]);
    }
    return sum;
}

// Several integrals at once; `accuracy` is absolute, one for each.
template <std::size_t count, class Function>
Integrals<count> integrate(const Function& f, double from, double to, const Integrals<count>& accuracy,
                           int halvings = 30) {
    const double middle = 0.5 * (from + to);
    const Integrals<count> whole = gaussRule<count>(f, from, to);
    Integrals<count> left = gaussRule<count>(f, from, middle), right = gaussRule<count>(f, middle, to);
    bool agree = true;
    for (std::size_t i = 0; i < count; ++i) agree = agree && !(std::abs(left[i] + right[i] - whole[i]) > accuracy[i]);
    if (!agree && halvings > 0) {
        left = integrate<count>(f, from, middle, accuracy, halvings - 1);
        right = integrate<count>(f, middle, to, accuracy, halvings - 1);
    }
    for (std::size_t i = 0; i < count; ++i) left[i] += right[i];
    return left;
}

}  // namespace talus
