#include "io/scene/body_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "io/scene/form_rules.hpp"
#include "io/scene/generators.hpp"
#include "io/scene/motion_rules.hpp"
#include "io/scene/scene_rules.hpp"

namespace talus {
namespace {

class BodyRules : public RuleCheck {
public:
    BodyRules(const Scene& scene, Problems& problems)
        : RuleCheck(scene, problems), forms_(scene.planar, problems), motions_(scene, problems) {}

    void checkBody(const std::string& path, const BodySettings& body) {
        checkMaterial(path, body.material);
        if (body.group) checkName(path + ".group", *body.group);
        std::visit([&](const auto& kind) { checkKind(path, kind); }, body.kind);
        if (body.motion) {
            motions_.checkMotion(path + ".motion", *body.motion);
            motions_.checkMotionOf(path + ".motion", *body.motion, body.kind);
        }
        if (isWallKind(body.kind) && !body.free && !body.fixed.value_or(true)) {
            add(path + ".fixed", "a wall moves freely only if it has a mass (free: {mass: ...}), or give it a motion");
        }
        if (body.free) checkFree(path, body);
        if (body.force) checkForce(path, body);
        if (body.motion && !body.fixed.value_or(true)) {
            add(path + ".motion", "a body with prescribed motion cannot be free as well (fixed: false)");
        }
        if (body.motion || body.fixed.value_or(false)) checkHeld(path, body.kind);
        std::visit([&](const auto& kind) { checkStart(path, kind); }, body.kind);
        if (isSleeve(body.kind)) checkSleeve(path, body);
        if (hasSleeve_) std::visit([&](const auto& kind) { checkInSleeve(path, body, kind); }, body.kind);
        if (const auto* mesh = std::get_if<SolidBody<Mesh>>(&body.kind); mesh != nullptr && mesh->form.surface) {
            checkSurface(path, body);
        }
    }

    void checkSource(const std::string& path, const SourceSettings& source) {
        checkMaterial(path, source.material);
        if (source.group) checkName(path + ".group", *source.group);
        checkBox(path + ".region", source.region);
        checkFlat(path + ".region", source.region);
        checkInPlane(path, source.velocity);
        checkSizes(path, source.grains, source.radius);
        if (hasSleeve_) checkGrainsInSleeve(path, source.grains);
        if (source.stop && *source.stop <= source.start) {
            add(path + ".stop", fmt::format("must be after start, {} s, got {} s", source.start, *source.stop));
        }
    }

private:
    // Velocity and spin at the start, where bodies have them.
    template <class Kind>
    void checkStart(const std::string& path, const Kind& kind) {
        if constexpr (requires { kind.velocity; }) checkInPlane(path, kind.velocity);
        if constexpr (requires { kind.spin; }) {
            if (const std::string fault = spinFault(scene_.planar, kind.spin); !fault.empty()) {
                add(path + ".spin", fault);
            }
        }
    }

    // Only spheres know the rims of rings.
    void checkGrainsInSleeve(const std::string& path, const std::vector<GrainForm>& grains) {
        if (!grains.empty()) add(path + ".grains", "a sleeve confines spheres only; use a drum, or spheres");
    }
    template <class Kind>
    void checkInSleeve(const std::string& path, const BodySettings& body, const Kind& kind) {
        if constexpr (requires { kind.grains; }) checkGrainsInSleeve(path, kind.grains);
        if constexpr (requires { kind.form; }) {
            const bool isHeld = body.motion || body.fixed.value_or(false);
            if (!isHeld) add(path, "a sleeve confines spheres only; hold this body, or use a drum");
        }
    }

    // A sleeve is many walls, one per ring: what is meant for one body would hold for each of them.
    void checkSleeve(const std::string& path, const BodySettings& body) {
        if (body.name)
            add(path + ".name", "is for single bodies; a sleeve is one wall per ring, and joints need a drum");
        if (body.free) add(path + ".free", "a sleeve is one wall per ring and cannot be free; use a drum");
        if (body.force) add(path + ".force", "a sleeve is one wall per ring and bears no force; use a drum");
    }
    void checkSurface(const std::string& path, const BodySettings& body) {
        if (body.motion || body.fixed.value_or(false)) return;
        add(path + ".surface", "a surface has no mass to move: set fixed: true or a motion, or leave out surface");
    }

    void checkFree(const std::string& path, const BodySettings& body) {
        motions_.checkFreeOf(path + ".free", *body.free, body.kind);
        if (body.motion) {
            add(path + ".free", "a body with prescribed motion cannot be free as well");
        } else if (body.fixed.value_or(false)) {
            add(path + ".free", "a fixed body cannot be free");
        }
        if (!isWallKind(body.kind) && body.free->velocity != Vec3{}) {
            add(path + ".free.velocity", "is that of a wall; this body has a velocity of its own");
        }
        if (body.free->axes) checkAxes(path + ".free.axes", *body.free->axes, false);
        if (body.free->turns) checkAxes(path + ".free.turns", *body.free->turns, true);
        checkInPlane(path + ".free", body.free->velocity);
        checkAlong(path + ".free.velocity", "moves along", body.free->velocity, body.free->axes);
        std::visit([&](const auto& kind) { checkGuided(path, *body.free, kind); }, body.kind);
    }

    // A vector that has nothing but the given axes, or any if none are given.
    void checkAlong(const std::string& path, const char* verb, const Vec3& v,
                    const std::optional<std::vector<Axis>>& axes) {
        for (int axis = 0; axis < 3 && axes; ++axis) {
            if (v[axis] == 0 || std::count(axes->begin(), axes->end(), static_cast<Axis>(axis)) > 0) continue;
            add(path, fmt::format("{} {}, which is not among its axes", verb, "xyz"[axis]));
        }
    }

    // Velocity and spin of a body in a guide, which has them beside `free`.
    template <class Kind>
    void checkGuided(const std::string& path, const FreeSettings& free, const Kind& kind) {
        if constexpr (requires { kind.spin; }) {
            checkAlong(path + ".velocity", "moves along", kind.velocity, free.axes);
            checkAlong(path + ".spin", "turns about", kind.spin, free.turns.value_or(std::vector<Axis>{}));
        }
    }

    // In a planar scene bodies move in the plane and turn about the axis across it.
    void checkAxes(const std::string& path, const std::vector<Axis>& axes, bool turning) {
        if (std::set(axes.begin(), axes.end()).size() != axes.size()) add(path, "an axis is given twice");
        const int across = acrossAxis(scene_.planar);
        for (const Axis axis : axes) {
            if (across < 0 || (static_cast<int>(axis) == across) == turning) continue;
            add(path, fmt::format("{} leaves the plane of the scene", "xyz"[static_cast<int>(axis)]));
        }
    }

    void checkForce(const std::string& path, const BodySettings& body) {
        if (isWallKind(body.kind) ? !body.free : (body.fixed.value_or(false) || body.motion.has_value())) {
            add(path + ".force", "has no effect on a body that is held or moves as prescribed");
        }
        motions_.checkForceLaw(path + ".force", *body.force);
    }

    // A held body takes its velocity from its motion only.
    void checkHeld(const std::string& path, const BodyKind& kind) {
        const auto complain = [&](const std::string& key) {
            add(joined(path, key), "a fixed body has no velocity of its own; use motion");
        };
        const auto check = [&](const auto& body) {
            if constexpr (requires { body.velocity; }) {
                if (body.velocity != Vec3{}) complain("velocity");
            }
            if constexpr (requires { body.spin; }) {
                if (body.spin != Vec3{}) complain("spin");
            }
            if constexpr (requires { body.randomVelocity; }) {
                if (body.randomVelocity != 0) complain("random_velocity");
            }
        };
        std::visit(check, kind);
    }

    void checkKind(const std::string&, const SphereBody&) {}
    void checkKind(const std::string&, const PyramidBodies&) {}
    template <class Form>
    void checkKind(const std::string& path, const SolidBody<Form>& body) {
        forms_.check(path, body.form);
        if (body.rotation && body.orientation) add(path, "give either 'rotation' or 'orientation'");
        const int across = acrossAxis(scene_.planar);
        if (body.rotation && across >= 0) {
            Vec3 inPlane;
            inPlane[across] = (*body.rotation)[across];
            if (inPlane != *body.rotation) {
                add(path + ".rotation", fmt::format("a planar scene turns about {} only", "xyz"[across]));
            }
        }
        if (body.orientation) checkOrientation(path + ".orientation", *body.orientation);
    }
    void checkOrientation(const std::string& path, const std::array<double, 4>& q) {
        const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
        if (!(length > 1e-100) || !(length < 1e100)) add(path, "must not be zero, nor of absurd length");
        for (int axis = 0; axis < 3 && scene_.planar != Planar::none; ++axis) {
            if (axis == acrossAxis(scene_.planar) || q[static_cast<std::size_t>(axis) + 1] == 0) continue;
            return add(path, fmt::format("a planar scene turns about {} only", "xyz"[acrossAxis(scene_.planar)]));
        }
    }
    void checkKind(const std::string& path, const Plane& plane) {
        checkDirection(path + ".normal", plane.normal);
        if (plane.on && !path.starts_with("stages")) add(path + ".on", "is for new planes in a stage");
    }
    void checkKind(const std::string& path, const Container& container) {
        if (std::set(container.open.begin(), container.open.end()).size() == 6) {
            add(path + ".open", "a container with all faces open is nothing");
        }
    }
    void checkKind(const std::string& path, const Drum& drum) {
        checkDirection(path + ".axis", drum.axis);
        if (std::set(drum.open.begin(), drum.open.end()).size() == 3) {
            add(path + ".open", "a drum with all faces open is nothing");
        }
    }
    void checkKind(const std::string& path, const Sleeve& sleeve) { checkDirection(path + ".axis", sleeve.axis); }
    void checkKind(const std::string& path, const LatticeBodies& lattice) {
        if (lattice.count.has_value() == lattice.region.has_value()) add(path, "give either 'count' or 'region'");
        if (lattice.region) checkBox(path + ".region", *lattice.region);
        const int across = acrossAxis(scene_.planar);
        if (lattice.count && across >= 0 && (*lattice.count)[static_cast<std::size_t>(across)] != 1) {
            add(indexed(path + ".count", static_cast<std::size_t>(across)),
                fmt::format("must be 1: a planar scene has one layer along {}", "xyz"[across]));
        }
        forms_.checkGrains(path, lattice.grains, lattice.radius.has_value());
    }
    void checkKind(const std::string& path, const RandomBodies& random) {
        if (random.count.has_value() == random.volumeFraction.has_value()) {
            add(path, "give either 'count' or 'volume_fraction'");
        }
        if (const auto* box = std::get_if<BoxRegion>(&random.region)) checkBox(path + ".region", *box);
        if (const auto* cylinder = std::get_if<CylinderRegion>(&random.region)) {
            checkDirection(path + ".region.axis", cylinder->axis);
            if (scene_.planar != Planar::none) add(path + ".region", "a planar scene needs a box as region");
        }
        checkSizes(path, random.grains, random.radius);
    }
    void checkKind(const std::string& path, const CsvBodies& csv) {
        if (csv.file.empty()) add(path + ".file", "the name of a file is wanted");
        forms_.checkGrains(path, csv.grains, true);
    }

    // New grains of a planar scene must not end up beside each other's plane.
    void checkFlat(const std::string& path, const BoxRegion& box) {
        const int across = acrossAxis(scene_.planar);
        if (across < 0 || box.low[across] == box.high[across]) return;
        add(path, fmt::format("must be flat in a planar scene, with one {} for low and high, got {} and {} m",
                              "xyz"[across], box.low[across], box.high[across]));
    }

    void checkSizes(const std::string& path, const std::vector<GrainForm>& grains,
                    const std::optional<SizeSettings>& radius) {
        forms_.checkGrains(path, grains, radius.has_value());
        if (radius) std::visit([&](const auto& size) { checkSize(path + ".radius", size); }, *radius);
    }
    void checkSize(const std::string&, const SingleSize&) {}
    void checkSize(const std::string& path, const UniformSize& size) {
        if (size.low > size.high)
            add(path, fmt::format("low must not exceed high, got {} and {} m", size.low, size.high));
    }
    void checkSize(const std::string& path, const NormalSize& size) {
        if (size.mean < size.low || size.mean > size.high) {
            add(path, fmt::format("the mean must lie between low and high, got {} m", size.mean));
        } else if (size.high - size.low < 0.1 * size.deviation) {
            // Nearly every draw would fall outside and be drawn again.
            add(path, "low and high must be further apart than a tenth of the deviation");
        }
    }
    void checkSize(const std::string& path, const TableSize& size) {
        if (size.radii.empty() || size.radii.size() != size.weights.size()) {
            add(path, fmt::format("radii and weights must be equally many, at least one; got {} and {}",
                                  size.radii.size(), size.weights.size()));
        } else if (std::accumulate(size.weights.begin(), size.weights.end(), 0.0) <= 0) {
            add(path, "the weights must not all be zero");
        }
    }

    FormCheck forms_;
    MotionCheck motions_;
};

}  // namespace

void checkBodies(const Scene& scene, const std::string& path, const std::vector<BodySettings>& bodies,
                 Problems& problems) {
    BodyRules rules(scene, problems);  // once: it looks at all bodies
    for (std::size_t k = 0; k < bodies.size(); ++k) rules.checkBody(indexed(path, k), bodies[k]);
}

void checkSources(const Scene& scene, const std::string& path, const std::vector<SourceSettings>& sources,
                  Problems& problems) {
    BodyRules rules(scene, problems);
    for (std::size_t k = 0; k < sources.size(); ++k) rules.checkSource(indexed(path, k), sources[k]);
}

}  // namespace talus
