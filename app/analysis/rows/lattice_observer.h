// Builds a Lattice during a run. It keeps the trace of one launch at a time, so that a run of many
// elements needs no whole trace.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "analysis/rows/row_builder.h"

namespace lab::analysis {

inline constexpr std::uint64_t kMostLatticeBytes = std::uint64_t{1} << 24U;  // cells of all rows
// Limits: accesses kept per launch, and accesses of a run that are checked for stale reads.
inline constexpr std::uint64_t kMostLaunchEvents = 12'000'000, kMostLatticeEvents = 4'000'000;

class LatticeObserver : public machine::Observer {
  public:
    // `start` is the buffer that the first row shows. `progress` receives the share that is done,
    // approximately.
    explicit LatticeObserver(std::size_t start, std::atomic<float>* progress = nullptr);

    void begin(const machine::Machine& machine) override;
    // Throws Problem if a launch has too many accesses to keep.
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool continues) override;
    void detail(const machine::Detail& detail) override { races_.detail(detail); }

    // Call after the run, also if it ended with a fault.
    Lattice take();
    // After that: whether all cells were checked for stale reads.
    bool stale_known() const { return rows_->all_compared() && !too_long_for_stale(); }

  private:
    bool too_long_for_stale() const { return events_ > kMostLatticeEvents; }
    void end_launch();

    std::size_t start_;
    std::atomic<float>* progress_;
    const machine::Machine* machine_ = nullptr;
    const machine::Context* context_ = nullptr;
    std::uint32_t group_ = 0;                // seen last
    std::unique_ptr<machine::Trace> trace_;  // of the launch
    std::uint64_t events_ = 0, times_ = 0;   // so far; actions of earlier launches
    std::optional<RowBuilder> rows_;
    RaceDetector races_;
};

}  // namespace lab::analysis
