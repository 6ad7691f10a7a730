// What the client makes of workers that crash, hang, babble or were never there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_client.h"

namespace lab::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Recovery, ACrashCostsOneRequest) {
    TestClient test;
    test.send("hang");
    test.send("echo", 1);
    test.until_logged(1);  // it hangs
    const int first = test.client->process();
    ASSERT_EQ(::kill(first, SIGKILL), 0);
    test.until_done();
    EXPECT_THAT(test.log, ElementsAre("progress \"hanging\"", "problem", "1"));
    EXPECT_EQ(test.last.what_happened, "The worker process ended during 'hang'");
    EXPECT_EQ(test.last.why, "signal 9 (Killed)");
    EXPECT_THAT(test.last.hint, HasSubstr("starts again with the next request"));
    EXPECT_EQ(test.client->starts(), 2);
    EXPECT_NE(test.client->process(), first);
    EXPECT_TRUE(is_gone(first));
}

TEST(Recovery, SaysHowTheWorkerEndedAndItsLastWords) {
    TestClient test;
    EXPECT_EQ(test.ask("exit", 3), "problem");
    EXPECT_EQ(test.last.why, "exit status 3");
    EXPECT_EQ(test.ask("signal", SIGSEGV), "problem");
    EXPECT_THAT(test.last.why, HasSubstr("signal 11 (Segmentation fault)"));

    std::string words = "too early\n";
    for (int i = 0; i < 19; ++i)
        words += fmt::format("line {}\n", i);
    EXPECT_EQ(test.ask("complain", words + "the last\x1b"), "null");
    EXPECT_EQ(test.ask("exit", 4), "problem");
    EXPECT_THAT(test.last.why, HasSubstr("exit status 4; its last lines:\n    "));
    EXPECT_THAT(test.last.why, HasSubstr("line 18\n    the last "));
    EXPECT_NO_THROW(json(test.last).dump());
    EXPECT_EQ(test.client->starts(), 3);
}

TEST(Recovery, LastWordsAreShortAndValidWhateverTheyAre) {
    TestClient test(
        TestClient::shell("head -c 3000000 /dev/zero >&2; i=0; while [ $i -lt 30 ]; do "
                          "printf '%s \\377 %1000s\\n' $i x >&2; i=$((i+1)); done; exit 3"));
    EXPECT_EQ(test.ask("x"), "problem");
    EXPECT_THAT(test.last.why, HasSubstr("exit status 3"));
    EXPECT_THAT(test.last.why, HasSubstr("\n    29 \uFFFD "));
    EXPECT_THAT(test.last.why, Not(HasSubstr("\n    9 ")));
    EXPECT_LT(test.last.why.size(), 12'000U);
    EXPECT_NO_THROW(json(test.last).dump());
}

TEST(Recovery, AnIdleWorkerThatDiesIsReplacedWithoutAWord) {
    TestClient test;
    test.ask("echo", 1);
    const int first = test.client->process();
    ASSERT_EQ(::kill(first, SIGKILL), 0);
    test.until([&] { return test.client->process() == 0; });
    EXPECT_TRUE(is_gone(first));
    EXPECT_EQ(test.ask("echo", 2), "2");
    EXPECT_EQ(test.client->starts(), 2);
}

TEST(Recovery, ARequestToAWorkerThatIsJustDyingIsAnswered) {
    TestClient test;
    for (int i = 0; i < 10; ++i) {
        test.ask("echo", 1);
        test.send("echo", std::string(1'000'000, 'x'));
        ::kill(test.client->process(), SIGKILL);
        test.until_done();  // a result or a Problem, and this program still runs
    }
    EXPECT_EQ(test.ask("echo", 2), "2");
}

TEST(Recovery, SilenceBeyondTheLimitEndsTheWorker) {
    TestClient test;
    const auto start = Clock::now();
    test.ask("echo");  // so that the start does not count
    test.log.clear();
    test.send("hang", {}, 200ms);
    test.send("echo", 1);
    test.until_done();
    EXPECT_LT(seconds_since(start), 20);
    EXPECT_THAT(test.log, ElementsAre("progress \"hanging\"", "problem", "1"));
    EXPECT_THAT(test.last.what_happened, HasSubstr("during 'hang'"));
    EXPECT_EQ(test.last.why, "no sign of life for 0.2 s");
    EXPECT_EQ(test.client->starts(), 2);
}

TEST(Recovery, ASignOfLifeStartsTheLimitAnew) {
    TestClient test;
    test.ask("echo");
    test.log.clear();
    test.send("tick", 40, 1s);  // 2 s in all
    test.until_done();
    EXPECT_EQ(test.log.back(), "40");
    EXPECT_EQ(test.client->starts(), 1);
}

TEST(Recovery, AWorkerThatDoesNotReadIsSilentToo) {
    TestClient test(TestClient::shell("sleep 100"));
    test.send("echo", std::string(1'000'000, 'x'), 200ms);
    test.until_done();
    EXPECT_THAT(test.last.why, HasSubstr("no sign of life for 0.2 s"));
}

TEST(Recovery, ALimitMayBeEndless) {
    TestClient test;
    test.send("echo", 1, std::chrono::milliseconds::max());
    test.until_done();
    EXPECT_THAT(test.log, ElementsAre("1"));
}

TEST(Recovery, AMissingProgramIsAProblemForEachRequest) {
    TestClient test({"/no/such/program", {}, {}});
    for (int i = 0; i < 3; ++i)
        test.send("echo", i);
    test.until_done();
    EXPECT_THAT(test.log, ElementsAre("problem", "problem", "problem"));
    EXPECT_THAT(test.last.text(), HasSubstr("/no/such/program"));
    EXPECT_EQ(test.last.why, "No such file or directory");
    EXPECT_EQ(test.client->starts(), 0);
    EXPECT_EQ(test.client->process(), 0);
}

TEST(Recovery, AWorkerThatEndsAtOnceIsNotStartedInALoop) {
    TestClient test(TestClient::shell("echo no device >&2; exit 3"));
    EXPECT_EQ(test.ask("echo"), "problem");
    EXPECT_EQ(test.last.why, "exit status 3; its last lines:\n    no device");
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(test.client->starts(), 1);
}

TEST(Recovery, LinesThatAreNoRepliesAreSkippedAndRemembered) {
    TestClient test;
    EXPECT_EQ(test.ask("print", "hello\n\n{}\n{\"id\":\n\xf0\n[1]\n"), "null");
    EXPECT_EQ(test.ask("print", "no end of line "), "null");
    EXPECT_EQ(test.ask("echo", 1), "1");
    EXPECT_EQ(test.client->starts(), 1);
    EXPECT_EQ(test.ask("exit", 3), "problem");
    EXPECT_THAT(test.last.why, HasSubstr("\n    hello\n"));
}

TEST(Recovery, RepliesToNobodyAreSkipped) {
    TestClient test;
    EXPECT_EQ(test.ask("print", "{\"id\":999,\"result\":1}\n{\"id\":0,\"problem\":{}}\n"), "null");
    // After the end of its own request.
    test.log.clear();
    const Ticket ticket = test.send("print", "");
    test.until_done();
    EXPECT_EQ(test.ask("print", fmt::format("{{\"id\":{},\"result\":1}}\n", ticket)), "null");
    EXPECT_EQ(test.ask("echo", 1), "1");
}

TEST(Recovery, ADamagedProblemIsAProblem) {
    for (const char* damaged : {"1", "{}", R"({"what":1})", R"({"what":"a","exit":"b"})"}) {
        TestClient test;
        EXPECT_EQ(test.ask("print", fmt::format("{{\"id\":1,\"problem\":{}}}\n", damaged)),
                  "problem");
        EXPECT_THAT(test.last.what_happened, HasSubstr("'print'"));
        EXPECT_EQ(test.ask("echo", 1), "1");
    }
}

TEST(Recovery, ChatterWithoutEndBreaksTheProtocol) {
    TestClient test(TestClient::shell("yes"));
    EXPECT_EQ(test.ask("echo"), "problem");
    EXPECT_THAT(test.last.why, HasSubstr("that are no reply; its last lines:\n    y\n"));
}

TEST(Recovery, ALineWithoutEndBreaksTheProtocol) {
    Client::Options options = TestClient::shell("cat /dev/zero");
    options.longest_line = 1'000'000;
    TestClient test(options);
    EXPECT_EQ(test.ask("echo"), "problem");
    EXPECT_THAT(test.last.why, HasSubstr("longer than 1000000 bytes"));
}

TEST(Recovery, AWorkerThatClosesAStreamIsReplaced) {
    TestClient test;
    EXPECT_EQ(test.ask("close", 1), "problem");
    EXPECT_EQ(test.ask("echo", 1), "1");
    EXPECT_EQ(test.ask("close", 2), "null");  // it may be silent there
    EXPECT_EQ(test.ask("echo", 1), "1");
    EXPECT_EQ(test.client->starts(), 2);

    TestClient deaf(TestClient::shell("exec 0<&-; sleep 100"));
    EXPECT_EQ(deaf.ask("echo", std::string(1'000'000, 'x')), "problem");
    EXPECT_EQ(deaf.last.why, "It closed its standard input");
}

TEST(Recovery, WhatTheWorkerStartedEndsWithIt) {
    TestClient test;
    const int child = std::stoi(test.ask("child"));
    EXPECT_FALSE(is_gone(child));
    const auto start = Clock::now();
    EXPECT_EQ(test.ask("exit", 3), "problem");  // although the child holds the pipes open
    EXPECT_LT(seconds_since(start), 20);
    EXPECT_TRUE(is_gone_soon(child));
}

TEST(Recovery, PrintingDoesNotReachAGuardedServersReplies) {
    TestClient test({program_path(), {"--worker-guarded"}, {}});
    EXPECT_EQ(test.ask("print", "no end of line "), "null");
    EXPECT_EQ(test.ask("print", "{\"id\":3,\"result\":\"fake\"}\n"), "null");
    EXPECT_EQ(test.ask("print", "{\"id\":3,\"result\":\"fake\"}\n"), "null");
    EXPECT_EQ(test.ask("big", 1'000'000).size(), 1'000'002U);
}

}  // namespace
}  // namespace lab::worker
