// No answer of the course is written down: with other inputs every page has other answers.
#include <algorithm>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/ranges.h"
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
        {"08-to-the-limit/how-many-at-once", "a datasheet's bandwidth and places"},
        {"08-to-the-limit/the-same-bits-every-day", "which kernels fix their order"},
        {"10-find-the-bug/kernel-a", "each option names its own shape"},
        {"10-find-the-bug/kernel-c", "each option names its own shape"},
        {"10-find-the-bug/kernel-e", "each option names its own numbers"},
        {"10-find-the-bug/kernel-f", "each option names its own operator"},
        {"10-find-the-bug/kernel-h", "each option names its own numbers"},
        {"10-find-the-bug/kernel-i", "each option names its own numbers"},
        {"11-beyond-the-sum/three-without-a-number", "each option names its own pair"},
        {"11-beyond-the-sum/the-same-bits-for-everyone", "each option names its own kernel"},
        {"11-beyond-the-sum/all-sums-on-the-way", "each option names its own kernel"},
        {"12-which-tool/before-the-first-number", "measured times"},
        {"12-which-tool/where-do-the-numbers-lie", "measured times and a bandwidth"},
        {"12-which-tool/seven", "the kernel is right for all numbers"},
        {"12-which-tool/a-report-that-is-read", "each option names its own numbers"},
        {"12-which-tool/enough", "measured times"},
    };
    return pages;
}

TEST(Course, EveryAnswerFollowsWhenInputsChange) {
    ASSERT_GE(course().size(), 6U);
    for (const Lesson& lesson : course()) {
        Runs runs({catalogue::shipped(), lesson.folder});
        for (const Page& page : lesson.pages) {
            if (!asks_without_a_device(page) || page.ask->kind == Kind::edit ||
                page.ask->kind == Kind::schedule || page.ask->kind == Kind::input)
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

// Wrong results are those of mistakes, and how many there are tells nothing.
TEST(Course, WrongResultsComeFromMistakes) {
    std::set<std::size_t> counts;
    for (const Lesson& lesson : course()) {
        Runs runs({catalogue::shipped(), lesson.folder});
        for (const Page& page : lesson.pages) {
            if (!page.ask || page.ask->kind != Kind::results) continue;
            SCOPED_TRACE(name_of(lesson, page));
            std::size_t wrong = 0, mistakes = 0;
            for (const Option& option : question_of(page, runs).options) {
                wrong += option.right ? 0U : 1U;
                mistakes += option.mistake.key.empty() ? 0U : 1U;
                EXPECT_FALSE(option.right && !option.mistake.key.empty()) << option.text;
            }
            counts.insert(wrong);
            if (!page.show.user_kernel && page.show.shape.type == catalogue::Type::int_) {
                EXPECT_GT(mistakes, 0U);
            }
        }
    }
    EXPECT_GT(counts.size(), 1U);
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
                if (*input != 0 && !page.show.user_kernel) {
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
                    one.machine.lanes = 1;  // the turns are those of independent items
                    one.machine.order =
                        std::string(machine::kTurnsPrefix) + machine::text_of(result.turns);
                    EXPECT_EQ(Facts(spec_of(one, runs.library())).result(), result.ending.result);
                }
                for (int seed = 0; seed < 300; ++seed) {
                    Show one = other.show;
                    one.machine.order = fmt::format("random:{}", seed);
                    seen.insert(Facts(spec_of(one, runs.library())).result());
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

// Reasons are named by the misconceptions that docs/lessons.md lists, each with its pages: "3:2",
// or "10:3 to 10:5".
TEST(Course, ReasonsAreMisconceptionsThatAreListedWithTheirPages) {
    std::istringstream docs(read_file(fs::path(LAB_SOURCE_DIR) / "docs" / "lessons.md"));
    std::map<std::string, std::string> listed;
    static const std::regex row(R"(\| .* \| `([a-z0-9-]+)` \| (.*) \|)");
    std::smatch found;
    for (std::string line; std::getline(docs, line);)
        if (std::regex_match(line, found, row)) {
            EXPECT_FALSE(listed.contains(found[1])) << found[1];
            listed[found[1]] = ", " + found[2].str() + ",";
        }
    std::size_t pages = 0;
    for (const Lesson& lesson : course())
        for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
            pages += !lesson.pages[i].reasons.empty();
            for (const Reason& reason : lesson.pages[i].reasons) {
                if (reason.right()) continue;
                SCOPED_TRACE(name_of(lesson, lesson.pages[i]) + " " + reason.name);
                const std::string place =
                    fmt::format(", {}:{},", std::stoi(lesson.id.substr(0, 2)), i + 1);
                EXPECT_NE(listed[reason.name].find(place), std::string::npos) << place;
            }
        }
    EXPECT_GE(pages, 8U);
}

// What stands outside of braces and code.
std::string unfilled(const Text& text) {
    static const std::regex braces(R"(\{[^}]*\})");
    std::string result;
    for (const Paragraph& paragraph : text)
        for (const Span& span : paragraph.spans)
            if (!span.code) result += std::regex_replace(span.text, braces, "") + " ";
    return result;
}

// Nothing on a page whose numbers vary is of one draw: no reply hangs on a number, and no words
// have the count or the answer that the page is written with.
TEST(Course, PagesThatVaryHaveNothingStale) {
    std::size_t pages = 0;
    for (const char* language : kLanguages)
        for (const fs::path& folder : lesson_folders(shipped_lessons())) {
            const ReadLesson read = read_lesson(folder, language, catalogue::shipped());
            Runs runs({catalogue::shipped(), folder});
            for (const Page& page : read.lesson->pages) {
                if (page.vary.empty()) continue;
                ++pages;
                SCOPED_TRACE(name_of(*read.lesson, page) + " " + language);
                std::set<std::string> bound;
                const bool counts = any_of(page.vary, [](const auto& e) { return e.first == "n"; });
                const std::uint64_t n = runs.facts(page.show).elements();
                if (counts) bound.insert(std::to_string(n));
                const std::map<std::uint64_t, const char*> words{
                    {6, "six numbers"}, {8, "eight numbers"}, {10, "ten"}, {16, "sixteen"}};
                if (counts && words.contains(n)) bound.insert(words.at(n));
                for (const std::string& answer : answers_of(page, question_of(page, runs)))
                    if (answer.size() > 1) bound.insert(answer);
                std::vector<Text> texts{page.words, page.labels, page.after};
                texts.insert(texts.end(), page.hints.begin(), page.hints.end());
                for (const Reply& reply : page.replies) {
                    texts.push_back(reply.words);
                    const std::string& value = reply.expression.text();
                    EXPECT_TRUE(reply.kind != Reply::Kind::value || value == "0" ||
                                any_of(value, [](char c) { return c >= 'a' && c <= 'z'; }))
                        << value;
                }
                for (const Reason& reason : page.reasons)
                    texts.insert(texts.end(), {reason.words, reason.reply});
                for (const Text& text : texts)
                    for (const std::string& each : bound)
                        EXPECT_FALSE(std::regex_search(
                            unfilled(text), std::regex("(^|[^0-9])" + each + "([^0-9]|$)")))
                            << each << ": " << unfilled(text);
            }
        }
    EXPECT_GE(pages, 3U * 14U);
}

// Who was wrong tries again: no reply has the expression that is asked for.
TEST(Course, NoReplyTellsTheNumber) {
    for (const Lesson& lesson : course())
        for (const Page& page : lesson.pages) {
            if (!page.ask || page.ask->kind != Kind::number) continue;
            std::string said;
            for (const Reply& reply : page.replies)
                said += plain_text(reply.words);
            for (const Reason& reason : page.reasons)
                said += plain_text(reason.reply);
            for (const Expression& value : page.ask->values)
                EXPECT_THAT(said, testing::Not(testing::HasSubstr("{" + value.text() + "}")))
                    << name_of(lesson, page);
        }
}

// What is said to a wrong reason stays true with other numbers: what it counts is worked out.
TEST(Course, WhatIsSaidToAReasonIsOfTheRun) {
    for (const Lesson& lesson : course()) {
        Runs runs({catalogue::shipped(), lesson.folder});
        for (const Page& page : lesson.pages) {
            if (page.reasons.empty()) continue;
            const Question question = question_of(page, runs);
            std::size_t computed = 0;
            for (const Reason& reason : page.reasons) {
                std::vector<Problem> problems;
                const Text text =
                    filled(reason.reply, {page.show, runs, &question, nullptr, nullptr}, &problems);
                EXPECT_TRUE(problems.empty()) << name_of(lesson, page) << " " << reason.name;
                computed += text != reason.reply;
            }
            EXPECT_GT(computed, 0U) << name_of(lesson, page);
        }
    }
}

// A student reads words, never the condition that a goal is written as.
TEST(Course, GoalsAreSaidInWords) {
    for (const char* language : kLanguages) {
        const Translations tr(language);
        for (const Lesson& lesson : course())
            for (const Page& page : lesson.pages)
                for (std::size_t i = 0; page.ask && i < page.ask->goals.size(); ++i) {
                    const std::string key = "learn.goal." + page.ask->goals[i].condition.text();
                    EXPECT_NE(tr.get(key, ""), "") << name_of(lesson, page) << ": " << key;
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
                page.show.shape.input.kind != catalogue::Input::Kind::values ||
                page.ask->values.front().text().find("input(") != std::string::npos)
                continue;  // an aim that names the numbers follows them
            Page other = page;
            set_key(other.show, "input", "1,1,1,1,1,1,1,1");
            EXPECT_TRUE(right_answer(other, question, runs).empty());
            EXPECT_FALSE(judge(other, question, right, runs).right);
        }
    }
    EXPECT_GE(pages, 3U);
}

// The levels of the scheduler need more and more turns, as many as a search says.
TEST(Course, LevelsOfTheSchedulerNeedMoreAndMoreTurns) {
    const Lesson* lesson =
        find_if(course(), [](const Lesson& each) { return each.id == "13-the-scheduler"; });
    ASSERT_NE(lesson, nullptr);
    Runs runs({catalogue::shipped(), lesson->folder});
    std::vector<std::uint64_t> pars;
    std::size_t hangs = 0;
    for (const Page& page : lesson->pages) {
        if (!page.ask || page.ask->kind != Kind::schedule) continue;
        SCOPED_TRACE(name_of(*lesson, page));
        pars.push_back(page.ask->par);
        if (page.ask->until == "hang") ++hangs;
        const auto fewest = fewest_turns(page, runs);
        ASSERT_TRUE(fewest);
        EXPECT_EQ(fewest->size(), page.ask->par);
        EXPECT_TRUE(judge_schedule(page, in_a_line(*fewest), runs).right);
    }
    EXPECT_EQ(pars.size(), 15U);
    EXPECT_TRUE(std::is_sorted(pars.begin(), pars.end()));
    EXPECT_EQ(std::count(pars.begin(), pars.end(), 1U), 3);
    EXPECT_GE(pars.back(), 4U);
    EXPECT_GE(hangs, 3U);
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

// The course's answers are those that a second way of working them out gives, in a few lines here.
namespace {

using Numbers = std::vector<double>;

Numbers input_of(const Show& show) {
    const catalogue::Values values =
        make_values(show.shape.input, show.shape.type, show.shape.n, show.shape.op);
    Numbers numbers;
    for (std::size_t i = 0; i < catalogue::count_of(values); ++i)
        numbers.push_back(
            std::visit([&](const auto& all) { return static_cast<double>(all[i]); }, values));
    return numbers;
}

// Rows of the tree that adds neighbours, span 2, 4, 8 …: each pass sees the one before it.
std::vector<Numbers> tree_rows(Numbers row) {
    std::vector<Numbers> rows{row};
    for (std::size_t half = 1; half < row.size(); half *= 2) {
        for (std::size_t i = 0; i + half < row.size(); i += 2 * half)
            row[i] += row[i + half];
        rows.push_back(row);
    }
    return rows;
}

std::vector<std::string> texts_of(const Numbers& numbers) {
    std::vector<std::string> texts;
    for (const double number : numbers)
        texts.push_back(text_of(number));
    return texts;
}

std::size_t log2_up(std::size_t n) {
    std::size_t passes = 0;
    for (std::size_t reach = 1; reach < n; reach *= 2)
        ++passes;
    return passes;
}

// Which of the inputs a sum leaves out, by which cells an imitation of the kernel adds to cell 0.
using Sets = std::vector<std::set<std::size_t>>;
Sets each_its_own(std::size_t n) {
    Sets cells(n);
    for (std::size_t i = 0; i < n; ++i)
        cells[i] = {i};
    return cells;
}
std::vector<std::string> left_out(const Sets& cells) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (!cells[0].contains(i)) texts.push_back(std::to_string(i));
    return texts;
}
void add(Sets& cells, std::size_t to, std::size_t from) {
    cells[to].insert(cells[from].begin(), cells[from].end());
}

std::size_t group_of(const Show& show) {
    return std::max<std::size_t>(1, show.shape.group);
}

// What the page's answer is, by hand.
using ByHand = std::vector<std::string> (*)(const Show& show);
const std::map<std::string, ByHand>& by_hand() {
    static const std::map<std::string, ByHand> pages{
        {"01-a-tree/in-pairs",
         [](const Show& show) { return texts_of(tree_rows(input_of(show))[1]); }},
        {"01-a-tree/who-works",
         [](const Show& show) {
             std::vector<std::string> idle;
             for (std::size_t i = 0; i < input_of(show).size(); ++i)
                 if (i % 2 != 0) idle.push_back(std::to_string(i));
             return idle;
         }},
        {"01-a-tree/the-second-pass",
         [](const Show& show) {
             const Numbers row = tree_rows(input_of(show))[2];
             return texts_of({row[0], row[4]});
         }},
        {"01-a-tree/what-the-tree-saves",
         [](const Show& show) {
             const std::size_t n = input_of(show).size();
             return texts_of({static_cast<double>(n - 1), static_cast<double>(log2_up(n))});
         }},
        {"02-the-loop/where-does-it-stop",
         [](const Show& show) {
             Sets cells = each_its_own(input_of(show).size());
             for (std::size_t span = 2; span <= cells.size(); span *= 2)
                 for (std::size_t i = 0; i + span / 2 < cells.size(); i += span)
                     add(cells, i, i + span / 2);
             return left_out(cells);
         }},
        {"02-the-loop/half-of-the-items",
         [](const Show& show) {
             Sets cells = each_its_own(input_of(show).size());
             for (std::size_t span = 2; span / 2 < cells.size(); span *= 2)
                 for (std::size_t i = 0; i < cells.size() / 2; i += span)
                     if (i + span / 2 < cells.size()) add(cells, i, i + span / 2);
             return left_out(cells);
         }},
        {"02-the-loop/spread-out",
         [](const Show& show) {
             std::vector<std::string> written;
             const std::size_t n = input_of(show).size();
             for (std::size_t i = 0; i + 2 < n; i += 4)
                 written.push_back(std::to_string(i));
             return written;
         }},
        {"03-two-groups/eight-numbers-two-groups",
         [](const Show& show) {
             std::vector<std::string> active;
             const std::size_t n = input_of(show).size();
             for (std::size_t i = 0; i + 2 < n; i += 4)
                 active.push_back(std::to_string(i));
             return active;
         }},
        // Item 0 of group 0 has its own sum and adds what group 1 has made of its first cell.
        {"03-two-groups/what-can-the-sum-be",
         [](const Show& show) {
             const std::vector<Numbers> rows = tree_rows(input_of(show));
             const std::size_t half = group_of(show), last = log2_up(half);
             std::set<double> results;
             for (std::size_t pass = 0; pass <= last; ++pass)
                 results.insert(rows[last][0] + rows[pass][half]);
             return texts_of(Numbers(results.begin(), results.end()));
         }},
        {"03-two-groups/a-thousand-and-twenty-four",
         [](const Show& show) {
             std::vector<std::string> active;
             for (std::size_t i = 0; i < input_of(show).size() / 4; ++i)
                 active.push_back(std::to_string(i));
             return active;
         }},
        {"03-two-groups/a-chunk-for-each",
         [](const Show& show) {
             const std::size_t n = input_of(show).size(), group = group_of(show);
             std::vector<std::string> lost;
             for (std::size_t i = n / group * group; i < n; ++i)
                 lost.push_back(std::to_string(i));
             return lost;
         }},
        {"03-two-groups/three-cures",
         [](const Show& show) {
             return texts_of({static_cast<double>(log2_up(input_of(show).size())), 10, 1, 1});
         }},
        {"04-many-groups/how-far-does-one-group-reach",
         [](const Show&) {
             return texts_of({2048, 11});
         }},
        // The best: each group but the first guesses wrong once. The worst: in each round one wins.
        {"04-many-groups/many-groups-one-cell",
         [](const Show& show) {
             const double groups = static_cast<double>(input_of(show).size()) /
                                   static_cast<double>(2 * group_of(show));
             return texts_of({32.0 / 4 - 1, groups * (groups + 1) / 2});
         }},
        {"05-local-memory/k-numbers-each",
         [](const Show& show) {
             const Numbers numbers = input_of(show);
             const std::size_t items = numbers.size() / 2;
             return texts_of({numbers[0] + numbers[items], numbers[1] + numbers[1 + items]});
         }},
    };
    return pages;
}

TEST(Course, AnswersAreThoseWorkedOutByHand) {
    std::set<std::string> done;
    for (const Lesson& lesson : course()) {
        Runs runs({catalogue::shipped(), lesson.folder});
        for (const Page& page : lesson.pages) {
            const auto found = by_hand().find(name_of(lesson, page));
            if (found == by_hand().end()) continue;
            done.insert(found->first);
            SCOPED_TRACE(found->first);
            EXPECT_EQ(answers_of(page, runs), found->second(page.show));
            const std::uint64_t n = runs.facts(page.show).elements();
            for (const char* input : {"random:2", "random:31", "random:77"}) {
                Page other = page;
                set_key(other.show, "input", input);
                set_key(other.show, "n", std::to_string(n));
                EXPECT_EQ(answers_of(other, runs), found->second(other.show)) << input;
            }
            // Twice as many in groups twice as large, where the page allows it.
            Page larger = page;
            set_key(larger.show, "input", "random:4");
            set_key(larger.show, "n", std::to_string(2 * n));
            set_key(larger.show, "group", std::to_string(2 * group_of(page.show)));
            const auto answers = answers_of(larger, runs);
            if (answers) {
                EXPECT_EQ(*answers, found->second(larger.show)) << "larger";
            }
        }
    }
    EXPECT_EQ(done.size(), by_hand().size());  // none has been renamed
}

}  // namespace
}  // namespace lab::lessons
