#include "worker/client.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/subprocess.h"
#include "worker/fake_worker.h"

namespace lab::worker {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Clock = std::chrono::steady_clock;

[[maybe_unused]] const bool kWorked = work_if_asked();

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

bool is_gone(pid_t process) {
    return ::kill(process, 0) != 0;
}

// A process that is no child of ours is gone when its new parent has noticed.
bool is_gone_soon(pid_t process) {
    for (int i = 0; i < 500; ++i) {
        if (is_gone(process)) return true;
        if (read_file(fmt::format("/proc/{}/stat", process)).find(") Z ") != std::string::npos)
            return true;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

// A client, and what a test does with it. Polls only when woken, as the app does.
class Desk {
  public:
    explicit Desk(Client::Options options = {program_path(), {"--worker"}, {}}) {
        options.wake = [this] {
            const std::lock_guard lock(mutex_);
            woken_ = true;
            changed_.notify_all();
        };
        client.emplace(std::move(options));
    }
    ~Desk() { client.reset(); }  // before what it wakes
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    static Client::Options shell(const std::string& script) {
        return {"/bin/sh", {"-c", script}, {}};
    }

    // Writes down what becomes of the request: "1", "progress 2", "problem …".
    Ticket send(const std::string& method, const json& parameters = {},
                std::chrono::milliseconds limit = 30s) {
        return client->send(
            method, parameters,
            {[this](const json& value) { log.push_back("progress " + value.dump()); },
             [this](const json& value) { log.push_back(value.dump()); },
             [this](const Problem& problem) {
                 log.push_back("problem");
                 last = problem;
             }},
            limit);
    }

    template <typename Condition>
    void until(Condition condition) {
        const auto end = Clock::now() + 30s;
        while (!condition()) {
            std::unique_lock lock(mutex_);
            // Where there is nothing to wake for (a process has started), a look now and then.
            changed_.wait_for(lock, 10ms, [&] { return woken_; });
            if (std::exchange(woken_, false)) {
                lock.unlock();
                client->poll();
            }
            if (Clock::now() > end) FAIL() << "nothing came";
        }
    }
    void until_done() {
        until([this] { return !client->busy(); });
    }
    void until_logged(std::size_t count) {
        until([&] { return log.size() >= count; });
    }
    // The only thing that becomes of a request.
    std::string ask(const std::string& method, const json& parameters = {}) {
        log.clear();
        send(method, parameters);
        until_done();
        return log.size() == 1 ? log[0] : fmt::format("{} things", log.size());
    }

    std::optional<Client> client;
    std::vector<std::string> log;
    Problem last;

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false;
};

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

TEST(Client, ACrashCostsOneRequest) {
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

TEST(Client, SaysHowTheWorkerEndedAndItsLastWords) {
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

TEST(Client, LastWordsAreShortAndValidWhateverTheyAre) {
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

TEST(Client, AnIdleWorkerThatDiesIsReplacedWithoutAWord) {
    Desk desk;
    desk.ask("echo", 1);
    const int first = desk.client->process();
    ASSERT_EQ(::kill(first, SIGKILL), 0);
    desk.until([&] { return desk.client->process() == 0; });
    EXPECT_TRUE(is_gone(first));
    EXPECT_EQ(desk.ask("echo", 2), "2");
    EXPECT_EQ(desk.client->starts(), 2);
}

TEST(Client, ARequestToAWorkerThatIsJustDyingIsAnswered) {
    Desk desk;
    for (int i = 0; i < 10; ++i) {
        desk.ask("echo", 1);
        desk.send("echo", std::string(1'000'000, 'x'));
        ::kill(desk.client->process(), SIGKILL);
        desk.until_done();  // a result or a Problem, and this program still runs
    }
    EXPECT_EQ(desk.ask("echo", 2), "2");
}

TEST(Client, SilenceBeyondTheLimitEndsTheWorker) {
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

TEST(Client, ASignOfLifeStartsTheLimitAnew) {
    Desk desk;
    desk.ask("echo");
    desk.log.clear();
    desk.send("tick", 40, 1s);  // 2 s in all
    desk.until_done();
    EXPECT_EQ(desk.log.back(), "40");
    EXPECT_EQ(desk.client->starts(), 1);
}

TEST(Client, AWorkerThatDoesNotReadIsSilentToo) {
    Desk desk(Desk::shell("sleep 100"));
    desk.send("echo", std::string(1'000'000, 'x'), 200ms);
    desk.until_done();
    EXPECT_THAT(desk.last.why, HasSubstr("no sign of life for 0.2 s"));
}

TEST(Client, ALimitMayBeEndless) {
    Desk desk;
    desk.send("echo", 1, std::chrono::milliseconds::max());
    desk.until_done();
    EXPECT_THAT(desk.log, ElementsAre("1"));
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

TEST(Client, AMissingProgramIsAProblemForEachRequest) {
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

TEST(Client, AWorkerThatEndsAtOnceIsNotStartedInALoop) {
    Desk desk(Desk::shell("echo no device >&2; exit 3"));
    EXPECT_EQ(desk.ask("echo"), "problem");
    EXPECT_EQ(desk.last.why, "exit status 3; its last lines:\n    no device");
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(desk.client->starts(), 1);
}

TEST(Client, LinesThatAreNoRepliesAreSkippedAndRemembered) {
    Desk desk;
    EXPECT_EQ(desk.ask("print", "hello\n\n{}\n{\"id\":\n\xf0\n[1]\n"), "null");
    EXPECT_EQ(desk.ask("print", "no end of line "), "null");
    EXPECT_EQ(desk.ask("echo", 1), "1");
    EXPECT_EQ(desk.client->starts(), 1);
    EXPECT_EQ(desk.ask("exit", 3), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("\n    hello\n"));
}

TEST(Client, RepliesToNobodyAreSkipped) {
    Desk desk;
    EXPECT_EQ(desk.ask("print", "{\"id\":999,\"result\":1}\n{\"id\":0,\"problem\":{}}\n"), "null");
    // After the end of its own request.
    desk.log.clear();
    const Ticket ticket = desk.send("print", "");
    desk.until_done();
    EXPECT_EQ(desk.ask("print", fmt::format("{{\"id\":{},\"result\":1}}\n", ticket)), "null");
    EXPECT_EQ(desk.ask("echo", 1), "1");
}

TEST(Client, ADamagedProblemIsAProblem) {
    for (const char* damaged : {"1", "{}", R"({"what":1})", R"({"what":"a","exit":"b"})"}) {
        Desk desk;
        EXPECT_EQ(desk.ask("print", fmt::format("{{\"id\":1,\"problem\":{}}}\n", damaged)),
                  "problem");
        EXPECT_THAT(desk.last.what_happened, HasSubstr("'print'"));
        EXPECT_EQ(desk.ask("echo", 1), "1");
    }
}

TEST(Client, ChatterWithoutEndBreaksTheProtocol) {
    Desk desk(Desk::shell("yes"));
    EXPECT_EQ(desk.ask("echo"), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("that are no reply; its last lines:\n    y\n"));
}

TEST(Client, ALineWithoutEndBreaksTheProtocol) {
    Client::Options options = Desk::shell("cat /dev/zero");
    options.longest_line = 1'000'000;
    Desk desk(options);
    EXPECT_EQ(desk.ask("echo"), "problem");
    EXPECT_THAT(desk.last.why, HasSubstr("longer than 1000000 bytes"));
}

TEST(Client, AWorkerThatClosesAStreamIsReplaced) {
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

TEST(Client, WhatTheWorkerStartedEndsWithIt) {
    Desk desk;
    const int child = std::stoi(desk.ask("child"));
    EXPECT_FALSE(is_gone(child));
    const auto start = Clock::now();
    EXPECT_EQ(desk.ask("exit", 3), "problem");  // although the child holds the pipes open
    EXPECT_LT(seconds_since(start), 20);
    EXPECT_TRUE(is_gone_soon(child));
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

TEST(Client, PrintingDoesNotReachAGuardedServersReplies) {
    Desk desk({program_path(), {"--worker-guarded"}, {}});
    EXPECT_EQ(desk.ask("print", "no end of line "), "null");
    EXPECT_EQ(desk.ask("print", "{\"id\":3,\"result\":\"fake\"}\n"), "null");
    EXPECT_EQ(desk.ask("print", "{\"id\":3,\"result\":\"fake\"}\n"), "null");
    EXPECT_EQ(desk.ask("big", 1'000'000).size(), 1'000'002U);
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
