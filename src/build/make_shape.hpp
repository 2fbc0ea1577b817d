// From the form of a body, as a user gives it, to the shape that the engine uses.
#pragma once

#include <vector>

#include "build/form_files.hpp"
#include "geometry/shape.hpp"
#include "talus/body_forms.hpp"

namespace talus {

// A form as a shape of a scale. Shapes have their origin at the centre of mass and their principal axes as axes, so
// they have a pose in the frame of the form.
struct ShapeOfForm {
    Shape shape;
    double scale = 1;  // the radius of a sphere
    Pose pose;         // of the shape's frame in the form's
};

// Where a form that stands in a frame of its own ends up: `outer` is that frame's pose.
Pose placed(const Pose& outer, const Pose& inner);

// Flat forms are in the plane z = 0 of their frame. Throws InputError, without a place, if points, corners or files
// make no body.
ShapeOfForm makeShape(const BodyForm& form, const FormFiles& files);

// The outlines that a form stands for, each with its points (FormFiles::outlines); itself if it has points.
std::vector<Outline> outlinesOf(const Outline& form, const FormFiles& files);

}  // namespace talus
