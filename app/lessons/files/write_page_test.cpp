#include "lessons/files/write_page.h"

#include <gtest/gtest.h>

#include "base/paths.h"
#include "lessons/files/lesson.h"
#include "support/temporary_folder.h"

namespace lab::lessons {
namespace {

Show broken() {
    Show show;
    set_key(show, "kernel", "span-modulo");
    set_key(show, "set", "BARRIER=group");
    set_key(show, "input", "7,1,6,8,5,6,7,1");
    set_key(show, "group", "4");
    set_key(show, "order", "1.0*3 0.0*2");
    set_key(show, "resident", "all");
    set_key(show, "at", "pass 2");
    return show;
}

TEST(WritePage, WhatIsAddedReadsBackAsItWas) {
    const TemporaryFolder folder;
    const catalogue::Catalogue catalogue = catalogue::load_catalogue(LAB_SHARE_DIR "/kernels");
    add_page(folder.path(), "Too early", broken());
    Show other = broken();
    set_key(other, "type", "float");
    set_key(other, "at", "end");
    add_page(folder.path(), "With floats", other);
    const ReadLesson read = read_lesson(folder.path(), "en", catalogue);
    ASSERT_TRUE(read.problems.empty()) << read.problems.front().text();
    ASSERT_EQ(read.lesson->pages.size(), 2U);
    EXPECT_EQ(read.lesson->pages[0].title, "Too early");
    EXPECT_EQ(read.lesson->pages[0].show, broken());
    EXPECT_EQ(read.lesson->pages[1].show, other);
}

TEST(WritePage, AFileOfItsOwnIsWrittenBesideItButNeverOverAnother) {
    const TemporaryFolder folder;
    Show show;
    set_key(show, "kernel", "mine.cl");
    set_key(show, "global", "8");
    add_page(folder.path(), "One", show, "kernel void k() {}\n");
    EXPECT_EQ(read_file(folder.path() / "mine.cl"), "kernel void k() {}\n");
    const std::string before = read_file(folder.path() / "lesson.md");
    EXPECT_THROW(add_page(folder.path(), "Two", show, "kernel void other() {}\n"), Problem);
    EXPECT_EQ(read_file(folder.path() / "lesson.md"), before);
    EXPECT_THROW(add_page(folder.path(), "One", show), Problem);
    EXPECT_THROW(add_page(folder.path(), "  ", show), Problem);
}

}  // namespace
}  // namespace lab::lessons
