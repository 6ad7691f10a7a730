#include "base/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "base/problem.h"
#include "base/ranges.h"

namespace lab::manual {
namespace {

constexpr std::size_t kNames = 28;  // columns
constexpr std::size_t kWords = 70;  // so that a line has at most 98

// The layout of CLI11's own formatter differs from release to release, which help2man would show.
class Formatter : public CLI::FormatterBase {
  public:
    explicit Formatter(std::function<std::string()> sections) : sections_(std::move(sections)) {
        // CLI11's names of types, as a person reads them.
        label("TEXT", "VALUE");
        label("UINT", "N");
        label("INT", "N");
        label("FLOAT", "NUMBER");
    }

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        const bool all = mode == CLI::AppFormatMode::All;
        std::string help = all ? "" : app->get_description() + "\n";
        help += fmt::format("Usage: {}\n", usage(*app, name.empty() ? app->get_name() : name));
        help += headed("Arguments", options(*app, true)) + headed("Options", options(*app, false));
        std::string commands;
        for (const CLI::App* command : app->get_subcommands({}))
            commands +=
                all ? expanded(*command) : entry(command->get_name(), command->get_description());
        if (all)
            return fmt::format("{}{}\n{}", help,
                               commands.empty() ? "" : "\n*Commands*\n" + commands, sections_());
        help += headed("Commands", commands);
        const std::string& footer = app->get_footer();
        return footer.empty() ? help : fmt::format("{}\n{}\n", help, footer);
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
    std::string options(const CLI::App& app, bool positional, bool help = true) const {
        std::string entries;
        for (const CLI::Option* option : app.get_options())
            if (option->get_positional() == positional && !option->get_group().empty() &&
                (help || option != app.get_help_ptr()))
                entries += entry(names(*option), wrapped(description(*option), kWords));
        return entries;
    }
    // "-o, --output FILE ...", "--documents, --no-documents"; of a positional its name.
    std::string names(const CLI::Option& option) const {
        if (option.get_positional()) return option.get_name(true);
        std::vector<std::string> all = CLI::detail::split(option.get_name(false, true), ',');
        for (std::string& name : all)  // a flag's opposite: "--no-documents{false}"
            name = name.substr(0, name.find('{'));
        std::string text = fmt::format("{}", fmt::join(all, ", "));
        const std::string type = get_label(option.get_type_name());
        if (option.get_type_size() == 0 || type.empty()) return text;
        text += " " + type;
        const bool several = option.get_expected_max() == CLI::detail::expected_max_vector_size;
        return several && !text.ends_with("...") ? text + " ..." : text;
    }
    // In brackets what holds without the option.
    static std::string description(const CLI::Option& option) {
        std::string text = option.get_description();
        if (option.get_required() && !option.get_positional()) text += " (required)";
        const std::string otherwise = option.get_default_str();
        if (option.get_type_size() != 0 && !otherwise.empty() && !text.ends_with(']'))
            text += fmt::format(" [{}]", otherwise);
        return text;
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
    std::string expanded(const CLI::App& command) const {
        return fmt::format("\n{0}:\n  {1}\n{2:{3}}{4}.\n\n{5}{6}", command.get_name(),
                           usage(command, command.get_name()), "", kNames,
                           command.get_description(), options(command, true),
                           options(command, false, false));
    }

    std::function<std::string()> sections_;
};

// "Did you mean --lanes? " for the first word that is no option, or nothing.
std::string meant_option(const CLI::App& app) {
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            known.push_back("--" + name);
    for (const std::string& word : app.remaining(true))
        if (word.starts_with("--"))
            if (const std::string meant = nearest(word, known); !meant.empty())
                return fmt::format("Did you mean {}? ", meant);
    return {};
}

Problem lack_of(const CLI::Option& argument, const std::string& called, const std::string& options,
                const std::map<std::string, ArgumentWords>& words) {
    const std::string name = argument.get_name(true);
    const auto known = words.find(name);
    const bool is_known = known != words.end();
    return Problem(fmt::format("{} needs {}", called, is_known ? known->second.words : name),
                   argument.get_description(),
                   is_known ? fmt::format(fmt::runtime(known->second.hint), called) : options);
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
    app.set_help_flag("-h,--help", "Print this help and end");
    app.set_help_all_flag("--help-all")->group("");
    app.set_version_flag("--version", LAB_VERSION, "Print the version and end");
}

std::optional<int> parse(CLI::App& app, int argc, const char* const* argv,
                         const std::map<std::string, ArgumentWords>& words) {
    try {
        app.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        const CLI::App* command = &app;
        std::string called = app.get_name();
        while (!command->get_subcommands().empty()) {
            command = command->get_subcommands().back();
            called += " " + command->get_name();
        }
        const std::string options =
            fmt::format("{}{} --help lists what may be given", meant_option(*command), called);
        if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
            for (const CLI::Option* option : command->get_options())
                if (option->get_positional() && option->get_required() && option->count() == 0)
                    throw lack_of(*option, called, options, words);
        const bool counted = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
        throw Problem(error.what(), counted ? "An option is given once, and with its value" : "",
                      options);
    }
}

CLI::Option* add_choice(CLI::App& app, const std::string& option, std::string& value,
                        std::vector<std::string> names, std::string description) {
    if (any_of(names, [&](const std::string& name) {
            return description.find(name) == std::string::npos;
        }))
        description += fmt::format(": {}", fmt::join(names, ", "));
    return app.add_option(option, value, description)
        ->check([option, names = std::move(names)](const std::string& word) -> std::string {
            if (contains(names, word)) return {};
            throw Problem(fmt::format("There is no '{}'", word), "", choices_hint(word, names),
                          option);
        });
}

}  // namespace lab::manual
