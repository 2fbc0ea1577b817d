// talus export: the results of a run as tables.
#include <memory>

#include "command.hpp"
#include "talus/error.hpp"
#include "talus/export.hpp"

namespace talus::cli {
namespace {

struct ExportArguments {
    std::string folder;
    ExportOptions options;
    bool csv = false, npz = false;
};

int exportTables(const ExportArguments& a) {
    if (a.csv == a.npz) throw InputError("export: say --csv or --npz");
    ExportOptions options = a.options;
    options.format = a.csv ? TableFormat::csv : TableFormat::npz;
    std::vector<std::filesystem::path> files;
    {
        const ProgressLine progress;
        options.say = [&](const std::string& text) { progress.show(text); };
        files = exportRun(a.folder, options);
    }
    for (const std::filesystem::path& file : files) print("{}\n", file.string());
    return 0;
}

}  // namespace

void addExportCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<ExportArguments>();
    CLI::App* sub = command(app, "export", "write the frames and the series of a run as tables: CSV, or NPZ for numpy",
                            status, [a] { return exportTables(*a); });
    sub->add_option("DIR", a->folder, "folder of the run")->required();
    sub->add_flag("--csv", a->csv, "bodies_000000.csv, contacts_000000.csv, ..., frames.csv");
    sub->add_flag("--npz", a->npz, "frame_000000.npz, ..., series.npz");
    sub->add_option("-o,--output", a->options.folder, "folder for the tables; default: DIR/export")->type_name("DIR");
    sub->add_option("--frame", a->options.frames,
                    "only this frame, from 0; -1 is the last one (may be repeated); default: all of them")
        ->type_name("N")
        ->allow_extra_args(false);
}

}  // namespace talus::cli
