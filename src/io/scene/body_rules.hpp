// Rules of bodies and sources: what their keys say together.
#pragma once

#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

// path: of the list, in the scene or in a stage.
void checkBodies(const Scene& scene, const std::string& path, const std::vector<BodySettings>& bodies,
                 Problems& problems);
void checkSources(const Scene& scene, const std::string& path, const std::vector<SourceSettings>& sources,
                  Problems& problems);

}  // namespace talus
