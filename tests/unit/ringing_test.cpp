#include "experiments/unger2002/ringing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus::reproduce {
namespace {

struct Curve {
    std::vector<double> time, value;
};

Curve sampled(const Ringing& truth, double start, double step, int count) {
    Curve c;
    for (int k = 0; k < count; ++k) {
        c.time.push_back(start + step * k);
        c.value.push_back(truth.at(c.time.back()));
    }
    return c;
}

TEST(Ringing, IsFoundAgainInItsOwnPointsWhateverFrequencyAndDamping) {
    for (const double omega : {0.1, 0.27, 0.55}) {
        for (const double cycles : {0.8, 2.5, 9.0}) {  // omega tau
            const Ringing truth{.omega = omega, .tau = cycles / omega, .offset = 3, .sine = 0.7, .cosine = -1.3};
            const Curve c = sampled(truth, 5, 1, 200);
            const Ringing found = fitRinging(c.time, c.value);
            EXPECT_NEAR(found.omega, truth.omega, 1e-6 * truth.omega);
            EXPECT_NEAR(found.tau, truth.tau, 1e-5 * truth.tau);
            EXPECT_NEAR(found.offset, truth.offset, 1e-6);
            EXPECT_LT(found.error, 1e-6);
        }
    }
}

TEST(Ringing, IsFoundWithinThePercentOfNoiseThatIsAdded) {
    const Ringing truth{.omega = 0.18, .tau = 60, .offset = 1, .sine = 1, .cosine = 0};
    Curve c = sampled(truth, 0, 1, 240);
    for (std::size_t k = 0; k < c.value.size(); ++k)
        c.value[k] += 0.01 * std::sin(12.9898 * static_cast<double>(k * k));
    const Ringing found = fitRinging(c.time, c.value);
    EXPECT_NEAR(found.omega, truth.omega, 0.01 * truth.omega);
    EXPECT_NEAR(found.tau, truth.tau, 0.03 * truth.tau);
    EXPECT_GT(found.error, 1e-3);
}

TEST(FittedExponent, OfAPowerIsThatPower) {
    EXPECT_NEAR(fittedExponent({1, 2, 4, 8}, {3, 3 / std::sqrt(2.0), 1.5, 1.5 / std::sqrt(2.0)}), -0.5, 1e-12);
}

}  // namespace
}  // namespace talus::reproduce
