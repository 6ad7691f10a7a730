// What frames cost, for --stats and the benchmark of the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <nlohmann/json_fwd.hpp>

namespace lab::gui {

double process_cpu_ms();  // what the processors did for this process so far, all threads

struct FrameCost {
    double wall_ms = 0;    // from its begin until its picture was handed to the display
    double cpu_ms = 0;     // what the processors did meanwhile, all threads: software GL has many
    bool playing = false;  // something on screen was moving by itself
};

// The costs of the latest frames.
class FrameTimes {
  public:
    void begin();
    void end(bool playing);
    void forget() { costs_.clear(); }

    // What --stats prints: the first frame, the number of all frames, and "frame_times": {"all": …,
    // "playing": …}, each with its count, and median, p99 and most of both times.
    nlohmann::json stats(const FrameCost& first, std::uint64_t frames) const;

  private:
    static constexpr std::size_t kMost = 10'000;

    double wall_ = 0, cpu_ = 0;  // at the begin
    std::deque<FrameCost> costs_;
};

}  // namespace lab::gui
