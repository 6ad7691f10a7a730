#include "base/file_watch.h"

#if defined(__linux__)
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/platform.h"

namespace lab {
constexpr auto kBetweenLooks = std::chrono::seconds(1);

// Of a folder, the latest of its files and its own.
static std::optional<std::filesystem::file_time_type> time_of(const std::filesystem::path& file) {
    std::error_code error;
    auto time = std::filesystem::last_write_time(file, error);
    if (error) return std::nullopt;
    if (!std::filesystem::is_directory(file, error)) return time;
    for (const auto& entry : std::filesystem::directory_iterator(file, error)) {
        const auto other = entry.last_write_time(error);
        if (!error) time = std::max(time, other);
    }
    return time;
}

FileWatch::FileWatch(std::filesystem::path file, std::function<void()> wake, bool ask_system)
    : file_(std::move(file)), wake_(std::move(wake)), seen_(time_of(file_)) {
    next_look_ = Clock::now() + kBetweenLooks;
#if defined(__linux__)
    if (!ask_system) return;
    // Editors write a new file and rename it, so it is the folder that tells.
    std::error_code error;
    all_ = std::filesystem::is_directory(file_, error);
    const std::filesystem::path folder =
        all_ ? file_ : std::filesystem::absolute(file_, error).parent_path();
    events_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    end_ = ::eventfd(0, EFD_CLOEXEC);
    const bool listens =
        events_ >= 0 && end_ >= 0 &&
        ::inotify_add_watch(events_, folder.c_str(),
                            IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE) >= 0;
    if (listens) {
        thread_ = std::thread([this] { listen(); });
        return;
    }
    if (events_ >= 0) ::close(events_);
    events_ = -1;
#else
    (void)ask_system;
#endif
}

FileWatch::~FileWatch() {
#if defined(__linux__)
    if (thread_.joinable()) {
        const std::uint64_t one = 1;
        (void)!::write(end_, &one, sizeof one);
        thread_.join();
    }
    if (events_ >= 0) ::close(events_);
    if (end_ >= 0) ::close(end_);
#endif
}

void FileWatch::listen() {
#if defined(__linux__)
    const std::string name = file_.filename().string();
    std::array<pollfd, 2> s{pollfd{events_, POLLIN, 0}, pollfd{end_, POLLIN, 0}};
    alignas(inotify_event) std::array<char, 8192> bytes{};
    while (::poll(s.data(), s.size(), -1) >= 0 || errno == EINTR) {
        if (s[1].revents != 0) return;
        if (s[0].revents == 0) continue;
        const auto count = ::read(events_, bytes.data(), bytes.size());
        bool ours = false;
        for (std::ptrdiff_t at = 0; at < count;) {
            inotify_event event;
            std::memcpy(&event, bytes.data() + at, sizeof event);
            // For a queue that overflowed nobody knows what was in it.
            ours = ours || (event.mask & IN_Q_OVERFLOW) != 0 ||
                   (event.len > 0 && (all_ || name == bytes.data() + at + sizeof event));
            at += static_cast<std::ptrdiff_t>(sizeof event + event.len);
        }
        if (!ours) continue;
        notified_ = true;
        if (wake_) wake_();
    }
#endif
}

bool FileWatch::looks_other() {
    if (platform::kBrowser || Clock::now() < next_look_) return false;
    next_look_ = Clock::now() + kBetweenLooks;
    const auto now = time_of(file_);
    if (now == seen_) return false;
    seen_ = now;
    return true;
}

bool FileWatch::changed() {
    return thread_.joinable() ? notified_.exchange(false) : looks_other();
}

std::optional<FileWatch::Clock::time_point> FileWatch::next_look() const {
    if (platform::kBrowser || thread_.joinable()) return std::nullopt;
    return next_look_;
}

}  // namespace lab
