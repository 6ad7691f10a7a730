// Puts the values of expressions into a page's words.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lessons/answers/question.h"

namespace lab::lessons {
namespace {

std::string results_of(const Filling& with, bool wrong_only) {
    std::vector<std::string> texts;
    for (const analysis::PossibleResult& result : with.runs.facts(with.show).outcomes().results)
        if (!wrong_only || !result.ending.right.value_or(false))
            texts.push_back(result.never_ends ? "…" : result.ending.result);
    constexpr std::size_t kMost = 12;
    const bool more = texts.size() > kMost;
    if (more) texts.resize(kMost);
    return fmt::format("{}{}", fmt::join(texts, ", "), more ? ", …" : "");
}

std::string line_of(const Filling& with, const std::string& number) {
    const std::string text = text_of(with.show, with.runs.library());
    std::size_t begin = 0;
    for (unsigned long line = std::strtoul(number.c_str(), nullptr, 10); line > 1; --line) {
        begin = text.find('\n', begin);
        if (begin == std::string::npos) throw Problem("There is no such line", "", "Name another");
        ++begin;
    }
    return std::string(
        trimmed(std::string_view(text).substr(begin, text.find('\n', begin) - begin)));
}

std::string counts_of(const Measured& measured) {
    std::vector<std::pair<std::uint64_t, std::string>> counts;
    for (const auto& [result, count] : measured.counts)
        counts.emplace_back(count, result);
    std::sort(counts.rbegin(), counts.rend());
    std::vector<std::string> texts;
    for (const auto& [count, result] : counts)
        if (texts.size() < 6) texts.push_back(fmt::format("{} × {}", count, result));
    for (const auto& [kernel, seconds] : measured.seconds)
        texts.push_back(fmt::format("{}: {:.3g} ms", kernel, seconds * 1e3));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string value_of(const std::string& inside, const Filling& with) {
    if (inside == "answer") return with.question != nullptr ? with.question->answer : "";
    if (inside == "the results") return results_of(with, false);
    if (inside == "the wrong results") return results_of(with, true);
    if (inside == "schedule")
        return with.given != nullptr && !with.given->texts.empty() ? with.given->texts.front() : "";
    if (inside == "device") return with.measured != nullptr ? with.measured->device : "–";
    if (inside == "measured") return with.measured != nullptr ? counts_of(*with.measured) : "–";
    if (inside.starts_with("line ")) return line_of(with, inside.substr(5));
    return text_of(Expression(inside, with.runs.library())(with.show, with.runs));
}

// `place`: of the span in the paragraph's text.
std::string filled_span(const std::string& text, const Filling& with, const Paragraph& paragraph,
                        std::size_t place, std::vector<Problem>* problems) {
    std::string result;
    std::size_t begin = 0;
    while (true) {
        const auto open = text.find('{', begin);
        const auto close = open == std::string::npos ? open : text.find('}', open);
        if (close == std::string::npos) return result + text.substr(begin);
        result += text.substr(begin, open - begin);
        try {
            result += value_of(text.substr(open + 1, close - open - 1), with);
        } catch (const Problem& problem) {
            result += text.substr(open, close + 1 - open);
            if (problems != nullptr)
                problems->emplace_back(problem.what_happened, problem.why, problem.hint,
                                       fmt::format("{}", paragraph.line_at(place + open)));
        }
        begin = close + 1;
    }
}

}  // namespace

Text filled(const Text& text, const Filling& with, std::vector<Problem>* problems) {
    Text result = text;
    for (Paragraph& paragraph : result) {
        std::size_t place = 0;
        for (Span& span : paragraph.spans) {
            const std::size_t length = span.text.size();
            if (!span.code) span.text = filled_span(span.text, with, paragraph, place, problems);
            place += length;
        }
    }
    return result;
}

Text reply_to(const Page& page, const Question& question, const Answer& answer,
              const Feedback& feedback, Runs& runs, const Measured* measured) {
    const Show answered = answered_show(page, answer);
    // After a schedule "the run" means the page's own; in an answer to a mistake, the mistaken one.
    const bool edits = page.ask && page.ask->kind == Kind::edit;
    if (feedback.right || feedback.given_up || feedback.measured)
        return filled(page.after,
                      {edits ? answered : page.show, runs, &question, &answer, measured});
    if (feedback.reply)
        return filled(
            page.replies[*feedback.reply].words,
            {feedback.failed ? *feedback.failed : answered, runs, &question, &answer, measured});
    return {};
}

}  // namespace lab::lessons
