// What the client makes of workers that crash, hang, babble or were never there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "worker/desk.h"

namespace lab::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Recovery, ACrashCostsOneRequest) {
    Desk desk;
    desk.send("hang");
    desk.send("echo", 1);
    desk.until_logged(1);  // it hangs
    const int first = desk.client->process();
    ASSERT_EQ(::kill(first, SIGKILL), 0);
    desk.until_done();
    EXPECT_THAT(desk.log, ElementsAre("progress \"hanging\"", "problem", "1"));
    EXPECT_EQ(desk.last.what_happened, "The worker process ended during 'hang'");
    EXPECT_EQ(desk.last.why, "signal 9 (Killed)");
    EXPECT_THAT(desk.last.hint, HasSubstr("starts again with the next request"));
    EXPECT_EQ(desk.client->starts(), 2);
    EXPECT_NE(desk.client->process(), first);
    EXPECT_TRUE(is_gone(first));
}

TEST(Recovery, SaysHowTheWorkerEndedAndItsLastWords) {
    Desk desk;
    EXPECT_EQ(desk.ask("exit", 3), "problem");
    EXPECT_EQ(desk.last.why, "exit status 3");
    EXPECT_EQ(desk.ask("signal", SIGSEGV), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("signal 11 (Segmentation fault)"));

    std::string words = "too early\n";
    for (int i = 0; i < 19; ++i)
        words += fmt::format("line {}\n", i);
    EXPECT_EQ(desk.ask("complain", words + "the last\x1b"), "null");
    EXPECT_EQ(desk.ask("exit", 4), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("exit status 4; its last lines:\n    "));
    EXPECT_THAT(desk.last.why, HasSubstr("line 18\n    the last "));
    EXPECT_NO_THROW(json(desk.last).dump());
    EXPECT_EQ(desk.client->starts(), 3);
}

TEST(Recovery, LastWordsAreShortAndValidWhateverTheyAre) {
    Desk desk(
        Desk::shell("head -c 3000000 /dev/zero >&2; i=0; while [ $i -lt 30 ]; do "
                    "printf '%s \\377 %1000s\\n' $i x >&2; i=$((i+1)); done; exit 3"));
    EXPECT_EQ(desk.ask("x"), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("exit status 3"));
    EXPECT_THAT(desk.last.why, HasSubstr("\n    29 \uFFFD "));
    EXPECT_THAT(desk.last.why, Not(HasSubstr("\n    9 ")));
    EXPECT_LT(desk.last.why.size(), 12'000U);
    EXPECT_NO_THROW(json(desk.last).dump());
}

TEST(Recovery, AnIdleWorkerThatDiesIsReplacedWithoutAWord) {
    Desk desk;
    desk.ask("echo", 1);
    const int first = desk.client->process();
    ASSERT_EQ(::kill(first, SIGKILL), 0);
    desk.until([&] { return desk.client->process() == 0; });
    EXPECT_TRUE(is_gone(first));
    EXPECT_EQ(desk.ask("echo", 2), "2");
    EXPECT_EQ(desk.client->starts(), 2);
}

TEST(Recovery, ARequestToAWorkerThatIsJustDyingIsAnswered) {
    Desk desk;
    for (int i = 0; i < 10; ++i) {
        desk.ask("echo", 1);
        desk.send("echo", std::string(1'000'000, 'x'));
        ::kill(desk.client->process(), SIGKILL);
        desk.until_done();  // a result or a Problem, and this program still runs
    }
    EXPECT_EQ(desk.ask("echo", 2), "2");
}

TEST(Recovery, SilenceBeyondTheLimitEndsTheWorker) {
    Desk desk;
    const auto start = Clock::now();
    desk.ask("echo");  // so that the start does not count
    desk.log.clear();
    desk.send("hang", {}, 200ms);
    desk.send("echo", 1);
    desk.until_done();
    EXPECT_LT(seconds_since(start), 20);
    EXPECT_THAT(desk.log, ElementsAre("progress \"hanging\"", "problem", "1"));
    EXPECT_THAT(desk.last.what_happened, HasSubstr("during 'hang'"));
    EXPECT_EQ(desk.last.why, "no sign of life for 0.2 s");
    EXPECT_EQ(desk.client->starts(), 2);
}

TEST(Recovery, ASignOfLifeStartsTheLimitAnew) {
    Desk desk;
    desk.ask("echo");
    desk.log.clear();
    desk.send("tick", 40, 1s);  // 2 s in all
    desk.until_done();
    EXPECT_EQ(desk.log.back(), "40");
    EXPECT_EQ(desk.client->starts(), 1);
}

TEST(Recovery, AWorkerThatDoesNotReadIsSilentToo) {
    Desk desk(Desk::shell("sleep 100"));
    desk.send("echo", std::string(1'000'000, 'x'), 200ms);
    desk.until_done();
    EXPECT_THAT(desk.last.why, HasSubstr("no sign of life for 0.2 s"));
}

TEST(Recovery, ALimitMayBeEndless) {
    Desk desk;
    desk.send("echo", 1, std::chrono::milliseconds::max());
    desk.until_done();
    EXPECT_THAT(desk.log, ElementsAre("1"));
}

TEST(Recovery, AMissingProgramIsAProblemForEachRequest) {
    Desk desk({"/no/such/program", {}, {}});
    for (int i = 0; i < 3; ++i)
        desk.send("echo", i);
    desk.until_done();
    EXPECT_THAT(desk.log, ElementsAre("problem", "problem", "problem"));
    EXPECT_THAT(desk.last.text(), HasSubstr("/no/such/program"));
    EXPECT_EQ(desk.last.why, "No such file or directory");
    EXPECT_EQ(desk.client->starts(), 0);
    EXPECT_EQ(desk.client->process(), 0);
}

TEST(Recovery, AWorkerThatEndsAtOnceIsNotStartedInALoop) {
    Desk desk(Desk::shell("echo no device >&2; exit 3"));
    EXPECT_EQ(desk.ask("echo"), "problem");
    EXPECT_EQ(desk.last.why, "exit status 3; its last lines:\n    no device");
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(desk.client->starts(), 1);
}

TEST(Recovery, LinesThatAreNoRepliesAreSkippedAndRemembered) {
    Desk desk;
    EXPECT_EQ(desk.ask("print", "hello\n\n{}\n{\"id\":\n\xf0\n[1]\n"), "null");
    EXPECT_EQ(desk.ask("print", "no end of line "), "null");
    EXPECT_EQ(desk.ask("echo", 1), "1");
    EXPECT_EQ(desk.client->starts(), 1);
    EXPECT_EQ(desk.ask("exit", 3), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("\n    hello\n"));
}

TEST(Recovery, RepliesToNobodyAreSkipped) {
    Desk desk;
    EXPECT_EQ(desk.ask("print", "{\"id\":999,\"result\":1}\n{\"id\":0,\"problem\":{}}\n"), "null");
    // After the end of its own request.
    desk.log.clear();
    const Ticket ticket = desk.send("print", "");
    desk.until_done();
    EXPECT_EQ(desk.ask("print", fmt::format("{{\"id\":{},\"result\":1}}\n", ticket)), "null");
    EXPECT_EQ(desk.ask("echo", 1), "1");
}

TEST(Recovery, ADamagedProblemIsAProblem) {
    for (const char* damaged : {"1", "{}", R"({"what":1})", R"({"what":"a","exit":"b"})"}) {
        Desk desk;
        EXPECT_EQ(desk.ask("print", fmt::format("{{\"id\":1,\"problem\":{}}}\n", damaged)),
                  "problem");
        EXPECT_THAT(desk.last.what_happened, HasSubstr("'print'"));
        EXPECT_EQ(desk.ask("echo", 1), "1");
    }
}

TEST(Recovery, ChatterWithoutEndBreaksTheProtocol) {
    Desk desk(Desk::shell("yes"));
    EXPECT_EQ(desk.ask("echo"), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("that are no reply; its last lines:\n    y\n"));
}

TEST(Recovery, ALineWithoutEndBreaksTheProtocol) {
    Client::Options options = Desk::shell("cat /dev/zero");
    options.longest_line = 1'000'000;
    Desk desk(options);
    EXPECT_EQ(desk.ask("echo"), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("longer than 1000000 bytes"));
}

TEST(Recovery, AWorkerThatClosesAStreamIsReplaced) {
    Desk desk;
    EXPECT_EQ(desk.ask("close", 1), "problem");
    EXPECT_EQ(desk.ask("echo", 1), "1");
    EXPECT_EQ(desk.ask("close", 2), "null");  // it may be silent there
    EXPECT_EQ(desk.ask("echo", 1), "1");
    EXPECT_EQ(desk.client->starts(), 2);

    Desk deaf(Desk::shell("exec 0<&-; sleep 100"));
    EXPECT_EQ(deaf.ask("echo", std::string(1'000'000, 'x')), "problem");
    EXPECT_EQ(deaf.last.why, "It closed its standard input");
}

TEST(Recovery, WhatTheWorkerStartedEndsWithIt) {
    Desk desk;
    const int child = std::stoi(desk.ask("child"));
    EXPECT_FALSE(is_gone(child));
    const auto start = Clock::now();
    EXPECT_EQ(desk.ask("exit", 3), "problem");  // although the child holds the pipes open
    EXPECT_LT(seconds_since(start), 20);
    EXPECT_TRUE(is_gone_soon(child));
}

TEST(Recovery, PrintingDoesNotReachAGuardedServersReplies) {
    Desk desk({program_path(), {"--worker-guarded"}, {}});
    EXPECT_EQ(desk.ask("print", "no end of line "), "null");
    EXPECT_EQ(desk.ask("print", "{\"id\":3,\"result\":\"fake\"}\n"), "null");
    EXPECT_EQ(desk.ask("print", "{\"id\":3,\"result\":\"fake\"}\n"), "null");
    EXPECT_EQ(desk.ask("big", 1'000'000).size(), 1'000'002U);
}

}  // namespace
}  // namespace lab::worker
