#include <exception>

#include "bindings.hpp"
#include "talus/error.hpp"
#include "talus/version.hpp"

namespace talus::python {
namespace {

// The exceptions of the package (talus/_errors.py).
void translate(const std::exception_ptr& thrown, void*) {
    const auto raise = [](const char* name, const char* text) {
        const nb::object kind = nb::module_::import_("talus._errors").attr(name);
        PyErr_SetString(kind.ptr(), text);
    };
    try {
        std::rethrow_exception(thrown);
    } catch (const InputError& error) {
        raise("InputError", error.what());
    } catch (const RunError& error) {
        raise("RunError", error.what());
    }
}

}  // namespace
}  // namespace talus::python

NB_MODULE(_core, module) {
    using namespace talus::python;
    module.doc() = "The public headers of Talus for Python; see the package talus.";
    nb::register_exception_translator(translate);
    module.attr("version") = talus::version();
    bindWorld(module);
    bindStepper(module);
    bindScene(module);
    bindProblem(module);
}
