// Running the variants of a sweep, several at a time, each as a process `talus sweep --task`.
#include "talus/tools/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <list>
#include <thread>

#include "run/signals.hpp"
#include "run/sweep/child_run.hpp"
#include "run/sweep/sweep_folder.hpp"
#include "run/sweep/variants.hpp"
#include "talus/error.hpp"
#include "talus/results.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds pollTime{20};

// How many runs at a time, with how many threads each.
struct Shares {
    int jobs = 1, threads = 1;
};

Shares shareCores(int wanted, std::size_t runs) {
    const int cores = std::max(1, machineFacts().cores);
    const int most = static_cast<int>(std::min<std::size_t>(runs, static_cast<std::size_t>(cores)));
    Shares s;
    s.jobs = std::clamp(wanted > 0 ? wanted : cores, 1, std::max(1, most));
    s.threads = cores / s.jobs;
    return s;
}

class Sweep {
public:
    explicit Sweep(const SweepOptions& options)
        : options_(options),
          variants_(makeVariants(options.vary)),
          endTimes_(checkScenes(options, variants_)),
          program_(commandOf(options)) {}

    SweepOutcome run();

private:
    struct Running {
        std::size_t variant;
        ChildRun child;
    };

    fs::path folderOf(std::size_t k) const { return options_.folder / variants_[k].name; }
    fs::path logOf(std::size_t k) const { return folderOf(k) / runLog; }
    std::vector<std::string> commandFor(std::size_t k) const;
    void findWaiting();
    void announce() const;
    void start(const SweepFolder& folder);
    void collect();
    void judge(std::size_t k, int status);
    void showProgress() const;

    const SweepOptions& options_;
    std::vector<SweepVariant> variants_;
    std::vector<double> endTimes_;  // s, simulated
    fs::path program_;
    Shares shares_;
    std::deque<std::size_t> waiting_;
    std::list<Running> running_;
    std::size_t ended_ = 0;
    int signal_ = 0;
};

void Sweep::findWaiting() {
    for (std::size_t k = 0; k < variants_.size(); ++k) {
        readSummary(folderOf(k), variants_[k]);
        if (progressOf(folderOf(k)) == Progressed::toTheEnd) {
            ++ended_;
        } else {
            waiting_.push_back(k);
        }
    }
    shares_ = shareCores(options_.jobs, waiting_.size());
}

void Sweep::announce() const {
    options_.say(fmt::format("{} variants in {}, {} of them finished before", variants_.size(),
                             options_.folder.string(), ended_));
    if (waiting_.empty()) return;
    options_.say(fmt::format("{} run{} at a time with {} thread{} each, on {} cores", shares_.jobs,
                             shares_.jobs == 1 ? "" : "s", shares_.threads, shares_.threads == 1 ? "" : "s",
                             machineFacts().cores));
}

std::vector<std::string> Sweep::commandFor(std::size_t k) const {
    return {program_.string(), "sweep",           "-o",     options_.folder.string(),
            "--task",          std::to_string(k), "--cpus", std::to_string(shares_.threads)};
}

void Sweep::start(const SweepFolder& folder) {
    while (!waiting_.empty() && running_.size() < static_cast<std::size_t>(shares_.jobs)) {
        const std::size_t k = waiting_.front();
        waiting_.pop_front();
        makeResultFolder(folderOf(k));
        running_.push_back({k, ChildRun(commandFor(k), logOf(k), folder.lock())});
    }
}

// What became of a variant; a run that ended badly before it had a summary has left only its log.
void Sweep::judge(std::size_t k, int status) {
    SweepVariant& v = variants_[k];
    readSummary(folderOf(k), v);
    if (status == 0) return;
    const bool byUs = signal_ != 0 && (isPoliteStop(status - 128) || v.status == "interrupted");
    v.status = byUs ? "interrupted" : "failed";
    if (byUs) return;
    if (status > 128) {
        v.message = fmt::format("was ended by signal {}{}", status - 128,
                                status == 128 + SIGKILL ? "; if memory ran out, take fewer --jobs" : "");
    } else if (v.message.empty()) {
        v.message = endOfLog(logOf(k)).words;
    }
}

void Sweep::collect() {
    for (auto at = running_.begin(); at != running_.end();) {
        const std::optional<int> status = at->child.ended();
        if (!status) {
            ++at;
            continue;
        }
        judge(at->variant, *status);
        const SweepVariant& v = variants_[at->variant];
        options_.say(fmt::format("[{}/{}] {}: {}{}", ++ended_, variants_.size(), v.name, v.status,
                                 v.status == "finished" ? fmt::format(" after {:.1f} s", v.seconds)
                                 : v.message.empty()    ? ""
                                                        : ", " + v.message));
        at = running_.erase(at);
    }
}

void Sweep::showProgress() const {
    std::string text = fmt::format("{} of {} done", ended_, variants_.size());
    for (const Running& r : running_) {
        const double share = endTimes_[r.variant] > 0 ? timeReached(folderOf(r.variant)) / endTimes_[r.variant] : 0;
        text += fmt::format(" | {} {:.0f} %", variants_[r.variant].name, 100 * std::clamp(share, 0.0, 1.0));
    }
    options_.progress(text);
}

SweepOutcome Sweep::run() {
    const SweepFolder folder(options_);
    findWaiting();
    announce();
    const SignalWatch signals;
    for (unsigned turn = 0; !running_.empty() || (!waiting_.empty() && signal_ == 0); ++turn) {
        if (signal_ == 0) start(folder);
        std::this_thread::sleep_for(pollTime);
        if (signal_ == 0 && signals.received() != 0) {
            signal_ = signals.received();
            for (const Running& r : running_) r.child.send(signal_);
        }
        collect();
        if (turn % 25 == 0) showProgress();
    }
    options_.progress("");
    SweepOutcome outcome{.keys = {}, .variants = std::move(variants_), .signal = signal_};
    for (const Variation& v : options_.vary) outcome.keys.push_back(v.key);
    writeTables(outcome, options_.folder);
    return outcome;
}

}  // namespace

bool SweepOutcome::allFinished() const {
    return std::all_of(variants.begin(), variants.end(), [](const SweepVariant& v) { return v.status == "finished"; });
}

SweepOutcome runSweep(const SweepOptions& options) { return Sweep(options).run(); }

}  // namespace talus
