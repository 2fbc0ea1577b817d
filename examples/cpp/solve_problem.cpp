// A contact problem built by hand, without any file or world, and solved by every solver.
//
// A ball of 2 kg stands on two of 1 kg, which stand apart on a floor. Within a step of 1 ms gravity would let all of
// them fall; contacts hold them. By statics each ball contact bears a push of half the upper weight, and a share
// tan(angle/2) of it across, with the angle of the line of centres to the vertical.
#include <cmath>
#include <cstdio>

#include "talus/solver.hpp"

using namespace talus;

int main() {
    constexpr double step = 1e-3, gravity = 9.81, radius = 0.1, apart = 0.22, friction = 0.5;  // s, m/s^2, m, m, -
    const double angle = std::asin(0.5 * apart / (2 * radius));
    const Vec3 up{0, 0, 1}, fromLeft{std::sin(angle), 0, std::cos(angle)}, fromRight{-fromLeft.x, 0, fromLeft.z};

    // What reactions can move.
    BodyContacts bodies;
    const auto floor = bodies.addFixed();
    const auto left = bodies.addSphere(1, radius), right = bodies.addSphere(1, radius);
    const auto upper = bodies.addSphere(2, radius);

    // Where bodies touch: the normal points to the first body, arms from the centres to the contact point.
    bodies.add({.normal = up, .armA = -radius * up, .armB = {}, .a = left, .b = floor});
    bodies.add({.normal = up, .armA = -radius * up, .armB = {}, .a = right, .b = floor});
    bodies.add({.normal = fromLeft, .armA = -radius * fromLeft, .armB = radius * fromLeft, .a = upper, .b = left});
    bodies.add({.normal = fromRight, .armA = -radius * fromRight, .armB = radius * fromRight, .a = upper, .b = right});
    bodies.finish();

    // How they would move without reactions, in the frame of each contact, and what each can bear.
    ContactProblem problem;
    const Vec3 fall{0, 0, -gravity * step};
    problem.offset = {contactFrame(up).toLocal(fall), contactFrame(up).toLocal(fall), Vec3{}, Vec3{}};
    problem.sets.assign(4, ReactionSet::coulomb(friction));
    problem.contacts = std::move(bodies);
    validate(problem);

    const double push = gravity * step, across = push * std::tan(0.5 * angle);  // N s
    std::printf("statics: push %.6f, across %.6f N s\n", push, across);
    bool isRight = true;
    SolverWorkspace workspace;
    for (const SolverKind solver : allSolvers()) {
        const Solution& found =
            solve(problem, {}, {.kind = solver, .tolerance = 1e-9, .maxIterations = 100'000}, workspace);
        const Vec3& g = found.reactions[2];
        const double shear = std::hypot(g.y, g.z);
        std::printf("%-14.*s push %.6f, across %.6f N s, residual %.1e after %llu iterations\n",
                    static_cast<int>(nameOf(solver).size()), nameOf(solver).data(), g.x, shear,
                    found.report.residuals.naturalMap, static_cast<unsigned long long>(found.report.iterations));
        isRight &= std::abs(g.x - push) < 1e-6 * push && std::abs(shear - across) < 1e-6 * push;
    }
    return isRight ? 0 : 1;
}
