#include "base/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "base/problem.h"

// Boost.Process as it was up to 1.85; later releases have it in a folder and a namespace of its
// own.
#if __has_include(<boost/process/v1/args.hpp>)
#include <boost/process/v1/args.hpp>
#include <boost/process/v1/child.hpp>
#include <boost/process/v1/error.hpp>
#include <boost/process/v1/exe.hpp>
#include <boost/process/v1/extend.hpp>
#include <boost/process/v1/group.hpp>
#include <boost/process/v1/posix.hpp>
#include <boost/process/v1/search_path.hpp>
namespace bp = boost::process::v1;
#else
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/group.hpp>
#include <boost/process/posix.hpp>
#include <boost/process/search_path.hpp>
namespace bp = boost::process;
#endif

namespace lab {
namespace {

Problem cannot_start(const std::filesystem::path& program, std::string why) {
    return {fmt::format("The program '{}' could not be started", program.string()), std::move(why),
            "See that it is installed, and that you may run it", program.string()};
}

struct Pipe {
    Descriptor read, write;
};

// Close-on-exec from the start, so that no other program started meanwhile holds an end open; and
// above 2, so that putting one end in the place of a stream cannot overwrite another.
Pipe make_pipe(const std::filesystem::path& program) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw cannot_start(program, std::generic_category().message(errno));
    Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
    for (Descriptor* end : {&pipe.read, &pipe.write}) {
        if (end->number() > 2) continue;
        Descriptor higher(::fcntl(end->number(), F_DUPFD_CLOEXEC, 3));
        if (!higher.open()) throw cannot_start(program, std::generic_category().message(errno));
        *end = std::move(higher);
    }
    return pipe;
}

// The whole environment of the child, as "NAME=value". Boost's own class for it reads past the end
// of a variable that is shorter than the name looked for (1.74).
std::vector<std::string> environment_with(const EnvironmentChanges& changes) {
    std::vector<std::string> variables;
    for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view variable = *entry;
        if (!changes.contains(std::string(variable.substr(0, variable.find('=')))))
            variables.emplace_back(variable);
    }
    for (const auto& [name, value] : changes)
        if (value) variables.push_back(fmt::format("{}={}", name, *value));
    return variables;
}

// In the child, between fork and exec: only calls that are safe there.
void prepare_child(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // it ended before the line above
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

sigset_t broken_pipe() {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGPIPE);
    return set;
}

}  // namespace

ChildProcess start_process(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const EnvironmentChanges& changes) {
    boost::filesystem::path file = program.string();
    if (!program.has_parent_path()) file = bp::search_path(file);
    if (file.empty())
        throw cannot_start(program, "There is no such program in the folders that PATH names");

    Pipe in = make_pipe(program), out = make_pipe(program), err = make_pipe(program);
    std::vector<std::string> variables = environment_with(changes);
    std::vector<char*> environment;
    environment.reserve(variables.size() + 1);
    for (std::string& variable : variables)
        environment.push_back(variable.data());
    environment.push_back(nullptr);

    const pid_t parent = ::getpid();
    std::error_code error;
    bp::group group;
    bp::child child(
        bp::exe = file.string(), bp::args = arguments, group,
        bp::posix::fd.bind(0, in.read.number()), bp::posix::fd.bind(1, out.write.number()),
        bp::posix::fd.bind(2, err.write.number()), error,
        bp::extend::on_setup = [&](auto& executor) { executor.env = environment.data(); },
        bp::extend::on_exec_setup = [parent](auto&) { prepare_child(parent); },
        bp::extend::on_error =
            [](auto& executor, const std::error_code&) {
                // Forked, but the program did not start: nobody else takes leave of that child.
                if (executor.pid > 0) ::waitpid(executor.pid, nullptr, 0);
            });
    if (error) throw cannot_start(program, error.message());
    const pid_t id = child.id();
    child.detach();
    group.detach();
    return {id, std::move(in.write), std::move(out.read), std::move(err.read)};
}

void kill_group(pid_t id) {
    if (id > 0) ::kill(-id, SIGKILL);
}

std::string ending_text(int wait_status) {
    if (WIFEXITED(wait_status)) return fmt::format("exit status {}", WEXITSTATUS(wait_status));
    const int signal = WTERMSIG(wait_status);
    const char* name = ::sigdescr_np(signal);
    return fmt::format("signal {} ({})", signal, name == nullptr ? "unknown" : name);
}

IgnoreSigpipe::IgnoreSigpipe() {
    const sigset_t set = broken_pipe();
    sigset_t pending, before;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &set, &before);
    was_blocked_ = ::sigismember(&before, SIGPIPE) == 1;
}

IgnoreSigpipe::~IgnoreSigpipe() {
    const sigset_t set = broken_pipe();
    constexpr timespec kNow{};
    if (!was_pending_)
        while (::sigtimedwait(&set, nullptr, &kNow) < 0 && errno == EINTR)
            continue;
    if (!was_blocked_) ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

SignalsBlocked::SignalsBlocked() {
    sigset_t set;
    ::sigfillset(&set);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF})
        ::sigdelset(&set, fault);
    ::pthread_sigmask(SIG_SETMASK, &set, &before_);
}

SignalsBlocked::~SignalsBlocked() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace lab
