// One worker process: lines in, lines out, and the end of its standard error.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

// GCC's thread sanitizer knows no fences. With one thread there is nothing to fence.
#if defined(__SANITIZE_THREAD__)
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif
#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

namespace lab::worker {

// Boost.Asio as this room uses it: one context, run by one thread.
namespace asio = boost::asio;

// Watches one child process to its end: reports it, kills it safely, and leaves no zombie.
// A thread watches, which may outlive the ExitWatch: a process that hangs in a driver may take long
// to die, and no one should wait for that. (SIGCHLD belongs to the whole program, and some
// sandboxes refuse pidfd_open.)
class ExitWatch {
  public:
    using OnExit = std::function<void(int wait_status)>;

    // `process` leads a group of its own. `on_exit` is called once, from another thread, when it
    // has ended and the rest of its group has been killed. If no thread can be started, kills the
    // process and throws std::system_error.
    ExitWatch(pid_t process, OnExit on_exit);
    ~ExitWatch();  // as kill()
    ExitWatch(const ExitWatch&) = delete;
    ExitWatch& operator=(const ExitWatch&) = delete;

    // Kills the group, if it has not ended yet. From now on `on_exit` is not called.
    void kill();
    // True if it has ended, or ends within that time.
    bool ended_within(std::chrono::milliseconds time);

  private:
    struct State;
    std::shared_ptr<State> state_;
};

// The last lines that a process wrote, made fit to show: valid UTF-8, no control characters,
// bounded in length and number.
class LastWords {
  public:
    void add(std::string_view bytes);  // of a stream, in pieces as they come
    void add_line(std::string_view line);
    std::string text() const;  // the lines, each indented; empty if there are none

  private:
    std::string open_;  // the line without an end yet
    std::deque<std::string> lines_;
};

// Everything, including calls of the listener, happens on the thread that runs `context`. That
// thread must start it and outlive it: the process is killed when the thread ends.
class Process : public std::enable_shared_from_this<Process> {
  public:
    struct Listener {
        std::function<void()> alive;                 // some output has come
        std::function<void(std::string_view)> line;  // a line of standard output, without its end
        // It has ended, or was killed because it can no longer be used, and why. Called once, after
        // the last line.
        std::function<void(const std::string& why)> ended;
    };

    // Throws Problem, or std::system_error if no thread can be started.
    static std::shared_ptr<Process> start(asio::io_context& context,
                                          const std::filesystem::path& program,
                                          const std::vector<std::string>& arguments,
                                          std::size_t longest_line, Listener listener);

    void write_line(std::string line);  // its end is added
    void end();                         // kills it; the listener is not called afterwards
    void note(std::string_view line) { words_.add_line(line); }  // into its last words
    std::string last_words() const { return words_.text(); }
    pid_t id() const { return id_; }
    const std::shared_ptr<ExitWatch>& watch() const { return watch_; }

  private:
    using Stream = asio::posix::stream_descriptor;

    Process(asio::io_context& context, std::size_t longest_line, Listener listener);
    void launch(const std::filesystem::path& program, const std::vector<std::string>& arguments);
    void read_out();
    void read_err();
    void write();
    void take(std::string_view bytes);
    void settle(const char* sign);
    void finish(const std::string& why);

    asio::io_context& context_;
    const std::size_t longest_line_;
    Listener listener_;
    Stream in_, out_, err_;
    asio::steady_timer grace_;
    std::shared_ptr<ExitWatch> watch_;
    pid_t id_ = 0;
    std::optional<int> exit_status_;  // from waitpid
    bool settling_ = false, finished_ = false;
    std::deque<std::string> unwritten_;
    std::string line_;  // of standard output, without an end yet
    LastWords words_;
    std::array<char, 65536> out_bytes_{};
    std::array<char, 4096> err_bytes_{};
};

}  // namespace lab::worker
