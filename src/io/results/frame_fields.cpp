// Quantities that bodies of frames are coloured by (talus/frames.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "talus/error.hpp"
#include "talus/frames.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

std::vector<double> lengthsOf(const FrameArray& array) {
    std::vector<double> lengths(array.values.size() / 3);
    for (std::size_t k = 0; k < lengths.size(); ++k) {
        const double* v = array.values.data() + 3 * k;
        lengths[k] = norm(Vec3{v[0], v[1], v[2]});
    }
    return lengths;
}

// A third of the trace.
std::vector<double> pressuresOf(const FrameArray& stress) {
    std::vector<double> pressures(stress.values.size() / 9);
    for (std::size_t k = 0; k < pressures.size(); ++k) {
        const double* s = stress.values.data() + 9 * k;
        pressures[k] = (s[0] + s[4] + s[8]) / 3;
    }
    return pressures;
}

bool isPosition(std::string_view field) { return field == "x" || field == "y" || field == "z"; }

InputError unknown(std::string_view field) {
    std::vector<std::string> names;
    for (const FrameField& f : allFrameFields()) names.push_back(f.name);
    return InputError(fmt::format("the frame has no field '{}'{}", field, didYouMean(std::string(field), names)));
}

}  // namespace

// Vectors are shown by their length, the stress by its pressure.
std::string_view arrayOfField(std::string_view field) {
    if (field == "speed") return "velocity";
    if (field == "pressure") return "stress";
    return field;
}

const std::vector<FrameField>& allFrameFields() {
    static const std::vector<FrameField> fields{{"speed", "speed", "m/s"},
                                                {"force", "force by contacts", "N"},
                                                {"pressure", "pressure", "Pa"},
                                                {"coordination", "contacts of the body", ""},
                                                {"radius", "radius", "m"},
                                                {"mass", "mass", "kg"},
                                                {"spin", "spin", "rad/s"},
                                                {"x", "position x", "m"},
                                                {"y", "position y", "m"},
                                                {"z", "position z", "m"},
                                                {"group", "group", "", true},
                                                {"material", "material", "", true},
                                                {"id", "id", ""}};
    return fields;
}

std::vector<FrameField> frameFieldsOf(const FramePart& bodies) {
    std::vector<FrameField> fields;
    for (const FrameField& field : allFrameFields()) {
        if (isPosition(field.name) || bodies.find(arrayOfField(field.name)) != nullptr) fields.push_back(field);
    }
    return fields;
}

std::vector<double> fieldValues(const FramePart& bodies, std::string_view field) {
    if (isPosition(field)) {
        std::vector<double> values;
        for (const Vec3& point : bodies.points) values.push_back(point[field[0] - 'x']);
        return values;
    }
    const FrameArray* array = bodies.find(arrayOfField(field));
    const auto& known = allFrameFields();
    if (array == nullptr || std::none_of(known.begin(), known.end(), [&](const auto& f) { return f.name == field; }))
        throw unknown(field);
    if (array->components == 3) return lengthsOf(*array);
    if (array->components == 9) return pressuresOf(*array);
    return array->values;
}

}  // namespace talus
