// Translates diagnostics (problems, errors in a kernel's text, explanations of races) by
// assets/lang/messages.json: English sentences with named gaps. What OpenCL and CUDA call the same
// is in assets/lang/terms.json.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// Names what is said: work-item or thread, work-group or block.
enum class Api : std::uint8_t { opencl, cuda };
inline constexpr const char* kApis[] = {"opencl", "cuda"};  // by Api

// The terms of one API in one language. A text is in OpenCL's, with marks where CUDA's differ:
// [[group]] for a form of the table, [[each group has its|each block has its]] where more than the
// term changes. Without a table the terms are OpenCL's.
class Terms {
  public:
    Terms() = default;
    // `table`: language -> {a form of OpenCL's term: CUDA's}. Throws nlohmann's exceptions if it
    // is anything else.
    Terms(const nlohmann::json& table, std::string_view language);

    // Returns the text without marks. A form that the table lacks stays OpenCL's.
    std::string resolved(std::string_view text) const;
    // Returns what was said in English, without marks, in these terms: names, what is quoted and
    // lines that are indented, as source is, stay as they are.
    std::string renamed(std::string_view english) const;

  private:
    using Forms = std::map<std::string, std::string, std::less<>>;
    bool cuda_ = false;
    Forms forms_, english_;
};

// "'{name}' is not declared" fits any name. A gap whose name begins with "said" holds a sentence
// that must be in the table itself; what is in the others stays as it is. Of several sentences that
// fit, the one with the most letters of its own counts. Not thread-safe.
class Messages {
  public:
    Messages() = default;
    // `table`: English -> {language: text}; "en" only where a window says it otherwise than the
    // command line, of whose options it knows nothing. Throws nlohmann's exceptions if it is
    // anything else.
    Messages(const nlohmann::json& table, std::string_view language, Terms terms = {});

    // Line by line; what is not in the table stays English. Valid until the next call.
    const std::string& translated(std::string_view english) const;
    const Terms& terms() const { return terms_; }

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

    Terms terms_;
    std::vector<Sentence> sentences_;  // those with the most letters first
    // Keeps what was asked before: a window asks for the same again in each frame.
    mutable std::map<std::string, std::string, std::less<>> known_;
};

}  // namespace lab
