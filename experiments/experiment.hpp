// What an experiment is made of. Each has a folder experiments/PAPER/NAME with its scenes (*.yaml, embedded in the
// program) and a source that defines
//
//   namespace talus::reproduce { Experiment PAPER_NAME(); }
//
// CMakeLists.txt finds the folder and lists that function; nothing else is to be edited.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "talus/scene.hpp"
#include "talus/tools/reproduce.hpp"

namespace talus::reproduce {

using Files = std::vector<std::pair<std::string_view, std::string_view>>;  // name, text

// One run of an experiment: where it finds its scenes, and where its findings go.
class Trial {
public:
    Trial(Files scenes, const ReproduceOptions& options, ExperimentResult& result);

    bool isQuick() const { return result_.scale == "quick"; }
    template <class Value>
    Value pick(Value quick, Value paper) const {
        return isQuick() ? quick : paper;
    }
    const std::filesystem::path& folder() const { return options_.folder; }

    // An embedded scene, whose members the experiment then sets. Tables it names are looked for in folder().
    Scene scene(const std::string& file) const;

    // The line that people see while they wait; share of the experiment that is done.
    void progress(const std::string& text, double share) const;

    void add(ComparedRow row) { result_.rows.push_back(std::move(row)); }

    // What should be known beside the rows, such as a size that was chosen and could not have come out otherwise.
    void note(std::string text) { result_.notes.push_back(std::move(text)); }
    void noteWarnings(const std::string& of, const std::vector<std::string>& warnings) {
        for (const std::string& warning : warnings) note(of + ": " + warning);
    }

    // Data as folder()/NAME.csv; every row has one number per column.
    void writeTable(const std::string& name, const std::vector<std::string>& columns,
                    const std::vector<std::vector<double>>& rows) const;

    // A picture folder()/NAME.png (talus/results.hpp). If gnuplot is missing or fails there is none, and a note
    // says so.
    void plot(const std::string& name, const std::string& commands);

private:
    Files scenes_;
    const ReproduceOptions& options_;
    ExperimentResult& result_;
};

struct Experiment {
    std::string paper, title;
    std::function<void(Trial&)> run;
};

// What stands at this place in the list of bodies, such as a Plane.
template <class Kind>
Kind& kindOf(Scene& scene, std::size_t place) {
    return std::get<Kind>(scene.bodies.at(place).kind);
}

// --- rows ----------------------------------------------------------------------------------------------------------

enum class Source { paper, theory };

// |talus - expected| <= share * |expected|
ComparedRow within(const std::string& quantity, const std::string& unit, double expected, double talus, double share,
                   Source source = Source::paper);
// |talus - expected| <= difference
ComparedRow near(const std::string& quantity, const std::string& unit, double expected, double talus, double difference,
                 Source source = Source::paper);
// 0 <= talus <= limit
ComparedRow atMost(const std::string& quantity, const std::string& unit, double limit, double talus,
                   Source source = Source::paper);
// talus >= limit, for what must not vanish
ComparedRow atLeast(const std::string& quantity, const std::string& unit, double limit, double talus,
                    Source source = Source::paper);
// low <= talus <= high, for a ratio whose order is known, with a bound on the other side so that nonsense fails; the
// row has low under `paper`
ComparedRow between(const std::string& quantity, const std::string& unit, double low, double high, double talus,
                    Source source = Source::paper);
// expected / factor <= talus <= expected * factor, for what is known by its order only
ComparedRow sameOrder(const std::string& quantity, const std::string& unit, double expected, double talus,
                      double factor, Source source = Source::paper);

}  // namespace talus::reproduce
