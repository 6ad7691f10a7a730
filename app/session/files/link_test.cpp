#include "session/files/link.h"

#include <gmock/gmock.h>

#include "session/files/open_file.h"
#include "session/step/step_view.h"
#include "support/all_views.h"
#include "support/example_session.h"

namespace lab::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string link_from(ExampleSession& teacher) {
    EXPECT_TRUE(teacher.session.run("link"));
    EXPECT_EQ(teacher.copied.size(), 1U);
    return teacher.copied.back();
}

Problem problem_of(const std::string& link) {
    try {
        (void)read_link(link, kAllViews);
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "It was taken: " << link.substr(0, 100);
    return {"", "", ""};
}

TEST(Link, BringsBackTheMomentAsOneStepOfUndo) {
    ExampleSession teacher;
    teacher.session.start();
    ASSERT_TRUE(teacher.settle());
    Choice choice = teacher.session.settings().choice;
    choice.variant = "span-modulo";
    choice.shape.set["BARRIER"] = "group";
    choice.shape.input = catalogue::parse_input("3,1,4,1,5,9,2,6");
    teacher.session.choose(choice);
    ASSERT_TRUE(teacher.settle());
    teacher.session.view<StepView>().set_cursor(2);
    const std::string link = link_from(teacher);
    EXPECT_THAT(link, StartsWith(std::string(kLocalPage) + "#m="));

    ExampleSession student;
    student.session.start();
    ASSERT_TRUE(student.settle());
    const Choice before = student.session.settings().choice;
    ASSERT_TRUE(open_file(student.session, link));
    ASSERT_TRUE(student.settle());
    EXPECT_EQ(student.session.settings().choice.variant, "span-modulo");
    EXPECT_EQ(text_of(student.session.settings().choice.shape.input), "3,1,4,1,5,9,2,6");
    EXPECT_EQ(student.session.view<StepView>().cursor(), 2U);
    student.session.undo();
    EXPECT_EQ(student.session.settings().choice, before);
}

TEST(Link, LeadsToThePageThatALinkCameFrom) {
    ExampleSession teacher;
    const std::string fragment = "#" + fragment_of(teacher.session);
    ASSERT_TRUE(open_file(teacher.session, "https://school.example/lab/" + fragment));
    EXPECT_THAT(link_from(teacher), StartsWith("https://school.example/lab/#m="));
    // One that names no page changes nothing.
    ASSERT_TRUE(open_file(teacher.session, "javascript:alert(1)" + fragment));
    EXPECT_EQ(teacher.session.settings().page, "https://school.example/lab/");
}

TEST(Link, HoldsAKernelOfFourKilobytes) {
    Settings settings;
    std::string text = "kernel void f(global int* data) {\n";
    for (int i = 0; text.size() < 4000; ++i)
        text += "    data[get_global_id(0)] += " + std::to_string(i * 7919 % 1000) + ";\n";
    settings.choice.user_kernel = simulation::UserKernel{"my.cl", text + "}\n", "f", {}, 4, 2, {}};
    ExampleSession teacher(settings);
    const std::string link = link_from(teacher);
    EXPECT_LT(link.size(), 8000U);
    EXPECT_EQ(read_link(link, kAllViews).settings.choice.user_kernel, settings.choice.user_kernel);
}

TEST(Link, SaysWhatIsWrongWithOneThatIsDamaged) {
    ExampleSession teacher;
    const std::string whole = "#" + fragment_of(teacher.session);
    EXPECT_THAT(problem_of("https://school.example/").why, HasSubstr("#m="));
    EXPECT_THAT(problem_of("#m=a<b").why, HasSubstr("'<' is no letter"));
    for (const std::size_t length :
         {std::size_t{3}, std::size_t{4}, whole.size() / 2, whole.size() - 3})
        EXPECT_EQ(problem_of(whole.substr(0, length)).what_happened,
                  "The link could not be read; everything is as it was");
    const Settings before = teacher.session.settings();
    EXPECT_FALSE(open_file(teacher.session, whole.substr(0, whole.size() / 2)));
    EXPECT_EQ(teacher.session.settings(), before);
}

// 8 MiB of zeros take 8 kB.
TEST(Link, IsReadUpToALimit) {
    Settings settings;
    settings.choice.user_kernel =
        simulation::UserKernel{"my.cl", std::string(8U << 20U, ' '), "f", {}, 4, 2, {}};
    ExampleSession teacher(settings);
    EXPECT_THAT(problem_of("#" + fragment_of(teacher.session)).why, HasSubstr("4 MiB"));
}

}  // namespace
}  // namespace lab::session
