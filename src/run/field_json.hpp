// Structs as JSON by the lists of their fields (base/fields.hpp), and back. Reading throws nlohmann's exceptions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "base/fields.hpp"
#include "talus/factor_report.hpp"
#include "talus/simulation.hpp"
#include "talus/solver.hpp"

namespace talus {

// Public structs, which know of no lists.
constexpr auto fieldsOf(std::type_identity<StageResult>) {
    using R = StageResult;
    return std::tuple{Field{"name", &R::name}, Field{"start", &R::start}, Field{"time", &R::time},
                      Field{"steps", &R::steps}, Field{"ended", &R::ended}};
}
constexpr auto fieldsOf(std::type_identity<FactorReport>) {
    using F = FactorReport;
    return std::tuple{Field{"count", &F::count},   Field{"seconds", &F::seconds},
                      Field{"nodes", &F::nodes},   Field{"matrix_blocks", &F::matrixBlocks},
                      Field{"blocks", &F::blocks}, Field{"bytes", &F::bytes}};
}
template <HasFields T>
constexpr auto fieldsOf(std::type_identity<T>) {
    return T::fields();
}
template <class T>
concept HasList = requires {
    fieldsOf(std::type_identity<T>{});
};

template <class T>
inline constexpr bool isOptional = false;
template <class T>
inline constexpr bool isOptional<std::optional<T>> = true;

template <class T>
nlohmann::json fieldsAsJson(const T& value) {
    nlohmann::json j;
    if constexpr (HasList<T>) {
        const auto add = [&](const auto& field) { j[field.name] = fieldsAsJson(value.*field.member); };
        std::apply([&](const auto&... field) { (add(field), ...); }, fieldsOf(std::type_identity<T>{}));
    } else if constexpr (isVector<T>) {
        j = nlohmann::json::array();
        for (const auto& one : value) j.push_back(fieldsAsJson(one));
    } else if constexpr (isOptional<T>) {
        if (value) j = fieldsAsJson(*value);
    } else if constexpr (std::is_same_v<T, Vec3>) {
        j = {value.x, value.y, value.z};
    } else if constexpr (std::is_same_v<T, SolverKind>) {
        j = nameOf(value);
    } else {
        j = value;
    }
    return j;
}

template <class T>
void readFields(const nlohmann::json& j, T& value) {
    if constexpr (HasList<T>) {
        const auto read = [&](const auto& field) { readFields(j.at(field.name), value.*field.member); };
        std::apply([&](const auto&... field) { (read(field), ...); }, fieldsOf(std::type_identity<T>{}));
    } else if constexpr (isVector<T>) {
        value.resize(j.size());
        for (std::size_t k = 0; k < j.size(); ++k) readFields(j.at(k), value[k]);
    } else if constexpr (isOptional<T>) {
        value.reset();
        if (!j.is_null()) readFields(j, value.emplace());
    } else if constexpr (std::is_same_v<T, Vec3>) {
        value = {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()};
    } else if constexpr (std::is_same_v<T, SolverKind>) {
        value = solverNamed(j.get<std::string>());
    } else {
        j.get_to(value);
    }
}

}  // namespace talus
