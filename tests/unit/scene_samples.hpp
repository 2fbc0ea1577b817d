// A scene that is right, and how others differ from it.
#pragma once

#include <string>
#include <vector>

#include "io/scene/build_world.hpp"
#include "talus/error.hpp"
#include "talus/scene.hpp"

namespace talus {

inline const std::string smallScene = R"(materials: {glass: {friction: 0.3}}
bodies:
  - {shape: sphere, radius: 2 mm, position: [0, 0, 1 cm]}
run: {time: 0.5 s}
)";

inline Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parseScene(text, "scene.yaml", ".", overrides);
}

inline std::string errorOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        buildWorld(parse(text, overrides));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

// A scene and what is said of it.
struct Mistake {
    const char* text;
    const char* message;
    bool isStructural = true;  // one that the schema must refuse as well
};

inline const Mistake mistakes[] = {
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: 1, radus: 2, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radus: unknown key; did you mean 'radius'?"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: 1, position: [0, 0, 0]}\nrun:\n  time: 3 mm",
     "scene.yaml:5: run.time: \"3 mm\" is a length, but a time is wanted (e.g. \"0.5 s\")", false},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0]: the key 'radius' is missing"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: spere, radius: 1, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].shape: must be sphere, box, cylinder, cone, capsule, ellipsoid, superquadric, "
     "poly-ellipsoid, hull, mesh, clump, compound, surface, disc, polygon, outline, plane, container, drum or sleeve, "
     "got \"spere\"; did you mean "
     "'sphere'?"},
    {"materials: {glass: {}}\nbodies:\n  - {radius: 1, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0]: the key 'shape' or 'generate' is missing"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: -1 mm, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radius: must be 1e-09 to 1e+06 m, got -0.001 m", false},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: 0, position: [0, 0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radius: must be 1e-09 to 1e+06 m, got 0 m"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: [1], position: [0, 0]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radius: a length (e.g. \"2.5 mm\") is wanted, got a list\n"
     "scene.yaml:3: bodies[0].position: a list of 3 is wanted, got one of 2"},
    {"materials: {glass: {}}\nbodies:\n  - {shape: sphere, radius: big, position: [0, 0, .nan]}\nrun: {time: 1}",
     "scene.yaml:3: bodies[0].radius: \"big\" is not a number; a length (e.g. \"2.5 mm\") is wanted\n"
     "scene.yaml:3: bodies[0].position[2]: \".nan\" is not finite"},
    {"materials: {glass: {}}\nbodies: [{shape: plane}]\nrun: {time: 1, threads: 1.5}",
     "scene.yaml:3: run.threads: must be a whole number, got \"1.5\""},
    {"materials: {glass: {}}\nbodies: [{shape: plane}]\nrun: {time: 1, orientation: yes}",
     "scene.yaml:3: run.orientation: must be true or false, got \"yes\""},
    {"materials: {glass: {}}\nbodies: {shape: plane}\nrun: {time: 1}",
     "scene.yaml:2: bodies: a list is wanted, got a mapping"},
    {"materials: {glass: {}}\nbodies: [{shape: plane}]", "scene.yaml: run: the key 'time' is missing", false},
    {"materials: {glass: {}}\nbodies: [{shape: plane}]\nrun:\n",
     "scene.yaml:3: run: a mapping (key: value) is wanted, got nothing"},
    {"materials: {}\nbodies: [{shape: plane}]\nrun: {time: 1}",
     "scene.yaml:1: materials: at least one material is needed"},
    {"materials: {glass: {restitution: 0.01}}\nbodies: [{shape: plane}]\nrun: {time: 1}",
     "scene.yaml:1: materials.glass.restitution: must be 0.05 to 1, got 0.01; for stronger damping set "
     "contact_law.damping: viscous",
     false},
    {"materials: {a: {}, b: {}}\nbodies: [{shape: plane}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0]: the key 'material' is missing; there are several materials", false},
    {"materials: {glass: {}}\nbodies: [{shape: plane, material: glas}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].material: there is no material \"glas\"; did you mean 'glass'?", false},
    {"materials: {a: {}, b: {}}\npairs:\n  - {between: [a, b], friction: 1}\n  - {between: [b, a], friction: 2}\n"
     "bodies: [{shape: plane, material: a}]\nrun: {time: 1}",
     "scene.yaml:4: pairs[1].between: this pair is already set in pairs[0]", false},
    {"materials: {a: {}}\ncontact_law: {normal: hooke, cohesion: jkr}\nbodies: [{shape: plane}]\nrun: {time: 1}",
     "scene.yaml:2: contact_law.cohesion: jkr needs normal: hertz; use dmt or constant with hooke", false},
    {"materials: {a: {}}\nbodies: []\nrun: {time: 1}", "scene.yaml:2: bodies: the scene has no bodies and no sources",
     false},
    {"materials: {a: {}}\nbodies: [{shape: plane, normal: [0, 0, 0]}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].normal: a direction must not be zero, nor of absurd length", false},
    {"materials: {a: {}}\nbodies: [{shape: plane}]\ndomain: {low: [0, 0, 0], high: [1, 1, 0]}\nrun: {time: 1}",
     "scene.yaml:3: domain: low must be below high along z, got 0 and 0 m", false},
    {"materials: {a: {}}\nbodies:\n  - generate: random\n    region: {low: [0, 0, 0], high: [1, 1, 1]}\n    radius: "
     "0.1\n"
     "run: {time: 1}",
     "scene.yaml:3: bodies[0]: give either 'count' or 'volume_fraction'", false},
    {"materials: {a: {}}\nbodies:\n  - generate: random\n    region: {depth: 1}\n    radius: 0.1\n    count: 1\nrun: "
     "{time: 1}",
     "scene.yaml:4: bodies[0].region: must be a box with low, high or a cylinder with centre, radius, length"},
    {"materials: {a: {}}\nbodies:\n  - {shape: sphere, radius: 1, position: [0, 0, 0], fixed: true, velocity: [1, 0, "
     "0]}\n"
     "run: {time: 1}",
     "scene.yaml:3: bodies[0].velocity: a fixed body has no velocity of its own; use motion", false},
    {"materials: {a: {}}\nbodies:\n  - shape: plane\n    motion: {type: table, points: [[1, 0, 0, 0], [1, 0, 0, 0]]}\n"
     "run: {time: 1}",
     "scene.yaml:4: bodies[0].motion.points[1]: times must increase, got 1 s after 1 s", false},
    {"materials: {a: {}}\nbodies: [{shape: plane, hollow: [-z]}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].hollow: unknown key; known here: shape, generate, point, normal, on, name, material, "
     "group, "
     "fixed, "
     "motion, free, force"},
    {"materials: {a: {}}\nbodies: [{shape: plane, motion: {type: constant}, free: {mass: 1}}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].free: a body with prescribed motion cannot be free as well", false},
    {"materials: {a: {}}\nbodies: [{shape: plane, free: {mass: 1, axes: []}}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].free.axes: the wall could not move at all; name an axis, or leave out free to hold it",
     false},
    {"materials: {a: {}}\nbodies: [{shape: plane, free: {mass: 1, axes: [], turns: [y]}}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0].free.turns: a wall that turns needs its moment of inertia, free.inertia", false},
    {"materials: {a: {}}\nbodies: [{shape: plane}]\nrun: {time: 1}\nmeasure: {regions: [{name: a b, low: [0, 0, 0], "
     "high: [1, 1, 1]}]}",
     "scene.yaml:4: measure.regions[0].name: a name has up to 64 letters, digits, '_' and '-', got \"a b\"", false},
    {"materials: {a: {}}\nbodies: [{generate: csv, file: nowhere.csv}]\nrun: {time: 1}",
     "scene.yaml:2: bodies[0]: ./nowhere.csv: cannot be opened: there is no such file", false},
};

}  // namespace talus
