#include "lessons/prose.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/shipped_course.h"

namespace lab::lessons {
namespace {

class ProseTest : public testing::Test {
  protected:
    ProseTest() { ::setenv("REDUCTION_LAB_DATA", LAB_SOURCE_DIR, 1); }
    ~ProseTest() override { ::unsetenv("REDUCTION_LAB_DATA"); }
};

TEST_F(ProseTest, HasTheFormsOfTheTableAndWhatMarksSay) {
    const Prose cuda("en", Api::cuda), opencl("en", Api::opencl);
    const std::string text = "An item of [[each group has|every block has]] a group, [[OpenCL]]'s.";
    EXPECT_EQ(opencl.said(text), "An item of each group has a group, OpenCL's.");
    EXPECT_EQ(cuda.said(text), "A thread of every block has a block, OpenCL's.");
    EXPECT_EQ(Prose("zh", Api::cuda).said("每组的数组，工作组 0"), "每块的数组，线程块 0");
    EXPECT_EQ(Prose("ru", Api::cuda).said("в каждой группе — рабочие элементы"),
              "в каждом блоке — потоки");
}

TEST_F(ProseTest, LeavesCodeGapsAddressesAndOtherWords) {
    for (const char* same : {"`group` and ``a ` group``", "{groups} of {group / 2}",
                             "[a page](https://items.org/group)", "inter-group regrouped"})
        EXPECT_EQ(Prose("en", Api::cuda).said(same), same);
    EXPECT_EQ(Prose("ru", Api::cuda).said("группировать"), "группировать");
    EXPECT_EQ(Prose("en", Api::cuda).said("a [group](x), [[open and `open item"),
              "a [block](x), [[open and `open thread");
}

TEST_F(ProseTest, KeepsTheNumberOfLines) {
    EXPECT_EQ(Prose("en", Api::cuda).said("in local\nmemory of a group"),
              "in\nshared memory of a block");
}

// All that a reader may see of a page, outside of code and gaps.
std::string prose_of(const Page& page) {
    std::vector<Text> texts{page.words, page.labels, page.after};
    texts.insert(texts.end(), page.hints.begin(), page.hints.end());
    for (const Reply& reply : page.replies)
        texts.push_back(reply.words);
    for (const Reason& reason : page.reasons)
        texts.insert(texts.end(), {reason.words, reason.reply});
    std::string result = page.title;
    for (const Text& text : texts)
        for (const Paragraph& paragraph : text) {
            result += '\n';
            for (const Span& span : paragraph.spans)
                if (!span.code) result += span.text;
        }
    return std::regex_replace(result, std::regex(R"(\{[^}]*\})"), "");
}

struct OtherTerms {
    Api said;
    const char* language;
    const char* terms;  // of the other API
    const char* both;   // what is said in either: names, titles, threads of a CPU
};
const OtherTerms kOtherTerms[] = {
    {Api::cuda, "en",
     "(^|[^A-Za-z_-])((work-)?(item|group)s?|sub-groups?|local)([^A-Za-z_-]|$)|OpenCL's local",
     "cooperative groups|by local reduction"},
    {Api::cuda, "ru", "(г|Г)рупп|(Р|р)абоч\\S* элемент|(Э|э)лемент|(Л|л)окальн|(П|п)одгрупп",
     "cooperative groups|Суммирование элементов массива с локальной редукцией"},
    {Api::cuda, "zh", "工作项|工作组|子组|组|局部", "数组|组长|一组数|cooperative groups"},
    {Api::opencl, "en",
     "(^|[^A-Za-z_-])(threads?|blocks?|shared memory)([^A-Za-z_-]|$)|\\[\\[|\\]\\]", ""},
    {Api::opencl, "ru",
     "(^|[ («])(П|п)оток|(^|[ («])(Б|б)лок(а|у|ом|е|и|ов|ам|ами|ах)?([ ,.:;)]|$)|"
     "(Р|р)азделяем|\\[\\[|\\]\\]",
     "вычислительн\\S* блок"},
    {Api::opencl, "zh", "线程|共享内存|线程块|block|\\[\\[|\\]\\]", "线程束"},
};

// Pages that speak of documents in CUDA, of WebGPU or of the threads of a CPU in either terms.
const std::set<std::string> kOfOthers{
    "04-many-groups/how-far-does-one-group-reach",
    "04-many-groups/what-does-local-memory-gain",
    "04-many-groups/in-which-order",
    "04-many-groups/what-does-the-meeting-cost",
    "05-local-memory/one-adds-or-all-add",
    "05-local-memory/how-can-these-two-lines-meet",
    "06-a-barrier-for-all/no-seat-for-the-second-group",
    "07-the-ladder/two-cells-one-bank",
    "12-which-tool/before-the-first-number",
};

TEST_F(ProseTest, NoPageOfTheCourseHasTheOtherApisTerms) {
    std::size_t pages = 0;
    for (const OtherTerms& of : kOtherTerms) {
        const std::regex both(of.both), terms(of.terms);
        for (const Lesson& english : course()) {
            const ReadLesson read =
                read_lesson(english.folder, of.language, catalogue::shipped(), of.said);
            ASSERT_TRUE(read.problems.empty()) << read.problems.front().where;
            ASSERT_EQ(read.lesson->pages.size(), english.pages.size());
            EXPECT_EQ(read.lesson->language, of.language);
            for (std::size_t i = 0; i < english.pages.size(); ++i) {
                const Page& page = read.lesson->pages[i];
                EXPECT_EQ(page.id, english.pages[i].id);
                std::string text = read.lesson->title + "\n" + prose_of(page);
                if (*of.both != '\0') text = std::regex_replace(text, both, "");
                std::smatch found;
                const std::string name = name_of(*read.lesson, page);
                const bool has = std::regex_search(text, found, terms);
                EXPECT_EQ(has, of.said == Api::opencl && kOfOthers.contains(name))
                    << name << " " << of.language << ": " << (has ? found.str() : "");
                ++pages;
            }
        }
    }
    EXPECT_GE(pages, 6U * 150U);
}

}  // namespace
}  // namespace lab::lessons
