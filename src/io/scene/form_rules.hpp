// Rules of the forms of bodies that a field list cannot say.
#pragma once

#include <string>
#include <vector>

#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

class FormCheck {
public:
    FormCheck(Planar planar, Problems& problems) : planar_(planar), problems_(problems) {}

    // path: of the mapping that holds the keys of the form.
    void check(const std::string& path, const SphereForm& form);
    void check(const std::string& path, const BoxForm& form);
    void check(const std::string& path, const CylinderForm& form);
    void check(const std::string& path, const ConeForm& form);
    void check(const std::string& path, const CapsuleForm& form);
    void check(const std::string& path, const EllipsoidForm& form);
    void check(const std::string& path, const SuperquadricForm& form);
    void check(const std::string& path, const HullForm& form);
    void check(const std::string& path, const MeshForm& form);
    void check(const std::string& path, const ClumpForm& form);
    void check(const std::string& path, const CompoundForm& form);
    void check(const std::string& path, const SurfaceForm& form);
    void check(const std::string& path, const DiscForm& form);
    void check(const std::string& path, const PolygonForm& form);
    void check(const std::string& path, const OutlineForm& form);

    // Forms of generated grains; they and the radius say how large the grains are.
    void checkGrains(const std::string& path, const std::vector<GrainForm>& grains, bool hasRadius);

private:
    void add(const std::string& path, const std::string& message) { problems_.add(path, message); }
    void needSpace(const std::string& path, std::string_view shape);
    void needPlane(const std::string& path, std::string_view shape);
    void checkRounding(const std::string& path, double rounding, double smallestHalf);
    void checkAxis(const std::string& path, const Vec3& axis);

    Planar planar_;
    Problems& problems_;
};

}  // namespace talus
