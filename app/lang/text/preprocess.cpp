#include "lang/text/preprocess.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "lang/text/condition.h"
#include "lang/text/expansion.h"
#include "lang/text/lexer.h"
#include "lang/text/macro.h"
#include "lang/text/passage.h"

namespace lab::lang {
namespace {

using Line = std::span<const Token>;

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
        text_.push_back(end_);
        return std::move(text_);
    }

  private:
    void read(std::size_t file) {
        const std::vector<Token> tokens =
            lex_quietly(sources_, static_cast<std::uint16_t>(file), spelled_, diagnostics_);
        open_.push_back(file);
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
            if (starts_directive(tokens[i]) && tokens[i + 1].is("include")) {
                std::size_t end = i + 2;
                while (end + 1 < tokens.size() && !tokens[end].line_start)
                    ++end;
                const auto included = named(Line(tokens).subspan(i + 2, end - i - 2));
                if (included && include(*included)) {
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
        if (spelled.size() < 3 || text_.size() > kMostTokens || open_.size() > kDeepest) return {};
        spelled = spelled.substr(1, spelled.size() - 2);
        for (std::size_t file = 0; file < count_; ++file)
            if (sources_[file].included_as == spelled) return file;
        return {};
    }

    // Whether that is done; of a text within itself, only where its guard would leave it out.
    bool include(std::size_t file) {
        const std::string& text = sources_[file].text;
        const bool once = text.find("#pragma once") != std::string::npos;
        const bool open = std::find(open_.begin(), open_.end(), file) != open_.end();
        if (open) return once || text.find("#ifndef") != std::string::npos;
        if (seen_.insert(file).second || !once) read(file);
        return true;
    }

    const Sources& sources_;
    std::size_t count_;
    std::deque<std::string>& spelled_;
    Diagnostics& diagnostics_;
    std::vector<Token> text_;
    Token end_;
    std::vector<std::size_t> open_;
    std::set<std::size_t> seen_;
};

class Preprocessor {
  public:
    Preprocessor(Passages& result, const Sources& sources, Diagnostics& diagnostics)
        : result_(result),
          text_(result.text),
          diagnostics_(diagnostics),
          macros_(known_macros()),
          expansion_(text_, sources, macros_, result.output.spelled, diagnostics) {}

    void run() {
        std::vector<Token>& out = result_.output.tokens;
        out.reserve(text_.size());
        while (text_[expansion_.at()].kind != Token::Kind::end && !expansion_.stopped()) {
            const std::size_t first = expansion_.at(), begin = out.size();
            if (starts_directive(text_[first])) {
                pass_directive();
            } else if (!reading()) {
                skip_to_directive();
            } else if (expansion_.step(out) == Expansion::Step::expanded) {
                result_.passages.push_back(
                    {Passage::Kind::expanded, first, expansion_.at(), begin, out.size()});
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
        result_.passages.push_back({Passage::Kind::left_out, first, last, 0, 0});
    }

    std::size_t line_end(std::size_t index) const {
        while (text_[index].kind != Token::Kind::end && !text_[index].line_start)
            ++index;
        return index;
    }

    void skip_to_directive() {
        std::size_t index = expansion_.at();
        while (text_[index].kind != Token::Kind::end && !starts_directive(text_[index]))
            ++index;
        expansion_.seek(index);
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
        return holds(tokens, directive.place, diagnostics_);
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

    void include(const Directive& directive) {
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
        constexpr std::size_t kMost = 400;  // bytes of it
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

}  // namespace

Passages preprocess_passages(const Sources& sources, std::size_t count, Diagnostics& diagnostics) {
    Passages result;
    result.text = SourceReader(sources, count, result.output.spelled, diagnostics).text_of_all();
    Preprocessor(result, sources, diagnostics).run();
    return result;
}

Preprocessed preprocess(const Sources& sources, Diagnostics& diagnostics) {
    return preprocess_passages(sources, sources.size(), diagnostics).output;
}

}  // namespace lab::lang
