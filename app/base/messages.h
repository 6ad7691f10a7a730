// Translates diagnostics (problems, errors in a kernel's text, explanations of races) by
// assets/lang/messages.json: English sentences with named gaps.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// "'{name}' is not declared" fits any name. A gap whose name begins with "said" holds a sentence
// that must be in the table itself; what is in the others stays as it is. Of several sentences that
// fit, the one with the most letters of its own counts. Not thread-safe.
class Messages {
  public:
    Messages() = default;
    // `table`: English -> {language: text}; "en" only where a window says it otherwise than the
    // command line, of whose options it knows nothing. Throws nlohmann's exceptions if it is
    // anything else.
    Messages(const nlohmann::json& table, std::string_view language);

    // Line by line; what is not in the table stays English. Valid until the next call.
    const std::string& translated(std::string_view english) const;

  private:
    struct Part {
        std::string before;  // the gap
        std::string gap;     // its name; empty at the end
    };
    struct Sentence {
        std::vector<Part> english, text;
        std::size_t letters = 0;  // of English, without the gaps
    };

    static std::vector<Part> parts_of(std::string_view pattern);
    static bool fits(const Sentence& sentence, std::string_view line,
                     std::vector<std::string_view>& gaps);
    // False, and nothing added, if the table has no such line. Nested to `depth` at most.
    bool add(std::string& result, std::string_view line, int depth) const;

    std::string by_lines(std::string_view english) const;

    std::vector<Sentence> sentences_;  // those with the most letters first
    // Keeps what was asked before: a window asks for the same again in each frame.
    mutable std::map<std::string, std::string, std::less<>> known_;
};

}  // namespace lab
