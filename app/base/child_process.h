// Starts and ends other programs: pipes on their three streams, nothing else inherited, and
// whatever they start in turn ends with them.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is POSIX
#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lab {

// A file descriptor with one owner, which closes it at the end.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }

    bool open() const { return number_ >= 0; }
    int number() const { return number_; }
    int release() { return std::exchange(number_, -1); }
    void close() {
        if (open()) ::close(release());
    }

  private:
    int number_ = -1;
};

struct ChildProcess {
    pid_t id = 0;             // also the id of the process group that it leads
    Descriptor in, out, err;  // our ends of its streams: write, read, read
};

// Variables to set, or to remove where there is no value.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

// Starts `program`, a path or a name to look up in PATH. The child inherits no descriptor but its
// three streams and no blocked signal, and it is killed when the calling thread ends. The caller
// must wait for it (waitpid). Throws Problem if it cannot be started.
ChildProcess start_process(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const EnvironmentChanges& changes = {});

// Kills the child and all of its group. Only for a child that has not been waited for yet: after
// that its id may belong to another process.
void kill_group(pid_t id);

// Describes a status from waitpid: "exit status 3" or "signal 11 (Segmentation fault)".
std::string ending_text(int wait_status);

// While it lives, a write in this thread to a pipe without a reader fails with EPIPE instead of
// ending the program with SIGPIPE.
class IgnoreSigpipe {
  public:
    IgnoreSigpipe();
    ~IgnoreSigpipe();
    IgnoreSigpipe(const IgnoreSigpipe&) = delete;
    IgnoreSigpipe& operator=(const IgnoreSigpipe&) = delete;

  private:
    bool was_pending_, was_blocked_;
};

// While it lives, this thread receives only the signals of its own faults, and the threads that it
// starts never receive others: for threads that must not run the program's signal handlers, and in
// which a broken pipe is an error.
class SignalsBlocked {
  public:
    SignalsBlocked();
    ~SignalsBlocked();
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

}  // namespace lab
