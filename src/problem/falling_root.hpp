// The root of a falling function of one number, to the last bits.
#pragma once

namespace talus {

// Between low, where f > 0, and high, where f <= 0: secants that halve the weight of an end that stays (Illinois rule),
// and halves of the interval now and then.
template <class Function>
double fallingRootBetween(Function&& f, double low, double fLow, double high, double fHigh) {
    int side = 0;
    for (int k = 0; k < 100 && high - low > 1e-15 * high; ++k) {
        double x = (low * fHigh - high * fLow) / (fHigh - fLow);
        if (!(x > low && x < high) || k % 8 == 7) x = 0.5 * (low + high);
        const double fx = f(x);
        if (fx == 0) return x;
        if (fx > 0) {
            low = x, fLow = fx;
            if (side == 1) fHigh *= 0.5;
            side = 1;
        } else {
            high = x, fHigh = fx;
            if (side == -1) fLow *= 0.5;
            side = -1;
        }
    }
    return 0.5 * (low + high);
}

// Positive at 0, negative far out; the root is looked for around `scale`.
template <class Function>
double fallingRoot(Function&& f, double scale) {
    double low = 0, fLow = f(0.0);
    double high = scale, fHigh = f(high);
    for (int k = 0; k < 200 && fHigh > 0; ++k) {
        low = high, fLow = fHigh;
        high *= 8;
        fHigh = f(high);
    }
    return fallingRootBetween(f, low, fLow, high, fHigh);
}

}  // namespace talus
