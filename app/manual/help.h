// --help of both programs: options in words, lines that fit a terminal; the complaint about a wrong
// argument; and the hidden --help-all, of which help2man makes the manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace lab::manual {

// To be called before options and subcommands are added, which take over how help is written.
// `sections` writes what --help-all has in place of the footer: "*Heading*", an empty line, and
// entries, as help2man reads them.
void prepare(CLI::App& app, std::function<std::string()> sections);

// Breaks a text at blanks into lines of at most `width` characters, where words are short enough.
std::string wrapped(const std::string& text, std::size_t width);

}  // namespace lab::manual
