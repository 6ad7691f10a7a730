// --help of both programs: lines that fit a terminal; problems with arguments; and the hidden
// --help-all, of which help2man makes the manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lab::manual {

// To be called before options and subcommands are added, which take over how help is written.
// `sections` writes what --help-all has in place of the footer: "*Heading*", an empty line, and
// entries, as help2man reads them.
void prepare(CLI::App& app, std::function<std::string()> sections);

// Says in words what a command needs, and what may be written for it.
struct ArgumentWords {
    std::string words;  // "a kernel"
    std::string hint;   // {} stands for the command as it was called
};

// Reads the arguments. The exit status if that is all: --help was asked for. Throws Problem.
// `words`: of arguments by their names, for when one is missing.
std::optional<int> parse(CLI::App& app, int argc, const char* const* argv,
                         const std::map<std::string, ArgumentWords>& words = {});

// An option whose value is one of `names`, which --help lists if the description does not.
CLI::Option* add_choice(CLI::App& app, const std::string& option, std::string& value,
                        std::vector<std::string> names, std::string description);
template <typename Names>
CLI::Option* add_choice(CLI::App& app, const std::string& option, std::string& value,
                        const Names& names, std::string description) {
    return add_choice(app, option, value,
                      std::vector<std::string>(std::begin(names), std::end(names)),
                      std::move(description));
}

// Allows the numbers from `least` to `most`, which the description names where that helps.
template <typename Number>
CLI::Validator between(Number least, Number most) {
    return CLI::Range(least, most).description("");
}

// Breaks a text at blanks into lines of at most `width` characters, where words are short enough.
std::string wrapped(const std::string& text, std::size_t width);

}  // namespace lab::manual
