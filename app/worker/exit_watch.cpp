#include "worker/exit_watch.h"

#include <sys/wait.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/child_process.h"

namespace lab::worker {

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
