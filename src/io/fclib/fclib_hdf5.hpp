// The datasets of FCLIB files, read with every size and number checked, and written. Failures are Hdf5Error, whose text
// names the dataset.
#pragma once

#include <string>
#include <vector>

#include "formats/foreign_hdf5.hpp"
#include "io/fclib/fclib.hpp"
#include "io/fclib/sparse_matrix.hpp"

namespace talus {

inline constexpr const char *localGroup = "/fclib_local", *globalGroup = "/fclib_global";

int readInteger(const ForeignHdf5& file, const std::string& name);

// Finite numbers; any number of them, or exactly so many.
std::vector<double> readNumbers(const ForeignHdf5& file, const std::string& name);
std::vector<double> readNumbers(const ForeignHdf5& file, const std::string& name, std::size_t count);

// A matrix of this size in any of FCLIB's three forms: triplets, compressed columns or rows.
SparseMatrix readMatrix(const ForeignHdf5& file, const std::string& group, std::size_t rows, std::size_t columns);

FclibInfo readInfo(const ForeignHdf5& file, const std::string& group);

void writeInteger(Hdf5File& file, const std::string& name, int value);
void writeNumbers(Hdf5File& file, const std::string& name, const std::vector<double>& values);

// What both forms have.
struct FclibHead {
    int dimension = 3;
    std::vector<double> friction;
    FclibInfo info;
};
// A problem; matrices in compressed rows.
void writeProblem(Hdf5File& file, const FclibHead& head, const LocalMatrices& matrices);
void writeProblem(Hdf5File& file, const FclibHead& head, const GlobalMatrices& matrices);

// A guess or a solution: r, u, and l and v unless they are empty.
struct FclibVectors {
    std::vector<double> r, u, l, v;
};
void writeVectors(Hdf5File& file, const std::string& group, const FclibVectors& vectors);

// From reactions and relative velocities over all rows of the layout; v if there are bodies.
FclibVectors splitVectors(const FclibLayout& layout, const std::vector<double>& reactions,
                          const std::vector<double>& velocities, const GlobalSystem* bodies);

}  // namespace talus
