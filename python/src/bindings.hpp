// What the parts of the Python module share. The module `talus._core` is the public C++ headers in Python's words, and
// no more: names, units and conveniences are added by the package around it (python/talus).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>
#include <vector>

#include "talus/vec3.hpp"

namespace talus::python {

namespace nb = nanobind;

using Triple = std::array<double, 3>;
using Four = std::array<double, 4>;

inline Vec3 vectorOf(const Triple& t) { return {t[0], t[1], t[2]}; }
inline Triple tripleOf(const Vec3& v) { return {v.x, v.y, v.z}; }

template <class Number>
using Array = nb::ndarray<nb::numpy, Number>;
using Rows = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

// The vector as an array that owns it.
template <class Item, class Number = Item>
Array<Number> arrayOf(std::vector<Item> items, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<Item>(std::move(items));
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Item>*>(p); });
    return Array<Number>(reinterpret_cast<Number*>(kept->data()), shape, owner);
}
inline Array<double> arrayOf(std::vector<Vec3> items) {
    const std::size_t count = items.size();
    return arrayOf<Vec3, double>(std::move(items), {count, 3});
}
inline std::vector<Vec3> vectorsOf(const Rows& rows) {
    std::vector<Vec3> list(rows.shape(0));
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = {rows(i, 0), rows(i, 1), rows(i, 2)};
    return list;
}

void bindWorld(nb::module_& module);
void bindStepper(nb::module_& module);
void bindScene(nb::module_& module);
void bindProblem(nb::module_& module);

}  // namespace talus::python
