// The texts that make up a kernel's program, and places in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
namespace lab::lang {

// A run of characters in one line of one text. Lines and columns count from 1, columns in bytes.
// `line` 0 means no place. A token from a macro's body is placed where the outermost macro was
// used; `macro_line` and `macro_column` say where it is spelled (in `macro_file`). A macro's
// argument is placed where it is spelled.
struct Place {
    std::uint16_t file = 0;  // in Sources
    std::uint16_t macro_file = 0;
    std::uint32_t line = 0, column = 0, length = 0;
    std::uint32_t macro_line = 0, macro_column = 0;  // 0: not from a macro's body

    bool operator==(const Place&) const = default;
};

// From the start of `a` to the end of `b` where they share a line; else `a`.
Place joined(const Place& a, const Place& b);

struct Source {
    std::string name;  // for messages: "kernels/relaunch.cl", "<options>"
    std::string text;
    std::string included_as =
        {};  // what #include calls it: "inc/types.h"; empty: it is read anyhow
};

// Read one after another, as if they were one text; those to be included where a text asks for
// them.
using Sources = std::vector<Source>;

// The characters of the line without its end; empty if there is no such line.
std::string_view line_of(const Source& source, std::uint32_t line);

// Gives the text as a terminal may have it: one ? for each character that could do more than be
// seen.
std::string harmless(std::string_view text);

// Quotes as much of a line as can be read.
struct QuotedLine {
    std::string text;   // the line; of a long one what is around the place, with ... at its ends
    std::string marks;  // ^~~~ below the place
};
// Columns count from 1, in bytes, as `length` does.
QuotedLine quote_line(std::string_view line, std::uint32_t column = 1, std::uint32_t length = 0);

// Tokens: the smallest pieces of a text.

struct Token {
    enum class Kind : std::uint8_t {
        end,
        identifier,   // keywords too: the parser tells them apart
        number,       // a preprocessing number, 0x1f and 1.5e-3f among others
        character,    // 'a', with its quotes
        string,       // "a", with its quotes
        punctuation,  // the longest that fits: >>= before >>
        unknown,      // one character that begins no token
    } kind = Kind::end;
    bool space_before = false;  // white space or a comment stands before it
    bool line_start = false;    // it is the first of its line
    std::string_view text;
    Place place;

    bool is(std::string_view punctuation_or_word) const {
        return (kind == Kind::punctuation || kind == Kind::identifier) &&
               text == punctuation_or_word;
    }
};

// Errors and warnings about a text, each with its place, as good compilers report them.

struct Diagnostic {
    enum class Severity : std::uint8_t { error, warning } severity = Severity::error;
    Place place;
    std::string message;  // "expected ';' after the expression"
    std::string hint;     // what to write instead; may be empty
    // A name that nothing declares, which may be a macro of the host's.
    enum class Missing : std::uint8_t { no, type, qualifier, value } missing = Missing::no;
    std::string name = {};
};

// Collects up to kMost errors; a second error on the same line of a file is dropped, since it
// mostly follows from the first.
class Diagnostics {
  public:
    static constexpr std::size_t kMost = 20;  // errors, then warnings; further ones are not listed

    void error(const Place& place, std::string message, std::string hint = {});
    void missing(const Place& place, Diagnostic::Missing what, std::string name,
                 std::string message, std::string hint);
    void warning(const Place& place, std::string message, std::string hint = {});
    // Takes back what was reported after the first `count`.
    std::vector<Diagnostic> take_after(std::size_t count);
    void add(const Diagnostic& diagnostic);
    bool failed() const { return errors_ > 0; }  // whether there is an error
    bool full() const { return errors_ >= kMost; }
    const std::vector<Diagnostic>& all() const { return all_; }

  private:
    std::vector<Diagnostic> all_;
    std::size_t errors_ = 0;
};

// As a compiler prints it, in whole lines:
//   kernels/relaunch.cl:25:14: error: 'spam' is not declared
//       data[id] = spam;
//                  ^~~~
//     hint: …
// For text from a macro's body, a further line says where it is spelled.
std::string text_of(const Diagnostic& diagnostic, const Sources& sources);
std::string text_of(const Diagnostics& diagnostics, const Sources& sources);

// All of them as one Problem (Exit::kernel_fault), quoted one after another with their hints; its
// `where` is the first error's file:line:column.
Problem problem_of(const Diagnostics& diagnostics, const Sources& sources);

}  // namespace lab::lang
