// A macro's body with its parameters replaced, # and ## done: C99 6.10.3.1 to 6.10.3.3.
#include <fmt/format.h>

#include <utility>

#include "lang/text/expansion.h"
#include "lang/text/lexer.h"

namespace lab::lang {
namespace {

// Where a token of a macro's body stands once it is in place of `name`.
Place place_in(const Token& name, const Place& spelled) {
    Place place = name.place;
    place.macro_file = spelled.file;
    place.macro_line = spelled.line;
    place.macro_column = spelled.column;
    return place;
}

}  // namespace

Expansion::Pieces Expansion::substitute(const Macro& macro, const Token& name,
                                        Arguments& arguments) {
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
        // `, ## __VA_ARGS__` is the one ## that all compilers take though it pastes nothing: the
        // comma goes where there are no further arguments.
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
void Expansion::put(const Macro& macro, std::size_t index, const Token& name, Arguments& arguments,
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

const Expansion::Pieces& Expansion::expanded(Argument& argument, const Place& place) {
    if (!argument.is_expanded && !argument.raw.empty())
        expand_alone(argument.raw, place, argument.expanded);
    argument.is_expanded = true;
    return argument.expanded;
}

Token Expansion::quoted(const Pieces& pieces, const Token& like) {
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
bool Expansion::paste(Piece& left, const Piece& right) {
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

std::string_view Expansion::keep(std::string text, const Place& place) {
    spend(1 + text.size() / 8, place);
    return spelled_.emplace_back(std::move(text));
}

}  // namespace lab::lang
