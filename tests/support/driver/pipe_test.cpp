#include "support/driver/pipe.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <nlohmann/json.hpp>

namespace lab::driver {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A pipe's two ends.
struct Ends {
    Descriptor read, write;
    Ends() {
        std::array<int, 2> both{};
        if (::pipe(both.data()) != 0) std::abort();
        read = Descriptor(both[0]);
        write = Descriptor(both[1]);
    }
};

// This process's standard streams are ours while one of these lives.
class StreamsReplaced {
  public:
    StreamsReplaced()
        : saved_in_(::dup(STDIN_FILENO)), saved_out_((std::fflush(stdout), ::dup(STDOUT_FILENO))) {
        ::dup2(in_.read.number(), STDIN_FILENO);
        ::dup2(out_.write.number(), STDOUT_FILENO);
    }
    ~StreamsReplaced() {
        ::dup2(saved_in_.number(), STDIN_FILENO);
        ::dup2(saved_out_.number(), STDOUT_FILENO);
    }
    StreamsReplaced(const StreamsReplaced&) = delete;
    StreamsReplaced& operator=(const StreamsReplaced&) = delete;

    void say(const std::string& text) const {
        ASSERT_EQ(::write(in_.write.number(), text.data(), text.size()),
                  static_cast<ssize_t>(text.size()));
    }
    void end_input() { in_.write.close(); }
    void stop_reading() { out_.read.close(); }
    json reply() {
        std::string line;
        char c = 0;
        while (::read(out_.read.number(), &c, 1) == 1 && c != '\n')
            line += c;
        return json::parse(line, nullptr, false);
    }

  private:
    Ends in_, out_;
    Descriptor saved_in_, saved_out_;
};

class PipeTest : public testing::Test {
  protected:
    void wake() {
        const std::lock_guard lock(mutex_);
        ++wakes_;
        bell_.notify_all();
    }
    std::vector<worker::Request> next(Pipe& pipe) {
        std::unique_lock lock(mutex_);
        bell_.wait_for(lock, std::chrono::minutes(5), [&] { return wakes_ > 0; });
        wakes_ = 0;
        return pipe.take();
    }

    StreamsReplaced streams_;
    std::mutex mutex_;
    std::condition_variable bell_;
    int wakes_ = 0;
};

TEST_F(PipeTest, HandsRequestsOverAndCarriesAnswersBack) {
    Pipe pipe([this] { wake(); });
    streams_.say("\n{\"id\": 4, \"method\": \"state\"}\n");
    const auto requests = next(pipe);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].method, "state");
    pipe.answer(requests[0].id, {{"view", "step"}});
    EXPECT_EQ(streams_.reply(), (json{{"id", 4}, {"result", {{"view", "step"}}}}));
    pipe.refuse(5, Problem("No", "because", "do"));
    EXPECT_EQ(streams_.reply()["problem"]["what"], "No");
}

TEST_F(PipeTest, TakesARequestThatComesInPiecesAndTheLastOneWithoutALinesEnd) {
    Pipe pipe([this] { wake(); });
    streams_.say("{\"id\": 1, \"met");
    streams_.say("hod\": \"spots\"}");
    streams_.end_input();
    const auto requests = next(pipe);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].method, "spots");
    pipe.answer(1, 0);  // one can still be answered
    EXPECT_EQ(streams_.reply()["result"], 0);
}

TEST_F(PipeTest, RefusesALineThatIsNoRequest) {
    Pipe pipe([this] { wake(); });
    streams_.say("{\"id\": 9}\n");
    const json reply = streams_.reply();
    EXPECT_EQ(reply["id"], 9);
    EXPECT_THAT(reply["problem"]["what"].get<std::string>(), HasSubstr("no request"));
    EXPECT_TRUE(pipe.take().empty());
}

TEST_F(PipeTest, NeverWaitsForOneWhoDoesNotReadAndOutlivesOneWhoIsGone) {
    Pipe pipe([this] { wake(); });
    const std::string long_answer(1 << 20, 'x');  // more than the system keeps
    for (std::uint64_t id = 0; id < 4; ++id)
        pipe.answer(id, long_answer);
    EXPECT_EQ(streams_.reply()["id"], 0);
    streams_.stop_reading();
    pipe.answer(5, long_answer);
    streams_.say("{\"id\": 6, \"method\": \"state\"}\n");
    EXPECT_EQ(next(pipe).size(), 1U);
}

TEST_F(PipeTest, WritesWhatWasAnsweredBeforeItEnds) {
    {
        Pipe pipe([this] { wake(); });
        pipe.answer(1, "quit");
    }
    EXPECT_EQ(streams_.reply()["result"], "quit");
}

TEST_F(PipeTest, KeepsOthersWordsOutOfTheAnswers) {
    {
        Pipe pipe([this] { wake(); });
        std::puts("");  // goes to standard error
        std::fflush(stdout);
        pipe.answer(1, true);
    }
    EXPECT_EQ(streams_.reply()["id"], 1);
}

}  // namespace
}  // namespace lab::driver
