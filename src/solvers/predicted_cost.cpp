#include "solvers/predicted_cost.hpp"

#include <algorithm>

#include "problem/contact_problem.hpp"

namespace talus {
namespace {

constexpr double roundVisit = 0.03, otherVisit = 0.12;    // us, of one contact
constexpr double matrixVisit = 0.03, matrixBlock = 0.01;  // us, of one contact, and of each block in its row
constexpr double factorisedContact = 1.2;                 // us, what grows as the number of contacts
constexpr double factorisedPairs = 0.025;                 // us, of pairs of blocks in a column
constexpr double contactsToDouble = 400;                  // at so many the fill costs as much as that

}  // namespace

double predictedSweep(const ContactProblem& p) {
    const auto n = static_cast<double>(p.contactCount());
    const auto* bodies = std::get_if<BodyContacts>(&p.contacts);
    if (bodies == nullptr) {
        return matrixVisit * n + matrixBlock * static_cast<double>(std::get<BlockMatrix>(p.contacts).block.size());
    }
    const auto others = static_cast<double>(std::count_if(bodies->detail.begin(), bodies->detail.end(),
                                                          [](const auto& d) { return d.kind() != RowKind::round; }));
    return roundVisit * (n - others) + otherVisit * others;
}

double predictedFactorisation(const ContactProblem& p) {
    const auto n = static_cast<double>(p.contactCount());
    if (n == 0) return 0;
    const double sparse = factorisedContact * n * (1 + n / contactsToDouble);
    const auto* matrix = std::get_if<BlockMatrix>(&p.contacts);
    if (matrix == nullptr) return sparse;
    const double pairs = (static_cast<double>(matrix->block.size()) - n) / 2;
    return sparse + factorisedPairs * pairs * pairs / n;
}

}  // namespace talus
