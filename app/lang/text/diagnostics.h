// Errors and warnings about a text, each with its place, as good compilers report them.
#pragma once

#include <string>
#include <vector>

#include "base/problem.h"
#include "lang/text/source.h"

namespace lab::lang {

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
    static constexpr std::size_t kMost = 20;

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
