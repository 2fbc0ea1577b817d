// What the program can say of itself in other forms than --help: its manual page and completions for shells. All three
// follow from the commands and options as they are declared, so none can be forgotten there.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "talus/error.hpp"
#include "talus/version.hpp"

namespace talus::cli {
namespace {

std::vector<const CLI::App*> subcommandsOf(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
}

bool isFlag(const CLI::Option& option) { return option.get_type_size() == 0; }

// Those with a dash, in the order of their declaration; help is the same for all commands.
std::vector<const CLI::Option*> optionsOf(const CLI::App& app) {
    const bool isCommand = app.get_parent() != nullptr;
    return app.get_options([&](const CLI::Option* option) {
        return option->nonpositional() &&
               !(isCommand && (option == app.get_help_ptr() || option == app.get_help_all_ptr()));
    });
}

// Without what the value is checked for: "INT", not "INT:INT in [1 - 1024]".
std::string typeOf(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    return type.substr(0, type.find(':'));
}

std::vector<const CLI::Option*> argumentsOf(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> namesOf(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
    return text;
}

// --- manual page
// -------------------------------------------------------------------------------------------------------

// No dash becomes a hyphen, no line a request.
std::string roff(const std::string& text) {
    const std::string safe = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
    return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

std::string synopsis(const CLI::App& app, const CLI::App& sub) {
    std::string line = fmt::format(".B {} {}\n", app.get_name(), sub.get_name());
    if (!optionsOf(sub).empty()) line += "[\\fIOPTIONS\\fR]\n";
    for (const CLI::Option* argument : argumentsOf(sub)) {
        const std::string many = argument->get_expected_max() > 1 ? "..." : "";
        const std::string word = fmt::format("\\fI{}\\fR{}", roff(argument->get_name(true)), many);
        line += argument->get_required() ? word + "\n" : fmt::format("[{}]\n", word);
    }
    return line;
}

std::string describedOptions(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* argument : argumentsOf(app)) {
        text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(argument->get_name(true)), roff(argument->get_description()));
    }
    for (const CLI::Option* option : optionsOf(app)) {
        const std::string value = isFlag(*option) ? "" : fmt::format(" \\fI{}\\fR", roff(typeOf(*option)));
        text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(joined(namesOf(*option), ", ")), value,
                            roff(option->get_description()));
    }
    return text;
}

std::string manualPage(const CLI::App& app) {
    std::string page = fmt::format(".TH TALUS 1 \"\" \"talus {}\" \"User Commands\"\n", version());
    page += fmt::format(".SH NAME\ntalus \\- {}\n.SH SYNOPSIS\n",
                        "granular matter and many\\-contact rigid\\-body dynamics");
    for (const CLI::App* sub : subcommandsOf(app)) page += synopsis(app, *sub) + ".br\n";
    page +=
        ".SH DESCRIPTION\nScenes are YAML files with units. \\fBtalus examples\\fR lists some to begin with, "
        "\\fBtalus reference\\fR prints every key.\n.SH OPTIONS\n" +
        describedOptions(app) + ".SH COMMANDS\n";
    for (const CLI::App* sub : subcommandsOf(app)) {
        page +=
            fmt::format(".SS {}\n{}\n{}", roff(sub->get_name()), roff(sub->get_description()), describedOptions(*sub));
    }
    return page +
           ".SH EXIT STATUS\n0 if what was asked for was done, 1 if a run failed, 2 for wrong input, 128 plus the "
           "number of the signal that interrupted a run.\n";
}

// --- completions
// -------------------------------------------------------------------------------------------------------

std::vector<std::string> commandNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* sub : subcommandsOf(app)) names.push_back(sub->get_name());
    return names;
}

// Words that begin with a dash complete to options, others to files: most arguments are scenes or folders.
std::string bashCompletion(const CLI::App& app) {
    std::string cases;
    for (const CLI::App* sub : subcommandsOf(app)) {
        std::vector<std::string> names;
        for (const CLI::Option* option : optionsOf(*sub)) {
            for (const std::string& name : namesOf(*option)) names.push_back(name);
        }
        cases += fmt::format("        {}) options=\"{}\" ;;\n", sub->get_name(), joined(names, " "));
    }
    return fmt::format(
        "# bash completion of talus\n"
        "_talus() {{\n"
        "    local word=${{COMP_WORDS[COMP_CWORD]}} options=\"\"\n"
        "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"{} --help --version\" -- \"$word\")\n"
        "        return\n"
        "    fi\n"
        "    case ${{COMP_WORDS[1]}} in\n{}    esac\n"
        "    if [[ $word == -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
        "    else\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
        "    fi\n"
        "}}\n"
        "complete -o filenames -F _talus talus\n",
        joined(commandNames(app), " "), cases);
}

// Quotes end at quotes, brackets and colons have a meaning of their own.
std::string zshText(const std::string& text) {
    return replaced(replaced(replaced(replaced(text, "'", "'\\''"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zshOptions(const CLI::App& app) {
    std::string lines;
    for (const CLI::Option* option : optionsOf(app)) {
        for (const std::string& name : namesOf(*option)) {
            const std::string value = isFlag(*option) ? "" : fmt::format(":{}:_files", zshText(typeOf(*option)));
            lines += fmt::format(" \\\n            '*{}[{}]{}'", name, zshText(option->get_description()), value);
        }
    }
    return lines;
}

std::string zshCompletion(const CLI::App& app) {
    std::string commands, cases;
    for (const CLI::App* sub : subcommandsOf(app)) {
        commands += fmt::format("        '{}:{}'\n", sub->get_name(), zshText(sub->get_description()));
        cases += fmt::format("        {}) _arguments{} \\\n            '*:file:_files' ;;\n", sub->get_name(),
                             zshOptions(*sub));
    }
    return fmt::format(
        "#compdef talus\n"
        "_talus() {{\n"
        "    local -a commands=(\n{}    )\n"
        "    if (( CURRENT == 2 )); then\n"
        "        _describe command commands\n"
        "        return\n"
        "    fi\n"
        "    local command=$words[2]\n"
        "    shift words\n"
        "    (( CURRENT-- ))\n"
        "    case $command in\n{}    esac\n"
        "}}\n"
        "_talus \"$@\"\n",
        commands, cases);
}

std::string description(const CLI::App& app, const std::string& form) {
    if (form == "man") return manualPage(app);
    if (form == "bash") return bashCompletion(app);
    if (form == "zsh") return zshCompletion(app);
    throw InputError(fmt::format("describe: must be man, bash or zsh, got '{}'", form));
}

}  // namespace

// For packages; people have --help.
void addDescribeCommand(CLI::App& app, int& status) {
    const auto form = std::make_shared<std::string>();
    CLI::App* sub = command(app, "describe", "print the manual page (man) or a completion (bash, zsh)", status,
                            [&app, form] { return print("{}", description(app, *form)), 0; });
    sub->add_option("FORM", *form, "man, bash or zsh")->required();
    sub->group("");
}

}  // namespace talus::cli
