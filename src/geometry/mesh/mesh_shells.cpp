#include "geometry/mesh/mesh_shells.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/mesh/bounding_tree.hpp"

namespace talus {
namespace {

constexpr std::size_t mostSamples = 8;  // triangles by which a shell is judged
constexpr double clearly = 0.1;         // -, nearer to a whole number a winding number tells inside from outside
constexpr double leastVolume = 1e-12;   // -, over the cube of the extent; less bounds nothing, and looks no way

struct Shell {
    std::vector<std::uint32_t> triangles;  // in their order
    BoundingBox box;
    double volume = 0;  // m^3, negative if it looks inward
};

std::vector<std::vector<std::uint32_t>> connectedParts(const Neighbours& neighbours) {
    std::vector<char> known(neighbours.size(), 0);
    std::vector<std::vector<std::uint32_t>> parts;
    for (std::uint32_t first = 0; first < neighbours.size(); ++first) {
        if (known[first]) continue;
        known[first] = 1;
        std::vector<std::uint32_t> reached{first};
        for (std::size_t k = 0; k < reached.size(); ++k) {
            for (const std::uint32_t next : neighbours[reached[k]]) {
                if (next == nothing || known[next]) continue;
                known[next] = 1;
                reached.push_back(next);
            }
        }
        std::sort(reached.begin(), reached.end());
        parts.push_back(std::move(reached));
    }
    return parts;
}

class Shells {
public:
    Shells(const std::vector<Vec3>& corners, const std::vector<CornerTriple>& triangles)
        : corners_(corners), triangles_(triangles) {}

    void add(std::vector<std::uint32_t>&& part) {
        const Vec3& origin = corners_[triangles_[part.front()][0]];
        Shell shell{std::move(part), {origin, origin}, 0};
        for (const std::uint32_t t : shell.triangles) {
            const auto& [a, b, c] = triangles_[t];
            for (const std::uint32_t corner : triangles_[t]) extend(shell.box, corners_[corner]);
            shell.volume += dot(corners_[a] - origin, cross(corners_[b] - origin, corners_[c] - origin)) / 6;
        }
        list_.push_back(std::move(shell));
    }

    std::optional<ShellFault> firstFault() const {
        for (const Shell& shell : list_) {
            if (isFlat(shell)) continue;
            const bool wrong = shell.volume > 0 ? liesInMatter(shell) : leavesMatter(shell);
            if (wrong) return ShellFault{shell.triangles.front(), shell.volume < 0};
        }
        return {};
    }

private:
    static bool isFlat(const Shell& shell) {
        const Vec3 size = shell.box.high - shell.box.low;
        const double extent = std::max({size.x, size.y, size.z});
        return std::abs(shell.volume) <= leastVolume * extent * extent * extent;
    }
    bool liesInMatter(const Shell& shell) const {
        const std::vector<int> depths = depthsOf(shell);
        return !depths.empty() && std::all_of(depths.begin(), depths.end(), [](int depth) { return depth > 0; });
    }
    bool leavesMatter(const Shell& shell) const {
        const std::vector<int> depths = depthsOf(shell);
        return depths.empty() || std::any_of(depths.begin(), depths.end(), [](int depth) { return depth < 1; });
    }

    // How many times the other shells wind about a shell, at some of its triangles; those on the surface of another do
    // not tell.
    std::vector<int> depthsOf(const Shell& shell) const {
        std::vector<int> depths;
        const std::size_t stride = (shell.triangles.size() + mostSamples - 1) / mostSamples;
        for (std::size_t k = 0; k < shell.triangles.size(); k += stride) {
            const CornerTriple& t = triangles_[shell.triangles[k]];
            const double winding = windingAbout((corners_[t[0]] + corners_[t[1]] + corners_[t[2]]) / 3, shell);
            if (std::abs(winding - std::round(winding)) < clearly)
                depths.push_back(static_cast<int>(std::round(winding)));
        }
        return depths;
    }

    double windingAbout(const Vec3& point, const Shell& own) const {
        double angle = 0;
        for (const Shell& shell : list_) {
            if (&shell == &own || squaredDistance(shell.box, point) > 0) continue;
            for (const std::uint32_t t : shell.triangles) angle += solidAngle(point, triangles_[t]);
        }
        return angle / (4 * std::numbers::pi);
    }

    // Van Oosterom, Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125; positive seen from within.
    double solidAngle(const Vec3& point, const CornerTriple& t) const {
        const Vec3 a = corners_[t[0]] - point, b = corners_[t[1]] - point, c = corners_[t[2]] - point;
        const double x = norm(a), y = norm(b), z = norm(c);
        return 2 * std::atan2(dot(a, cross(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
    }

    const std::vector<Vec3>& corners_;
    const std::vector<CornerTriple>& triangles_;
    std::vector<Shell> list_;
};

}  // namespace

std::optional<ShellFault> findShellFault(const std::vector<Vec3>& corners, const std::vector<CornerTriple>& triangles,
                                         const Neighbours& neighbours) {
    std::vector<std::vector<std::uint32_t>> parts = connectedParts(neighbours);
    if (parts.size() < 2) return {};
    Shells shells(corners, triangles);
    for (std::vector<std::uint32_t>& part : parts) shells.add(std::move(part));
    return shells.firstFault();
}

}  // namespace talus
