// The part of a sphere inside a box, and of a disc inside a rectangle, in closed form.
//
// A box is an alternating sum of its eight corners, each standing for the octant {x > a, y > b, z > c}. For a unit
// sphere about the origin and a corner a, b, c >= 0 inside it, the piece is bounded by three flat faces and a
// triangle S on the sphere. With h_ab = sqrt(1 - a^2 - b^2) and so on:
//
//   phi_a = atan2(h_ab, b) - atan2(c, h_ca)             arc of the face x = a
//   A_a   = (rho_a^2 phi_a - b (h_ab - c) - c (h_ca - b)) / 2,  rho_a^2 = 1 - a^2   area of the face x = a
//   S     = 2 pi - sum atan2(h_ab, -a b) - sum a phi_a  Gauss-Bonnet: corner angles and geodesic curvature
//   V     = (S - a A_a - b A_b - c A_c) / 3             divergence theorem
//
// Corners with a negative coordinate follow by symmetry. The error is about 1e-15 of the volume of the sphere.
#pragma once

#include "talus/vec3.hpp"

namespace talus {

// m^3, of the sphere with this centre and radius inside the box from low to high.
double sphereInBox(const Vec3& centre, double radius, const Vec3& low, const Vec3& high);

struct Rectangle {
    double lowX, lowY, highX, highY;  // m
};

// m^2, of the disc with this centre and radius inside the rectangle.
double discInRectangle(double centreX, double centreY, double radius, const Rectangle& rectangle);

}  // namespace talus
