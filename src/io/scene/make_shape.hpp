// From the form of a body, as a user gives it, to the shape that the engine uses.
#pragma once

#include <filesystem>
#include <vector>

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

// Files are relative to the folder; flat forms are in the plane z = 0 of their frame. Throws InputError, without a
// place, if points, corners or files make no body.
ShapeOfForm makeShape(const Sphere& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Box& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Cylinder& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Cone& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Capsule& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Ellipsoid& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Superquadric& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Hull& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Mesh& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Clump& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Compound& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Surface& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Disc& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Polygon& form, const std::filesystem::path& folder);
ShapeOfForm makeShape(const Outline& form, const std::filesystem::path& folder);

// The outlines that a form stands for, each with its points: one, or all grains of the file if none is named.
std::vector<Outline> outlinesOf(const Outline& form, const std::filesystem::path& folder);

}  // namespace talus
