// expanded_text(): the source with its passages replaced.
#include <algorithm>

#include "lang/text/lexer.h"
#include "lang/text/passage.h"

namespace lab::lang {
namespace {

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\v\f\r\n") == std::string_view::npos;
}

// Whether two tokens side by side would be read as something else.
bool merge(std::string_view left, std::string_view right) {
    return scan(std::string(left) + std::string(right)).length != left.size();
}

// Where the comment at `at` ends; `at` itself if there is none.
std::size_t comment_end(std::string_view text, std::size_t index) {
    const std::string_view begin = text.substr(index, 2);
    if (begin == "/*") {
        const std::size_t end = text.find("*/", index + 2);
        return end == std::string_view::npos ? text.size() : end + 2;
    }
    if (begin != "//") return index;
    while (index < text.size() && text[index] != '\n')
        index += std::max<std::size_t>(splice_at(text, index), 1);
    return index;
}

// The first \n from `at` on that ends a line: comments and splices hold none. The text's size if
// there is none.
std::size_t line_end(std::string_view text, std::size_t index) {
    while (index < text.size() && text[index] != '\n') {
        const std::size_t after_comment = comment_end(text, index);
        index = after_comment > index ? after_comment
                                      : index + std::max<std::size_t>(splice_at(text, index), 1);
    }
    return index;
}

// Where the token of text `token` ends that begins at `at`.
std::size_t token_end(std::string_view text, std::size_t index, std::string_view token) {
    for (std::size_t left = token.size(); left > 0 && index < text.size(); --left) {
        while (const std::size_t bytes = splice_at(text, index))
            index += bytes;
        ++index;
    }
    return std::min(index, text.size());
}

class Writer {
  public:
    Writer(const Passages& read, std::string_view text, std::uint16_t file)
        : read_(read), text_(text), file_(file), lines_{0} {
        for (std::size_t index = text.find('\n'); index != std::string_view::npos;
             index = text.find('\n', index + 1))
            lines_.push_back(index + 1);
        if (lines_.size() > 1 && text.substr(0, lines_[1]).ends_with("\r\n")) line_break_ = "\r\n";
    }

    std::string write() {
        for (const Passage& passage : read_.passages) {
            const Place& begin = read_.text[passage.first].place;
            const Place& end = read_.text[passage.last - 1].place;
            if (end.file < file_ || begin.file > file_) continue;
            if (passage.kind == Passage::Kind::left_out)
                leave_out(passage);
            else
                expand(passage);
        }
        copy_up_to(read_.text.size() - 1);
        copy(text_.size());
        flush();
        if (at_seam_ && ends_blank()) out_.resize(last_line());
        return std::move(out_);
    }

  private:
    // In this text; what stands in others is at its begin or end.
    std::size_t offset(const Token& token) const {
        if (token.place.file != file_) return token.place.file < file_ ? 0 : text_.size();
        return std::min(lines_[token.place.line - 1] + token.place.column - 1, text_.size());
    }
    std::size_t end_of(const Token& token) const {
        return token.place.file == file_ ? token_end(text_, offset(token), token.text)
                                         : offset(token);
    }

    void expand(const Passage& passage) {
        copy_up_to(passage.first);
        for (std::size_t i = passage.begin; i < passage.end; ++i) {
            const Token& token = read_.output.tokens[i];
            const bool apart = i > passage.begin && (token.space_before || token.line_start);
            if (apart) out_ += ' ';
            if (!apart) keep_apart(token.text);
            out_ += token.text;
            last_written_ = token.text;
            at_seam_ = false;
        }
        const std::size_t end = std::max(at_, end_of(read_.text[passage.last - 1]));
        missing_lines_ += std::count(text_.begin() + std::ptrdiff_t(at_),
                                     text_.begin() + std::ptrdiff_t(end), '\n');
        at_ = end;
        next_ = passage.last;
        if (passage.begin == passage.end) close_gap();
    }

    // What expands to nothing leaves one of the spaces around it, none after a parenthesis.
    void close_gap() {
        const bool open =
            out_.empty() || std::string_view(" \t\n(").find(out_.back()) != std::string_view::npos;
        if (open && at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    void leave_out(const Passage& passage) {
        copy_up_to(passage.first);
        std::size_t end = line_end(text_, end_of(read_.text[passage.last - 1]));
        // A comment that begins before the # keeps its line's end.
        const std::string_view margin = std::string_view(out_).substr(line_begin());
        if (is_blank(margin)) {
            out_.resize(out_.size() - margin.size());
            if (end < text_.size()) ++end;
            at_seam_ = true;
        }
        at_ = std::max(at_, end);
        next_ = passage.last;
        last_written_ = {};
    }

    // All up to the text's token `index`, as it is.
    void copy_up_to(std::size_t index) {
        if (next_ < index && !read_.text[next_].space_before && !read_.text[next_].line_start)
            keep_apart(read_.text[next_].text);
        copy(offset(read_.text[index]));
        const Token& token = read_.text[index];
        if (index == 0 || token.space_before || token.line_start)
            last_written_ = {};
        else if (next_ < index)
            last_written_ = read_.text[index - 1].text;
    }

    void copy(std::size_t end) {
        if (end <= at_) return;
        std::string_view raw = text_.substr(at_, end - at_);
        at_ = end;
        if (at_seam_) raw = without_double_blank(raw);
        if (raw.empty()) return;
        at_seam_ = false;
        if (missing_lines_ > 0) {
            const std::size_t line = line_end(raw, 0);
            if (line < raw.size()) {
                out_ += raw.substr(0, line + 1);
                flush();
                raw.remove_prefix(line + 1);
            }
        }
        out_ += raw;
    }

    // A space where what was written last and `token` would read as something else.
    void keep_apart(std::string_view token) {
        if (!last_written_.empty() && merge(last_written_, token)) out_ += ' ';
    }

    // The line ends that expansions took.
    void flush() {
        for (; missing_lines_ > 0; --missing_lines_)
            out_ += line_break_;
    }

    // Where lines were removed, the blank ones before and after make one; none at the begin.
    std::string_view without_double_blank(std::string_view raw) {
        bool had_blank = out_.empty() || ends_blank();
        for (;;) {
            const std::size_t end = raw.find('\n');
            if (end == std::string_view::npos || !is_blank(raw.substr(0, end))) return raw;
            if (!had_blank) out_ += raw.substr(0, end + 1);
            had_blank = true;
            raw.remove_prefix(end + 1);
        }
    }

    std::size_t line_begin() const { return out_.rfind('\n') + 1; }  // npos + 1 is 0
    std::size_t last_line() const {
        return out_.size() < 2 ? 0 : out_.rfind('\n', out_.size() - 2) + 1;
    }
    bool ends_blank() const {
        return out_.ends_with('\n') && is_blank(std::string_view(out_).substr(last_line()));
    }

    const Passages& read_;
    std::string_view text_;
    std::uint16_t file_;
    std::vector<std::size_t> lines_;  // where they begin
    std::string_view line_break_ = "\n";

    std::string out_;
    std::size_t at_ = 0;             // of the text: what is before it is written
    std::size_t next_ = 0;           // the first token that is not
    std::string_view last_written_;  // a token, if nothing stands after it yet
    std::ptrdiff_t missing_lines_ = 0;
    bool at_seam_ = false;  // all since lines were removed is blank
};

}  // namespace

std::string expanded_text(const Sources& sources, std::uint16_t file) {
    if (file >= sources.size()) return {};
    Diagnostics diagnostics;
    const Passages read = preprocess_passages(sources, file + std::size_t{1}, diagnostics);
    return Writer(read, sources[file].text, file).write();
}

}  // namespace lab::lang
