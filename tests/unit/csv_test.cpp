// Tables of spheres: what is read, and what each slip is called.
#include <gtest/gtest.h>

#include <sstream>

#include "io/scene/csv_bodies.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

std::vector<CsvBody> readText(const std::string& text, std::size_t most = 1000, std::size_t forms = 0) {
    std::istringstream stream(text);
    return readCsvBodies(stream, "table.csv", most, forms);
}

std::string errorOf(const std::string& text, std::size_t most = 1000, std::size_t forms = 0) {
    try {
        readText(text, most, forms);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Csv, ColumnsComeInAnyOrder) {
    const auto bodies = readText("radius,z,y,x\n0.5,3,2,1\n");
    ASSERT_EQ(bodies.size(), 1u);
    EXPECT_EQ(bodies[0].position, (Vec3{1, 2, 3}));
    EXPECT_EQ(bodies[0].radius, 0.5);
    EXPECT_FALSE(bodies[0].fixed);
}

TEST(Csv, ReadsEveryColumnWithCommentsBlankLinesAndWindowsLineEnds) {
    const auto bodies = readText(
        "\xEF\xBB\xBF# beads\r\nx, y, z, radius, vx, vy, vz, wx, wy, wz, material, fixed\r\n\r\n"
        "1,2,3,0.5,+4,5,6,7,8,9,\"glass\",true\r\n# end\r\n1e-3,0,0,1,0,0,0,0,0,0,,0");
    ASSERT_EQ(bodies.size(), 2u);
    EXPECT_EQ(bodies[0].velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(bodies[0].spin, (Vec3{7, 8, 9}));
    EXPECT_EQ(bodies[0].material, "glass");
    EXPECT_TRUE(bodies[0].fixed);
    EXPECT_EQ(bodies[0].line, 4u);
    EXPECT_EQ(bodies[1].position.x, 1e-3);
    EXPECT_EQ(bodies[1].material, "");
    EXPECT_EQ(bodies[1].line, 6u);
}

TEST(Csv, WithFormsBodiesHaveAShapeAnOrientationAndNeedNoRadius) {
    const auto bodies = readText("x,y,z,shape,qw,qx,qy,qz\n1,2,3,1,0,0,2,0\n", 1000, 2);
    ASSERT_EQ(bodies.size(), 1u);
    EXPECT_EQ(bodies[0].shape, 1u);
    EXPECT_EQ(bodies[0].orientation, (Quat{0, 0, 2, 0}));
    EXPECT_EQ(bodies[0].radius, 0);
    EXPECT_EQ(errorOf("x,y,z,radius,shape\n1,2,3,1,0\n"),
              "table.csv:1: the column \"shape\" needs the key grains in the scene");
    EXPECT_EQ(errorOf("x,y,z,shape\n1,2,3,2\n", 1000, 2),
              "table.csv:2: column 'shape': must be a whole number below the 2 grains, got \"2\"");
    EXPECT_EQ(errorOf("x,y,z,qw,qx,qy,qz\n1,2,3,0,0,0,0\n", 1000, 1), "table.csv:2: qw, qx, qy and qz are all zero");
    EXPECT_EQ(errorOf("x,y,z,qw,qx,qy\n", 1000, 1), "table.csv:1: the column 'qz' is missing");
}

TEST(Csv, NamesLineAndColumnOfEverySlip) {
    EXPECT_EQ(errorOf(""), "table.csv:1: a header line with the columns x, y, z, radius is missing");
    EXPECT_EQ(errorOf("x,y,z\n"), "table.csv:1: the column 'radius' is missing");
    EXPECT_EQ(
        errorOf("x,y,z,radus\n"),
        "table.csv:1: unknown column \"radus\"; did you mean 'radius'?\ntable.csv:1: the column 'radius' is missing");
    EXPECT_EQ(errorOf("x,x,y,z,radius\n"), "table.csv:1: the column \"x\" is given twice");
    EXPECT_EQ(errorOf("x,y,z,radius\n1,2,3\n"), "table.csv:2: 3 values for 4 columns");
    EXPECT_EQ(errorOf("x,y,z,radius\n1,2,a,1\n"), "table.csv:2: column 'z': \"a\" is not a number");
    EXPECT_EQ(errorOf("x,y,z,radius\n1,2,,1\n"), "table.csv:2: column 'z': \"\" is not a number");
    EXPECT_EQ(errorOf("x,y,z,radius\n1,2,3,-1\n"), "table.csv:2: column 'radius': must be 1e-09 to 1e+06 m, got -1");
    EXPECT_EQ(errorOf("x,y,z,radius\nnan,2,3,1\n"), "table.csv:2: column 'x': must be -1e+09 to 1e+09 m, got nan");
    EXPECT_EQ(errorOf("x,y,z,radius,fixed\n1,2,3,1,maybe\n"),
              "table.csv:2: column 'fixed': must be true, false, 1 or 0, got \"maybe\"");
    EXPECT_EQ(errorOf("x,y,z,radius\n1,2,3,1\n1,2,3,1\n", 1), "table.csv:3: more than 1 bodies");
}

TEST(Csv, AnEndlessLineIsRefusedNotSwallowed) {
    EXPECT_EQ(errorOf("x,y,z,radius\n" + std::string(100000, '1')),
              "table.csv:2: a line is longer than 16384 characters");
}

TEST(Csv, StopsAfterTenFindings) {
    std::string text = "x,y,z,radius\n";
    for (int k = 0; k < 50; ++k) text += "bad\n";
    const std::string error = errorOf(text);
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 9);
}

}  // namespace
}  // namespace talus
