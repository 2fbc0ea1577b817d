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

// path: of the entry. One by one, for entries that come one by one: each call looks at all bodies of the scene.
void checkBody(const Scene& scene, const std::string& path, const BodySettings& body, Problems& problems);
void checkSource(const Scene& scene, const std::string& path, const SourceSettings& source, Problems& problems);

}  // namespace talus
