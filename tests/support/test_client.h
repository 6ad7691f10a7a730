// A client for tests, on which they write down what becomes of their requests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/paths.h"
#include "worker/client.h"

namespace lab::worker {

using namespace std::chrono_literals;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

inline bool is_gone(pid_t process) {
    return ::kill(process, 0) != 0;
}

// A process that is no child of ours is gone when its new parent has noticed.
inline bool is_gone_soon(pid_t process) {
    for (int i = 0; i < 500; ++i) {
        try {
            const std::string stat = read_file(fmt::format("/proc/{}/stat", process));
            if (stat.find(") Z ") != std::string::npos) return true;
        } catch (const Problem&) {
            return true;  // not even a zombie
        }
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

// A client, and what a test does with it. Polls only when woken, as the app does.
class TestClient {
  public:
    explicit TestClient(Client::Options options = {program_path(), {"--worker"}, {}}) {
        options.wake = [this] {
            const std::lock_guard lock(mutex_);
            woken_ = true;
            changed_.notify_all();
        };
        client.emplace(std::move(options));
    }
    ~TestClient() { client.reset(); }  // before what it wakes
    TestClient(const TestClient&) = delete;
    TestClient& operator=(const TestClient&) = delete;

    static Client::Options shell(const std::string& script) {
        return {"/bin/sh", {"-c", script}, {}};
    }

    // Writes down what becomes of the request: "1", "progress 2", "problem …".
    Ticket send(const std::string& method, const json& parameters = {},
                std::chrono::milliseconds limit = 300s) {
        return client->send(
            method, parameters,
            {[this](const json& value) { log.push_back("progress " + value.dump()); },
             [this](const json& value) { log.push_back(value.dump()); },
             [this](const Problem& problem) {
                 log.emplace_back("problem");
                 last = problem;
             }},
            limit);
    }

    template <typename Condition>
    void until(Condition condition) {
        const auto end = Clock::now() + 200s;
        while (!condition()) {
            std::unique_lock lock(mutex_);
            // Where there is nothing to wake for (a process has started), a look now and then.
            changed_.wait_for(lock, 10ms, [&] { return woken_; });
            if (std::exchange(woken_, false)) {
                lock.unlock();
                client->poll();
            }
            if (Clock::now() > end) FAIL() << "nothing came";
        }
    }
    void until_done() {
        until([this] { return !client->busy(); });
    }
    void until_logged(std::size_t count) {
        until([&] { return log.size() >= count; });
    }
    // The only thing that becomes of a request.
    std::string ask(const std::string& method, const json& parameters = {}) {
        log.clear();
        send(method, parameters);
        until_done();
        return log.size() == 1 ? log[0] : fmt::format("{} things", log.size());
    }

    std::optional<Client> client;
    std::vector<std::string> log;
    Problem last;

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false;
};

}  // namespace lab::worker
