#include "lang/preprocess.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/expression.h"
#include "base/ranges.h"
#include "base/text.h"
#include "lang/lexer.h"

namespace lab::lang {
namespace {

using Line = std::span<const Token>;

struct Macro {
    struct Part {
        Token token;
        int parameter = -1;   // in parameters; -1: not one of them
        bool quoted = false;  // #parameter
        bool pasted = false;  // ## stands before it
    };
    enum class Known : std::uint8_t { no, line, file, counter };

    Place place;  // of its name where it is defined
    bool takes_arguments = false;
    bool variadic = false;  // the last parameter takes all further arguments
    std::vector<std::string_view> parameters;
    std::vector<Part> body;
    Known known = Known::no;
    bool open = false;  // it is being expanded, so its name stays unexpanded
};

using Macros = std::unordered_map<std::string_view, Macro>;

// True if this token, where it stands in a text, begins a directive.
bool starts_directive(const Token& token) {
    return token.line_start && token.is("#");
}

// For messages: "'name'", or "the end of the line" where `line` has no such token.
std::string name_of(std::span<const Token> line, std::size_t index) {
    if (index >= line.size() || line[index].kind == Token::Kind::end) return "the end of the line";
    constexpr std::size_t kMost = 40;  // bytes of a word in an error; ... stands for the rest
    const std::string_view text = line[index].text;
    return fmt::format("'{}{}'", text.substr(0, kMost), text.size() > kMost ? "..." : "");
}

constexpr std::size_t kMostParameters = 255;  // of a macro; more are refused
constexpr std::string_view kRest = "__VA_ARGS__";

// Reads one definition; the first error ends it.
class Definition {
  public:
    Definition(std::span<const Token> line, const Place& directive, Diagnostics& diagnostics)
        : line_(line), directive_(directive), diagnostics_(diagnostics) {}

    std::optional<Macro> read() {
        if (!read_name() || !read_parameters() || !read_body()) return std::nullopt;
        return std::move(macro_);
    }

  private:
    bool fail(std::size_t index, std::string message) {
        const Place place = index < line_.size() ? line_[index].place
                            : line_.empty()      ? directive_
                                                 : line_.back().place;
        diagnostics_.error(place, std::move(message));
        return false;
    }

    bool is(std::size_t index, std::string_view text) const {
        return index < line_.size() && line_[index].is(text);
    }
    bool is_word(std::size_t index) const {
        return index < line_.size() && line_[index].kind == Token::Kind::identifier;
    }

    bool read_name() {
        if (!is_word(0))
            return fail(0, fmt::format("expected a macro's name after #define, but found {}",
                                       name_of(line_, 0)));
        if (line_[0].text == "defined" || line_[0].text == kRest)
            return fail(0, fmt::format("'{}' cannot be a macro's name", line_[0].text));
        macro_.place = line_[0].place;
        at_ = 1;
        return true;
    }

    bool read_parameters() {
        if (!is(1, "(") || line_[1].space_before) return true;
        macro_.takes_arguments = true;
        at_ = 2;
        if (is(at_, ")")) return ++at_, true;
        for (;;) {
            if (!read_parameter()) return false;
            if (is(at_, ")")) return ++at_, true;
            if (macro_.variadic)
                return fail(at_, fmt::format("expected ')' after '...', but found {}",
                                             name_of(line_, at_)));
            if (!is(at_, ","))
                return fail(at_,
                            fmt::format("expected ',' or ')' after parameter '{}', but found {}",
                                        macro_.parameters.back(), name_of(line_, at_)));
            ++at_;
        }
    }

    bool read_parameter() {
        std::string_view name = kRest;
        if (is(at_, "...")) {
            macro_.variadic = true;
        } else if (!is_word(at_) || line_[at_].text == kRest) {
            return fail(
                at_, fmt::format("expected a parameter's name, but found {}", name_of(line_, at_)));
        } else {
            name = line_[at_].text;
        }
        if (parameter(name) >= 0)
            return fail(at_, fmt::format("two parameters of macro '{}' have the name '{}'",
                                         line_[0].text, name));
        if (macro_.parameters.size() == kMostParameters)
            return fail(at_, fmt::format("a macro takes at most {} parameters", kMostParameters));
        macro_.parameters.push_back(name);
        ++at_;
        return true;
    }

    int parameter(std::string_view name) const {
        const auto& names = macro_.parameters;
        const auto found = std::find(names.begin(), names.end(), name);
        return found == names.end() ? -1 : static_cast<int>(found - names.begin());
    }

    bool read_body() {
        const std::size_t first = at_;
        macro_.body.reserve(line_.size() - first);
        for (; at_ < line_.size(); ++at_) {
            Macro::Part part;
            if (line_[at_].is("##")) {
                if (at_ == first || at_ + 1 == line_.size() || is(at_ + 1, "##"))
                    return fail(at_, "'##' needs a token before it and one after it");
                part.pasted = true;
                ++at_;
            }
            if (!read_part(part)) return false;
            macro_.body.push_back(part);
        }
        return true;
    }

    bool read_part(Macro::Part& part) {
        part.token = line_[at_];
        part.token.line_start = false;
        if (macro_.takes_arguments && line_[at_].is("#")) {
            part.quoted = true;
            ++at_;
        }
        if (is_word(at_)) part.parameter = parameter(line_[at_].text);
        if (part.quoted && part.parameter < 0)
            return fail(at_, fmt::format("expected one of the macro's parameters after '#', but "
                                         "found {}",
                                         name_of(line_, at_)));
        if (part.parameter < 0 && part.token.text == kRest)
            return fail(at_, "'__VA_ARGS__' stands only for the '...' of a macro's parameters");
        report_unterminated(part.token, diagnostics_);
        return true;
    }

    std::span<const Token> line_;
    const Place& directive_;
    Diagnostics& diagnostics_;
    Macro macro_;
    std::size_t at_ = 0;
};

bool same(const Macro& a, const Macro& b) {
    const auto same_part = [](const Macro::Part& one, const Macro::Part& other) {
        return one.token.text == other.token.text && one.parameter == other.parameter &&
               one.quoted == other.quoted && one.pasted == other.pasted;
    };
    return a.takes_arguments == b.takes_arguments && a.variadic == b.variadic &&
           a.parameters == b.parameters &&
           std::equal(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(), same_part);
}

// Adds the macro that `line`, the tokens after #define, defines. `directive` is the place of the
// #define. An invalid definition is an error and changes nothing.
void define(std::span<const Token> line, const Place& directive, Macros& macros,
            Diagnostics& diagnostics) {
    std::optional<Macro> macro = Definition(line, directive, diagnostics).read();
    if (!macro) return;
    const std::string_view name = line[0].text;
    const auto [found, is_new] = macros.try_emplace(name);
    if (!is_new && found->second.known != Macro::Known::no)
        return diagnostics.error(line[0].place, fmt::format("'{}' cannot be redefined", name));
    if (!is_new && !same(found->second, *macro))
        diagnostics.warning(
            line[0].place,
            fmt::format("macro '{}' is defined a second time, as something else", name),
            fmt::format("Write #undef {} before it if that is meant", name));
    found->second = std::move(*macro);
}

// Some 50 bytes and 50 ns each. Tokens of all expansions, of those on the way too; more are
// refused.
constexpr std::size_t kMostSpent = 2 * kMostTokens;

std::string given_words(std::size_t count) {
    if (count == 0) return "none is given";
    return count == 1 ? "1 is given" : fmt::format("{} are given", count);
}

// A macro's body with its parameters replaced, # and ## done: C99 6.10.3.1 to 6.10.3.3.
// Where a token of a macro's body stands once it is in place of `name`.
Place place_in(const Token& name, const Place& spelled) {
    Place place = name.place;
    place.macro_file = spelled.file;
    place.macro_line = spelled.line;
    place.macro_column = spelled.column;
    return place;
}

// Reads a text's tokens and expands their macros. A macro's name within its own expansion is
// painted: it is never expanded. All work is counted, so that any text takes bounded time and
// memory; past the bound, stopped() is true and nothing more comes.
class Expansion {
  public:
    // `text`: all tokens, the last of kind `end`. All arguments must outlive this.
    Expansion(std::span<const Token> text, const Sources& sources, Macros& macros,
              std::deque<std::string>& spelled, Diagnostics& diagnostics)
        : text_(text),
          sources_(sources),
          macros_(macros),
          spelled_(spelled),
          diagnostics_(diagnostics) {}

    // The read position, an index in `text`.
    std::size_t at() const { return at_; }
    void seek(std::size_t index) { at_ = index; }
    bool stopped() const { return stopped_; }

    // Appends the next token to `out`, or what it expands to; takes arguments from the tokens that
    // follow, up to a directive. `text` at `at()` is neither the end nor a directive.
    enum class Step { copied, expanded, failed };
    Step step(std::vector<Token>& out) {
        replaced_ = failed_ = false;
        Piece piece;
        do {
            if (!read(piece)) break;
            const Place place = piece.token.place;
            if (!enter(piece)) out.push_back(piece.token);
            if (out.size() > kMostTokens)
                stop(place, fmt::format("the program has more than {} tokens", kMostTokens));
            drop_finished();
        } while (!frames_.empty());
        if (failed_) return Step::failed;
        return replaced_ ? Step::expanded : Step::copied;
    }

    // The tokens of an #if, with `defined` evaluated first and then macros expanded.
    std::vector<Token> condition(std::span<const Token> line) {
        Pieces pieces, out;
        for (const Token& token : line) {
            pieces.push_back({token});
            report_unterminated(token, diagnostics_);
        }
        in_condition_ = true;
        if (!line.empty()) expand_alone(std::move(pieces), line[0].place, out);
        in_condition_ = false;

        std::vector<Token> tokens;
        for (const Piece& piece : out)
            tokens.push_back(piece.token);
        return tokens;
    }

    // Counts `tokens` more; an error if that exceeds what a program may take.
    bool spend(std::size_t tokens, const Place& place) {
        spent_ += tokens;
        if (spent_ > kMostSpent)
            stop(place, fmt::format("the macros expand to more than {} tokens", kMostSpent));
        return !stopped_;
    }

  private:
    struct Piece {
        Token token;
        bool painted = false;
    };
    using Pieces = std::vector<Piece>;
    struct Argument {
        Pieces raw, expanded;
        bool is_expanded = false;
    };
    using Arguments = std::vector<Argument>;
    // The replacement of a macro use, which is read again; `macro` is open meanwhile.
    struct Frame {
        Pieces pieces;
        std::size_t at = 0;
        Macro* macro = nullptr;
    };

    void stop(const Place& place, std::string message) {
        if (!stopped_) fail(place, std::move(message));
        stopped_ = true;
    }

    void fail(const Place& place, std::string message, std::string hint = {}) {
        failed_ = true;
        diagnostics_.error(place, std::move(message), std::move(hint));
    }

    void drop_finished() {
        while (frames_.size() > base_ && frames_.back().at == frames_.back().pieces.size()) {
            if (Macro* macro = frames_.back().macro) {
                macro->open = false;
                --open_;
            }
            frames_.pop_back();
        }
    }

    // The token that read() would give next; null where it would give none.
    const Token* peek() {
        drop_finished();
        if (stopped_) return nullptr;
        if (frames_.size() > base_) return &frames_.back().pieces[frames_.back().at].token;
        const Token& next = text_[at_];
        if (alone_ || next.kind == Token::Kind::end || starts_directive(next)) return nullptr;
        return &next;
    }

    bool read(Piece& piece) {
        const Token* next = peek();
        if (next == nullptr) return false;
        if (frames_.size() > base_) {
            piece = frames_.back().pieces[frames_.back().at++];
        } else {
            piece = {*next, false};
            ++at_;
            report_unterminated(piece.token, diagnostics_);
        }
        return true;
    }

    void push(Pieces pieces, Macro* macro, const Place& place) {
        if (!spend(1, place)) return;
        if (frames_.size() >= kDeepest)
            return stop(place, fmt::format("macros are nested deeper than {} here", kDeepest));
        if (macro != nullptr) {
            macro->open = true;
            ++open_;
        }
        frames_.push_back({std::move(pieces), 0, macro});
    }

    void paint(Piece& piece) const {
        if (open_ == 0 || piece.token.kind != Token::Kind::identifier) return;
        const auto found = macros_.find(piece.token.text);
        piece.painted |= found != macros_.end() && found->second.open;
    }

    // Whether the piece was a macro's use, whose expansion is to be read instead of it.
    bool enter(Piece& piece) {
        if (piece.token.kind != Token::Kind::identifier || piece.painted) return false;
        const auto found = macros_.find(piece.token.text);
        if (found == macros_.end()) return false;
        Macro& macro = found->second;
        piece.painted = macro.open;
        if (macro.open) return false;
        if (macro.known != Macro::Known::no) {
            piece.token = known_token(macro, piece.token);
            replaced_ = true;
            return false;
        }

        const Token name = piece.token;
        Arguments arguments;
        if (macro.takes_arguments) {
            const Token* next = peek();
            if (next == nullptr || !next->is("(")) return false;
            if (!collect(name, macro, arguments)) {
                piece.painted = true;
                return false;
            }
        }
        Pieces pieces = substitute(macro, name, arguments);
        if (!pieces.empty()) {
            pieces[0].token.space_before = name.space_before;
            pieces[0].token.line_start = name.line_start;
        }
        push(std::move(pieces), &macro, name.place);
        replaced_ = true;
        return true;
    }

    Token known_token(const Macro& macro, const Token& name) {
        Token token = name;
        token.kind = Token::Kind::number;
        if (macro.known == Macro::Known::line)
            token.text = keep(std::to_string(name.place.line), name.place);
        if (macro.known == Macro::Known::counter)
            token.text = keep(std::to_string(counter_++), name.place);
        if (macro.known == Macro::Known::file) {
            std::string text = "\"";
            for (const char c : sources_[name.place.file].name) {
                if (c == '"' || c == '\\') text += '\\';
                text += c;
            }
            token.kind = Token::Kind::string;
            token.text = keep(text + '"', name.place);
        }
        return token;
    }

    // Reads from the '(' to its ')'.
    bool collect(const Token& name, const Macro& macro, Arguments& arguments) {
        Piece piece;
        read(piece);
        arguments.emplace_back();
        std::size_t depth = 0;
        while (read(piece)) {
            if (!spend(1, name.place)) return false;
            if (piece.token.kind == Token::Kind::punctuation && piece.token.text.size() == 1) {
                const char c = piece.token.text[0];
                if (c == ')' && depth == 0) return fits(name, macro, arguments);
                if (c == ')') --depth;
                if (c == '(') ++depth;
                const bool takes_commas =
                    macro.variadic && arguments.size() == macro.parameters.size();
                if (c == ',' && depth == 0 && !takes_commas) {
                    arguments.emplace_back();
                    continue;
                }
            }
            paint(piece);
            piece.token.space_before |= piece.token.line_start;
            piece.token.line_start = false;
            arguments.back().raw.push_back(piece);
        }
        if (stopped_) return false;
        if (!alone_ && starts_directive(text_[at_]))
            fail(text_[at_].place,
                 fmt::format("a directive cannot stand among the arguments of macro "
                             "'{}'",
                             name.text));
        else
            fail(name.place,
                 fmt::format("the arguments of macro '{}' have no closing ')'", name.text));
        return false;
    }

    bool fits(const Token& name, const Macro& macro, Arguments& arguments) {
        const std::size_t wanted = macro.parameters.size();
        const bool nothing = arguments.size() == 1 && arguments[0].raw.empty();
        if (nothing && wanted == 0) {
            arguments.clear();
            return true;
        }
        // As all compilers have it, the comma before what `...` takes may be left out too.
        if (macro.variadic && arguments.size() + 1 == wanted) arguments.emplace_back();
        if (arguments.size() == wanted) return true;

        const std::size_t given = nothing ? 0 : arguments.size();
        const std::size_t takes = macro.variadic ? wanted - 1 : wanted;
        fail(name.place,
             fmt::format(
                 "macro '{}' takes {}{}, but {}", name.text, macro.variadic ? "at least " : "",
                 takes == 0 ? "no arguments" : counted_text(takes, "argument"), given_words(given)),
             fmt::format("It is defined at {}:{}", sources_[macro.place.file].name,
                         macro.place.line));
        return false;
    }

    // Expands the pieces as if they were all there is.
    void expand_alone(Pieces pieces, const Place& place, Pieces& out) {
        if (!spend(pieces.size(), place)) return;
        push(std::move(pieces), nullptr, place);
        if (stopped_) return;
        const std::size_t outer_base = std::exchange(base_, frames_.size() - 1);
        const bool outer_alone = std::exchange(alone_, true);
        Piece piece;
        while (read(piece)) {
            if (in_condition_ && piece.token.is("defined"))
                piece = {decide_defined(piece.token), true};
            else if (enter(piece))
                continue;
            if (!spend(1, place)) break;
            out.push_back(piece);
        }
        base_ = outer_base;
        alone_ = outer_alone;
    }

    // What `defined`, which was read, and the name after it stand for.
    Token decide_defined(const Token& defined) {
        Token result = defined;
        result.kind = Token::Kind::number;
        result.text = "0";
        Piece piece{defined};
        bool found = read(piece);
        const bool in_parentheses = found && piece.token.is("(");
        if (in_parentheses) found = read(piece);
        if (!found || piece.token.kind != Token::Kind::identifier) {
            fail(piece.token.place,
                 fmt::format("expected a macro's name after 'defined', but found {}",
                             name_of({&piece.token, 1}, found ? 0 : 1)));
            return result;
        }
        if (macros_.contains(piece.token.text)) result.text = "1";
        if (in_parentheses && !(read(piece) && piece.token.is(")")))
            fail(piece.token.place, "expected ')' after 'defined(' and a macro's name");
        return result;
    }

    Pieces substitute(const Macro& macro, const Token& name, Arguments& arguments) {
        Pieces out;
        if (!spend(macro.body.size(), name.place)) return out;
        out.reserve(macro.body.size());
        bool left_empty = true;  // the operand that a ## finds to its left is no token
        bool space = false;      // before the next token, also that before an argument of none
        for (std::size_t i = 0; i < macro.body.size() && !stopped_; ++i) {
            const Macro::Part& part = macro.body[i];
            const std::size_t begin = out.size();
            put(macro, i, name, arguments, out);
            const bool empty = out.size() == begin;
            if (!part.pasted) space |= part.token.space_before;
            if (!empty) out[begin].token.space_before = std::exchange(space, false);

            if (!part.pasted) {
                left_empty = empty;
                continue;
            }
            // `, ## __VA_ARGS__` is the one ## that all compilers take though it pastes nothing:
            // the comma goes where there are no further arguments.
            const bool rest = macro.variadic && part.parameter + 1 == std::ssize(macro.parameters);
            const bool after_comma = rest && i > 0 && macro.body[i - 1].token.is(",");
            if (after_comma && empty)
                out.pop_back();
            else if (!after_comma && !left_empty && !empty && paste(out[begin - 1], out[begin]))
                out.erase(out.begin() + static_cast<std::ptrdiff_t>(begin));
            left_empty = left_empty && empty;
        }
        return out;
    }

    // Appends what one part of the body stands for.
    void put(const Macro& macro, std::size_t index, const Token& name, Arguments& arguments,
             Pieces& out) {
        const Macro::Part& part = macro.body[index];
        Token token = part.token;
        token.place = place_in(name, part.token.place);
        if (part.parameter < 0) return out.push_back({token});

        Argument& argument = arguments[static_cast<std::size_t>(part.parameter)];
        if (part.quoted) return out.push_back({quoted(argument.raw, token)});
        const bool beside_paste =
            part.pasted || (index + 1 < macro.body.size() && macro.body[index + 1].pasted);
        const Pieces& pieces = beside_paste ? argument.raw : expanded(argument, name.place);
        if (spend(pieces.size(), name.place)) out.insert(out.end(), pieces.begin(), pieces.end());
    }

    const Pieces& expanded(Argument& argument, const Place& place) {
        if (!argument.is_expanded && !argument.raw.empty())
            expand_alone(argument.raw, place, argument.expanded);
        argument.is_expanded = true;
        return argument.expanded;
    }

    Token quoted(const Pieces& pieces, const Token& like) {
        std::string text = "\"";
        for (const Piece& piece : pieces) {
            const Token& token = piece.token;
            if (text.size() > 1 && token.space_before) text += ' ';
            const bool escapes =
                token.kind == Token::Kind::string || token.kind == Token::Kind::character;
            for (const char c : token.text) {
                if (escapes && (c == '"' || c == '\\')) text += '\\';
                text += c;
            }
            if (!spend(1 + token.text.size() / 8, like.place)) break;
        }
        text += '"';
        const Scanned scanned = scan(text);
        if (scanned.kind != Token::Kind::string || scanned.length != text.size())
            fail(like.place, "'#' makes no valid string of this argument");
        Token token = like;
        token.kind = Token::Kind::string;
        token.text = keep(std::move(text), like.place);
        return token;
    }

    // Makes `left` the token that both are side by side; false, with an error, where that is none.
    bool paste(Piece& left, const Piece& right) {
        const Place& place = left.token.place;
        const std::string_view a = left.token.text, b = right.token.text;
        if (!spend((a.size() + b.size()) / 8, place)) return false;
        std::string text = fmt::format("{}{}", a, b);
        const Scanned scanned = scan(text);
        if (scanned.length != text.size() || scanned.kind == Token::Kind::unknown) {
            fail(place, fmt::format("{} ## {} makes no valid token", name_of({&left.token, 1}, 0),
                                    name_of({&right.token, 1}, 0)));
            return false;
        }
        left.token.kind = scanned.kind;
        left.token.text = keep(std::move(text), place);
        left.painted = false;
        return true;
    }

    std::string_view keep(std::string text, const Place& place) {
        spend(1 + text.size() / 8, place);
        return spelled_.emplace_back(std::move(text));
    }

    std::span<const Token> text_;
    const Sources& sources_;
    Macros& macros_;
    std::deque<std::string>& spelled_;
    Diagnostics& diagnostics_;

    std::size_t at_ = 0;
    std::vector<Frame> frames_;
    std::size_t base_ = 0;  // frames below it belong to an interrupted expansion
    bool alone_ = false;    // nothing more is read from the text
    bool in_condition_ = false;
    std::size_t open_ = 0;     // macros that are open
    std::size_t spent_ = 0;    // tokens
    std::size_t counter_ = 0;  // for __COUNTER__
    bool replaced_ = false;    // in this step
    bool failed_ = false;      // in this step
    bool stopped_ = false;
};

// --- The expression of an #if.

// Signed values are kept as their two's complement.
struct ConditionValue {
    std::uint64_t bits = 0;
    bool is_unsigned = false;

    bool negative() const { return !is_unsigned && (bits >> 63) != 0; }
};

ConditionValue truth(bool value) {
    return {value ? 1U : 0U, false};
}

std::uint64_t magnitude(const ConditionValue& number) {
    return number.negative() ? 0 - number.bits : number.bits;
}

bool less(const ConditionValue& a, const ConditionValue& b) {
    if (a.is_unsigned || b.is_unsigned) return a.bits < b.bits;
    return static_cast<std::int64_t>(a.bits) < static_cast<std::int64_t>(b.bits);
}

// `b` is not 0.
ConditionValue divided(const ConditionValue& a, const ConditionValue& b, bool remainder) {
    if (a.is_unsigned || b.is_unsigned)
        return {remainder ? a.bits % b.bits : a.bits / b.bits, true};
    const std::uint64_t result =
        remainder ? magnitude(a) % magnitude(b) : magnitude(a) / magnitude(b);
    const bool negative = remainder ? a.negative() : a.negative() != b.negative();
    return {negative ? 0 - result : result, false};
}

ConditionValue shifted(const ConditionValue& a, const ConditionValue& count, bool left) {
    if (count.negative()) return shifted(a, {magnitude(count), true}, !left);
    const std::uint64_t sign = !left && a.negative() ? ~std::uint64_t{0} : 0;
    if (count.bits > 63) return {sign, a.is_unsigned};
    if (left) return {a.bits << count.bits, a.is_unsigned};
    const std::uint64_t filled = count.bits == 0 ? 0 : sign << (64 - count.bits);
    return {a.bits >> count.bits | filled, a.is_unsigned};
}

struct ConditionOperator {
    std::string_view sign;
    int rank;  // binds closer where it is higher
    ConditionValue (*apply)(const ConditionValue&, const ConditionValue&);
};

template <typename Bits>
constexpr ConditionValue arithmetic(const ConditionValue& a, const ConditionValue& b, Bits bits) {
    return {bits(a.bits, b.bits), a.is_unsigned || b.is_unsigned};
}

using V = const ConditionValue&;
using U = std::uint64_t;

constexpr std::array<ConditionOperator, 18> kConditionOperators{{
    {"||", 1, [](V a, V b) { return truth(a.bits != 0 || b.bits != 0); }},
    {"&&", 2, [](V a, V b) { return truth(a.bits != 0 && b.bits != 0); }},
    {"|", 3, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x | y; }); }},
    {"^", 4, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x ^ y; }); }},
    {"&", 5, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x & y; }); }},
    {"==", 6, [](V a, V b) { return truth(a.bits == b.bits); }},
    {"!=", 6, [](V a, V b) { return truth(a.bits != b.bits); }},
    {"<", 7, [](V a, V b) { return truth(less(a, b)); }},
    {">", 7, [](V a, V b) { return truth(less(b, a)); }},
    {"<=", 7, [](V a, V b) { return truth(!less(b, a)); }},
    {">=", 7, [](V a, V b) { return truth(!less(a, b)); }},
    {"<<", 8, [](V a, V b) { return shifted(a, b, true); }},
    {">>", 8, [](V a, V b) { return shifted(a, b, false); }},
    {"+", 9, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x + y; }); }},
    {"-", 9, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x - y; }); }},
    {"*", 10, [](V a, V b) { return arithmetic(a, b, [](U x, U y) { return x * y; }); }},
    {"/", 10, [](V a, V b) { return divided(a, b, false); }},
    {"%", 10, [](V a, V b) { return divided(a, b, true); }},
}};

// Tokens as one text, which the reader of expressions takes, and places in it as tokens.
//
// True if the expression is nonzero: 64-bit integers, signed unless suffixed with u; names that are
// not macros are 0. Macros are expanded and `defined` evaluated before. `directive` is the place of
// the #if. Anything else is an error, and false.
class Condition {
  public:
    using Value = ConditionValue;
    using Reader = ExpressionReader<Condition>;
    static constexpr const auto& kOperators = kConditionOperators;
    static constexpr std::string_view kPrefixes = "!-+~";
    static constexpr bool kTernary = true;
    // Parentheses of an #if in each other, and signs before a value; deeper is refused.
    static constexpr std::size_t kMostNested = kDeepest, kMostPrefixes = SIZE_MAX;

    Condition(std::span<const Token> tokens, const Place& directive, Diagnostics& diagnostics)
        : tokens_(tokens), directive_(directive), diagnostics_(diagnostics) {}

    bool holds() {
        if (tokens_.empty()) {
            diagnostics_.error(directive_, "expected a condition, but found the end of the line");
            return false;
        }
        try {
            for (const Token& token : tokens_) {
                starts_.push_back(text_.size());
                const bool literal = token.kind == Token::Kind::character ||
                                     (token.kind == Token::Kind::number && token.text[0] == '.');
                text_ += literal ? "0" : is_known(token) ? token.text : "@";
                text_ += ' ';
            }
            return truth(Reader(text_, *this).whole());
        } catch (const Failed&) {
            return false;
        }
    }

    static bool truth(const ConditionValue& value) { return value.bits != 0; }
    static ConditionValue choose(bool first, const ConditionValue& a, const ConditionValue& b) {
        return {first ? a.bits : b.bits, a.is_unsigned || b.is_unsigned};
    }
    static ConditionValue prefix(char sign, ConditionValue value, bool) {
        if (sign == '!') return lang::truth(value.bits == 0);
        if (sign == '-') value.bits = 0 - value.bits;
        if (sign == '~') value.bits = ~value.bits;
        return value;
    }
    ConditionValue infix(const ConditionOperator& operation, const ConditionValue& a,
                         const ConditionValue& b, std::size_t at, bool matters) const {
        if ((operation.sign == "/" || operation.sign == "%") && b.bits == 0) {
            if (matters) fail(token_at(at).place, "division by zero in this condition");
            return {};
        }
        return operation.apply(a, b);
    }
    static ConditionValue name(std::string_view name, std::size_t, bool) {
        return lang::truth(name == "true");  // in OpenCL C that is a macro
    }
    ConditionValue call(Reader&, std::string_view name, std::size_t at, bool) const {
        fail(token_at(at).place, fmt::format("'{}' is no macro that takes arguments", name));
    }
    [[noreturn]] void misread(Misread wrong, std::size_t at, std::string_view sign) const {
        if (wrong == Misread::too_deep)
            fail(directive_, fmt::format("this condition is nested deeper than {}", kDeepest));
        const std::string what = wrong == Misread::missing ? fmt::format("'{}'", sign)
                                 : wrong == Misread::no_operand
                                     ? "a value"
                                     : "an operator or the end of the line";
        const std::size_t index = at < text_.size() ? index_at(at) : tokens_.size();
        fail((index < tokens_.size() ? tokens_[index] : tokens_.back()).place,
             fmt::format("expected {} in this condition, but found {}", what,
                         name_of(tokens_, index)));
    }

    ConditionValue number(std::string_view text, std::size_t at) const {
        const Token& token = token_at(at);
        if (token.kind == Token::Kind::character) {
            if (const auto value = character_of(token.text))
                return {canonical(Scalar::char_, *value), false};
            fail(token.place, fmt::format("{} is no character", token.text.substr(0, 20)));
        }
        const bool whole = text == token.text;  // else it is 1.5e-3 or the like
        ConditionValue value;
        const std::size_t end = text.find_last_not_of("uUlL") + 1;
        const std::string_view suffix = text.substr(end);
        value.is_unsigned = suffix.find_first_of("uU") != std::string_view::npos;
        text = text.substr(0, end);

        int base = 10;
        if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
        if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
        if (base != 10) text.remove_prefix(2);
        if (base == 10 && text.size() > 1 && text[0] == '0') base = 8;

        const auto [rest, error] =
            std::from_chars(text.data(), text.data() + text.size(), value.bits, base);
        if (!whole || rest != text.data() + text.size() || error == std::errc::invalid_argument ||
            !is_suffix(suffix))
            fail(token.place, fmt::format("'{}' is no integer, which a condition needs",
                                          token.text.substr(0, 60)));
        if (error == std::errc::result_out_of_range)
            fail(token.place, "this number does not fit into 64 bits");
        value.is_unsigned |= (value.bits >> 63) != 0;
        return value;
    }

  private:
    struct Failed {};
    [[noreturn]] void fail(const Place& place, std::string message) const {
        diagnostics_.error(place, std::move(message));
        throw Failed();
    }
    std::size_t index_at(std::size_t at) const {
        const auto next = std::upper_bound(starts_.begin(), starts_.end(), at);
        return static_cast<std::size_t>(next - starts_.begin() - 1);
    }
    const Token& token_at(std::size_t at) const { return tokens_[index_at(at)]; }
    static bool is_known(const Token& token) {
        const auto is = [&](std::string_view sign) { return sign == token.text; };
        if (token.kind == Token::Kind::identifier || token.kind == Token::Kind::number) return true;
        constexpr std::array<std::string_view, 6> kOthers{"(", ")", "?", ":", "!", "~"};
        return token.kind == Token::Kind::punctuation &&
               (any_of(kOthers, is) ||
                any_of(kOperators, [&](const ConditionOperator& each) { return is(each.sign); }));
    }
    static bool is_suffix(std::string_view suffix) {
        std::string_view length = suffix;
        if (!length.empty() && (length.front() == 'u' || length.front() == 'U'))
            length.remove_prefix(1);
        else if (!length.empty() && (length.back() == 'u' || length.back() == 'U'))
            length.remove_suffix(1);
        return length.empty() || length == "l" || length == "L" || length == "ll" || length == "LL";
    }

    std::span<const Token> tokens_;
    const Place& directive_;
    Diagnostics& diagnostics_;
    std::string text_;
    std::vector<std::size_t> starts_;  // of the tokens in it
};

// One line that begins with #.
struct Directive {
    std::size_t first = 0, last = 0;  // its tokens in the text, from the # on
    Line rest;                        // what follows its name
    Place place;                      // of the # and the name
};

// The tokens of all sources as one text. An included one stands in the place of its #include,
// whether a condition leaves that out or not.
class SourceReader {
  public:
    SourceReader(const Sources& sources, std::size_t count, std::deque<std::string>& spelled,
                 Diagnostics& diagnostics)
        : sources_(sources), count_(count), spelled_(spelled), diagnostics_(diagnostics) {}

    std::vector<Token> text_of_all() {
        for (std::size_t file = 0; file < count_; ++file)
            if (sources_[file].included_as.empty()) read(file);
        if (stopped_) text_.clear();
        text_.push_back(end_);
        return std::move(text_);
    }

  private:
    struct File {
        std::vector<Token> tokens;
        bool once = false, guarded = false;
    };

    const File& file_at(std::size_t number) {
        const auto [at, news] = files_.try_emplace(number);
        if (news) {
            const std::string& text = sources_[number].text;
            at->second = {lex(sources_, static_cast<std::uint16_t>(number), spelled_, diagnostics_),
                          text.find("#pragma once") != std::string::npos,
                          text.find("#ifndef") != std::string::npos};
        }
        return at->second;
    }

    void read(std::size_t file) {
        const std::vector<Token>& tokens = file_at(file).tokens;
        if (text_.empty()) text_.reserve(tokens.size());
        open_.push_back(file);
        for (std::size_t i = 0; i + 1 < tokens.size() && !stopped_; ++i) {
            if (starts_directive(tokens[i]) && tokens[i + 1].is("include")) {
                std::size_t end = i + 2;
                while (end + 1 < tokens.size() && !tokens[end].line_start)
                    ++end;
                const auto included = named(Line(tokens).subspan(i + 2, end - i - 2));
                if (included && include(*included, tokens[i].place)) {
                    i = end - 1;
                    continue;
                }
            }
            text_.push_back(tokens[i]);
        }
        end_ = tokens.back();
        open_.pop_back();
    }

    std::optional<std::size_t> named(Line name) const {
        std::string spelled = spelling(name);
        if (spelled.size() < 3 || text_.size() > kMostTokens) return {};
        spelled = spelled.substr(1, spelled.size() - 2);
        for (std::size_t file = 0; file < count_; ++file)
            if (sources_[file].included_as == spelled) return file;
        return {};
    }

    // Whether that is done; of a text within itself, only where its guard would leave it out.
    bool include(std::size_t number, const Place& place) {
        const File& file = file_at(number);
        const bool open = contains(open_, number);
        if (open) return file.once || file.guarded;
        if (file.once && seen_.contains(number)) return true;
        if (++included_ > kMostIncluded) {
            diagnostics_.error(place,
                               fmt::format("more than {} files are included", kMostIncluded));
            stopped_ = true;
            return true;
        }
        seen_.insert(number);
        read(number);
        return true;
    }

    // Each may include others twice, which doubles their number at each level. Files that texts
    // include, counted each time; more are refused.
    static constexpr std::size_t kMostIncluded = 10'000;

    const Sources& sources_;
    std::size_t count_;
    std::deque<std::string>& spelled_;
    Diagnostics& diagnostics_;
    std::unordered_map<std::size_t, File> files_;
    std::vector<Token> text_;
    Token end_;
    std::vector<std::size_t> open_;
    std::set<std::size_t> seen_;
    std::size_t included_ = 0;
    bool stopped_ = false;
};

class Preprocessor {
  public:
    Preprocessor(Passages& result, const Sources& sources, Diagnostics& diagnostics)
        : result_(result),
          text_(result.text),
          diagnostics_(diagnostics),
          macros_(256),
          expansion_(text_, sources, macros_, result.output.spelled, diagnostics) {
        macros_["__LINE__"].known = Macro::Known::line;
        macros_["__FILE__"].known = Macro::Known::file;
        macros_["__COUNTER__"].known = Macro::Known::counter;
    }

    void run() {
        std::vector<Token>& out = result_.output.tokens;
        out.reserve(text_.size());
        while (text_[expansion_.at()].kind != Token::Kind::end && !expansion_.stopped()) {
            const std::size_t first = expansion_.at(), begin = out.size();
            if (starts_directive(text_[first])) {
                pass_directive();
            } else if (!reading()) {
                std::size_t index = expansion_.at();
                while (text_[index].kind != Token::Kind::end && !starts_directive(text_[index]))
                    ++index;
                expansion_.seek(index);
            } else if (expansion_.step(out) == Expansion::Step::expanded) {
                result_.passages.push_back(
                    {ExpansionRange::Kind::expanded, first, expansion_.at(), begin, out.size()});
            }
        }
        if (!reading()) leave_out(skipped_from_, text_.size() - 1);
        out.push_back(text_.back());
        if (expansion_.stopped()) return;
        for (const Condition& condition : conditions_)
            diagnostics_.error(condition.place, fmt::format("{} without #endif", condition.name));
    }

  private:
    // One #if that is open.
    struct Condition {
        Place place;
        std::string_view name;  // "#if"
        bool live = false;      // its present branch is read
        bool decided = false;   // no later branch is
        bool has_else = false;
    };
    struct Handler {
        std::string_view name;
        void (Preprocessor::*run)(const Directive&);
        bool conditional;  // also looked at in what is left out
        bool kept;         // stays in expanded_text()
    };
    static const std::array<Handler, 14> kHandlers;

    bool reading() const { return conditions_.empty() || conditions_.back().live; }

    void leave_out(std::size_t first, std::size_t last) {
        result_.passages.push_back({ExpansionRange::Kind::left_out, first, last, 0, 0});
    }

    std::size_t line_end(std::size_t index) const {
        while (text_[index].kind != Token::Kind::end && !text_[index].line_start)
            ++index;
        return index;
    }

    void pass_directive() {
        Directive directive;
        directive.first = expansion_.at();
        directive.last = line_end(directive.first + 1);
        expansion_.seek(directive.last);
        const Line line = Line(text_).subspan(directive.first, directive.last - directive.first);
        if (line.size() == 1) {  // a # alone says nothing
            if (reading()) leave_out(directive.first, directive.last);
            return;
        }
        directive.place = joined(line[0].place, line[1].place);
        directive.rest = line.subspan(2);

        const Handler* handler = handler_of(line[1]);
        const bool before = reading();
        if (handler == nullptr) {
            if (before)
                diagnostics_.error(directive.place,
                                   fmt::format("{} is no directive", name_of(line, 1)));
            return;
        }
        if (!before && !handler->conditional) return;
        (this->*handler->run)(directive);

        if (before && !reading()) skipped_from_ = directive.first;
        if (!before && reading()) leave_out(skipped_from_, directive.last);
        if (before && reading() && !handler->kept) leave_out(directive.first, directive.last);
    }

    static const Handler* handler_of(const Token& name) {
        // `# 12 "file"`, as preprocessors write it, is #line.
        const bool number = name.kind == Token::Kind::number;
        for (const Handler& handler : kHandlers)
            if (name.text == handler.name || (number && handler.name == "line")) return &handler;
        return nullptr;
    }

    void define_macro(const Directive& directive) {
        define(directive.rest, directive.place, macros_, diagnostics_);
    }

    void undefine(const Directive& directive) {
        const auto found = macros_.find(macro_name(directive));
        if (found == macros_.end()) return;
        if (found->second.known != Macro::Known::no)
            return diagnostics_.error(directive.rest[0].place,
                                      fmt::format("'{}' cannot be undefined", found->first));
        macros_.erase(found);
    }

    // The one name that #ifdef and the like take; empty, with an error, where there is none.
    std::string_view macro_name(const Directive& directive) {
        if (!directive.rest.empty() && directive.rest[0].kind == Token::Kind::identifier) {
            expect_line_end(directive, 1);
            return directive.rest[0].text;
        }
        diagnostics_.error(
            directive.rest.empty() ? directive.place : directive.rest[0].place,
            fmt::format("expected a macro's name after #{}, but found {}",
                        text_[directive.first + 1].text, name_of(directive.rest, 0)));
        return {};
    }

    void expect_line_end(const Directive& directive, std::size_t index) {
        if (index < directive.rest.size())
            diagnostics_.warning(
                directive.rest[index].place,
                fmt::format("what follows #{} here is ignored", text_[directive.first + 1].text));
    }

    bool decide(const Directive& directive) {
        const std::vector<Token> tokens = expansion_.condition(directive.rest);
        return lang::Condition(tokens, directive.place, diagnostics_).holds();
    }

    // Within what is left out, nothing is read whatever it says.
    void open(const Directive& directive, bool live, std::string_view name) {
        const bool decided = live || !reading();
        conditions_.push_back({directive.place, name, live && reading(), decided});
    }
    void if_(const Directive& directive) { open(directive, reading() && decide(directive), "#if"); }
    void ifdef(const Directive& directive) {
        open(directive, reading() && macros_.contains(macro_name(directive)), "#ifdef");
    }
    void ifndef(const Directive& directive) {
        open(directive, reading() && !macros_.contains(macro_name(directive)), "#ifndef");
    }

    // The condition that #elif, #else and #endif belong to; null, with an error, without one.
    Condition* current(const Directive& directive) {
        if (!conditions_.empty()) return &conditions_.back();
        diagnostics_.error(directive.place,
                           fmt::format("#{} without #if", text_[directive.first + 1].text));
        return nullptr;
    }
    Condition* next_branch(const Directive& directive) {
        Condition* condition = current(directive);
        if (condition == nullptr || !condition->has_else) return condition;
        diagnostics_.error(directive.place,
                           fmt::format("#{} after #else", text_[directive.first + 1].text));
        return nullptr;
    }
    void elif (const Directive& directive) {
        Condition* condition = next_branch(directive);
        if (condition == nullptr) return;
        condition->live = !condition->decided && decide(directive);
        condition->decided |= condition->live;
    }
    void else_(const Directive& directive) {
        Condition* condition = next_branch(directive);
        if (condition == nullptr) return;
        const bool was_live = condition->live;
        condition->live = !condition->decided;
        condition->decided = condition->has_else = true;
        if (was_live || condition->live) expect_line_end(directive, 0);
    }
    void endif(const Directive& directive) {
        if (current(directive) == nullptr) return;
        conditions_.pop_back();
        if (reading()) expect_line_end(directive, 0);
    }

    // In CUDA mostly the host's.
    void include(const Directive& directive) {
        if (macros_.contains("__CUDACC__")) return;
        diagnostics_.error(directive.place,
                           fmt::format("#include {} is not found", said(directive)),
                           "Put that file beside the kernel's, or its text into the kernel's file");
    }
    void error(const Directive& directive) {
        diagnostics_.error(directive.place, fmt::format("#error {}", said(directive)));
    }
    void warning(const Directive& directive) {
        diagnostics_.warning(directive.place, fmt::format("#warning {}", said(directive)));
    }
    void ignore(const Directive&) {}

    static std::string said(const Directive& directive) {
        constexpr std::size_t kMost = 400;  // bytes of a directive in errors; the rest is left out
        return spelling(directive.rest.first(std::min(kMost, directive.rest.size())))
            .substr(0, kMost);
    }

    Passages& result_;
    const std::vector<Token>& text_;
    Diagnostics& diagnostics_;
    Macros macros_;
    Expansion expansion_;
    std::vector<Condition> conditions_;
    std::size_t skipped_from_ = 0;  // the directive since which nothing is read
};

using P = Preprocessor;
const std::array<P::Handler, 14> P::kHandlers{{{"define", &P::define_macro, false, false},
                                               {"undef", &P::undefine, false, false},
                                               {"if", &P::if_, true, false},
                                               {"ifdef", &P::ifdef, true, false},
                                               {"ifndef", &P::ifndef, true, false},
                                               {"elif", &P::elif, true, false},
                                               {"else", &P::else_, true, false},
                                               {"endif", &P::endif, true, false},
                                               {"pragma", &P::ignore, false, true},
                                               {"line", &P::ignore, false, false},
                                               {"include", &P::include, false, true},
                                               {"error", &P::error, false, true},
                                               {"warning", &P::warning, false, false},
                                               {"ident", &P::ignore, false, false}}};

// expanded_text(): the source with its passages replaced.

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

class ExpandedTextWriter {
  public:
    ExpandedTextWriter(const Passages& read, std::string_view text, std::uint16_t file)
        : read_(read), text_(text), file_(file), lines_{0} {
        for (std::size_t index = text.find('\n'); index != std::string_view::npos;
             index = text.find('\n', index + 1))
            lines_.push_back(index + 1);
        if (lines_.size() > 1 && text.substr(0, lines_[1]).ends_with("\r\n")) line_break_ = "\r\n";
    }

    std::string write() {
        for (const ExpansionRange& passage : read_.passages) {
            const Place& begin = read_.text[passage.first].place;
            const Place& end = read_.text[passage.last - 1].place;
            if (end.file < file_ || begin.file > file_) continue;
            // OpenCL C's own names, as of fences, say more than their numbers.
            if (passage.kind == ExpansionRange::Kind::expanded &&
                read_.text[passage.first].text.starts_with("CLK_"))
                continue;
            if (passage.kind == ExpansionRange::Kind::left_out)
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

    void expand(const ExpansionRange& passage) {
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

    void leave_out(const ExpansionRange& passage) {
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

std::string spelling(std::span<const Token> tokens) {
    std::string text;
    for (const Token& token : tokens) {
        if (!text.empty() && (token.space_before || token.line_start)) text += ' ';
        text += token.text;
    }
    return text;
}

Passages preprocess_passages(const Sources& sources, std::size_t count, Diagnostics& diagnostics) {
    Passages result;
    result.text = SourceReader(sources, count, result.output.spelled, diagnostics).text_of_all();
    Preprocessor(result, sources, diagnostics).run();
    return result;
}

Preprocessed preprocess(const Sources& sources, Diagnostics& diagnostics) {
    return preprocess_passages(sources, sources.size(), diagnostics).output;
}

std::string expanded_text(const Sources& sources, std::uint16_t file) {
    if (file >= sources.size()) return {};
    Diagnostics diagnostics;
    const Passages read = preprocess_passages(sources, file + std::size_t{1}, diagnostics);
    return ExpandedTextWriter(read, sources[file].text, file).write();
}

}  // namespace lab::lang
