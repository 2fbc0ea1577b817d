// Rules of bodies and sources: what their keys say together.
#pragma once

#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

// path: of the entry, in the scene or in a stage.
void checkBody(const Scene& scene, const std::string& path, const BodySettings& body, Problems& problems);
void checkSource(const Scene& scene, const std::string& path, const SourceSettings& source, Problems& problems);

}  // namespace talus
