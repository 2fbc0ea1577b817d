#include "io/scene/shape_library.hpp"

#include "io/scene/field_writer.hpp"
#include "io/scene/make_shape.hpp"
#include "model/grain_forms.hpp"
#include "talus/error.hpp"

namespace talus {

const ShapeLibrary::Entry& ShapeLibrary::find(const AnyForm& form) {
    AnyForm written = form;
    const auto [found, isNew] = known_.try_emplace(FieldWriter::toJson(written).dump());
    Entry& entry = found->second;
    if (!isNew) return entry;
    ShapeOfForm made = std::visit([&](const auto& f) { return makeShape(f, folder_); }, form);
    entry.scale = made.scale;
    entry.pose = made.pose;
    // The sphere is there already; all spheres share it.
    if (std::holds_alternative<SphereShape>(made.shape)) return entry;
    if (world_.shapes.size() >= 0xFFFF) throw InputError("too many shapes; at most 65534");
    world_.shapes.push_back(std::move(made.shape));
    entry.shape = static_cast<std::uint16_t>(world_.shapes.size() - 1);
    return entry;
}

const ShapeLibrary::Entry& ShapeLibrary::find(const SolidForm& form) {
    return std::visit([&](const auto& f) -> const Entry& { return find(AnyForm(f)); }, form);
}

std::vector<GrainForm> ShapeLibrary::formsOf(const std::vector<GrainForm>& grains) const {
    std::vector<GrainForm> forms;
    for (const GrainForm& grain : grains) {
        const auto* outline = std::get_if<Outline>(&grain.form);
        if (outline == nullptr) {
            forms.push_back(grain);
            continue;
        }
        const std::vector<Outline> outlines = outlinesOf(*outline, folder_);
        for (const Outline& one : outlines) {
            forms.push_back({one, grain.share / static_cast<double>(outlines.size())});
        }
    }
    return forms;
}

std::vector<GrainShare> ShapeLibrary::sharesOf(const std::vector<GrainForm>& grains) {
    std::vector<GrainShare> shares;
    for (const GrainForm& grain : formsOf(grains)) {
        const Entry& entry = find(grain.form);
        shares.push_back(grainShareOf(world_, entry.shape, entry.scale, grain.share));
    }
    return shares;
}

}  // namespace talus
