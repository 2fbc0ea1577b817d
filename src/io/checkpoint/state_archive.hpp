// What a checkpoint holds, once: the list of named arrays and numbers behind writing and reading.
//
// visitState() calls archive.array(name, vector) and archive.number(name, value) for all of it. Archives: one that
// counts, one that writes, one that reads. What is fixed by the scene (shapes, materials, laws of
// motion, the regions of sources and sinks) is not here: it is built anew from the scene's text. Files that the text
// names may have changed by then, so there is a hash of each shape (geometry/shape_digest.hpp).
#pragma once

#include <array>
#include <vector>

#include "formats/foreign_hdf5.hpp"
#include "model/world.hpp"

namespace talus {

// How an element lies in a dataset row.
template <class T>
struct Element {
    static hid_t type();
    static constexpr std::uint64_t columns = 1;
};
template <>
inline hid_t Element<double>::type() {
    return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t Element<std::uint8_t>::type() {
    return H5T_NATIVE_UINT8;
}
template <>
inline hid_t Element<std::uint16_t>::type() {
    return H5T_NATIVE_UINT16;
}
template <>
inline hid_t Element<std::uint32_t>::type() {
    return H5T_NATIVE_UINT32;
}
template <>
inline hid_t Element<std::uint64_t>::type() {
    return H5T_NATIVE_UINT64;
}
template <class T, std::uint64_t Count>
struct RowOf {
    static_assert(sizeof(T) == Count * sizeof(double), "the element must be doubles without gaps");
    static hid_t type() { return H5T_NATIVE_DOUBLE; }
    static constexpr std::uint64_t columns = Count;
};
template <>
struct Element<Vec3> : RowOf<Vec3, 3> {};
template <>
struct Element<Quat> : RowOf<Quat, 4> {};
template <>
struct Element<TangentSpring> : RowOf<TangentSpring, 4> {};
template <>
struct Element<RollingSpring> : RowOf<RollingSpring, 3> {};
template <>
struct Element<ContactStretch> : RowOf<ContactStretch, 7> {};
template <>
struct Element<BrokenBond> {
    static_assert(sizeof(BrokenBond) == 3 * sizeof(std::uint32_t), "three numbers without gaps");
    static hid_t type() { return H5T_NATIVE_UINT32; }
    static constexpr std::uint64_t columns = 3;
};
template <>
struct Element<ShapePair> {
    static_assert(sizeof(ShapePair) == 4 * sizeof(std::uint32_t), "four numbers without gaps");
    static hid_t type() { return H5T_NATIVE_UINT32; }
    static constexpr std::uint64_t columns = 4;
};
template <>
struct Element<ContactPoint> {  // doubles and a number, as bits
    static_assert(sizeof(ContactPoint) == 9 * sizeof(std::uint64_t), "nine numbers without gaps");
    static hid_t type() { return H5T_NATIVE_UINT64; }
    static constexpr std::uint64_t columns = 9;
};
template <>
struct Element<DissipatedEnergy> : RowOf<DissipatedEnergy, 6> {};
template <>
struct Element<DashpotHeat> : RowOf<DashpotHeat, 2> {};

// Numbers of sources and sinks that change during a run, one entry per source or sink.
struct PopulationCounters {
    std::vector<std::uint64_t> made, drawn, refused;
    std::vector<double> offTime, offSince;  // s
    std::vector<std::uint64_t> removed;
    std::vector<double> removedMass;  // kg
};
PopulationCounters countersOf(const WorldState& world);
void restoreCounters(WorldState& world, const PopulationCounters& counters);

// Wall candidates as three arrays.
struct WallColumns {
    std::vector<std::uint32_t> grain;
    std::vector<std::uint16_t> wall, face;
};
WallColumns columnsOf(const std::vector<WallCandidate>& candidates);
std::vector<WallCandidate> candidatesOf(const WallColumns& columns);

// Motions as arrays; their laws are those of the scene.
struct MotionColumns {
    std::vector<std::uint16_t> law;  // in WorldState::motionLaws
    std::vector<Vec3> position;      // of the start
    std::vector<Quat> orientation;
    std::vector<double> startTime, way, speed, since, radius;
};

// Guides as arrays.
struct GuideColumns {
    std::vector<Vec3> linear, angular;
};

// Parts of the world that are no arrays there.
struct StateColumns {
    WallColumns candidates;
    MotionColumns motions;
    GuideColumns guides;
    std::vector<double> drumRadius;          // m, of each wall; 0 for others than drums
    std::vector<std::uint64_t> shapeDigest;  // of each of WorldState::shapes
};
StateColumns columnsOf(const WorldState& world);
// Puts them back. The laws and shapes are those of `scene`; empty, or what does not fit.
std::string restoreColumns(const StateColumns& columns, const WorldState& scene, WorldState& world);
// The drums of the world get their radii.
void restoreRadii(const StateColumns& columns, WorldState& world);

// The changing part of a world, as references to where it lives; made const by constness of the world.
template <class WorldType, class CountersType, class ColumnsType>
struct StateView {
    WorldType& world;
    CountersType& counters;
    ColumnsType& columns;
};
template <class WorldType, class CountersType, class ColumnsType>
StateView(WorldType&, CountersType&, ColumnsType&) -> StateView<WorldType, CountersType, ColumnsType>;

template <class Archive, class View>
void visitState(Archive& archive, View state) {
    auto& w = state.world;
    archive.number("time", w.time);
    archive.number("step", w.step);
    archive.number("nextId", w.nextId);
    archive.number("seed", w.seed);
    archive.number("epoch/time", w.epoch.time);
    archive.number("epoch/step", w.epoch.step);
    archive.number("grainCount", w.bodies.grainCount);
    archive.number("ledger/dissipated", w.ledger.dissipated);
    archive.number("ledger/ahead", w.ledger.ahead);
    archive.number("ledger/jointLoss", w.ledger.jointLoss);
    archive.number("ledger/wallWork", w.ledger.wallWork);
    archive.number("ledger/insertedEnergy", w.ledger.insertedEnergy);
    forEachArray(w.bodies, [&](const char* name, auto& array) { archive.array(std::string("bodies/") + name, array); });

    auto& c = w.contacts;
    archive.number("contacts/skin", c.skin);
    archive.number("contacts/impulseTime", c.impulseTime);
    archive.number("contacts/stale", c.stale);
    archive.number("contacts/rebuilds", c.rebuilds);
    archive.array("contacts/builtPosition", c.builtPosition);
    archive.array("contacts/builtWallOrientation", c.builtWallOrientation);
    archive.array("contacts/builtOrientation", c.builtOrientation);
    archive.array("contacts/wallReach", c.wallReach);
    archive.array("contacts/builtWallRadius", c.builtWallRadius);
    archive.array("contacts/grains/rowStart", c.grains.rowStart);
    archive.array("contacts/grains/partner", c.grains.partner);
    archive.array("contacts/grains/tangent", c.grains.tangent);
    archive.array("contacts/grains/rolling", c.grains.rolling);
    archive.array("contacts/grains/impulse", c.grains.impulse);
    archive.array("contacts/grains/stretch", c.grains.stretch);
    archive.array("contacts/walls/rowStart", c.walls.rowStart);
    archive.array("contacts/walls/grain", state.columns.candidates.grain);
    archive.array("contacts/walls/wall", state.columns.candidates.wall);
    archive.array("contacts/walls/face", state.columns.candidates.face);
    archive.array("contacts/walls/tangent", c.walls.tangent);
    archive.array("contacts/walls/rolling", c.walls.rolling);
    archive.array("contacts/walls/impulse", c.walls.impulse);
    archive.array("contacts/walls/stretch", c.walls.stretch);
    archive.array("contacts/shapes/pair", c.shapes.pair);
    archive.array("contacts/shapes/pointStart", c.shapes.pointStart);
    archive.array("contacts/shapes/point", c.shapes.point);
    archive.array("contacts/shapes/tangent", c.shapes.tangent);
    archive.array("contacts/shapes/rolling", c.shapes.rolling);
    archive.array("contacts/shapes/impulse", c.shapes.impulse);
    archive.array("contacts/shapes/stretch", c.shapes.stretch);
    archive.array("contacts/brokenBonds", c.brokenBonds);

    forEachJointArray(w.joints,
                      [&](const char* name, auto& array) { archive.array(std::string("joints/") + name, array); });

    auto& m = state.columns.motions;
    archive.array("motions/law", m.law);
    archive.array("motions/position", m.position);
    archive.array("motions/orientation", m.orientation);
    archive.array("motions/startTime", m.startTime);
    archive.array("motions/way", m.way);
    archive.array("motions/speed", m.speed);
    archive.array("motions/since", m.since);
    archive.array("motions/radius", m.radius);
    archive.array("guides/linear", state.columns.guides.linear);
    archive.array("guides/angular", state.columns.guides.angular);
    archive.array("walls/drumRadius", state.columns.drumRadius);
    archive.array("walls/facePush", w.facePush);
    archive.array("loads/start", w.loadStart);
    archive.array("shapes/digest", state.columns.shapeDigest);

    archive.array("sources/offTime", state.counters.offTime);
    archive.array("sources/offSince", state.counters.offSince);
    archive.array("sources/made", state.counters.made);
    archive.array("sources/drawn", state.counters.drawn);
    archive.array("sources/refused", state.counters.refused);
    archive.array("sinks/removed", state.counters.removed);
    archive.array("sinks/removedMass", state.counters.removedMass);
}

// Counts what a file will hold.
struct SizeCounter {
    std::uint64_t bytes = 0, datasets = 0;

    template <class T>
    void array(const std::string&, const std::vector<T>& values) {
        bytes += values.size() * sizeof(T);
        ++datasets;
    }
    template <class T>
    void number(const std::string&, const T& value) {
        bytes += sizeof value;
        ++datasets;
    }
};

struct DatasetWriter {
    Hdf5File& file;

    template <class T>
    void array(const std::string& name, const std::vector<T>& values) {
        file.writeDataset(name, Element<T>::type(), {values.size(), Element<T>::columns}, values.data());
    }
    template <class T>
    void number(const std::string& name, const T& value) {
        file.writeDataset(name, Element<T>::type(), {1, Element<T>::columns}, &value);
    }
    void number(const std::string& name, bool value) { number(name, std::uint8_t{value}); }
};

struct DatasetReader {
    const ForeignHdf5& file;

    template <class T>
    void array(const std::string& name, std::vector<T>& values) {
        values.resize(file.rowsOf(name, Element<T>::type(), Element<T>::columns));
        if (!values.empty()) file.readDataset(name, Element<T>::type(), std::as_writable_bytes(std::span(values)));
    }
    template <class T>
    void number(const std::string& name, T& value) {
        if (file.rowsOf(name, Element<T>::type(), Element<T>::columns) != 1)
            throw Hdf5Error(name + " is not one value");
        file.readDataset(name, Element<T>::type(), std::as_writable_bytes(std::span(&value, 1)));
    }
    void number(const std::string& name, bool& value) {
        std::uint8_t byte = 0;
        number(name, byte);
        if (byte > 1) throw Hdf5Error(name + " is neither true nor false");
        value = byte == 1;
    }
};

}  // namespace talus
