// What a device's arrays hold after each barrier, as rows of a run of the simulator.
#pragma once

#include <functional>
#include <vector>

#include "device/snapshots.h"
#include "machine/schedule.h"
#include "measure/checks/device_passes.h"

namespace lab::measure {

// What is watched: a plan, or the launch of a user kernel.
struct WatchedCase {
    std::function<machine::Job(const machine::Config&)> job;
    std::size_t start = 0;  // the buffer of the first row
    // As device::run_watched().
    std::function<std::vector<device::Snapshots>(const std::vector<std::uint32_t>& most,
                                                 device::Optimise optimise)>
        run;
};

// One case, and what the machine makes of it.
class WatchedRows {
  public:
    // Throws Problem if the machine cannot run it, among others.
    WatchedRows(const results::DeviceInfo& device, WatchedCase watched);

    DevicePasses run(device::Optimise optimise) const { return on_device(most_, optimise); }
    // Nobody watches: what launches leave is all that is known.
    DevicePasses plain() const { return on_device({}, device::Optimise::yes); }

  private:
    DevicePasses on_machine(const machine::Order& order) const;
    DevicePasses on_machine_like(const std::vector<std::vector<std::uint32_t>>& barriers) const;
    DevicePasses on_device(const std::vector<std::uint32_t>& most, device::Optimise optimise) const;

    const results::DeviceInfo& device_;
    WatchedCase case_;
    std::uint32_t lanes_ = 0;          // of a warp; 0: it does not matter
    DevicePasses machine_;             // its half
    std::vector<std::uint32_t> most_;  // snapshots a group, a launch each; empty: no barriers
};

}  // namespace lab::measure
