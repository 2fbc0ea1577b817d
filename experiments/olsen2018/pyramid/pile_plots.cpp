#include "experiments/olsen2018/pyramid/pile_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus::reproduce {
namespace {

struct NamedForces {
    std::string title;
    const PileForces* forces;
};

std::vector<NamedForces> methodsOf(const LawForces& law, const ClassicForces& classic) {
    return {{"DEM-P", &law.penalty},
            {"compatible", &law.compatible},
            {"APGD", &classic.apgd},
            {"Gauss-Seidel", &classic.gaussSeidel}};
}

std::string columnName(const LawForces& law, const NamedForces& method) { return law.law.name + " " + method.title; }

constexpr std::size_t bins = 40;

// Contacts per bin; those that carry less than a millionth of the largest force count as open.
std::vector<double> histogram(const PileForces& forces, double largest) {
    std::vector<double> count(bins, 0.0);
    for (const auto& [pair, force] : forces.contacts) {
        if (force < 1e-6 * largest) continue;
        const auto bin = static_cast<std::size_t>(force / largest * bins);
        ++count[std::min(bin, bins - 1)];
    }
    return count;
}

double largestOf(const std::vector<LawForces>& laws, const ClassicForces& classic) {
    double largest = 0;
    for (const LawForces& law : laws) {
        for (const NamedForces& m : methodsOf(law, classic)) largest = std::max(largest, largestForce(*m.forces));
    }
    return largest;
}

}  // namespace

void plotFloor(Trial& trial, const std::vector<LawForces>& laws, const ClassicForces& classic) {
    constexpr double milli = 1e3;
    const std::size_t spheres = laws.front().penalty.floor.size();
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(spheres))));
    std::vector<std::string> columns = {"column", "row"};
    std::vector<std::vector<double>> rows(spheres);
    for (std::size_t k = 0; k < spheres; ++k) rows[k] = {static_cast<double>(k % side), static_cast<double>(k / side)};

    std::string commands =
        "set terminal pngcairo size 1000,1250 font 'DejaVu Sans,12'\nset multiplot layout 4,3\n"
        "unset key\nunset tics\nunset grid\nset border 0\nset size ratio -1\nset autoscale fix\n"
        "set palette defined (0 '#ffffff', 0.3 '#56b4e9', 0.6 '#0072b2', 1 '#000000')\n"
        "set cblabel 'force on a base sphere [mN]'\nset cbtics\n";
    double largest = 0;
    std::vector<std::string> maps(4);
    for (const LawForces& law : laws) {
        const std::vector<NamedForces> methods = methodsOf(law, classic);
        for (std::size_t m = 0; m < methods.size(); ++m) {
            columns.push_back(columnName(law, methods[m]) + " [mN]");
            for (std::size_t k = 0; k < spheres; ++k) {
                rows[k].push_back(milli * methods[m].forces->floor[k]);
                largest = std::max(largest, rows[k].back());
            }
            maps[m] += fmt::format("set title '{}, {}'\nplot 'floor.csv' skip 1 using 1:2:{} with image\n",
                                   law.law.title, methods[m].title, columns.size());
        }
    }
    trial.writeTable("floor", columns, rows);
    commands += fmt::format("set cbrange [0:{:g}]\n", largest);
    for (const std::string& map : maps) commands += map;
    trial.plot("floor", commands + "unset multiplot\n");
}

void plotHistograms(Trial& trial, const std::vector<LawForces>& laws, const ClassicForces& classic) {
    constexpr double milli = 1e3;
    const double largest = largestOf(laws, classic);
    std::vector<std::string> columns = {"force [mN]"};
    std::vector<std::vector<double>> rows(bins);
    for (std::size_t b = 0; b < bins; ++b) {
        rows[b] = {milli * largest * (static_cast<double>(b) + 0.5) / static_cast<double>(bins)};
    }
    std::string commands =
        "set terminal pngcairo size 1000,1250 font 'DejaVu Sans,12'\nset multiplot layout 3,1\n"
        "set xlabel 'contact force [mN]'\nset ylabel 'contacts'\nset logscale y\nset yrange [0.5:]\n";
    for (const LawForces& law : laws) {
        commands += fmt::format("set title '{}'\nplot ", law.law.title);
        int style = 0;
        for (const NamedForces& m : methodsOf(law, classic)) {
            columns.push_back(columnName(law, m));
            const std::vector<double> count = histogram(*m.forces, largest);
            for (std::size_t b = 0; b < bins; ++b) rows[b].push_back(count[b]);
            ++style;
            const std::string look = style == 2 ? "points ls 2 pt 7" : fmt::format("histeps ls {}", style);
            commands += fmt::format("{}'histograms.csv' skip 1 using 1:{} with {} title '{}'", style > 1 ? ", " : "",
                                    columns.size(), look, m.title);
        }
        commands += "\n";
    }
    trial.writeTable("histograms", columns, rows);
    trial.plot("histograms", commands + "unset multiplot\n");
}

}  // namespace talus::reproduce
