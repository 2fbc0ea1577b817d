// For clang before version 17, which does not find the template arguments of an aggregate by itself.
#pragma once

#include "../src/base/fields.hpp"

namespace talus {

template <class Struct, class Member>
Field(const char*, Member Struct::*) -> Field<Struct, Member>;
template <class Struct, class Member>
Field(const char*, Member Struct::*, Hashed) -> Field<Struct, Member>;

}  // namespace talus
