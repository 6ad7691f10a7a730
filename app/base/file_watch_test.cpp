#include "base/file_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/paths.h"
#include "support/temporary_folder.h"

namespace lab {
namespace {

TEST(FileWatch, NoticesEveryWayThatAFileChanges) {
    for (const bool ask_system : {true, false}) {
        const TemporaryFolder folder;
        const fs::path file = folder.path() / "a.cl";
        write_file(file, "one");
        FileWatch watch(
            file, [] {}, ask_system);
        const auto changed = [&] {
            for (int i = 0; i < 20000; ++i) {  // no criterion, only an end
                if (watch.changed()) return true;
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            return false;
        };
        EXPECT_EQ(watch.next_look().has_value(), !ask_system);
        std::ofstream(file) << "two";
        EXPECT_TRUE(changed());
        write_file(file, "three");  // as editors do: a new file in its place
        EXPECT_TRUE(changed());
        fs::remove(file);
        EXPECT_TRUE(changed());
    }
}

TEST(FileWatch, NoticesEveryFileOfAFolder) {
    for (const bool ask_system : {true, false}) {
        const TemporaryFolder folder;
        write_file(folder.path() / "lesson.md", "one");
        write_file(folder.path() / "a.cl", "one");
        FileWatch watch(
            folder.path(), [] {}, ask_system);
        for (const char* name : {"a.cl", "lesson.md", "new.cl"}) {
            // Written in its place; where times are looked at, two of them may be too close.
            std::ofstream(folder.path() / name) << "two";
            fs::last_write_time(folder.path() / name, fs::file_time_type::clock::now() +
                                                          std::chrono::seconds(name[0] * 2));
            bool changed = false;
            for (int i = 0; i < 20000 && !changed; ++i) {  // no criterion, only an end
                changed = watch.changed();
                if (!changed) std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            EXPECT_TRUE(changed) << name;
        }
    }
}

}  // namespace
}  // namespace lab
