#include "manual/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "manual/option_words.h"
#include "manual/roff.h"

namespace lab::manual {
namespace {

std::string term(const CLI::Option& option) {
    std::vector<std::string> marked;
    for (const std::string& name : names(option))
        marked.push_back(option.get_positional() ? italic(name) : bold(name));
    const std::string taken = option.get_positional() ? "" : value(option);
    return fmt::format("{}{}", fmt::join(marked, ", "), taken.empty() ? "" : " " + italic(taken));
}

std::string text_of(const CLI::Option& option) {
    return entry(term(option), roff(description(option)));
}

std::vector<const CLI::Option*> shown_options(const CLI::App& app) {
    std::vector<const CLI::Option*> all =
        app.get_options([](const CLI::Option* option) { return shown(*option); });
    std::stable_partition(all.begin(), all.end(),
                          [](const CLI::Option* option) { return option->get_positional(); });
    return all;
}

// The options of several commands, the first of each kind.
std::vector<const CLI::Option*> common_options(const std::vector<const CLI::App*>& commands) {
    std::vector<std::pair<const CLI::Option*, int>> counted;
    for (const CLI::App* command : commands)
        for (const CLI::Option* option : shown_options(*command)) {
            if (option->get_positional()) continue;
            const auto same = std::find_if(counted.begin(), counted.end(), [&](const auto& other) {
                return text_of(*other.first) == text_of(*option);
            });
            if (same == counted.end())
                counted.emplace_back(option, 1);
            else
                ++same->second;
        }
    std::vector<const CLI::Option*> common;
    for (const auto& [option, count] : counted)
        if (count > 1) common.push_back(option);
    return common;
}

std::string synopsis(const CLI::App& command) {
    std::string line = bold(command.get_name());
    for (const CLI::Option* option : shown_options(command))
        if (option->get_positional()) {
            const bool several =
                option->get_expected_max() == CLI::detail::expected_max_vector_size;
            line += " " + italic(names(*option).front()) + (several ? "..." : "");
        }
    return line + " [" + italic("option") + "]...";
}

std::string command_text(const CLI::App& command, const std::vector<const CLI::Option*>& common) {
    std::string page = subsection(command.get_name()) + synopsis(command) + "\n";
    page += paragraph(roff(command.get_description() + "."));
    std::vector<const CLI::Option*> elsewhere;
    std::vector<std::string> also;
    for (const CLI::Option* option : shown_options(command))
        for (const CLI::Option* other : common)
            if (text_of(*option) == text_of(*other)) {
                elsewhere.push_back(option);
                if (option != command.get_help_ptr()) also.push_back(bold(names(*option).back()));
            }
    page += options(command, elsewhere);
    if (!also.empty())
        page += paragraph(
            fmt::format("Options of several commands, below: {}.", fmt::join(also, ", ")));
    return page;
}

}  // namespace

std::string options(const CLI::App& app, std::span<const CLI::Option* const> but) {
    std::string page;
    for (const CLI::Option* option : shown_options(app))
        if (std::find(but.begin(), but.end(), option) == but.end()) page += text_of(*option);
    return page;
}

std::string commands(const CLI::App& app) {
    const std::vector<const CLI::App*> all =
        app.get_subcommands([](const CLI::App*) { return true; });
    const std::vector<const CLI::Option*> common = common_options(all);
    std::string page = section("COMMANDS");
    for (const CLI::App* command : all)
        page += command_text(*command, common);
    page += section("OPTIONS OF SEVERAL COMMANDS");
    for (const CLI::Option* option : common)
        page += text_of(*option);
    return page;
}

std::string statuses(std::span<const Status> all) {
    std::string page = section("EXIT STATUS");
    for (const auto& [exit, when] : all)
        page += entry(bold(std::to_string(static_cast<int>(exit))), roff(when));
    return page;
}

std::string environment() {
    return section("ENVIRONMENT") +
           entry(bold("REDUCTION_LAB_DATA"),
                 roff("The folder with the kernels, words and fonts, in place of "
                      "../share/reduction-lab beside the program's own.")) +
           entry(bold("XDG_CONFIG_HOME"),
                 roff("Where the window's settings are kept, in reduction-lab/ [~/.config]."));
}

}  // namespace lab::manual
