#include "support/driver/pipe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/child_process.h"

namespace lab::driver {
namespace {

constexpr auto kLastWords = std::chrono::milliseconds(500);
constexpr std::size_t kPiece = 4096;  // bytes: a pipe that takes any takes so many without waiting

bool ready(int descriptor, short events, std::chrono::milliseconds within) {
    pollfd one{descriptor, events, 0};
    return ::poll(&one, 1, static_cast<int>(within.count())) > 0;
}

bool again() {
    return errno == EINTR || errno == EAGAIN;
}

}  // namespace

Pipe::Pipe(std::function<void()> wake)
    : wake_(std::move(wake)),
      output_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)),
      bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    std::cout.flush();
    std::fflush(stdout);
    if (!output_.open() || !bell_.open() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw Problem("There is no standard output to answer on",
                      std::generic_category().message(errno),
                      "Start the app with its standard streams open");
    const SignalsBlocked blocked;
    thread_ = std::thread([this] { work(); });
}

Pipe::~Pipe() {
    ends_ = true;
    ::eventfd_write(bell_.number(), 1);
    thread_.join();
    std::fflush(stdout);
    ::dup2(output_.number(), STDOUT_FILENO);
}

std::vector<worker::Request> Pipe::take() {
    const std::lock_guard lock(mutex_);
    std::vector<worker::Request> taken(std::make_move_iterator(requests_.begin()),
                                       std::make_move_iterator(requests_.end()));
    requests_.clear();
    return taken;
}

void Pipe::answer(std::uint64_t id, const nlohmann::json& result) {
    put(worker::line_of(nlohmann::json{{"id", id}, {"result", result}}));
}

void Pipe::refuse(std::uint64_t id, const Problem& problem) {
    put(worker::line_of(nlohmann::json{{"id", id}, {"problem", problem}}));
}

void Pipe::put(const std::string& line) {
    {
        const std::lock_guard lock(mutex_);
        unwritten_ += line + "\n";
    }
    ::eventfd_write(bell_.number(), 1);
}

void Pipe::work() {
    bool reads = true;
    bool writes = true;
    while (!ends_) {
        const bool more = [&] {
            const std::lock_guard lock(mutex_);
            if (!writes) unwritten_.clear();
            return !unwritten_.empty();
        }();
        std::array<pollfd, 3> wanted{{{bell_.number(), POLLIN, 0},
                                      {reads ? STDIN_FILENO : -1, POLLIN, 0},
                                      {more ? output_.number() : -1, POLLOUT, 0}}};
        if (::poll(wanted.data(), wanted.size(), -1) < 0) {
            if (again()) continue;
            return;
        }
        eventfd_t rung = 0;
        if (wanted[0].revents != 0) ::eventfd_read(bell_.number(), &rung);
        if (wanted[1].revents != 0) reads = read_some();
        if (wanted[2].revents != 0) writes = write_some();
    }
    if (writes) flush();
}

bool Pipe::read_some() {
    std::array<char, 65536> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0) return again();
    if (count == 0) {
        if (!unread_.empty()) line_came(std::exchange(unread_, {}));
        return false;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        if (bytes[i] == '\n') {
            line_came(std::exchange(unread_, {}));
        } else if (unread_.size() < worker::kLongestLine) {
            unread_ += bytes[i];
        } else {
            too_long_ = true;
        }
    }
    return true;
}

void Pipe::line_came(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    try {
        if (std::exchange(too_long_, false))
            throw Problem(fmt::format("A line is longer than {} bytes", worker::kLongestLine), "",
                          "Write one line a request");
        worker::Request request = worker::parse_request(line);
        const std::lock_guard lock(mutex_);
        requests_.push_back(std::move(request));
    } catch (const Problem& problem) {
        refuse(worker::id_of(line), problem);
        return;
    }
    wake_();
}

bool Pipe::write_some() {
    std::string piece;
    {
        const std::lock_guard lock(mutex_);
        piece = unwritten_.substr(0, kPiece);
    }
    const ssize_t count = ::write(output_.number(), piece.data(), piece.size());
    if (count < 0) return again();
    const std::lock_guard lock(mutex_);
    unwritten_.erase(0, static_cast<std::size_t>(count));
    return true;
}

void Pipe::flush() {
    const auto all = [this] {
        const std::lock_guard lock(mutex_);
        return unwritten_.empty();
    };
    while (!all() && ready(output_.number(), POLLOUT, kLastWords))
        if (!write_some()) return;
}

}  // namespace lab::driver
