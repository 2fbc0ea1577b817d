// The datasets of FCLIB files, read with every size and number checked, and written. Failures are Hdf5Error, whose text
// names the dataset.
#pragma once

#include <string>
#include <vector>

#include "formats/hdf5_file.hpp"
#include "io/fclib/fclib.hpp"
#include "io/fclib/sparse_matrix.hpp"

namespace talus {

int readInteger(const Hdf5File& file, const std::string& name);

// Finite numbers; any number of them, or exactly so many.
std::vector<double> readNumbers(const Hdf5File& file, const std::string& name);
std::vector<double> readNumbers(const Hdf5File& file, const std::string& name, std::size_t count);

// A matrix of this size in any of FCLIB's three forms: triplets, compressed columns or rows.
SparseMatrix readMatrix(const Hdf5File& file, const std::string& group, std::size_t rows, std::size_t columns);

FclibInfo readInfo(const Hdf5File& file, const std::string& group);

void writeInteger(Hdf5File& file, const std::string& name, int value);
void writeNumbers(Hdf5File& file, const std::string& name, const std::vector<double>& values);
// In compressed rows.
void writeMatrix(Hdf5File& file, const std::string& group, const SparseMatrix& matrix);
void writeInfo(Hdf5File& file, const std::string& group, const FclibInfo& info);

// A guess or a solution: r, u, and l and v unless they are empty.
struct FclibVectors {
    std::vector<double> r, u, l, v;
};
void writeVectors(Hdf5File& file, const std::string& group, const FclibVectors& vectors);

// From reactions and relative velocities over all rows of the layout; v if there are bodies.
FclibVectors splitVectors(const FclibLayout& layout, const std::vector<double>& reactions,
                          const std::vector<double>& velocities, const GlobalSystem* bodies);

}  // namespace talus
