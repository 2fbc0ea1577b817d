// The shapes of a world: one entry of WorldState::shapes for each form, however many bodies have it.
#pragma once

#include <map>
#include <variant>
#include <vector>

#include "build/form_files.hpp"
#include "model/population.hpp"
#include "model/world.hpp"
#include "talus/bodies.hpp"

namespace talus {

class ShapeLibrary {
public:
    struct Entry {
        std::uint16_t shape = 0;  // index into WorldState::shapes
        double scale = 1;         // of bodies that have the size of the form
        Pose pose;                // of the shape's frame in the form's
    };
    // Makes the shape when its form is first seen. InputError, without a place, if it makes no body.
    const Entry& find(const BodyForm& form, const FormFiles& files, WorldState& world);
    const Entry& find(const SolidForm& form, const FormFiles& files, WorldState& world);
    std::vector<GrainShare> sharesOf(const std::vector<GrainForm>& grains, const FormFiles& files, WorldState& world);

    // Forms whose shapes, from this number on, are taken out of the world again.
    void forget(std::size_t firstShape);

private:
    std::map<BodyForm, Entry> known_;  // of one world
};

// The forms of generated grains as they are counted: a file of outlines stands for all of its grains.
std::vector<GrainForm> formsOf(const std::vector<GrainForm>& grains, const FormFiles& files);

}  // namespace talus
