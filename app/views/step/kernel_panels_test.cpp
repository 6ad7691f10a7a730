// What the window says of a wrong kernel or choice, in the user's language.
#include "views/step/kernel_panels.h"

#include "session/view.h"
#include "support/example_session.h"
#include "support/translated_texts.h"
#include "views/files/files.h"
#include "views/race/race.h"
#include "views/step/step.h"

namespace lab::gui {
namespace {

using session::ExampleSession;

session::Settings settings_in(const char* language) {
    session::Settings settings;
    settings.language = language;
    return settings;
}

// A kernel of that body, opened; all that the editor lists below it.
std::string listed(session::ExampleSession& example, const std::string& body) {
    session::Session& session = example.session;
    const fs::path file = example.folder.path() / "k.cl";
    write_file(file, "kernel void k(global int* out, local int* part)\n{\n" + body + "\n}\n");
    EXPECT_TRUE(open_file(session, file.string()));
    EXPECT_TRUE(example.settle());
    std::string all;
    for (const catalogue::TextMark& mark : editor_marks(session, 0).marks)
        all += mark.message + "\n" + mark.why + "\n" + mark.hint + "\n";
    EXPECT_FALSE(all.empty()) << body;
    for (const Problem& problem : session.notices.problems())
        EXPECT_FALSE(has_english(translated(problem, session.words()).text()));
    if (const auto& problem = session.view<session::StepView>().table.problem) {
        EXPECT_FALSE(has_english(translated(*problem, session.words()).what_happened));
    }
    return all;
}

TEST(EditorText, ANewLineBeginsAsTheOneBeforeAndDeeperInABlock) {
    const std::string text = "void f()\n{\n    if (a) {\n\tb;\n";
    const auto after = [&](const char* line) {
        return indentation_at(text, text.find(line) + std::string(line).size());
    };
    EXPECT_EQ(after("void f()"), "");
    EXPECT_EQ(after("\n{"), "    ");
    EXPECT_EQ(after("if (a) {"), "        ");
    EXPECT_EQ(after("b;"), "\t");
    EXPECT_EQ(indentation_at("", 0), "");
}

TEST(EditorText, BracketsBelongTogether) {
    const std::string text = "f(a[(1)], {2})";
    EXPECT_EQ(matching_bracket(text, 1), 13U);
    EXPECT_EQ(matching_bracket(text, 13), 1U);
    EXPECT_EQ(matching_bracket(text, 3), 7U);
    EXPECT_EQ(matching_bracket(text, 6), 4U);
    for (const auto& [wrong, at] : {std::pair{"(", 0U}, {")", 0U}, {"a", 0U}, {"", 0U}, {"()", 7U}})
        EXPECT_EQ(matching_bracket(wrong, at), std::nullopt) << wrong;
}

TEST(EditorText, MatchesAreFoundInAnyCaseAndGoneThroughRoundAndRound) {
    const auto matches = session::matches_in("Sum = sum(SUM, summ); aaa", "sum");
    EXPECT_EQ(matches, (std::vector<std::size_t>{0, 6, 10, 15}));
    EXPECT_EQ(session::matches_in("aaa", "aa").size(), 1U);
    EXPECT_TRUE(session::matches_in("text", "").empty());
    const auto after = [&](std::size_t at, int steps) { return match_after(matches, at, steps); };
    EXPECT_EQ(after(6, 0), 1U);  // there
    EXPECT_EQ(after(7, 0), 2U);  // the next
    EXPECT_EQ(after(6, 1), 2U);
    EXPECT_EQ(after(7, 1), 2U);
    EXPECT_EQ(after(6, -1), 0U);
    EXPECT_EQ(after(7, -1), 1U);
    EXPECT_EQ(after(15, 1), 0U);
    EXPECT_EQ(after(0, -1), 3U);
    EXPECT_EQ(after(20, 0), 0U);
    EXPECT_EQ(match_after({}, 3, 1), 0U);
}

TEST(EditorMarks, SayNothingInEnglishWhereAnotherLanguageIsChosen) {
    for (const char* language : {"ru", "zh", "en"}) {
        ExampleSession example(settings_in(language));
        example.session.start();
        const std::string undeclared = listed(example, "out[0] = spam;");
        if (language == std::string("en")) {
            EXPECT_NE(undeclared.find("is not declared"), std::string::npos) << undeclared;
            break;
        }
        EXPECT_FALSE(has_english(undeclared)) << language << ": " << undeclared;
        for (const char* body : {
                 "out[0] = 1",
                 "out[0] = part;",
                 "out[0] = 1.5f % 2.0f;",
                 "if (out[0] == 0) {",
                 "printf(0);",
                 "out[1000000] = 1;",
                 "part[-1] = 2;",
                 "if (get_local_id(0) == 0) barrier(CLK_LOCAL_MEM_FENCE);",
                 "out[0] = 1 / (int)get_global_offset(0);",
                 "while (out[0] == out[0]) ;",
                 "out[0] = part[get_local_id(0)];",
             }) {
            const std::string text = listed(example, body);
            EXPECT_FALSE(has_english(text)) << language << ": " << text;
        }
    }
}

TEST(EditorMarks, AHeadersMistakesAreTranslatedToo) {
    ExampleSession example(settings_in("ru"));
    const fs::path file = example.folder.path() / "k.cl";
    write_file(file, "/*\n * title: x\n * titel: y\n */\nkernel void k(global int* a) {}\n");
    open_file(example.session, file.string());
    EXPECT_TRUE(example.settle());
    for (const catalogue::TextMark& mark : editor_marks(example.session, 0).marks)
        EXPECT_FALSE(has_english(mark.message + "\n" + mark.why + "\n" + mark.hint));
}

TEST(Notices, AMissingFileIsSaidInTheUsersLanguage) {
    for (const char* language : {"ru", "zh"}) {
        ExampleSession example(settings_in(language));
        EXPECT_FALSE(open_file(example.session, "/nowhere/k.cl"));
        EXPECT_FALSE(open_file(example.session, "/nowhere/k.xyz"));
        ASSERT_FALSE(example.session.notices.problems().empty());
        for (const Problem& problem : example.session.notices.problems())
            expect_translated(problem);
    }
}

}  // namespace
}  // namespace lab::gui
