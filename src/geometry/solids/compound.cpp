#include "geometry/solids/compound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/mass/principal_axes.hpp"
#include "geometry/mass/sphere_union.hpp"
#include "geometry/mesh/mesh.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double farthestPart = 1e9;  // m

bool isOpenMesh(const Shape& shape) {
    const auto* mesh = std::get_if<MeshShape>(&shape);
    return mesh != nullptr && !mesh->mesh->closed;
}

double lengthOf(const Quat& q) { return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

// Why a part cannot be one; empty if it can.
std::string faultOf(const CompoundBody::Part& part, MassMode mode) {
    const Pose& pose = part.pose;
    if (isWall(part.shape)) return "is a wall: parts fill space";
    if (std::holds_alternative<CompoundShape>(part.shape)) return "is a compound: give its parts instead";
    if (isOpenMesh(part.shape)) return "is an open surface: parts fill space";
    if (!(part.scale > 0) || !std::isfinite(part.scale))
        return fmt::format("must have a scale > 0, got {}", part.scale);
    const double reach = norm(pose.position) + part.scale * boundingRadius(part.shape);
    if (!(reach <= farthestPart)) return fmt::format("is not within {:g} m of the origin", farthestPart);
    if (!(lengthOf(pose.orientation) > 0) || !std::isfinite(lengthOf(pose.orientation))) return "has no orientation";
    if (mode == MassMode::unionOfSpheres && !std::holds_alternative<SphereShape>(part.shape)) {
        return fmt::format("is a {}: the space that parts fill together can be found only of spheres",
                           shapeName(part.shape));
    }
    if (!(massProperties(part.shape, part.scale).volume > 0)) return "has no volume";
    return "";
}

void check(std::vector<CompoundBody::Part>& parts, MassMode mode) {
    if (parts.empty()) throw InputError("a compound needs at least one part");
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::string fault = faultOf(parts[k], mode);
        if (!fault.empty()) throw InputError(fmt::format("part {} of the compound {}", k + 1, fault));
        parts[k].pose.orientation = normalized(parts[k].pose.orientation);
    }
}

MassMoments sumOf(const std::vector<CompoundBody::Part>& parts, const Vec3& about) {
    MassMoments sum;
    for (const CompoundBody::Part& part : parts) {
        sum +=
            momentsInPlace(massProperties(part.shape, part.scale), {part.pose.position - about, part.pose.orientation});
    }
    return sum;
}

MassMoments unionOf(const std::vector<CompoundBody::Part>& parts, const Vec3& about) {
    std::vector<Ball> balls;
    for (const CompoundBody::Part& part : parts) balls.push_back({part.pose.position - about, part.scale});
    return unionOfBalls(balls);
}

PrincipalFrame frameOf(const std::vector<CompoundBody::Part>& parts, MassMode mode) {
    // Seen from one of the parts, so that bodies far from the origin lose no digits.
    const Vec3 about = parts.front().pose.position;
    PrincipalFrame frame =
        principalFrame(mode == MassMode::unionOfSpheres ? unionOf(parts, about) : sumOf(parts, about));
    frame.pose.position += about;
    return frame;
}

}  // namespace

CompoundInPlace makeCompound(std::vector<CompoundBody::Part> parts, MassMode mode) {
    check(parts, mode);
    const PrincipalFrame frame = frameOf(parts, mode);
    auto compound = std::make_shared<CompoundBody>();
    compound->mass = frame.mass;
    std::vector<BoundingBox> boxes;
    for (CompoundBody::Part& part : parts) {
        part.pose = {intoFrame(frame.pose, part.pose.position),
                     conjugate(frame.pose.orientation) * part.pose.orientation};
        const double radius = part.scale * boundingRadius(part.shape);
        compound->radius = std::max(compound->radius, norm(part.pose.position) + radius);
        boxes.push_back(boxAround(part.pose.position, radius));
    }
    compound->tree = buildTree(boxes);
    compound->parts = std::move(parts);
    return {{std::move(compound)}, frame.pose};
}

}  // namespace talus
