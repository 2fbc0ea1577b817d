// Joints as entries of a contact problem: what they hold, stops, springs and drives. Both methods use them: contact
// dynamics beside its contacts (joint_step.hpp), the penalty method in a problem of their own (joint_forces.hpp).
//
// With x the error of a direction that is held, or the coordinate of one that is not, u the mean speed of the step that
// belongs to it (model/joint_geometry.hpp), h the step and g the impulse,
//
//     u + b + E g = 0,  any g            held:             b = c x/h + k,                 E = 0
//                                        spring, damper:   b = K (x - rest)/(K s + C),    E = 1/(t (K s + C))
//                                        drive:            b = -speed,                    E = 0
//     0 <= u + b, g >= 0, one of them 0  stop:             b = gap/h + k, c gap/h + k if it is passed
//     |g| <= t F                         drive with a largest force F
//
// c is the share of an error that a step takes away, K and C stiffness and damping, t the time that turns forces into
// impulses, s the way at whose end the spring acts over u. The term k = (x(on) - x)/h - u(on), where `on` is how things
// would be if both bodies went on as in the last step, is how much x changes beside u: a rod that turns would else grow
// longer in every step. With it errors stay of third order in h. Contact dynamics finds k anew from the velocities of
// its first answer, and so loses the delay that would feed energy (joint_step.hpp).
//
// A spring whose oscillation takes many steps acts with the force of the start of the step, as do drives that are
// forces: they are known, and no entries. So it keeps its energy. Couples count as forces at a lever, about the radius
// of gyration, so that all entries are alike.
#pragma once

#include <array>
#include <vector>

#include "model/joint_geometry.hpp"
#include "model/world.hpp"
#include "problem/contact_problem.hpp"

namespace talus {

// When and for how long joints act.
struct JointTiming {
    double time = 0;         // s, at the start of the step
    double dt = 0;           // s
    double impulseTime = 0;  // s, t
    double springWay = 0;    // s, s
    double loadTime = 0;     // s, for which drives that are forces are taken
};

// A body of a joint in a step.
struct JointBody {
    std::uint32_t index = theWorld;              // in WorldState::bodies
    std::uint32_t entry = BodyContacts::noBody;  // in the problem; noBody: it cannot move
    JointEnd start;                              // pose; velocities before the step, or prescribed ones
    JointEnd going;                              // pose; mean velocities as far as known, or prescribed ones
    JointEnd on;                                 // pose at the end of the step with these
    Vec3 freeVelocity, freeSpin;                 // m/s, rad/s, on average during the step without reactions
    Vec3 inverseMass;                            // 1/kg, along each axis
    Mat3 inverseInertia;                         // 1/(kg m^2), world frame
};
using JointPair = std::array<JointBody, 2>;

enum class JointPart { held, stop, spring, drive, pull };  // pull: see joint_pull.hpp

struct JointEntry {
    std::uint32_t joint = 0;
    JointPart part = JointPart::held;
    bool turning = false;             // about its directions, not along them
    bool back = false;                // a stop at the upper end, which pushes back
    double lever = 1;                 // m if turning: couples over reactions
    std::size_t rows = 0;             // others of the three are nothing
    std::array<Vec3, 3> direction{};  // of each row
    Vec3 firstArm, secondArm;         // m, from the bodies' centres to where the force acts
    BodyContacts::Contact contact;
    ReactionSet set;
    Vec3 offset;          // m/s
    Mat3 compliance;      // s/kg
    Vec3 guess;           // N s
    Vec3 before;          // m/s, speeds before the step
    Vec3 free;            // m/s, on average during the step without reactions
    bool stores = false;  // a spring that keeps energy
};

// A force on a coordinate that is known when the step begins.
struct KnownForce {
    std::uint32_t joint = 0;
    JointPart part = JointPart::drive;
    bool turning = false;
    double value = 0;  // N or N m
    Vec3 direction, firstArm, secondArm;
};

// Inverse mass and inertia of a body, 0 for what it cannot do.
void setMobility(const WorldState& world, JointBody& body);

// The entries of all joints; one pair of bodies per joint. `correction`: c.
void findJointEntries(const WorldState& world, const JointTiming& timing, double correction,
                      const std::vector<JointPair>& bodies, std::vector<JointEntry>& entries);
void findKnownForces(const WorldState& world, const JointTiming& timing, const std::vector<JointPair>& bodies,
                     std::vector<KnownForce>& forces);

double valueAt(const TimedValue& value, double time);

// Force and couple of an entry with this reaction (impulse or force), or of a known force, on the first body.
struct JointLoad {
    Vec3 force, couple;
};
JointLoad loadOf(const JointEntry& entry, const Vec3& reaction);
JointLoad loadOf(const KnownForce& force);

// What the load does to its bodies' forces and torques.
void addToFirst(const JointLoad& load, const Vec3& arm, Vec3& force, Vec3& torque);
void addToSecond(const JointLoad& load, const Vec3& arm, Vec3& force, Vec3& torque);

// Remembers the forces of a step: forget first, then each entry with its force.
void forgetJointForces(Joints& joints);
void rememberJointForce(Joints& joints, const JointEntry& entry, const Vec3& force);
void rememberJointForce(Joints& joints, const KnownForce& force);

// When bodies have moved: turns are counted on.
void followTurns(WorldState& world, const std::vector<JointIndices>& indices);

// What the forces of joints do to a body that turns (joint_pull.hpp).
struct PulledBody {
    std::uint32_t index = theWorld;  // in WorldState::bodies
    Mat3 inverseInertia{};           // 1/(kg m^2), world frame
    std::size_t leader = 0;          // of those that can only turn together
    bool locked = false;             // with something that does not turn by itself
    Mat3 stiffness{};                // N m
    Vec3 arm;                        // m, of the joint that makes most follow
    double mass = 0;                 // kg, that follows it at least
};

// Scratch of a step; holds no state of the simulation.
struct JointWorkspace {
    std::vector<JointIndices> indices;
    std::vector<JointPair> bodies;
    std::vector<JointEntry> entries, again;  // again: for the velocities of a first answer
    std::vector<KnownForce> known;
    std::vector<PulledBody> pulled;
    std::vector<JointCoordinates> before;  // of each joint, at the start of the step
    std::size_t firstEntry = 0;            // in the problem
};

// The coordinates of all joints, for which indices are known.
void noteCoordinates(const WorldState& world, JointWorkspace& workspace);

}  // namespace talus
