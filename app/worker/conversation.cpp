#include "worker/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "worker/protocol.h"

namespace lab::worker {

using nlohmann::json;
using std::chrono::milliseconds;

// Bytes that a worker prints between two replies and that are none; with more it counts as broken.
constexpr std::size_t kMostChatter = std::size_t{16} << 20;

// How long close() waits for a process that was killed. Only one that hangs inside the system's own
// code takes longer; it goes as soon as it can.
constexpr milliseconds kLeave{500};

// Kept far below where the sum of a time and a limit overflows.
constexpr milliseconds kLongestLimit = std::chrono::hours(24 * 365);

void Conversation::add(Job job) {
    job.limit = std::min(job.limit, kLongestLimit);
    waiting_.push_back(std::move(job));
    next();
}

void Conversation::cancel(Ticket ticket) {
    if (!current_ || current_->ticket != ticket) {
        std::erase_if(waiting_, [&](const Job& job) { return job.ticket == ticket; });
        return;
    }
    leave_process();
    current_.reset();
    silence_.cancel();
    next();
}

void Conversation::close() {
    leave_process();
    for (const auto& watch : left_)
        watch->ended_within(kLeave);
}

// Gives the next request to the worker, if that is free. A worker that does not start costs each
// request its own Problem, and is tried again only for the next.
void Conversation::next() {
    if (current_ || waiting_.empty()) return;
    current_ = std::move(waiting_.front());
    waiting_.pop_front();
    try {
        if (!process_) start_process();
    } catch (const Problem& problem) {
        return done(problem);
    } catch (const std::exception& error) {
        return done(Problem("The worker process could not be started", error.what(),
                            "Close other programs and try again", options_.program.string()));
    }
    chatter_ = 0;
    heard_ = Clock::now();
    listen_until(heard_ + current_->limit);
    process_->write_line(std::move(current_->line));
}

void Conversation::start_process() {
    process_ = Process::start(context_, options_.program, options_.arguments, options_.longest_line,
                              {.alive = [this] { heard_ = Clock::now(); },
                               .line = [this](std::string_view line) { received(line); },
                               .ended = [this](const std::string& why) { ended(why); }});
    ++starts_;
    process_id_ = process_->id();
}

void Conversation::leave_process() {
    if (!process_) return;
    process_->end();
    std::erase_if(left_, [](const auto& watch) { return watch->ended_within(milliseconds(0)); });
    left_.push_back(process_->watch());
    process_.reset();
    process_id_ = 0;
}

void Conversation::received(std::string_view line) try {
    std::optional<json> reply = parse_reply(line);
    if (!reply) {
        process_->note(line);
        chatter_ += line.size() + 1;
        if (chatter_ > kMostChatter)
            ended(fmt::format("It wrote {} bytes that are no reply", chatter_));
        return;
    }
    chatter_ = 0;
    if (current_ && (*reply)["id"] == current_->ticket) deliver(*reply);
} catch (const std::exception& error) {
    ended(fmt::format("Its reply could not be taken in: {}", error.what()));
}

void Conversation::deliver(json& reply) {
    auto content = content_of(reply, current_->method);
    if (!content) return;
    if (std::holds_alternative<ProgressMade>(*content))
        inbox_.put({current_->ticket, std::move(*content)});
    else
        done(std::move(*content));
}

void Conversation::listen_until(Clock::time_point time) {
    silence_.expires_at(time);
    silence_.async_wait([this, ticket = current_->ticket](const auto& error) {
        if (error || !current_ || current_->ticket != ticket) return;
        const auto late = heard_ + current_->limit;
        if (Clock::now() < late) return listen_until(late);
        fail("was silent for too long during",
             fmt::format("no sign of life for {} s",
                         static_cast<double>(current_->limit.count()) / 1000));
    });
}

void Conversation::ended(const std::string& why) {
    if (current_)
        fail("ended during", why);
    else
        leave_process();
}

// The worker cannot go on: `what` it did during the request in hand, and why.
void Conversation::fail(const std::string& what, std::string why) {
    if (const std::string words = process_->last_words(); !words.empty())
        why += "; its last lines:" + words;
    leave_process();
    done(Problem(fmt::format("The worker process {} '{}'", what, current_->method), std::move(why),
                 "It starts again with the next request; check the kernel's indices and loops, or "
                 "choose a smaller size or another device",
                 "", Exit::kernel_fault));
}

void Conversation::done(std::variant<ProgressMade, Result, Problem> what) {
    inbox_.put({current_->ticket, std::move(what)});
    current_.reset();
    silence_.cancel();
    // Not at once: the caller may be in the middle of what the old process wrote.
    asio::post(context_, [this] { next(); });
}

}  // namespace lab::worker
