#include "io/results/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "base/atomic_file.hpp"
#include "io/results/body_surfaces.hpp"
#include "io/results/frame_index.hpp"
#include "io/results/series.hpp"
#include "io/results/vtk_reader.hpp"
#include "io/results/vtk_xml.hpp"
#include "io/results/wall_geometry.hpp"
#include "measure/packing.hpp"
#include "measure/stress.hpp"

namespace talus {
namespace {

constexpr std::chrono::seconds betweenIndices{1};

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

PolyDataFile bodiesOf(const WorldState& w, const std::vector<ContactSample>& contacts) {
    const Bodies& b = w.bodies;
    const std::vector<std::uint32_t> order = grainsById(b);
    PolyDataFile file;
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

PolyDataFile contactsOf(const Bodies& b, const std::vector<ContactSample>& contacts) {
    PolyDataFile file;
    file.setPoints(column(contacts, [](const ContactSample& c) { return c.point; }));
    file.addPointArray("force", column(contacts, [](const ContactSample& c) { return c.force; }));
    file.addPointArray("normal", column(contacts, [](const ContactSample& c) { return c.normal; }));
    file.addPointArray("overlap", column(contacts, [](const ContactSample& c) { return c.overlap; }));
    file.addPointArray("normal_force", column(contacts, [](const ContactSample& c) { return c.normalForce; }));
    file.addPointArray("owner", column(contacts, [&](const ContactSample& c) { return b.id[c.owner]; }));
    file.addPointArray("partner", column(contacts, [&](const ContactSample& c) { return b.id[c.partner]; }));
    return file;
}

PolyDataFile wallsOf(const WorldState& w) {
    std::vector<std::vector<Vec3>> polygons;
    std::vector<std::uint32_t> ids;
    std::vector<std::uint16_t> groups, faces;
    for (WallPolygon& polygon : wallPolygons(w, boundsOfGrains(w))) {
        polygons.push_back(std::move(polygon.corners));
        ids.push_back(w.bodies.id[polygon.wall]);
        groups.push_back(w.bodies.group[polygon.wall]);
        faces.push_back(polygon.face);
    }
    PolyDataFile file;
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

PolyDataFile shapesOf(const WorldState& w) {
    const BodySurfaces surfaces = bodySurfaces(w);
    PolyDataFile file;
    file.setTriangles(surfaces.corners, surfaces.triangles);
    file.addCellArray("id", perTriangle(surfaces, w.bodies.id));
    file.addCellArray("group", perTriangle(surfaces, w.bodies.group));
    file.addCellArray("material", perTriangle(surfaces, w.bodies.material));
    file.addCellArray("velocity", perTriangle(surfaces, w.bodies.velocity));
    file.addCellArray("spin", perTriangle(surfaces, w.bodies.spin));
    return file;
}

std::string frameFile(std::string_view kind, std::size_t number) {
    return fmt::format("frames/{}_{:06}.vtp", kind, number);
}

std::string indexLine(double time, int part, std::string_view kind, std::size_t number) {
    return fmt::format("    <DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n", shortestNumber(time),
                       part, kind, frameFile(kind, number));
}

FramePart readBack(const PolyDataFile& file) { return parsePolyData(file.bytes(), "a frame in memory"); }

}  // namespace

Frame frameOf(const WorldState& world, const std::vector<ContactSample>& contacts) {
    Frame frame{.time = world.time};
    frame.bodies = readBack(bodiesOf(world, contacts));
    frame.contacts = readBack(contactsOf(world.bodies, contacts));
    if (world.bodies.wallCount() > 0) frame.walls = readBack(wallsOf(world));
    if (anySurface(world)) frame.shapes = readBack(shapesOf(world));
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
    }
    writeFileAtomically(folder_ / "frames.pvd", index + "  </Collection>\n</VTKFile>\n");
    indexIsOld_ = false;
    indexWritten_ = Clock::now();
}

void FrameWriter::write(const WorldState& world, const std::vector<ContactSample>& contacts) {
    const std::size_t number = entries_.size() - (endsAt(world.time) ? 1 : 0);
    const bool walls = world.bodies.wallCount() > 0, shapes = anySurface(world);
    const auto fileOf = [&](std::string_view kind) {
        return unflushed_.emplace_back(folder_ / frameFile(kind, number));
    };
    bodiesOf(world, contacts).write(fileOf("bodies"));
    contactsOf(world.bodies, contacts).write(fileOf("contacts"));
    if (walls) wallsOf(world).write(fileOf("walls"));
    if (shapes) shapesOf(world).write(fileOf("shapes"));
    entries_.resize(number);
    entries_.push_back({world.time, walls, shapes});
    indexIsOld_ = true;
    if (Clock::now() - indexWritten_ >= betweenIndices) writeIndex();
}

void FrameWriter::flush() {
    flushFiles(unflushed_);
    unflushed_.clear();
    if (indexIsOld_) writeIndex();
}

}  // namespace talus
