// A piece of work on a thread of its own, whose result is taken when one next looks. It is done in
// parts, for a page of a browser has one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <variant>

#include "base/platform.h"
#include "base/problem.h"
namespace lab::session {

// One piece of work at a time; a newer one takes the place of an older one, whose result nobody
// wants any more. The destructor tells the work to end, and waits for that.
template <typename T>
class Background {
  public:
    // The next part of the work, without a value while there are more. Ends soon once `cancel` is
    // set; may throw Problem.
    using Work = std::function<std::optional<T>(const std::atomic<bool>& cancel)>;
    using Result = std::variant<T, Problem>;

    // `wake` is called from the thread when take() has something.
    explicit Background(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~Background() {
        cancel();
        join();
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    void start(Work work) {
        next_ = std::move(work);
        if (running_)
            cancel_ = true;
        else
            begin();
    }
    bool running() const { return running_; }
    // Discards what runs and what waits: neither gives a result.
    void cancel() {
        next_ = {};
        unwanted_ = running_;
        cancel_ = true;
    }
    // The result of the newest work, once.
    std::optional<Result> take() {
        {
            const std::lock_guard lock(mutex_);
            if (!result_) return std::nullopt;
        }
        join();
        std::optional<Result> taken = std::move(result_);
        result_.reset();
        running_ = false;
        const bool wanted = !next_ && !unwanted_;
        unwanted_ = false;
        if (next_) begin();
        return wanted ? std::move(taken) : std::nullopt;
    }

  private:
    void begin() {
        running_ = true;
        cancel_ = false;
        thread_ = platform::in_parts([this, work = std::exchange(next_, {})] {
            std::optional<Result> result = part_of(work);
            if (!result) return true;
            {
                const std::lock_guard lock(mutex_);
                result_ = std::move(result);
            }
            if (wake_) wake_();
            return false;
        });
    }
    std::optional<Result> part_of(const Work& work) const {
        try {
            std::optional<T> made = work(cancel_);
            if (!made) return std::nullopt;
            return Result(std::move(*made));
        } catch (const Problem& problem) {
            return problem;
        } catch (const std::exception& error) {
            return Problem("The run came to no end", error.what(),
                           "Choose a smaller n, or another kernel");
        }
    }
    void join() {
        if (thread_.joinable()) thread_.join();
    }

    std::function<void()> wake_;
    Work next_;
    std::atomic<bool> cancel_ = false;
    bool running_ = false, unwanted_ = false;
    std::mutex mutex_;
    std::optional<Result> result_;
    platform::Thread thread_;
};

// Something asked of the worker: what came last, and whether an answer is still to come.

using Clock = std::chrono::steady_clock;

template <typename Answer>
struct Asked {
    std::optional<Answer> answer;    // of the last request that succeeded; kept when one fails
    std::optional<Problem> problem;  // of the last request, if it failed
    bool waiting = false;
};

struct WorkerProcess {
    int process = 0;  // its id; 0 while none runs
    int starts = 0;   // how many there were so far
};

}  // namespace lab::session
