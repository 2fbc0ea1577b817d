// What the checks of rules between settings share: where findings go, and what many keys have in common.
#pragma once

#include <string>
#include <vector>

#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

class RuleCheck {
public:
    RuleCheck(const Scene& scene, Problems& problems);

protected:
    void add(const std::string& path, const std::string& message) { problems_.add(path, message); }

    void checkName(const std::string& path, const std::string& name);
    void checkDirection(const std::string& path, const Vec3& direction);
    // Low below high along each axis; equal is fine along the axis across a planar scene.
    void checkBox(const std::string& path, const BoxRegion& box);
    void checkMaterialName(const std::string& path, const std::string& name);
    void checkMaterial(const std::string& path, const std::optional<std::string>& name);
    void checkTimes(const std::string& path, const std::vector<double>& time);
    // A velocity, whose key is `velocity`, within the plane of the scene.
    void checkInPlane(const std::string& path, const Vec3& velocity);

    // Calls visit(body) for the entries of a group in the scene and in the stages up to and with this one.
    template <class Visit>
    void forEachEntry(const std::string& group, std::size_t stage, Visit&& visit) const {
        const auto look = [&](const std::vector<BodySettings>& bodies) {
            for (const BodySettings& body : bodies) {
                if (body.group == group) visit(body);
            }
        };
        look(scene_.bodies);
        for (std::size_t k = 0; k <= stage && k < scene_.stages.size(); ++k) look(scene_.stages[k].bodies);
    }

    const Scene& scene_;
    Problems& problems_;
    bool hasSleeve_;  // the scene or one of its stages
};

bool isSleeve(const BodyKind& kind);

}  // namespace talus
