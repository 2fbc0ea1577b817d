// One contact led through load cycles (figure 1 and section 8 of the paper): the force it bears and the energy it
// takes, beside the law followed by hand along the same way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/experiment.hpp"
#include "experiments/tasora2012/common.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

constexpr double stiffness = 1e5, shearStiffness = 5e4;         // N/m
constexpr double amplitude = 1e-3, mass = 1e8, radius = 50e-3;  // m, kg, m
constexpr double omega = 2 * std::numbers::pi;                  // rad/s: one cycle in a second
constexpr double none = std::numeric_limits<double>::infinity();

// What the contact can bear, and how the scene is told.
struct Case {
    std::string name, title;
    double tension = 0, cap = none, bondStretch = none;  // N, N, m
    std::function<void(Scene&)> set = [](Scene&) {};
};

ContactProperties& stoneOf(Scene& scene) { return scene.materials.at("stone").contact; }

void setCohesion(Scene& scene, double force) {
    scene.contactLaw.kinds.cohesion = CohesionLaw::constant;
    stoneOf(scene).cohesionForce = force;
}

// The law along the normal, by hand.
class NormalByHand {
public:
    explicit NormalByHand(const Case& c) : limits_(c), bonded_(c.tension > 0) {}

    // Force at this gap, N; push positive.
    double force(double gap) {
        const double stretch = gap - plastic_;
        const double trial = -stiffness * (bonded_ ? stretch : std::min(0.0, stretch));
        const double f = std::clamp(trial, bonded_ ? -limits_.tension : 0.0, limits_.cap);
        const double flow = f == trial ? 0.0 : gap + f / stiffness - plastic_;
        plastic_ += flow;
        heat_ -= f * flow;
        if (bonded_ && plastic_ > limits_.bondStretch) {
            heat_ += 0.5 * f * f / stiffness;
            plastic_ = 0;
            bonded_ = false;
        }
        return f;
    }
    double heat() const { return heat_; }  // J

private:
    Case limits_;
    bool bonded_;
    double plastic_ = 0, heat_ = 0;  // m, J
};

// Friction with a spring, by hand.
class ShearByHand {
public:
    explicit ShearByHand(double limit) : limit_(limit) {}
    double force(double way) {
        const double trial = -shearStiffness * (way - slid_), f = std::clamp(trial, -limit_, limit_);
        if (f != trial) {
            const double flow = way + f / shearStiffness - slid_;
            slid_ += flow;
            heat_ -= f * flow;
        }
        return f;
    }
    double heat() const { return heat_; }

private:
    double limit_, slid_ = 0, heat_ = 0;  // N, m, J
};

// Leads the plate as -amplitude sin(omega t) along this direction, first inwards, under a load (N).
Scene cycle(Scene scene, const Vec3& direction, const Vec3& load = {}) {
    TableForce lead;
    for (int k = 0; k <= 2000; ++k) {
        const double time = k / 2000.0;
        lead.time.push_back(time);
        lead.force.push_back(mass * amplitude * omega * omega * std::sin(omega * time) * direction + load);
    }
    scene.bodies[1].force = lead;
    scene.bodies[1].free->velocity = -amplitude * omega * direction;
    return scene;
}

struct Sample {
    double way, force, byHand;  // m, N, N
};

BodyState plateOf(const Simulation& simulation) {
    for (BodyState& body : simulation.bodies()) {
        if (body.group == "plate") return body;
    }
    return {};
}

// Runs the scene; component: of position and force that the law by hand is about.
template <class Law>
std::vector<Sample> follow(const Scene& scene, int component, double origin, Law& law, EnergyState& energy) {
    Simulation simulation(scene);
    std::vector<Sample> samples;
    const auto steps = std::llround(scene.run.time / simulation.stepLength());
    for (long long k = 0; k < steps; ++k) {
        simulation.advance();
        const BodyState plate = plateOf(simulation);
        const double way = plate.position[component] - origin;
        samples.push_back({way, plate.force[component], law.force(way)});
    }
    energy = simulation.energy();
    return samples;
}

void compare(Trial& trial, const std::string& name, const std::string& title, const std::vector<Sample>& samples,
             double heat, const EnergyState& energy) {
    double largest = 0, difference = 0;
    std::vector<std::vector<double>> rows;
    for (const Sample& s : samples) {
        largest = std::max(largest, std::abs(s.byHand));
        difference = std::max(difference, std::abs(s.force - s.byHand));
        rows.push_back({s.way, s.force, s.byHand});
    }
    trial.writeTable(name, {"way [m]", "force [N]", "by hand [N]"}, rows);
    trial.add(
        atMost(title + ": largest difference from the law by hand", "N", 1e-6 * largest, difference, Source::theory));
    // Implicit steps of the springs take a little more than the law.
    const double stored = 0.5 * largest * largest / stiffness;
    trial.add(near(title + ": energy turned into heat", "J", heat, energy.dissipated, 0.02 * (heat + stored),
                   Source::theory));
}

void leadAlongNormal(Trial& trial, const Case& c) {
    NormalByHand law(c);
    EnergyState energy;
    Scene bare = trial.scene("contact.yaml");
    c.set(bare);
    const Scene scene = cycle(bare, {0, 0, 1});
    const std::vector<Sample> samples = follow(scene, 2, radius, law, energy);
    compare(trial, c.name, c.title, samples, law.heat(), energy);
}

void leadAcross(Trial& trial) {
    constexpr double overlap = 0.2e-3, friction = 0.5;  // m, -
    ShearByHand law(friction * stiffness * overlap);
    EnergyState energy;
    Scene pressed = trial.scene("contact.yaml");
    kindOf<Plane>(pressed, 1).point = {0, 0, radius - overlap};
    const Scene scene = cycle(pressed, {1, 0, 0}, {0, 0, -stiffness * overlap});
    const std::vector<Sample> samples = follow(scene, 0, 0, law, energy);
    compare(trial, "friction", "friction", samples, law.heat(), energy);
}

// A light plate under load slides over the sphere and rises; its bond remembers by how much.
void slideAtAnAngle(Trial& trial, double angle) {
    Scene scene = trial.scene("contact.yaml");
    setCohesion(scene, 1);
    stoneOf(scene).dilationAngle = angle;
    stoneOf(scene).dampingTime = 0.01;
    scene.contactDynamics.solver = SolverKind::interiorPoint;
    scene.contactDynamics.frictionLaw = FrictionLaw::associated;
    scene.contactDynamics.tolerance = 1e-8;
    scene.bodies[1].free->mass = 1;
    scene.bodies[1].force = ConstantForce{{8, 0, -10}};
    scene.run.time = 0.1;
    scene.run.step = {1e-3};
    Simulation simulation(scene);
    simulation.advance(50);
    const BodyState start = plateOf(simulation);
    simulation.advance(50);
    const BodyState end = plateOf(simulation);
    const double slope = (end.position.z - start.position.z) / (end.position.x - start.position.x);
    trial.add(within(fmt::format("dilation angle {} rad, interior point: rise over slip", angle), "", std::tan(angle),
                     slope, 0.02, Source::theory));
}

void run(Trial& trial) {
    const std::vector<Case> cases = {
        {"elastic", "elastic"},
        {"cohesive", "cohesive", 30, none, none, [](Scene& s) { setCohesion(s, 30); }},
        {"breakable", "cohesive, breakable", 30, none, 0.5e-3,
         [](Scene& s) {
             setCohesion(s, 30);
             stoneOf(s).bondStretch = 0.5e-3;
         }},
        {"rounded", "cone and ball", 30, none, none,
         [](Scene& s) {
             s.contactDynamics.frictionLaw = FrictionLaw::associated;
             stoneOf(s).rounding = 30;
         }},
        {"capped", "capped", 0, 60, none, [](Scene& s) { stoneOf(s).cap = 60; }},
        {"both", "cohesive and capped", 30, 60, none,
         [](Scene& s) {
             setCohesion(s, 30);
             stoneOf(s).cap = 60;
         }},
    };
    // A panel for each, as the paths run along each other.
    std::string commands =
        "set multiplot layout 2,4 title 'One contact, led by 1 mm in and out, or along'\nset key off\n"
        "set xlabel 'gap [mm]'\nset ylabel 'force [N]' offset 1.5\nset xrange [-1.1:1.1]\nset yrange [-40:110]\n"
        "set xtics 1\n";
    int line = 0;
    for (const Case& c : cases) {
        trial.progress(c.title, line / 9.0);
        leadAlongNormal(trial, c);
        ++line;
        commands += fmt::format("set title '{}'\nplot '{}.csv' skip 1 using (1e3*$1):2 with lines ls {}\n", c.title,
                                c.name, line);
    }
    leadAcross(trial);
    commands +=
        "set title 'friction'\nset xlabel 'slip [mm]'\nplot 'friction.csv' skip 1 using (1e3*$1):2 with lines ls 7\n";
    for (const double angle : {0.05, 0.2}) slideAtAnAngle(trial, angle);
    trial.plot("paths", commands + "unset multiplot\n");
}

}  // namespace

Experiment tasora2012_yield() {
    return {.paper = tasora2012::citation,
            .title = "One contact through load cycles: elastic, cohesive, rounded, capped, sliding",
            .run = run};
}

}  // namespace talus::reproduce
