// The glossary's reader, its finder of words, and the glossary that is shipped.
#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/paths.h"
#include "base/translations.h"
#include "lessons/glossary.h"
#include "support/shipped_kernels.h"
#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

constexpr const char* kWord =
    "## Barrier\n\nAll wait.\n\n```names\nopencl: barrier()\ncuda: -\nwebgpu: b\nforms: barrier, "
    "barriers\n```\n```show\nkernel: relaunch\ninput: 7,1,6,8\ngroup: 4\n```\n";

class GlossaryTest : public testing::Test {
  protected:
    ReadGlossary read(const std::string& text, const std::string& chinese = {}) {
        write_file(folder_.path() / "glossary.md", text);
        if (!chinese.empty()) write_file(folder_.path() / "glossary.zh.md", chinese);
        return read_glossary(folder_.path(), chinese.empty() ? "en" : "zh", catalogue::shipped());
    }
    // The only problem, as "where what".
    std::string problem(const std::string& text, const std::string& chinese = {}) {
        const ReadGlossary result = read(text, chinese);
        if (result.problems.size() != 1) return fmt::format("{} problems", result.problems.size());
        return result.problems[0].where + " " + result.problems[0].what_happened;
    }
    static std::string with(const std::string& from, const std::string& to) {
        std::string text = kWord;
        text.replace(text.find(from), from.size(), to);
        return text;
    }

    TemporaryFolder folder_;
};

TEST_F(GlossaryTest, ReadsAWord) {
    const ReadGlossary result = read(kWord);
    ASSERT_TRUE(result.problems.empty());
    ASSERT_EQ(result.glossary.words.size(), 1U);
    const Word& word = result.glossary.words[0];
    EXPECT_EQ(word.id, "barrier");
    EXPECT_EQ(plain_text(word.words), "All wait.\n");
    EXPECT_EQ(word.opencl, "barrier()");
    EXPECT_EQ(word.cuda, "");
    EXPECT_EQ(word.forms, (std::vector<std::string>{"barrier", "barriers"}));
    EXPECT_EQ(word.show.variant, "relaunch");
    EXPECT_EQ(result.glossary.find("barrier"), 0U);
    EXPECT_FALSE(result.glossary.find("fence"));
}

TEST_F(GlossaryTest, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(problem("# Empty\n"), "glossary.md:1:1 The glossary has no word");
    EXPECT_EQ(problem(with("cuda: -", "cuda: -\nmetal: x")),
              "glossary.md:8:8 'metal' is no key of names");
    EXPECT_EQ(problem(with("cuda: -", "cuda: -\nopencl:")),
              "glossary.md:8:8 'opencl' has no value");
    EXPECT_EQ(problem(with("group: 4", "gruop: 4")),
              "glossary.md:14:8 'gruop' is nothing that can be shown");
    EXPECT_EQ(problem(with("group: 4", "panel: film")), "glossary.md:14:8 'film' is no picture");
    EXPECT_EQ(problem(with("group: 4", "to: action 3")),
              "glossary.md:14:5 'action 3' is no moment of this picture");
    EXPECT_EQ(problem(with("group: 4", "holds: passes ==")).substr(0, 16), "glossary.md:14:8");
    EXPECT_EQ(problem(with("All wait.\n", "")), "glossary.md:1:1 'Barrier' has no sentence");
    EXPECT_EQ(problem(with("forms: barrier, barriers\n", "")),
              "glossary.md:1:1 'Barrier' has no forms");
    EXPECT_EQ(problem(with("```show", "```film")), "2 problems");
    EXPECT_EQ(problem("Words.\n\n" + std::string(kWord)),
              "glossary.md:1:1 Something stands before the first word");
    EXPECT_EQ(problem(std::string(kWord) + with("## Barrier", "## Fence")),
              "2 problems");  // its two forms
}

TEST_F(GlossaryTest, OnlyWordsAndFormsDifferBetweenLanguages) {
    const ReadGlossary result = read(kWord, with("barrier, barriers", "屏障"));
    EXPECT_TRUE(result.problems.empty());
    EXPECT_EQ(result.glossary.language, "zh");
    EXPECT_EQ(problem(kWord, with("webgpu: b", "webgpu: c")),
              "glossary.zh.md:1:1 'Barrier' has other names than the English 'Barrier'");
    EXPECT_EQ(problem(kWord, with("group: 4", "group: 2")),
              "glossary.zh.md:1:1 'Barrier' has other picture than the English 'Barrier'");
    EXPECT_EQ(problem(std::string(kWord) + with("## Barrier", "## Fence"), kWord).substr(0, 1),
              "3");  // two forms given twice, one word too few
}

TEST_F(GlossaryTest, RunsEachWord) {
    write_file(folder_.path() / "glossary.md", with("group: 4", "group: 4\nholds: passes == 3"));
    const CheckedGlossary checked = check_glossary(folder_.path(), catalogue::shipped());
    ASSERT_EQ(checked.problems.size(), 1U);
    EXPECT_EQ(checked.problems[0].what_happened, "'Barrier' does not hold: passes == 3");
    EXPECT_EQ(checked.problems[0].where, "glossary.md:1:1");
    write_file(folder_.path() / "glossary.md", with("group: 4", "group: 4\nto: pass 9"));
    EXPECT_EQ(check_glossary(folder_.path(), catalogue::shipped()).problems.at(0).what_happened,
              "The run has no such part");
}

Glossary with_forms(const std::vector<std::vector<std::string>>& forms) {
    Glossary glossary;
    for (const auto& each : forms) {
        glossary.words.emplace_back();
        glossary.words.back().forms = each;
    }
    return glossary;
}

TEST(WordFinder, FindsWholeWordsTheLongestFirst) {
    const WordFinder finder(with_forms({{"group", "groups"}, {"work-group"}, {"bank conflict"}}));
    using Found = std::vector<FoundWord>;
    EXPECT_EQ(finder.find("A work-group, Groups."), (Found{{2, 10, 1}, {14, 6, 0}}));
    EXPECT_EQ(finder.find("subgroup grouped group_id"), Found{});
    EXPECT_EQ(finder.find("bank conflicts, bank conflict"), (Found{{16, 13, 2}}));
}

TEST(WordFinder, KnowsRussianLettersAndChineseWithoutSpaces) {
    const WordFinder finder(with_forms({{"барьер", "барьеры"}, {"屏障"}, {"Ёмкость", "яма"}}));
    EXPECT_EQ(finder.find("Барьеры и надбарьер").size(), 1U);
    EXPECT_EQ(finder.find("БАРЬЕР")[0].length, std::string("барьер").size());
    EXPECT_EQ(finder.find("ёмкость, ЯМА").size(), 2U);
    EXPECT_EQ(finder.find("在屏障处等待。")[0].begin, std::string("在").size());
}

class ShippedGlossary : public testing::Test {
  protected:
    void SetUp() override {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        folder_ = data_folder() / "assets" / "glossary";
    }
    std::filesystem::path folder_;
};

TEST_F(ShippedGlossary, RunsAndSaysWhatItShows) {
    const CheckedGlossary checked = check_glossary(folder_, catalogue::shipped());
    for (const Problem& problem : checked.problems)
        ADD_FAILURE() << problem.text();
    EXPECT_EQ(checked.languages, (std::vector<std::string>{"en", "zh", "ru"}));
    EXPECT_GE(checked.words.size(), 40U);
    for (const CheckedWord& word : checked.words) {
        EXPECT_FALSE(word.holds.empty()) << word.id;
        EXPECT_LE(word.moments, 32U) << word.id;  // of ten seconds
    }
}

// Each language's own sentences use its own words, so they are to be found there.
TEST_F(ShippedGlossary, FindsItsTitles) {
    for (const char* language : kLanguages) {
        const Glossary glossary = read_glossary(folder_, language, catalogue::shipped()).glossary;
        const WordFinder finder(glossary);
        std::size_t found = 0;
        for (std::size_t i = 0; i < glossary.words.size(); ++i) {
            const auto hits = finder.find(glossary.words[i].title);
            found += std::any_of(hits.begin(), hits.end(),
                                 [&](const FoundWord& hit) { return hit.word == i; });
        }
        EXPECT_GE(found + 2, glossary.words.size()) << language;
    }
}

// What a student reads in one piece: the words of a page, a hint, a reply, what comes after.
std::vector<const Text*> passages_of(const Lesson& lesson) {
    std::vector<const Text*> passages;
    for (const Page& page : lesson.pages) {
        passages.push_back(&page.words);
        for (const Text& hint : page.hints)
            passages.push_back(&hint);
        for (const Reply& reply : page.replies)
            passages.push_back(&reply.words);
        passages.push_back(&page.after);
    }
    return passages;
}

// The words of the glossary that open from each passage of the lessons, as they do in the window.
std::vector<std::set<std::string>> words_opened(const fs::path& glossary_folder,
                                                const std::string& language) {
    const Glossary glossary =
        read_glossary(glossary_folder, language, catalogue::shipped()).glossary;
    const WordFinder finder(glossary);
    std::vector<std::set<std::string>> opened;
    for (const fs::path& folder : lesson_folders(shipped_lessons())) {
        const ReadLesson read = read_lesson(folder, language, catalogue::shipped());
        for (const Text* passage : passages_of(*read.lesson)) {
            opened.emplace_back();
            for (const Paragraph& paragraph : *passage)
                for (const Span& span : paragraph.spans)
                    if (!span.code)
                        for (const FoundWord& found : finder.find(span.text))
                            opened.back().insert(glossary.words[found.word].id);
        }
    }
    return opened;
}

std::set<std::string> all_of(const std::vector<std::set<std::string>>& opened) {
    std::set<std::string> all;
    for (const auto& each : opened)
        all.insert(each.begin(), each.end());
    return all;
}

TEST_F(ShippedGlossary, ItsWordsAreThoseOfTheLessonsInEveryLanguage) {
    // Words of the window and of the docs, of which no lesson speaks by name.
    const std::set<std::string> elsewhere = {
        "happens-before",  // what a race is, in the docs
        "livelock",        // beside Deadlock
        "lineage",         // a panel; pages name what it shows
    };
    const std::set<std::string> english = all_of(words_opened(folder_, "en"));
    for (const Word& word : read_glossary(folder_, "en", catalogue::shipped()).glossary.words)
        EXPECT_NE(english.contains(word.id), elsewhere.contains(word.id)) << word.id;
    for (const char* language : {"zh", "ru"}) {
        const std::set<std::string> all = all_of(words_opened(folder_, language));
        for (const std::string& word : english)
            EXPECT_TRUE(all.contains(word)) << language << ": no lesson says " << word;
    }
}

// A form must not be part of another term, as 轮 (pass) is of 轮流 (in turn), and барьер (barrier)
// of барьер памяти (fence): where a translation opens one of these words, English does as well.
TEST_F(ShippedGlossary, NoFormIsPartOfAnotherTerm) {
    const std::vector<std::set<std::string>> english = words_opened(folder_, "en");
    for (const char* language : {"zh", "ru"}) {
        const std::vector<std::set<std::string>> opened = words_opened(folder_, language);
        ASSERT_EQ(opened.size(), english.size());
        for (std::size_t i = 0; i < opened.size(); ++i)
            for (const char* word :
                 {"barrier", "fence", "grid-barrier", "atomic-operation", "pass", "bank",
                  "bank-conflict", "sector", "occupancy", "lockstep", "deadlock", "livelock",
                  "co-resident", "associative", "commutative", "coalescing"})
                EXPECT_FALSE(opened[i].contains(word) && !english[i].contains(word))
                    << language << ", passage " << i << ": " << word;
    }
}

}  // namespace
}  // namespace lab::lessons
