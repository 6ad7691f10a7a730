// Draws a page anew: the same question about other numbers.
#include <locale.h>
#include <wctype.h>

#include <random>

#include <fmt/format.h>

#include "analysis/simulate.h"
#include "base/ranges.h"
#include "base/text.h"
#include "lessons/grade.h"
#include "lessons/question.h"

namespace lab::lessons {
namespace {

constexpr std::uint64_t kMostTries = 50;  // for one draw of a page; then it is refused

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

// The first array with typed numbers among the arguments of a kernel without a header: its input.
std::string* typed_argument(Show& show) {
    if (!show.user_kernel) return nullptr;
    return find_if(show.user_kernel->arguments, [](const std::string& each) {
        const auto fill = each.find("]=");
        return fill != std::string::npos && each.find(',', fill) != std::string::npos;
    });
}

void set_value(Show& show, const std::string& key, const std::string& value) {
    if (key == "kernel") {
        show.variant = value;  // with the numbers of the page
    } else if (std::string* argument = key == "input" ? typed_argument(show) : nullptr) {
        const auto numbers = argument->find("]=") + 2;
        if (split(value, ',').size() != split(argument->substr(numbers), ',').size())
            throw Problem(fmt::format("'{}' has not as many numbers as '{}'", value, *argument), "",
                          "Give as many");
        argument->replace(numbers, std::string::npos, value);
    } else {
        set_key(show, key, value);
    }
}

// Takes a value for each key, and says which: "n = 8, group = 4". `place` counts through all
// combinations, beginning with the page's own.
std::string take_values(Page& page, std::uint64_t place, std::uint64_t seed) {
    Show& show = page.show;
    const bool in_lockstep = show.in_lockstep;
    std::optional<std::pair<std::int64_t, std::int64_t>> range;
    std::vector<std::string> texts;
    for (const auto& [key, values] : page.vary) {
        std::size_t own = 0;
        while (own < values.size() && !has_value(show, key, values[own]))
            ++own;
        const std::string& value = values[(own + place) % values.size()];
        place /= values.size();
        if (key == "input" && (range = read_range(value))) continue;
        set_value(show, key, value);
        texts.push_back(fmt::format("{} = {}", key, value));
    }
    const std::string* argument = typed_argument(show);
    const std::uint64_t n = argument != nullptr
                                ? split(argument->substr(argument->find("]=")), ',').size()
                                : count_of_input(show);
    // More are refused, and not made first.
    if (range && n <= analysis::kMostSteppedElements) {
        const std::string numbers = shuffled(n, *range, hash_of(page.id) ^ seed);
        set_value(show, "input", numbers);
        texts.push_back(fmt::format("input = {}", numbers));
    }
    show.in_lockstep = in_lockstep;
    return fmt::format("{}", fmt::join(texts, ", "));
}

// True if an answer that is called a mistake is right, or none any more.
bool is_no_mistake(const Reply& reply, const Page& page, const Question& question, Runs& runs) {
    const bool chosen = question.picks.contains(reply.number - 1);
    if (reply.kind == Reply::Kind::option) return chosen;
    if (reply.kind == Reply::Kind::missing) return !chosen;
    if (reply.kind != Reply::Kind::value) return false;
    const double value = reply.expression(page.show, runs);
    if (question.kind == Kind::schedule)
        return page.ask->until == "result" && page.ask->values.front()(page.show, runs) == value;
    const Field mistake = field_of(value, page.ask->within, text_of(value));
    return any_of(question.fields, [&](const Field& field) { return fits(value, field); }) ||
           any_of(question.picks, [&](std::uint64_t pick) {
               return question.options.empty()
                          ? static_cast<double>(pick) == value
                          : fits(std::strtod(question.options[pick].text.c_str(), nullptr),
                                 mistake);
           });
}

// What a page that asks for a schedule could ask for.
std::string possible_hint(const Page& page, Runs& runs) {
    std::vector<std::string> texts;
    bool hangs = false;
    const analysis::Outcomes& all = runs.facts(page.show).shortest_outcomes();
    for (const analysis::PossibleResult& each : all.results) {
        hangs = hangs || each.never_ends;
        if (!each.fault && !each.never_ends)
            texts.push_back(each.ending.right == false ? each.ending.result + " (wrong)"
                                                       : each.ending.result);
    }
    constexpr std::size_t kMost = 12;  // results of a page; that there are more is said
    const bool more = texts.size() > kMost;
    if (more) texts.resize(kMost);
    if (hangs) texts.emplace_back("a run that hangs");
    return fmt::format(
        "{}: {}{}", all.complete ? "What can come out" : "Found so far",
        texts.empty() ? "nothing but faults" : fmt::format("{}", fmt::join(texts, ", ")),
        more ? ", and more" : "");
}

// Throws Problem if the page cannot be asked with these numbers.
void check_numbers(const Page& page, Runs& runs) {
    if (const auto refusal = cannot_show(page, runs)) throw Problem(*refusal);
    if (!page.ask) return;
    const Question question = question_of(page, runs);
    if (const auto fault = fault_of(page, question, runs)) throw Problem(*fault);
    const Ask& ask = *page.ask;
    const bool one = ask.kind == Kind::choose && ask.options.empty();
    if (one && question.picks.size() > 1) throw Problem("Several are right", "", "");
    for (const Reply& reply : page.replies)
        if (is_no_mistake(reply, page, question, runs))
            throw Problem(reply.kind == Reply::Kind::value
                              ? fmt::format("'wrong {}' is right", reply.expression.text())
                              : fmt::format("A mistake with option {} is none", reply.number),
                          "", "");
    for (const Expression& other : ask.others)
        if (other(page.show, runs) == ask.values.front()(page.show, runs))
            throw Problem(fmt::format("'{}' of the others is right", other.text()), "", "");
}

}  // namespace

bool has_value(const Show& show, const std::string& key, const std::string& value) {
    Show same = show;
    const auto problem = thrown_by([&] { set_value(same, key, value); });
    same.in_lockstep = show.in_lockstep;
    return !problem && same == show;
}

std::optional<Problem> fault_of(const Page& page, const Question& question, Runs& runs) {
    const std::size_t options = question.options.size(), right = question.picks.size();
    if (!question.graded || question.kind == Kind::measure || question.picked == Picked::order)
        return {};
    if (question.kind == Kind::schedule && page.ask->par > 0)
        if (const auto fewest = fewest_turns(page, runs);
            !fewest || fewest->size() != page.ask->par)
            return Problem(
                fewest ? fmt::format("The page is solved in {}, not {}",
                                     counted_text(fewest->size(), "turn"), page.ask->par)
                       : fmt::format("It is not known whether {} solve the page",
                                     counted_text(page.ask->par, "turn")),
                "", fewest ? fmt::format("Write par: {}", fewest->size()) : "Leave 'par' out");
    if (question.kind == Kind::schedule && right_answer(page, question, runs).empty())
        return Problem("Nothing solves the page", "", possible_hint(page, runs));
    if (question.kind == Kind::results && !runs.facts(page.show).outcomes().complete)
        return Problem("The search for all results did not come to its end", "",
                       "Show fewer numbers or smaller groups");
    if (question.kind == Kind::results && right == 0)
        return Problem("Nothing solves the page", "", possible_hint(page, runs));
    if (question.picked != Picked::options && right == 0)
        return Problem("There is nothing to click that is right", "",
                       "Change the question, or what is shown");
    if (options > 0 && right == 0)
        return Problem("No option is right", "", "Change the options, or what is shown");
    if (options > 0 && right == options)
        return Problem("Every option is right", "", "Add one that is not");
    return {};
}

Page drawn(const Page& page, std::uint64_t seed, Runs& runs) {
    Page result = page;
    if (page.vary.empty() || seed == 0) return result;
    result.seed = seed;
    std::string why;
    for (std::uint64_t count = 0; count < kMostTries; ++count) {
        result.show = page.show;
        const auto problem = thrown_by([&] {
            why = take_values(result, seed + count, seed * kMostTries + count);
            check_numbers(result, runs);
        });
        if (!problem) return result;
        why = fmt::format("{}: {}", why, problem->what_happened);
    }
    throw Problem(fmt::format("Draw {} of the page has no numbers that will do", seed), why,
                  "Change the values that vary, or the question");
}

// By the tables of the C library, whatever locale the program runs in.
std::string compared_name(const std::string& name) {
    static const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    std::string small;
    for (const char32_t code : decode_utf8(trimmed(name))) {
        const auto letter = static_cast<wint_t>(code);
        append_utf8(small, static_cast<char32_t>(unicode != nullptr ? towlower_l(letter, unicode)
                                                                    : towlower(letter)));
    }
    return small;
}

std::uint64_t seed_of(const std::string& name) {
    return hash_of(compared_name(name)) % 900'000'000 + 100'000'000;  // room for what comes after
}

}  // namespace lab::lessons
