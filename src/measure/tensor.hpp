// Numbers that sum up a symmetric tensor of three dimensions, or of the plane of a planar scene.
//
//   mean      trace / 3 (in the plane: of the two axes in it, / 2)
//   deviator  sqrt(3/2 s:s), s = A - mean I: the von Mises size, A1 - A3 if two principal values are equal;
//             in the plane sqrt(1/2 s:s) = (A1 - A2)/2, the largest shear
#pragma once

#include <optional>

#include "talus/vec3.hpp"

namespace talus {

double meanOf(const Mat3& tensor, std::optional<int> planarAxis = {});
double deviatorOf(const Mat3& tensor, std::optional<int> planarAxis = {});

Mat3 symmetricPart(const Mat3& tensor);

}  // namespace talus
