#include "lang/text/lexer.h"

#include <array>

#include "base/text.h"

namespace lab::lang {
namespace {

enum Class : std::uint8_t { other, blank, digit, letter };

constexpr std::array<Class, 256> make_classes() {
    std::array<Class, 256> classes{};
    for (const char c : {' ', '\t', '\v', '\f', '\r', '\n'})
        classes[static_cast<unsigned char>(c)] = blank;
    for (unsigned c = '0'; c <= '9'; ++c)
        classes[c] = digit;
    for (unsigned c = 'a'; c <= 'z'; ++c)
        classes[c] = letter;
    for (unsigned c = 'A'; c <= 'Z'; ++c)
        classes[c] = letter;
    classes['_'] = letter;
    return classes;
}
constexpr std::array<Class, 256> kClasses = make_classes();

Class class_of(char c) {
    return kClasses[static_cast<unsigned char>(c)];
}
bool in_word(char c) {
    return class_of(c) >= digit;
}

// A place in a text, with spliced lines joined: it never stands on a splice.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) { join(); }

    bool done() const { return at_ >= text_.size(); }
    std::size_t at() const { return at_; }
    std::size_t line_begin() const { return line_begin_; }
    std::uint32_t line() const { return line_; }
    char here() const { return done() ? '\0' : text_[at_]; }
    char next() const {
        Cursor ahead = *this;
        ahead.step();
        return ahead.here();
    }
    bool at_line_end() const {
        return here() == '\n' || (here() == '\r' && text_.substr(at_, 2) == "\r\n");
    }

    void step() {
        if (done()) return;
        if (text_[at_++] == '\n') begin_line();
        join();
    }
    void skip(std::size_t bytes) {
        while (bytes-- > 0)
            step();
    }

    std::string_view text() const { return text_; }

  private:
    void join() {
        while (!done() && text_[at_] == '\\') {
            const std::size_t bytes = splice_at(text_, at_);
            if (bytes == 0) return;
            at_ += bytes;
            begin_line();
        }
    }
    void begin_line() {
        ++line_;
        line_begin_ = at_;
    }

    std::string_view text_;
    std::size_t at_ = 0, line_begin_ = 0;
    std::uint32_t line_ = 1;
};

// Longest first, so that the first that fits is the longest.
constexpr std::array<std::string_view, 37> kPunctuation{
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "*=",  "/=",  "%=", "+=", "-=", "&=", "^=", "|=", "##", "#",  ".",  "&",
    "*",   "+",   "-",   "!",  "/",  "%",  "<",  ">",  "^",  "|",  "="};
constexpr std::string_view kNeverLonger = "()[]{};,?:~";

std::size_t punctuation_length(const Cursor& cursor) {
    if (kNeverLonger.find(cursor.here()) != std::string_view::npos) return 1;
    std::array<char, 3> ahead{};
    Cursor probe = cursor;
    for (char& c : ahead) {
        c = probe.here();
        probe.step();
    }
    const std::string_view three(ahead.data(), ahead.size());
    for (const std::string_view punctuation : kPunctuation)
        if (three.substr(0, punctuation.size()) == punctuation) return punctuation.size();
    return 0;
}

Token::Kind pass_number(Cursor& cursor) {
    for (;;) {
        const char c = cursor.here();
        if (!in_word(c) && c != '.') return Token::Kind::number;
        cursor.step();
        const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
        if (exponent && (cursor.here() == '+' || cursor.here() == '-')) cursor.step();
    }
}

// A string or character; `unknown` where the line ends before it does.
Token::Kind pass_quoted(Cursor& cursor) {
    const char quote = cursor.here();
    cursor.step();
    while (!cursor.done() && !cursor.at_line_end()) {
        const char c = cursor.here();
        cursor.step();
        if (c == quote) return quote == '"' ? Token::Kind::string : Token::Kind::character;
        if (c == '\\' && !cursor.at_line_end()) cursor.step();
    }
    return Token::Kind::unknown;
}

// Moves past one token, which begins at the cursor and is no comment.
Token::Kind pass_token(Cursor& cursor) {
    const char c = cursor.here();
    if (class_of(c) == letter) {
        while (in_word(cursor.here()))
            cursor.step();
        return Token::Kind::identifier;
    }
    if (class_of(c) == digit || (c == '.' && class_of(cursor.next()) == digit))
        return pass_number(cursor);
    if (c == '"' || c == '\'') return pass_quoted(cursor);
    if (const std::size_t length = punctuation_length(cursor); length > 0) {
        cursor.skip(length);
        return Token::Kind::punctuation;
    }
    cursor.skip(first_code_point(cursor.text().substr(cursor.at())).length);
    return Token::Kind::unknown;
}

bool at_comment(const Cursor& cursor) {
    if (cursor.here() != '/') return false;
    const char next = cursor.next();
    return next == '/' || next == '*';
}

// The text without its splices.
std::string without_splices(std::string_view text) {
    std::string joined;
    for (std::size_t index = 0; index < text.size();) {
        if (const std::size_t bytes = splice_at(text, index); bytes > 0)
            index += bytes;
        else
            joined += text[index++];
    }
    return joined;
}

class Lexer {
  public:
    Lexer(const Source& source, std::uint16_t file, std::deque<std::string>& spliced,
          Diagnostics& diagnostics)
        : cursor_(source.text), file_(file), spliced_(spliced), diagnostics_(diagnostics) {
        if (source.text.starts_with("\xef\xbb\xbf")) cursor_.skip(3);  // a byte order mark
    }

    Token next() {
        Token token;
        token.line_start = tokens_ == 0;
        pass_space(token);
        token.place = place_here();
        ++tokens_;
        if (cursor_.done()) return token;

        const std::size_t begin = cursor_.at();
        const std::uint32_t line = cursor_.line();
        token.kind = pass_token(cursor_);
        const std::string_view raw = cursor_.text().substr(begin, cursor_.at() - begin);
        token.text = cursor_.line() == line ? raw : join(raw);
        token.place.length = static_cast<std::uint32_t>(first_line_of(raw));
        return token;
    }

  private:
    Place place_here() const {
        return {.file = file_,
                .line = cursor_.line(),
                .column = static_cast<std::uint32_t>(cursor_.at() - cursor_.line_begin() + 1)};
    }

    void pass_space(Token& token) {
        while (!cursor_.done()) {
            if (class_of(cursor_.here()) == blank) {
                token.line_start |= cursor_.here() == '\n';
                cursor_.step();
            } else if (at_comment(cursor_)) {
                pass_comment();
            } else {
                return;
            }
            token.space_before = true;
        }
    }

    void pass_comment() {
        Place place = place_here();
        place.length = 2;
        cursor_.step();
        const bool to_line_end = cursor_.here() == '/';
        cursor_.step();
        if (to_line_end) {
            while (!cursor_.done() && cursor_.here() != '\n')
                cursor_.step();
            return;
        }
        while (!cursor_.done()) {
            const bool star = cursor_.here() == '*';
            cursor_.step();
            if (star && cursor_.here() == '/') return cursor_.step();
        }
        diagnostics_.error(place, "this comment has no end", "Close it with */");
    }

    // Splices may also follow the token: then its characters are still in one piece.
    std::string_view join(std::string_view raw) {
        std::string text = without_splices(raw);
        if (raw.starts_with(text)) return raw.substr(0, text.size());
        return spliced_.emplace_back(std::move(text));
    }

    static std::size_t first_line_of(std::string_view raw) {
        for (std::size_t index = raw.find('\\'); index != std::string_view::npos;
             index = raw.find('\\', index + 1))
            if (splice_at(raw, index) > 0) return index;
        return raw.size();
    }

    Cursor cursor_;
    std::uint16_t file_;
    std::deque<std::string>& spliced_;
    Diagnostics& diagnostics_;
    std::size_t tokens_ = 0;
};

}  // namespace

std::size_t splice_at(std::string_view text, std::size_t index) {
    const std::string_view here = text.substr(index, 3);
    if (here.starts_with("\\\n")) return 2;
    return here == "\\\r\n" ? 3 : 0;
}

Scanned scan(std::string_view text) {
    Cursor cursor(text);
    if (cursor.done() || class_of(cursor.here()) == blank || at_comment(cursor)) return {};
    const Token::Kind kind = pass_token(cursor);
    return {kind, cursor.at()};
}

void report_unterminated(const Token& token, Diagnostics& diagnostics) {
    if (token.kind != Token::Kind::unknown || token.text.empty()) return;
    if (token.text[0] == '"')
        diagnostics.error(token.place, "this string has no closing '\"' in its line");
    else if (token.text[0] == '\'')
        diagnostics.error(token.place, "this character has no closing ' in its line");
}

std::vector<Token> lex_quietly(const Sources& sources, std::uint16_t file,
                               std::deque<std::string>& spliced, Diagnostics& diagnostics) {
    Lexer lexer(sources[file], file, spliced, diagnostics);
    std::vector<Token> tokens;
    tokens.reserve(sources[file].text.size() / 4 + 1);
    do
        tokens.push_back(lexer.next());
    while (tokens.back().kind != Token::Kind::end);
    return tokens;
}

std::vector<Token> lex(const Sources& sources, std::uint16_t file, std::deque<std::string>& spliced,
                       Diagnostics& diagnostics) {
    std::vector<Token> tokens = lex_quietly(sources, file, spliced, diagnostics);
    for (const Token& token : tokens)
        report_unterminated(token, diagnostics);
    return tokens;
}

}  // namespace lab::lang
