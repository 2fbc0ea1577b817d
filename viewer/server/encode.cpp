#include "viewer/server/encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "talus/error.hpp"

namespace talus::view {
namespace {

using nlohmann::json;

Vec3 vectorAt(const FrameArray& array, std::size_t k) {
    return {array.values[3 * k], array.values[3 * k + 1], array.values[3 * k + 2]};
}

double scalarAt(const FramePart& part, std::string_view name, std::size_t k) {
    const FrameArray* array = part.find(name);
    return array == nullptr ? 0 : array->values[k];
}

class Arrays {
public:
    explicit Arrays(double time, const Vec3& origin)
        : head_({{"time", time}, {"origin", {origin.x, origin.y, origin.z}}, {"arrays", json::object()}}) {}

    template <class T>
    void add(const char* name, std::size_t components, const std::vector<T>& values) {
        const char* type = std::is_same_v<T, float> ? "f32" : "u32";
        head_["arrays"][name] = {{"type", type},
                                 {"components", components},
                                 {"count", values.size() / components},
                                 {"offset", data_.size()}};
        static_assert(sizeof(T) == 4);
        data_.append(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    }
    json& head() { return head_; }

    std::string bytes() const {
        std::string head = head_.dump();
        head.resize((head.size() + 3) / 4 * 4, ' ');
        const auto length = static_cast<std::uint32_t>(head.size());
        std::string all = "TLF1";
        all.append(reinterpret_cast<const char*>(&length), sizeof length);
        return all + head + data_;
    }

private:
    json head_;
    std::string data_;
};

void append(std::vector<float>& list, const Vec3& v) {
    for (const double x : {v.x, v.y, v.z}) list.push_back(static_cast<float>(x));
}

// The middle of all points that are finite.
Vec3 middleOf(const Frame& frame) {
    Vec3 low{1e300, 1e300, 1e300}, high = -low;
    for (const FramePart* part : {&frame.bodies, &frame.walls}) {
        for (const Vec3& p : part->points) {
            for (int axis = 0; axis < 3; ++axis) {
                if (!std::isfinite(p[axis])) continue;
                low[axis] = std::min(low[axis], p[axis]);
                high[axis] = std::max(high[axis], p[axis]);
            }
        }
    }
    return low.x <= high.x ? 0.5 * (low + high) : Vec3{};
}

void addPoints(Arrays& arrays, const char* name, const std::vector<Vec3>& points, const Vec3& origin) {
    std::vector<float> values;
    values.reserve(3 * points.size());
    for (const Vec3& p : points) append(values, p - origin);
    arrays.add(name, 3, values);
}

void addBodies(Arrays& arrays, const FramePart& bodies, const Vec3& origin, const Wanted& wanted, std::size_t stride) {
    const FrameArray* radius = bodies.find("radius");
    const FrameArray* shape = bodies.find("shape");
    const FrameArray* held = bodies.find("held");
    const FrameArray* velocity = wanted.velocity ? bodies.find("velocity") : nullptr;
    const std::vector<double> field = fieldValues(bodies, wanted.field);
    std::vector<float> spheres, values, velocities;
    for (std::size_t k = 0; k < bodies.points.size(); k += stride) {
        const bool isSphere = radius != nullptr && (shape == nullptr || shape->values[k] == 0);
        append(spheres, bodies.points[k] - origin);
        spheres.push_back(isSphere ? static_cast<float>(radius->values[k]) : 0.0f);
        const bool isWall = !isSphere && held != nullptr && held->values[k] != 0;
        values.push_back(isWall ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(field[k]));
        if (velocity != nullptr) append(velocities, vectorAt(*velocity, k));
    }
    arrays.add("spheres", 4, spheres);
    arrays.add("value", 1, values);
    if (velocity != nullptr) arrays.add("velocity", 3, velocities);
}

std::unordered_map<std::uint32_t, std::size_t> indicesOf(const FramePart& bodies) {
    std::unordered_map<std::uint32_t, std::size_t> indices;
    const FrameArray* id = bodies.find("id");
    for (std::size_t k = 0; id != nullptr && k < id->values.size(); ++k)
        indices.emplace(static_cast<std::uint32_t>(id->values[k]), k);
    return indices;
}

// From the centre of a body to the contact; none from walls, nor across a periodic domain.
Vec3 endOfBranch(const Frame& frame, const std::unordered_map<std::uint32_t, std::size_t>& indices, double id,
                 const Vec3& point) {
    const auto found = indices.find(static_cast<std::uint32_t>(id));
    if (found == indices.end()) return point;
    const Vec3& centre = frame.bodies.points[found->second];
    const double reach = 1.1 * scalarAt(frame.bodies, "radius", found->second);
    return norm(point - centre) <= reach ? centre : point;
}

void addContacts(Arrays& arrays, const Frame& frame, const Vec3& origin) {
    const FramePart& contacts = frame.contacts;
    const FrameArray *owner = contacts.find("owner"), *partner = contacts.find("partner"),
                     *force = contacts.find("normal_force");
    std::vector<float> values;
    if (owner != nullptr && partner != nullptr && force != nullptr) {
        const auto indices = indicesOf(frame.bodies);
        for (std::size_t k = 0; k < contacts.points.size(); ++k) {
            append(values, endOfBranch(frame, indices, owner->values[k], contacts.points[k]) - origin);
            append(values, endOfBranch(frame, indices, partner->values[k], contacts.points[k]) - origin);
            values.push_back(static_cast<float>(force->values[k]));
        }
    }
    arrays.add("contacts", 7, values);
}

// The triangles of each body that is no sphere: where they begin in the list, which is in order of the bodies.
std::vector<std::pair<std::size_t, std::size_t>> trianglesOf(
    const Frame& frame, const std::unordered_map<std::uint32_t, std::size_t>& indices) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges(frame.bodies.points.size());
    const FrameArray* id = frame.shapes.find("id");
    for (std::size_t k = 0; id != nullptr && k < frame.shapes.ends.size(); ++k) {
        const auto found = indices.find(static_cast<std::uint32_t>(id->values[k]));
        if (found == indices.end() || frame.shapes.ends[k] != 3 * (k + 1)) continue;  // ours are triangles
        auto& [begin, end] = ranges[found->second];
        if (end == 0) begin = k;
        end = k + 1;
    }
    return ranges;
}

// Meshes in the coordinates of their shape and in units of the radius of its bounding sphere, one after the other.
struct Meshes {
    json list = json::array();
    std::vector<float> points;
    std::vector<std::uint32_t> triangles;

    void add(const Frame& frame, std::size_t body, std::pair<std::size_t, std::size_t> range, std::uint32_t shape);
};

Quat turnOf(const FramePart& bodies, std::size_t k) {
    const FrameArray* turns = bodies.find("orientation");
    if (turns == nullptr || turns->components != 4) return {};
    const double* q = turns->values.data() + 4 * k;
    return {q[0], q[1], q[2], q[3]};
}

void Meshes::add(const Frame& frame, std::size_t body, std::pair<std::size_t, std::size_t> range, std::uint32_t shape) {
    const std::uint32_t* corners = frame.shapes.corners.data();
    const auto [low, high] = std::minmax_element(corners + 3 * range.first, corners + 3 * range.second);
    const Quat turn = turnOf(frame.bodies, body);
    const double radius = std::max(scalarAt(frame.bodies, "radius", body), 1e-300);
    for (std::uint32_t c = *low; c <= *high; ++c)
        append(points, (1 / radius) * rotateBack(turn, frame.shapes.points[c] - frame.bodies.points[body]));
    for (std::size_t k = 3 * range.first; k < 3 * range.second; ++k) triangles.push_back(corners[k] - *low);
    list.push_back({{"shape", shape}, {"points", *high - *low + 1}, {"triangles", range.second - range.first}});
}

void addSolids(Arrays& arrays, const Frame& frame, const Wanted& wanted, std::size_t stride) {
    const FrameArray* shapes = frame.bodies.find("shape");
    if (frame.shapes.points.empty() || shapes == nullptr) return;
    const auto ranges = trianglesOf(frame, indicesOf(frame.bodies));
    std::set<std::uint32_t> known = wanted.knownShapes;
    std::vector<std::uint32_t> body, shape;
    std::vector<float> turn, scale;
    Meshes meshes;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        if (ranges[k].second == 0) continue;
        const auto number = static_cast<std::uint32_t>(shapes->values[k]);
        if (known.insert(number).second) meshes.add(frame, k, ranges[k], number);
        if (k % stride != 0) continue;
        shape.push_back(number);
        body.push_back(static_cast<std::uint32_t>(k / stride));
        const Quat q = turnOf(frame.bodies, k);
        for (const double x : {q.x, q.y, q.z, q.w}) turn.push_back(static_cast<float>(x));
        scale.push_back(static_cast<float>(scalarAt(frame.bodies, "radius", k)));
    }
    arrays.add("solidBody", 1, body);
    arrays.add("solidShape", 1, shape);
    arrays.add("solidTurn", 4, turn);
    arrays.add("solidScale", 1, scale);
    arrays.add("meshPoints", 3, meshes.points);
    arrays.add("meshTriangles", 3, meshes.triangles);
    arrays.head()["meshes"] = std::move(meshes.list);
}

// From the centre of a body to its joint, for either body.
void addJoints(Arrays& arrays, const FramePart& joints, const Vec3& origin) {
    const FrameArray *first = joints.find("first_arm"), *second = joints.find("second_arm"),
                     *partner = joints.find("second");
    if (first == nullptr || second == nullptr || partner == nullptr) return;
    constexpr double theWorld = 4294967295;
    std::vector<float> values;
    for (std::size_t k = 0; k < joints.points.size(); ++k) {
        const Vec3 point = joints.points[k] - origin;
        append(values, point - vectorAt(*first, k));
        append(values, point);
        append(values, partner->values[k] == theWorld ? point : point - vectorAt(*second, k));
    }
    arrays.add("joints", 9, values);
}

void addWalls(Arrays& arrays, const FramePart& walls, const Vec3& origin) {
    if (walls.points.empty()) return;
    addPoints(arrays, "wallPoints", walls.points, origin);
    arrays.add("wallCorners", 1, walls.corners);
    arrays.add("wallEnds", 1, walls.ends);
}

json numbers(const FrameArray& array, std::size_t k) {
    if (array.components == 1) return array.values[k];
    json list = json::array();
    for (std::size_t c = 0; c < array.components; ++c) list.push_back(array.values[k * array.components + c]);
    return list;
}

}  // namespace

std::string encodeFrame(const Frame& frame, const Wanted& wanted) {
    const std::size_t bodies = frame.bodies.points.size();
    const bool isThinned = wanted.mostBodies > 0 && bodies > wanted.mostBodies;
    const std::size_t stride = isThinned ? (bodies + wanted.mostBodies - 1) / wanted.mostBodies : 1;
    const Vec3 origin = middleOf(frame);
    Arrays arrays(frame.time, origin);
    arrays.head()["bodies"] = bodies;
    arrays.head()["stride"] = stride;
    addBodies(arrays, frame.bodies, origin, wanted, stride);
    if (wanted.contacts) addContacts(arrays, frame, origin);
    addWalls(arrays, frame.walls, origin);
    addSolids(arrays, frame, wanted, stride);
    addJoints(arrays, frame.joints, origin);
    return arrays.bytes();
}

FrameWish wishFor(const Wanted& wanted) {
    FrameWish wish{.contacts = wanted.contacts, .bodyArrays = {{"id", "radius", "shape", "held", "orientation"}}};
    wish.bodyArrays->emplace(arrayOfField(wanted.field));
    if (wanted.velocity) wish.bodyArrays->emplace("velocity");
    return wish;
}

std::size_t findBody(const FramePart& bodies, double id) {
    const FrameArray* ids = bodies.find("id");
    if (ids == nullptr) return bodies.points.size();
    return static_cast<std::size_t>(std::find(ids->values.begin(), ids->values.end(), id) - ids->values.begin());
}

std::string describeBody(const Frame& frame, const FrameNames& names, std::size_t index) {
    const FramePart& bodies = frame.bodies;
    if (index >= bodies.points.size()) throw InputError("there is no such body in this frame");
    const Vec3& p = bodies.points[index];
    json body{{"index", index}, {"time", frame.time}, {"position", {p.x, p.y, p.z}}, {"values", json::object()}};
    for (const FrameArray& array : bodies.arrays) body["values"][array.name] = numbers(array, index);
    const auto nameOf = [&](const char* array, const std::vector<std::string>& list) {
        const auto number = static_cast<std::size_t>(scalarAt(bodies, array, index));
        if (bodies.find(array) != nullptr && number < list.size()) body[array] = list[number];
    };
    nameOf("group", names.groups);
    nameOf("material", names.materials);

    const double id = scalarAt(bodies, "id", index);
    const FramePart& contacts = frame.contacts;
    const FrameArray *owner = contacts.find("owner"), *partner = contacts.find("partner");
    body["contacts"] = json::array();
    for (std::size_t k = 0; owner != nullptr && partner != nullptr && k < contacts.points.size(); ++k) {
        if (owner->values[k] != id && partner->values[k] != id) continue;
        const Vec3& point = contacts.points[k];
        body["contacts"].push_back({{"with", owner->values[k] == id ? partner->values[k] : owner->values[k]},
                                    {"point", {point.x, point.y, point.z}},
                                    {"normal_force", scalarAt(contacts, "normal_force", k)},
                                    {"overlap", scalarAt(contacts, "overlap", k)}});
    }
    return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace talus::view
