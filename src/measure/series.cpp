#include "measure/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "measure/fabric.hpp"
#include "measure/overlap.hpp"
#include "measure/packing.hpp"
#include "measure/stress.hpp"
#include "measure/walled_region.hpp"
#include "model/joint_geometry.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using Columns = std::vector<SeriesValue>;

// m/s, of bodies that move freely, walls with a mass included: what a motion or a servo steers says nothing of rest.
double largestSpeed(const Bodies& b) {
    return parallelMax(b.size(), [&](std::size_t i) { return isSteered(b, i) ? 0.0 : norm(b.velocity[i]); });
}

// Mean size of the force that moves a free grain over the mean force of a contact: near 0 at rest.
double meanUnbalancedForce(const WorldState& world, const std::vector<ContactSample>& samples) {
    const Bodies& b = world.bodies;
    struct Sum {
        double force = 0, count = 0;
        Sum& operator+=(const Sum& other) {
            force += other.force;
            count += other.count;
            return *this;
        }
    };
    const Sum grains = parallelSum(b.grainCount, Sum{}, [&](std::size_t i) -> Sum {
        if (isBoundary(b, i)) return {};
        const Vec3 fromContacts = hadamard(world.linearFreedom, b.force[i]);
        return {norm(fromContacts + outerAcceleration(world, i) / b.inverseMass[i]), 1};
    });
    const Sum contacts = parallelSum(samples.size(), Sum{}, [&](std::size_t k) -> Sum {
        return {norm(samples[k].force), 1};
    });
    if (grains.count == 0 || contacts.force == 0) return 0;
    return grains.force / grains.count / (contacts.force / contacts.count);
}

void addState(Columns& row, const WorldState& world, const std::vector<ContactSample>& samples,
              const ContactCounts& counts) {
    const Coordination z = averageCoordination(world, counts);
    row.push_back({"time", "s", world.time});
    row.push_back({"step", "", static_cast<double>(world.step)});
    row.push_back({"grains", "", static_cast<double>(world.bodies.grainCount)});
    row.push_back({"contacts", "", static_cast<double>(samples.size())});
    row.push_back({"coordination", "", z.mean()});
    row.push_back({"coordination_without_rattlers", "", z.meanWithoutRattlers()});
    row.push_back({"rattlers", "", static_cast<double>(z.rattlers)});
    row.push_back({"fabric_anisotropy", "", measureFabric(world, samples).anisotropy});
    row.push_back({"max_overlap", "", findDeepestOverlap(world).fraction});
    row.push_back({"max_speed", "m/s", largestSpeed(world.bodies)});
    row.push_back({"mean_unbalanced_force", "", meanUnbalancedForce(world, samples)});
}

void addEnergy(Columns& row, const EnergyBalance& now, bool joints, double lead, const SeriesMemory& memory) {
    row.push_back({"energy_kinetic", "J", now.kinetic()});
    row.push_back({"energy_potential", "J", now.potential});
    row.push_back({"energy_elastic", "J", now.elastic.total()});
    row.push_back({"energy_elastic_normal", "J", now.elastic.normal});
    row.push_back({"energy_elastic_cohesion", "J", now.elastic.cohesion});
    row.push_back({"energy_elastic_tangential", "J", now.elastic.tangential});
    row.push_back({"energy_dissipated_normal", "J", now.dissipated.normalDamping});
    row.push_back({"energy_dissipated_tangential", "J", now.dissipated.tangentialDamping});
    row.push_back({"energy_dissipated_sliding", "J", now.dissipated.sliding});
    row.push_back({"energy_dissipated_rolling", "J", now.dissipated.rolling});
    row.push_back({"energy_dissipated_cohesion", "J", now.dissipated.cohesion});
    row.push_back({"energy_dissipated_plastic", "J", now.dissipated.plastic});
    if (joints) {
        row.push_back({"energy_joint_springs", "J", now.springs});
        row.push_back({"energy_dissipated_joints", "J", now.jointLoss});
    }
    row.push_back({"energy_wall_work", "J", now.wallWork});
    row.push_back({"energy_inserted", "J", now.inserted});
    if (!now.closes) return;
    const double scale = std::max(memory.largestTurnover, turnover(memory.initialEnergy, now));
    const double error = closure(memory.initialEnergy, now, lead);
    row.push_back({"energy_error", "", scale > 0 ? error / scale : 0.0});
}

void addRegion(Columns& row, const WorldState& world, const std::vector<ContactSample>& samples,
               const ContactCounts& counts, const MeasureBox& region) {
    const auto add = [&](const char* quantity, const char* unit, double value) {
        row.push_back({fmt::format("{}_{}", quantity, region.name), unit, value});
    };
    const Packing packing = measurePacking(world, region);
    add("packing", "", packing.fraction());
    add("void_ratio", "", packing.voidRatio());
    add("coordination", "", averageCoordination(world, counts, region).mean());

    const std::optional<int> planar = planarAxis(world);
    const Mat3 stress = symmetricPart(measureStress(world, samples, region));
    add("pressure", "Pa", pressureOf(stress, planar));
    add("deviator", "Pa", deviatorOf(stress, planar));
    add("stress_xx", "Pa", stress(0, 0));
    add("stress_yy", "Pa", stress(1, 1));
    add("stress_zz", "Pa", stress(2, 2));
    add("stress_xy", "Pa", stress(0, 1));
    add("stress_yz", "Pa", stress(1, 2));
    add("stress_xz", "Pa", stress(0, 2));
}

void addVector(Columns& row, const char* quantity, const std::string& name, const char* unit, const Vec3& value) {
    for (int axis = 0; axis < 3; ++axis) {
        row.push_back({fmt::format("{}_{}_{}", quantity, "xyz"[axis], name), unit, value[axis]});
    }
}

void addLoads(Columns& row, const WorldState& world, const std::vector<ContactSample>& samples,
              const SeriesSettings& settings, const SeriesMemory& memory) {
    if (settings.loadGroups.empty()) return;
    const std::vector<std::uint16_t>& moving = settings.movingGroups;
    std::size_t place = 0;
    for (const GroupLoad& load : sumLoads(measureBodyLoads(world, samples), settings.loadGroups)) {
        const std::string& name = world.groupNames[load.group];
        const Vec3& start = memory.groupStart[place++];
        addVector(row, "force", name, "N", load.force);
        addVector(row, "torque", name, "N m", load.torque);
        if (!load.moves && !std::binary_search(moving.begin(), moving.end(), load.group)) continue;
        addVector(row, "position", name, "m", load.position);
        addVector(row, "velocity", name, "m/s", load.velocity);
        addVector(row, "displacement", name, "m", load.bodies > 0 ? load.position - start : Vec3{});
    }
    for (const StressGroup& group : settings.stressGroups) {
        const std::string& name = world.groupNames[group.group];
        row.push_back({"stress_" + name, "Pa", measureWallStress(world, samples, group)});
        if (group.area != 0) continue;
        row.push_back({"radius_" + name, "m", meanDrumRadius(world, group.group)});
        row.push_back({"volume_" + name, "m^3", measureVolume(world, group.group)});
        const std::vector<RingState> rings = measureRings(world, samples, group);
        for (std::size_t k = 0; k < rings.size(); ++k) {
            row.push_back({fmt::format("stress_{}_{}", name, k + 1), "Pa", rings[k].stress});
            row.push_back({fmt::format("radius_{}_{}", name, k + 1), "m", rings[k].radius});
        }
    }
}

void addCoordinate(Columns& row, const Joint& joint, bool turning, const JointCoordinates& c, const Vec3& forces) {
    const auto add = [&](const char* quantity, const char* unit, double value) {
        row.push_back({fmt::format("{}_{}_{}", turning ? "turn" : "slide", quantity, joint.name), unit, value});
    };
    row.push_back({fmt::format("{}_{}", turning ? "turn" : "slide", joint.name), turning ? "rad" : "m",
                   turning ? c.turn : c.slide});
    add("speed", turning ? "rad/s" : "m/s", turning ? c.turnSpeed : c.slideSpeed);
    const char* unit = turning ? "N m" : "N";
    const CoordinateLaw& law = turning ? joint.turn : joint.slide;
    if (law.drive != DriveKind::none) add("drive", unit, forces.z);
    if (law.hasSpring()) add("spring", unit, forces.y);
    if (std::isfinite(law.lower) || std::isfinite(law.upper)) add("stop", unit, forces.x);
}

void addJoints(Columns& row, const WorldState& world) {
    const Joints& joints = world.joints;
    std::vector<JointIndices> indices;
    findJointBodies(world, indices);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const Joint& joint = joints.list[j];
        const JointCoordinates c = coordinatesOf(world, j, indices[j]);
        addVector(row, "joint_force", joint.name, "N", joints.force[j]);
        addVector(row, "joint_torque", joint.name, "N m", joints.torque[j]);
        if (canSlide(joint)) addCoordinate(row, joint, false, c, joints.slideForce[j]);
        if (canTurn(joint)) addCoordinate(row, joint, true, c, joints.turnCouple[j]);
    }
}

void addFlow(Columns& row, const std::vector<FlowPlane>& planes, const std::vector<FlowMeter>& meters) {
    for (std::size_t k = 0; k < planes.size(); ++k) {
        row.push_back({fmt::format("mass_through_{}", planes[k].name), "kg", meters[k].mass()});
        row.push_back({fmt::format("grains_through_{}", planes[k].name), "", static_cast<double>(meters[k].grains())});
    }
}

void checkFits(const WorldState& world, const SeriesSettings& settings, const SeriesState& state) {
    if (state.meters.size() != settings.planes.size()) {
        throw InputError(fmt::format("saved measurements have {} flow meters, the scene has {} planes",
                                     state.meters.size(), settings.planes.size()));
    }
    if (state.groupStart.size() != settings.loadGroups.size()) {
        throw InputError("saved measurements have other groups of walls than the scene");
    }
    for (const FlowMeterState& meter : state.meters) {
        if (std::any_of(meter.id.begin(), meter.id.end(), [&](auto id) { return id >= world.nextId; })) {
            throw InputError("saved measurements name a grain that never existed");
        }
    }
}

}  // namespace

SeriesMemory startMeasuring(const WorldState& world, const std::vector<ContactSample>& samples,
                            const SeriesSettings& settings) {
    SeriesMemory memory{.initialEnergy = measureEnergy(world, samples)};
    for (const FlowPlane& plane : settings.planes) memory.meters.emplace_back(plane, world.domain);
    followFlow(world, memory);
    markStart(world, settings, memory);
    return memory;
}

void markStart(const WorldState& world, const SeriesSettings& settings, SeriesMemory& memory) {
    memory.groupStart.clear();
    for (const GroupLoad& load : sumLoads(measureBodyLoads(world, {}), settings.loadGroups)) {
        memory.groupStart.push_back(load.position);
    }
}

void followFlow(const WorldState& world, SeriesMemory& memory) {
    for (FlowMeter& meter : memory.meters) meter.update(world);
}

void followEnergy(const WorldState& world, const std::vector<ContactSample>& samples, const SeriesSettings& settings,
                  SeriesMemory& memory) {
    const EnergyBalance now = measureEnergy(world, samples);
    memory.largestTurnover = std::max(memory.largestTurnover, turnover(memory.initialEnergy, now));
    const double error = closure(memory.initialEnergy, now, settings.lead);
    memory.largestClosure = std::max(memory.largestClosure, std::abs(error));
}

double worstEnergyError(const SeriesMemory& memory) {
    return memory.largestTurnover > 0 ? memory.largestClosure / memory.largestTurnover : 0.0;
}

std::vector<SeriesValue> measureSeries(const WorldState& world, const std::vector<ContactSample>& samples,
                                       const SeriesSettings& settings, SeriesMemory& memory) {
    followFlow(world, memory);
    const ContactCounts counts = countContacts(world, samples);
    Columns row;
    addState(row, world, samples, counts);
    if (settings.energy) addEnergy(row, measureEnergy(world, samples), !world.joints.empty(), settings.lead, memory);
    for (const MeasureBox& region : settings.regions) {
        addRegion(row, world, samples, counts, betweenWalls(world, region));
    }
    addLoads(row, world, samples, settings, memory);
    addJoints(row, world);
    addFlow(row, settings.planes, memory.meters);
    return row;
}

SeriesState saveMemory(const SeriesMemory& memory) {
    SeriesState state{.initialEnergy = memory.initialEnergy,
                      .largestTurnover = memory.largestTurnover,
                      .largestClosure = memory.largestClosure,
                      .groupStart = memory.groupStart};
    for (const FlowMeter& meter : memory.meters) state.meters.push_back(meter.state());
    return state;
}

SeriesMemory restoreMemory(const WorldState& world, const SeriesSettings& settings, const SeriesState& state) {
    checkFits(world, settings, state);
    SeriesMemory memory{.initialEnergy = state.initialEnergy,
                        .largestTurnover = state.largestTurnover,
                        .largestClosure = state.largestClosure,
                        .groupStart = state.groupStart};
    for (std::size_t k = 0; k < settings.planes.size(); ++k) {
        memory.meters.emplace_back(settings.planes[k], world.domain, state.meters[k]);
    }
    return memory;
}

}  // namespace talus
