#include "lessons/files/read_ask.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/problem.h"
#include "base/text.h"
#include "catalogue/number.h"

namespace lab::lessons {
namespace {

[[noreturn]] void reject(std::string what, std::string hint, std::string why = {}) {
    throw Problem(std::move(what), std::move(why), std::move(hint));
}

struct KindName {
    Kind kind;
    const char* name;
};
constexpr std::array kKinds{
    KindName{Kind::cells, "cells"},       KindName{Kind::items, "items"},
    KindName{Kind::number, "number"},     KindName{Kind::choose, "choose"},
    KindName{Kind::results, "results"},   KindName{Kind::line, "line"},
    KindName{Kind::schedule, "schedule"}, KindName{Kind::edit, "edit"},
    KindName{Kind::measure, "measure"},   KindName{Kind::reflect, "reflect"},
    KindName{Kind::pick, "pick"},
};

Place read_row(const std::string& value) {
    if (value == "start") return {};
    if (value == "end" || value == "last") return {Place::Kind::end, 0};
    if (value.starts_with("pass "))
        return {Place::Kind::row, static_cast<std::size_t>(catalogue::parse_size(value.substr(5)))};
    reject(fmt::format("'{}' is no row", value), "Write start, pass 2 or end");
}

template <typename Word>
using Words = std::vector<std::pair<const char*, Word>>;

template <typename Word>
Word word_of(const std::string& value, const Words<Word>& words) {
    std::vector<std::string> names;
    for (const auto& [name, word] : words) {
        if (value == name) return word;
        names.emplace_back(name);
    }
    reject(fmt::format("'{}' is none of the words that fit", value), choices_hint(value, names));
}

struct Reading {
    Ask& ask;
    const std::string& value;
    const Library& library;
};

void set_cells(Reading r) {
    if (r.value == "all") return;
    for (const std::string& cell : split(r.value, ','))
        r.ask.cells.push_back(catalogue::parse_size(cell));
}

void set_pick(Reading r) {
    using Use = Facts::CellUse;
    r.ask.kind = Kind::pick;
    r.ask.use = word_of<Use>(r.value, {{"missing", Use::missing},
                                       {"doubled", Use::doubled},
                                       {"read", Use::read},
                                       {"written", Use::written},
                                       {"stale", Use::stale},
                                       {"raced", Use::raced}});
}

void set_state(Reading r) {
    using State = Facts::Activity;
    r.ask.state = word_of<State>(r.value, {{"active", State::active},
                                           {"idle", State::idle},
                                           {"waiting", State::waiting},
                                           {"done", State::done},
                                           {"diverged", State::diverged},
                                           {"stale", State::stale}});
}

double percent(const std::string& text) {
    const bool sign = text.ends_with('%');
    try {
        return std::stod(text) * (sign ? 0.01 : 1);
    } catch (const std::exception&) {
        reject(fmt::format("'{}' is no number", text), "Write 5%");
    }
}

void add_values(std::vector<Expression>& to, const std::string& text, const Library& library) {
    for (const std::string& each : split(text, ',', true))
        to.emplace_back(each, library);
}

void set_right(Reading r) {
    constexpr std::array kWords{"race", "stale",     "fault", "barrier", "diverged",
                                "wait", "expensive", "read",  "write"};
    if (r.ask.kind == Kind::line) {
        if (std::find(kWords.begin(), kWords.end(), r.value) != kWords.end())
            r.ask.right = r.value;
        else
            r.ask.values.emplace_back(r.value, r.library);
        return;
    }
    const bool most = r.value.starts_with("max(");
    if ((!most && !r.value.starts_with("min(")) || !r.value.ends_with(')'))
        reject(fmt::format("'{}' does not choose among kernels", r.value),
               "Write max(EXPRESSION) or min(EXPRESSION)");
    r.ask.most = most;
    r.ask.values.emplace_back(r.value.substr(4, r.value.size() - 5), r.library);
}

void set_until(Reading r) {
    if (r.value.starts_with("result ")) {
        r.ask.until = "result";
        r.ask.values.emplace_back(r.value.substr(7), r.library);
    } else {
        r.ask.until = word_of<const char*>(
            r.value, {{"wrong", "wrong"}, {"right", "right"}, {"hang", "hang"}});
    }
}

// "races == 0 for n=8,16 group=4"
void add_goal(Reading r) {
    Goal goal;
    goal.text = r.value;
    const auto at = r.value.find(" for ");
    std::vector<std::string> counts;
    std::string input;
    goal.condition = Expression(r.value.substr(0, at), r.library);
    if (at != std::string::npos) {
        for (const std::string& word : split(r.value.substr(at + 5), ' ')) {
            if (word.empty()) continue;
            const auto equals = word.find('=');
            std::string key = word.substr(0, equals);
            if (is_toggle(key)) {
                std::vector<std::string> settings = split(word.substr(equals + 1), ',');
                for (std::string& value : settings)
                    value = key + "=" + value;
                goal.shapes.emplace_back("set", std::move(settings));
                continue;
            }
            if (equals == std::string::npos || !is_show_key(key))
                reject(fmt::format("'{}' is no shape", word), "Write n=8,16 group=4");
            const std::string values = word.substr(equals + 1);
            // A toggle's value and typed numbers have signs of their own.
            std::vector<std::string> each =
                key == "set" || key == "input" ? std::vector{values} : split(values, ',');
            Show trial;
            for (const std::string& value : each)
                set_key(trial, key, value);
            if (key == "n") counts = each;
            if (key == "input") input = values;
            goal.shapes.emplace_back(key, std::move(each));
        }
    }
    for (const std::string& n : counts)
        if (!input.empty()) check_count(n, input);
    r.ask.goals.push_back(std::move(goal));
}

struct AskKey {
    const char* name;
    std::vector<Kind> kinds;
    void (*set)(Reading reading);
};

const std::vector<AskKey>& ask_keys() {
    static const std::vector<AskKey> all{
        {"row",
         {Kind::cells, Kind::pick, Kind::items},
         [](Reading r) { r.ask.row = read_row(r.value); }},
        {"cells", {Kind::cells}, set_cells},
        {"pick", {Kind::cells, Kind::pick}, set_pick},
        {"state", {Kind::items}, set_state},
        {"value",
         {Kind::number, Kind::choose},
         [](Reading r) { r.ask.values.emplace_back(r.value, r.library); }},
        {"within", {Kind::number}, [](Reading r) { r.ask.within = percent(r.value); }},
        {"unit", {Kind::number}, [](Reading r) { r.ask.unit = r.value; }},
        {"option",
         {Kind::choose},
         [](Reading r) { r.ask.options.emplace_back(r.value, r.library); }},
        {"others", {Kind::choose}, [](Reading r) { add_values(r.ask.others, r.value, r.library); }},
        {"kernels",
         {Kind::choose, Kind::measure},
         [](Reading r) { r.ask.kernels = split(r.value, ','); }},
        {"right", {Kind::choose, Kind::line}, set_right},
        {"until", {Kind::schedule}, set_until},
        {"most", {Kind::schedule}, [](Reading r) { r.ask.limit = Expression(r.value, r.library); }},
        {"start", {Kind::edit}, [](Reading r) { r.ask.start = r.value; }},
        {"solution", {Kind::edit}, [](Reading r) { r.ask.solution = r.value; }},
        {"goal", {Kind::edit}, add_goal},
        {"limit",
         {Kind::edit},
         [](Reading r) {
             r.ask.only_barriers = word_of<bool>(r.value, {{"barriers", true}});
         }},
        {"uses",
         {Kind::edit},
         [](Reading r) {
             (void)word_of<bool>(r.value, {{"local", true}});
             const std::string goal = "used_local_loads > 0";
             add_goal({r.ask, goal, r.library});
         }},
        {"n",
         {Kind::measure},
         [](Reading r) {
             (void)catalogue::parse_size(r.value);
             r.ask.n = r.value;
         }},
        {"predict",
         {Kind::measure},
         [](Reading r) {
             r.ask.predict = word_of<Predict>(
                 r.value,
                 {{"ratio", Predict::ratio}, {"order", Predict::order}, {"share", Predict::share}});
         }},
        {"band", {Kind::measure}, [](Reading r) { r.ask.band = percent(r.value); }},
        {"trials",
         {Kind::measure},
         [](Reading r) { r.ask.trials = catalogue::parse_size(r.value); }},
    };
    return all;
}

// What a kind cannot do without.
void check_complete(const Ask& ask) {
    const auto need = [](bool there, const char* what, const char* hint) {
        if (!there) reject(what, hint);
    };
    switch (ask.kind) {
        case Kind::number:
            need(!ask.values.empty(), "The question has no value", "Add a line: value: passes");
            break;
        case Kind::choose:
            need(!ask.options.empty() || !ask.values.empty(), "There is nothing to choose",
                 "Add a line for each option: option: passes == 3");
            break;
        case Kind::line:
            need(!ask.right.empty() || !ask.values.empty(), "No line is right",
                 "Add a line: right: race");
            break;
        case Kind::schedule:
            need(!ask.until.empty(), "The schedule has no aim", "Add a line: until: wrong");
            break;
        case Kind::edit:
            need(!ask.start.empty() && !ask.solution.empty(), "An edit has a start and a solution",
                 "Add two lines: start: start.cl, and solution: solution.cl");
            need(!ask.goals.empty(), "The edit has no goal", "Add a line: goal: races == 0");
            break;
        case Kind::measure:
            need(ask.predict == Predict::share ? ask.trials > 0 : ask.kernels.size() > 1,
                 "There is nothing to measure",
                 "Name two kernels: kernels: a, b; or trials: 1000 with predict: share");
            break;
        default:
            break;
    }
}

}  // namespace

const char* name_of(Kind kind) {
    return std::find_if(kKinds.begin(), kKinds.end(),
                        [&](const KindName& each) { return each.kind == kind; })
        ->name;
}

std::vector<Entry> read_entries(std::string_view body, std::uint32_t first_line) {
    std::vector<Entry> entries;
    std::uint32_t number = first_line;
    while (!body.empty()) {
        const auto end = body.find('\n');
        const std::string_view line = body.substr(0, end);
        if (!trimmed(line).empty()) {
            const auto colon = line.find(':');
            if (colon == std::string_view::npos)
                throw Problem(fmt::format("'{}' is no setting", trimmed(line)), "",
                              "Write key: value, one a line", fmt::format("{}:1", number));
            const std::string_view value = trimmed(line.substr(colon + 1));
            const auto column = value.empty()
                                    ? colon + 2
                                    : static_cast<std::size_t>(value.data() - line.data()) + 1;
            const std::string_view key = trimmed(line.substr(0, colon));
            entries.push_back({std::string(key), std::string(value), number, column,
                               static_cast<std::size_t>(key.data() - line.data()) + 1});
        }
        ++number;
        if (end == std::string_view::npos) break;
        body.remove_prefix(end + 1);
    }
    return entries;
}

const Entry* repeated(const std::vector<Entry>& entries,
                      std::initializer_list<std::string_view> may) {
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
        if (std::find(may.begin(), may.end(), entry->key) == may.end() &&
            std::any_of(entries.begin(), entry,
                        [&](const Entry& before) { return before.key == entry->key; }))
            return &*entry;
    return nullptr;
}

Problem twice_problem(const Entry& entry) {
    return Problem(fmt::format("'{}' stands here twice", entry.key), "Only one can be meant",
                   "Take one away", fmt::format("{}:{}", entry.line, entry.key_column));
}

Ask read_ask(const std::string& kind, const std::vector<Entry>& entries, std::uint32_t line,
             const Library& library) {
    Ask ask;
    ask.line = line;
    const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const KindName& each) {
        return each.kind != Kind::pick && kind == each.name;
    });
    if (found == kKinds.end()) {
        std::vector<std::string> names;
        for (const KindName& each : kKinds)
            if (each.kind != Kind::pick) names.emplace_back(each.name);
        throw Problem(fmt::format("'{}' is no kind of question", kind), "",
                      choices_hint(kind, names), fmt::format("{}:1", line));
    }
    ask.kind = found->kind;
    if (const Entry* twice = repeated(entries, {"value", "option", "others", "goal"}))
        throw twice_problem(*twice);
    for (const Entry& entry : entries) {
        const auto key =
            std::find_if(ask_keys().begin(), ask_keys().end(), [&](const AskKey& each) {
                return each.name == entry.key && std::find(each.kinds.begin(), each.kinds.end(),
                                                           ask.kind) != each.kinds.end();
            });
        const std::string where = fmt::format("{}:{}", entry.line, entry.column);
        if (key == ask_keys().end()) {
            std::vector<std::string> names;
            for (const AskKey& each : ask_keys())
                if (std::find(each.kinds.begin(), each.kinds.end(), ask.kind) != each.kinds.end())
                    names.emplace_back(each.name);
            throw Problem(fmt::format("'{}' is nothing that '{}' knows", entry.key, kind), "",
                          names.empty() ? "It takes no settings" : choices_hint(entry.key, names),
                          fmt::format("{}:{}", entry.line, entry.key_column));
        }
        try {
            key->set({ask, entry.value, library});
        } catch (const Problem& problem) {
            // A column within the value counts from there.
            std::size_t column = entry.column;
            if (!problem.where.empty() &&
                problem.where.find_first_not_of("0123456789") == std::string::npos)
                column += std::stoul(problem.where) - 1;
            Problem placed = problem;
            throw Problem(placed.what_happened, placed.why, placed.hint,
                          fmt::format("{}:{}", entry.line, column));
        }
    }
    try {
        check_complete(ask);
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why, problem.hint, fmt::format("{}:1", line));
    }
    return ask;
}

Reply read_reply(const std::string& what, const Ask& ask, const Library& library) {
    Reply reply;
    const auto number_after = [&](std::string_view word) {
        return static_cast<std::size_t>(catalogue::parse_size(
            std::string(trimmed(std::string_view(what).substr(word.size())))));
    };
    // "option 9" where there are fewer.
    const auto up_to = [&](std::size_t count, const char* thing) {
        if (reply.number == 0 || (count > 0 && reply.number > count))
            reject(fmt::format("There is no {} {}", thing, reply.number),
                   count > 0 ? fmt::format("There are {}, counted from 1", count)
                             : std::string("Count from 1"));
    };
    const std::size_t options = std::max(ask.options.size(), ask.kernels.size());
    const bool sets = ask.kind == Kind::items || ask.kind == Kind::pick ||
                      ask.kind == Kind::results || ask.kind == Kind::choose;
    if (what.empty()) {
        reply.kind = Reply::Kind::any;
    } else if (ask.kind == Kind::choose && what.starts_with("option ")) {
        reply.kind = Reply::Kind::option;
        reply.number = number_after("option ");
        up_to(options, "option");
    } else if (ask.kind == Kind::choose && what.starts_with("missing ")) {
        reply.kind = Reply::Kind::missing;
        reply.number = number_after("missing ");
        up_to(options, "option");
    } else if (sets && what == "subset") {
        reply.kind = Reply::Kind::subset;
    } else if (sets && what == "superset") {
        reply.kind = Reply::Kind::superset;
    } else if (sets && what == "some") {
        reply.kind = Reply::Kind::some;
    } else if (sets && (what == "all offered" || what == "all")) {
        reply.kind = Reply::Kind::all;
    } else if (ask.kind == Kind::edit && what.starts_with("uses ")) {
        reply.kind = Reply::Kind::uses;
        reply.word = std::string(trimmed(std::string_view(what).substr(5)));
    } else if (ask.kind == Kind::edit && what.starts_with("goal ")) {
        reply.kind = Reply::Kind::goal;
        reply.number = number_after("goal ");
        up_to(ask.goals.size(), "goal");
    } else if (what.starts_with("if ")) {
        reply.kind = Reply::Kind::run;
        reply.expression = Expression(what.substr(3), library);
    } else if (ask.kind == Kind::edit || ask.kind == Kind::reflect) {
        reject(fmt::format("'wrong {}' fits no answer to this question", what),
               "docs/lessons.md lists what fits");
    } else {
        reply.kind = Reply::Kind::value;
        reply.expression = Expression(what, library);
    }
    return reply;
}

}  // namespace lab::lessons
