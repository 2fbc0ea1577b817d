// Rules of motions, forces, free walls and guides, in bodies and in changes of a stage.
#pragma once

#include "io/scene/rule_check.hpp"

namespace talus {

class MotionCheck : public RuleCheck {
public:
    using RuleCheck::RuleCheck;

    // path: of the key `motion`, `force` or `free`.
    void checkMotion(const std::string& path, const MotionLaw& motion);
    // Whether this kind of body can follow the motion.
    void checkMotionOf(const std::string& path, const MotionLaw& motion, const BodyKind& kind);
    void checkForceLaw(const std::string& path, const ForceLaw& force);
    // Whether this kind of body can be free in this way.
    void checkFreeOf(const std::string& path, const FreeSettings& free, const BodyKind& kind);

    // A body that a servo moves by force goes along an axis, wherever the scene has one.
    void checkRigidServos();

private:
    void checkLaw(const std::string&, const ConstantMotion&) {}
    void checkLaw(const std::string&, const SineMotion&) {}
    void checkLaw(const std::string& path, const RotationMotion& motion);
    void checkLaw(const std::string& path, const TableMotion& motion);
    void checkLaw(const std::string& path, const ServoMotion& motion);
    void checkLaw(const std::string& path, const RadialServoMotion& motion);
    void checkEnd(const std::string& path, const std::string& group);
    void checkServoOf(const std::string& path, const ServoMotion& servo, const BodyKind& kind);
    void checkFreeWall(const std::string& path, const FreeSettings& free);
    void checkGuide(const std::string& path, const FreeSettings& free);
};

}  // namespace talus
