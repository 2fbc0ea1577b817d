// Worlds, what makes and changes them, and the memory of their arrays.
#include "talus/world.hpp"

#include <cstddef>
#include <cstring>
#include <variant>

#include "bindings.hpp"
#include "talus/error.hpp"
#include "talus/measure.hpp"
#include "talus/settings_text.hpp"
#include "talus/state_memory.hpp"

namespace talus::python {
namespace {

using Ids = std::vector<BodyId>;

Array<std::uint32_t> arrayOfIds(Ids ids) {
    const std::size_t count = ids.size();
    return arrayOf<BodyId, std::uint32_t>(std::move(ids), {count});
}

// --- making bodies -------------------------------------------------------------------------------------------------

BodyOptions optionsOf(const BodySettings& body, MaterialId material) {
    return {.material = material,
            .group = body.group.value_or(""),
            .fixed = body.fixed.value_or(false),
            .motion = body.motion,
            .load = body.force,
            .free = body.free,
            .name = body.name.value_or("")};
}

WallOptions wallOptionsOf(const BodySettings& body, MaterialId material) {
    return {.material = material,
            .group = body.group.value_or(""),
            .motion = body.motion,
            .load = body.force,
            .free = body.free,
            .name = body.name.value_or("")};
}

GrainOptions grainOptionsOf(const BodySettings& body, MaterialId material) {
    GrainOptions options{.material = material};
    if (body.group) options.group = *body.group;
    options.fixed = body.fixed.value_or(false);
    options.motion = body.motion;
    options.load = body.force;
    return options;
}

// One overload per kind of body that an entry of a scene can be.
struct Adder {
    World& world;
    const BodySettings& body;
    MaterialId material;

    Ids operator()(const SphereBody& sphere) const {
        BodyOptions options = optionsOf(body, material);
        options.position = sphere.position;
        options.velocity = sphere.velocity;
        options.spin = sphere.spin;
        return {world.addBody(Sphere{sphere.radius}, options)};
    }
    template <class Form>
    Ids operator()(const SolidBody<Form>& solid) const {
        BodyOptions options = optionsOf(body, material);
        options.position = solid.position;
        options.velocity = solid.velocity;
        options.spin = solid.spin;
        if (solid.rotation) options.orientation = rotationBy(*solid.rotation);
        if (solid.orientation) {
            const auto& [w, x, y, z] = *solid.orientation;
            options.orientation = {w, x, y, z};
        }
        return {world.addBody(solid.form, options)};
    }
    Ids operator()(const Plane& wall) const { return {world.addWall(wall, wallOptionsOf(body, material))}; }
    Ids operator()(const Container& wall) const { return {world.addWall(wall, wallOptionsOf(body, material))}; }
    Ids operator()(const Drum& wall) const { return {world.addWall(wall, wallOptionsOf(body, material))}; }
    Ids operator()(const Sleeve& sleeve) const { return world.addSleeve(sleeve, wallOptionsOf(body, material)); }
    Ids operator()(const LatticeBodies& many) const { return world.addLattice(many, grainOptionsOf(body, material)); }
    Ids operator()(const PyramidBodies& many) const { return world.addPyramid(many, grainOptionsOf(body, material)); }
    Ids operator()(const RandomBodies& many) const { return world.fill(many, grainOptionsOf(body, material)); }
    Ids operator()(const CsvBodies&) const {
        throw InputError("add: tables are for scenes; read the table and call add_spheres() or add_body()");
    }
};

Array<std::uint32_t> add(World& world, const std::string& text, const std::string& call, std::uint16_t material) {
    const BodySettings body = parseSettings<BodySettings>(text, call);
    return arrayOfIds(std::visit(Adder{world, body, {material}}, body.kind));
}

Array<std::uint32_t> addSpheres(World& world, const Rows& positions,
                                const nb::ndarray<const double, nb::ndim<1>, nb::c_contig>& radii,
                                const Rows& velocities, const std::string& group, std::uint16_t material) {
    const std::vector<Vec3> places = vectorsOf(positions), speeds = vectorsOf(velocities);
    BodyOptions options{.material = {material}, .group = group};
    Ids ids;
    ids.reserve(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        options.position = places[i];
        options.velocity = speeds[i];
        ids.push_back(world.addBody(Sphere{radii(i)}, options));
    }
    return arrayOfIds(std::move(ids));
}

std::uint32_t addJoint(World& world, std::uint32_t first, std::uint32_t second, const std::string& text) {
    return world.addJoint({first}, {second}, parseSettings<JointSettings>(text, "add_joint")).value;
}

void addSource(World& world, const std::string& text, std::uint16_t material) {
    const SourceSettings source = parseSettings<SourceSettings>(text, "add_source");
    GrainOptions options{.material = {material}};
    if (source.group) options.group = *source.group;
    world.addSource(source, options);
}

template <class Law>
std::optional<Law> lawOf(const std::optional<std::string>& text, const char* call) {
    if (!text) return std::nullopt;
    return parseSettings<Law>(*text, call);
}

// --- memory --------------------------------------------------------------------------------------------------------

// What an array of Python lies in: the memory of an array of the world, or what takeMemory() gave once the world has
// gone on elsewhere. The address is the same all the time. numpy sees it as a buffer that cannot be written.
struct Lease {
    nb::object world, owner;  // the World; who lends it, in Python's words
    StateArray array = {};
    std::size_t count = 0;  // bodies
    void* address = nullptr;
    std::size_t bytes = 0;
    bool stale = false;  // bodies came or went since
    std::shared_ptr<void> kept = {};

    void take() {
        if (!kept) kept = takeMemory(nb::cast<World&>(world), array);
    }
    // False if the world has other bodies now: what was seen then stays as it is.
    bool give() {
        if (!kept) return true;
        if (!giveMemory(nb::cast<World&>(world), array, kept)) return false;
        kept.reset();
        return true;
    }
};

// The present memory of an array. Only one lease of each may be taken and given back.
Lease lend(const nb::object& self, int number, const nb::object& owner) {
    const World& world = nb::cast<const World&>(self);
    const auto array = static_cast<StateArray>(number);
    Lease lease{.world = self, .owner = owner, .array = array, .count = world.bodyCount()};
    if (array == StateArray::id) {
        lease.address = const_cast<std::uint32_t*>(world.ids().data());
        lease.bytes = world.ids().size_bytes();
    } else {
        lease.address = const_cast<double*>(numbersOf(world, array).data());
        lease.bytes = numbersOf(world, array).size_bytes();
    }
    return lease;
}

int showMemory(PyObject* self, Py_buffer* buffer, int flags) {
    static char nothing = 0;  // an empty world has no memory, but buffers have an address
    const Lease& lease = *nb::inst_ptr<Lease>(self);
    void* address = lease.address == nullptr ? &nothing : lease.address;
    return PyBuffer_FillInfo(buffer, self, address, static_cast<Py_ssize_t>(lease.bytes), 1, flags);
}

void bindMemory(nb::module_& m) {
    nb::dict numbers;  // of the arrays
    for (const auto& [name, array] :
         std::initializer_list<std::pair<const char*, StateArray>>{{"position", StateArray::position},
                                                                   {"orientation", StateArray::orientation},
                                                                   {"velocity", StateArray::velocity},
                                                                   {"spin", StateArray::spin},
                                                                   {"force", StateArray::force},
                                                                   {"torque", StateArray::torque},
                                                                   {"radius", StateArray::radius},
                                                                   {"inverse_mass", StateArray::inverseMass},
                                                                   {"id", StateArray::id}}) {
        numbers[name] = static_cast<int>(array);
    }
    m.attr("state_arrays") = numbers;
    PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(showMemory)}, {0, nullptr}};
    nb::class_<Lease>(m, "Lease", nb::is_weak_referenceable(), nb::type_slots(slots))
        .def_ro("owner", &Lease::owner)
        .def_ro("count", &Lease::count)
        .def_prop_ro("address", [](const Lease& lease) { return reinterpret_cast<std::uintptr_t>(lease.address); })
        .def_ro("bytes", &Lease::bytes)
        .def_rw("stale", &Lease::stale)
        .def("take", &Lease::take)
        .def("give", &Lease::give);
}

void assignNumbers(World& world, int array, const nb::ndarray<const double, nb::c_contig>& numbers) {
    assign(world, static_cast<StateArray>(array), {numbers.data(), numbers.size()});
}

// --- reading -------------------------------------------------------------------------------------------------------

// Raw bytes and where each quantity is in an item: numpy makes a structured array of them.
nb::tuple contactsOf(const World& world) {
    std::vector<Contact> contacts = world.contacts();
    const std::size_t bytes = contacts.size() * sizeof(Contact);
    nb::dict offsets;
    offsets["bodies"] = offsetof(Contact, first);
    offsets["point"] = offsetof(Contact, point);
    offsets["normal"] = offsetof(Contact, normal);
    offsets["force"] = offsetof(Contact, force);
    offsets["slip"] = offsetof(Contact, slip);
    offsets["gap"] = offsetof(Contact, gap);
    return nb::make_tuple(arrayOf<Contact, std::uint8_t>(std::move(contacts), {bytes}), offsets, sizeof(Contact));
}

nb::dict jointOf(const World& world, std::uint32_t joint) {
    const JointState state = world.joint({joint});
    nb::dict d;
    d["slide"] = state.slide;
    d["turn"] = state.turn;
    d["slide_speed"] = state.slideSpeed;
    d["turn_speed"] = state.turnSpeed;
    d["force"] = tripleOf(state.force);
    d["torque"] = tripleOf(state.torque);
    return d;
}

nb::dict energyAsDict(const World& world) {
    const EnergyState e = energyOf(world);
    nb::dict d;
    d["kinetic"] = e.kinetic;
    d["potential"] = e.potential;
    d["elastic"] = e.elastic;
    d["dissipated"] = e.dissipated;
    d["wall_work"] = e.wallWork;
    d["inserted"] = e.inserted;
    d["elastic_normal"] = e.elasticNormal;
    d["elastic_cohesion"] = e.elasticCohesion;
    d["elastic_tangential"] = e.elasticTangential;
    d["dissipated_sliding"] = e.dissipatedSliding;
    return d;
}

void bindMeasures(nb::module_& m) {
    m.def("energy_of", energyAsDict);
    m.def("stress_in", [](const World& w, const Triple& low, const Triple& high) {
        return stressIn(w, {vectorOf(low), vectorOf(high)}).m;
    });
    m.def("fabric_of", [](const World& w) {
        const FabricState fabric = fabricOf(w);
        return std::tuple(fabric.tensor.m, fabric.contacts, fabric.anisotropy);
    });
    m.def("measure_column", measureColumn);
    m.def("draw_picture",
          [](const World& w, const std::string& file, int width, int height, double azimuth, double elevation) {
              drawPicture(w, file, {.width = width, .height = height, .azimuth = azimuth, .elevation = elevation});
          });
    nb::class_<ResultWriter>(m, "ResultWriter")
        .def(nb::init<const std::filesystem::path&>())
        .def("write_frame", &ResultWriter::writeFrame)
        .def("write_row", &ResultWriter::writeRow);
}

}  // namespace

void bindWorld(nb::module_& m) {
    bindMemory(m);
    nb::class_<Snapshot>(m, "Snapshot").def_prop_ro("time", &Snapshot::time);
    m.attr("the_world") = theWorldItself.value;

    nb::class_<World>(m, "World")
        .def("__init__",
             [](World* self, const std::string& text, const std::string& folder) {
                 WorldSettings settings = parseSettings<WorldSettings>(text, "World");
                 settings.folder = folder;
                 new (self) World(settings);
             })
        .def("add_material",
             [](World& w, const std::string& text) {
                 return w.addMaterial(parseSettings<MaterialProperties>(text, "add_material")).value;
             })
        .def("set_material",
             [](World& w, std::uint16_t id, const std::string& text) {
                 w.setMaterial({id}, parseSettings<MaterialProperties>(text, "set_material"));
             })
        .def("set_pair",
             [](World& w, std::uint16_t a, std::uint16_t b, const std::string& text) {
                 w.setPair({a}, {b}, parseSettings<ContactOverrides>(text, "set_pair"));
             })
        .def("add", add)
        .def("add_spheres", addSpheres)
        .def("add_joint", addJoint)
        .def("add_source", addSource)
        .def("add_sink",
             [](World& w, const std::string& text) { w.addSink(parseSettings<SinkSettings>(text, "add_sink")); })
        .def("remove", [](World& w, std::uint32_t id) { w.remove({id}); })
        .def("remove_group", &World::removeGroup)
        .def("set_gravity", [](World& w, const Triple& g) { w.setGravity(vectorOf(g)); })
        .def("set_position", [](World& w, std::uint32_t id, const Triple& v) { w.setPosition({id}, vectorOf(v)); })
        .def("set_orientation",
             [](World& w, std::uint32_t id, const Four& q) {
                 w.setOrientation({id}, {q[0], q[1], q[2], q[3]});
             })
        .def("set_velocity", [](World& w, std::uint32_t id, const Triple& v) { w.setVelocity({id}, vectorOf(v)); })
        .def("set_spin", [](World& w, std::uint32_t id, const Triple& v) { w.setSpin({id}, vectorOf(v)); })
        .def(
            "set_motion",
            [](World& w, std::uint32_t id, const std::optional<std::string>& text) {
                w.setMotion({id}, lawOf<MotionLaw>(text, "set_motion"));
            },
            nb::arg("id"), nb::arg("text").none())
        .def(
            "set_load",
            [](World& w, std::uint32_t id, const std::optional<std::string>& text) {
                w.setLoad({id}, lawOf<ForceLaw>(text, "set_load"));
            },
            nb::arg("id"), nb::arg("text").none())
        .def("release", [](World& w, std::uint32_t id) { w.release({id}); })
        .def("set_motor_target", [](World& w, std::uint32_t joint, double x) { w.setMotorTarget({joint}, x); })
        .def("lend", lend)
        .def("assign", assignNumbers)
        .def("contains", [](const World& w, std::uint32_t id) { return w.contains({id}); })
        .def("rows_of",
             [](const World& w, const std::vector<std::uint32_t>& ids) {
                 std::vector<std::int64_t> rows;
                 rows.reserve(ids.size());
                 for (const std::uint32_t id : ids) rows.push_back(static_cast<std::int64_t>(w.indexOf({id})));
                 const std::size_t count = rows.size();
                 return arrayOf(std::move(rows), {count});
             })
        .def("row_of", [](const World& w, std::uint32_t id) { return w.indexOf({id}); })
        .def("find",
             [](const World& w, const std::string& name) -> std::optional<std::uint32_t> {
                 if (const auto id = w.find(name)) return id->value;
                 return std::nullopt;
             })
        .def("group", [](const World& w, const std::string& name) { return arrayOfIds(w.group(name)); })
        .def("group_of", [](const World& w, std::uint32_t id) { return w.groupOf({id}); })
        .def("groups",
             [](const World& w) {
                 std::vector<std::string> groups;
                 groups.reserve(w.bodyCount());
                 for (const std::uint32_t id : w.ids()) groups.push_back(w.groupOf({id}));
                 return groups;
             })
        .def("position_of", [](const World& w, std::uint32_t id) { return tripleOf(w.position({id})); })
        .def("orientation_of",
             [](const World& w, std::uint32_t id) {
                 const Quat& q = w.orientation({id});
                 return Four{q.w, q.x, q.y, q.z};
             })
        .def("velocity_of", [](const World& w, std::uint32_t id) { return tripleOf(w.velocity({id})); })
        .def("spin_of", [](const World& w, std::uint32_t id) { return tripleOf(w.spin({id})); })
        .def("force_of", [](const World& w, std::uint32_t id) { return tripleOf(w.force({id})); })
        .def("torque_of", [](const World& w, std::uint32_t id) { return tripleOf(w.torque({id})); })
        .def("mass_of", [](const World& w, std::uint32_t id) { return w.mass({id}); })
        .def("contacts", contactsOf)
        .def("joint", jointOf)
        .def_prop_ro("body_count", &World::bodyCount)
        .def_prop_ro("grain_count", &World::grainCount)
        .def_prop_ro("bodies_made", &World::bodiesMade)
        .def_prop_ro("material_names", &World::materialNames)
        .def_prop_ro("time", &World::time)
        .def_prop_ro("step_count", &World::stepCount)
        .def_prop_ro("state_hash", &World::stateHash)
        .def("snapshot", &World::snapshot)
        .def("restore", &World::restore)
        .def("save", &World::save)
        .def("load", &World::load);
    bindMeasures(m);
}

}  // namespace talus::python
