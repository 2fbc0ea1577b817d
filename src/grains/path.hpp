// A closed polygon, by the length along it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "talus/vec2.hpp"

namespace talus {

class ClosedPath {
public:
    explicit ClosedPath(std::vector<Vec2> points) : points_(std::move(points)) {
        for (std::size_t k = 0; k < points_.size(); ++k) {
            along_.push_back(along_.back() + norm(points_[(k + 1) % points_.size()] - points_[k]));
        }
    }

    const std::vector<Vec2>& points() const { return points_; }
    double length() const { return along_.back(); }
    double along(std::size_t point) const { return along_[point]; }

    // The place this far along; goes round.
    Vec2 at(double s) const {
        s -= std::floor(s / length()) * length();
        const auto after = std::upper_bound(along_.begin() + 1, along_.end() - 1, s);
        const std::size_t k = static_cast<std::size_t>(after - along_.begin()) - 1;
        const double step = along_[k + 1] - along_[k], share = step > 0 ? (s - along_[k]) / step : 0;
        return points_[k] + share * (points_[(k + 1) % points_.size()] - points_[k]);
    }

private:
    std::vector<Vec2> points_;
    std::vector<double> along_{0};
};

}  // namespace talus
