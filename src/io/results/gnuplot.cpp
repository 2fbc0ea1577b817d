#include "io/results/gnuplot.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/atomic_file.hpp"
#include "io/results/child_program.hpp"
#include "talus/results.hpp"

namespace talus {

const char* const plotStyle =
    R"(set terminal pngcairo size 1000,650 font 'DejaVu Sans,12' linewidth 2 background rgb 'white'
set datafile separator ','
set encoding utf8
set style line 1 lc rgb '#0072b2'
set style line 2 lc rgb '#d55e00'
set style line 3 lc rgb '#009e73'
set style line 4 lc rgb '#cc79a7'
set style line 5 lc rgb '#e69f00'
set style line 6 lc rgb '#56b4e9'
set style line 7 lc rgb '#000000'
set style line 8 lc rgb '#8c6d31'
set style line 9 lc rgb '#7f7f7f'
set border 3 lc rgb '#404040'
set tics nomirror out scale 0.6
set grid lc rgb '#dddddd' lt 1 lw 0.5
set key outside right top vertical Left reverse samplen 2 noenhanced
set title font ',15'
)";

void runGnuplot(const std::filesystem::path& folder, const std::string& script) {
    runProgram({"gnuplot", "plots need gnuplot, which is not installed here: install the package gnuplot-nox"},
               {script}, folder, fmt::format("draw {}", (folder / script).string()));
}

void makeResultFolder(const std::filesystem::path& folder) {
    makeFolder(folder);
    if (access(folder.c_str(), W_OK | X_OK) != 0) throwFileError("write in the folder", folder, errno);
}

void writeResultFile(const std::filesystem::path& file, std::string_view text) {
    makeFolder(file.parent_path());
    writeFileAtomically(file, text);
}

std::filesystem::path drawPlot(const std::filesystem::path& folder, const std::string& name,
                               const std::string& commands) {
    const std::string head = fmt::format("# Run in this folder: gnuplot {}.gp\n", name);
    writeResultFile(folder / (name + ".gp"), head + plotStyle + fmt::format("set output '{}.png'\n", name) + commands);
    runGnuplot(folder, name + ".gp");
    return folder / (name + ".png");
}

}  // namespace talus
