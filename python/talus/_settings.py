"""The settings of scenes as classes. Written by tools/write_python_settings.py: do not edit."""
from typing import Any, Optional, Sequence, Union

from ._base import Numbers, Points, Quantity, Settings, Vector

__all__ = ['AngleDrive', 'Box', 'BoxRegion', 'Capsule', 'Clump', 'Compound', 'Cone', 'ConstantForce', 'ConstantMotion',
           'ContactDynamics', 'ContactLaw', 'Container', 'Cylinder', 'CylinderRegion', 'Disc', 'Domain', 'Drum',
           'Ellipsoid', 'Equilibrium', 'ForceDrive', 'Free', 'Hull', 'MaterialCalls', 'Mesh', 'NormalSize', 'Outline',
           'Penalty', 'Plane', 'PolyEllipsoid', 'Polygon', 'PositionDrive', 'QuasiStatic', 'RadialServoMotion',
           'RotationMotion', 'ServoMotion', 'SineMotion', 'SingleSize', 'Sleeve', 'SlideLimits', 'SlideSpring',
           'Solving', 'SpeedDrive', 'Sphere', 'SpinDrive', 'Superquadric', 'Surface', 'TableForce', 'TableMotion',
           'TableSize', 'TorqueDrive', 'TorsionSpring', 'TurnLimits', 'UniformSize']


class ConstantMotion(Settings):
    """Constant velocity and spin.

    velocity: Velocity [m/s; default [0.0, 0.0, 0.0]]
    spin: Angular velocity about the body's centre [rad/s; default [0.0, 0.0, 0.0]]
    """
    _tag = ('type', 'constant')
    _fields = ('velocity', 'spin')

    def __init__(self, velocity: Optional[Vector] = None, spin: Optional[Vector] = None) -> None:
        self.velocity = velocity
        self.spin = spin


class SineMotion(Settings):
    """Shaking: displacement amplitude sin(2 pi frequency t + phase).

    amplitude: Largest displacement along each axis [m]
    frequency: Oscillations per time [1/s]
    phase: Phase at time 0; the displacement starts at zero whatever it is [rad; default 0.0]
    """
    _tag = ('type', 'sine')
    _fields = ('amplitude', 'frequency', 'phase')

    def __init__(self, amplitude: Vector, frequency: Quantity, phase: Quantity = 0.0) -> None:
        self.amplitude = amplitude
        self.frequency = frequency
        self.phase = phase


class RotationMotion(Settings):
    """Turning about an axis through a point.

    rate: Angular velocity, right-handed about the axis [rad/s]
    axis: Direction of the axis, of any length [default [0.0, 0.0, 1.0]]
    point: A point of the axis [m; default [0.0, 0.0, 0.0]]
    """
    _tag = ('type', 'rotation')
    _fields = ('rate', 'axis', 'point')

    def __init__(self, rate: Quantity, axis: Optional[Vector] = None, point: Optional[Vector] = None) -> None:
        self.rate = rate
        self.axis = axis
        self.point = point


class TableMotion(Settings):
    """Velocity at points in time, linear between them.

    points: Rows [time, vx, vy, vz] in order of time
    """
    _tag = ('type', 'table')
    _fields = ('points',)

    def __init__(self, points: Points) -> None:
        self.points = points


class ServoMotion(Settings):
    """A wall or plate that moves so that the force or stress on it reaches a target; see docs/walls.md.

    max_speed: Largest speed to either side [m/s]
    force: Force with which it presses; give this or stress [N]
    stress: Force over area; give this or force [Pa]
    area: Area that turns stress into force; of a container or box that of the face across the direction if not
        given [m^2]
    direction: In which it pushes, of any length; the normal of a plane if not given
    gain: Share of the missing force that one step makes up for [default 0.2]
    shares: Rows [time, share]: which share of the target is wanted when, linear between; 1 if not given
    """
    _tag = ('type', 'servo')
    _fields = ('max_speed', 'force', 'stress', 'area', 'direction', 'gain', 'shares')

    def __init__(self, max_speed: Quantity, force: Optional[Quantity] = None, stress: Optional[Quantity] = None,
                 area: Optional[Quantity] = None, direction: Optional[Vector] = None, gain: Quantity = 0.2, shares:
                 Optional[Points] = None) -> None:
        self.max_speed = max_speed
        self.force = force
        self.stress = stress
        self.area = area
        self.direction = direction
        self.gain = gain
        self.shares = shares


class RadialServoMotion(Settings):
    """A drum, or each ring of a sleeve, whose radius follows the mean stress on its mantle; see docs/walls.md.

    stress: Mean radial stress on the mantle [Pa]
    max_speed: Largest speed of the radius [m/s]
    gain: Share of the missing stress that one step makes up for [default 0.2]
    shares: Rows [time, share]: which share of the target is wanted when, linear between; 1 if not given
    ends: Groups of planes that end the specimen, such as the floor and the lid: what of the mantle is behind
        them bears no stress
    """
    _tag = ('type', 'radial-servo')
    _fields = ('stress', 'max_speed', 'gain', 'shares', 'ends')

    def __init__(self, stress: Quantity, max_speed: Quantity, gain: Quantity = 0.2, shares: Optional[Points] = None,
                 ends: Optional[Sequence[str]] = None) -> None:
        self.stress = stress
        self.max_speed = max_speed
        self.gain = gain
        self.shares = shares
        self.ends = ends


class ConstantForce(Settings):
    """A constant force; a bare list means the same.

    force: Force [N]
    """
    _tag = ('type', 'constant')
    _fields = ('force',)

    def __init__(self, force: Vector) -> None:
        self.force = force


class TableForce(Settings):
    """Force at points in time, linear between them.

    points: Rows [time, fx, fy, fz] in order of time
    """
    _tag = ('type', 'table')
    _fields = ('points',)

    def __init__(self, points: Points) -> None:
        self.points = points


class Sphere(Settings):
    """One sphere.

    radius: Radius [m]
    """
    _tag = ('shape', 'sphere')
    _fields = ('radius',)

    def __init__(self, radius: Quantity) -> None:
        self.radius = radius


class Box(Settings):
    """A box, with round edges if wanted. With low and high in place of size: a region of space.

    size: Outer edge lengths [m]
    rounding: Radius of edges and corners; the outer size stays [m; default 0.0]
    """
    _tag = ('shape', 'box')
    _fields = ('size', 'rounding', 'low', 'high')

    def __init__(self, size: Optional[Vector] = None, rounding: Quantity = 0.0, *, low: Optional[Vector] = None,
                 high: Optional[Vector] = None) -> None:
        self.size = size
        self.rounding = rounding
        self.low = low
        self.high = high


class Cylinder(Settings):
    """A round cylinder, with round edges if wanted.

    radius: Outer radius [m]
    length: Outer length [m]
    axis: Direction of the axis before the body is turned, of any length [default [0.0, 0.0, 1.0]]
    rounding: Radius of edges and corners; the outer size stays [m; default 0.0]
    """
    _tag = ('shape', 'cylinder')
    _fields = ('radius', 'length', 'axis', 'rounding')

    def __init__(self, radius: Quantity, length: Quantity, axis: Optional[Vector] = None, rounding: Quantity =
                 0.0) -> None:
        self.radius = radius
        self.length = length
        self.axis = axis
        self.rounding = rounding


class Cone(Settings):
    """A cone or its frustum; the origin is half way along its axis.

    low_radius: Radius at the low end of the axis; 0 for a tip [m]
    high_radius: Radius at the high end of the axis; 0 for a tip [m]
    length: Length along the axis [m]
    axis: Direction of the axis before the body is turned, of any length [default [0.0, 0.0, 1.0]]
    rounding: Radius of edges and corners; the body grows by it on all sides (the sum with a ball) [m; default
        0.0]
    """
    _tag = ('shape', 'cone')
    _fields = ('low_radius', 'high_radius', 'length', 'axis', 'rounding')

    def __init__(self, low_radius: Quantity, high_radius: Quantity, length: Quantity, axis: Optional[Vector] = None,
                 rounding: Quantity = 0.0) -> None:
        self.low_radius = low_radius
        self.high_radius = high_radius
        self.length = length
        self.axis = axis
        self.rounding = rounding


class Capsule(Settings):
    """A cylinder with half balls at its ends.

    radius: Radius [m]
    length: Length of the axis, without the half balls [m]
    axis: Direction of the axis before the body is turned, of any length [default [0.0, 0.0, 1.0]]
    """
    _tag = ('shape', 'capsule')
    _fields = ('radius', 'length', 'axis')

    def __init__(self, radius: Quantity, length: Quantity, axis: Optional[Vector] = None) -> None:
        self.radius = radius
        self.length = length
        self.axis = axis


class Ellipsoid(Settings):
    """An ellipsoid.

    semi_axes: Half its extent along x, y and z [m]
    """
    _tag = ('shape', 'ellipsoid')
    _fields = ('semi_axes',)

    def __init__(self, semi_axes: Vector) -> None:
        self.semi_axes = semi_axes


class Superquadric(Settings):
    """(|x/a|^e + |y/b|^e)^(m/e) + |z/c|^m = 1: from ellipsoids (e = m = 2) to boxes with round edges (large) and spindles (1).

    semi_axes: Half its extent along x, y and z: a, b, c [m]
    equator: Exponent e of the section at z = 0 [default 2.0]
    meridian: Exponent m of the sections through the z axis [default 2.0]
    """
    _tag = ('shape', 'superquadric')
    _fields = ('semi_axes', 'equator', 'meridian')

    def __init__(self, semi_axes: Vector, equator: Quantity = 2.0, meridian: Quantity = 2.0) -> None:
        self.semi_axes = semi_axes
        self.equator = equator
        self.meridian = meridian


class PolyEllipsoid(Settings):
    """Eight eighths of ellipsoids that meet smoothly: a grain that is blunt on one side and slender on the other.

    low_semi_axes: Its extent to the negative side of x, y and z [m]
    high_semi_axes: Its extent to the positive side of x, y and z [m]
    """
    _tag = ('shape', 'poly-ellipsoid')
    _fields = ('low_semi_axes', 'high_semi_axes')

    def __init__(self, low_semi_axes: Vector, high_semi_axes: Vector) -> None:
        self.low_semi_axes = low_semi_axes
        self.high_semi_axes = high_semi_axes


class Hull(Settings):
    """The smallest convex body around points.

    points: Points that it holds, at least four not in one plane; give this or file [m]
    file: OBJ or STL file whose corners count, relative to the scene file; give this or points
    scale: Length of one unit of the file [m; default 1.0]
    rounding: Radius of edges and corners; the body grows by it on all sides (the sum with a ball) [m; default
        0.0]
    """
    _tag = ('shape', 'hull')
    _fields = ('points', 'file', 'scale', 'rounding')

    def __init__(self, points: Optional[Points] = None, file: Optional[str] = None, scale: Quantity = 1.0, rounding:
                 Quantity = 0.0) -> None:
        self.points = points
        self.file = file
        self.scale = scale
        self.rounding = rounding


class Mesh(Settings):
    """A body bounded by the triangles of an OBJ or STL file.

    file: The OBJ or STL file, relative to the scene file
    scale: Length of one unit of the file [m; default 1.0]
    surface: Take just the triangles, which need not enclose anything: a wall that is held or moves as
        prescribed [default False]
    """
    _tag = ('shape', 'mesh')
    _fields = ('file', 'scale', 'surface')

    def __init__(self, file: str, scale: Quantity = 1.0, surface: bool = False) -> None:
        self.file = file
        self.scale = scale
        self.surface = surface


class Clump(Settings):
    """Spheres that hold together, overlapping or not.

    spheres: Rows [x, y, z, radius] [m]
    """
    _tag = ('shape', 'clump')
    _fields = ('spheres',)

    def __init__(self, spheres: Points) -> None:
        self.spheres = spheres


class Disc(Settings):
    """A disc of thickness 1 m, in planar scenes.

    radius: Radius [m]
    """
    _tag = ('shape', 'disc')
    _fields = ('radius',)

    def __init__(self, radius: Quantity) -> None:
        self.radius = radius


class Polygon(Settings):
    """A convex polygon of thickness 1 m, in planar scenes.

    corners: Rows of the two coordinates in the plane of the scene (x y, x z or y z), one after the other around
        [m]
    rounding: Radius of edges and corners; the body grows by it on all sides (the sum with a ball) [m; default
        0.0]
    """
    _tag = ('shape', 'polygon')
    _fields = ('corners', 'rounding')

    def __init__(self, corners: Points, rounding: Quantity = 0.0) -> None:
        self.corners = corners
        self.rounding = rounding


class Outline(Settings):
    """The inside of a closed NURBS curve, convex or not, of thickness 1 m, in planar scenes.

    points: Control points, rows of the two coordinates in the plane of the scene (x y, x z or y z), one after
        the other around; give this or file [m]
    degree: Degree of the curve, 1 (a polygon) to 5 [default 3]
    knots: Knots, one for each point and degree + 1 more. Without them the curve is smooth and closes by itself
    weights: Weight of each point; all 1 if left out
    file: File of grains (talus grains writes it) or of points (CSV), relative to the scene file; give this or
        points
    grain: Name of the grain in the file. Generated grains take every grain of the file, equally often, if it is
        left out
    scale: Factor for all lengths of points or file [default 1.0]
    gap_tolerance: How well the knots alone, from which contacts are sought, know a gap, at the size of the
        form: finer finds smaller features, and takes longer; 0.4 % of the radius of the disc of the same area
        if neither this nor contact_knots is given [m]
    contact_knots: At most this many places of the curve look for contact; the gap tolerance follows from it
    """
    _tag = ('shape', 'outline')
    _fields = ('points', 'degree', 'knots', 'weights', 'file', 'grain', 'scale', 'gap_tolerance', 'contact_knots')

    def __init__(self, points: Optional[Points] = None, degree: int = 3, knots: Optional[Numbers] = None, weights:
                 Optional[Numbers] = None, file: Optional[str] = None, grain: Optional[str] = None, scale: Quantity
                 = 1.0, gap_tolerance: Optional[Quantity] = None, contact_knots: Optional[int] = None) -> None:
        self.points = points
        self.degree = degree
        self.knots = knots
        self.weights = weights
        self.file = file
        self.grain = grain
        self.scale = scale
        self.gap_tolerance = gap_tolerance
        self.contact_knots = contact_knots


class Compound(Settings):
    """Several solids that hold together.

    parts: The parts, each with a shape, a position and a rotation
    """
    _tag = ('shape', 'compound')
    _fields = ('parts',)

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = parts


class Surface(Settings):
    """A body with a closed NURBS surface, convex or not, from a file or fitted to points.

    file: JSON file of the surface, relative to the scene file; give this or points
    points: File with rows x, y, z of points on a body that is star-shaped about their middle, relative to the
        scene file: a surface is fitted to them; give this or file
    tolerance: With points: the farthest that any of them may be from the surface [m]
    scale: Length of one unit of the file [m; default 1.0]
    gap_tolerance: How well the knots alone, from which contacts are sought, know a gap: finer finds smaller
        features, and takes longer; 0: 1 % of the radius of the ball of the same volume [m; default 0.0]
    """
    _tag = ('shape', 'surface')
    _fields = ('file', 'points', 'tolerance', 'scale', 'gap_tolerance')

    def __init__(self, file: Optional[str] = None, points: Optional[str] = None, tolerance: Optional[Quantity] =
                 None, scale: Quantity = 1.0, gap_tolerance: Quantity = 0.0) -> None:
        self.file = file
        self.points = points
        self.tolerance = tolerance
        self.scale = scale
        self.gap_tolerance = gap_tolerance


class Plane(Settings):
    """An unbounded flat wall.

    point: Any point of the surface [m; default [0.0, 0.0, 0.0]]
    normal: Direction towards the grains, of any length [default [0.0, 0.0, 1.0]]
    on: Of a new plane in a stage: it is moved along its normal until it touches a body of this group
    """
    _tag = ('shape', 'plane')
    _fields = ('point', 'normal', 'on')

    def __init__(self, point: Optional[Vector] = None, normal: Optional[Vector] = None, on: Optional[str] =
                 None) -> None:
        self.point = point
        self.normal = normal
        self.on = on


class Container(Settings):
    """A hollow box with grains inside. Its faces are unbounded planes; any can be left open.

    size: Inner edge lengths [m]
    centre: Centre of the box [m; default [0.0, 0.0, 0.0]]
    rotation: Turn about the centre: axis times angle [rad; default [0.0, 0.0, 0.0]]
    open: Faces left open [one of -x, +x, -y, +y, -z, +z]
    """
    _tag = ('shape', 'container')
    _fields = ('size', 'centre', 'rotation', 'open')

    def __init__(self, size: Vector, centre: Optional[Vector] = None, rotation: Optional[Vector] = None, open:
                 Optional[Sequence[str]] = None) -> None:
        self.size = size
        self.centre = centre
        self.rotation = rotation
        self.open = open


class Drum(Settings):
    """A hollow cylinder with grains inside.

    radius: Inner radius [m]
    length: Inner length [m]
    centre: Centre of the drum [m; default [0.0, 0.0, 0.0]]
    axis: Direction of the axis, of any length [default [0.0, 0.0, 1.0]]
    open: Faces left open: the mantle, the low or the high cap along the axis [one of mantle, low, high]
    """
    _tag = ('shape', 'drum')
    _fields = ('radius', 'length', 'centre', 'axis', 'open')

    def __init__(self, radius: Quantity, length: Quantity, centre: Optional[Vector] = None, axis: Optional[Vector] =
                 None, open: Optional[Sequence[str]] = None) -> None:
        self.radius = radius
        self.length = length
        self.centre = centre
        self.axis = axis
        self.open = open


class Sleeve(Settings):
    """A hollow cylinder of rings, each with its own radius under a radial servo: a flexible confining wall for spheres.

    radius: Inner radius at the start [m]
    length: Length of all rings together [m]
    centre: Centre of the sleeve [m; default [0.0, 0.0, 0.0]]
    axis: Direction of the axis, of any length [default [0.0, 0.0, 1.0]]
    rings: Number of rings [default 10]
    """
    _tag = ('shape', 'sleeve')
    _fields = ('radius', 'length', 'centre', 'axis', 'rings')

    def __init__(self, radius: Quantity, length: Quantity, centre: Optional[Vector] = None, axis: Optional[Vector] =
                 None, rings: int = 10) -> None:
        self.radius = radius
        self.length = length
        self.centre = centre
        self.axis = axis
        self.rings = rings


class SingleSize(Settings):
    """One size; a bare number means the same.

    radius: Radius of every grain [m]
    """
    _tag = ('distribution', 'single')
    _fields = ('radius',)

    def __init__(self, radius: Quantity) -> None:
        self.radius = radius


class UniformSize(Settings):
    """Any radius between two bounds, equally likely.

    low: Smallest radius [m]
    high: Largest radius [m]
    """
    _tag = ('distribution', 'uniform')
    _fields = ('low', 'high')

    def __init__(self, low: Quantity, high: Quantity) -> None:
        self.low = low
        self.high = high


class NormalSize(Settings):
    """Normal distribution, drawn again outside the bounds.

    mean: Mean radius [m]
    deviation: Standard deviation of the radius [m]
    low: Smallest radius [m]
    high: Largest radius [m]
    """
    _tag = ('distribution', 'normal')
    _fields = ('mean', 'deviation', 'low', 'high')

    def __init__(self, mean: Quantity, deviation: Quantity, low: Quantity, high: Quantity) -> None:
        self.mean = mean
        self.deviation = deviation
        self.low = low
        self.high = high


class TableSize(Settings):
    """A few sizes, each with its share.

    radii: The radii [m]
    weights: Share of each by number; any positive sum
    """
    _tag = ('distribution', 'table')
    _fields = ('radii', 'weights')

    def __init__(self, radii: Numbers, weights: Numbers) -> None:
        self.radii = radii
        self.weights = weights


class BoxRegion(Settings):
    """A box along the axes.

    low: Low corner [m]
    high: High corner [m]
    """
    _tag = None
    _fields = ('low', 'high')

    def __init__(self, low: Vector, high: Vector) -> None:
        self.low = low
        self.high = high


class CylinderRegion(Settings):
    """A round cylinder.

    radius: Radius [m]
    length: Length along the axis [m]
    centre: Centre of the cylinder [m; default [0.0, 0.0, 0.0]]
    axis: Direction of its axis, of any length [default [0.0, 0.0, 1.0]]
    """
    _tag = None
    _fields = ('radius', 'length', 'centre', 'axis')

    def __init__(self, radius: Quantity, length: Quantity, centre: Optional[Vector] = None, axis: Optional[Vector] =
                 None) -> None:
        self.radius = radius
        self.length = length
        self.centre = centre
        self.axis = axis


class Free(Settings):
    """Makes a wall a body that forces move, or guides a solid.

    mass: Mass; that of its volume if it is a solid and this is not given [kg]
    axes: Axes along which it moves; all that the scene has if not given [one of x, y, z]
    inertia: Moment of inertia of a wall, the same about every axis through the point of a plane or the centre
        of a container or drum. 0: it does not turn [kg m^2; default 0.0]
    turns: Axes about which it turns: of a wall with an inertia all that the scene has if not given; of a solid
        none if not given, one, or all [one of x, y, z]
    velocity: Velocity of a wall at the start [m/s; default [0.0, 0.0, 0.0]]
    """
    _tag = None
    _fields = ('mass', 'axes', 'inertia', 'turns', 'velocity')

    def __init__(self, mass: Optional[Quantity] = None, axes: Optional[Sequence[str]] = None, inertia: Quantity =
                 0.0, turns: Optional[Sequence[str]] = None, velocity: Optional[Vector] = None) -> None:
        self.mass = mass
        self.axes = axes
        self.inertia = inertia
        self.turns = turns
        self.velocity = velocity


class Domain(Settings):
    """The space of the scene; unbounded if not given. A grain that leaves it stops the run.

    low: Low corner of the space [m]
    high: High corner of the space [m]
    periodic: Axes that wrap: a grain that leaves at one side enters at the other [one of x, y, z]
    """
    _tag = None
    _fields = ('low', 'high', 'periodic')

    def __init__(self, low: Vector, high: Vector, periodic: Optional[Sequence[str]] = None) -> None:
        self.low = low
        self.high = high
        self.periodic = periodic


class ContactLaw(Settings):
    """The law of every contact.

    normal: Elastic normal force: hertz (spheres) or hooke (linear) [one of hooke, hertz; default hertz]
    damping: Normal dashpot: chosen to give the coefficient of restitution, or viscous, a share of critical [one
        of restitution, viscous; default restitution]
    tangential: mindlin: spring with memory and Coulomb limit; none: no friction [one of none, mindlin; default
        mindlin]
    rolling: Rolling resistance: none, spring (elastic-plastic) or constant (couple) [one of none, spring,
        constant; default none]
    cohesion: none, constant (force), dmt or jkr (needs normal: hertz) [one of none, constant, dmt, jkr; default
        none]
    """
    _tag = None
    _fields = ('normal', 'damping', 'tangential', 'rolling', 'cohesion')

    def __init__(self, normal: str = 'hertz', damping: str = 'restitution', tangential: str = 'mindlin', rolling:
                 str = 'none', cohesion: str = 'none') -> None:
        self.normal = normal
        self.damping = damping
        self.tangential = tangential
        self.rolling = rolling
        self.cohesion = cohesion


class SlideLimits(Settings):
    """Ends of the slide: prismatic, cylindrical, distance.

    lower: Least slide; least distance, for a distance joint [m]
    upper: Largest slide; length of a rope [m]
    """
    _tag = None
    _fields = ('lower', 'upper')

    def __init__(self, lower: Optional[Quantity] = None, upper: Optional[Quantity] = None) -> None:
        self.lower = lower
        self.upper = upper


class TurnLimits(Settings):
    """Ends of the turn: revolute, cylindrical.

    lower: Least turn [rad]
    upper: Largest turn [rad]
    """
    _tag = None
    _fields = ('lower', 'upper')

    def __init__(self, lower: Optional[Quantity] = None, upper: Optional[Quantity] = None) -> None:
        self.lower = lower
        self.upper = upper


class SlideSpring(Settings):
    """Spring and damper along the slide.

    stiffness: Stiffness [N/m; default 0.0]
    damping: Force of the damper over speed [N s/m; default 0.0]
    rest: Slide, or distance, without force; as at the start if not given [m]
    """
    _tag = None
    _fields = ('stiffness', 'damping', 'rest')

    def __init__(self, stiffness: Quantity = 0.0, damping: Quantity = 0.0, rest: Optional[Quantity] = None) -> None:
        self.stiffness = stiffness
        self.damping = damping
        self.rest = rest


class TorsionSpring(Settings):
    """Spring and damper about the axis of the turn.

    stiffness: Torque over angle [N m/rad; default 0.0]
    damping: Torque of the damper over rate [N m s/rad; default 0.0]
    rest: Turn without torque; as at the start if not given [rad]
    """
    _tag = None
    _fields = ('stiffness', 'damping', 'rest')

    def __init__(self, stiffness: Quantity = 0.0, damping: Quantity = 0.0, rest: Optional[Quantity] = None) -> None:
        self.stiffness = stiffness
        self.damping = damping
        self.rest = rest


class SpeedDrive(Settings):
    """Slides at a given speed.

    speed: Speed of the slide [m/s]
    times: Points in time, increasing, in place of one value [s]
    speeds: Speed at each of the times, linear between them [m/s]
    max_force: Largest force it has; any if not given [N]
    """
    _tag = ('type', 'speed')
    _fields = ('speed', 'times', 'speeds', 'max_force')

    def __init__(self, speed: Optional[Quantity] = None, times: Optional[Numbers] = None, speeds: Optional[Numbers]
                 = None, max_force: Optional[Quantity] = None) -> None:
        self.speed = speed
        self.times = times
        self.speeds = speeds
        self.max_force = max_force


class PositionDrive(Settings):
    """Slides to a given place and stays there: a servo.

    position: Where to slide to; the distance, for a distance joint [m]
    times: Points in time, increasing, in place of one value [s]
    positions: Place at each of the times, linear between them [m]
    response_time: In which an error shrinks to about a third; one step if that is longer [s; default 0.0]
    max_force: Largest force it has; any if not given [N]
    """
    _tag = ('type', 'position')
    _fields = ('position', 'times', 'positions', 'response_time', 'max_force')

    def __init__(self, position: Optional[Quantity] = None, times: Optional[Numbers] = None, positions:
                 Optional[Numbers] = None, response_time: Quantity = 0.0, max_force: Optional[Quantity] =
                 None) -> None:
        self.position = position
        self.times = times
        self.positions = positions
        self.response_time = response_time
        self.max_force = max_force


class ForceDrive(Settings):
    """Pushes with a given force.

    force: Force on the first body along the axis [N]
    times: Points in time, increasing, in place of one value [s]
    forces: Force at each of the times, linear between them [N]
    """
    _tag = ('type', 'force')
    _fields = ('force', 'times', 'forces')

    def __init__(self, force: Optional[Quantity] = None, times: Optional[Numbers] = None, forces: Optional[Numbers]
                 = None) -> None:
        self.force = force
        self.times = times
        self.forces = forces


class SpinDrive(Settings):
    """Turns at a given rate: a motor.

    rate: Rate of the turn [rad/s]
    times: Points in time, increasing, in place of one value [s]
    rates: Rate at each of the times, linear between them [rad/s]
    max_torque: Largest torque it has; any if not given [N m]
    """
    _tag = ('type', 'spin')
    _fields = ('rate', 'times', 'rates', 'max_torque')

    def __init__(self, rate: Optional[Quantity] = None, times: Optional[Numbers] = None, rates: Optional[Numbers] =
                 None, max_torque: Optional[Quantity] = None) -> None:
        self.rate = rate
        self.times = times
        self.rates = rates
        self.max_torque = max_torque


class AngleDrive(Settings):
    """Turns to a given angle and stays there: a servo.

    angle: Where to turn to, from the start [rad]
    times: Points in time, increasing, in place of one value [s]
    angles: Angle at each of the times, linear between them [rad]
    response_time: In which an error shrinks to about a third; one step if that is longer [s; default 0.0]
    max_torque: Largest torque it has; any if not given [N m]
    """
    _tag = ('type', 'angle')
    _fields = ('angle', 'times', 'angles', 'response_time', 'max_torque')

    def __init__(self, angle: Optional[Quantity] = None, times: Optional[Numbers] = None, angles: Optional[Numbers]
                 = None, response_time: Quantity = 0.0, max_torque: Optional[Quantity] = None) -> None:
        self.angle = angle
        self.times = times
        self.angles = angles
        self.response_time = response_time
        self.max_torque = max_torque


class TorqueDrive(Settings):
    """Turns with a given torque.

    torque: Torque on the first body about the axis [N m]
    times: Points in time, increasing, in place of one value [s]
    torques: Torque at each of the times, linear between them [N m]
    """
    _tag = ('type', 'torque')
    _fields = ('torque', 'times', 'torques')

    def __init__(self, torque: Optional[Quantity] = None, times: Optional[Numbers] = None, torques:
                 Optional[Numbers] = None) -> None:
        self.torque = torque
        self.times = times
        self.torques = torques


class Penalty(Settings):
    """The penalty method: soft contacts, short explicit steps.

    step: Length of a step; auto: chosen [s; default auto]
    step_fraction: With step: auto, method: penalty. Smaller is more accurate, larger is faster [default 0.05]
    """
    _tag = ('method', 'penalty')
    _fields = ('step', 'step_fraction')

    def __init__(self, step: Quantity = 'auto', step_fraction: Quantity = 0.05) -> None:
        self.step = step
        self.step_fraction = step_fraction


class ContactDynamics(Settings):
    """Contact dynamics: rigid contacts, long steps, each with a problem to solve.

    step: Length of a step; auto: chosen [s; default auto]
    solver: gauss-seidel (robust, quick to a loose tolerance), apgd or spg (gradient methods), jacobi, interior-
        point (tight tolerances), newton (elastic contacts), or auto, which chooses by size and tolerance; see
        docs/solvers.md. Not given: gauss-seidel, but auto where there are joints, and for rigid contacts of
        other shapes than spheres [one of gauss-seidel, jacobi, apgd, spg, interior-point, newton, auto]
    tolerance: Residual at which a step is solved, relative to the load; see docs/contact-problems.md [default
        0.0001]
    max_iterations: Most iterations per step; steps that would need more are counted as unconverged [default
        1000]
    fixed_iterations: If not 0, just so many iterations in each step, whatever the residual [default 0]
    friction_law: coulomb (exact) or associated (convex; sliding contacts open by friction times slip) [one of
        associated, coulomb; default coulomb]
    sweep: Order of the contacts, solver: gauss-seidel: coloured (on all threads), list (in the order of the
        bodies) or random [one of list, given, random, coloured; default coloured]
    relaxation: Share of its own full step that each contact goes, solver: jacobi; 0 chooses one that always
        converges, 1 is the plain parallel update [default 0.0]
    gradient_scaling: Unit of impulses in the steps of apgd and spg: contact (each in that of the mass it moves)
        or common (one for all, the plain method) [one of contact, common; default contact]
    stabilisation: gap: overlaps are pushed apart; quasi-inelastic: they stay and only must not grow [one of
        gap, quasi-inelastic; default gap]
    correction: Share of an overlap that is taken away in one step, stabilisation: gap [default 0.2]
    max_correction_speed: Speed at which overlaps are pushed apart at most, stabilisation: gap [m/s; default
        0.1]
    restitution: newton: closed contacts bounce by the restitution of their materials; none: inelastic. Used by
        rigid contacts with theta: 1 [one of none, newton; default newton]
    contacts: rigid, or elastic: springs of Hooke's law (contact_law.normal: hooke), solved for implicitly [one
        of rigid, elastic; default rigid]
    theta: Share of the velocity at the end of a step in the mean one that moves bodies: 1 dissipates most; 0.5
        keeps the energy. Rigid contacts bounce by (1 - theta)/theta [default 1.0]
    warm_start: Begin each solve from the impulses of the last step [default True]
    forces: Of redundant rigid contacts: solver, as the solver happens to find them, or compatible, the unique
        ones of springs of contact_law as they grow stiff in proportion; see docs/compatible-forces.md [one of
        solver, compatible; default solver]
    compatible_method: How compatible forces without friction are found: newton, or augmented-lagrangian
        (slower, little memory) [one of newton, augmented-lagrangian; default newton]
    """
    _tag = ('method', 'contact-dynamics')
    _fields = ('step', 'solver', 'tolerance', 'max_iterations', 'fixed_iterations', 'friction_law', 'sweep', 'relaxation', 'gradient_scaling', 'stabilisation', 'correction', 'max_correction_speed', 'restitution', 'contacts', 'theta', 'warm_start', 'forces', 'compatible_method')

    def __init__(self, step: Quantity = 'auto', solver: Optional[str] = None, tolerance: Quantity = 0.0001,
                 max_iterations: int = 1000, fixed_iterations: int = 0, friction_law: str = 'coulomb', sweep: str =
                 'coloured', relaxation: Quantity = 0.0, gradient_scaling: str = 'contact', stabilisation: str =
                 'gap', correction: Quantity = 0.2, max_correction_speed: Quantity = 0.1, restitution: str =
                 'newton', contacts: str = 'rigid', theta: Quantity = 1.0, warm_start: bool = True, forces: str =
                 'solver', compatible_method: str = 'newton') -> None:
        self.step = step
        self.solver = solver
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.fixed_iterations = fixed_iterations
        self.friction_law = friction_law
        self.sweep = sweep
        self.relaxation = relaxation
        self.gradient_scaling = gradient_scaling
        self.stabilisation = stabilisation
        self.correction = correction
        self.max_correction_speed = max_correction_speed
        self.restitution = restitution
        self.contacts = contacts
        self.theta = theta
        self.warm_start = warm_start
        self.forces = forces
        self.compatible_method = compatible_method


class Equilibrium(Settings):
    """How quasi-static loading finds equilibrium.

    tolerance: Largest unbalanced force on a body in equilibrium, relative to the mean contact force. Solvers
        get at most a hundredth of it as theirs [default 1e-06]
    max_iterations: Most iterations per increment; a body that nothing carries then stops the run [default 500]
    proceed: Go on with the next increment though bodies still move after max_iterations, as in a packing that
        yields all the time; the increment counts as unconverged [default False]
    max_displacement: Share of the smallest radius that a body goes in one iteration at most [default 0.05]
    inertia: Fictitious inertia over contact stiffness that iterations begin with. Changes the speed only
        [default 0.1]
    """
    _tag = None
    _fields = ('tolerance', 'max_iterations', 'proceed', 'max_displacement', 'inertia')

    def __init__(self, tolerance: Quantity = 1e-06, max_iterations: int = 500, proceed: bool = False,
                 max_displacement: Quantity = 0.05, inertia: Quantity = 0.1) -> None:
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.proceed = proceed
        self.max_displacement = max_displacement
        self.inertia = inertia


class Solving(Settings):
    """How quasi-static loading solves its contact problems.

    solver: gauss-seidel (robust, quick to a loose tolerance), apgd or spg (gradient methods), jacobi, interior-
        point (tight tolerances), newton (elastic contacts), or auto, which chooses by size and tolerance; see
        docs/solvers.md. Not given: gauss-seidel, but auto where there are joints, and for rigid contacts of
        other shapes than spheres [one of gauss-seidel, jacobi, apgd, spg, interior-point, newton, auto]
    tolerance: Residual at which a step is solved, relative to the load; see docs/contact-problems.md [default
        0.0001]
    max_iterations: Most iterations per step; steps that would need more are counted as unconverged [default
        1000]
    fixed_iterations: If not 0, just so many iterations in each step, whatever the residual [default 0]
    friction_law: coulomb (exact) or associated (convex; sliding contacts open by friction times slip) [one of
        associated, coulomb; default coulomb]
    sweep: Order of the contacts, solver: gauss-seidel: coloured (on all threads), list (in the order of the
        bodies) or random [one of list, given, random, coloured; default coloured]
    relaxation: Share of its own full step that each contact goes, solver: jacobi; 0 chooses one that always
        converges, 1 is the plain parallel update [default 0.0]
    gradient_scaling: Unit of impulses in the steps of apgd and spg: contact (each in that of the mass it moves)
        or common (one for all, the plain method) [one of contact, common; default contact]
    stabilisation: gap: overlaps are pushed apart; quasi-inelastic: they stay and only must not grow [one of
        gap, quasi-inelastic; default gap]
    correction: Share of an overlap that is taken away in one step, stabilisation: gap [default 0.2]
    max_correction_speed: Speed at which overlaps are pushed apart at most, stabilisation: gap [m/s; default
        0.1]
    restitution: newton: closed contacts bounce by the restitution of their materials; none: inelastic. Used by
        rigid contacts with theta: 1 [one of none, newton; default newton]
    contacts: rigid, or elastic: springs of Hooke's law (contact_law.normal: hooke), solved for implicitly [one
        of rigid, elastic; default rigid]
    theta: Share of the velocity at the end of a step in the mean one that moves bodies: 1 dissipates most; 0.5
        keeps the energy. Rigid contacts bounce by (1 - theta)/theta [default 1.0]
    warm_start: Begin each solve from the impulses of the last step [default True]
    forces: Of redundant rigid contacts: solver, as the solver happens to find them, or compatible, the unique
        ones of springs of contact_law as they grow stiff in proportion; see docs/compatible-forces.md [one of
        solver, compatible; default solver]
    compatible_method: How compatible forces without friction are found: newton, or augmented-lagrangian
        (slower, little memory) [one of newton, augmented-lagrangian; default newton]
    """
    _tag = None
    _fields = ('solver', 'tolerance', 'max_iterations', 'fixed_iterations', 'friction_law', 'sweep', 'relaxation', 'gradient_scaling', 'stabilisation', 'correction', 'max_correction_speed', 'restitution', 'contacts', 'theta', 'warm_start', 'forces', 'compatible_method')

    def __init__(self, solver: Optional[str] = None, tolerance: Quantity = 0.0001, max_iterations: int = 1000,
                 fixed_iterations: int = 0, friction_law: str = 'coulomb', sweep: str = 'coloured', relaxation:
                 Quantity = 0.0, gradient_scaling: str = 'contact', stabilisation: str = 'gap', correction: Quantity
                 = 0.2, max_correction_speed: Quantity = 0.1, restitution: str = 'newton', contacts: str = 'rigid',
                 theta: Quantity = 1.0, warm_start: bool = True, forces: str = 'solver', compatible_method: str =
                 'newton') -> None:
        self.solver = solver
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.fixed_iterations = fixed_iterations
        self.friction_law = friction_law
        self.sweep = sweep
        self.relaxation = relaxation
        self.gradient_scaling = gradient_scaling
        self.stabilisation = stabilisation
        self.correction = correction
        self.max_correction_speed = max_correction_speed
        self.restitution = restitution
        self.contacts = contacts
        self.theta = theta
        self.warm_start = warm_start
        self.forces = forces
        self.compatible_method = compatible_method


class QuasiStatic(Settings):
    """Quasi-static loading: elastic contacts in equilibrium, no inertia.

    step: Length of a step; auto: chosen [s; default auto]
    equilibrium: How it is found: Equilibrium(...)
    solving: The contact problems on the way: Solving(...)
    """
    _tag = ('method', 'quasi-static')
    _fields = ('step', 'equilibrium', 'solving')

    def __init__(self, step: Quantity = 'auto', equilibrium: Optional[Any] = None, solving: Optional[Any] =
                 None) -> None:
        self.step = step
        self.equilibrium = equilibrium
        self.solving = solving


class MaterialCalls:
    """The calls of a World whose arguments are properties of materials."""

    def add_material(self, name: str = "", *, density: Optional[Quantity] = None, youngs_modulus: Optional[Quantity]
        = None, poisson_ratio: Optional[Quantity] = None, friction: Optional[Quantity] = None, restitution:
        Optional[Quantity] = None, stiffness: Optional[Quantity] = None, tangential_ratio: Optional[Quantity] =
        None, viscosity: Optional[Quantity] = None, rolling_friction: Optional[Quantity] = None, rolling_damping:
        Optional[Quantity] = None, cohesion_force: Optional[Quantity] = None, adhesion_work: Optional[Quantity] =
        None, damping_time: Optional[Quantity] = None, rounding: Optional[Quantity] = None, cap: Optional[Quantity]
        = None, bond_stretch: Optional[Quantity] = None, cohesion_hardening: Optional[Quantity] = None,
        rounding_hardening: Optional[Quantity] = None, cap_hardening: Optional[Quantity] = None, damping_rate:
        Optional[Quantity] = None, cohesion_stress: Optional[Quantity] = None, rounding_stress: Optional[Quantity] =
        None, cap_stress: Optional[Quantity] = None, dilation_angle: Optional[Quantity] = None) -> Any:
        """Adds a material; what is not given has its default.

        density: Mass per volume of the solid grain [kg/m^3; default 2500.0]
        youngs_modulus: Young's modulus. Real grains have 1e9 to 1e11 Pa; a softer one allows longer steps and
            changes little as long as overlaps stay below a percent [Pa; default 10000000.0]
        poisson_ratio: Poisson's ratio [default 0.3]
        friction: Coulomb friction coefficient [default 0.5]
        restitution: Coefficient of restitution of a head-on impact; 0.05 to 1 with damping: restitution, unused
            with viscous [default 0.5]
        stiffness: Normal stiffness between two such grains, normal: hooke; 0 derives it from the moduli [N/m;
            default 0.0]
        tangential_ratio: Tangential over normal stiffness, normal: hooke [default 0.2857142857142857]
        viscosity: Dashpot as a share of the critical one, 2 sqrt(k m), with damping: viscous [default 1.0]
        rolling_friction: Rolling resistance: the couple is at most this times radius times normal force [default
            0.0]
        rolling_damping: Dashpot of the rolling spring as a share of the critical one, rolling: spring [default 0.3]
        cohesion_force: Attraction of touching grains, cohesion: constant [N; default 0.0]
        adhesion_work: Work of adhesion per area, cohesion: dmt or jkr [J/m^2; default 0.0]
        damping_time: Dashpot of both springs of a contact, as its share of the stiffness;
            contact_dynamics.contacts: elastic [s; default 0.0]
        rounding: Radius of the ball that rounds the friction cone: strength in tension and shear without load;
            contacts: elastic [N; default 0.0]
        cap: Largest compressive force, at which a contact is dented; 0: no limit; contacts: elastic [N; default
            0.0]
        bond_stretch: Plastic stretch at which cohesion and rounding are lost for good; 0: they come back when
            bodies touch again; contacts: elastic [m; default 0.0]
        cohesion_hardening: Growth of the cohesion per plastic way; negative: softening; contacts: elastic [N/m;
            default 0.0]
        rounding_hardening: Growth of the rounding per plastic way; negative: softening; contacts: elastic [N/m;
            default 0.0]
        cap_hardening: Growth of the cap per plastic way; negative: softening; contacts: elastic [N/m; default 0.0]
        damping_rate: Dashpot of both springs of a contact in proportion to its mass, m1 m2/(m1 + m2), beside that
            of damping_time; contacts: elastic [1/s; default 0.0]
        cohesion_stress: Cohesion per area pi R^2 of a contact of effective radius R (r/2 between equal spheres, r
            on a plane), beside cohesion_force; cohesion: constant and contacts: elastic [Pa; default 0.0]
        rounding_stress: Rounding per area pi R^2 of a contact, beside rounding; contacts: elastic [Pa; default 0.0]
        cap_stress: Cap per area pi R^2 of a contact, such as a hardness; with cap the smaller one counts; 0: no
            limit; contacts: elastic [Pa; default 0.0]
        dilation_angle: Angle at which a sliding contact opens, up to the friction angle; 0: as
            contact_dynamics.friction_law says. Needs friction_law: associated and solver: interior-point or auto
            [rad; default 0.0]
        """
        return self._add_material(name, {"density": density, "youngs_modulus": youngs_modulus, "poisson_ratio":
            poisson_ratio, "friction": friction, "restitution": restitution, "stiffness": stiffness,
            "tangential_ratio": tangential_ratio, "viscosity": viscosity, "rolling_friction": rolling_friction,
            "rolling_damping": rolling_damping, "cohesion_force": cohesion_force, "adhesion_work":
            adhesion_work, "damping_time": damping_time, "rounding": rounding, "cap": cap, "bond_stretch":
            bond_stretch, "cohesion_hardening": cohesion_hardening, "rounding_hardening": rounding_hardening,
            "cap_hardening": cap_hardening, "damping_rate": damping_rate, "cohesion_stress": cohesion_stress,
            "rounding_stress": rounding_stress, "cap_stress": cap_stress, "dilation_angle": dilation_angle})

    def set_material(self, material: Any, *, density: Optional[Quantity] = None, youngs_modulus: Optional[Quantity]
        = None, poisson_ratio: Optional[Quantity] = None, friction: Optional[Quantity] = None, restitution:
        Optional[Quantity] = None, stiffness: Optional[Quantity] = None, tangential_ratio: Optional[Quantity] =
        None, viscosity: Optional[Quantity] = None, rolling_friction: Optional[Quantity] = None, rolling_damping:
        Optional[Quantity] = None, cohesion_force: Optional[Quantity] = None, adhesion_work: Optional[Quantity] =
        None, damping_time: Optional[Quantity] = None, rounding: Optional[Quantity] = None, cap: Optional[Quantity]
        = None, bond_stretch: Optional[Quantity] = None, cohesion_hardening: Optional[Quantity] = None,
        rounding_hardening: Optional[Quantity] = None, cap_hardening: Optional[Quantity] = None, damping_rate:
        Optional[Quantity] = None, cohesion_stress: Optional[Quantity] = None, rounding_stress: Optional[Quantity] =
        None, cap_stress: Optional[Quantity] = None, dilation_angle: Optional[Quantity] = None) -> Any:
        """Changes properties of a material; what is not given stays.

        density: Mass per volume of the solid grain [kg/m^3; default 2500.0]
        youngs_modulus: Young's modulus. Real grains have 1e9 to 1e11 Pa; a softer one allows longer steps and
            changes little as long as overlaps stay below a percent [Pa; default 10000000.0]
        poisson_ratio: Poisson's ratio [default 0.3]
        friction: Coulomb friction coefficient [default 0.5]
        restitution: Coefficient of restitution of a head-on impact; 0.05 to 1 with damping: restitution, unused
            with viscous [default 0.5]
        stiffness: Normal stiffness between two such grains, normal: hooke; 0 derives it from the moduli [N/m;
            default 0.0]
        tangential_ratio: Tangential over normal stiffness, normal: hooke [default 0.2857142857142857]
        viscosity: Dashpot as a share of the critical one, 2 sqrt(k m), with damping: viscous [default 1.0]
        rolling_friction: Rolling resistance: the couple is at most this times radius times normal force [default
            0.0]
        rolling_damping: Dashpot of the rolling spring as a share of the critical one, rolling: spring [default 0.3]
        cohesion_force: Attraction of touching grains, cohesion: constant [N; default 0.0]
        adhesion_work: Work of adhesion per area, cohesion: dmt or jkr [J/m^2; default 0.0]
        damping_time: Dashpot of both springs of a contact, as its share of the stiffness;
            contact_dynamics.contacts: elastic [s; default 0.0]
        rounding: Radius of the ball that rounds the friction cone: strength in tension and shear without load;
            contacts: elastic [N; default 0.0]
        cap: Largest compressive force, at which a contact is dented; 0: no limit; contacts: elastic [N; default
            0.0]
        bond_stretch: Plastic stretch at which cohesion and rounding are lost for good; 0: they come back when
            bodies touch again; contacts: elastic [m; default 0.0]
        cohesion_hardening: Growth of the cohesion per plastic way; negative: softening; contacts: elastic [N/m;
            default 0.0]
        rounding_hardening: Growth of the rounding per plastic way; negative: softening; contacts: elastic [N/m;
            default 0.0]
        cap_hardening: Growth of the cap per plastic way; negative: softening; contacts: elastic [N/m; default 0.0]
        damping_rate: Dashpot of both springs of a contact in proportion to its mass, m1 m2/(m1 + m2), beside that
            of damping_time; contacts: elastic [1/s; default 0.0]
        cohesion_stress: Cohesion per area pi R^2 of a contact of effective radius R (r/2 between equal spheres, r
            on a plane), beside cohesion_force; cohesion: constant and contacts: elastic [Pa; default 0.0]
        rounding_stress: Rounding per area pi R^2 of a contact, beside rounding; contacts: elastic [Pa; default 0.0]
        cap_stress: Cap per area pi R^2 of a contact, such as a hardness; with cap the smaller one counts; 0: no
            limit; contacts: elastic [Pa; default 0.0]
        dilation_angle: Angle at which a sliding contact opens, up to the friction angle; 0: as
            contact_dynamics.friction_law says. Needs friction_law: associated and solver: interior-point or auto
            [rad; default 0.0]
        """
        return self._set_material(material, {"density": density, "youngs_modulus": youngs_modulus,
            "poisson_ratio": poisson_ratio, "friction": friction, "restitution": restitution, "stiffness":
            stiffness, "tangential_ratio": tangential_ratio, "viscosity": viscosity, "rolling_friction":
            rolling_friction, "rolling_damping": rolling_damping, "cohesion_force": cohesion_force,
            "adhesion_work": adhesion_work, "damping_time": damping_time, "rounding": rounding, "cap": cap,
            "bond_stretch": bond_stretch, "cohesion_hardening": cohesion_hardening, "rounding_hardening":
            rounding_hardening, "cap_hardening": cap_hardening, "damping_rate": damping_rate, "cohesion_stress":
            cohesion_stress, "rounding_stress": rounding_stress, "cap_stress": cap_stress, "dilation_angle":
            dilation_angle})

    def set_pair(self, a: Any, b: Any, *, friction: Optional[Quantity] = None, restitution: Optional[Quantity] =
        None, stiffness: Optional[Quantity] = None, tangential_ratio: Optional[Quantity] = None, viscosity:
        Optional[Quantity] = None, rolling_friction: Optional[Quantity] = None, rolling_damping: Optional[Quantity]
        = None, cohesion_force: Optional[Quantity] = None, adhesion_work: Optional[Quantity] = None, damping_time:
        Optional[Quantity] = None, rounding: Optional[Quantity] = None, cap: Optional[Quantity] = None,
        bond_stretch: Optional[Quantity] = None, cohesion_hardening: Optional[Quantity] = None, rounding_hardening:
        Optional[Quantity] = None, cap_hardening: Optional[Quantity] = None, damping_rate: Optional[Quantity] =
        None, cohesion_stress: Optional[Quantity] = None, rounding_stress: Optional[Quantity] = None, cap_stress:
        Optional[Quantity] = None, dilation_angle: Optional[Quantity] = None) -> Any:
        """What differs between two materials from the values mixed of both.

        friction: Coulomb friction coefficient [default 0.5]
        restitution: Coefficient of restitution of a head-on impact; 0.05 to 1 with damping: restitution, unused
            with viscous [default 0.5]
        stiffness: Normal stiffness between two such grains, normal: hooke; 0 derives it from the moduli [N/m;
            default 0.0]
        tangential_ratio: Tangential over normal stiffness, normal: hooke [default 0.2857142857142857]
        viscosity: Dashpot as a share of the critical one, 2 sqrt(k m), with damping: viscous [default 1.0]
        rolling_friction: Rolling resistance: the couple is at most this times radius times normal force [default
            0.0]
        rolling_damping: Dashpot of the rolling spring as a share of the critical one, rolling: spring [default 0.3]
        cohesion_force: Attraction of touching grains, cohesion: constant [N; default 0.0]
        adhesion_work: Work of adhesion per area, cohesion: dmt or jkr [J/m^2; default 0.0]
        damping_time: Dashpot of both springs of a contact, as its share of the stiffness;
            contact_dynamics.contacts: elastic [s; default 0.0]
        rounding: Radius of the ball that rounds the friction cone: strength in tension and shear without load;
            contacts: elastic [N; default 0.0]
        cap: Largest compressive force, at which a contact is dented; 0: no limit; contacts: elastic [N; default
            0.0]
        bond_stretch: Plastic stretch at which cohesion and rounding are lost for good; 0: they come back when
            bodies touch again; contacts: elastic [m; default 0.0]
        cohesion_hardening: Growth of the cohesion per plastic way; negative: softening; contacts: elastic [N/m;
            default 0.0]
        rounding_hardening: Growth of the rounding per plastic way; negative: softening; contacts: elastic [N/m;
            default 0.0]
        cap_hardening: Growth of the cap per plastic way; negative: softening; contacts: elastic [N/m; default 0.0]
        damping_rate: Dashpot of both springs of a contact in proportion to its mass, m1 m2/(m1 + m2), beside that
            of damping_time; contacts: elastic [1/s; default 0.0]
        cohesion_stress: Cohesion per area pi R^2 of a contact of effective radius R (r/2 between equal spheres, r
            on a plane), beside cohesion_force; cohesion: constant and contacts: elastic [Pa; default 0.0]
        rounding_stress: Rounding per area pi R^2 of a contact, beside rounding; contacts: elastic [Pa; default 0.0]
        cap_stress: Cap per area pi R^2 of a contact, such as a hardness; with cap the smaller one counts; 0: no
            limit; contacts: elastic [Pa; default 0.0]
        dilation_angle: Angle at which a sliding contact opens, up to the friction angle; 0: as
            contact_dynamics.friction_law says. Needs friction_law: associated and solver: interior-point or auto
            [rad; default 0.0]
        """
        return self._set_pair(a, b, {"friction": friction, "restitution": restitution, "stiffness": stiffness,
            "tangential_ratio": tangential_ratio, "viscosity": viscosity, "rolling_friction": rolling_friction,
            "rolling_damping": rolling_damping, "cohesion_force": cohesion_force, "adhesion_work":
            adhesion_work, "damping_time": damping_time, "rounding": rounding, "cap": cap, "bond_stretch":
            bond_stretch, "cohesion_hardening": cohesion_hardening, "rounding_hardening": rounding_hardening,
            "cap_hardening": cap_hardening, "damping_rate": damping_rate, "cohesion_stress": cohesion_stress,
            "rounding_stress": rounding_stress, "cap_stress": cap_stress, "dilation_angle": dilation_angle})

    def _add_material(self, name: str, given: Any) -> Any:
        raise NotImplementedError

    def _set_material(self, material: Any, given: Any) -> Any:
        raise NotImplementedError

    def _set_pair(self, a: Any, b: Any, given: Any) -> Any:
        raise NotImplementedError
