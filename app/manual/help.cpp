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

// Nothing of CLI11's own formatter: its layout changes from release to release.
class Formatter : public CLI::FormatterBase {
  public:
    explicit Formatter(std::function<std::string()> sections) : sections_(std::move(sections)) {}

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        const bool all = mode == CLI::AppFormatMode::All;
        std::string help = all ? "" : app->get_description() + "\n";
        help += fmt::format("Usage: {}\n", usage(*app, name.empty() ? app->get_name() : name));
        help += headed("Arguments", arguments(*app)) + headed("Options", options(*app, true));
        std::string commands;
        for (const CLI::App* command : app->get_subcommands({}))
            commands +=
                all ? expanded(*command) : entry(command->get_name(), command->get_description());
        if (!all) {
            const std::string& footer = app->get_footer();
            help += headed("Commands", commands);
            return footer.empty() ? help : fmt::format("{}\n{}\n", help, footer);
        }
        if (!commands.empty()) help += "\n*Commands*\n" + commands;
        return fmt::format("{}\n{}", help, sections_());
    }

  private:
    static std::string headed(const std::string& heading, const std::string& entries) {
        return entries.empty() ? "" : fmt::format("\n{}:\n{}", heading, entries);
    }
    // The text begins in the second column, on a line of its own where the name reaches into it.
    static std::string entry(const std::string& name, const std::string& text) {
        std::string line = fmt::format("  {:{}}", name, kNames - 2);
        if (!line.ends_with(' ')) line += fmt::format("\n{:{}}", "", kNames);
        for (const char letter : text) {
            line += letter;
            if (letter == '\n') line.append(kNames, ' ');
        }
        return line + "\n";
    }
    static std::string arguments(const CLI::App& app) {
        std::string entries;
        for (const CLI::Option* option : app.get_options())
            if (option->get_positional())
                entries += entry(option->get_name(true), wrapped(description(*option), kWords));
        return entries;
    }
    static std::string options(const CLI::App& app, bool help) {
        std::string entries;
        for (const CLI::Option* option : app.get_options()) {
            const bool hidden = option->get_group().empty();
            if (!option->nonpositional() || hidden || (option == app.get_help_ptr() && !help))
                continue;
            std::string name = fmt::format("{}", fmt::join(names(*option), ", "));
            if (const std::string taken = value(*option); !taken.empty()) name += " " + taken;
            entries += entry(name, wrapped(description(*option), kWords));
        }
        return entries;
    }
    static std::string usage(const CLI::App& app, std::string name) {
        name += " [OPTIONS]";
        for (const CLI::Option* option : app.get_options()) {
            if (!option->get_positional()) continue;
            const bool several =
                option->get_expected_max() >= CLI::detail::expected_max_vector_size;
            const std::string argument = option->get_name(true) + (several ? "..." : "");
            name += option->get_required() ? " " + argument : fmt::format(" [{}]", argument);
        }
        return app.get_subcommands({}).empty() ? name : name + " COMMAND";
    }
    // A command as help2man takes a subsection: its name, then entries without further headings.
    static std::string expanded(const CLI::App& command) {
        return fmt::format("\n{0}:\n  {1}\n{2:{3}}{4}.\n\n{5}{6}", command.get_name(),
                           usage(command, command.get_name()), "", kNames,
                           command.get_description(), arguments(command), options(command, false));
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
    const auto option = what.substr(0, what.find(':'));
    if (error.get_name() == "ArgumentMismatch" && what.find(" received ") != what.npos)
        what = option + ": it is given more than once";
    else if (error.get_name() == "ArgumentMismatch" && missing != std::string::npos)
        what = option + ": its value is missing";
    if (what == "A subcommand is required") what = "No command was given";
    const bool no_kernel = what == "variant is required" || what == "variants is required";
    if (no_kernel) what = "No kernel is named";
    if (const auto said = wrong_choice(what)) return *said;
    std::string command = app->get_name();
    const bool unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    std::string meant = unknown ? meant_option(*app, what) : "";
    for (const CLI::App* chosen : app->get_subcommands()) {
        command += " " + chosen->get_name();
        if (unknown && meant.empty()) meant = meant_option(*chosen, what);
    }
    return fmt::format("error: {}\n  hint: {}{}{} --help lists what may be given\n", what, meant,
                       no_kernel ? app->get_name() + " variants lists the kernels; " : "", command);
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
