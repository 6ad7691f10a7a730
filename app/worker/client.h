// The app's connection to the worker process: requests out, replies in, with a fresh worker after a
// crash, a hang or a cancel.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/problem.h"

namespace lab::worker {

// Bounds on a line between the app and its worker, so that a broken neighbour cannot use up memory
// or stack. Far above any use. Bytes of a request or a reply; a longer one is refused.
inline constexpr std::size_t kLongestLine = std::size_t{256} << 20;
// Brackets of a request in each other; deeper is refused.
inline constexpr int kDeepestNesting = 1000;

// Callbacks of a request. `progress` is called any number of times, then exactly one of `result`
// and `problem`; all from Client::poll, on the thread that calls it.
struct Handler {
    std::function<void(const nlohmann::json&)> progress;
    std::function<void(const nlohmann::json&)> result;
    std::function<void(const Problem&)> problem;
};

using Ticket = std::uint64_t;

// A worker is `program arguments…`, which reads a request a line on its standard input and answers
// in lines on its standard output (worker/protocol.h). One request runs at a time, in the order
// sent; the worker is started when the first is sent. If it ends, breaks the protocol, or is
// silent for longer than the request's limit, it is ended, the current request gets a Problem
// (with the last lines that the worker wrote on standard error), and the next request starts a
// fresh one. No call but the destructor waits for the worker. A client is used from one thread.
class Client {
  public:
    struct Options {
        std::filesystem::path program;
        std::vector<std::string> arguments = {"serve"};
        std::function<void()> wake;               // called from another thread when poll() has work
        std::size_t longest_line = kLongestLine;  // of the worker's output; longer ones break it
    };

    explicit Client(Options options);
    // Ends the worker, whatever it is doing; no handler is called afterwards. Not from a handler.
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // `limit`: the longest silence, from the moment the worker gets the request.
    Ticket send(std::string method, nlohmann::json parameters, Handler handler,
                std::chrono::milliseconds limit = std::chrono::seconds(60));
    // Drops a waiting request; ends the worker if it is the current one. Its handler is not called
    // afterwards. An unknown or finished ticket is ignored.
    void cancel(Ticket ticket);
    // Calls the handlers for what has arrived. Handlers may send, cancel and poll; what one throws
    // passes through, and the rest waits for the next call.
    void poll();
    bool busy() const;    // whether any request is unfinished
    int starts() const;   // how many workers were started so far
    int process() const;  // the worker's process id; 0 if none runs

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lab::worker
