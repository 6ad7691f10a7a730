// A page's files change only by its own hand.
#include "session/files/file_watch.h"

namespace lab::session {

FileWatch::FileWatch(std::filesystem::path file, std::function<void()> wake, bool)
    : file_(std::move(file)), wake_(std::move(wake)) {}
FileWatch::~FileWatch() = default;

bool FileWatch::changed() {
    return false;
}
std::optional<Clock::time_point> FileWatch::next_look() const {
    return {};
}

}  // namespace lab::session
