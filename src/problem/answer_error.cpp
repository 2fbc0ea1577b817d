#include "talus/answer_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "problem/residual.hpp"

namespace talus {
namespace {

constexpr double most = 0.9;  // -, of the error

// The fewest contacts that have so much of the sum.
std::uint64_t fewestWithMost(std::vector<double> squares) {
    std::sort(squares.rbegin(), squares.rend());
    const double wanted = most * std::accumulate(squares.begin(), squares.end(), 0.0);
    double sum = 0;
    std::uint64_t count = 0;
    while (sum < wanted && count < squares.size()) sum += squares[count++];
    return count;
}

}  // namespace

AnswerError measureAnswerError(const ContactProblem& p, FrictionLaw law, const std::vector<Vec3>& g) {
    std::vector<Vec3> u;
    relativeVelocities(p, g, u);
    AnswerError error{.contacts = p.contactCount()};
    std::vector<double> squares(p.contactCount());
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        const double w = trace(p.diagonal(i)) / 3;
        const double impulse = norm(g[i] - project(p.sets[i], g[i] - lawVelocity(p, law, i, u[i]) / w));
        squares[i] = w * impulse * impulse;
        if (impulse > error.impulse) error.impulse = impulse, error.impulseAt = i;
        if (w * impulse > error.velocity) error.velocity = w * impulse, error.velocityAt = i;
        error.largestReaction = std::max(error.largestReaction, norm(g[i]));
    }
    error.contactsOfMost = fewestWithMost(std::move(squares));
    return error;
}

std::string asText(const AnswerError& e) {
    return fmt::format(
        "forces are off by up to {:.2g} N s (contact {}; the largest is {:.2g} N s), velocities by {:.2g} m/s (contact "
        "{}); 90 % of it in {} of {} contacts",
        e.impulse, e.impulseAt, e.largestReaction, e.velocity, e.velocityAt, e.contactsOfMost, e.contacts);
}

}  // namespace talus
