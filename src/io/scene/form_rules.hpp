// Rules of the forms of bodies that a field list cannot say.
#pragma once

#include <string>
#include <vector>

#include "io/scene/fields/form_fields.hpp"
#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

class FormCheck {
public:
    FormCheck(Planar planar, Problems& problems) : planar_(planar), problems_(problems) {}

    // path: of the mapping that holds the keys of the form.
    void check(const std::string& path, const Sphere& form);
    void check(const std::string& path, const Box& form);
    void check(const std::string& path, const Cylinder& form);
    void check(const std::string& path, const Cone& form);
    void check(const std::string& path, const Capsule& form);
    void check(const std::string& path, const Hull& form);
    void check(const std::string& path, const Mesh& form);
    void check(const std::string& path, const Clump& form);
    void check(const std::string& path, const Compound& form);
    void check(const std::string& path, const Surface& form);
    void check(const std::string& path, const Disc& form);
    void check(const std::string& path, const Polygon& form);
    void check(const std::string& path, const Outline& form);
    // A solid in space of which the field list says all.
    template <class Form>
    void check(const std::string& path, const Form&) {
        needSpace(path, tagOf<Form>.value);
    }

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
