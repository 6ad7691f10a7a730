// Watches one child process to its end: reports it, kills it safely, and leaves no zombie.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>

namespace lab::worker {

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
    // Whether it has ended, or ends within that time.
    bool ended_within(std::chrono::milliseconds time);

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace lab::worker
