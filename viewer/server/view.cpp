// The server behind talus/tools/view.hpp.
//
// Whoever asks must name this server as its host and, for anything but the page itself, show the token of its address
// in a header of its own, which pages of other origins cannot set. Answers to mistakes are plain text.
#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <deque>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "talus/error.hpp"
#include "talus/tools/view.hpp"
#include "viewer/server/about_run.hpp"
#include "viewer/server/encode.hpp"
#include "viewer/server/live_run.hpp"
#include "viewer/server/open_browser.hpp"
#include "viewer/server/page.hpp"
#include "viewer/server/run_files.hpp"

namespace talus {
namespace {

using namespace view;
using httplib::Request, httplib::Response;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr const char* tokenHeader = "X-Talus-Token";
constexpr std::size_t mostBodyBytes = 4096, mostLines = 500, threads = 16;
constexpr std::chrono::seconds pageIsGone{5}, hiddenPageIsGone{150};

// A page may stand in a notebook of this computer.
constexpr const char* contentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data: blob:; media-src blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self' http://127.0.0.1:* http://localhost:* vscode-webview:";

std::string randomToken() {
    std::random_device source;  // the system's
    std::string token;
    for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", source());
    return token;
}

// Takes as long whatever is wrong.
bool isSame(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return false;
    unsigned different = 0;
    for (std::size_t k = 0; k < a.size(); ++k) different |= static_cast<unsigned char>(a[k] ^ b[k]);
    return different == 0;
}

// A whole number in the query; InputError for another text.
std::uint64_t numberIn(const Request& request, const char* key, std::uint64_t otherwise = 0) {
    if (!request.has_param(key)) return otherwise;
    const std::string text = request.get_param_value(key);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) return value;
    throw InputError(fmt::format("{} must be a whole number", key));
}

// Ranges of whole numbers, as in "1-3,7-7"; InputError for another text.
std::set<std::uint32_t> rangesIn(const Request& request, const char* key) {
    constexpr std::uint32_t most = 65535;  // of shapes
    std::set<std::uint32_t> numbers;
    if (!request.has_param(key)) return numbers;
    std::istringstream list(request.get_param_value(key));
    for (std::string text; std::getline(list, text, ',');) {
        const char* end = text.data() + text.size();
        std::uint32_t low = 0, high = 0;
        const auto [dash, lowError] = std::from_chars(text.data(), end, low);
        const bool hasDash = lowError == std::errc{} && dash != end && *dash == '-';
        const auto [last, highError] = hasDash ? std::from_chars(dash + 1, end, high) : std::from_chars(end, end, high);
        if (!hasDash || highError != std::errc{} || last != end || low > high || high > most)
            throw InputError(fmt::format("{} must be ranges of whole numbers", key));
        for (std::uint32_t number = low; number <= high; ++number) numbers.insert(number);
    }
    return numbers;
}

void fail(Response& response, int status, const std::string& reason) {
    response.status = status;
    response.set_content(reason + "\n", "text/plain; charset=utf-8");
}

void answer(Response& response, const json& value) { response.set_content(textOf(value), "application/json"); }

}  // namespace

struct View::Server {
    explicit Server(const ViewOptions& given) : options(given) {}
    ~Server() {
        http.stop();
        if (listener.joinable()) listener.join();
    }

    void start();
    std::string url() const { return fmt::format("http://{}:{}/?token={}", options.host, port, token); }
    void tell(const std::string& line);
    void show(std::shared_ptr<RunFiles> run);

    bool isForMe(const Request& request) const;
    httplib::Server::HandlerResponse checked(const Request& request, Response& response);
    void addRoutes();
    template <class Handler>
    void get(const char* path, Handler handler);

    std::shared_ptr<RunFiles> filesNow() const;
    std::shared_ptr<const Frame> frameFor(const Request& request, const FrameWish& wish = {});
    json info() const;
    json state(const Request& request) const;
    bool isWatched() const;

    ViewOptions options;
    std::string token = randomToken();
    int port = 0;
    httplib::Server http;
    std::thread listener;
    LiveRun live;
    std::atomic<bool> isLive{false};
    std::atomic<Clock::rep> watchedUntil{0};

    mutable std::mutex mutex;  // of what follows
    std::shared_ptr<RunFiles> files;
    std::shared_ptr<const Frame> sceneFrame;
    json sceneInfo;
    FrameNames sceneNames;
    std::uint64_t generation = 1, firstLine = 0;  // number of the first line in the log
    std::deque<std::string> log;
};

void View::Server::start() {
    if (const std::string reason = whyNoPage(); !reason.empty()) throw RunError(reason);
    http.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    http.set_payload_max_length(mostBodyBytes);
    http.set_read_timeout(std::chrono::seconds(5));
    http.set_write_timeout(std::chrono::seconds(10));
    http.set_keep_alive_timeout(2);
    http.set_tcp_nodelay(true);
    // Alone on its port: no other process may take a share of what is asked.
    http.set_socket_options([](socket_t socket) {
        const int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http.set_default_headers({{"Content-Security-Policy", contentPolicy},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Cache-Control", "no-store"}});
    http.set_pre_routing_handler(
        [this](const Request& request, Response& response) { return checked(request, response); });
    addRoutes();
    port = options.port;
    if (port == 0) {
        port = http.bind_to_any_port(options.host);
    } else if (!http.bind_to_port(options.host, port)) {
        port = -1;
    }
    if (port < 0)
        throw RunError(
            fmt::format("cannot listen at {}:{}; another program may have the port, --port 0 takes a free one",
                        options.host, options.port));
    listener = std::thread([this] { http.listen_after_bind(); });
    options.say(url());
    if (options.openBrowser) openBrowser(url());
}

// Against pages elsewhere that let their own name point to this computer.
bool View::Server::isForMe(const Request& request) const {
    const std::string host = request.get_header_value("Host");
    for (const std::string& name : {options.host, std::string("127.0.0.1"), std::string("localhost")}) {
        if (host == fmt::format("{}:{}", name, port)) return true;
    }
    // Listening at all addresses of the computer, it goes by any name; then the token alone decides.
    return options.host == "0.0.0.0" || options.host == "::";
}

httplib::Server::HandlerResponse View::Server::checked(const Request& request, Response& response) {
    using enum httplib::Server::HandlerResponse;
    if (!isForMe(request)) return fail(response, 403, "this server goes by another name"), Handled;
    const bool isPage = request.path == "/" || request.path == "/viewer.js" || request.path == "/viewer.css";
    if (isPage && request.method == "GET") return Unhandled;
    if (request.method != "GET" && request.method != "POST") return fail(response, 405, "not allowed"), Handled;
    if (!isSame(request.get_header_value(tokenHeader), token))
        return fail(response, 403, "the token is missing or wrong: use the address that talus printed"), Handled;
    const auto gone = request.has_param("hidden") ? hiddenPageIsGone : pageIsGone;
    watchedUntil = (Clock::now() + gone).time_since_epoch().count();
    return Unhandled;
}

// Mistakes in a handler are told, whatever they are.
template <class Handler>
void View::Server::get(const char* path, Handler handler) {
    http.Get(path, [handler](const Request& request, Response& response) {
        try {
            handler(request, response);
        } catch (const InputError& error) {
            fail(response, 404, error.what());
        } catch (const std::exception& error) {
            fail(response, 500, error.what());
        }
    });
}

void View::Server::addRoutes() {
    const auto page = [this](const char* path, const char* file, const char* type) {
        get(path, [=](const Request&, Response& response) {
            const std::string_view text = pageFile(file);
            response.set_content(text.data(), text.size(), type);
        });
    };
    page("/", "index.html", "text/html; charset=utf-8");
    page("/viewer\\.js", "viewer.js", "text/javascript; charset=utf-8");
    page("/viewer\\.css", "viewer.css", "text/css; charset=utf-8");

    get("/api/info", [this](const Request&, Response& response) { answer(response, info()); });
    get("/api/state", [this](const Request& request, Response& response) { answer(response, state(request)); });
    get("/api/series", [this](const Request& request, Response& response) {
        const auto run = filesNow();
        if (!run) throw InputError("a scene has no series before it runs");
        const auto part = run->series(numberIn(request, "from"), numberIn(request, "file"));
        answer(response, {{"from", part.from}, {"file", part.file}, {"text", part.text}});
    });
    get("/api/frame", [this](const Request& request, Response& response) {
        Wanted wanted;
        if (request.has_param("field")) wanted.field = request.get_param_value("field");
        wanted.velocity = numberIn(request, "velocity") != 0;
        wanted.contacts = numberIn(request, "contacts") != 0;
        wanted.knownShapes = rangesIn(request, "shapes");
        response.set_content(encodeFrame(*frameFor(request, wishFor(wanted)), wanted), "application/octet-stream");
    });
    get("/api/body", [this](const Request& request, Response& response) {
        const auto frame = frameFor(request);
        const std::size_t index = request.has_param("id")
                                      ? findBody(frame->bodies, static_cast<double>(numberIn(request, "id")))
                                      : numberIn(request, "index");
        const auto run = filesNow();
        FrameNames names;
        if (run) {
            names = run->names();
        } else {
            const std::lock_guard lock(mutex);
            names = sceneNames;
        }
        response.set_content(describeBody(*frame, names, index), "application/json");
    });
    http.Post("/api/wish", [this](const Request& request, Response& response) {
        if (!isLive) return fail(response, 409, "no run goes on in this program");
        try {
            live.wish(request.body);
            response.status = 204;
        } catch (const InputError& error) {
            fail(response, 400, error.what());
        }
    });
}

std::shared_ptr<RunFiles> View::Server::filesNow() const {
    const std::lock_guard lock(mutex);
    return files;
}

std::shared_ptr<const Frame> View::Server::frameFor(const Request& request, const FrameWish& wish) {
    const auto run = filesNow();
    const bool isNow = request.get_param_value("k") == "now";
    if (isNow && isLive) {
        if (const auto frame = live.frame()) return frame;
    }
    // A run that is over by now is as it was left.
    if (run && isNow) return run->frame(std::max<std::size_t>(run->times().size(), 1) - 1, wish);
    if (run) return run->frame(numberIn(request, "k"), wish);
    const std::lock_guard lock(mutex);
    if (!sceneFrame) throw InputError("there is nothing to see yet");
    return sceneFrame;
}

json View::Server::info() const {
    const auto run = filesNow();
    json about = run ? aboutRun(*run) : sceneInfo;
    about["live"] = isLive.load();
    const std::lock_guard lock(mutex);
    about["generation"] = generation;
    return about;
}

// What changes while one looks: frames and lines that the page does not have yet.
json View::Server::state(const Request& request) const {
    const auto run = filesNow();
    json now{{"live", isLive.load()}};
    const std::vector<double> times = run ? run->times() : std::vector<double>{0.0};
    const std::size_t from = std::min<std::size_t>(numberIn(request, "frames"), times.size());
    now["frames"] = times.size();
    now["times"] = std::vector<double>(times.begin() + static_cast<std::ptrdiff_t>(from), times.end());
    if (run && !isLive) now["summary"] = run->summary();
    if (isLive) {
        const LiveState s = live.state();
        now["progress"] = {{"time", s.time},
                           {"endTime", s.endTime},
                           {"steps", s.steps},
                           {"paused", s.isPaused},
                           {"stopping", s.isStopping}};
    }
    const std::uint64_t have = numberIn(request, "lines");
    const std::lock_guard lock(mutex);
    now["generation"] = generation;
    now["lines"] = firstLine + log.size();
    now["log"] = json::array();
    for (std::size_t k = 0; k < log.size(); ++k) {
        if (firstLine + k >= have) now["log"].push_back(log[k]);
    }
    return now;
}

void View::Server::tell(const std::string& line) {
    const std::lock_guard lock(mutex);
    log.push_back(line);
    if (log.size() <= mostLines) return;
    log.pop_front();
    ++firstLine;
}

void View::Server::show(std::shared_ptr<RunFiles> run) {
    const std::lock_guard lock(mutex);
    files = std::move(run);
    ++generation;
}

bool View::Server::isWatched() const { return Clock::now().time_since_epoch().count() < watchedUntil; }

View::View(std::unique_ptr<Server> server) : server_(std::move(server)) {}
View::~View() = default;
View::View(View&&) noexcept = default;

View::View(const std::filesystem::path& folder, const ViewOptions& options)
    : server_(std::make_unique<Server>(options)) {
    server_->files = std::make_shared<RunFiles>(folder);
    server_->start();
}

View::View(const Scene& scene, const ViewOptions& options) : server_(std::make_unique<Server>(options)) {
    SceneLook look = lookAtScene(scene);
    server_->sceneInfo = aboutScene(scene, look);
    server_->sceneNames = look.names;
    server_->sceneFrame = std::make_shared<const Frame>(std::move(look.frame));
    server_->start();
}

View View::ofRun(const Scene& scene, const ViewOptions& options) { return View(scene, options); }

std::string View::url() const { return server_->url(); }

RunWish View::look(RunLook& run) {
    if (!server_->isLive) {
        server_->isLive = true;
        server_->show(std::make_shared<RunFiles>(run.folder()));
    }
    return server_->live.look(run);
}

void View::tell(const std::string& line) { server_->tell(line); }

void View::runIsOver() {
    server_->isLive = false;
    const std::lock_guard lock(server_->mutex);
    ++server_->generation;
}

void View::wait() {
    if (server_->listener.joinable()) server_->listener.join();
}

void View::waitWhileWatched(double patience) {
    const auto end = Clock::now() + std::chrono::duration<double>(patience);
    const auto mayCome = [&] { return server_->watchedUntil == 0 && Clock::now() < end; };
    while (server_->isWatched() || mayCome()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

}  // namespace talus
