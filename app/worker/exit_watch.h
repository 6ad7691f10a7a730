// Watches one child process to its end: tells of it, kills it safely, and leaves no zombie.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>

namespace lab::worker {

// The watching is done by a thread of its own, which outlives the ExitWatch where it must: a
// process that hangs in a driver may take long to die, and nobody is to wait for that. (Of the
// other ways, SIGCHLD belongs to the whole program, and pidfd_open is refused in some sandboxes.)
class ExitWatch {
  public:
    using OnExit = std::function<void(int wait_status)>;

    // `process` leads a group of its own. `told` is called once, from another thread, when it has
    // ended; what was left of its group has been killed by then. If there can be no thread, the
    // process is killed and std::system_error thrown.
    ExitWatch(pid_t process, OnExit on_exit);
    ~ExitWatch();  // as kill()
    ExitWatch(const ExitWatch&) = delete;
    ExitWatch& operator=(const ExitWatch&) = delete;

    // Kills the group, if it has not ended yet. From now on `told` is not called any more.
    void kill();
    // Whether it has ended, or does so in that time.
    bool ended_within(std::chrono::milliseconds time);

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace lab::worker
