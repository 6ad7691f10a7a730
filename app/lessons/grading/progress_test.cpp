#include "lessons/grading/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "support/temporary_folder.h"

namespace lab::lessons {
namespace {

using testing::HasSubstr;

class ProgressFiles : public testing::Test {
  protected:
    ProgressFiles() { ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1); }
    ~ProgressFiles() override { ::unsetenv("XDG_CONFIG_HOME"); }

    static Progress some() {
        Progress progress;
        progress.lesson = "03-two-groups";
        progress.page = "mend-it";
        PageProgress& page = progress.pages["mend-it"];
        page.answer = {{"kernel \"text\"\n\t\xc3\xa9"}, {3, 1}};
        page.right = true;
        page.tries = 3;
        page.wrong = {{{"27"}, {}}, {{}, {0, ~std::uint64_t{0}}}};
        progress.pages["before"].skipped = true;
        progress.pages["given-up"].given_up = true;
        return progress;
    }

    TemporaryFolder folder_;
};

TEST_F(ProgressFiles, WhatIsSavedIsLoaded) {
    save_progress(some());
    std::optional<Problem> problem;
    EXPECT_EQ(load_progress("03-two-groups", problem), some());
    EXPECT_FALSE(problem);
    EXPECT_TRUE(some().done("mend-it"));
    EXPECT_TRUE(some().done("given-up"));
    EXPECT_FALSE(some().done("before"));
    EXPECT_FALSE(some().done("nowhere"));
    // Whole or not at all: nothing else lies beside it.
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(progress_file("x").parent_path()))
        files += entry.is_regular_file() ? 1 : 0;
    EXPECT_EQ(files, 1U);
}

TEST_F(ProgressFiles, WithoutAFileNothingIsAnswered) {
    std::optional<Problem> problem;
    const Progress none = load_progress("01-a-tree", problem);
    EXPECT_FALSE(problem);
    EXPECT_EQ(none.lesson, "01-a-tree");
    EXPECT_TRUE(none.pages.empty());
}

TEST_F(ProgressFiles, ADamagedFileIsKeptAndSaid) {
    for (const char* text :
         {"", "{", "[]", "{\"pages\": 3}", "{\"pages\": {\"a\": {\"tries\": []}}}", "\xff\xfe"}) {
        SCOPED_TRACE(text);
        const fs::path file = progress_file("damaged");
        write_file(file, text);
        std::optional<Problem> problem;
        const Progress progress = load_progress("damaged", problem);
        EXPECT_TRUE(progress.pages.empty());
        EXPECT_EQ(progress.lesson, "damaged");
        ASSERT_TRUE(problem);
        EXPECT_EQ(problem->where, file.string());
        EXPECT_FALSE(fs::exists(file));
        EXPECT_EQ(read_file(file.string() + ".damaged"), text);
        fs::remove(file.string() + ".damaged");
    }
}

TEST_F(ProgressFiles, AnOlderOrNewerVersionIsReadAsFarAsItIsKnown) {
    write_file(progress_file("old"),
               "{\"page\": \"a\", \"pages\": {\"a\": {\"right\": true, "
               "\"of tomorrow\": [1, 2]}}, \"more\": {}}");
    std::optional<Problem> problem;
    const Progress progress = load_progress("old", problem);
    EXPECT_FALSE(problem);
    EXPECT_TRUE(progress.done("a"));
    EXPECT_EQ(progress.pages.at("a").tries, 0U);
}

TEST_F(ProgressFiles, AHandInIsReadAsItWasWritten) {
    const fs::path file = folder_.path() / "mine.json";
    write_hand_in({"Zoë Müller", {some(), {}}}, file);
    const HandIn read = read_hand_in(file);
    EXPECT_EQ(read.name, "Zoë Müller");
    ASSERT_EQ(read.lessons.size(), 2U);
    EXPECT_EQ(read.lessons[0], some());
}

TEST_F(ProgressFiles, WhatIsNoHandInIsSaid) {
    const auto problem_of = [&](const std::string& text) {
        const fs::path file = folder_.path() / "x.json";
        write_file(file, text);
        try {
            (void)read_hand_in(file);
        } catch (const Problem& problem) {
            EXPECT_EQ(problem.where, file.string());
            EXPECT_FALSE(problem.hint.empty());
            return problem.what_happened;
        }
        return std::string("read");
    };
    EXPECT_EQ(problem_of("{}"), "This is no file of answers");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"moment\"}"), "This is no file of answers");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"answers\", \"version\": 2, \"lessons\": []}"),
              "The answers are of a newer version of Reduction Lab");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"answers\", \"version\": 1}"),
              "The answers cannot be read");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"answers\", \"lessons\": [{\"pages\": 7}]}"),
              "The answers cannot be read");
    EXPECT_EQ(problem_of("{\"reduction-lab\": 7}"), "The answers cannot be read");
    EXPECT_EQ(problem_of("[1, 2]"), "The answers cannot be read");
    EXPECT_EQ(problem_of("PK\x03\x04"), "The answers cannot be read");
    EXPECT_EQ(problem_of(std::string(100000, '[')), "The answers cannot be read");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"answers\", \"lessons\": []}"), "read");
    EXPECT_THROW(read_hand_in(folder_.path() / "missing.json"), Problem);
}

}  // namespace
}  // namespace lab::lessons
