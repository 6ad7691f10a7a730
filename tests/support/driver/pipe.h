// The app's standard streams as a way to ask it things while it runs: requests come in and answers
// go out in lines as worker/protocol.h has them.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/child_process.h"
#include "base/problem.h"
#include "worker/protocol.h"

namespace lab::driver {

// A thread of its own reads and writes, so that nobody at the other end can keep the window
// waiting. A line that is no request it refuses by itself. At the end of input it only stops
// reading. While it lives, what anybody else prints on standard output goes to standard error.
class Pipe {
  public:
    // `wake` is called from that thread when take() has something new. Throws Problem if the
    // standard streams are closed.
    explicit Pipe(std::function<void()> wake);
    ~Pipe();  // what was answered is still written, if it is read within a moment
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    std::vector<worker::Request> take();  // what has come since the last call
    void answer(std::uint64_t id, const nlohmann::json& result);
    void refuse(std::uint64_t id, const Problem& problem);

  private:
    void work();
    bool read_some();   // false at the end
    bool write_some();  // false if nobody reads any more
    void line_came(const std::string& line);
    void put(const std::string& line);
    void flush();

    std::function<void()> wake_;
    Descriptor output_, bell_;  // the bell rings for what is to be written, and for the end
    std::string unread_;        // a line whose end has not come
    bool too_long_ = false;     // … and never will fit
    std::mutex mutex_;          // of the two below
    std::deque<worker::Request> requests_;
    std::string unwritten_;
    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

}  // namespace lab::driver
