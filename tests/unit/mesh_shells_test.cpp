// Files with several shells: bodies, hollows, bodies in hollows, and those that are none of these.
#include <gtest/gtest.h>

#include <string>

#include "geometry/mesh/mesh.hpp"
#include "talus/error.hpp"
#include "unit/sample_meshes.hpp"

namespace talus {
namespace {

// A cube as a shell of the file, and which way it looks.
struct Cube {
    double half;  // m, of the edge
    Vec3 centre;
    bool outward;
};

MeshFile meshOf(const std::vector<Cube>& cubes) {
    MeshFile file{.name = "cubes"};
    for (const Cube& cube : cubes) {
        const auto first = static_cast<std::uint32_t>(file.corners.size());
        const MeshFile one = boxMesh({cube.half, cube.half, cube.half});
        for (const Vec3& corner : one.corners) file.corners.push_back(corner + cube.centre);
        for (const auto& t : one.triangles) {
            file.triangles.push_back({first + t[0], first + t[cube.outward ? 1 : 2], first + t[cube.outward ? 2 : 1]});
        }
    }
    return file;
}

double volumeOf(const std::vector<Cube>& cubes) { return makeMesh(meshOf(cubes)).shape.mesh->mass.volume; }

std::string messageOf(const std::vector<Cube>& cubes) {
    try {
        makeMesh(meshOf(cubes));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(MeshShells, OfBodiesAndHollowsAddUp) {
    EXPECT_NEAR(volumeOf({{2, {}, true}, {1, {5, 0, 0}, true}}), 64 + 8, 1e-12);
    EXPECT_NEAR(volumeOf({{2, {}, true}, {1, {}, false}}), 64 - 8, 1e-12);
    EXPECT_NEAR(volumeOf({{2, {}, true}, {1, {}, false}, {0.5, {}, true}}), 64 - 8 + 1, 1e-12);
    EXPECT_NEAR(volumeOf({{0.5, {}, true}, {1, {}, false}, {2, {}, true}}), 64 - 8 + 1, 1e-12);
    EXPECT_NEAR(volumeOf({{2, {}, true}, {0.5, {-1, 0, 0}, false}, {0.5, {1, 0, 0}, false}}), 64 - 2, 1e-12);
}

TEST(MeshShells, ThatAreInsideOutAndNoHollowsAreRefused) {
    const std::string beside = messageOf({{2, {}, true}, {1, {5, 0, 0}, false}});
    EXPECT_NE(beside.find("cubes: triangle 13: the shell it belongs to is inside out"), std::string::npos) << beside;
    const std::string first = messageOf({{1, {5, 0, 0}, false}, {2, {}, true}});
    EXPECT_NE(first.find("cubes: triangle 1: the shell it belongs to is inside out"), std::string::npos) << first;
    const std::string inHollow = messageOf({{2, {}, true}, {1, {}, false}, {0.5, {}, false}});
    EXPECT_NE(inHollow.find("cubes: triangle 25: the shell it belongs to is inside out"), std::string::npos)
        << inHollow;
    const std::string sticksOut = messageOf({{2, {}, true}, {1, {1.5, 0, 0}, false}});
    EXPECT_NE(sticksOut.find("cubes: triangle 13: the shell it belongs to is inside out"), std::string::npos)
        << sticksOut;
}

TEST(MeshShells, ThatLieWithinABodyAreRefused) {
    const std::string within = messageOf({{2, {}, true}, {1, {0.5, 0, 0}, true}});
    EXPECT_NE(within.find("cubes: triangle 13: the shell it belongs to lies within another"), std::string::npos)
        << within;
    const std::string inWall = messageOf({{2, {}, true}, {1, {}, false}, {0.25, {1.5, 0, 0}, true}});
    EXPECT_NE(inWall.find("cubes: triangle 25: the shell it belongs to lies within another"), std::string::npos)
        << inWall;
}

// The space that they have in common counts twice.
TEST(MeshShells, ThatCutEachOtherAreTaken) {
    EXPECT_NEAR(volumeOf({{2, {}, true}, {1, {2, 0, 0}, true}}), 64 + 8, 1e-12);
}

}  // namespace
}  // namespace talus
