#include "session/learn/learn_view.h"

#include <gmock/gmock.h>

#include "support/example_session.h"

namespace lab::session {
namespace {

// Whether a run went wrong is no secret where a line is asked for; the line of a fault is.
TEST(LearnPages, APictureNeverCallsAWrongResultRight) {
    ExampleSession example;
    auto& learn = example.session.view<LearnView>();
    learn.open_folder(fs::path(LAB_SHARE_DIR) / "assets" / "lessons");
    std::size_t wrong = 0, faults = 0;
    do {
        const lessons::Page* page = learn.page();
        ASSERT_NE(page, nullptr);
        const LearnPage& shown = learn.shown_page();
        if (!page->ask || page->ask->kind != lessons::Kind::line || shown.run == nullptr) continue;
        const analysis::StepTable& run = shown.run->table;
        SCOPED_TRACE(learn.lesson()->title + ": " + page->title);
        EXPECT_EQ(shown.table.fault.empty(), run.fault.empty());
        EXPECT_EQ(shown.table.fault.find("line 1"), std::string::npos) << shown.table.fault;
        EXPECT_EQ(shown.table.fault.find("line 2"), std::string::npos) << shown.table.fault;
        EXPECT_EQ(shown.table.right, run.right);
        wrong += run.fault.empty() && !run.right;
        faults += !run.fault.empty();
    } while (learn.next_page());
    EXPECT_GT(wrong, 0U);
    EXPECT_GT(faults, 0U);
}

}  // namespace
}  // namespace lab::session
