// Outlines of grains: from images, or made at random, with measures of their shape, as `talus grains` does.
//
//   const talus::ImageGrains found = talus::grainsFromImage("sand.png", {.scale = 5e-6});
//   talus::writeGrains("grains.json", found.set);
//
// Definitions of the measures and the format of the file are in docs/grains.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "talus/nurbs.hpp"
#include "talus/vec2.hpp"

namespace talus {

struct GrainMeasures {
    double area = 0;                 // m^2
    double perimeter = 0;            // m
    double equivalentDiameter = 0;   // m, of the disc of the same area
    double length = 0, width = 0;    // m, largest and smallest distance between parallel lines that hold the grain
    double inscribedRadius = 0;      // m, of the largest circle inside
    double circumscribedRadius = 0;  // m, of the smallest circle around
    double sphericity = 0;           // -, inscribed over circumscribed radius
    double roundness = 0;            // -, mean radius of the convex corners over the inscribed radius
    double angularity = 0;           // -, 1 - roundness
    double circularity = 0;          // -, 4 pi area / perimeter^2
    double convexity = 0;            // -, perimeter of the convex hull over that of the grain
    double solidity = 0;             // -, area of the grain over that of the convex hull
    double aspect = 0;               // -, width over length
};

// How well a curve follows the outline that was traced in an image.
struct GrainFit {
    double tolerance = 0;  // m, that was asked for
    double largestError = 0,
           meanError = 0;  // m, distance of traced points from the curve: largest, root of mean square
    int tracedPoints = 0, corners = 0;
};

struct Grain {
    std::string name;         // unique in its set
    Vec2 position;            // m, of the centroid in the image: x to the right, y up from the lower left corner
    NurbsDefinition outline;  // m, about the centroid
    GrainMeasures measures;
    std::optional<GrainFit> fit;
};

struct GrainSet {
    std::string source;  // what the grains were made from, in words
    std::vector<Grain> grains;
};

struct GrainImageOptions {
    double scale = 1;                 // m per pixel
    std::string kind = "auto";        // grey, labels (one grain per value), or auto: colours are labels
    std::string grains = "auto";      // bright, dark, or auto: what most of the border is not
    std::optional<double> threshold;  // -, 0 (black) to 1 (white); not set: Otsu's, half way between the two classes
    double smoothing = 0;             // pixels, width of a Gaussian that takes noise away first
    double tolerance = 0.5;           // pixels, largest distance of the traced outline from the curve; at hard edges
                                      // half a pixel more is allowed for, as the root of the sum of squares
    double smallestArea = 30;         // pixels, what is smaller is noise: left out, or filled if it is a hole
    double cornerAngle = 40;          // degrees, sharper turns stay corners of the curve
    double neck = 0.6;                // -, grains touch at a neck narrower than this, of the smaller one's width
    std::string touching = "split";   // at such a neck, or keep as one grain, or refuse
    std::string holes = "fill";       // or refuse
    std::string border = "drop";      // grains that the border cuts, or keep or refuse
};

struct ImageGrains {
    GrainSet set;
    std::vector<std::string> notes;  // what was left out, filled, split
};

// Throws InputError if the file is no PNG image, nothing is in it, what it shows is refused by the options, or the
// tolerance cannot be met.
ImageGrains grainsFromImage(const std::filesystem::path& image, const GrainImageOptions& options = {});

struct GrainGeneratorOptions {
    int count = 1;
    double sphericity = 0.7;  // -
    double angularity = 0.6;  // -
    bool convex = false;
    double diameter = 1;  // m, of the disc of the same area
    std::uint64_t seed = 1;
};

// Measured sphericity and angularity are within this of what was asked for.
inline constexpr double generatorTolerance = 0.01;

// Rounded polygons: straight sides and circular arcs, exact. Grain k depends on seed and k only. Throws InputError if
// no such grain is found.
GrainSet generateGrains(const GrainGeneratorOptions& options);

// Measures any outline. Throws InputError if it is none.
GrainMeasures measureGrain(const NurbsDefinition& outline);

// The file is written whole or not at all. A file that is read is checked as if it were made by hand.
void writeGrains(const std::filesystem::path& file, const GrainSet& set);
GrainSet readGrains(const std::filesystem::path& file);

// A file of an outline alone: x and y on each line (CSV, words on the first line are left out), or a list [[x, y], ...]
// as JSON. The first point may be given again as the last. Files of grains begin with {.
bool isGrainsFile(const std::filesystem::path& file);
std::vector<Vec2> readOutlinePoints(const std::filesystem::path& file);

// What a file of grains holds, back from it with a name for messages, and a table for people.
std::string grainsAsJson(const GrainSet& set);
GrainSet grainsFromJson(const std::string& text, const std::string& name);
std::string grainsAsTable(const GrainSet& set);

// PNG pictures: the curves over the image they were found in (`scale` in m per pixel of the image), or side by side.
void drawGrainsOverImage(const std::filesystem::path& picture, const GrainSet& set, const std::filesystem::path& image,
                         double scale);
void drawGrains(const std::filesystem::path& picture, const GrainSet& set);

}  // namespace talus
