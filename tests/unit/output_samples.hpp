// What the tests of output share: a folder that removes itself, and small worlds made by hand.
#pragma once

#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "laws/pair_law.hpp"
#include "model/world.hpp"

namespace talus::output_samples {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "talus-test-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

inline std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::size_t filesIn(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// What a scene fixes: one material, a plane, an open box and a drum; sources and sinks.
inline WorldState emptyScene() {
    WorldState w;
    w.materials.list = {{.name = "glass", .density = 2500}};
    w.materials.kinds.rolling = RollingLaw::spring;
    static const PairLaw law = makePairLaw(w.materials.kinds, DampingLaw::restitution, {}, {}, {});  // takes a while
    w.materials.laws = {law};
    w.shapes.add(PlaneWall{});
    w.shapes.add(BoxWall{.halfSize = {1, 1, 1}, .open = {false, false, false, false, false, true}});
    w.shapes.add(CylinderWall{.radius = 2, .halfLength = 1, .open = {}});
    w.groupNames = {"grains", "walls"};
    w.sources.resize(2);
    w.sinks.resize(1);
    addBody(w, {.shape = 1, .position = {0, 0, -1}, .group = 1});
    addBody(w, {.shape = 2, .group = 1});
    addBody(w, {.shape = 3, .group = 1});
    return w;
}

// A cube of count^3 spheres of radius 0.1 that overlap a little, with neighbour lists made by hand: each grain
// owns its neighbour in +x, and those at the bottom touch the plane.
inline WorldState settledWorld(std::uint32_t count) {
    WorldState w = emptyScene();
    constexpr double spacing = 0.199;
    std::vector<BodyDefinition> grains;
    for (std::uint32_t k = 0; k < count * count * count; ++k) {
        const double x = k % count, y = k / count % count, z = k / (count * count);
        grains.push_back({.radius = 0.1, .position = {spacing * x, spacing * y, spacing * z - 0.901}});
    }
    addGrains(w, grains);
    Contacts& c = w.contacts;
    c.grains.rowStart = c.walls.rowStart = {0};
    SpringMemory& springs = c.springs();
    for (std::uint32_t k = 0; k < grains.size(); ++k) {
        w.bodies.row[k] = k;
        if (k % count + 1 < count) {
            c.grains.partner.push_back(k + 1);
            springs.tangent.push_back({{0, 1e-5 * (k + 1), 0}, 0.007});
            springs.rolling.push_back({{0, 0, 1e-3}});
        }
        if (k < count * count) c.walls.candidate.push_back({k, 0, 0});
        c.grains.rowStart.push_back(static_cast<std::uint32_t>(c.grains.partner.size()));
        c.walls.rowStart.push_back(static_cast<std::uint32_t>(c.walls.candidate.size()));
    }
    for (std::uint32_t k = 0; k < c.walls.candidate.size(); ++k) {
        springs.tangent.push_back({{1e-6 * (k + 1), 0, 0}, 0.01});
        springs.rolling.push_back({});
    }
    c.builtPosition = w.bodies.position;
    c.builtWallOrientation.assign(w.bodies.wallCount(), {});
    c.wallReach.assign(w.bodies.wallCount(), 0.25);
    c.builtMantles = w.mantles;
    c.skin = 0.01;
    c.stale = false;
    return w;
}

// Numbers that a careless writer loses: no short decimal form, denormals, negative zero, the extremes.
inline double oddNumber(std::size_t k) {
    constexpr double odd[] = {
        0.1,        1.0 / 3.0, -0.0, 5e-324, -2.5e-310, 1.7976931348623157e308, 2.2250738585072014e-308,
        1e22 + 2.1, -7.0 / 9.0};
    return odd[k % std::size(odd)] * (k % 2 == 0 ? 1 : -1);
}

inline void setOdd(double& x, std::size_t k) { x = oddNumber(k); }
inline void setOdd(Vec3& v, std::size_t k) { v = {oddNumber(k), oddNumber(k + 1), oddNumber(k + 2)}; }
inline void setOdd(Quat& q, std::size_t k) { q = {oddNumber(k), oddNumber(k + 1), oddNumber(k + 2), oddNumber(k + 3)}; }
inline void setOdd(std::uint16_t&, std::size_t) {}  // indices stay as they are
inline void setOdd(std::uint32_t&, std::size_t) {}

// A settled world whose every free number is odd.
inline WorldState oddWorld() {
    WorldState w = settledWorld(3);
    visitFields(
        [](const auto& field, auto& array) {
            const std::string_view name = field.name;
            if constexpr (isVector<std::remove_cvref_t<decltype(array)>>) {
                for (std::size_t k = 0; k < array.size(); ++k) {
                    if (name == "radius" || name == "inverseMass" || name == "dashpotShare") continue;
                    setOdd(array[k], k + name.size());
                }
            }
        },
        w.bodies);
    for (std::size_t k = 0; k < w.bodies.size(); ++k)
        w.bodies.dashpotShare[k] = k % 2 == 0 ? 1 / (k + 3.0) : 1 - 0x1p-53;
    for (std::size_t k = 0; k < w.contacts.grains.partner.size(); ++k) {
        setOdd(w.contacts.springs().tangent[k].stretch, k);
        setOdd(w.contacts.springs().rolling[k].turn, k + 3);
    }
    setOdd(w.contacts.builtWallOrientation[1], 2);
    w.contacts.rebuilds = 0xFFFFFFFFFFFFFFFFu;
    w.time = 0.1 + 0.2;
    w.step = (std::uint64_t{1} << 53) + 1;
    w.seed = 0x8000000000000001u;
    w.nextId = 4000000000u;
    w.ledger = {{1.0 / 3, 5e-324, -0.0, 4, 5}, 1e-300, -1.0 / 7};
    w.sources[1].made = (std::uint64_t{1} << 63) + 3;
    w.sources[0].drawn = 17;
    w.sources[0].refused = 5;
    w.sinks[0] = {.removed = 9, .removedMass = 0.1};
    return w;
}

}  // namespace talus::output_samples
