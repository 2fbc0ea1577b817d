// The conditions at which a stage ends, over columns of the series.
#pragma once

#include <vector>

#include "measure/series.hpp"
#include "talus/scene.hpp"

namespace talus {

// A condition with its column found and its number in SI.
struct Condition {
    std::size_t column = 0;
    double value = 0;
    bool above = true;
    double duration = 0;  // s

    bool isTrue(const std::vector<SeriesValue>& row) const {
        return above ? row[column].value > value : row[column].value < value;
    }
};

// Those of a stage, whose conditions stand at `path` in the scene. Throws InputError for a column that `row` does not
// have and for a number of another dimension.
std::vector<Condition> findConditions(const StageSettings& stage, const std::string& path,
                                      const std::vector<SeriesValue>& row);

inline constexpr double notHeld = -1;  // s, of a condition that is not true

// Looks at a row of this time: since when each condition is true without a break. True if all have been for long
// enough.
bool lookAtConditions(const std::vector<Condition>& conditions, const std::vector<SeriesValue>& row, double time,
                      std::vector<double>& heldSince);

// "max_speed below 1 mm/s, force_z_lid above 10 N"
std::string describeConditions(const StageSettings& stage);

}  // namespace talus
