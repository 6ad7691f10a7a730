#include "worker/process.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>
#include <nlohmann/json.hpp>

#include "base/child_process.h"

namespace lab::worker {

using Error = boost::system::error_code;

constexpr std::size_t kLastLines = 20, kLastLineLength = 500;
// Between the first sign of an end (its exit, a closed pipe) and all of them. Only a process that
// closes its streams and stays, or hands them on and goes, takes that long.
constexpr std::chrono::milliseconds kGrace{500};

static std::string shown(std::string_view line) {
    using nlohmann::json;
    std::string text(line.substr(0, kLastLineLength));
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
    // Writing JSON mends what is no UTF-8.
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
        .get<std::string>();
}

void LastWords::add(std::string_view bytes) {
    for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos;
         bytes.remove_prefix(end + 1)) {
        open_ += bytes.substr(0, std::min(end, kLastLineLength));
        add_line(std::exchange(open_, {}));
    }
    if (open_.size() < kLastLineLength) open_ += bytes.substr(0, kLastLineLength);
}

void LastWords::add_line(std::string_view line) {
    lines_.emplace_back(line.substr(0, kLastLineLength));
    if (lines_.size() > kLastLines) lines_.pop_front();
}

std::string LastWords::text() const {
    std::string text;
    for (const std::string& line : lines_)
        text += fmt::format("\n    {}", shown(line));
    if (!open_.empty()) text += fmt::format("\n    {}", shown(open_));
    return text;
}

Process::Process(asio::io_context& context, std::size_t longest_line, Listener listener)
    : context_(context),
      longest_line_(longest_line),
      listener_(std::move(listener)),
      in_(context),
      out_(context),
      err_(context),
      grace_(context) {}

std::shared_ptr<Process> Process::start(asio::io_context& context,
                                        const std::filesystem::path& program,
                                        const std::vector<std::string>& arguments,
                                        std::size_t longest_line, Listener listener) {
    std::shared_ptr<Process> process(new Process(context, longest_line, std::move(listener)));
    process->launch(program, arguments);
    return process;
}

void Process::launch(const std::filesystem::path& program,
                     const std::vector<std::string>& arguments) {
    // Its threads are to sleep while they have nothing to do: OpenMP's would go on spinning for a
    // while, beside whatever is timed next.
    ChildProcess child = start_process(program, arguments, {{"OMP_WAIT_POLICY", "passive"}});
    id_ = child.id;
    watch_ = std::make_shared<ExitWatch>(id_, [this, weak = weak_from_this()](int status) {
        // On the watch's thread, and under its lock: `this` and the context are alive, since the
        // watch forgets this call before they go.
        asio::post(context_, [weak, status] {
            if (const auto self = weak.lock()) {
                self->exit_status_ = status;
                self->settle("");
            }
        });
    });
    in_.assign(child.in.release());
    out_.assign(child.out.release());
    err_.assign(child.err.release());
    read_out();
    read_err();
}

void Process::read_out() {
    out_.async_read_some(asio::buffer(out_bytes_),
                         [self = shared_from_this()](Error error, std::size_t count) {
                             if (self->finished_) return;
                             if (error) {
                                 self->out_.close();
                                 return self->settle("It closed its standard output");
                             }
                             self->take({self->out_bytes_.data(), count});
                             if (!self->finished_) self->read_out();
                         });
}

void Process::read_err() {
    err_.async_read_some(asio::buffer(err_bytes_),
                         [self = shared_from_this()](Error error, std::size_t count) {
                             if (self->finished_) return;
                             if (error) {
                                 self->err_.close();
                                 if (self->settling_) self->settle("");
                                 return;
                             }
                             self->words_.add({self->err_bytes_.data(), count});
                             self->read_err();
                         });
}

void Process::write_line(std::string line) {
    if (finished_) return;
    line += '\n';
    unwritten_.push_back(std::move(line));
    if (unwritten_.size() == 1) write();
}

void Process::write() {
    // A broken pipe is an error here and no signal: the thread that runs the context blocks it.
    asio::async_write(in_, asio::buffer(unwritten_.front()),
                      [self = shared_from_this()](Error error, std::size_t) {
                          if (self->finished_) return;
                          if (error) return self->settle("It closed its standard input");
                          self->unwritten_.pop_front();
                          if (!self->unwritten_.empty()) self->write();
                      });
}

void Process::take(std::string_view bytes) {
    listener_.alive();
    for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos;
         bytes.remove_prefix(end + 1)) {
        line_ += bytes.substr(0, end);
        if (line_.size() > longest_line_) break;
        listener_.line(std::exchange(line_, {}));
        if (finished_) return;
    }
    line_ += bytes;
    if (line_.size() > longest_line_)
        finish(fmt::format("It wrote a line longer than {} bytes", longest_line_));
}

// A sign of the end has come. Waits for the others, so that no last line or word is lost.
void Process::settle(const char* sign) {
    if (exit_status_ && !out_.is_open() && !err_.is_open())
        return finish(ending_text(*exit_status_));
    if (std::exchange(settling_, true)) return;
    grace_.expires_after(kGrace);
    grace_.async_wait([self = shared_from_this(), sign](Error error) {
        if (error || self->finished_) return;
        self->finish(self->exit_status_ ? ending_text(*self->exit_status_) : sign);
    });
}

void Process::finish(const std::string& why) {
    const Listener listener = std::move(listener_);
    end();
    if (!line_.empty()) words_.add_line(line_);
    listener.ended(why);
}

void Process::end() {
    if (std::exchange(finished_, true)) return;
    if (watch_) watch_->kill();
    grace_.cancel();
    Error ignored;
    for (Stream* stream : {&in_, &out_, &err_})
        stream->close(ignored);
}

struct ExitWatch::State {
    const pid_t process;
    std::mutex mutex;
    std::condition_variable changed;
    bool reaped = false;  // from here on, the id may be another's
    OnExit on_exit;

    // Waits for the end without taking leave, so that the ids of process and group stay theirs
    // while the rest of the group is killed.
    void watch() {
        siginfo_t about{};
        int result;
        do
            result = ::waitid(P_PID, static_cast<id_t>(process), &about, WEXITED | WNOWAIT);
        while (result < 0 && errno == EINTR);
        const std::lock_guard lock(mutex);
        int status = 0;
        if (result == 0) kill_group(process);
        while (::waitpid(process, &status, 0) < 0 && errno == EINTR)
            continue;
        reaped = true;
        changed.notify_all();
        if (on_exit) on_exit(status);
    }
};

ExitWatch::ExitWatch(pid_t process, OnExit on_exit)
    : state_(new State{process, {}, {}, false, std::move(on_exit)}) {
    const SignalsBlocked blocked;
    try {
        std::thread([state = state_] { state->watch(); }).detach();
    } catch (...) {
        kill_group(process);
        ::waitpid(process, nullptr, 0);
        throw;
    }
}

ExitWatch::~ExitWatch() {
    kill();
}

void ExitWatch::kill() {
    const std::lock_guard lock(state_->mutex);
    state_->on_exit = nullptr;
    if (!state_->reaped) kill_group(state_->process);
}

bool ExitWatch::ended_within(std::chrono::milliseconds time) {
    std::unique_lock lock(state_->mutex);
    return state_->changed.wait_for(lock, time, [&] { return state_->reaped; });
}

}  // namespace lab::worker
