// --help of both programs: options in words, lines that fit a terminal; what a wrong argument is
// told; and the hidden --man, by which the build obtains the manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace lab::manual {

// To be called before options and subcommands are added, which take over how help is written.
// `page` makes the manual page from the app as it is then.
void prepare(CLI::App& app, std::function<std::string(const CLI::App& app)> page);

// Breaks a text at blanks into lines of at most `width` characters, where words are short enough.
std::string wrapped(const std::string& text, std::size_t width);

}  // namespace lab::manual
