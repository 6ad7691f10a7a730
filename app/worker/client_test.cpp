#include "worker/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "base/subprocess.h"
#include "worker/desk.h"
#include "worker/fake_worker.h"

namespace lab::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

[[maybe_unused]] const bool kWorked = work_if_asked();

TEST(Client, StartsNothingUntilAsked) {
    Desk desk;
    EXPECT_FALSE(desk.client->busy());
    EXPECT_EQ(desk.client->starts(), 0);
    EXPECT_EQ(desk.client->process(), 0);
}

TEST(Client, ARequestGetsProgressThenItsResult) {
    Desk desk;
    desk.send("count", 3);
    EXPECT_TRUE(desk.client->busy());
    desk.until_done();
    EXPECT_THAT(desk.log, ElementsAre("progress 1", "progress 2", "progress 3", "3"));
    EXPECT_NE(desk.client->process(), 0);
}

TEST(Client, RequestsAreDoneInTheOrderSent) {
    Desk desk;
    std::vector<std::string> expected;
    for (int i = 0; i < 50; ++i) {
        desk.send("echo", i);
        expected.push_back(std::to_string(i));
    }
    desk.until_done();
    EXPECT_EQ(desk.log, expected);
    EXPECT_EQ(desk.client->starts(), 1);
}

TEST(Client, MissingHandlersAreNoTrouble) {
    Desk desk;
    desk.client->send("count", 3, {});
    desk.client->send("exit", 3, {});
    desk.until_done();
}

TEST(Client, HandlersRunOnlyInPoll) {
    Desk desk;
    desk.send("echo", 1);
    std::this_thread::sleep_for(300ms);
    EXPECT_TRUE(desk.log.empty());
    EXPECT_TRUE(desk.client->busy());
    desk.until_done();
    EXPECT_THAT(desk.log, ElementsAre("1"));
}

TEST(Client, HandlersMaySendCancelAndPoll) {
    Desk desk;
    Ticket ticket = 0;
    bool cancelled = false;
    ticket = desk.client->send("tick", 1000,
                               {[&](const json&) {
                                    desk.client->cancel(ticket);
                                    cancelled = true;  // this very function is still there
                                    desk.send("echo", "sent");
                                    desk.client->poll();
                                },
                                [](const json&) { FAIL(); }, [](const Problem&) { FAIL(); }});
    desk.until_done();
    EXPECT_TRUE(cancelled);
    EXPECT_THAT(desk.log, ElementsAre("\"sent\""));
}

TEST(Client, WhatAHandlerThrowsComesOutOfPollAndNothingIsLost) {
    Desk desk;
    desk.client->send("echo", 1, {{}, [](const json&) { throw std::runtime_error("mine"); }, {}});
    desk.send("echo", 2);
    EXPECT_THROW(desk.until_done(), std::runtime_error);
    desk.client->poll();  // nobody wakes for the rest again
    desk.until_done();
    EXPECT_THAT(desk.log, ElementsAre("2"));
}

TEST(Client, AProblemOfAMethodIsPassedOn) {
    Desk desk;
    EXPECT_EQ(desk.ask("no-such-method"), "problem");
    EXPECT_THAT(desk.last.what_happened, HasSubstr("'no-such-method'"));
    EXPECT_EQ(desk.ask("echo", 1), "1");
    EXPECT_EQ(desk.client->starts(), 1);
}

TEST(Client, CarriesLargeRequestsAndReplies) {
    Desk desk;
    EXPECT_EQ(desk.ask("big", 20'000'000).size(), 20'000'002U);
    EXPECT_EQ(desk.ask("echo", std::string(5'000'000, 'y')).size(), 5'000'002U);
    EXPECT_EQ(desk.client->starts(), 1);
}

TEST(Client, CancelEndsTheRequestInHandAndForgetsWaitingOnes) {
    Desk desk;
    const Ticket running = desk.send("hang");
    const Ticket waiting = desk.send("echo", 1);
    desk.send("echo", 2);
    desk.until_logged(1);
    const int first = desk.client->process();
    desk.client->cancel(waiting);
    desk.client->cancel(running);
    desk.client->cancel(running);
    desk.client->cancel(12345);
    desk.until_done();
    EXPECT_THAT(desk.log, ElementsAre("progress \"hanging\"", "2"));
    EXPECT_EQ(desk.client->starts(), 2);
    EXPECT_TRUE(is_gone_soon(first));
}

TEST(Client, AResultThatHasArrivedCanStillBeCancelled) {
    Desk desk;
    const Ticket ticket = desk.send("echo", 1);
    std::this_thread::sleep_for(300ms);
    desk.client->cancel(ticket);
    EXPECT_FALSE(desk.client->busy());
    EXPECT_EQ(desk.ask("echo", 2), "2");
}

TEST(Client, AWorkerInheritsNoDescriptors) {
    const Descriptor careless(::dup(2));  // not close-on-exec
    Desk desk(Desk::shell("exec ls /proc/self/fd >&2"));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(desk.ask("echo"), "problem");
        EXPECT_THAT(desk.last.why, testing::EndsWith(":\n    0\n    1\n    2\n    3"));
    }
}

TEST(Client, TheDestructorEndsAWorkingWorkerAtOnce) {
    Desk desk;
    desk.send("hang");
    desk.send("echo", 1);
    desk.until_logged(1);
    const int process = desk.client->process();
    const auto start = Clock::now();
    desk.client.reset();
    EXPECT_LT(seconds_since(start), 1);
    EXPECT_TRUE(is_gone(process));
    EXPECT_LT(::waitpid(-1, nullptr, WNOHANG), 0);  // no child is left
    EXPECT_EQ(desk.log.size(), 1U);
}

TEST(Client, TheDestructorIsSafeAtAnyMoment) {
    for (int i = 0; i < 30; ++i) {
        Desk desk;
        const Ticket ticket = desk.send("tick", 100);
        desk.send("echo", std::string(100'000, 'x'));
        std::this_thread::sleep_for(i * 2ms);
        if (i % 3 == 0) desk.client->cancel(ticket);
        if (i % 2 == 0) desk.client->poll();
    }
    EXPECT_LT(::waitpid(-1, nullptr, WNOHANG), 0);
}

// Started again as an app that goes without a word: its worker is not to outlive it.
TEST(Client, AWorkerEndsWithItsApp) {
    if (std::getenv("LAB_TEST_ABRUPT_APP") != nullptr) {
        Desk desk;
        desk.send("hang");
        desk.until_logged(1);
        fmt::print("worker {} .\n", desk.client->process());
        std::fflush(stdout);
        ::raise(SIGKILL);
    }
    RunOptions options;
    options.environment = {{"LAB_TEST_ABRUPT_APP", "1"}};
    const Finished app =
        run_program(program_path(), {"--gtest_filter=Client.AWorkerEndsWithItsApp"}, options);
    EXPECT_EQ(app.status, 128 + SIGKILL) << app.out << app.err;
    const auto at = app.out.find("worker ");
    ASSERT_NE(at, std::string::npos) << app.out;
    EXPECT_TRUE(is_gone_soon(std::stoi(app.out.substr(at + 7))));
}

}  // namespace
}  // namespace lab::worker
