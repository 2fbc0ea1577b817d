#include "io/results/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>

#include "base/atomic_file.hpp"
#include "io/results/body_surfaces.hpp"
#include "io/results/frame_index.hpp"
#include "io/results/series.hpp"
#include "io/results/vtk_xml.hpp"
#include "io/results/wall_geometry.hpp"
#include "measure/packing.hpp"
#include "measure/stress.hpp"
#include "model/joint_geometry.hpp"

namespace talus {
namespace {

constexpr std::chrono::seconds betweenIndices{1};

// Takes what PolyDataFile takes, and keeps it as it would be read from that file.
class PartInMemory {
public:
    void setPoints(const std::vector<Vec3>& points) { part_.points = points; }
    void setPolygons(const std::vector<std::vector<Vec3>>& polygons) {
        for (const std::vector<Vec3>& polygon : polygons) {
            for (const Vec3& corner : polygon) {
                part_.corners.push_back(static_cast<std::uint32_t>(part_.points.size()));
                part_.points.push_back(corner);
            }
            part_.ends.push_back(static_cast<std::uint32_t>(part_.corners.size()));
        }
    }
    void setTriangles(const std::vector<Vec3>& points, const std::vector<std::array<std::uint32_t, 3>>& triangles) {
        part_.points = points;
        for (const auto& triangle : triangles) {
            part_.corners.insert(part_.corners.end(), triangle.begin(), triangle.end());
            part_.ends.push_back(static_cast<std::uint32_t>(part_.corners.size()));
        }
    }
    template <class T>
    void addPointArray(std::string_view name, const std::vector<T>& values) {
        constexpr auto components = static_cast<std::size_t>(VtkElement<T>::components);
        FrameArray& array = part_.arrays.emplace_back(std::string(name), components);
        array.values.reserve(components * values.size());
        for (const T& value : values) append(array.values, value);
    }
    template <class T>
    void addCellArray(std::string_view name, const std::vector<T>& values) {
        addPointArray(name, values);
    }
    FramePart part() && { return std::move(part_); }

private:
    // Vectors, quaternions and matrices are numbers in a row, as in the file.
    template <class T>
    static void append(std::vector<double>& list, const T& value) {
        if constexpr (std::is_arithmetic_v<T>) {
            list.push_back(static_cast<double>(value));
        } else {
            static_assert(sizeof(T) == sizeof(double) * static_cast<std::size_t>(VtkElement<T>::components));
            std::array<double, VtkElement<T>::components> numbers;
            std::memcpy(numbers.data(), &value, sizeof value);
            list.insert(list.end(), numbers.begin(), numbers.end());
        }
    }
    FramePart part_;
};

std::vector<std::uint32_t> grainsById(const Bodies& b) {
    std::vector<std::uint32_t> order(b.grainCount);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return b.id[i] < b.id[j]; });
    return order;
}

template <class T>
std::vector<T> inOrder(const std::vector<T>& values, const std::vector<std::uint32_t>& order) {
    std::vector<T> result(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) result[k] = values[order[k]];
    return result;
}

// Held grains, too, have a mass here, though their inverse mass is zero.
std::vector<double> grainMasses(const WorldState& w) {
    std::vector<double> masses(w.bodies.grainCount);
    for (std::size_t i = 0; i < masses.size(); ++i) {
        const double inverse = w.bodies.inverseMass[i], density = w.materials.list[w.bodies.material[i]].density;
        masses[i] =
            inverse > 0 ? 1 / inverse : density * massProperties(w.shapes[w.bodies.shape[i]], scaleOf(w, i)).volume;
    }
    return masses;
}

// 1 for grains that no force moves.
std::vector<std::uint16_t> areHeld(const Bodies& b) {
    std::vector<std::uint16_t> held(b.grainCount);
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = b.inverseMass[i] == 0 ? 1 : 0;
    return held;
}

template <class Part>
Part bodiesOf(const WorldState& w, const std::vector<ContactSample>& contacts) {
    const Bodies& b = w.bodies;
    const std::vector<std::uint32_t> order = grainsById(b);
    Part file;
    file.setPoints(inOrder(b.position, order));
    file.addPointArray("id", inOrder(b.id, order));
    file.addPointArray("radius", inOrder(b.radius, order));
    file.addPointArray("velocity", inOrder(b.velocity, order));
    file.addPointArray("spin", inOrder(b.spin, order));
    file.addPointArray("mass", inOrder(grainMasses(w), order));
    file.addPointArray("force", inOrder(b.force, order));
    file.addPointArray("group", inOrder(b.group, order));
    file.addPointArray("material", inOrder(b.material, order));
    file.addPointArray("stress", inOrder(particleStress(w, contacts), order));
    file.addPointArray("coordination", inOrder(countContacts(w, contacts).all, order));
    if (anySurface(w)) {
        file.addPointArray("shape", inOrder(b.shape, order));
        file.addPointArray("orientation", inOrder(b.orientation, order));
        file.addPointArray("held", inOrder(areHeld(b), order));
    }
    return file;
}

template <class Get>
auto column(const std::vector<ContactSample>& contacts, Get&& get) {
    std::vector<std::decay_t<decltype(get(contacts[0]))>> values;
    values.reserve(contacts.size());
    for (const ContactSample& contact : contacts) values.push_back(get(contact));
    return values;
}

template <class Part>
Part contactsOf(const Bodies& b, const std::vector<ContactSample>& contacts) {
    Part file;
    file.setPoints(column(contacts, [](const ContactSample& c) { return c.point; }));
    file.addPointArray("force", column(contacts, [](const ContactSample& c) { return c.force; }));
    file.addPointArray("normal", column(contacts, [](const ContactSample& c) { return c.normal; }));
    file.addPointArray("overlap", column(contacts, [](const ContactSample& c) { return c.overlap; }));
    file.addPointArray("normal_force", column(contacts, [](const ContactSample& c) { return c.normalForce; }));
    file.addPointArray("owner", column(contacts, [&](const ContactSample& c) { return b.id[c.owner]; }));
    file.addPointArray("partner", column(contacts, [&](const ContactSample& c) { return b.id[c.partner]; }));
    return file;
}

template <class Part>
Part wallsOf(const WorldState& w) {
    std::vector<std::vector<Vec3>> polygons;
    std::vector<std::uint32_t> ids;
    std::vector<std::uint16_t> groups, faces;
    for (WallPolygon& polygon : wallPolygons(w, boundsOfGrains(w))) {
        polygons.push_back(std::move(polygon.corners));
        ids.push_back(w.bodies.id[polygon.wall]);
        groups.push_back(w.bodies.group[polygon.wall]);
        faces.push_back(polygon.face);
    }
    Part file;
    file.setPolygons(polygons);
    file.addCellArray("id", ids);
    file.addCellArray("group", groups);
    file.addCellArray("face", faces);
    return file;
}

// One value per triangle from one per body.
template <class T>
std::vector<T> perTriangle(const BodySurfaces& surfaces, const std::vector<T>& values) {
    return inOrder(values, surfaces.body);
}

template <class Part>
Part shapesOf(const WorldState& w) {
    const BodySurfaces surfaces = bodySurfaces(w);
    Part file;
    file.setTriangles(surfaces.corners, surfaces.triangles);
    file.addCellArray("id", perTriangle(surfaces, w.bodies.id));
    file.addCellArray("group", perTriangle(surfaces, w.bodies.group));
    file.addCellArray("material", perTriangle(surfaces, w.bodies.material));
    file.addCellArray("velocity", perTriangle(surfaces, w.bodies.velocity));
    file.addCellArray("spin", perTriangle(surfaces, w.bodies.spin));
    return file;
}

template <class Part>
Part jointsOf(const WorldState& w) {
    const Joints& joints = w.joints;
    std::vector<Vec3> points, firstArms, secondArms, axes;
    std::vector<std::uint32_t> firsts, seconds;
    std::vector<std::uint16_t> kinds;
    const auto endAt = [&](std::uint32_t id) {
        return id == theWorld ? JointEnd{} : endOf(w.bodies, indexOf(w.bodies, id));
    };
    for (const Joint& joint : joints.list) {
        const JointEnd first = endAt(joint.first), second = endAt(joint.second);
        const JointPlace place = placeOf(joint, first, second, w.domain.period());
        points.push_back(first.position + place.firstArm);
        firstArms.push_back(place.firstArm);
        secondArms.push_back(place.secondArm);
        axes.push_back(place.axis);
        firsts.push_back(joint.first);
        seconds.push_back(joint.second);
        kinds.push_back(static_cast<std::uint16_t>(joint.kind));
    }
    Part file;
    file.setPoints(points);
    file.addPointArray("first", firsts);
    file.addPointArray("second", seconds);
    file.addPointArray("kind", kinds);
    file.addPointArray("axis", axes);
    file.addPointArray("first_arm", firstArms);
    file.addPointArray("second_arm", secondArms);
    file.addPointArray("force", joints.force);
    file.addPointArray("torque", joints.torque);
    return file;
}

std::string frameFile(std::string_view kind, std::size_t number) {
    return fmt::format("frames/{}_{:06}.vtp", kind, number);
}

std::string indexLine(double time, int part, std::string_view kind, std::size_t number) {
    return fmt::format("    <DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n", shortestNumber(time),
                       part, kind, frameFile(kind, number));
}

}  // namespace

Frame frameOf(const WorldState& world, const std::vector<ContactSample>& contacts) {
    Frame frame{.time = world.time};
    frame.bodies = bodiesOf<PartInMemory>(world, contacts).part();
    frame.contacts = contactsOf<PartInMemory>(world.bodies, contacts).part();
    if (world.bodies.wallCount() > 0) frame.walls = wallsOf<PartInMemory>(world).part();
    if (anySurface(world)) frame.shapes = shapesOf<PartInMemory>(world).part();
    if (!world.joints.empty()) frame.joints = jointsOf<PartInMemory>(world).part();
    return frame;
}

FrameNames frameNames(const WorldState& world) {
    FrameNames names{.groups = world.groupNames, .materials = {}};
    for (const Material& material : world.materials.list) names.materials.push_back(material.name);
    return names;
}

FrameWriter::FrameWriter(const std::filesystem::path& folder, std::optional<double> resumeTime) : folder_(folder) {
    makeFolder(folder / "frames");
    if (resumeTime) readIndex(*resumeTime);
    writeIndex();
}

void FrameWriter::readIndex(double resumeTime) {
    std::ifstream index(folder_ / "frames.pvd");
    for (const IndexLine& line : readFrameIndex(index)) {
        if (line.time > resumeTime) break;
        if (line.part == 0) entries_.push_back({.time = line.time});
        if (line.part == 2 && !entries_.empty()) entries_.back().walls = true;
        if (line.part == 3 && !entries_.empty()) entries_.back().shapes = true;
        if (line.part == 4 && !entries_.empty()) entries_.back().joints = true;
    }
}

void FrameWriter::writeIndex() {
    std::string index =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "  <Collection>\n";
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        index += indexLine(entries_[k].time, 0, "bodies", k);
        index += indexLine(entries_[k].time, 1, "contacts", k);
        if (entries_[k].walls) index += indexLine(entries_[k].time, 2, "walls", k);
        if (entries_[k].shapes) index += indexLine(entries_[k].time, 3, "shapes", k);
        if (entries_[k].joints) index += indexLine(entries_[k].time, 4, "joints", k);
    }
    writeFileAtomically(folder_ / "frames.pvd", index + "  </Collection>\n</VTKFile>\n");
    indexIsOld_ = false;
    indexWritten_ = Clock::now();
}

void FrameWriter::write(const WorldState& world, const std::vector<ContactSample>& contacts) {
    const std::size_t number = entries_.size() - (endsAt(world.time) ? 1 : 0);
    const bool walls = world.bodies.wallCount() > 0, shapes = anySurface(world), joints = !world.joints.empty();
    const auto fileOf = [&](std::string_view kind) {
        return unflushed_.emplace_back(folder_ / frameFile(kind, number));
    };
    bodiesOf<PolyDataFile>(world, contacts).write(fileOf("bodies"));
    contactsOf<PolyDataFile>(world.bodies, contacts).write(fileOf("contacts"));
    if (walls) wallsOf<PolyDataFile>(world).write(fileOf("walls"));
    if (shapes) shapesOf<PolyDataFile>(world).write(fileOf("shapes"));
    if (joints) jointsOf<PolyDataFile>(world).write(fileOf("joints"));
    entries_.resize(number);
    entries_.push_back({world.time, walls, shapes, joints});
    indexIsOld_ = true;
    if (Clock::now() - indexWritten_ >= betweenIndices) writeIndex();
}

void FrameWriter::flush() {
    flushFiles(unflushed_);
    unflushed_.clear();
    if (indexIsOld_) writeIndex();
}

}  // namespace talus
