// The closest points of curves and surfaces against SISL, the spline library of SINTEF (./dev check sisl).
//
// Both are asked for the same points. SISL returns all local minima of the distance that it finds; the least counts.
// Where the two differ, the smaller distance is right if its foot is on the curve, which is measured with SISL's own
// evaluation. So a point at which Talus is farther away is an error of ours; one at which SISL is farther is counted.
#include <fmt/format.h>
#include <sisl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <span>

#include "geometry/nurbs/closest_point.hpp"
#include "geometry/nurbs/surface_tree.hpp"
#include "unit/curve_samples.hpp"
#include "unit/surface_samples.hpp"

namespace talus {
namespace {

constexpr double agreed = 1e-9;      // m, of bodies of size 1 to 4
constexpr double resolution = 1e-9;  // m, which SISL is asked for

// What a call of SISL says: negative is an error.
void expectNoError(int status, const char* function) {
    if (status >= 0) return;
    fmt::print(stderr, "SISL: {} ends with {}\n", function, status);
    std::exit(2);
}

struct Agreement {
    int points = 0, ours = 0, theirs = 0;  // theirs: places where we are nearer, or SISL finds nothing
    double largest = 0;                    // m, difference where neither is farther by more than `agreed`
    double offSurface = 0;                 // m, of our feet, by SISL's evaluation

    void add(double our, double their, double off) {
        ++points;
        offSurface = std::max(offSurface, off);
        if (our > their + agreed) {
            ++ours;
        } else if (their > our + agreed) {
            ++theirs;
        } else {
            largest = std::max(largest, std::abs(our - their));
        }
    }
    bool isGood() const { return ours == 0 && offSurface < agreed; }
    void tell(std::string_view name) const {
        fmt::print(
            "{:20} {:6} points: differ by {:.1e} m at most, feet off by {:.1e} m; Talus farther {}, SISL farther {}\n",
            name, points, largest, offSurface, ours, theirs);
    }
};

// SISL wants as many equal knots at both ends as the order is: the parts it picks out from end to end have them.
std::unique_ptr<SISLCurve, decltype(&freeCurve)> sislCurve(const NurbsDefinition& d) {
    std::vector<double> coefficients, knots = d.knots;
    for (std::size_t k = 0; k < d.points.size(); ++k) {
        const double w = d.weights.empty() ? 1 : d.weights[k];
        coefficients.insert(coefficients.end(), {w * d.points[k].x, w * d.points[k].y, w});
    }
    SISLCurve* given =
        newCurve(static_cast<int>(d.points.size()), d.degree + 1, knots.data(), coefficients.data(), 2, 2, 1);
    SISLCurve* regular = nullptr;
    int status = 0;
    s1712(given, knots[given->ik - 1], knots[given->in], &regular, &status);
    expectNoError(status, "s1712");
    freeCurve(given);
    return {regular, freeCurve};
}

std::unique_ptr<SISLSurf, decltype(&freeSurf)> sislSurface(const SurfaceDefinition& d) {
    std::vector<double> coefficients, knotsU = d.knotsU, knotsV = d.knotsV;
    for (std::size_t k = 0; k < d.points.size(); ++k) {
        const double w = d.weights.empty() ? 1 : d.weights[k];
        const Vec3& p = d.points[k];
        coefficients.insert(coefficients.end(), {w * p.x, w * p.y, w * p.z, w});
    }
    SISLSurf* given = newSurf(static_cast<int>(d.columns), static_cast<int>(d.rows()), d.degreeU + 1, d.degreeV + 1,
                              knotsU.data(), knotsV.data(), coefficients.data(), 2, 3, 1);
    SISLSurf* regular = nullptr;
    int status = 0;
    s1001(given, knotsU[given->ik1 - 1], knotsV[given->ik2 - 1], knotsU[given->in1], knotsV[given->in2], &regular,
          &status);
    expectNoError(status, "s1001");
    freeSurf(given);
    return {regular, freeSurf};
}

Vec2 pointOf(SISLCurve* curve, double parameter) {
    double at[2];
    int left = 0, status = 0;
    s1221(curve, 0, parameter, &left, at, &status);
    expectNoError(status, "s1221");
    return {at[0], at[1]};
}
Vec3 pointOf(SISLSurf* surface, double u, double v) {
    double parameters[2]{u, v}, at[3], normal[3];
    int leftU = 0, leftV = 0, status = 0;
    s1421(surface, 0, parameters, &leftU, &leftV, at, normal, &status);
    expectNoError(status, "s1421");
    return {at[0], at[1], at[2]};
}

// The least distance of all minima that SISL finds; parameters of single ones are `perPoint` numbers, and curves of
// equally near points have such, too.
template <class Distance>
double leastOf(int count, double* parameters, int curves, SISLIntcurve** equallyNear, int perPoint,
               const Distance& distance) {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < count; ++k) least = std::min(least, distance(parameters + perPoint * k));
    for (int k = 0; k < curves; ++k) least = std::min(least, distance(equallyNear[k]->epar1));
    std::free(parameters);
    freeIntcrvlist(equallyNear, curves);
    return least;
}

double sislDistance(SISLCurve* curve, const Vec2& x) {
    double place[2]{x.x, x.y}, *parameters = nullptr;
    int count = 0, curves = 0, status = 0;
    SISLIntcurve** equallyNear = nullptr;
    s1953(curve, place, 2, 0, resolution, &count, &parameters, &curves, &equallyNear, &status);
    expectNoError(status, "s1953");
    return leastOf(count, parameters, curves, equallyNear, 1,
                   [&](const double* t) { return norm(pointOf(curve, *t) - x); });
}

double sislDistance(SISLSurf* surface, const Vec3& x) {
    double place[3]{x.x, x.y, x.z}, *parameters = nullptr;
    int count = 0, curves = 0, status = 0;
    SISLIntcurve** equallyNear = nullptr;
    s1954(surface, place, 3, 0, resolution, &count, &parameters, &curves, &equallyNear, &status);
    expectNoError(status, "s1954");
    return leastOf(count, parameters, curves, equallyNear, 2,
                   [&](const double* t) { return norm(pointOf(surface, t[0], t[1]) - x); });
}

bool compareCurve(const std::string& name, const NurbsDefinition& definition, int points) {
    const NurbsCurve curve(definition);
    const CurveTree tree(curve);
    const auto theirs = sislCurve(definition);
    Random random(1, 0);
    Agreement agreement;
    for (int k = 0; k < points; ++k) {
        // Half of the points anywhere, half near the curve.
        Vec2 x{random.uniform(-2, 2), random.uniform(-2, 2)};
        if (k % 2 == 0) x = curve.at(random.uniform(curve.begin(), curve.end())) + 0.03 * x;
        const ClosestPoint ours = tree.closestPoint(x);
        agreement.add(std::abs(ours.gap), sislDistance(theirs.get(), x),
                      norm(pointOf(theirs.get(), ours.parameter) - ours.point));
    }
    agreement.tell(name);
    return agreement.isGood();
}

bool compareSurface(const std::string& name, const SurfaceDefinition& definition, int points) {
    const NurbsSurface surface(definition);
    const SurfaceTree tree(surface, 0.01, 0.3);
    const auto theirs = sislSurface(definition);
    Random random(2, 0);
    Agreement agreement;
    for (int k = 0; k < points; ++k) {
        const Vec3 x = random.inBox({-2, -2, -2}, {2, 2, 2});
        const SurfaceFoot ours = tree.closestPoint(x);
        const SurfaceCell& cell = tree.cells()[ours.cell];
        const BezierPatch& patch = surface.patches()[cell.patch];
        const double u = patch.beginU + ours.s * (patch.endU - patch.beginU);
        const double v = patch.beginV + ours.t * (patch.endV - patch.beginV);
        agreement.add(std::abs(ours.gap), sislDistance(theirs.get(), x),
                      norm(pointOf(theirs.get(), u, v) - ours.point));
    }
    agreement.tell(name);
    return agreement.isGood();
}

int compareAll(int curvePoints, int surfacePoints) {
    bool isGood = true;
    for (const auto& [name, definition] : test::manyCurves()) {
        isGood = compareCurve(name, definition, curvePoints) && isGood;
    }
    for (const auto& [name, definition] : test::manySurfaces()) {
        isGood = compareSurface(name, definition, surfacePoints) && isGood;
    }
    fmt::print("{}\n", isGood ? "no point is nearer by SISL" : "SISL finds nearer points, or feet are off");
    return isGood ? 0 : 1;
}

}  // namespace
}  // namespace talus

int main(int count, char** arguments) {
    const auto numberOr = [&](int k, int usual) { return count > k ? std::atoi(arguments[k]) : usual; };
    return talus::compareAll(numberOr(1, 10'000), numberOr(2, 2000));
}
