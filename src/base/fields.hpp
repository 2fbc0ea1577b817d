// The fields of a struct, listed once beside them. Whatever keeps, hashes, checks, copies or tells a struct goes
// through this list and names no field itself.
//
//     struct RollingSpring {
//         Vec3 turn;  // rad
//         static constexpr auto fields() { return std::tuple{Field{"turn", &RollingSpring::turn}}; }
//     };
//
// A field that the scene makes anew, or that each step fills before it is read, is not listed.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

// Whether a field counts in the hash of the state: it decides the next bits, and is no number of a place in a list.
enum class Hashed { no, yes };

template <class Struct, class Member>
struct Field {
    const char* name;
    Member Struct::*member;
    Hashed hashed = Hashed::yes;
};

template <class T>
concept HasFields = requires {
    T::fields();
};

template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;

template <class T>
inline constexpr bool isVariant = false;
template <class... Alternatives>
inline constexpr bool isVariant<std::variant<Alternatives...>> = true;

// Calls visit(field, member of the first object, of the second ...) for each field of objects of one type.
template <class Visit, class First, class... Others>
constexpr void visitFields(Visit&& visit, First& first, Others&... others) {
    const auto visitOne = [&](const auto& field) { visit(field, first.*field.member, others.*field.member...); };
    std::apply([&](const auto&... field) { (visitOne(field), ...); }, std::remove_const_t<First>::fields());
}

// Calls visit(array, array of the second object ...) for those fields that are arrays.
template <class Visit, class First, class... Others>
constexpr void visitArrays(Visit&& visit, First& first, Others&... others) {
    visitFields(
        [&](const auto&, auto& array, auto&... more) {
            if constexpr (isVector<std::remove_cvref_t<decltype(array)>>) visit(array, more...);
        },
        first, others...);
}

// Numbers one after the other, without gaps.
template <class T>
constexpr bool isRow() {
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, Vec3> || std::is_same_v<T, Quat>) {
        return true;
    } else if constexpr (HasFields<T> && std::is_trivially_copyable_v<T>) {
        const auto size = []<class S, class M>(const Field<S, M>&) { return isRow<M>() ? sizeof(M) : 0; };
        return std::apply([&](const auto&... field) { return (size(field) + ... + 0); }, T::fields()) == sizeof(T);
    }
    return false;
}
template <class T>
concept Row = isRow<T>();

// A row of doubles alone.
template <class T>
constexpr bool isDoubles() {
    if constexpr (HasFields<T>) {
        const auto of = []<class S, class M>(const Field<S, M>&) { return isDoubles<M>(); };
        return std::apply([&](const auto&... field) { return (of(field) && ...); }, T::fields());
    }
    return std::is_same_v<T, double> || std::is_same_v<T, Vec3> || std::is_same_v<T, Quat>;
}

// Takes over what the fields list; the rest of `to` stays.
template <class T>
void takeFields(T& to, T&& from) {
    if constexpr (HasFields<T> && !Row<T>) {
        visitFields([](const auto&, auto& mine, auto& theirs) { takeFields(mine, std::move(theirs)); }, to, from);
    } else {
        to = std::move(from);
    }
}
template <HasFields T>
requires(!Row<T>) void takeFields(std::vector<T>& to, std::vector<T>&& from) {
    to.resize(from.size());
    for (std::size_t k = 0; k < to.size(); ++k) takeFields(to[k], std::move(from[k]));
}

}  // namespace talus
