// The course's answers are those that a second way of working them out gives, in a few lines here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/shipped_course.h"

namespace lab::lessons {
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
