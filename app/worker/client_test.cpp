#include "worker/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "support/fake_worker.h"
#include "support/subprocess.h"
#include "support/test_client.h"

namespace lab::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

[[maybe_unused]] const bool kWorked = work_if_asked();

TEST(Client, StartsNothingUntilAsked) {
    TestClient test;
    EXPECT_FALSE(test.client->busy());
    EXPECT_EQ(test.client->starts(), 0);
    EXPECT_EQ(test.client->process(), 0);
}

TEST(Client, ARequestGetsProgressThenItsResult) {
    TestClient test;
    test.send("count", 3);
    EXPECT_TRUE(test.client->busy());
    test.until_done();
    EXPECT_THAT(test.log, ElementsAre("progress 1", "progress 2", "progress 3", "3"));
    EXPECT_NE(test.client->process(), 0);
}

TEST(Client, RequestsAreDoneInTheOrderSent) {
    TestClient test;
    std::vector<std::string> expected;
    for (int i = 0; i < 50; ++i) {
        test.send("echo", i);
        expected.push_back(std::to_string(i));
    }
    test.until_done();
    EXPECT_EQ(test.log, expected);
    EXPECT_EQ(test.client->starts(), 1);
}

TEST(Client, MissingHandlersAreNoTrouble) {
    TestClient test;
    test.client->send("count", 3, {});
    test.client->send("exit", 3, {});
    test.until_done();
}

TEST(Client, HandlersRunOnlyInPoll) {
    TestClient test;
    test.send("echo", 1);
    std::this_thread::sleep_for(300ms);
    EXPECT_TRUE(test.log.empty());
    EXPECT_TRUE(test.client->busy());
    test.until_done();
    EXPECT_THAT(test.log, ElementsAre("1"));
}

TEST(Client, HandlersMaySendCancelAndPoll) {
    TestClient test;
    Ticket ticket = 0;
    bool cancelled = false;
    ticket = test.client->send("tick", 1000,
                               {[&](const json&) {
                                    test.client->cancel(ticket);
                                    cancelled = true;  // this very function is still there
                                    test.send("echo", "sent");
                                    test.client->poll();
                                },
                                [](const json&) { FAIL(); }, [](const Problem&) { FAIL(); }});
    test.until_done();
    EXPECT_TRUE(cancelled);
    EXPECT_THAT(test.log, ElementsAre("\"sent\""));
}

TEST(Client, WhatAHandlerThrowsComesOutOfPollAndNothingIsLost) {
    TestClient test;
    test.client->send("echo", 1, {{}, [](const json&) { throw std::runtime_error("mine"); }, {}});
    test.send("echo", 2);
    EXPECT_THROW(test.until_done(), std::runtime_error);
    test.client->poll();  // nobody wakes for the rest again
    test.until_done();
    EXPECT_THAT(test.log, ElementsAre("2"));
}

TEST(Client, AProblemOfAMethodIsPassedOn) {
    TestClient test;
    EXPECT_EQ(test.ask("no-such-method"), "problem");
    EXPECT_THAT(test.last.what_happened, HasSubstr("'no-such-method'"));
    EXPECT_EQ(test.ask("echo", 1), "1");
    EXPECT_EQ(test.client->starts(), 1);
}

TEST(Client, CarriesLargeRequestsAndReplies) {
    TestClient test;
    EXPECT_EQ(test.ask("big", 20'000'000).size(), 20'000'002U);
    EXPECT_EQ(test.ask("echo", std::string(5'000'000, 'y')).size(), 5'000'002U);
    EXPECT_EQ(test.client->starts(), 1);
}

TEST(Client, CancelEndsTheRequestInHandAndForgetsWaitingOnes) {
    TestClient test;
    const Ticket running = test.send("hang");
    const Ticket waiting = test.send("echo", 1);
    test.send("echo", 2);
    test.until_logged(1);
    const int first = test.client->process();
    test.client->cancel(waiting);
    test.client->cancel(running);
    test.client->cancel(running);
    test.client->cancel(12345);
    test.until_done();
    EXPECT_THAT(test.log, ElementsAre("progress \"hanging\"", "2"));
    EXPECT_EQ(test.client->starts(), 2);
    EXPECT_TRUE(is_gone_soon(first));
}

TEST(Client, AResultThatHasArrivedCanStillBeCancelled) {
    TestClient test;
    const Ticket ticket = test.send("echo", 1);
    std::this_thread::sleep_for(300ms);
    test.client->cancel(ticket);
    EXPECT_FALSE(test.client->busy());
    EXPECT_EQ(test.ask("echo", 2), "2");
}

TEST(Client, AWorkerInheritsNoDescriptors) {
    const Descriptor careless(::dup(2));  // not close-on-exec
    TestClient test(TestClient::shell("exec ls /proc/self/fd >&2"));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(test.ask("echo"), "problem");
        EXPECT_THAT(test.last.why, testing::EndsWith(":\n    0\n    1\n    2\n    3"));
    }
}

TEST(Client, TheDestructorEndsAWorkingWorkerAtOnce) {
    TestClient test;
    test.send("hang");
    test.send("echo", 1);
    test.until_logged(1);
    const int process = test.client->process();
    const auto start = Clock::now();
    test.client.reset();
    EXPECT_LT(seconds_since(start), 1);
    EXPECT_TRUE(is_gone(process));
    EXPECT_LT(::waitpid(-1, nullptr, WNOHANG), 0);  // no child is left
    EXPECT_EQ(test.log.size(), 1U);
}

TEST(Client, TheDestructorIsSafeAtAnyMoment) {
    for (int i = 0; i < 30; ++i) {
        TestClient test;
        const Ticket ticket = test.send("tick", 100);
        test.send("echo", std::string(100'000, 'x'));
        std::this_thread::sleep_for(i * 2ms);
        if (i % 3 == 0) test.client->cancel(ticket);
        if (i % 2 == 0) test.client->poll();
    }
    EXPECT_LT(::waitpid(-1, nullptr, WNOHANG), 0);
}

// Started again as an app that goes without a word: its worker is not to outlive it.
TEST(Client, AWorkerEndsWithItsApp) {
    if (std::getenv("LAB_TEST_ABRUPT_APP") != nullptr) {
        TestClient test;
        test.send("hang");
        test.until_logged(1);
        fmt::print("worker {} .\n", test.client->process());
        std::fflush(stdout);
        ::raise(SIGKILL);
    }
    RunOptions options;
    options.environment = {{"LAB_TEST_ABRUPT_APP", "1"}};
    const Finished app =
        run_program(program_path(), {"--gtest_filter=Client.AWorkerEndsWithItsApp"}, options);
    EXPECT_EQ(app.status, 128 + SIGKILL) << app.out << app.err;
    const auto position = app.out.find("worker ");
    ASSERT_NE(position, std::string::npos) << app.out;
    EXPECT_TRUE(is_gone_soon(std::stoi(app.out.substr(position + 7))));
}

}  // namespace
}  // namespace lab::worker
