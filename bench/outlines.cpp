#include "bench/outlines.hpp"

#include <numbers>

#include "base/random.hpp"
#include "bench/core_time.hpp"
#include "contacts/narrow/nurbs/outline_contacts.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"

namespace talus {
namespace {

constexpr int shapes = 16, queriesPerShape = 5000, pairs = 4000;

std::vector<OutlineBody> makeShapes() {
    std::vector<OutlineBody> outlines;
    for (const Grain& grain : generateGrains({.count = shapes}).grains) outlines.push_back(makeOutline(grain.outline));
    return outlines;
}

// Points within 2 % of the diameter of a surface, each with the parameter it had a little before.
struct Query {
    std::size_t shape;
    Vec2 point;
    double hint;
};

std::vector<Query> makeQueries(const std::vector<OutlineBody>& outlines) {
    Random random(1, 0);
    std::vector<Query> queries;
    for (std::size_t k = 0; k < outlines.size() * queriesPerShape; ++k) {
        const NurbsCurve& curve = outlines[k / queriesPerShape].curve;
        const double u = random.uniform(curve.begin(), curve.end());
        const CurvePoint c = curve.derivatives(u);
        const Vec2 away = random.uniform(-0.02, 0.02) * turnedRight(normalized(c.first));
        queries.push_back({k / queriesPerShape, c.position + away, curve.wrap(u + 0.01)});
    }
    return queries;
}

// Two grains side by side, turned anyhow, that overlap a little.
struct Pair {
    OutlineInPlace a, b;
};

std::vector<Pair> makePairs(const std::vector<OutlineBody>& outlines) {
    Random random(2, 0);
    const auto anywhere = [&](const Vec3& position) {
        const std::size_t shape = static_cast<std::size_t>(random.uniform() * shapes);
        return OutlineInPlace{
            &outlines[shape], 1, {position, rotationBy({0, 0, random.uniform(0, 2 * std::numbers::pi)})}};
    };
    std::vector<Pair> result;
    while (result.size() < pairs) {
        const Pair pair{anywhere({0, 0, 0}), anywhere({random.uniform(0.85, 1.15), 0, 0})};
        std::vector<ContactPoint> points;
        findOutlineContacts(pair.a, pair.b, {0.01}, points);
        if (!points.empty()) result.push_back(pair);
    }
    return result;
}

}  // namespace

std::vector<BenchResult> measureOutlines(int rounds) {
    const std::vector<OutlineBody> outlines = makeShapes();
    const std::vector<Query> queries = makeQueries(outlines);
    const std::vector<Pair> touching = makePairs(outlines);
    BenchResult closest{.name = "outlines/closest-point", .n = queries.size(), .unit = "points/s"};
    BenchResult contacts{.name = "outlines/contacts", .n = touching.size(), .unit = "pairs/s"};
    double sum = 0;
    std::size_t found = 0;
    for (int round = 0; round < rounds; ++round) {
        const double searching = secondsOf([&] {
            for (const Query& q : queries) sum += outlines[q.shape].tree.closestPoint(q.point, q.hint).gap;
        });
        closest.value = std::max(closest.value, static_cast<double>(queries.size()) / searching);
        std::vector<ContactPoint> points;
        const double finding = secondsOf([&] {
            for (const Pair& pair : touching) {
                points.clear();
                findOutlineContacts(pair.a, pair.b, {0.01}, points);
                found += points.size();
            }
        });
        contacts.value = std::max(contacts.value, static_cast<double>(touching.size()) / finding);
    }
    contacts.contactsPerItem = static_cast<double>(found) / static_cast<double>(touching.size()) / rounds;
    if (!std::isfinite(sum)) throw RunError("bench: a closest point was not found");
    return {closest, contacts};
}

}  // namespace talus
