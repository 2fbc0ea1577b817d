// Settings of bodies, of their sizes, and of sources and sinks.
#pragma once

#include "io/scene/fields/form_fields.hpp"
#include "io/scene/fields/motion_fields.hpp"
#include "io/scene/fields/space_fields.hpp"

namespace talus {

template <>
struct EnumNames<BoxFace> {
    static constexpr std::array<std::string_view, 6> names{"-x", "+x", "-y", "+y", "-z", "+z"};
};
template <>
struct EnumNames<DrumFace> {
    static constexpr std::array<std::string_view, 3> names{"mantle", "low", "high"};
};
template <>
struct EnumNames<Lattice> {
    static constexpr std::array<std::string_view, 5> names{"sc", "bcc", "fcc", "hcp", "triangular"};
};

// --- sizes ---------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<SingleSize>{"distribution", "single", "One size; a bare number means the same."};
template <>
inline constexpr Tag tagOf<UniformSize>{"distribution", "uniform", "Any radius between two bounds, equally likely."};
template <>
inline constexpr Tag tagOf<NormalSize>{"distribution", "normal",
                                       "Normal distribution, drawn again outside the bounds."};
template <>
inline constexpr Tag tagOf<TableSize>{"distribution", "table", "A few sizes, each with its share."};
template <>
inline constexpr auto bareMember<SizeSettings> = &SingleSize::radius;

template <class V>
void fields(V& v, SingleSize& s) {
    v({"radius", "Radius of every grain.", unit::length, radiusRange, Need::required}, s.radius);
}

template <class V>
void fields(V& v, UniformSize& s) {
    v({"low", "Smallest radius.", unit::length, radiusRange, Need::required}, s.low);
    v({"high", "Largest radius.", unit::length, radiusRange, Need::required}, s.high);
}

template <class V>
void fields(V& v, NormalSize& s) {
    v({"mean", "Mean radius.", unit::length, radiusRange, Need::required}, s.mean);
    v({"deviation", "Standard deviation of the radius.", unit::length, bounds::nonNegative, Need::required},
      s.deviation);
    v({"low", "Smallest radius.", unit::length, radiusRange, Need::required}, s.low);
    v({"high", "Largest radius.", unit::length, radiusRange, Need::required}, s.high);
}

template <class V>
void fields(V& v, TableSize& s) {
    v({"radii", "The radii.", unit::length, radiusRange, Need::required}, s.radii);
    v({"weights", "Share of each by number; any positive sum.", unit::number, bounds::nonNegative, Need::required},
      s.weights);
}

// --- bodies --------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<SphereBody>{"shape", "sphere", "One sphere."};
template <class Form>
inline constexpr Tag tagOf<SolidBody<Form>> = tagOf<Form>;
template <>
inline constexpr Tag tagOf<Plane>{"shape", "plane", "An unbounded flat wall."};
template <>
inline constexpr Tag tagOf<Container>{
    "shape", "container", "A hollow box with grains inside. Its faces are unbounded planes; any can be left open."};
template <>
inline constexpr Tag tagOf<Drum>{"shape", "drum", "A hollow cylinder with grains inside."};
template <>
inline constexpr Tag tagOf<Sleeve>{"shape", "sleeve",
                                   "A hollow cylinder of rings, each with its own radius under a radial servo: a "
                                   "flexible confining wall for spheres."};
template <>
inline constexpr Tag tagOf<LatticeBodies>{"generate", "lattice",
                                          "Spheres, or other grains turned at random, on a crystal lattice."};
template <>
inline constexpr Tag tagOf<PyramidBodies>{"generate", "pyramid", "A cannonball pile on a square base, apex up."};
template <>
inline constexpr Tag tagOf<RandomBodies>{
    "generate", "random",
    "Spheres at random places without overlap (random sequential addition, largest first); or other grains, turned at "
    "random, whose bounding spheres do not overlap."};
template <>
inline constexpr Tag tagOf<CsvBodies>{
    "generate", "csv",
    "Bodies from a table with a header line, numbers in SI: columns x, y, z, radius, and if wanted "
    "vx, vy, vz, wx, wy, wz, material, fixed; with grains also qw, qx, qy, qz (orientation) and shape (which of the "
    "grains, from 0; a file of outlines counts as all of its grains)."};

template <class V>
void fields(V& v, SphereBody& b) {
    v({"radius", "Radius.", unit::length, radiusRange, Need::required}, b.radius);
    v({"position", "Centre.", unit::length, coordinateRange, Need::required}, b.position);
    v({"velocity", "Velocity at the start.", unit::velocity, speedRange}, b.velocity);
    v({"spin", "Angular velocity at the start.", unit::angularVelocity, speedRange}, b.spin);
}

template <class V, class Form>
void fields(V& v, SolidBody<Form>& b) {
    fields(v, b.form);
    v({"position", "Where the origin of its form is.", unit::length, coordinateRange, Need::required}, b.position);
    v({"rotation", "Turn about the origin of its form: axis times angle.", unit::angle}, b.rotation);
    v({"orientation", "The same turn as a quaternion w, x, y, z of any length; give this or rotation.", unit::number},
      b.orientation);
    v({"velocity", "Velocity of the centre of mass at the start.", unit::velocity, speedRange}, b.velocity);
    v({"spin", "Angular velocity at the start.", unit::angularVelocity, speedRange}, b.spin);
}

template <class V>
void grainsField(V& v, std::vector<GrainForm>& grains) {
    v({"grains", "Forms of the grains and their shares, each turned at random; spheres if not given."}, grains);
}

inline constexpr std::string_view radiusOfGrains =
    "Radius, one for all or a distribution. With grains: of the ball of the same volume (the disc of the same area if "
    "planar); if not given they have the size they are given in.";

template <class V>
void fields(V& v, Plane& b) {
    v({"point", "Any point of the surface.", unit::length, coordinateRange}, b.point);
    v({"normal", "Direction towards the grains, of any length.", unit::number}, b.normal);
    v({"on", "Of a new plane in a stage: it is moved along its normal until it touches a body of this group."}, b.on);
}

template <class V>
void fields(V& v, Container& b) {
    v({"centre", "Centre of the box.", unit::length, coordinateRange, Need::required}, b.centre);
    v({"size", "Inner edge lengths.", unit::length, lengthRange, Need::required}, b.size);
    v({"rotation", "Turn about the centre: axis times angle.", unit::angle}, b.rotation);
    v({"open", "Faces left open."}, b.open);
}

template <class V>
void fields(V& v, Drum& b) {
    v({"centre", "Centre of the drum.", unit::length, coordinateRange, Need::required}, b.centre);
    v({"axis", "Direction of the axis, of any length.", unit::number}, b.axis);
    v({"radius", "Inner radius.", unit::length, lengthRange, Need::required}, b.radius);
    v({"length", "Inner length.", unit::length, lengthRange, Need::required}, b.length);
    v({"open", "Faces left open: the mantle, the low or the high cap along the axis."}, b.open);
}

template <class V>
void fields(V& v, Sleeve& b) {
    v({"centre", "Centre of the sleeve.", unit::length, coordinateRange, Need::required}, b.centre);
    v({"axis", "Direction of the axis, of any length.", unit::number}, b.axis);
    v({"radius", "Inner radius at the start.", unit::length, lengthRange, Need::required}, b.radius);
    v({"length", "Length of all rings together.", unit::length, lengthRange, Need::required}, b.length);
    v({"rings", "Number of rings.", unit::number, {.low = 1, .high = 1000}}, b.rings);
}

template <class V>
void fields(V& v, LatticeBodies& b) {
    v({"lattice", "sc, bcc, fcc, hcp, or triangular (hexagonal layers in the plane of the scene)."}, b.lattice);
    grainsField(v, b.grains);
    v({"radius",
       "Radius of the spheres. With grains: of the ball of the same volume (the disc of the same area if planar); if "
       "not given they have the size they are given in.",
       unit::length, radiusRange},
      b.radius);
    v({"spacing",
       "Distance between centres of nearest neighbours; if not given twice the radius, or that of the largest bounding "
       "sphere of the grains.",
       unit::length, lengthRange},
      b.spacing);
    v({"origin", "Low corner of the space filled, with count.", unit::length, coordinateRange}, b.origin);
    v({"count", "Cells along x, y and z, 1 across a planar scene; give this or region.", unit::number,
       bounds::atLeastOne},
      b.count);
    v({"region", "Box to fill with every bounding sphere that fits in whole; give this or count."}, b.region);
    v({"jitter",
       "Largest random shift of each coordinate as a fraction of spacing; it leads no sphere out of the box of the "
       "lattice.",
       unit::number, bounds::fraction},
      b.jitter);
    v({"velocity", "Velocity at the start.", unit::velocity, speedRange}, b.velocity);
    v({"random_velocity", "Each component of the velocity differs at random by up to this.", unit::velocity,
       bounds::nonNegative},
      b.randomVelocity);
}

template <class V>
void fields(V& v, PyramidBodies& b) {
    v({"base", "Spheres along each side of the lowest layer.", unit::number, {.low = 1, .high = 600}, Need::required},
      b.base);
    v({"radius", "Radius of the spheres.", unit::length, radiusRange, Need::required}, b.radius);
    v({"origin", "Low corner of the box around the pile.", unit::length, coordinateRange}, b.origin);
    v({"layer_gap", "Extra height between layers.", unit::length, bounds::nonNegative}, b.layerGap);
    v({"fixed_base", "Hold the lowest layer in place."}, b.fixedBase);
}

template <class V>
void fields(V& v, RandomBodies& b) {
    v({"region", "Space to fill; every bounding sphere is wholly inside.", unit::number, bounds::anyValue,
       Need::required},
      b.region);
    grainsField(v, b.grains);
    v({"radius", radiusOfGrains, unit::length, radiusRange}, b.radius);
    v({"count", "Number of grains; give this or volume_fraction.", unit::number, bounds::nonNegative}, b.count);
    v({"volume_fraction",
       "Share of the region's volume (of its area if planar) to fill; give this or count. Random addition jams near "
       "0.38.",
       unit::number, bounds::fraction},
      b.volumeFraction);
    v({"velocity", "Velocity at the start.", unit::velocity, speedRange}, b.velocity);
    v({"random_velocity", "Each component of the velocity differs at random by up to this.", unit::velocity,
       bounds::nonNegative},
      b.randomVelocity);
    v({"max_attempts", "Places tried for one grain before giving up.", unit::number, bounds::atLeastOne},
      b.maxAttempts);
}

template <class V>
void fields(V& v, CsvBodies& b) {
    v({"file", "The table, relative to the scene file.", unit::number, bounds::anyValue, Need::required}, b.file);
    v({"grains",
       "Forms of the bodies, among which the column shape chooses; spheres if not given. Their radius is then that of "
       "the "
       "ball of the same volume; without the column they have the size they are given in."},
      b.grains);
}

template <class V>
void fields(V& v, FreeSettings& f) {
    v({"mass",
       "Mass; that of its volume if it is a solid and this is not given.",
       unit::mass,
       {.low = 1e-15, .high = 1e15}},
      f.mass);
    v({"axes", "Axes along which it moves; all that the scene has if not given."}, f.axes);
    v({"inertia",
       "Moment of inertia of a wall, the same about every axis through the point of a plane or the centre of a "
       "container "
       "or drum. 0: it does not turn.",
       unit::inertia,
       {.low = 0, .high = 1e15}},
      f.inertia);
    v({"turns",
       "Axes about which it turns: of a wall with an inertia all that the scene has if not given; of a solid none if "
       "not "
       "given, one, or all."},
      f.turns);
    v({"velocity", "Velocity of a wall at the start.", unit::velocity, speedRange}, f.velocity);
}

template <class V>
void fields(V& v, BodySettings& b) {
    v.alternatives(b.kind);
    v({"name", "Name of a single body, for joints; each name once."}, b.name);
    v({"material", "Name of its material; may be left out if there is only one."}, b.material);
    v({"group",
       "Name under which its forces and counts are reported; if not given grains, or the shape of a wall or of a "
       "held solid."},
      b.group);
    v({"fixed", "Hold in place whatever the force. Walls are, unless they are free."}, b.fixed);
    v({"motion", "Prescribed motion of a wall or of bodies that are fixed otherwise."}, b.motion);
    v({"free",
       "Makes a wall a body that gravity, contacts and forces move: a lid, a piston; walls do not touch each other. "
       "Guides a sphere or solid: it moves along some axes only."},
      b.free);
    v({"force", "Force on each of these bodies, beside gravity and contacts; not on walls unless they are free.",
       unit::force, forceRange},
      b.force);
}

// --- population ----------------------------------------------------------------------------------------------------

template <class V>
void fields(V& v, SourceSettings& s) {
    v({"region", "Box of the centres of new grains.", unit::number, bounds::anyValue, Need::required}, s.region);
    v({"rate", "Grains per time.", unit::frequency, bounds::positive, Need::required}, s.rate);
    grainsField(v, s.grains);
    v({"radius", radiusOfGrains, unit::length, radiusRange}, s.radius);
    v({"material", "Name of their material; may be left out if there is only one."}, s.material);
    v({"group", "Name under which they are reported; grains if not given."}, s.group);
    v({"velocity", "Velocity of new grains.", unit::velocity, speedRange}, s.velocity);
    v({"start", "When it begins.", unit::time, bounds::nonNegative}, s.start);
    v({"stop", "When it ends; never if not given.", unit::time, bounds::nonNegative}, s.stop);
    v({"limit", "Number of grains after which it ends; none if not given.", unit::number, bounds::nonNegative},
      s.limit);
}

template <class V>
void fields(V& v, SinkSettings& s) {
    v({"region", "Box; a grain whose centre enters is removed.", unit::number, bounds::anyValue, Need::required},
      s.region);
}

}  // namespace talus
