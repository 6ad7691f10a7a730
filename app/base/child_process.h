// Starting and ending other programs: pipes on their three streams, nothing else inherited, and
// whatever they start in turn ends with them.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is POSIX
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace lab {

struct ChildProcess {
    pid_t id = 0;             // also the id of the process group that it leads
    Descriptor in, out, err;  // our ends of its streams: write, read, read
};

// Variables to set, or to remove where there is no value.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

// Starts `program`, a path or a name to look up in PATH. The child inherits no descriptor but its
// three streams and no blocked signal, and it is killed when the thread that called this ends.
// Whoever starts it waits for it (waitpid). Throws Problem if it cannot be started.
ChildProcess start_process(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const EnvironmentChanges& changes = {});

// Kills the child and all of its group. Only for a child that nobody has waited for yet: later its
// id may be another's.
void kill_group(pid_t id);

// What waitpid's status says: "exit status 3" or "signal 11 (Segmentation fault)".
std::string ending_text(int wait_status);

// While it lives, a write to a pipe that nobody reads fails with EPIPE in this thread, and the
// signal that would end the program is not seen.
class BrokenPipesAreErrors {
  public:
    BrokenPipesAreErrors();
    ~BrokenPipesAreErrors();
    BrokenPipesAreErrors(const BrokenPipesAreErrors&) = delete;
    BrokenPipesAreErrors& operator=(const BrokenPipesAreErrors&) = delete;

  private:
    bool was_pending_, was_blocked_;
};

// While it lives, this thread takes no signals but those of its own faults, and the threads that it
// starts take none ever: for threads that are no place for the program's handlers to run, and for
// whose writes a broken pipe is an error.
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
