#include "lang/lexer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.h"
#include "lang/code.h"
#include "lang/parser.h"

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
        const bool separates = c == '\'' && in_word(cursor.next());  // 1'000, as C++ has it
        if (!in_word(c) && c != '.' && !separates) return Token::Kind::number;
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

std::optional<std::uint8_t> character_of(std::string_view literal) {
    std::string_view text = literal.substr(1, literal.size() - 2);
    if (text.size() == 1 && text[0] != '\\') return static_cast<std::uint8_t>(text[0]);
    if (text.size() < 2 || text[0] != '\\') return {};
    text.remove_prefix(1);
    constexpr std::string_view kLetters = "ntr\\'\"abfv?", kMeanings = "\n\t\r\\'\"\a\b\f\v?";
    const std::size_t letter_at = kLetters.find(text[0]);
    if (letter_at != std::string_view::npos && text.size() == 1)
        return static_cast<std::uint8_t>(kMeanings[letter_at]);
    const bool hex = text[0] == 'x';
    if (hex) text.remove_prefix(1);
    std::uint8_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value, hex ? 16 : 8);
    return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

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

std::vector<Token> lex(const Sources& sources, std::uint16_t file, std::deque<std::string>& spliced,
                       Diagnostics& diagnostics) {
    Lexer lexer(sources[file], file, spliced, diagnostics);
    std::vector<Token> tokens;
    tokens.reserve(sources[file].text.size() / 4 + 1);
    do
        tokens.push_back(lexer.next());
    while (tokens.back().kind != Token::Kind::end);
    return tokens;
}

// Numbers and characters as the text has them, and expressions of constants.
namespace {

std::optional<double> floating_of(std::uint64_t bits, const Type& type) {
    if (type.is_half()) return value_of_half(static_cast<std::uint16_t>(bits));
    if (type.scalar == Scalar::float_) return float_of(bits);
    if (type.scalar == Scalar::double_) return double_of(bits);
    if (info(type.scalar).is_signed) return static_cast<double>(static_cast<std::int64_t>(bits));
    return static_cast<double>(bits);
}

std::optional<std::uint64_t> converted(std::uint64_t bits, const Type& from, const Type& to) {
    if (!from.is_scalar() || !to.is_scalar()) return std::nullopt;
    if (to.scalar == Scalar::bool_) return *floating_of(bits, from) != 0 ? 1 : 0;
    if (to.scalar == Scalar::double_) return bits_of(*floating_of(bits, from));
    if (to.is_half()) return half_of(*floating_of(bits, from));
    if (to.scalar == Scalar::float_) {
        if (from.is_half()) return bits_of(static_cast<float>(*floating_of(bits, from)));
        if (from.scalar == Scalar::double_) return bits_of(static_cast<float>(double_of(bits)));
        if (from.scalar == Scalar::float_) return bits;
        return bits_of(info(from.scalar).is_signed
                           ? static_cast<float>(static_cast<std::int64_t>(bits))
                           : static_cast<float>(bits));
    }
    if (!from.is_floating()) return canonical(to.scalar, bits);
    const double value = std::trunc(*floating_of(bits, from));
    const bool is_signed = info(to.scalar).is_signed;
    if (!(value >= (is_signed ? -9223372036854775808.0 : 0.0) &&
          value < (is_signed ? 9223372036854775808.0 : 18446744073709551616.0)))
        return std::nullopt;
    return canonical(to.scalar, is_signed
                                    ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                    : static_cast<std::uint64_t>(value));
}

template <typename T>
std::optional<std::uint64_t> comparison_of(Operator how, T a, T b) {
    if (how == Operator::eq) return a == b;
    if (how == Operator::ne) return a != b;
    if (how == Operator::lt) return a < b;
    if (how == Operator::le) return a <= b;
    if (how == Operator::gt) return a > b;
    if (how == Operator::ge) return a >= b;
    return std::nullopt;
}

std::optional<std::uint64_t> binary_of(Operator how, std::uint64_t a, std::uint64_t b,
                                       Scalar scalar) {
    const bool is_signed = info(scalar).is_signed;
    const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
    const unsigned count = static_cast<unsigned>(b) & (info(scalar).bytes * 8U - 1U);
    switch (how) {
        case Operator::add:
            return canonical(scalar, a + b);
        case Operator::sub:
            return canonical(scalar, a - b);
        case Operator::mul:
            return canonical(scalar, a * b);
        case Operator::div:
        case Operator::rem: {
            if (b == 0) return std::nullopt;
            if (!is_signed) return how == Operator::div ? a / b : a % b;
            if (sb == -1) return how == Operator::div ? canonical(scalar, 0 - a) : 0;
            return static_cast<std::uint64_t>(how == Operator::div ? sa / sb : sa % sb);
        }
        case Operator::shl:
            return canonical(scalar, a << count);
        case Operator::shr:
            return is_signed ? static_cast<std::uint64_t>(sa >> count) : a >> count;
        case Operator::and_:
            return a & b;
        case Operator::or_:
            return a | b;
        case Operator::xor_:
            return a ^ b;
        default:
            return is_signed ? comparison_of(how, sa, sb) : comparison_of(how, a, b);
    }
}

template <typename T>
std::optional<std::uint64_t> floating_binary_of(Operator how, T a, T b) {
    return how == Operator::add   ? bits_of(a + b)
           : how == Operator::sub ? bits_of(a - b)
           : how == Operator::mul ? bits_of(a * b)
           : how == Operator::div ? bits_of(a / b)
                                  : comparison_of(how, a, b);
}

std::optional<std::uint64_t> unary_of(const Expression& expression, std::uint64_t bits) {
    const Scalar scalar = expression.type->scalar;
    if (expression.operator_ == Operator::complement) return canonical(scalar, ~bits);
    if (expression.operator_ != Operator::negate) return std::nullopt;
    if (scalar == Scalar::float_) return bits_of(-float_of(bits));
    if (scalar == Scalar::double_) return bits_of(-double_of(bits));
    return canonical(scalar, 0 - bits);
}

}  // namespace

std::optional<std::uint64_t> constant_of(const Expression& expression, bool named) {
    using ExpressionKind = Expression::Kind;
    if (expression.type == nullptr || !expression.type->is_scalar()) return std::nullopt;
    if (expression.kind == ExpressionKind::constant) return expression.bits;
    if (expression.kind == ExpressionKind::variable && named && expression.variable != nullptr)
        return expression.variable->value;
    if (expression.operands.empty() || expression.operands[0]->type == nullptr) return std::nullopt;
    // Deep chains a + b + c … nest to the left; what is deeper than this is no constant.
    int depth = 0;
    for (const Expression* at = &expression; !at->operands.empty(); at = at->operands[0])
        if (++depth > 500) return std::nullopt;
    const auto first = constant_of(*expression.operands[0], named);
    if (!first) return std::nullopt;
    switch (expression.kind) {
        case ExpressionKind::convert:
            return converted(*first, *expression.operands[0]->type, *expression.type);
        case ExpressionKind::unary:
            return unary_of(expression, *first);
        case ExpressionKind::reinterpret:
            return canonical(expression.type->scalar, *first);
        case ExpressionKind::logical_and:
        case ExpressionKind::logical_or: {
            const bool decides = (*first == 0) == (expression.kind == ExpressionKind::logical_and);
            const auto second = decides ? first : constant_of(*expression.operands[1], named);
            if (!second) return std::nullopt;
            return *second != 0;
        }
        case ExpressionKind::conditional:
            return constant_of(*expression.operands[*first != 0 ? 1 : 2], named);
        case ExpressionKind::binary: {
            const auto second = constant_of(*expression.operands[1], named);
            const Type* operands = expression.operands[0]->type;
            if (!second || !operands->is_scalar()) return std::nullopt;
            if (operands->scalar == Scalar::float_)
                return floating_binary_of(expression.operator_, float_of(*first),
                                          float_of(*second));
            if (operands->scalar == Scalar::double_)
                return floating_binary_of(expression.operator_, double_of(*first),
                                          double_of(*second));
            return binary_of(expression.operator_, *first, *second, operands->scalar);
        }
        default:
            return std::nullopt;
    }
}

std::optional<std::int64_t> Parser::constant_integer(const char* what) {
    const Place place = peek().place;
    E* expr = conditional();
    if (expr->type == nullptr) return std::nullopt;
    const auto bits = expr->type->is_integral() ? constant_of(*expr, true) : std::nullopt;
    if (!bits) {
        error(joined(place, expr->place), fmt::format("{} must be a constant integer", what),
              "Use numbers, macros, enumerators and const integers with such values");
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*bits);
}

Expression* Parser::number() {
    const Token& token = next();
    std::string text(token.text);
    if (host_ != nullptr) std::erase(text, '\'');
    const bool hex = text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const bool floating = text.find('.') != std::string::npos ||
                          text.find_first_of(hex ? "pP" : "eE") != std::string::npos;
    if (floating) {
        char* end = nullptr;
        const double as_double = std::strtod(text.c_str(), &end);
        const std::string suffix(end);
        if (suffix == "f" || suffix == "F")
            return constant(types_.scalar(Scalar::float_),
                            bits_of(std::strtof(text.c_str(), nullptr)), token.place);
        if (suffix.empty())
            return constant(types_.scalar(Scalar::double_), bits_of(as_double), token.place);
        if (suffix == "h" || suffix == "H")
            return constant(types_.scalar(Scalar::half_), half_of(as_double), token.place);
        return broken(token.place, fmt::format("'{}' is no number", text.substr(0, 40)),
                      "The suffix of a float is f");
    }
    const bool binary = text.starts_with("0b") || text.starts_with("0B");
    std::size_t end = text.find_first_of(hex ? "uUlL" : "uUlLfF");
    if (end == std::string::npos) end = text.size();
    std::string suffix = text.substr(end);
    for (char& c : suffix)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (const std::size_t twice = suffix.find("ll"); host_ != nullptr && twice != std::string::npos)
        suffix.erase(twice, 1);
    const bool is_unsigned = suffix == "u" || suffix == "ul" || suffix == "lu";
    const bool is_long = suffix == "l" || suffix == "ul" || suffix == "lu";
    const bool octal = !hex && !binary && text.size() > 1 && text[0] == '0';
    std::uint64_t value = 0;
    const char* const last = text.data() + end;
    const auto [rest, wrong] = std::from_chars(text.data() + (hex || binary ? 2 : 0), last, value,
                                               hex      ? 16
                                               : binary ? 2
                                               : octal  ? 8
                                                        : 10);
    if (wrong == std::errc::invalid_argument || rest != last ||
        !(suffix.empty() || is_unsigned || is_long))
        return broken(token.place, fmt::format("'{}' is no number", text.substr(0, 40)),
                      octal && suffix.empty()
                          ? "What begins with 0 is octal: its digits are 0 to 7"
                          : "Suffixes are u, l, ul, and f after a decimal point");
    if (wrong == std::errc::result_out_of_range)
        error(token.place, "the number does not fit 64 bits");
    Scalar scalar = is_unsigned ? Scalar::uint : Scalar::int_;
    const bool decimal = !hex && !binary && !octal;
    if (scalar == Scalar::int_ && value > 0x7fffffffU)
        scalar = !decimal && value <= 0xffffffffU ? Scalar::uint : Scalar::long_;
    if (scalar == Scalar::uint && value > 0xffffffffU) scalar = Scalar::ulong;
    if (is_long && scalar == Scalar::int_) scalar = Scalar::long_;
    if (is_long && scalar == Scalar::uint) scalar = is_unsigned ? Scalar::ulong : Scalar::long_;
    if (scalar == Scalar::long_ && value > 0x7fffffffffffffffU) scalar = Scalar::ulong;
    return constant(types_.scalar(scalar), canonical(scalar, value), token.place);
}

Expression* Parser::character() {
    const Token& token = next();
    const auto value = character_of(token.text);
    if (!value)
        return broken(token.place, fmt::format("{} is no character", token.text.substr(0, 20)),
                      "Write one character between quotes");
    // An int in C, a char in C++.
    return constant(types_.scalar(host_ == nullptr ? Scalar::int_ : Scalar::char_),
                    canonical(Scalar::char_, *value), token.place);
}

}  // namespace lab::lang
