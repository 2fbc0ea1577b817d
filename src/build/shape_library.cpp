#include "build/shape_library.hpp"

#include "build/make_shape.hpp"
#include "model/grain_forms.hpp"
#include "talus/error.hpp"

namespace talus {

const ShapeLibrary::Entry& ShapeLibrary::find(const BodyForm& form, const FormFiles& files, WorldState& world) {
    if (const auto found = known_.find(form); found != known_.end()) return found->second;
    ShapeOfForm made = makeShape(form, files);
    Entry entry{.scale = made.scale, .pose = made.pose};
    // The sphere is there already; all spheres share it.
    if (!std::holds_alternative<SphereShape>(made.shape)) entry.shape = world.shapes.add(std::move(made.shape));
    return known_.emplace(form, entry).first->second;
}

const ShapeLibrary::Entry& ShapeLibrary::find(const SolidForm& form, const FormFiles& files, WorldState& world) {
    return std::visit([&](const auto& f) -> const Entry& { return find(BodyForm(f), files, world); }, form);
}

void ShapeLibrary::forget(std::size_t firstShape) {
    std::erase_if(known_, [&](const auto& entry) { return entry.second.shape >= firstShape; });
}

std::vector<GrainForm> formsOf(const std::vector<GrainForm>& grains, const FormFiles& files) {
    std::vector<GrainForm> forms;
    for (const GrainForm& grain : grains) {
        const auto* outline = std::get_if<Outline>(&grain.form);
        if (outline == nullptr) {
            forms.push_back(grain);
            continue;
        }
        const std::vector<Outline> outlines = outlinesOf(*outline, files);
        for (const Outline& one : outlines) {
            forms.push_back({one, grain.share / static_cast<double>(outlines.size())});
        }
    }
    return forms;
}

std::vector<GrainShare> ShapeLibrary::sharesOf(const std::vector<GrainForm>& grains, const FormFiles& files,
                                               WorldState& world) {
    std::vector<GrainShare> shares;
    for (const GrainForm& grain : formsOf(grains, files)) {
        const Entry& entry = find(grain.form, files, world);
        shares.push_back(grainShareOf(world, entry.shape, entry.scale, grain.share));
    }
    return shares;
}

}  // namespace talus
