// The files of forms beside text meshes: outlines of grains (JSON, tables of points), NURBS surfaces (JSON) and clouds
// of points that a surface is fitted to.
#pragma once

#include "build/form_files.hpp"

namespace talus {

class GrainFormFiles : public FormFiles {
public:
    using FormFiles::FormFiles;

    std::vector<Outline> outlines(const Outline& form) const override;
    SurfaceDefinition surface(const Surface& form) const override;
};

}  // namespace talus
