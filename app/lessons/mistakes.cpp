// Runs the mistakes that students make: each is a change of a page's run, or of what is read from
// it, and the simulator says what comes out.
#include <array>
#include <cmath>
#include <deque>

#include <fmt/format.h>

#include "base/ranges.h"
#include "lang/lexer.h"
#include "lessons/question.h"

namespace lab::lessons {
namespace {

struct MistakenPage {
    Show show;
    Ask ask;
    std::map<std::string, std::string> arguments = {};  // of the words that name the mistake
};
using MistakenPages = std::vector<MistakenPage>;

// --- The kernel's text, changed

struct TokenizedText {
    explicit TokenizedText(std::string text) : sources{{"", std::move(text)}} {
        lang::Diagnostics ignored;  // the page's own run tells of them
        tokens = lang::lex(sources, 0, spliced, ignored);
        if (!spliced.empty()) tokens.clear();
    }
    const std::string& text() const { return sources.front().text; }
    std::size_t begin(std::size_t token) const {
        return static_cast<std::size_t>(tokens[token].text.data() - text().data());
    }
    std::size_t end(std::size_t token) const { return begin(token) + tokens[token].text.size(); }
    bool is(std::size_t token, std::string_view word) const {
        return token < tokens.size() && tokens[token].is(word);
    }
    // Returns the token that closes the bracket at `token`; the number of tokens if none does.
    std::size_t closing(std::size_t token) const {
        std::size_t depth = 0;
        for (; token < tokens.size(); ++token) {
            if (is(token, "(") || is(token, "[")) ++depth;
            if ((is(token, ")") || is(token, "]")) && --depth == 0) break;
        }
        return token;
    }
    std::string line(std::size_t token) const {
        return fmt::format("{}", tokens[token].place.line);
    }

    lang::Sources sources;
    std::deque<std::string> spliced;
    std::vector<lang::Token> tokens;
};

// The page with other characters in the place of those from `begin` up to `end`.
MistakenPage changed(const Page& page, const TokenizedText& tokenized, std::size_t begin,
                     std::size_t end, const std::string& characters,
                     std::map<std::string, std::string> arguments) {
    Show show = page.show;
    show.text = tokenized.text();
    show.text->replace(begin, end - begin, characters);
    return {std::move(show), *page.ask, std::move(arguments)};
}

MistakenPages group_0_alone(const Page& page, Runs& runs) {
    const TokenizedText text(text_of(page.show, runs.library()));
    Show show = page.show;
    show.text = text.text();
    bool in_kernel = false;
    std::vector<std::size_t> bodies;
    for (std::size_t i = 0; i < text.tokens.size(); ++i) {
        in_kernel = in_kernel || text.is(i, "kernel") || text.is(i, "__kernel");
        if (!in_kernel || !text.is(i, "{")) continue;
        bodies.push_back(text.end(i));
        in_kernel = false;
    }
    for (auto body = bodies.rbegin(); body != bodies.rend(); ++body)
        show.text->insert(*body, " if (get_group_id(0) != 0) return;");
    return {{std::move(show), *page.ask}};
}

// Where an item waits for others, it reads what they have not written yet: each goes alone, in the
// page's order and in the two extreme ones.
MistakenPages without_a_barrier(const Page& page, Runs& runs) {
    const TokenizedText text(text_of(page.show, runs.library()));
    MistakenPages pages;
    for (std::size_t i = 0; i < text.tokens.size(); ++i) {
        if (!text.is(i, "barrier") && !text.is(i, "work_group_barrier")) continue;
        const std::size_t close = text.closing(i + 1);
        if (!text.is(close + 1, ";")) continue;
        const MistakenPage without =
            changed(page, text, text.begin(i), text.end(close), "", {{"line", text.line(i)}});
        pages.push_back(without);
        for (const char* order : {"in-order", "reversed"}) {
            set_key(pages.emplace_back(without).show, "order", order);
            set_key(pages.back().show, "lanes", "1");
        }
    }
    return pages;
}

// The last cell that a statement reads is the partner's.
MistakenPages partner_off_by_one(const Page& page, Runs& runs) {
    const TokenizedText text(text_of(page.show, runs.library()));
    MistakenPages pages;
    std::optional<std::size_t> partner;
    for (std::size_t i = 0; i < text.tokens.size(); ++i) {
        if (text.is(i, "[") && text.closing(i) < text.tokens.size()) {
            const std::string_view next = text.tokens[text.closing(i) + 1].text;
            const bool written = next == "=" || next == "+=" || next == "++";
            if (!written) partner = i;
        }
        if (!text.is(i, ";") || !partner) continue;
        const std::size_t begin = text.end(*partner), end = text.begin(text.closing(*partner));
        const std::string index = text.text().substr(begin, end - begin);
        for (const char* by : {"+ 1", "- 1"})
            pages.push_back(changed(page, text, begin, end, fmt::format("({}) {}", index, by),
                                    {{"line", text.line(*partner)}}));
        partner.reset();
    }
    return pages;
}

// The first of several conditions, or the only one, keeps nobody out.
MistakenPages everyone_adds(const Page& page, Runs& runs) {
    const TokenizedText text(text_of(page.show, runs.library()));
    MistakenPages pages;
    for (std::size_t i = 0; i < text.tokens.size(); ++i) {
        if (!text.is(i, "if") || !text.is(i + 1, "(")) continue;
        std::size_t last = text.closing(i + 1);
        if (last == text.tokens.size()) continue;
        for (std::size_t k = i + 2; k < last; ++k) {
            if (text.is(k, "(")) k = text.closing(k);
            if (text.is(k, "&&")) last = k;
        }
        pages.push_back(
            changed(page, text, text.end(i + 1), text.begin(last), "1", {{"line", text.line(i)}}));
    }
    return pages;
}

// --- The numbers, changed

// The page with another number in one cell: the first of group 1, the last, the first.
MistakenPages with_another_number(const Page& page, Runs& runs,
                                  std::string (*other)(const Show& show, double number)) {
    Facts& facts = runs.facts(page.show);
    const analysis::Row& start = facts.table().rows.front();
    const std::size_t n = start.cells.size();
    if (facts.plan() == nullptr || n != facts.elements()) return {};
    MistakenPages pages;
    for (const std::size_t cell : {std::size_t{facts.plan()->group}, n - 1, std::size_t{0}}) {
        if (cell >= n) continue;
        std::vector<std::string> numbers;
        for (const analysis::Cell& each : start.cells)
            numbers.push_back(text_of(each.value));
        numbers[cell] = other(page.show, number_of(start.cells[cell].value));
        if (numbers[cell].empty()) continue;
        Show show = page.show;
        set_key(show, "input", fmt::format("{}", fmt::join(numbers, ",")));
        pages.push_back({std::move(show), *page.ask, {{"cell", fmt::format("{}", cell)}}});
    }
    return pages;
}

std::string neutral_number(const Show& show, double) {
    return show.shape.op == catalogue::Op::add       ? "0"
           : show.shape.op == catalogue::Op::product ? "1"
                                                     : "";
}

std::string double_number(const Show& show, double number) {
    return show.shape.op == catalogue::Op::add ? fmt::format("{}", 2 * number) : "";
}

// --- The type or the order, changed

MistakenPages with_key(const Page& page, const char* key, const char* value) {
    Show show = page.show;
    set_key(show, key, value);
    return {{std::move(show), *page.ask}};
}

MistakenPages not_rounded(const Page& page, Runs&) {
    return page.show.shape.type == catalogue::Type::float_ ? with_key(page, "type", "double")
                                                           : MistakenPages();
}

// --- What is read, changed

// The page with its cells, or its result, read so many passes later.
MistakenPages later(const Page& page, Runs& runs, int passes) {
    Facts& facts = runs.facts(page.show);
    const analysis::StepTable& table = facts.table();
    Ask ask = *page.ask;
    const bool of_cells = ask.kind == Kind::cells;
    if (!of_cells && !ask.values.empty()) return {};
    const std::size_t row = of_cells ? row_of(ask.row, facts) : facts.passes();
    const std::size_t other = row + static_cast<std::size_t>(passes);
    if (other > facts.passes() || facts.row(other).array != facts.row(row).array) return {};
    if (of_cells)
        ask.row = {Place::Kind::row, other};
    else
        ask.values = {Expression(fmt::format("cell({}, {})", other, result_cell(table).value_or(0)),
                                 runs.library())};
    return {{page.show, std::move(ask)}};
}

// A fact that is mistaken for another one; $ stands for it as it is written, @ for its arguments.
struct Misreading {
    const char *name, *fact, *instead;
};
constexpr std::array kMisreadings{
    Misreading{"start_is_a_pass", "passes", "($ + 1)"},
    Misreading{"pass_missing", "passes", "($ - 1)"},
    Misreading{"idle_counted", "active", "items"},
    Misreading{"idle_alone", "active", "idle@"},
    Misreading{"idle_counted", "stores", "items@"},
    Misreading{"in_a_line", "depth", "(n - 1)"},
    Misreading{"sector_per_load", "sectors", "loads@"},
    Misreading{"no_waste", "sectors", "least_sectors@"},
    Misreading{"no_conflict", "bank_cycles", "least_bank_cycles@"},
    Misreading{"turn_per_load", "bank_cycles", "loads@"},
    Misreading{"one_per_group", "atomics", "groups@"},
    Misreading{"one_per_item", "atomics", "items@"},
    Misreading{"launch_per_pass", "launches", "passes@"},
    Misreading{"launch_per_group", "launches", "groups@"},
};

// Empty if the expression does not have the fact.
std::string misread(const std::string& text, const Misreading& with) {
    const auto in_name = [](char c) {
        return c == '_' || c == '-' || c == '.' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    };
    const std::string_view fact = with.fact;
    std::string result;
    std::size_t done = 0;
    for (std::size_t at = text.find(fact); at != std::string::npos; at = text.find(fact, at + 1)) {
        std::size_t end = at + fact.size();
        if (at < done || (at > 0 && in_name(text[at - 1])) ||
            (end < text.size() && in_name(text[end])))
            continue;
        std::size_t depth = 0;
        const std::size_t arguments = end;
        if (end < text.size() && text[end] == '(')
            for (bool open = true; open && end < text.size(); ++end) {
                if (text[end] == '(') ++depth;
                if (text[end] == ')') open = --depth > 0;
            }
        result += text.substr(done, at - done);
        for (const char c : std::string_view(with.instead))
            result += c == '$'   ? text.substr(at, end - at)
                      : c == '@' ? text.substr(arguments, end - arguments)
                                 : std::string(1, c);
        done = end;
    }
    return done == 0 ? "" : result + text.substr(done);
}

MistakenPages misread_page(const Page& page, const Misreading& with, const Library& library) {
    Ask ask = *page.ask;
    bool changes = false;
    for (Expression& value : ask.values) {
        const std::string text = misread(value.text(), with);
        if (!text.empty()) value = Expression(text, library);
        changes = changes || !text.empty();
    }
    return changes ? MistakenPages{{page.show, std::move(ask)}} : MistakenPages();
}

struct Mistake {
    const char* name;  // in learn.mistake.NAME
    MistakenPages (*pages)(const Page& page, Runs& runs);
};
constexpr std::array kMistakes{
    Mistake{"group_0_alone", group_0_alone},
    Mistake{"pass_missing", [](const Page& page, Runs& runs) { return later(page, runs, -1); }},
    Mistake{"number_missing",
            [](const Page& page, Runs& runs) {
                return with_another_number(page, runs, neutral_number);
            }},
    Mistake{"partner_off_by_one", partner_off_by_one},
    Mistake{"barrier_missing", without_a_barrier},
    Mistake{"everyone_adds", everyone_adds},
    Mistake{"number_twice",
            [](const Page& page, Runs& runs) {
                return with_another_number(page, runs, double_number);
            }},
    Mistake{"pass_too_many", [](const Page& page, Runs& runs) { return later(page, runs, 1); }},
    Mistake{"first_group_first",
            [](const Page& page, Runs&) { return with_key(page, "order", "in-order"); }},
    Mistake{"last_group_first",
            [](const Page& page, Runs&) { return with_key(page, "order", "reversed"); }},
    Mistake{"not_rounded", not_rounded},
};

// What the question asks for, in that run; empty if it breaks off.
std::vector<double> values_of(const MistakenPage& page, Runs& runs) {
    Facts& facts = runs.facts(page.show);
    std::vector<double> values;
    if (facts.plain_run().fault) return values;
    for (const Expression& value : page.ask.values)
        values.push_back(value(page.show, runs));
    if (page.ask.kind == Kind::results && values.empty()) {
        char* end = nullptr;
        const std::string result = facts.result();
        values.push_back(std::strtod(result.c_str(), &end));
        if (end == result.c_str() || *end != 0) values.clear();
    }
    if (page.ask.kind != Kind::cells) return values;
    const analysis::Row& row = facts.row(row_of(page.ask.row, facts));
    for (std::size_t i = 0; i < row.cells.size(); ++i)
        if (page.ask.cells.empty()) values.push_back(number_of(row.cells[i].value));
    for (const std::uint64_t cell : page.ask.cells)
        if (cell < row.cells.size()) values.push_back(number_of(row.cells[cell].value));
    return values;
}

// What is asked over all schedules takes a search, and each mistake would take another one.
bool asks_for_a_search(const Ask& ask) {
    constexpr std::array kSearched{"results", "hangs",    "possible", "states",
                                   "needs",   "needless", "shortest", "complete"};
    return any_of(ask.values, [&](const Expression& value) {
        return any_of(kSearched, [&](const char* fact) {
            return value.text().find(fact) != std::string::npos;
        });
    });
}

}  // namespace

void for_each_mistake(const Page& page, const Library& library,
                      const std::function<bool(const Mistaken&)>& take) {
    if (!page.ask || asks_for_a_search(*page.ask)) return;
    Runs runs(library);  // of the page's own, the oldest would be forgotten
    struct Attempt {
        const char* name;
        MistakenPage page;
    };
    std::vector<std::vector<Attempt>> by_turn;  // of each mistake its first way, then its second …
    const auto add = [&](const char* name, MistakenPages pages) {
        for (std::size_t i = 0; i < pages.size(); ++i) {
            if (by_turn.size() <= i) by_turn.resize(i + 1);
            by_turn[i].push_back({name, std::move(pages[i])});
        }
    };
    std::vector<std::vector<double>> seen;
    if (thrown_by([&] { seen.push_back(values_of({page.show, *page.ask}, runs)); })) return;
    for (const Misreading& misreading : kMisreadings)
        (void)thrown_by([&] { add(misreading.name, misread_page(page, misreading, library)); });
    for (const Mistake& mistake : kMistakes)
        (void)thrown_by([&] { add(mistake.name, mistake.pages(page, runs)); });
    for (const std::vector<Attempt>& turn : by_turn)
        for (const Attempt& attempt : turn) {
            std::vector<double> values;
            if (thrown_by([&] { values = values_of(attempt.page, runs); })) continue;
            const bool known = all_of(values, [](double value) { return std::isfinite(value); });
            if (!known || values.size() != seen.front().size() || contains(seen, values)) continue;
            seen.push_back(values);
            const Phrase words{
                fmt::format("learn.mistake.{}", attempt.name), attempt.page.arguments, {}};
            if (!take({words, std::move(values)})) return;
        }
}

}  // namespace lab::lessons
