// What forms need that are given by files. This layer knows no format but text meshes (OBJ, STL): whoever knows the
// others derives from FormFiles. All throw InputError, without a place, if a file is missing or makes no body.
#pragma once

#include <filesystem>
#include <vector>

#include "geometry/mesh/mesh_reader.hpp"
#include "geometry/nurbs/surface_body.hpp"
#include "talus/body_forms.hpp"

namespace talus {

class FormFiles {
public:
    // Relative names start from the folder.
    explicit FormFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
    virtual ~FormFiles() = default;

    // The outlines that a form with a file stands for, each with its points: one, or all of the file if none is named.
    virtual std::vector<Outline> outlines(const Outline& form) const = 0;
    // From the file or the points that the form names.
    virtual SurfaceDefinition surface(const Surface& form) const = 0;
    MeshFile mesh(const std::string& file, double scale) const { return readMesh(folder_ / file, scale); }

protected:
    std::filesystem::path folder_;
};

}  // namespace talus
