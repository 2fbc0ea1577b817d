// What can be told of a world as it is: energies, stress, fabric, any column of the series of runs, pictures for
// ParaView.
//
//   EnergyState energy = energyOf(world);
//   Mat3 stress = stressIn(world, {{0, 0, 0}, {0.1, 0.1, 0.1}});
//   double vertical = stress(2, 2);
//   double coordination = measureColumn(world, "coordination");
//
// All of it reads the world and changes nothing. docs/observables.md explains each column.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "talus/simulation.hpp"
#include "talus/space.hpp"
#include "talus/world.hpp"

namespace talus {

EnergyState energyOf(const World& world);

// Pa, compression positive: the mean over a region, by its contacts (Love-Weber).
Mat3 stressIn(const World& world, const BoxRegion& region);

// Which way contacts point: the mean of n (x) n, and how far that is from the same in all directions.
struct FabricState {
    Mat3 tensor;  // -
    std::uint64_t contacts = 0;
    double anisotropy = 0;  // -, 0 if isotropic
};
FabricState fabricOf(const World& world);

// One column of the series, as it is now; InputError if there is no such column. What is counted from a start counts
// from now.
double measureColumn(const World& world, const std::string& column);

// A picture as a PNG file: grains coloured by speed, seen as `talus plot` shows the end of a run. Angles of the eye in
// degrees: about the upward axis, and above the horizon. RunError if the file cannot be written.
struct PictureView {
    int width = 1200, height = 900;  // pixels
    double azimuth = -60, elevation = 20;
};
void drawPicture(const World& world, const std::filesystem::path& file, const PictureView& view = {});

// Frames and rows of a series, written into a folder when the caller likes, in the formats of runs.
class ResultWriter {
public:
    // InputError if the folder has the results of a run.
    explicit ResultWriter(const std::filesystem::path& folder);
    ~ResultWriter();
    ResultWriter(ResultWriter&&) noexcept;
    ResultWriter& operator=(ResultWriter&&) noexcept;

    void writeFrame(const World& world);  // frames.pvd, frames/*.vtp, run.json with names of groups and materials
    void writeRow(const World& world);    // series.csv

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace talus
