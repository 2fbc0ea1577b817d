#include "model/servo.hpp"

#include <algorithm>
#include <cmath>

#include "model/driven.hpp"
#include "model/sleeve.hpp"

namespace talus {
namespace {

template <class Visit>
void forEachServo(const WorldState& world, Visit&& visit) {
    if (world.motions.empty()) return;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const std::uint16_t motion = world.bodies.motion[i];
        if (motion != noMotion && isServo(world.motions[motion])) visit(i);
    }
}

double shareAt(const TargetCourse& c, double t) {
    if (c.time.empty()) return 1;
    const auto after = std::upper_bound(c.time.begin(), c.time.end(), t);
    if (after == c.time.begin()) return c.share.front();
    if (after == c.time.end()) return c.share.back();
    const auto k = static_cast<std::size_t>(after - c.time.begin());
    const double part = (t - c.time[k - 1]) / (c.time[k] - c.time[k - 1]);
    return c.share[k - 1] + part * (c.share[k] - c.share[k - 1]);
}

double largestShare(const TargetCourse& c) {
    double largest = c.time.empty() ? 1.0 : 0.0;
    for (const double share : c.share) largest = std::max(largest, std::abs(share));
    return largest;
}

const Motion& motionOf(const WorldState& world, std::size_t body) { return world.motions[world.bodies.motion[body]]; }

const TargetCourse& courseOf(const Motion& motion) {
    const auto* axial = std::get_if<ServoMotion>(&motion.law);
    return axial != nullptr ? axial->course : std::get<RadialServoMotion>(motion.law).course;
}

double maxSpeedOf(const Motion& motion) {
    const auto* axial = std::get_if<ServoMotion>(&motion.law);
    return axial != nullptr ? axial->maxSpeed : std::get<RadialServoMotion>(motion.law).maxSpeed;
}

double gainOf(const Motion& motion) {
    const auto* axial = std::get_if<ServoMotion>(&motion.law);
    return axial != nullptr ? axial->gain : std::get<RadialServoMotion>(motion.law).gain;
}

// m, of a container or box; 0 for other shapes.
Vec3 edgesOf(const Shape& shape) {
    if (const auto* container = std::get_if<BoxWall>(&shape)) return 2 * container->halfSize;
    if (const auto* box = std::get_if<BoxShape>(&shape)) return 2 * (box->halfSize + box->rounding * Vec3{1, 1, 1});
    return {};
}

// N, at share 1.
double fullTarget(const WorldState& world, std::size_t body) {
    const auto* axial = std::get_if<ServoMotion>(&motionOf(world, body).law);
    if (axial == nullptr) return std::get<RadialServoMotion>(motionOf(world, body).law).stress * servoArea(world, body);
    return axial->force ? *axial->force : *axial->stress * servoArea(world, body);
}

// Takes a mantle as if no plane covered it: what a ring may have to bear in the course of a stage.
double largestTarget(const WorldState& world, std::size_t body) {
    const RadialServoMotion* radial = radialServoOf(world, body);
    return radial != nullptr ? radial->stress * wholeMantleArea(world, body) : fullTarget(world, body);
}

// How contacts answer when the servo moves on.
struct Answer {
    double stiffness = 0;  // N/m
    double dashpot = 0;    // N s/m
};

// Where a body touches one that a servo moves.
struct Touch {
    std::size_t other, servo;  // bodies
    double overlap, radius;    // m; radius: effective
    Vec3 normal;               // world frame
    bool firstFace;
};

Touch touchOf(const WorldState& world, const WallCandidate& c) {
    const Bodies& b = world.bodies;
    const std::size_t wall = b.grainCount + c.wall;
    const Quat& q = b.orientation[wall];
    const FaceDistance face =
        distanceToFace(wallNow(world, wall), c.face, rotateBack(q, b.position[c.grain] - b.position[wall]));
    const double radius = b.radius[c.grain];
    return {c.grain,    wall, radius - face.distance, radius / (1 + radius * face.curvature), rotate(q, face.normal),
            c.face == 0};
}

Touch touchOf(const WorldState& world, const ShapePair& pair, const ContactPoint& point, std::size_t servo) {
    const Bodies& b = world.bodies;
    const std::size_t other = pair.a == servo ? pair.b : pair.a;
    const bool first = servo >= b.grainCount &&
                       isFirstFace(world.shapes[b.shape[servo]], rotateBack(b.orientation[servo], point.normal));
    return {other, servo, -point.gap, point.radius, point.normal, first};
}

Answer answerOf(const WorldState& world, const Touch& touch, const Motion& motion) {
    const Bodies& b = world.bodies;
    const auto* axial = std::get_if<ServoMotion>(&motion.law);
    if (touch.overlap <= 0 || (axial == nullptr && !touch.firstFace)) return {};

    const PairLaw& law = world.materials.between(b.material[touch.other], b.material[touch.servo]);
    const bool hertz = world.materials.kinds.normal == NormalLaw::hertz;
    const double contactRadius = std::sqrt(touch.radius * touch.overlap);
    const double normal = hertz ? 2 * law.modulus * contactRadius : linearStiffness(law, touch.radius).normal;
    const double tangential = hertz ? 8 * law.shearModulus * contactRadius : law.tangentialRatio * normal;
    const double along =
        dot(touch.normal, axial == nullptr ? closingAt(world, touch.servo, touch.normal) : directionOf(*axial, motion));
    const double mass = b.inverseMass[touch.other] > 0 ? 1 / b.inverseMass[touch.other] : 0.0;
    Answer answer;
    answer.stiffness = along * along * normal + (1 - along * along) * tangential;
    if (world.contacts.keepsSprings()) {
        answer.dashpot = along * along * 2 * law.dampingRatio * std::sqrt(mass * normal);
    } else if (const YieldLaw* yield = world.materials.yieldBetween(b.material[touch.other], b.material[touch.servo])) {
        answer.dashpot = along * along * (normal * yield->dampingTime + mass * yield->dampingRate);
    }
    return answer;
}

// Sums over all contacts of a body, in the order of the lists.
Answer answerOf(const WorldState& world, std::size_t body, const Motion& motion) {
    Answer sum;
    if (world.contacts.stale) return sum;
    const auto add = [&](const Touch& touch) {
        const Answer one = answerOf(world, touch, motion);
        sum.stiffness += one.stiffness;
        sum.dashpot += one.dashpot;
    };
    for (const WallCandidate& c : world.contacts.walls.candidate) {
        if (world.bodies.grainCount + c.wall == body) add(touchOf(world, c));
    }
    const ShapeCandidates& shapes = world.contacts.shapes;
    for (std::size_t p = 0; p < shapes.pair.size(); ++p) {
        if (shapes.pair[p].a != body && shapes.pair[p].b != body) continue;
        for (std::uint32_t k = shapes.pointStart[p]; k < shapes.pointStart[p + 1]; ++k) {
            add(touchOf(world, shapes.pair[p], shapes.point[k], body));
        }
    }
    return sum;
}

void steerBySpeed(WorldState& world, std::size_t body, double dt) {
    Motion& motion = world.motions[world.bodies.motion[body]];
    const double missing = targetForce(world, body, world.time) - measuredForce(world, body);
    const Answer answer = answerOf(world, body, motion);
    const double resistance = answer.stiffness * dt + answer.dashpot, fastest = maxSpeedOf(motion);
    const double wanted = resistance > 0 ? gainOf(motion) * missing / resistance : std::copysign(fastest, missing);
    motion.servo.way = motion.servo.wayAt(world.time);
    motion.servo.since = world.time;
    motion.servo.speed = missing == 0 ? 0.0 : std::clamp(wanted, -fastest, fastest);
}

// In which a wall moves by force; the x axis stands for a radius (model/sleeve.hpp).
Vec3 pushDirection(const Motion& motion) {
    const auto* axial = std::get_if<ServoMotion>(&motion.law);
    return axial != nullptr ? directionOf(*axial, motion) : Vec3{1, 0, 0};
}

// A ring that the planes at its ends have passed.
bool isBare(const WorldState& world, std::size_t body) {
    return radialServoOf(world, body) != nullptr && mantleArea(world, body) == 0;
}

// The wall starts each step from rest. A ring that confines nothing stays.
void steerByForce(WorldState& world, std::size_t body, double dt) {
    Bodies& b = world.bodies;
    Motion& motion = world.motions[b.motion[body]];
    const double mass = 1 / b.inverseMass[body];
    const double target = isBare(world, body) ? 0.0 : targetForce(world, body, world.time + 0.5 * dt);
    b.velocity[body] = Vec3{};
    motion.servo.push = target * pushDirection(motion) - mass * world.gravity;
}

void giveServoMass(WorldState& world, std::size_t body, double impulseTime) {
    Bodies& b = world.bodies;
    const Motion& motion = motionOf(world, body);
    const Vec3 direction = pushDirection(motion);
    const double largest = std::abs(largestTarget(world, body)) * largestShare(courseOf(motion));
    const double mass = largest * impulseTime / maxSpeedOf(motion);
    b.inverseMass[body] = mass > 0 ? 1 / mass : 0.0;
    const Freedom along{
        {std::round(std::abs(direction.x)), std::round(std::abs(direction.y)), std::round(std::abs(direction.z))},
        {0, 0, 0}};
    b.guide[body] = findGuide(world, along);
}

}  // namespace

double targetForce(const WorldState& world, std::size_t body, double time) {
    const Motion& motion = motionOf(world, body);
    return fullTarget(world, body) * shareAt(courseOf(motion), time - motion.startTime);
}

double areaAcross(const Vec3& edges, const Vec3& direction) {
    const Vec3 size{std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)};
    if (size.x >= size.y && size.x >= size.z) return edges.y * edges.z;
    return size.y >= size.z ? edges.x * edges.z : edges.x * edges.y;
}

double servoArea(const WorldState& world, std::size_t body) {
    const Shape& shape = world.shapes[world.bodies.shape[body]];
    const auto* axial = std::get_if<ServoMotion>(&motionOf(world, body).law);
    if (axial != nullptr && axial->area) return *axial->area;
    if (axial != nullptr)
        return areaAcross(edgesOf(shape),
                          rotateBack(world.bodies.orientation[body], directionOf(*axial, motionOf(world, body))));
    return mantleArea(world, body);
}

double measuredForce(const WorldState& world, std::size_t body) {
    const auto* axial = std::get_if<ServoMotion>(&motionOf(world, body).law);
    if (axial != nullptr) return -dot(world.bodies.force[body], directionOf(*axial, motionOf(world, body)));
    const std::size_t wall = body - world.bodies.grainCount;
    return wall < world.facePush.size() ? world.facePush[wall] : 0.0;
}

void startServos(WorldState& world, ServoDrive drive, double impulseTime) {
    Bodies& b = world.bodies;
    forEachServo(world, [&](std::size_t i) {
        Motion& motion = world.motions[b.motion[i]];
        motion.start = {b.position[i], b.orientation[i]};
        motion.servo = {.since = world.time, .radius = i < b.grainCount ? 0.0 : wallNow(world, i).radius};
        b.inverseMass[i] = 0;
        b.guide[i] = noGuide;
        b.velocity[i] = b.spin[i] = Vec3{};
        if (drive == ServoDrive::force) giveServoMass(world, i, impulseTime);
    });
}

void steerServos(WorldState& world, double dt) {
    forEachServo(world, [&](std::size_t i) {
        if (world.bodies.inverseMass[i] > 0) {
            steerByForce(world, i, dt);
        } else {
            steerBySpeed(world, i, dt);
        }
    });
}

// The push less what the drag took is what the grains bore. Velocities become those at which walls went.
void addServoWork(WorldState& world, double dt, double impulseTime) {
    Bodies& b = world.bodies;
    forEachServo(world, [&](std::size_t i) {
        if (!isDriven(b, i)) return;
        const double mass = 1 / b.inverseMass[i];
        const Vec3& velocity = b.velocity[i] = b.midVelocity[i];
        const Vec3 borne = appliedForce(world, i) + mass * (world.gravity - velocity / impulseTime);
        world.ledger.wallWork += dt * dot(borne, velocity);
    });
}

}  // namespace talus
