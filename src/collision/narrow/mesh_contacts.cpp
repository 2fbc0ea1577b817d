#include "collision/narrow/mesh_contacts.hpp"

#include "base/check.hpp"

namespace talus {

void findMeshContacts(const ShapeInPlace&, const ShapeInPlace&, double, std::vector<ContactPoint>&) {
    ENGINE_CHECK(!"contacts of meshes are not there yet");
}

}  // namespace talus
