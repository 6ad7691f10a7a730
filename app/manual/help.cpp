#include "manual/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "manual/option_text.h"

namespace lab::manual {
namespace {

constexpr std::size_t kNames = 28;  // columns
constexpr std::size_t kWords = 70;  // so that a line has at most 98

class Formatter : public CLI::Formatter {
  public:
    explicit Formatter(std::function<std::string()> sections) : sections_(std::move(sections)) {
        column_width(kNames);
        label("Positionals", "Arguments");
        label("SUBCOMMAND", "COMMAND");
    }
    // CLI11 leaves two empty lines where a group of options is hidden.
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
        if (mode == CLI::AppFormatMode::All) {
            replace(help, app->get_description() + "\n", "");
            replace(help, make_footer(app), "\n" + sections_());
            replace(help, "\nCommands:\n", "\n*Commands*\n\n");
        }
        for (std::size_t index; (index = help.find("\n\n\n")) != std::string::npos;)
            help.erase(index, 1);
        while (help.ends_with("\n\n"))
            help.pop_back();
        return help;
    }
    // A command as help2man takes a subsection: its name, then entries without further headings.
    std::string make_expanded(const CLI::App* command) const override {
        std::string usage = make_usage(command, command->get_name());
        usage = usage.substr(usage.find(command->get_name()));
        std::string options = make_positionals(command) + make_groups(command, {});
        for (const std::string& part : {std::string("\nArguments:\n"), std::string("\nOptions:\n"),
                                        make_option(command->get_help_ptr(), false)})
            replace(options, part, "");
        return fmt::format("{}:\n  {}{:{}}{}.\n\n{}", command->get_name(), usage, "", kNames,
                           command->get_description(), options);
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

  private:
    static void replace(std::string& text, const std::string& from, const std::string& to) {
        const auto found = text.find(from);
        if (found != std::string::npos) text.replace(found, from.size(), to);
    }
    std::function<std::string()> sections_;
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

void prepare(CLI::App& app, std::function<std::string()> sections) {
    app.formatter(std::make_shared<Formatter>(std::move(sections)));
    app.failure_message(complaint);
    app.set_help_flag("-h,--help", "Print this help and end");
    app.set_help_all_flag("--help-all")->group("");
    app.set_version_flag("--version", LAB_VERSION, "Print the version and end");
}

}  // namespace lab::manual
