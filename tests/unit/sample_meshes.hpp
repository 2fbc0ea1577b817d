// Meshes that tests use: boxes, balls, floors, and their files.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "geometry/mesh/mesh.hpp"

namespace talus {

using Triple = std::array<std::uint32_t, 3>;

inline MeshFile boxMesh(const Vec3& half) {
    MeshFile file{.name = "box"};
    for (int k = 0; k < 8; ++k) {
        file.corners.push_back({(k & 1 ? 1 : -1) * half.x, (k & 2 ? 1 : -1) * half.y, (k & 4 ? 1 : -1) * half.z});
    }
    file.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return file;
}

inline MeshFile tetrahedronMesh() {
    return {.name = "tetrahedron",
            .corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

// Each triangle cut into four; `place` moves the new corners.
inline MeshFile refined(const MeshFile& coarse, const std::function<Vec3(const Vec3&)>& place) {
    MeshFile fine{.name = coarse.name, .corners = coarse.corners};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [found, isNew] = middles.try_emplace({std::min(a, b), std::max(a, b)}, fine.corners.size());
        if (isNew) fine.corners.push_back(place(0.5 * (coarse.corners[a] + coarse.corners[b])));
        return found->second;
    };
    for (const Triple& t : coarse.triangles) {
        const Triple m{middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])};
        for (const Triple& piece : {Triple{t[0], m[0], m[2]}, Triple{m[0], t[1], m[1]}, Triple{m[2], m[1], t[2]}, m}) {
            fine.triangles.push_back(piece);
        }
    }
    return fine;
}

// A ball of radius 1 from an octahedron.
inline MeshFile ballMesh(int refinements) {
    MeshFile file{
        .name = "ball",
        .corners = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
        .triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
    for (int n = 0; n < refinements; ++n) file = refined(file, [](const Vec3& p) { return normalized(p); });
    return file;
}

// A square sheet of 2 n^2 triangles over [-half, half]^2 with z = height(x, y), seen from above.
inline MeshFile sheetMesh(int n, double half, const std::function<double(double, double)>& height = nullptr) {
    MeshFile file{.name = "sheet"};
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            const double x = half * (2.0 * i / n - 1), y = half * (2.0 * j / n - 1);
            file.corners.push_back({x, y, height ? height(x, y) : 0.0});
        }
    }
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            file.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            file.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return file;
}

inline MeshFile movedMesh(MeshFile file, const Pose& pose) {
    for (Vec3& p : file.corners) p = pose.position + rotate(pose.orientation, p);
    return file;
}

inline std::string asObj(const MeshFile& file) {
    std::string text;
    for (const Vec3& p : file.corners) {
        text += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    }
    for (const Triple& t : file.triangles) {
        text +=
            "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " + std::to_string(t[2] + 1) + "\n";
    }
    return text;
}

inline std::string asTextStl(const MeshFile& file) {
    std::string text = "solid body\n";
    for (const Triple& t : file.triangles) {
        text += "facet normal 0 0 0\n outer loop\n";
        for (const std::uint32_t c : t) {
            const Vec3& p = file.corners[c];
            text += "  vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
        }
        text += " endloop\nendfacet\n";
    }
    return text + "endsolid body\n";
}

inline std::string asBinaryStl(const MeshFile& file) {
    std::string bytes(80, 's');
    const auto add = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    add(static_cast<std::uint32_t>(file.triangles.size()));
    for (const Triple& t : file.triangles) {
        for (int k = 0; k < 3; ++k) add(0.0F);
        for (const std::uint32_t c : t) {
            for (int k = 0; k < 3; ++k) add(static_cast<float>(file.corners[c][k]));
        }
        add(std::uint16_t{0});
    }
    return bytes;
}

}  // namespace talus
