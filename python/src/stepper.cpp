// What moves a world.
#include "talus/stepper.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <thread>

#include "bindings.hpp"
#include "talus/error.hpp"
#include "talus/problem.hpp"
#include "talus/settings_text.hpp"

namespace talus::python {
namespace {

using Clock = std::chrono::steady_clock;

// How long steps go on without a look at Python: signals are answered after that.
constexpr double secondsBetweenLooks = 0.05;

// A stepper with forces in Python. Such a force that raises an error ends the step without acting; the error is told
// when the step is whole.
struct PythonStepper {
    Stepper stepper;
    bool stopped = false;

    // `call(force, torque)` adds to two arrays that are its own while it runs; true: stop after this step. Python keeps
    // the function alive: what C++ held, Python's collector could not see.
    void addForce(const nb::object& function) {
        stepper.addForce([this, weak = nb::object(nb::weakref(function))](const World&, Forces& forces) {
            const nb::gil_scoped_acquire gil;
            const nb::object call = weak();
            if (call.is_none()) return;
            const auto rows = [](std::span<Vec3> items) {
                return Array<double>(reinterpret_cast<double*>(items.data()), {items.size(), 3}, nb::none());
            };
            stopped = nb::cast<bool>(call(rows(forces.force()), rows(forces.torque()))) || stopped;
        });
    }
};

struct Advance {
    StepReport report;
    std::uint64_t steps = 0, unconverged = 0;
    bool stopped = false;
    std::vector<std::string> warnings;
    std::string failure;  // why a world of many cannot go on
};

// Steps until so many are taken, the time is reached, or it is time to look at Python.
Advance advance(PythonStepper& self, World& world, std::uint64_t steps, double end) {
    const nb::gil_scoped_release released;
    const Clock::time_point start = Clock::now();
    Advance done;
    self.stopped = false;
    while (done.steps < steps && !done.stopped) {
        done.report = self.stepper.step(world);
        ++done.steps;
        if (!done.report.solve.converged()) ++done.unconverged;
        for (std::string& warning : done.report.warnings) done.warnings.push_back(std::move(warning));
        if (world.time() > end - 1e-6 * self.stepper.stepLength()) break;
        done.stopped =
            self.stopped || std::chrono::duration<double>(Clock::now() - start).count() > secondsBetweenLooks;
    }
    return done;
}

// Several worlds, each by its own stepper, so many steps each; on several threads, one world at a time on each. One
// that cannot go on does not stop the others.
std::vector<Advance> advanceMany(const std::vector<PythonStepper*>& steppers, const std::vector<World*>& worlds,
                                 std::uint64_t steps, std::size_t threads) {
    const nb::gil_scoped_release released;
    std::vector<Advance> done(worlds.size());
    std::vector<std::exception_ptr> failures(worlds.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k; (k = next++) < worlds.size();) {
            try {
                for (std::uint64_t step = 0; step < steps; ++step) {
                    done[k].report = steppers[k]->stepper.step(*worlds[k]);
                    if (!done[k].report.solve.converged()) ++done[k].unconverged;
                }
                done[k].steps = steps;
            } catch (const RunError& error) {
                done[k].failure = error.what();
            } catch (...) {
                failures[k] = std::current_exception();
            }
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t k = 1; k < std::min(threads, worlds.size()); ++k) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
    return done;
}

void bindReport(nb::module_& m) {
    nb::class_<StepReport>(m, "StepReport")
        .def("__repr__",
             [](const StepReport& r) {
                 if (r.solve.status == "not run") return std::string("<step>");
                 return "<step: " + std::to_string(r.contacts) + " contacts, " + r.solve.status + " by " +
                        r.solve.solver + " in " + std::to_string(r.solve.iterations) + " iterations>";
             })
        .def_prop_ro("status", [](const StepReport& r) { return r.solve.status; })
        .def_prop_ro("converged", [](const StepReport& r) { return r.solve.converged(); })
        .def_prop_ro("solver", [](const StepReport& r) { return r.solve.solver; })
        .def_prop_ro("residual", [](const StepReport& r) { return r.solve.residual; })
        .def_prop_ro("penetration", [](const StepReport& r) { return r.solve.penetration; })
        .def_prop_ro("iterations", [](const StepReport& r) { return r.solve.iterations; })
        .def_prop_ro("seconds", [](const StepReport& r) { return r.solve.seconds; })
        .def_ro("contacts", &StepReport::contacts)
        .def_prop_ro("equilibrium", [](const StepReport& r) { return r.equilibrium.reached; })
        .def_prop_ro("unbalanced", [](const StepReport& r) { return r.equilibrium.unbalanced; })
        .def_prop_ro("jammed", [](const StepReport& r) -> std::optional<std::uint32_t> {
            if (r.jammed) return r.jammed->joint.value;
            return std::nullopt;
        });
    nb::class_<Advance>(m, "Advance")
        .def_ro("report", &Advance::report)
        .def_ro("steps", &Advance::steps)
        .def_ro("unconverged", &Advance::unconverged)
        .def_ro("warnings", &Advance::warnings)
        .def_ro("failure", &Advance::failure);
}

}  // namespace

void bindStepper(nb::module_& m) {
    bindReport(m);
    nb::class_<PythonStepper>(m, "Stepper")
        .def("__init__",
             [](PythonStepper* self, const std::string& method, const std::string& settings) {
                 new (self) PythonStepper{Stepper(parseSettings<StepMethod>(method, "method"),
                                                  parseSettings<StepperSettings>(settings, "Simulation"))};
             })
        .def("add_force", &PythonStepper::addForce)
        .def("advance", advance)
        .def_prop_ro("step_length", [](const PythonStepper& s) { return s.stepper.stepLength(); })
        .def_prop_ro("step_reason", [](const PythonStepper& s) { return s.stepper.stepReason(); })
        .def("problem", [](const PythonStepper& s) -> std::optional<std::pair<ContactProblem, Array<double>>> {
            if (s.stepper.problem() == nullptr) return std::nullopt;
            return std::pair(*s.stepper.problem(), arrayOf(s.stepper.reactions()));
        });
    m.def("advance_many", advanceMany);
    m.def("use_threads", useThreads);
    m.def("parse_quantity", parseQuantityOf);
}

}  // namespace talus::python
