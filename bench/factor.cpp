// What the factors of second-order solvers cost on packings at rest: in two orders of elimination, and in seconds.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "bench/settled_problem.hpp"
#include "solvers/linear/contact_system.hpp"
#include "talus/tools/bench.hpp"

namespace talus {
namespace {

constexpr int rounds = 3;  // of which the best counts

template <class Work>
double secondsOf(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<BlockPattern::Pair> touchingBodies(const BodyContacts& contacts) {
    std::vector<BlockPattern::Pair> pairs;
    for (const ContactRow& c : contacts.contacts) {
        if (contacts.moves(c.a) && contacts.moves(c.b)) pairs.emplace_back(c.a, c.b);
    }
    return pairs;
}

FactorPoint measureOrder(const BodyContacts& contacts, FillOrder order, const char* name) {
    constexpr double perBlock = 6 * 6 * 6;
    const std::vector<BlockPattern::Pair> pairs = touchingBodies(contacts);
    BlockPattern pattern;
    FactorPoint point{.order = name, .contacts = contacts.contactCount()};
    point.orderSeconds = secondsOf([&] { pattern.analyse(contacts.bodyCount(), pairs, order); });
    point.operations = perBlock * pattern.blockOperations();
    point.bytes = pattern.storedBlocks() * 36 * sizeof(double);
    return point;
}

// All contacts stick, each as stiff as the mass it moves.
void measureFactors(const ContactProblem& problem, FactorPoint& point) {
    std::vector<ContactStiffness> stiffness(problem.contactCount());
    std::vector<Mat3> compliance(problem.contactCount());
    for (std::size_t i = 0; i < problem.contactCount(); ++i) {
        const double w = trace(problem.diagonal(i)) / 3;
        stiffness[i].left = (1 / w) * identity3();
        compliance[i] = w * identity3();
    }
    ContactSystem system;
    system.load(problem);
    for (int round = 0; round < rounds; ++round) {
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
            double& best = symmetry == Symmetry::symmetric ? point.seconds : point.generalSeconds;
            const double seconds = secondsOf([&] { system.factorise(stiffness, compliance, symmetry); });
            best = best == 0 ? seconds : std::min(best, seconds);
        }
    }
}

}  // namespace

FactorBench runFactorBench(const FactorBenchOptions& options, const std::function<void(const std::string&)>& say) {
    FactorBench bench{.threads = options.threads};
    for (const std::uint64_t grains :
         options.grains.empty() ? std::vector<std::uint64_t>{343, 1728, 4096, 10648} : options.grains) {
        const int edge = edgeOfCube(grains);
        say(fmt::format("{0} x {0} x {0} grains settle", edge));
        setThreadCount(0);
        const ContactProblem problem = settledProblem(edge);
        const auto& contacts = std::get<BodyContacts>(problem.contacts);
        setThreadCount(options.threads);
        for (const auto& [order, name] : {std::pair(FillOrder::minimumDegree, "minimum degree"),
                                          std::pair(FillOrder::nestedDissection, "nested dissection")}) {
            bench.points.push_back(measureOrder(contacts, order, name));
            bench.points.back().grains = static_cast<std::uint64_t>(edge) * edge * edge;
        }
        bench.points.push_back(measureOrder(contacts, FillOrder::bySize, "as solvers do"));
        bench.points.back().grains = static_cast<std::uint64_t>(edge) * edge * edge;
        measureFactors(problem, bench.points.back());
    }
    return bench;
}

std::string factorBenchAsJson(const FactorBench& bench) {
    nlohmann::json list = nlohmann::json::array();
    for (const FactorPoint& p : bench.points) {
        const bool isTimed = p.seconds > 0;
        list.push_back({{"name", "factor/" + p.order},
                        {"n", p.contacts},
                        {"grains", p.grains},
                        {"threads", bench.threads},
                        {"order_seconds", p.orderSeconds},
                        {"operations", p.operations},
                        {"value", isTimed ? nlohmann::json(1e-9 * p.operations / p.seconds) : nlohmann::json()},
                        {"unit", "Gflop/s"},
                        {"seconds", isTimed ? nlohmann::json(p.seconds) : nlohmann::json()},
                        {"general_seconds", isTimed ? nlohmann::json(p.generalSeconds) : nlohmann::json()},
                        {"bytes_per_item", static_cast<double>(p.bytes) / static_cast<double>(p.contacts)}});
    }
    return list.dump(2) + "\n";
}

std::string factorBenchAsTable(const FactorBench& bench) {
    std::string table =
        fmt::format("{:18} {:>8} {:>9} {:>9} {:>11} {:>9} {:>10} {:>8} {:>10} {:>8}\n", "order", "grains", "contacts",
                    "order s", "operations", "MB", "L L^T s", "Gflop/s", "L U s", "Gflop/s");
    for (const FactorPoint& p : bench.points) {
        const auto rate = [&](double seconds, double times) {
            return seconds > 0 ? fmt::format("{:.1f}", 1e-9 * times * p.operations / seconds) : std::string();
        };
        const auto time = [&](double seconds) { return seconds > 0 ? fmt::format("{:.4g}", seconds) : std::string(); };
        table += fmt::format("{:18} {:>8} {:>9} {:>9.3g} {:>11.2e} {:>9.1f} {:>10} {:>8} {:>10} {:>8}\n", p.order,
                             p.grains, p.contacts, p.orderSeconds, p.operations, 1e-6 * static_cast<double>(p.bytes),
                             time(p.seconds), rate(p.seconds, 1), time(p.generalSeconds), rate(p.generalSeconds, 2));
    }
    return table + "\nOne factorisation of the system of all contacts, 6 unknowns per grain.\n";
}

}  // namespace talus
