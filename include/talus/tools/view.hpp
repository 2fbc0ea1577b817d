// Runs and scenes in a browser: a small server of one page, and the same page as a file to send.
//
//   talus::View view("out/settle", {.say = print});  // http://127.0.0.1:PORT/?token=...
//   view.wait();
//
// The server answers this computer only unless another host is given, and whoever has the token of its address. It
// reads from one folder and never writes. Units are SI.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "talus/scene.hpp"
#include "talus/simulation.hpp"

namespace talus {

// Why there is no page to show, for people; empty if there is one. It is built with the program where node is.
std::string whyNoPage();

struct ViewOptions {
    std::string host = "127.0.0.1";  // address to listen at; others than this one let other computers in
    int port = 0;                    // 0: any that is free
    bool openBrowser = false;        // where there is a display
    std::function<void(const std::string&)> say = [](const std::string&) {};  // lines for the user
};

class View {
public:
    // Of the folder of a run, whether it goes on or is over. InputError if it has no run; RunError if the port is taken
    // or there is no page.
    View(const std::filesystem::path& folder, const ViewOptions& options);
    // Of a scene before it runs.
    View(const Scene& scene, const ViewOptions& options);
    // Of a run that is about to begin in this process: see look(). Until it has a folder the scene is shown.
    static View ofRun(const Scene& scene, const ViewOptions& options);
    ~View();
    View(View&&) noexcept;

    std::string url() const;  // with the token

    // For RunOptions::look. The page then shows states between frames, and can pause, go on, checkpoint and stop.
    RunWish look(RunLook& run);
    // Lines of the run, for the log of the page.
    void tell(const std::string& line);
    // The run is over; the page shows what it left.
    void runIsOver();

    // Until the process is ended.
    void wait();
    // For as long as some page asks, and so long, s, for one to come.
    void waitWhileWatched(double patience = 0);

private:
    struct Server;
    explicit View(std::unique_ptr<Server> server);
    std::unique_ptr<Server> server_;
};

struct ReportOptions {
    std::uint64_t mostBytes = 20'000'000;  // of the moving picture in the file: fewer frames, then fewer bodies
    int mostFrames = 60;
};

// Writes one self-contained page about a run: summary, warnings, plots, scene and the moving picture. Where the page of
// the viewer is missing the report is plain HTML, with pictures that stand still.
void writeReport(const std::filesystem::path& folder, const std::filesystem::path& file,
                 const ReportOptions& options = {});

}  // namespace talus
