// Settings as texts, in the words and units of scenes: for front ends that have names and texts instead of structs.
//
//   BodySettings ball = parseSettings<BodySettings>("{shape: sphere, radius: 5 mm, position: [0, 0, 2 cm]}", "ball");
//   StepMethod method = parseSettings<StepMethod>("{method: contact-dynamics, step: 1 ms, tolerance: 1e-6}", "method");
//   std::string all = settingsAsJson(method);  // every setting, defaults too, in SI
//
// Texts are YAML (or JSON, which is YAML) and read by the field lists of scenes: the same keys, units, ranges and
// messages. A mistake is an InputError with one line per finding, each "path: what is wrong"; paths start from `path`.
#pragma once

#include <string>

#include "talus/bodies.hpp"
#include "talus/joint.hpp"
#include "talus/method.hpp"
#include "talus/motion.hpp"
#include "talus/space.hpp"
#include "talus/world.hpp"

namespace talus {

// For WorldSettings (but for the folder), MaterialProperties, ContactOverrides, BodySettings, Region, MotionLaw,
// ForceLaw, JointSettings, SourceSettings, SinkSettings, StepMethod (with the key `method`), StepperSettings.
template <class Settings>
Settings parseSettings(const std::string& text, const std::string& path);
template <class Settings>
std::string settingsAsJson(const Settings& settings);

// A quantity as the settings of scenes have it ("length", "pressure", "plain number", ...) in SI: "2.5 mm" -> 0.0025.
double parseQuantityOf(const std::string& text, const std::string& quantity);

}  // namespace talus
