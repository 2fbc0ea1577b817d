// The field lists: every setting of a scene with its key, unit, range and meaning. Defaults stand in the structs.
//
// To add a setting: add a member to its struct in talus/scene.hpp and one line here. Reader, writer, schema and
// reference page follow. Rules between several settings are in scene_rules.cpp.
#pragma once

#include "io/scene/field.hpp"
#include "talus/scene.hpp"

namespace talus {

// Sizes beyond these are slips of a unit; within them every derived mass and stiffness is a sound double.
inline constexpr Range radiusRange{.low = 1e-9, .high = 1e6};
inline constexpr Range lengthRange{.low = 1e-9, .high = 1e9};
inline constexpr Range coordinateRange{.low = -1e9, .high = 1e9};
inline constexpr Range speedRange{.low = -1e9, .high = 1e9};
inline constexpr Range forceRange{.low = -1e15, .high = 1e15};

template <>
struct EnumNames<Method> {
    static constexpr std::array<std::string_view, 3> names{"penalty", "contact-dynamics", "quasi-static"};
};
template <>
struct EnumNames<SolverKind> {
    static constexpr std::array<std::string_view, 7> names{"gauss-seidel",   "jacobi", "apgd", "spg",
                                                           "interior-point", "newton", "auto"};
};
template <>
struct EnumNames<FrictionLaw> {
    static constexpr std::array<std::string_view, 2> names{"associated", "coulomb"};
};
template <>
struct EnumNames<SweepOrder> {
    static constexpr std::array<std::string_view, 4> names{"list", "given", "random", "coloured"};
};
template <>
struct EnumNames<GradientScaling> {
    static constexpr std::array<std::string_view, 2> names{"contact", "common"};
};
template <>
struct EnumNames<Stabilisation> {
    static constexpr std::array<std::string_view, 2> names{"gap", "quasi-inelastic"};
};
template <>
struct EnumNames<RestitutionRule> {
    static constexpr std::array<std::string_view, 2> names{"none", "newton"};
};
template <>
struct EnumNames<ForceRule> {
    static constexpr std::array<std::string_view, 2> names{"solver", "compatible"};
};
template <>
struct EnumNames<CompatibleMethod> {
    static constexpr std::array<std::string_view, 2> names{"newton", "augmented-lagrangian"};
};
template <>
struct EnumNames<ContactKind> {
    static constexpr std::array<std::string_view, 2> names{"rigid", "elastic"};
};
template <>
struct EnumNames<Planar> {
    static constexpr std::array<std::string_view, 4> names{"none", "xy", "xz", "yz"};
};
template <>
struct EnumNames<Axis> {
    static constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
};
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
template <>
struct EnumNames<NormalLaw> {
    static constexpr std::array<std::string_view, 2> names{"hooke", "hertz"};
};
template <>
struct EnumNames<DampingLaw> {
    static constexpr std::array<std::string_view, 2> names{"restitution", "viscous"};
};
template <>
struct EnumNames<TangentialLaw> {
    static constexpr std::array<std::string_view, 2> names{"none", "mindlin"};
};
template <>
struct EnumNames<RollingLaw> {
    static constexpr std::array<std::string_view, 3> names{"none", "spring", "constant"};
};
template <>
struct EnumNames<CohesionLaw> {
    static constexpr std::array<std::string_view, 4> names{"none", "constant", "dmt", "jkr"};
};

template <>
struct EnumNames<JointKind> {
    static constexpr std::array<std::string_view, 7> names{"fixed",       "spherical", "revolute", "prismatic",
                                                           "cylindrical", "planar",    "distance"};
};

// --- space ---------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<BoxRegion>{"", "box", "A box along the axes."};
template <>
inline constexpr Tag tagOf<CylinderRegion>{"", "cylinder", "A round cylinder."};

template <class V>
void fields(V& v, BoxRegion& r) {
    v({"low", "Low corner.", unit::length, coordinateRange, Need::required}, r.low);
    v({"high", "High corner.", unit::length, coordinateRange, Need::required}, r.high);
}

template <class V>
void fields(V& v, CylinderRegion& r) {
    v({"centre", "Centre of the cylinder.", unit::length, coordinateRange, Need::required}, r.centre);
    v({"axis", "Direction of its axis, of any length.", unit::number}, r.axis);
    v({"radius", "Radius.", unit::length, lengthRange, Need::required}, r.radius);
    v({"length", "Length along the axis.", unit::length, lengthRange, Need::required}, r.length);
}

template <class V>
void fields(V& v, DomainSettings& d) {
    v({"low", "Low corner of the space.", unit::length, coordinateRange, Need::required}, d.low);
    v({"high", "High corner of the space.", unit::length, coordinateRange, Need::required}, d.high);
    v({"periodic", "Axes that wrap: a grain that leaves at one side enters at the other."}, d.periodic);
}

// --- materials -----------------------------------------------------------------------------------------------------

// For the plain properties of a material and for the overrides of a pair alike.
template <class V, class Contact>
void contactFields(V& v, Contact& c) {
    v({"friction", "Coulomb friction coefficient.", unit::number, bounds::nonNegative}, c.friction);
    v({"restitution",
       "Coefficient of restitution of a head-on impact; 0.05 to 1 with damping: restitution, unused with viscous.",
       unit::number, bounds::fraction},
      c.restitution);
    v({"stiffness", "Normal stiffness between two such grains, normal: hooke; 0 derives it from the moduli.",
       unit::stiffness, bounds::nonNegative},
      c.stiffness);
    v({"tangential_ratio", "Tangential over normal stiffness, normal: hooke.", unit::number, bounds::nonNegative},
      c.tangentialRatio);
    v({"viscosity", "Dashpot as a share of the critical one, 2 sqrt(k m), with damping: viscous.", unit::number,
       bounds::nonNegative},
      c.viscosity);
    v({"rolling_friction", "Rolling resistance: the couple is at most this times radius times normal force.",
       unit::number, bounds::nonNegative},
      c.rollingFriction);
    v({"rolling_damping", "Dashpot of the rolling spring as a share of the critical one, rolling: spring.",
       unit::number, bounds::nonNegative},
      c.rollingDamping);
    v({"cohesion_force", "Attraction of touching grains, cohesion: constant.", unit::force, bounds::nonNegative},
      c.cohesionForce);
    v({"adhesion_work", "Work of adhesion per area, cohesion: dmt or jkr.", unit::surfaceEnergy, bounds::nonNegative},
      c.adhesionWork);
    v({"damping_time",
       "Dashpot of both springs of a contact, as its share of the stiffness; contact_dynamics.contacts: elastic.",
       unit::time, bounds::nonNegative},
      c.dampingTime);
    v({"rounding",
       "Radius of the ball that rounds the friction cone: strength in tension and shear without load; contacts: "
       "elastic.",
       unit::force, bounds::nonNegative},
      c.rounding);
    v({"cap", "Largest compressive force, at which a contact is dented; 0: no limit; contacts: elastic.", unit::force,
       bounds::nonNegative},
      c.cap);
    v({"bond_stretch",
       "Plastic stretch at which cohesion and rounding are lost for good; 0: they come back when bodies touch again; "
       "contacts: elastic.",
       unit::length, bounds::nonNegative},
      c.bondStretch);
    v({"cohesion_hardening", "Growth of the cohesion per plastic way; negative: softening; contacts: elastic.",
       unit::stiffness},
      c.cohesionHardening);
    v({"rounding_hardening", "Growth of the rounding per plastic way; negative: softening; contacts: elastic.",
       unit::stiffness},
      c.roundingHardening);
    v({"cap_hardening", "Growth of the cap per plastic way; negative: softening; contacts: elastic.", unit::stiffness},
      c.capHardening);
    v({"dilation_angle",
       "Angle at which a sliding contact opens, up to the friction angle; 0: as contact_dynamics.friction_law says. "
       "Needs friction_law: associated and solver: interior-point or auto.",
       unit::angle,
       {.low = 0, .high = 1.5}},
      c.dilationAngle);
}

template <class V>
void fields(V& v, MaterialSettings& m) {
    v({"density", "Mass per volume of the solid grain.", unit::density, {.low = 1e-6, .high = 1e12}}, m.density);
    v({"youngs_modulus",
       "Young's modulus. Real grains have 1e9 to 1e11 Pa; a softer one allows longer steps and changes little as long "
       "as overlaps stay below a percent.",
       unit::pressure,
       {.low = 1e-3, .high = 1e15}},
      m.elastic.youngsModulus);
    v({"poisson_ratio", "Poisson's ratio.", unit::number, {.low = -1, .high = 0.5, .openLow = true}},
      m.elastic.poissonRatio);
    contactFields(v, m.contact);
}

template <class V>
void fields(V& v, PairSettings& p) {
    v({"between", "Names of the two materials; twice the same name for contacts within one.", unit::number,
       bounds::anyValue, Need::required},
      p.between);
    contactFields(v, p.contact);
}

template <class V>
void fields(V& v, ContactLawSettings& c) {
    v({"normal", "Elastic normal force: hertz (spheres) or hooke (linear)."}, c.kinds.normal);
    v({"damping", "Normal dashpot: chosen to give the coefficient of restitution, or viscous, a share of critical."},
      c.damping);
    v({"tangential", "mindlin: spring with memory and Coulomb limit; none: no friction."}, c.kinds.tangential);
    v({"rolling", "Rolling resistance: none, spring (elastic-plastic) or constant (couple)."}, c.kinds.rolling);
    v({"cohesion", "none, constant (force), dmt or jkr (needs normal: hertz)."}, c.kinds.cohesion);
}

template <class V>
void fields(V& v, ContactDynamicsSettings& c) {
    v({"solver", "gauss-seidel (robust, quick to a loose tolerance), apgd or spg (gradient methods), jacobi."},
      c.solver);
    v({"tolerance",
       "Residual at which a step is solved, relative to the load; see docs/contact-problems.md.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      c.tolerance);
    v({"max_iterations", "Most iterations per step; steps that would need more are counted as unconverged.",
       unit::number, bounds::nonNegative},
      c.maxIterations);
    v({"fixed_iterations", "If not 0, just so many iterations in each step, whatever the residual.", unit::number,
       bounds::nonNegative},
      c.fixedIterations);
    v({"friction_law", "coulomb (exact) or associated (convex; sliding contacts open by friction times slip)."},
      c.frictionLaw);
    v({"sweep",
       "Order of the contacts, solver: gauss-seidel: coloured (on all threads), list (in the order "
       "of the bodies) or random."},
      c.sweep);
    v({"relaxation",
       "Share of its own full step that each contact goes, solver: jacobi; 0 chooses one that always converges, 1 is "
       "the "
       "plain parallel update.",
       unit::number, bounds::fraction},
      c.relaxation);
    v({"gradient_scaling",
       "Unit of impulses in the steps of apgd and spg: contact (each in that of the mass it moves) or common (one for "
       "all, the plain method)."},
      c.gradientScaling);
    v({"stabilisation", "gap: overlaps are pushed apart; quasi-inelastic: they stay and only must not grow."},
      c.stabilisation);
    v({"correction", "Share of an overlap that is taken away in one step, stabilisation: gap.", unit::number,
       bounds::fraction},
      c.correction);
    v({"max_correction_speed", "Speed at which overlaps are pushed apart at most, stabilisation: gap.", unit::velocity,
       bounds::nonNegative},
      c.maxCorrectionSpeed);
    v({"restitution",
       "newton: closed contacts bounce by the restitution of their materials; none: inelastic. Used by rigid contacts "
       "with theta: 1."},
      c.restitution);
    v({"contacts", "rigid, or elastic: springs of Hooke's law (contact_law.normal: hooke), solved for implicitly."},
      c.contacts);
    v({"theta",
       "Share of the velocity at the end of a step in the mean one that moves bodies: 1 dissipates most; 0.5 keeps the "
       "energy. Rigid contacts bounce by (1 - theta)/theta.",
       unit::number,
       {.low = 0.5, .high = 1}},
      c.theta);
    v({"warm_start", "Begin each solve from the impulses of the last step."}, c.warmStart);
    v({"forces",
       "Of redundant rigid contacts: solver, as the solver happens to find them, or compatible, the unique ones of "
       "springs "
       "of contact_law as they grow stiff in proportion; see docs/compatible-forces.md."},
      c.forces);
    v({"compatible_method",
       "How compatible forces without friction are found: newton, or augmented-lagrangian (slower, little memory)."},
      c.compatibleMethod);
}

template <class V>
void fields(V& v, QuasiStaticSettings& q) {
    v({"tolerance",
       "Largest unbalanced force on a body in equilibrium, relative to the mean contact force. Solvers get at most a "
       "hundredth of it as theirs.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      q.tolerance);
    v({"max_iterations", "Most iterations per increment; a body that nothing carries then stops the run.", unit::number,
       bounds::atLeastOne},
      q.maxIterations);
    v({"max_displacement",
       "Share of the smallest radius that a body goes in one iteration at most.",
       unit::number,
       {.low = 0, .high = 0.5, .openLow = true}},
      q.maxDisplacement);
    v({"inertia",
       "Fictitious inertia over contact stiffness that iterations begin with. Changes the speed only.",
       unit::number,
       {.low = 1e-5, .high = 1}},
      q.inertia);
}

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

// --- motion --------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<ConstantMotion>{"type", "constant", "Constant velocity and spin."};
template <>
inline constexpr Tag tagOf<SineMotion>{"type", "sine",
                                       "Shaking: displacement amplitude sin(2 pi frequency t + phase)."};
template <>
inline constexpr Tag tagOf<RotationMotion>{"type", "rotation", "Turning about an axis through a point."};
template <>
inline constexpr Tag tagOf<TableMotion>{"type", "table", "Velocity at points in time, linear between them."};

template <class V>
void fields(V& v, ConstantMotion& m) {
    v({"velocity", "Velocity.", unit::velocity, speedRange}, m.velocity);
    v({"spin", "Angular velocity about the body's centre.", unit::angularVelocity, speedRange}, m.spin);
}

template <class V>
void fields(V& v, SineMotion& m) {
    v({"amplitude", "Largest displacement along each axis.", unit::length, coordinateRange, Need::required},
      m.amplitude);
    v({"frequency", "Oscillations per time.", unit::frequency, bounds::nonNegative, Need::required}, m.frequency);
    v({"phase", "Phase at time 0; the displacement starts at zero whatever it is.", unit::angle}, m.phase);
}

template <class V>
void fields(V& v, RotationMotion& m) {
    v({"axis", "Direction of the axis, of any length.", unit::number}, m.axis);
    v({"point", "A point of the axis.", unit::length, coordinateRange}, m.point);
    v({"rate", "Angular velocity, right-handed about the axis.", unit::angularVelocity, speedRange, Need::required},
      m.rate);
}

template <class V>
void fields(V& v, TableMotion& m) {
    v.rows({"points", "Rows [time, vx, vy, vz] in order of time.", unit::velocity, speedRange, Need::required}, m.time,
           m.velocity);
}

// --- forces --------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<ConstantForce>{"type", "constant", "A constant force; a bare list means the same."};
template <>
inline constexpr Tag tagOf<TableForce>{"type", "table", "Force at points in time, linear between them."};
template <>
inline constexpr auto bareMember<ForceLaw> = &ConstantForce::force;

template <class V>
void fields(V& v, ConstantForce& f) {
    v({"force", "Force.", unit::force, forceRange, Need::required}, f.force);
}

template <class V>
void fields(V& v, TableForce& f) {
    v.rows({"points", "Rows [time, fx, fy, fz] in order of time.", unit::force, forceRange, Need::required}, f.time,
           f.force);
}

// --- bodies --------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<SphereBody>{"shape", "sphere", "One sphere."};
template <>
inline constexpr Tag tagOf<PlaneBody>{"shape", "plane", "An unbounded flat wall."};
template <>
inline constexpr Tag tagOf<ContainerBody>{
    "shape", "container", "A hollow box with grains inside. Its faces are unbounded planes; any can be left open."};
template <>
inline constexpr Tag tagOf<DrumBody>{"shape", "drum", "A hollow cylinder with grains inside."};
template <>
inline constexpr Tag tagOf<LatticeBodies>{"generate", "lattice", "Equal spheres on a crystal lattice."};
template <>
inline constexpr Tag tagOf<PyramidBodies>{"generate", "pyramid", "A cannonball pile on a square base, apex up."};
template <>
inline constexpr Tag tagOf<RandomBodies>{
    "generate", "random", "Spheres at random places without overlap (random sequential addition, largest first)."};
template <>
inline constexpr Tag tagOf<CsvBodies>{
    "generate", "csv",
    "Spheres from a table with a header line, numbers in SI: columns x, y, z, radius, and if wanted "
    "vx, vy, vz, wx, wy, wz, material, fixed."};

template <class V>
void fields(V& v, SphereBody& b) {
    v({"radius", "Radius.", unit::length, radiusRange, Need::required}, b.radius);
    v({"position", "Centre.", unit::length, coordinateRange, Need::required}, b.position);
    v({"velocity", "Velocity at the start.", unit::velocity, speedRange}, b.velocity);
    v({"spin", "Angular velocity at the start.", unit::angularVelocity, speedRange}, b.spin);
}

template <class V>
void fields(V& v, PlaneBody& b) {
    v({"point", "Any point of the surface.", unit::length, coordinateRange}, b.point);
    v({"normal", "Direction towards the grains, of any length.", unit::number}, b.normal);
}

template <class V>
void fields(V& v, ContainerBody& b) {
    v({"centre", "Centre of the box.", unit::length, coordinateRange, Need::required}, b.centre);
    v({"size", "Inner edge lengths.", unit::length, lengthRange, Need::required}, b.size);
    v({"rotation", "Turn about the centre: axis times angle.", unit::angle}, b.rotation);
    v({"open", "Faces left open."}, b.open);
}

template <class V>
void fields(V& v, DrumBody& b) {
    v({"centre", "Centre of the drum.", unit::length, coordinateRange, Need::required}, b.centre);
    v({"axis", "Direction of the axis, of any length.", unit::number}, b.axis);
    v({"radius", "Inner radius.", unit::length, lengthRange, Need::required}, b.radius);
    v({"length", "Inner length.", unit::length, lengthRange, Need::required}, b.length);
    v({"open", "Faces left open: the mantle, the low or the high cap along the axis."}, b.open);
}

template <class V>
void fields(V& v, LatticeBodies& b) {
    v({"lattice", "sc, bcc, fcc, hcp, or triangular (hexagonal layers in the plane of the scene)."}, b.lattice);
    v({"radius", "Radius of the spheres.", unit::length, radiusRange, Need::required}, b.radius);
    v({"spacing", "Distance between centres of nearest neighbours; twice the radius if not given.", unit::length,
       lengthRange},
      b.spacing);
    v({"origin", "Low corner of the space filled, with count.", unit::length, coordinateRange}, b.origin);
    v({"count", "Cells along x, y and z; give this or region.", unit::number, bounds::atLeastOne}, b.count);
    v({"region", "Box to fill with every sphere that fits in whole; give this or count."}, b.region);
    v({"jitter", "Largest random shift of each coordinate as a fraction of spacing.", unit::number, bounds::fraction},
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
    v({"region", "Space to fill; every sphere is wholly inside.", unit::number, bounds::anyValue, Need::required},
      b.region);
    v({"radius", "Radius, one for all or a distribution.", unit::length, radiusRange, Need::required}, b.radius);
    v({"count", "Number of spheres; give this or volume_fraction.", unit::number, bounds::nonNegative}, b.count);
    v({"volume_fraction",
       "Share of the region's volume (of its area if planar) to fill; give this or count. Random addition jams near "
       "0.38.",
       unit::number, bounds::fraction},
      b.volumeFraction);
    v({"velocity", "Velocity at the start.", unit::velocity, speedRange}, b.velocity);
    v({"random_velocity", "Each component of the velocity differs at random by up to this.", unit::velocity,
       bounds::nonNegative},
      b.randomVelocity);
    v({"max_attempts", "Places tried for one sphere before giving up.", unit::number, bounds::atLeastOne},
      b.maxAttempts);
}

template <class V>
void fields(V& v, CsvBodies& b) {
    v({"file", "The table, relative to the scene file.", unit::number, bounds::anyValue, Need::required}, b.file);
}

template <class V>
void fields(V& v, FreeWallSettings& f) {
    v({"mass", "Mass.", unit::mass, {.low = 1e-15, .high = 1e15}, Need::required}, f.mass);
    v({"axes", "Axes along which it moves; all that the scene has if not given."}, f.axes);
    v({"inertia",
       "Moment of inertia, the same about every axis through the point of a plane or the centre of a container or "
       "drum. 0: it does not turn.",
       unit::inertia,
       {.low = 0, .high = 1e15}},
      f.inertia);
    v({"turns", "Axes about which it turns if it has an inertia; all that the scene has if not given."}, f.turns);
    v({"velocity", "Velocity at the start.", unit::velocity, speedRange}, f.velocity);
}

template <class V>
void fields(V& v, BodySettings& b) {
    v.alternatives(b.kind);
    v({"name", "Name of a single body, for joints; each name once."}, b.name);
    v({"material", "Name of its material; may be left out if there is only one."}, b.material);
    v({"group", "Name under which its forces and counts are reported: grains, or the shape of a wall, if not given."},
      b.group);
    v({"fixed", "Hold in place whatever the force. Walls are, unless they are free."}, b.fixed);
    v({"motion", "Prescribed motion of a wall or of fixed spheres."}, b.motion);
    v({"free",
       "Makes a wall a body that gravity, contacts and forces move: a lid, a piston. Walls do not touch each "
       "other."},
      b.free);
    v({"force", "Force on each of these bodies, beside gravity and contacts; spheres or a free wall.", unit::force,
       forceRange},
      b.force);
}

// --- joints --------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<SpeedDrive>{"type", "speed", "Slides at a given speed."};
template <>
inline constexpr Tag tagOf<PositionDrive>{"type", "position", "Slides to a given place and stays there: a servo."};
template <>
inline constexpr Tag tagOf<ForceDrive>{"type", "force", "Pushes with a given force."};
template <>
inline constexpr Tag tagOf<SpinDrive>{"type", "spin", "Turns at a given rate: a motor."};
template <>
inline constexpr Tag tagOf<AngleDrive>{"type", "angle", "Turns to a given angle and stays there: a servo."};
template <>
inline constexpr Tag tagOf<TorqueDrive>{"type", "torque", "Turns with a given torque."};

// A constant under `key`, or lists of times and values, linear between them.
template <class V>
void timedFields(V& v, const FieldInfo& constant, const FieldInfo& list, TimedValue& value) {
    v(constant, value.constant);
    v({"times", "Points in time, increasing, in place of one value.", unit::time}, value.time);
    v(list, value.value);
}

template <class V>
void fields(V& v, SpeedDrive& d) {
    timedFields(v, {"speed", "Speed of the slide.", unit::velocity, speedRange},
                {"speeds", "Speed at each of the times, linear between them.", unit::velocity, speedRange}, d.speed);
    v({"max_force", "Largest force it has; any if not given.", unit::force, bounds::positive}, d.maxForce);
}

template <class V>
void fields(V& v, PositionDrive& d) {
    timedFields(
        v, {"position", "Where to slide to; the distance, for a distance joint.", unit::length, coordinateRange},
        {"positions", "Place at each of the times, linear between them.", unit::length, coordinateRange}, d.position);
    v({"response_time", "In which an error shrinks to about a third; one step if that is longer.", unit::time,
       bounds::nonNegative},
      d.responseTime);
    v({"max_force", "Largest force it has; any if not given.", unit::force, bounds::positive}, d.maxForce);
}

template <class V>
void fields(V& v, ForceDrive& d) {
    timedFields(v, {"force", "Force on the first body along the axis.", unit::force, forceRange},
                {"forces", "Force at each of the times, linear between them.", unit::force, forceRange}, d.force);
}

template <class V>
void fields(V& v, SpinDrive& d) {
    timedFields(v, {"rate", "Rate of the turn.", unit::angularVelocity, speedRange},
                {"rates", "Rate at each of the times, linear between them.", unit::angularVelocity, speedRange},
                d.rate);
    v({"max_torque", "Largest torque it has; any if not given.", unit::torque, bounds::positive}, d.maxTorque);
}

template <class V>
void fields(V& v, AngleDrive& d) {
    timedFields(v, {"angle", "Where to turn to, from the start.", unit::angle, coordinateRange},
                {"angles", "Angle at each of the times, linear between them.", unit::angle, coordinateRange}, d.angle);
    v({"response_time", "In which an error shrinks to about a third; one step if that is longer.", unit::time,
       bounds::nonNegative},
      d.responseTime);
    v({"max_torque", "Largest torque it has; any if not given.", unit::torque, bounds::positive}, d.maxTorque);
}

template <class V>
void fields(V& v, TorqueDrive& d) {
    timedFields(v, {"torque", "Torque on the first body about the axis.", unit::torque, forceRange},
                {"torques", "Torque at each of the times, linear between them.", unit::torque, forceRange}, d.torque);
}

template <class V>
void fields(V& v, SlideLimits& l) {
    v({"lower", "Least slide; least distance, for a distance joint.", unit::length, coordinateRange}, l.lower);
    v({"upper", "Largest slide; length of a rope.", unit::length, coordinateRange}, l.upper);
}

template <class V>
void fields(V& v, TurnLimits& l) {
    v({"lower", "Least turn.", unit::angle, coordinateRange}, l.lower);
    v({"upper", "Largest turn.", unit::angle, coordinateRange}, l.upper);
}

template <class V>
void fields(V& v, SlideSpring& s) {
    v({"stiffness", "Stiffness.", unit::stiffness, bounds::nonNegative}, s.stiffness);
    v({"damping", "Force of the damper over speed.", unit::damping, bounds::nonNegative}, s.damping);
    v({"rest", "Slide, or distance, without force; as at the start if not given.", unit::length, coordinateRange},
      s.rest);
}

template <class V>
void fields(V& v, TorsionSpring& s) {
    v({"stiffness", "Torque over angle.", unit::torsionalStiffness, bounds::nonNegative}, s.stiffness);
    v({"damping", "Torque of the damper over rate.", unit::torsionalDamping, bounds::nonNegative}, s.damping);
    v({"rest", "Turn without torque; as at the start if not given.", unit::angle, coordinateRange}, s.rest);
}

template <class V>
void fields(V& v, JointSettings& j) {
    v({"name", "Name in the output; each name once.", unit::number, bounds::anyValue, Need::required}, j.name);
    v({"type", "What it lets the first body do, seen from the second; see docs/joints.md.", unit::number,
       bounds::anyValue, Need::required},
      j.kind);
    v({"between", "Names of two bodies, or of one and world.", unit::number, bounds::anyValue, Need::required},
      j.between);
    v({"point",
       "Where it is; for a distance joint its end on the first body. The centre of the first body if not given, which "
       "spherical and revolute joints do not allow.",
       unit::length, coordinateRange},
      j.point);
    v({"point2", "The other end of a distance joint; the centre of the second body if not given.", unit::length,
       coordinateRange},
      j.point2);
    v({"axis", "Direction along which it slides, about which it turns, or across which its plane lies; of any length.",
       unit::number},
      j.axis);
    v({"limits", "Ends of the slide: prismatic, cylindrical, distance."}, j.limits);
    v({"turn_limits", "Ends of the turn: revolute, cylindrical."}, j.turnLimits);
    v({"spring", "Spring and damper along the slide."}, j.spring);
    v({"torsion_spring", "Spring and damper about the axis of the turn."}, j.torsionSpring);
    v({"drive", "What moves it."}, j.drive);
    v({"collide", "Whether its two bodies can touch each other."}, j.collide);
}

// --- population ----------------------------------------------------------------------------------------------------

template <class V>
void fields(V& v, SourceSettings& s) {
    v({"region", "Box of the centres of new grains.", unit::number, bounds::anyValue, Need::required}, s.region);
    v({"rate", "Grains per time.", unit::frequency, bounds::positive, Need::required}, s.rate);
    v({"radius", "Radius, one for all or a distribution.", unit::length, radiusRange, Need::required}, s.radius);
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

// --- run, measurements, output -------------------------------------------------------------------------------------

template <class V>
void fields(V& v, RunSettings& r) {
    v({"time", "How long to simulate.", unit::time, bounds::positive, Need::required}, r.time);
    v({"step",
       "Time step; auto takes step_fraction of the shorter of the Rayleigh and Hertz times; in contact "
       "dynamics what speeds, sizes and gravity allow; in quasi-static runs what moving walls allow.",
       unit::time, bounds::positive},
      r.step);
    v({"step_fraction",
       "With step: auto, method: penalty. Smaller is more accurate, larger is faster.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      r.stepFraction);
    v({"skin", "How far neighbour lists look beyond contact. Changes the speed only.", unit::length, bounds::positive},
      r.skin);
    v({"threads",
       "Threads to use; 0 means one per core. Changes the speed only.",
       unit::number,
       {.low = 0, .high = 1024}},
      r.threads);
    v({"energy_ledger", "Count dissipated energy by mechanism; off is a little faster."}, r.energyLedger);
    v({"max_overlap",
       "The run stops when an overlap exceeds this share of the smaller radius.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      r.maxOverlap);
    v({"orientation", "Follow the orientation of spheres; forces do not need it."}, r.orientation);
}

template <class V>
void fields(V& v, MeasuredRegion& m) {
    v({"name", "Name in the output.", unit::number, bounds::anyValue, Need::required}, m.name);
    fields(v, m.box);
}

template <class V>
void fields(V& v, MeasuredPlane& m) {
    v({"name", "Name in the output.", unit::number, bounds::anyValue, Need::required}, m.name);
    v({"point", "Any point of the plane.", unit::length, coordinateRange, Need::required}, m.point);
    v({"normal", "Direction that counts as bounds::positive, of any length.", unit::number}, m.normal);
}

template <class V>
void fields(V& v, MeasureSettings& m) {
    v({"regions", "Boxes in which packing fraction, coordination number and stress are measured."}, m.regions);
    v({"planes", "Planes through which the flow of grains is measured."}, m.planes);
    v({"walls", "Measure the force on every group of walls and fixed bodies."}, m.walls);
}

template <class V>
void fields(V& v, OutputSettings& o) {
    v({"series", "Time between rows of series.csv; auto is run.time / 200.", unit::time, bounds::positive}, o.series);
    v({"frames", "Time between frames for ParaView; auto is run.time / 50, 0 writes none.", unit::time,
       bounds::nonNegative},
      o.frames);
    v({"contacts", "Write the contacts and their forces with each frame."}, o.contacts);
    v({"problems",
       "Time between contact problems saved for talus solve, in problems/; 0 saves none. Not with method: penalty.",
       unit::time, bounds::nonNegative},
      o.problems);
    v({"checkpoint",
       "Simulated time between checkpoints; auto writes one every 60 s of wall clock and at the end, 0 none.",
       unit::time, bounds::nonNegative},
      o.checkpoint);
    v({"plots", "Draw plots of the series at the end."}, o.plots);
}

template <class V>
void fields(V& v, Scene& s) {
    v({"name", "Short name of the scene."}, s.name);
    v({"description", "What it shows."}, s.description);
    v({"method",
       "How contacts are treated: penalty (soft contacts, short explicit steps), contact-dynamics (rigid contacts, "
       "long steps, each with a problem to solve) or quasi-static (elastic contacts in equilibrium, no inertia)."},
      s.method);
    v({"seed", "Of all random numbers.", unit::number, bounds::nonNegative}, s.seed);
    v({"gravity", "Acceleration of gravity.", unit::acceleration, speedRange}, s.gravity);
    v({"planar", "Plane to which all motion is restricted."}, s.planar);
    v({"domain", "The space of the scene; unbounded if not given. A grain that leaves it stops the run."}, s.domain);
    v({"materials", "Materials by name.", unit::number, bounds::anyValue, Need::required}, s.materials);
    v({"pairs", "What differs between two materials from the values mixed of both."}, s.pairs);
    v({"contact_law", "The law of every contact."}, s.contactLaw);
    v({"contact_dynamics", "How contacts are solved, method: contact-dynamics and quasi-static."}, s.contactDynamics);
    v({"quasi_static", "How equilibrium is found, method: quasi-static."}, s.quasiStatic);
    v({"bodies", "Bodies one by one (shape) or many at once (generate)."}, s.bodies);
    v({"joints", "What connects two bodies, or a body and the world; not with method: quasi-static."}, s.joints);
    v({"sources", "Regions where grains are poured in."}, s.sources);
    v({"sinks", "Regions where grains are taken out."}, s.sinks);
    v({"run", "How long and how to run.", unit::number, bounds::anyValue, Need::required}, s.run);
    v({"measure", "What to measure beyond the energies."}, s.measure);
    v({"output", "What to write and how often."}, s.output);
}

}  // namespace talus
