#include "support/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "base/problem.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How often to look whether the program has ended: its pipes may stay open longer (a child that it
// left behind), or not as long.
constexpr milliseconds kLook{10};
// For the last bytes in the pipes after its end, where somebody else still holds them open.
constexpr milliseconds kGrace{200};

// One run, from the start of the program to its end.
class Run {
  public:
    Run(const std::filesystem::path& program, const std::vector<std::string>& arguments,
        const RunOptions& options)
        : program_(program),
          options_(options),
          child_(start_process(program, arguments, options.environment)),
          input_(options.input) {
        for (const Descriptor* end : {&child_.in, &child_.out, &child_.err})
            ::fcntl(end->number(), F_SETFL, ::fcntl(end->number(), F_GETFL) | O_NONBLOCK);
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() { reap(); }

    Finished finish() {
        auto end = Clock::now() + options_.limit;
        bool ended = false;
        while (!ended || child_.out.open() || child_.err.open()) {
            if (Clock::now() >= end) {
                if (ended) break;
                throw problem(fmt::format("It ran longer than {} s",
                                          static_cast<double>(options_.limit.count()) / 1000));
            }
            exchange();
            if (ended || !has_ended()) continue;
            ended = true;
            kill_group(child_.id);
            end = Clock::now() + kGrace;
        }
        const int status = reap();
        finished_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return std::move(finished_);
    }

  private:
    // Waits a moment for any of the pipes, then moves what can be moved.
    void exchange() {
        if (input_.empty()) child_.in.close();
        std::array<pollfd, 3> ends{{{child_.in.number(), POLLOUT, 0},
                                    {child_.out.number(), POLLIN, 0},
                                    {child_.err.number(), POLLIN, 0}}};
        ::poll(ends.data(), ends.size(), static_cast<int>(kLook.count()));
        if (ends[0].revents != 0) write_some();
        if (ends[1].revents != 0) read_some(child_.out, finished_.out);
        if (ends[2].revents != 0) read_some(child_.err, finished_.err);
    }

    void write_some() {
        const ssize_t count = ::write(child_.in.number(), input_.data(), input_.size());
        if (count > 0) input_.remove_prefix(static_cast<std::size_t>(count));
        // A program that has read enough closes its input: no fault of anybody.
        if (count < 0 && errno != EAGAIN && errno != EINTR) child_.in.close();
    }

    void read_some(Descriptor& from, std::string& to) {
        std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        const ssize_t count = ::read(from.number(), bytes.data(), bytes.size());
        if (count > 0) to.append(bytes.data(), static_cast<std::size_t>(count));
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) from.close();
        if (finished_.out.size() + finished_.err.size() > options_.most_output)
            throw problem(fmt::format("It wrote more than {} bytes", options_.most_output));
    }

    // Does not wait for it: until that, its id and its group's remain its own.
    bool has_ended() const {
        siginfo_t about{};
        const int result =
            ::waitid(P_PID, static_cast<id_t>(child_.id), &about, WEXITED | WNOHANG | WNOWAIT);
        return (result == 0 && about.si_pid == child_.id) || (result < 0 && errno == ECHILD);
    }

    int reap() {
        int status = 0;
        if (child_.id == 0) return status;
        kill_group(child_.id);
        while (::waitpid(child_.id, &status, 0) < 0 && errno == EINTR)
            continue;
        child_.id = 0;
        return status;
    }

    Problem problem(std::string why) const {
        constexpr std::size_t kMost = 1000;
        const std::string& err = finished_.err;
        if (!err.empty())
            why += fmt::format("; it wrote:\n{}",
                               err.substr(err.size() - std::min(err.size(), kMost)));
        return {fmt::format("The program '{}' was ended", program_.string()), std::move(why),
                "Run it by hand to see what it waits for", program_.string()};
    }

    const std::filesystem::path& program_;
    const RunOptions& options_;
    ChildProcess child_;
    std::string_view input_;  // what is left of it
    Finished finished_;
};

}  // namespace

Finished run_program(const std::filesystem::path& program,
                     const std::vector<std::string>& arguments, const RunOptions& options) {
    const IgnoreSigpipe errors;
    return Run(program, arguments, options).finish();
}

}  // namespace lab
