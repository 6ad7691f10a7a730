#include "support/subprocess.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <functional>
#include <thread>

#include "base/paths.h"
#include "base/problem.h"
#include "support/temporary_folder.h"

namespace lab {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

Finished shell(const std::string& script, const RunOptions& options = {}) {
    return run_program("/bin/sh", {"-c", script}, options);
}

Problem problem_in(const std::function<void()>& action) {
    try {
        action();
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no Problem";
    return {};
}

double seconds_of(const std::function<void()>& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Waits a little for a process to be gone, or dead and its new parent slow to notice.
bool is_gone(pid_t process) {
    for (int i = 0; i < 500; ++i) {
        try {
            const std::string stat = read_file(fmt::format("/proc/{}/stat", process));
            if (stat.find(") Z ") != std::string::npos) return true;
        } catch (const Problem&) {
            return true;
        }
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

bool has_children() {
    return ::waitpid(-1, nullptr, WNOHANG) >= 0;
}

TEST(RunProgram, GivesStatusAndBothStreams) {
    const Finished finished = shell("echo out; echo err >&2; exit 3");
    EXPECT_EQ(finished.status, 3);
    EXPECT_EQ(finished.out, "out\n");
    EXPECT_EQ(finished.err, "err\n");
    EXPECT_EQ(shell("kill -9 $$").status, 128 + 9);
    EXPECT_FALSE(has_children());
}

TEST(RunProgram, LooksNamesUpInPath) {
    EXPECT_EQ(run_program("sh", {"-c", "exit 4"}).status, 4);
    EXPECT_THAT(problem_in([] { run_program("no-such-program", {}); }).why, HasSubstr("PATH"));
}

TEST(RunProgram, PassesArgumentsAsTheyAre) {
    EXPECT_EQ(run_program("/bin/echo", {"a b", "\"'$x", ""}).out, "a b \"'$x \n");
}

TEST(RunProgram, ChangesTheEnvironment) {
    RunOptions options;
    options.environment = {{"NEW", "a b"}, {"HOME", std::nullopt}};
    EXPECT_EQ(shell("echo $NEW; echo ${HOME-none}; test -n \"$PATH\"", options).out, "a b\nnone\n");
}

TEST(RunProgram, CarriesLargeInputAndOutputAtOnce) {
    RunOptions options;
    options.input.assign(5'000'000, 'x');
    EXPECT_EQ(run_program("/bin/cat", {}, options).out, options.input);
    EXPECT_EQ(shell("head -c 1000 >/dev/null", options).status, 0);  // does not read it all
    EXPECT_EQ(shell("exec 0<&-; sleep 0.1", options).status, 0);     // reads nothing
}

TEST(RunProgram, WhatCannotBeStartedIsAProblem) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "f";
    write_file(file, "text");
    EXPECT_EQ(problem_in([&] { run_program(folder.path() / "none", {}); }).why,
              "No such file or directory");
    EXPECT_EQ(problem_in([&] { run_program(folder.path(), {}); }).why, "Permission denied");
    EXPECT_EQ(problem_in([&] { run_program(file, {}); }).why, "Permission denied");
    fs::permissions(file, fs::perms(0755));
    EXPECT_EQ(problem_in([&] { run_program(file, {}); }).why, "Exec format error");
    EXPECT_FALSE(has_children());
}

TEST(RunProgram, TheLimitKillsTheWholeGroup) {
    RunOptions options;
    options.limit = 300ms;
    const TemporaryFolder folder;
    const std::string file = folder.path() / "pid";
    Problem problem;
    const double seconds = seconds_of([&] {
        problem = problem_in(
            [&] { shell("echo waiting >&2; sleep 100 & echo $! > " + file + "; wait", options); });
    });
    EXPECT_GE(seconds, 0.3);
    EXPECT_LT(seconds, 5);
    EXPECT_THAT(problem.why, HasSubstr("0.3 s"));
    EXPECT_THAT(problem.why, HasSubstr("waiting"));
    EXPECT_TRUE(is_gone(std::stoi(read_file(file))));
    EXPECT_FALSE(has_children());
}

TEST(RunProgram, TheLimitHoldsForAProgramThatClosedItsStreams) {
    RunOptions options;
    options.limit = 200ms;
    EXPECT_THROW(shell("exec <&- >&- 2>&-; sleep 100", options), Problem);
}

TEST(RunProgram, WhatAProgramLeavesRunningDoesNotHoldItUp) {
    const double seconds = seconds_of([] {
        const Finished finished = shell("sleep 100 & echo $!");
        EXPECT_TRUE(is_gone(std::stoi(finished.out)));
    });
    EXPECT_LT(seconds, 5);
}

TEST(RunProgram, OutputWithoutEndIsAProblem) {
    RunOptions options;
    options.most_output = 1'000'000;
    const Problem problem = problem_in([&] { run_program("/bin/cat", {"/dev/zero"}, options); });
    EXPECT_THAT(problem.why, HasSubstr("1000000 bytes"));
    EXPECT_FALSE(has_children());
}

TEST(RunProgram, TheChildInheritsNeitherDescriptorsNorBlockedSignals) {
    // Open in this process and not close-on-exec, as a careless library leaves them.
    const Descriptor open(::dup(2));
    const Finished finished = run_program("/bin/ls", {"/proc/self/fd"});
    EXPECT_EQ(finished.out, "0\n1\n2\n3\n");  // 3 is the folder that ls reads
    const Finished status = run_program("/bin/cat", {"/proc/self/status"});
    EXPECT_THAT(status.out, HasSubstr("SigBlk:\t0000000000000000"));
}

TEST(RunProgram, FromManyThreadsAtOnce) {
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([i] {
            for (int k = 0; k < 5; ++k)
                EXPECT_EQ(shell(fmt::format("cat; exit {}", i), {{}, "text"}).status, i);
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_FALSE(has_children());
}

TEST(ChildProcess, EndsWithTheThreadThatStartedIt) {
    pid_t id = 0;
    std::thread([&] { id = start_process("/bin/sleep", {"100"}).id; }).join();
    int status = 0;
    ASSERT_EQ(::waitpid(id, &status, 0), id);
    EXPECT_EQ(ending_text(status), "signal 9 (Killed)");
}

TEST(ChildProcess, EndingTextNamesWhatHappened) {
    EXPECT_EQ(ending_text(3 << 8), "exit status 3");
    EXPECT_EQ(ending_text(11), "signal 11 (Segmentation fault)");
}

}  // namespace
}  // namespace lab
