#include "lang/text/macro.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lang/text/lexer.h"

namespace lab::lang {
namespace {

constexpr std::size_t kMostParameters = 255;
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
    bool fail(std::size_t index, std::string message, std::string hint = {}) {
        const Place place = index < line_.size() ? line_[index].place
                            : line_.empty()      ? directive_
                                                 : line_.back().place;
        diagnostics_.error(place, std::move(message), std::move(hint));
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

Macro known_macro(Macro::Known known) {
    Macro macro;
    macro.known = known;
    return macro;
}

}  // namespace

Macros known_macros() {
    Macros macros(256);
    macros.emplace("__LINE__", known_macro(Macro::Known::line));
    macros.emplace("__FILE__", known_macro(Macro::Known::file));
    macros.emplace("__COUNTER__", known_macro(Macro::Known::counter));
    return macros;
}

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

std::string name_of(std::span<const Token> line, std::size_t index) {
    if (index >= line.size() || line[index].kind == Token::Kind::end) return "the end of the line";
    constexpr std::size_t kMost = 40;  // bytes of it
    const std::string_view text = line[index].text;
    return fmt::format("'{}{}'", text.substr(0, kMost), text.size() > kMost ? "..." : "");
}

}  // namespace lab::lang
