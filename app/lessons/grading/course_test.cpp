// No answer of the course is written down: with other inputs every page has other answers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <regex>

#include "support/shipped_course.h"

namespace lab::lessons {
namespace {

// Other inputs, of which some change the answer.
std::vector<std::pair<std::string, Page>> changed(const Page& page, const Library& library) {
    std::vector<std::pair<std::string, Page>> pages;
    const auto with = [&](const std::string& name,
                          std::vector<std::pair<std::string, std::string>> keys) {
        Page other = page;
        other.replies.clear();  // they are about the page's own numbers
        try {
            for (const auto& [key, value] : keys)
                set_key(other.show, key, value);
            pages.emplace_back(name, std::move(other));
        } catch (const Problem&) {
        }
    };
    const catalogue::Shape& shape = page.show.shape;
    std::uint64_t n = shape.n.value_or(8);
    if (shape.input.kind == catalogue::Input::Kind::values)
        n = static_cast<std::uint64_t>(
                std::count(shape.input.text.begin(), shape.input.text.end(), ',')) +
            1;
    const std::string count = std::to_string(n);
    const std::uint64_t group = shape.group == 0 ? 4 : shape.group;
    with("other numbers", {{"input", "random:11"}, {"n", count}});
    with("and others", {{"input", "random:23"}, {"n", count}});
    with("twice as many", {{"input", "random:11"}, {"n", std::to_string(2 * n)}});
    with("half as many", {{"input", "random:11"}, {"n", std::to_string(n / 2)}});
    with("larger groups", {{"group", std::to_string(2 * group)}});
    with("smaller groups", {{"group", std::to_string(std::max<std::uint64_t>(1, group / 2))}});
    with("larger", {{"input", "random:11"},
                    {"n", std::to_string(2 * n)},
                    {"group", std::to_string(2 * group)}});
    with("smaller", {{"input", "random:11"},
                     {"n", std::to_string(n / 2)},
                     {"group", std::to_string(std::max<std::uint64_t>(1, group / 2))}});
    with("one lane", {{"lanes", "1"}});
    with("more lanes", {{"lanes", "16"}});
    with("a minimum", {{"op", "min"}});
    with("a float", {{"type", "float"}, {"input", "1e8,1,-1e8,7"}});
    with("all resident", {{"resident", "all"}});
    with("turns", {{"order", "round-robin"}});
    with("another kernel", {{"kernel", "relaunch"},
                            {"input", "random:11"},
                            {"n", count},
                            {"group", std::to_string(group)}});
    // Every n and group that an expression names for itself, halved: the text is the input there.
    if (page.ask) {
        static const std::regex sizes(R"(\b(n|group)=(\d+))");
        const auto halved = [&](const Expression& expression) {
            std::string text;
            const std::string& old = expression.text();
            std::size_t end = 0;
            for (std::sregex_iterator it(old.begin(), old.end(), sizes), last; it != last; ++it) {
                const auto at = static_cast<std::size_t>(it->position());
                text += old.substr(end, at - end);
                text += fmt::format("{}={}", it->str(1), std::max(1L, std::stol(it->str(2)) / 2));
                end = at + static_cast<std::size_t>(it->length());
            }
            return Expression(text + old.substr(end), library);
        };
        Page other = page;
        other.replies.clear();
        for (Expression& each : other.ask->values)
            each = halved(each);
        for (Expression& each : other.ask->options)
            each = halved(each);
        pages.emplace_back("halved sizes in the expressions", std::move(other));
    }
    // The kernel one line further down: so are the lines that are asked for.
    if (page.ask && page.ask->kind == Kind::line) {
        Page other = page;
        std::string text = text_of(page.show, library);
        text.insert(header_of(text).size(), "\n");
        other.show.text = text;
        pages.emplace_back("one line further down", std::move(other));
    }
    return pages;
}

// Pages whose answer is the same for all inputs, each with why. A page with a written-down answer
// would have to be put here, where somebody asks.
const std::map<std::string, const char*>& same_for_all_inputs() {
    static const std::map<std::string, const char*> pages{
        {"01-a-tree/any-order", "which operators are associative"},
        {"02-the-loop/the-pattern", "powers of two that the student finds"},
        {"04-many-groups/two-speed-ups-of-a-thousand", "the document's own times"},
        {"05-local-memory/what-would-racecheck-say", "each option names its own kernel and shape"},
        {"07-the-ladder/why-not-in-e", "the document's own times"},
        {"08-to-the-limit/how-far-does-the-fence-reach", "each option names its own fence"},
        {"08-to-the-limit/no-faster-than-this", "a datasheet's bandwidth"},
        {"08-to-the-limit/the-same-bits-every-day", "which kernels fix their order"},
        {"10-find-the-bug/the-best-of-all", "which operators have that identity"},
        {"10-find-the-bug/one-at-a-time", "each option names its own lanes"},
    };
    return pages;
}

TEST(Course, EveryAnswerFollowsWhenInputsChange) {
    ASSERT_GE(course().size(), 6U);
    for (const Lesson& lesson : course()) {
        Runs runs({catalogue::shipped(), lesson.folder});
        for (const Page& page : lesson.pages) {
            if (!asks_without_a_device(page) || page.ask->kind == Kind::edit ||
                page.ask->kind == Kind::schedule)
                continue;
            SCOPED_TRACE(name_of(lesson, page));
            const Question question = question_of(page, runs);
            const Answer right = right_answer(page, question, runs);
            const std::vector<std::string> before = answers_of(page, question);
            EXPECT_TRUE(judge(page, question, right, runs).right);
            bool followed = false;
            for (const auto& [name, other] : changed(page, runs.library())) {
                const auto after = answers_of(other, runs);
                if (!after || *after == before) continue;
                followed = true;
                // And what was right before is so no more.
                const Question asked = question_of(other, runs);
                const Answer now = right_answer(other, asked, runs);
                if (now.empty()) continue;  // nothing is there to be clicked
                EXPECT_TRUE(judge(other, asked, now, runs).right) << name;
                if (asked.kind == Kind::line || !asked.options.empty()) continue;
                EXPECT_FALSE(judge(other, asked, right, runs).right) << name;
            }
            EXPECT_EQ(followed, !same_for_all_inputs().contains(name_of(lesson, page)))
                << fmt::format("{}", fmt::join(before, ", "));
        }
    }
}

TEST(Course, AWrittenDownAnswerWouldNotFollow) {
    TypedLesson lesson(page_with("```ask number\nvalue: 3\n```\n"));
    ASSERT_TRUE(lesson.problems().empty());
    const auto before = answers_of(lesson.page(), lesson.runs);
    for (const auto& [name, other] : changed(lesson.page(), lesson.runs.library()))
        EXPECT_EQ(answers_of(other, lesson.runs), before) << name;
}

// Every result that is called possible has its schedule, and 300 others give no other one.
TEST(Course, PossibleResultsAreThoseOfSchedules) {
    for (const Lesson& lesson : course()) {
        Runs runs({catalogue::shipped(), lesson.folder});
        for (const Page& page : lesson.pages) {
            if (!page.ask || page.ask->kind != Kind::results) continue;
            for (const char* input : {"", "random:3", "random:8"}) {
                SCOPED_TRACE(name_of(lesson, page) + " " + input);
                Page other = page;
                if (*input != 0 && page.show.global == 0) {
                    const std::uint64_t n = runs.facts(page.show).elements();
                    set_key(other.show, "input", input);
                    set_key(other.show, "n", std::to_string(n));
                }
                std::set<std::string> offered, possible, seen;
                for (const Option& option : question_of(other, runs).options) {
                    offered.insert(option.text);
                    if (option.right) possible.insert(option.text);
                }
                EXPECT_LT(possible.size(), offered.size());
                for (const analysis::PossibleResult& result :
                     runs.facts(other.show).outcomes().results) {
                    Show one = other.show;
                    one.lanes = 1;  // the turns are those of independent items
                    one.order = std::string(machine::kTurnsPrefix) + machine::text_of(result.turns);
                    EXPECT_EQ(Facts(subject_of(one, runs.library())).result(),
                              result.ending.result);
                }
                for (int seed = 0; seed < 300; ++seed) {
                    Show one = other.show;
                    one.order = fmt::format("random:{}", seed);
                    seen.insert(Facts(subject_of(one, runs.library())).result());
                }
                EXPECT_TRUE(
                    std::includes(possible.begin(), possible.end(), seen.begin(), seen.end()))
                    << fmt::format("{} not in {}", fmt::join(seen, " "), fmt::join(possible, " "));
                if (possible.size() > 1 || *input == 0) {
                    EXPECT_GT(seen.size(), 1U);
                }
            }
        }
    }
}

// A schedule is found where there is one; with other numbers the same aim has none.
TEST(Course, SchedulesAreSearchedFor) {
    std::size_t pages = 0;
    for (const Lesson& lesson : course()) {
        Runs runs({catalogue::shipped(), lesson.folder});
        for (const Page& page : lesson.pages) {
            if (!page.ask || page.ask->kind != Kind::schedule) continue;
            SCOPED_TRACE(name_of(lesson, page));
            ++pages;
            const Question question = question_of(page, runs);
            const Answer right = right_answer(page, question, runs);
            ASSERT_EQ(right.texts.size(), 1U);
            EXPECT_TRUE(judge(page, question, right, runs).right);
            if (page.ask->until != "result" ||
                page.show.shape.input.kind != catalogue::Input::Kind::values)
                continue;
            Page other = page;
            set_key(other.show, "input", "1,1,1,1,1,1,1,1");
            EXPECT_TRUE(right_answer(other, question, runs).empty());
            EXPECT_FALSE(judge(other, question, right, runs).right);
        }
    }
    EXPECT_GE(pages, 3U);
}

// Goals are of the run, not of the numbers that it was written with.
TEST(Course, EditsAreGradedWithOtherNumbers) {
    for (const Lesson& lesson : course()) {
        Runs runs({catalogue::shipped(), lesson.folder});
        for (const Page& page : lesson.pages) {
            if (!page.ask || page.ask->kind != Kind::edit) continue;
            SCOPED_TRACE(name_of(lesson, page));
            for (const char* input : {"", "random:5", "random:9"}) {
                Page other = page;
                if (*input != 0) {
                    const std::uint64_t n = runs.facts(page.show).elements();
                    set_key(other.show, "input", input);
                    set_key(other.show, "n", std::to_string(n));
                }
                const Question question = question_of(other, runs);
                const Answer solution = right_answer(other, question, runs);
                const Feedback feedback = judge(other, question, solution, runs);
                EXPECT_TRUE(feedback.right)
                    << input << " " << (feedback.problem ? feedback.problem->text() : "") << " "
                    << feedback.goals.size();
                Show start = other.show;
                set_key(start, "kernel", page.ask->start);
                EXPECT_FALSE(
                    judge(other, question, {{text_of(start, runs.library())}, {}}, runs).right);
                EXPECT_FALSE(judge(other, question, {{""}, {}}, runs).right);
            }
        }
    }
}

}  // namespace
}  // namespace lab::lessons
