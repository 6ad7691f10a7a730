// Messages from the worker, between the thread that receives them and the one that polls.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "base/problem.h"
#include "worker/client.h"
namespace lab::worker {

struct Job {
    Ticket ticket;
    std::string method, line;
    std::chrono::milliseconds limit;
};

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

// Keeps who waits for what of a worker.
class Handlers {
  public:
    // A ticket for the request that this is the handler of.
    Ticket add(Handler handler);
    bool remove(Ticket ticket) { return handlers_.erase(ticket) != 0; }  // whether it was there
    bool empty() const { return handlers_.empty(); }
    // Calls the handlers of what is in the box now: what they send in turn waits for the next call.
    void deliver(Inbox& inbox);

  private:
    void deliver(const Arrival& arrival);

    std::map<Ticket, std::shared_ptr<const Handler>> handlers_;
    Ticket last_ = 0;
};

// Returns what a reply says about the request; nothing if it says nothing that is known.
std::optional<decltype(Arrival::what)> content_of(nlohmann::json& reply, const std::string& method);

}  // namespace lab::worker
