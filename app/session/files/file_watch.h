// Whether a file was changed by anybody: told by the system where it can, else looked for once a
// second.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include "session/shell/asked.h"

namespace lab::session {

class FileWatch {
  public:
    // `wake` is called from a thread when changed() may have something to tell.
    FileWatch(std::filesystem::path file, std::function<void()> wake, bool ask_system = true);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    // Whether it was written, replaced or taken away since the last call; now and then also where
    // it was not.
    bool changed();
    // When changed() should be called next although nobody woke us; empty: never.
    std::optional<Clock::time_point> next_look() const;

  private:
    void listen();
    bool looks_other();

    std::filesystem::path file_;
    std::function<void()> wake_;
    std::atomic<bool> notified_ = false;
    int events_ = -1, end_ = -1;  // inotify's descriptor, and the one that ends the thread
    std::optional<std::filesystem::file_time_type> seen_;
    Clock::time_point next_look_;
    std::thread thread_;
};

}  // namespace lab::session
