// A damped oscillation fitted to measured points: x(t) = x0 + exp(-t/tau) (a sin(omega t) + b cos(omega t)).
//
// For given omega and tau the rest is linear least squares. So the sum of squares is a function of two numbers; a grid
// finds the valley of its minimum, and Gauss-Newton goes to the bottom. No first guess is needed.
#pragma once

#include <vector>

namespace talus::reproduce {

struct Ringing {
    double omega = 0;             // rad per unit of time
    double tau = 0;               // unit of time, damping time
    double offset = 0;            // x0
    double sine = 0, cosine = 0;  // a, b
    double error = 0;             // root mean square of what is left, over that of x - x0

    double at(double time) const;
};

// The points must span more than half a period and have at least eight points in each.
Ringing fitRinging(const std::vector<double>& time, const std::vector<double>& value);

// The slope of log y over log x, least squares.
double fittedExponent(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace talus::reproduce
