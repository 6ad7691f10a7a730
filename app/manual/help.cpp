#include "manual/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "manual/option_words.h"

namespace lab::manual {
namespace {

constexpr std::size_t kNames = 28;  // columns
constexpr std::size_t kWords = 70;  // so that a line has at most 98

class Formatter : public CLI::Formatter {
  public:
    Formatter() {
        column_width(kNames);
        label("Positionals", "Arguments");
        label("SUBCOMMAND", "COMMAND");
    }
    // CLI11 leaves two empty lines where a group of options is hidden.
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
        for (std::size_t at; (at = help.find("\n\n\n")) != std::string::npos;)
            help.erase(at, 1);
        while (help.ends_with("\n\n"))
            help.pop_back();
        return help;
    }
    std::string make_option_name(const CLI::Option* option, bool) const override {
        return fmt::format("{}", fmt::join(names(*option), ", "));
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string taken = value(*option);
        return taken.empty() || option->get_positional() ? "" : " " + taken;
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(description(*option), kWords);
    }
};

// "--chart: nope not in {time,bandwidth}" as we say it: what is wrong, and what could be meant.
std::optional<std::string> wrong_choice(const std::string& what) {
    constexpr std::string_view kNot = " not in {";
    const auto colon = what.find(": ");
    const auto list = what.rfind(kNot);
    if (colon == what.npos || list == what.npos || !what.ends_with('}')) return std::nullopt;
    const std::string word = what.substr(colon + 2, list - colon - 2);
    std::vector<std::string> known;
    std::istringstream choices(
        what.substr(list + kNot.size(), what.size() - 1 - list - kNot.size()));
    for (std::string each; std::getline(choices, each, ',');)
        known.push_back(each);
    return fmt::format("error: {}: There is no '{}'\n  hint: {}\n", what.substr(0, colon), word,
                       choices_hint(word, known));
}

// "Did you mean --lanes? " for the first option that is not known, or nothing.
std::string meant_option(const CLI::App& app, const std::string& what) {
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            known.push_back("--" + name);
    std::istringstream words(what);
    for (std::string word; words >> word;)
        if (word.starts_with("--"))
            if (const std::string meant = nearest(word, known); !meant.empty())
                return fmt::format("Did you mean {}? ", meant);
    return {};
}

// In the form of our own problems; CLI11 speaks of types where something is missing.
std::string complaint(const CLI::App* app, const CLI::Error& error) {
    std::string what = error.what();
    const auto missing = what.find(" required ");
    if (error.get_name() == "ArgumentMismatch" && missing != std::string::npos)
        what = what.substr(0, what.find(':')) + ": its value is missing";
    if (what == "A subcommand is required") what = "No command was given";
    if (const auto said = wrong_choice(what)) return *said;
    std::string command = app->get_name();
    const bool unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    std::string meant = unknown ? meant_option(*app, what) : "";
    for (const CLI::App* chosen : app->get_subcommands()) {
        command += " " + chosen->get_name();
        if (unknown && meant.empty()) meant = meant_option(*chosen, what);
    }
    return fmt::format("error: {}\n  hint: {}{} --help lists what may be given\n", what, meant,
                       command);
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t width) {
    std::istringstream words(text);
    std::string out;
    std::size_t used = 0;
    for (std::string word; words >> word;) {
        const bool first = used == 0;
        const bool fits = used + 1 + word.size() <= width;
        if (!first) out += fits ? ' ' : '\n';
        used = first || !fits ? word.size() : used + 1 + word.size();
        out += word;
    }
    return out;
}

void prepare(CLI::App& app, std::function<std::string(const CLI::App& app)> page) {
    app.formatter(std::make_shared<Formatter>());
    app.failure_message(complaint);
    app.set_help_flag("-h,--help", "Print this help and end");
    app.set_version_flag("--version", LAB_VERSION, "Print the version and end");
    app.add_flag_callback("--man",
                          [&app, page = std::move(page)] {
                              std::cout << page(app);
                              throw CLI::Success();
                          })
        ->group("");
}

}  // namespace lab::manual
