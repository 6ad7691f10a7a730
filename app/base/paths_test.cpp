#include "base/paths.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <thread>

#include "base/child_process.h"
#include "base/problem.h"
#include "support/temporary_folder.h"

namespace lab {
namespace {

using testing::HasSubstr;

Problem problem_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no Problem";
    return {};
}

Problem read_problem(const fs::path& path, std::size_t limit = 1000) {
    Problem problem = problem_of([&] { read_file(path, limit); });
    EXPECT_EQ(problem.where, path.string());
    EXPECT_FALSE(problem.hint.empty());
    return problem;
}

Problem write_problem(const fs::path& path, std::string_view bytes = "new") {
    Problem problem = problem_of([&] { write_file(path, bytes); });
    EXPECT_EQ(problem.where, path.string());
    EXPECT_FALSE(problem.hint.empty());
    return problem;
}

std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

unsigned mode_of(const fs::path& path) {
    struct stat about {};
    EXPECT_EQ(::stat(path.c_str(), &about), 0);
    return about.st_mode & 07777;
}

// To whom permissions say nothing, root, borrows the rights of somebody else.
class AsSomebody {
  public:
    AsSomebody() {
        if (::geteuid() == 0) borrowed_ = ::seteuid(65534) == 0;
    }
    ~AsSomebody() {
        if (borrowed_ && ::seteuid(0) != 0) std::abort();
    }
    AsSomebody(const AsSomebody&) = delete;
    AsSomebody& operator=(const AsSomebody&) = delete;

  private:
    bool borrowed_ = false;
};

class Variable {
  public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old, was_set_ = true;
        value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
    }
    ~Variable() { was_set_ ? ::setenv(name_, old_.c_str(), 1) : ::unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
    std::string old_;
    bool was_set_ = false;
};

TEST(Paths, ProgramPathIsThisTest) {
    EXPECT_EQ(program_path().filename(), "base_test");
}

TEST(Paths, DataFolderIsBesideTheProgramOrWhereToldToBe) {
    {
        const Variable unset("REDUCTION_LAB_DATA", nullptr);
        EXPECT_EQ(data_folder(), fs::path(LAB_BIN_DIR).parent_path() / "share/reduction-lab");
    }
    const Variable set("REDUCTION_LAB_DATA", "/usr");
    EXPECT_EQ(data_folder(), "/usr");
    const Variable wrong("REDUCTION_LAB_DATA", "/no/such");
    const Problem problem = problem_of([] { data_folder(); });
    EXPECT_EQ(problem.where, "/no/such");
    EXPECT_THAT(problem.why, HasSubstr("REDUCTION_LAB_DATA"));
}

TEST(Paths, UserFoldersFollowXdg) {
    const Variable home("HOME", "/home/ada");
    const Variable config("XDG_CONFIG_HOME", "/elsewhere");
    const Variable cache("XDG_CACHE_HOME", "relative/is/ignored");
    EXPECT_EQ(config_folder(), "/elsewhere/reduction-lab");
    EXPECT_EQ(cache_folder(), "/home/ada/.cache/reduction-lab");
    const Variable unset("XDG_CONFIG_HOME", "");
    EXPECT_EQ(config_folder(), "/home/ada/.config/reduction-lab");
}

TEST(Paths, HomeIsAskedOfTheSystemWhereNotSet) {
    const Variable home("HOME", nullptr);
    const Variable config("XDG_CONFIG_HOME", nullptr);
    EXPECT_TRUE(config_folder().is_absolute());
}

TEST(ReadFile, GivesEveryByteBack) {
    const TemporaryFolder folder;
    const std::string bytes("a\0\r\n\xff", 5);
    for (const std::string& text : {std::string(), bytes, std::string(100'000, 'x')}) {
        write_file(folder.path() / "f", text);
        EXPECT_EQ(read_file(folder.path() / "f"), text);
    }
}

TEST(ReadFile, ReadsFilesThatClaimToBeEmpty) {
    EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("base_test"));
}

TEST(ReadFile, ReadsPipes) {
    const TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(read_file(pipe), "");  // nobody writes

    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const Descriptor reader(ends[0]);  // as the shell's <(…) has it open
    std::thread writer([end = ends[1]] {
        Descriptor file(end);
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(::write(file.number(), std::string(5000, 'x').data(), 5000), 5000);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    });
    EXPECT_EQ(read_file(fmt::format("/proc/self/fd/{}", reader.number())).size(), 10'000U);
    writer.join();
}

TEST(ReadFile, EachFailureHasItsOwnProblem) {
    const TemporaryFolder folder;
    EXPECT_EQ(read_problem(folder.path() / "none").why, "No such file or directory");
    EXPECT_EQ(read_problem(folder.path()).why, "It is a folder");
    EXPECT_EQ(read_problem("/dev/zero").why, "It is a device, no file");

    const fs::path file = folder.path() / "f";
    write_file(file, std::string(11, 'x'));
    EXPECT_EQ(read_file(file, 11).size(), 11U);
    EXPECT_THAT(read_problem(file, 10).why, HasSubstr("larger than 10 bytes"));
    EXPECT_THAT(read_problem("/proc/self/status", 10).why, HasSubstr("larger than 10 bytes"));

    fs::permissions(folder.path(), fs::perms::all);
    fs::permissions(file, fs::perms::none);
    const AsSomebody somebody;
    EXPECT_EQ(read_problem(file).why, "Permission denied");
}

TEST(WriteFile, MakesFoldersAndReplacesWhole) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "a" / "b" / "f";
    write_file(file, "a longer text");
    write_file(file, "short");
    EXPECT_EQ(read_file(file), "short");
    EXPECT_EQ(entries(file.parent_path()), 1U);
}

TEST(WriteFile, ANameAloneIsInTheWorkingFolder) {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    write_file("f", "text");
    fs::current_path(before);
    EXPECT_EQ(read_file(folder.path() / "f"), "text");
}

TEST(WriteFile, KeepsPermissionsAndGivesTheUsualOnesToNewFiles) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "f";
    const mode_t umask_before = ::umask(027);
    write_file(file, "text");
    ::umask(umask_before);
    EXPECT_EQ(mode_of(file), 0640U);
    ASSERT_EQ(::chmod(file.c_str(), 0604), 0);
    write_file(file, "new");
    EXPECT_EQ(mode_of(file), 0604U);
    EXPECT_EQ(read_file(file), "new");
}

TEST(WriteFile, ALinkStaysALink) {
    const TemporaryFolder folder;
    const fs::path link = folder.path() / "link";
    fs::create_symlink("deep/f", link);
    for (const char* text : {"first", "second"}) {
        write_file(link, text);
        EXPECT_TRUE(fs::is_symlink(link));
        EXPECT_EQ(read_file(folder.path() / "deep" / "f"), text);
    }
    fs::create_symlink("circle", folder.path() / "circle");
    EXPECT_THAT(write_problem(folder.path() / "circle").hint, HasSubstr("circle"));
}

TEST(WriteFile, WhatIsNoFileIsWrittenTo) {
    write_file("/dev/null", "text");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_EQ(write_problem("/dev/full").why, "No space left on device");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(WriteFile, PathsThatCannotBeAreProblems) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "f";
    write_file(file, "old");
    EXPECT_EQ(write_problem(folder.path()).why, "Is a directory");
    EXPECT_EQ(write_problem(folder.path() / "new" / "").why, "Is a directory");
    EXPECT_EQ(write_problem(file / "g").why, "Not a directory");
    EXPECT_EQ(write_problem(file / "g" / "h").why, "Not a directory");
    EXPECT_EQ(write_problem(folder.path() / std::string(300, 'x')).why, "File name too long");
    EXPECT_THROW(write_file("", "text"), Problem);
    EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(WriteFile, WithoutPermissionTheOldFileStays) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "f";
    write_file(file, "old");
    fs::permissions(folder.path(), fs::perms(0555));
    {
        const AsSomebody somebody;
        EXPECT_EQ(write_problem(file).why, "Permission denied");
        EXPECT_EQ(write_problem(folder.path() / "g").why, "Permission denied");
        EXPECT_EQ(write_problem(folder.path() / "h" / "g").why, "Permission denied");
    }
    // A file that is not to be written is not replaced either, where the folder would allow it.
    fs::permissions(folder.path(), fs::perms(0777));
    fs::permissions(file, fs::perms(0444));
    {
        const AsSomebody somebody;
        EXPECT_EQ(write_problem(file).why, "Permission denied");
    }
    EXPECT_EQ(read_file(file), "old");
    EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(WriteFile, AWriteThatBreaksOffLeavesNoTrace) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "f";
    write_file(file, "old");

    // The nearest to a full disk that any user can have: a limit on the size of files.
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{4096, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const Problem problem = write_problem(file, std::string(100'000, 'x'));
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);

    EXPECT_EQ(problem.why, "File too large");
    EXPECT_EQ(read_file(file), "old");
    EXPECT_EQ(entries(folder.path()), 1U);
}

}  // namespace
}  // namespace lab
