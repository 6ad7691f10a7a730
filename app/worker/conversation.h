// The dialogue with the worker: one request at a time, to a process that is started when needed and
// abandoned when it cannot answer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "worker/client.h"
#include "worker/inbox.h"
#include "worker/process.h"

namespace lab::worker {

// Call only on the thread that runs `context`, except the last two functions.
class Conversation {
  public:
    Conversation(asio::io_context& context, const Client::Options& options, Inbox& inbox)
        : context_(context), options_(options), inbox_(inbox), silence_(context) {}

    void add(Job job);
    void cancel(Ticket ticket);
    void close();  // ends everything; call when the context's thread has ended

    int starts() const { return starts_; }
    int process() const { return process_id_; }

  private:
    using Clock = std::chrono::steady_clock;

    void next();
    void start_process();
    void leave_process();
    void received(std::string_view line);
    void deliver(nlohmann::json& reply);
    void listen_until(Clock::time_point time);
    void ended(const std::string& why);
    void fail(const std::string& what, std::string why);
    void done(std::variant<ProgressMade, Result, Problem> what);

    asio::io_context& context_;
    const Client::Options& options_;
    Inbox& inbox_;
    std::deque<Job> waiting_;
    std::optional<Job> current_;
    std::shared_ptr<Process> process_;
    std::vector<std::shared_ptr<ExitWatch>>
        left_;  // processes that were killed, but may not be dead yet
    asio::steady_timer silence_;
    Clock::time_point heard_;  // the last sign of life
    std::size_t chatter_ = 0;  // bytes since the last reply
    std::atomic<int> starts_ = 0, process_id_ = 0;
};

}  // namespace lab::worker
