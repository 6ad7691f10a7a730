// The lines of a C++ program as they are written, broken where they are too long.
#pragma once

#include <string>
#include <string_view>

namespace lab::host {

inline constexpr std::size_t kColumns = 80;

class CppLines {
  public:
    // One statement, or several with line ends between them, indented by `depth` levels.
    void add(int depth, std::string_view text);
    void add_empty() { text_ += '\n'; }
    const std::string& text() const { return text_; }

  private:
    void add_line(int depth, std::string_view line);

    std::string text_;
};

// The words as lines of a comment, each after "// ".
std::string comment(std::string_view words);

}  // namespace lab::host
