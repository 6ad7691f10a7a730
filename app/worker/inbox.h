// Messages from the worker, between the thread that receives them and the one that polls.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "base/problem.h"

namespace lab::worker {

struct ProgressMade {
    nlohmann::json value;
};
struct Result {
    nlohmann::json value;
};
struct Arrival {
    std::uint64_t ticket;
    std::variant<ProgressMade, Result, Problem> what;
};

class Inbox {
  public:
    explicit Inbox(std::function<void()> wake) : wake_(std::move(wake)) {}

    // Wakes every time: a thread that is just emptying the box may be past its last look.
    void put(Arrival arrival) {
        {
            const std::lock_guard lock(mutex_);
            arrivals_.push_back(std::move(arrival));
        }
        if (wake_) wake_();
    }

    std::optional<Arrival> take() {
        const std::lock_guard lock(mutex_);
        if (arrivals_.empty()) return {};
        Arrival next = std::move(arrivals_.front());
        arrivals_.pop_front();
        return next;
    }

    std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return arrivals_.size();
    }

  private:
    const std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::deque<Arrival> arrivals_;
};

}  // namespace lab::worker
