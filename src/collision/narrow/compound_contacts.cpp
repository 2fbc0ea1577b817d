#include "collision/narrow/compound_contacts.hpp"

#include "base/check.hpp"

namespace talus {

void findCompoundContacts(const ShapeInPlace&, const ShapeInPlace&, double, std::vector<ContactPoint>&) {
    ENGINE_CHECK(!"contacts of compounds are not there yet");
}

}  // namespace talus
