// Watches a file, or every file of a folder, for changes: by inotify if possible, else by looking
// once per second. A page of a browser has no files that change but by its own hand.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

namespace lab {

class FileWatch {
  public:
    using Clock = std::chrono::steady_clock;

    // `wake` is called from another thread when changed() may be true.
    FileWatch(std::filesystem::path file, std::function<void()> wake, bool ask_system = true);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    // True if it was written, replaced or removed since the last call; may be true without reason.
    bool changed();
    // When to call changed() next without being woken; empty: never.
    std::optional<Clock::time_point> next_look() const;

  private:
    void listen();
    bool looks_other();

    std::filesystem::path file_;
    bool all_ = false;  // it is a folder
    std::function<void()> wake_;
    std::atomic<bool> notified_ = false;
    int events_ = -1, end_ = -1;  // inotify's descriptor, and the one that ends the thread
    std::optional<std::filesystem::file_time_type> seen_;
    Clock::time_point next_look_;
    std::thread thread_;
};

}  // namespace lab
